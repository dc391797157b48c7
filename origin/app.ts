import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import { createApi } from '../shared/api/api.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { errorBody } from '../shared/errors/problem.ts'
import type { PluginRoute } from '../shared/plugin/routes.ts'
import type { Services } from '../shared/services/services.ts'
import type { OpenedHooks } from './hooks/open-hooks.ts'
import { mount, routedTarget, send } from './mount.ts'
import { oneAtATime } from './net/one-at-a-time.ts'
import { cutSlowReaders } from './net/slow-readers.ts'

/**
 * Builds the origin as a Fastify application over its services; `server.ts` listens. `requestTimeoutMs` is the time
 * allowed for receiving a complete request. A slower sender gets 'api.body.slow' and its connection is closed, as is
 * that of a client that reads almost nothing of a response for so long.
 */
export function createApp(
  services: Services,
  {
    requestTimeoutMs = 300_000,
    hooks,
    routes = [],
  }: {
    readonly requestTimeoutMs?: number
    readonly hooks?: OpenedHooks | undefined
    readonly routes?: readonly PluginRoute[]
  } = {},
): FastifyInstance {
  const api = createApi(services, routes)
  const app = fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false, // while stopping, the API refuses renders itself and still answers other routes
    forceCloseConnections: 'idle',
    serverFactory: (handle) => createHttpServer(handle, requestTimeoutMs),
    bodyLimit: Number.MAX_SAFE_INTEGER, // the API enforces its own limits with its own errors
    routerOptions: { maxParamLength: 4096 },
    rewriteUrl: routedTarget,
    frameworkErrors: (_error, request, reply) => {
      // Fastify reports a path whose percent-encoding cannot be decoded here.
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
  // Without a listener Node answers every `Expect` other than 100-continue with 417. RFC 9110 10.1.1 allows
  // ignoring it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  cutSlowReaders(app.server, requestTimeoutMs)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  mount(app, api, { aliases: services.settings.headerAliases, bodyTimeoutMs: requestTimeoutMs, hooks })
  return app
}

function createHttpServer(handle: RequestListener, requestTimeoutMs: number) {
  const options: ServerOptions = {
    // `mount` limits the time for a body. Node would end one of lines, which may arrive for hours.
    requestTimeout: 0,
    headersTimeout: Math.min(60_000, 2 * requestTimeoutMs),
    connectionsCheckingInterval: Math.min(30_000, Math.max(100, requestTimeoutMs / 4)),
    requireHostHeader: false, // `mount` refuses such requests with a JSON body
    keepAliveTimeout: 72_000,
  }
  return createServer(options, oneAtATime(handle))
}

/**
 * The raw HTTP response for input that Node's parser rejects, for which there is no request or reply object.
 */
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
