import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request that a hook is called for, and its response. */
export interface NodeExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

const exchanges = new AsyncLocalStorage<NodeExchange | undefined>()

/**
 * Runs `work` and everything that it starts asynchronously in the context of a request, or of none if
 * undefined.
 */
export function withExchange<T>(exchange: NodeExchange | undefined, work: () => T): T {
  return exchanges.run(exchange, work)
}

/**
 * The first two arguments of every hook. Background work (renders with a webhook, the cleanup) gets an empty
 * request and a response that ignores headers, so that hooks need not handle this case separately.
 */
export function currentExchange(): readonly [req: object, res: object] {
  const exchange = exchanges.getStore()
  return exchange === undefined ? [noRequest, noAnswer] : [exchange.req, exchange.res]
}

const noRequest = Object.freeze({ method: '', url: '', headers: Object.freeze({}) })
const noAnswer = Object.freeze({
  headersSent: false,
  writableEnded: false,
  statusCode: 200,
  setHeader() {},
  getHeader() {},
  removeHeader() {},
  end() {},
})
