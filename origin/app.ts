import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import { createApi } from '../shared/api/api.ts'
import { collapsePath } from '../shared/api/headers.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { errorBody } from '../shared/errors/problem.ts'
import type { Services } from '../shared/services/services.ts'
import type { Hooks } from './hooks/open-hooks.ts'
import { mount, send } from './mount.ts'

/**
 * The origin as a Fastify application over its services. Listening is the business of `server.ts`. `requestTimeoutMs`: in which a request must have come in; a slow sender is
 * then told, and cut off.
 */
export function createApp(
  services: Services,
  {
    requestTimeoutMs = 300_000,
    hooks,
  }: { readonly requestTimeoutMs?: number; readonly hooks?: Hooks | undefined } = {},
): FastifyInstance {
  const api = createApi(services)
  const app = fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false, // the contract has its own answer, and only renders are refused
    forceCloseConnections: 'idle',
    requestTimeout: 2 * requestTimeoutMs, // of bodies the contract's own answer comes before
    http: {
      connectionsCheckingInterval: Math.min(30_000, Math.max(100, requestTimeoutMs / 4)),
      requireHostHeader: false, // refused below, in JSON
    },
    bodyLimit: Number.MAX_SAFE_INTEGER, // the contract has its own limits, with its own answers
    routerOptions: { maxParamLength: 4096 },
    rewriteUrl: (request) => rewrite(request.url ?? '/'),
    frameworkErrors: (_error, request, reply) => {
      // A path that does not decode.
      send(request, reply as FastifyReply, api.refuse(new AppError('api.id.invalid')))
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const code =
        error.code === 'HPE_HEADER_OVERFLOW'
          ? 'api.headers.too-large'
          : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? 'api.body.slow'
            : 'api.request.invalid'
      socket.end(rawError(new AppError(code)))
    },
  })
  // Of expectations only 100-continue asks anything of us; others may be passed over (RFC 9110 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async (request, reply) => {
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion === '1.1')
      return send(request, reply, api.refuse(new AppError('api.request.invalid')))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  mount(app, api, { aliases: services.settings.headerAliases, bodyTimeoutMs: requestTimeoutMs, hooks })
  return app
}

function rewrite(whole: string): string {
  const url = withoutAuthority(whole)
  const mark = url.indexOf('?')
  return mark === -1 ? collapsePath(url) : collapsePath(url.slice(0, mark)) + url.slice(mark)
}

/** A request may name its whole address (RFC 9112 3.2.2): what counts is the path. */
function withoutAuthority(url: string): string {
  return url.startsWith('/')
    ? url
    : url.replace(/^https?:\/\/[^/?#]*(?=([/?]?))/i, (_, next) => (next === '/' ? '' : '/'))
}

/** An answer for requests that Node's parser refuses before there is one. */
function rawError(error: AppError): string {
  const body = JSON.stringify(errorBody(error))
  return [
    `HTTP/1.1 ${error.status} Error`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
