import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request that a hook is called for, and its answer. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

const exchanges = new AsyncLocalStorage<Exchange | undefined>()

/** What runs in `work`, however late, belongs to that request; undefined: to none. */
export function withExchange<T>(exchange: Exchange | undefined, work: () => T): T {
  return exchanges.run(exchange, work)
}

/**
 * The first two arguments of every hook. Work that no request waits for (renders with a webhook, the sweep) has a request
 * without anything in it and an answer that takes headers and forgets them, so that hooks need not tell them apart.
 */
export function currentExchange(): readonly [req: object, res: object] {
  const found = exchanges.getStore()
  return found === undefined ? [noRequest, noAnswer] : [found.req, found.res]
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
