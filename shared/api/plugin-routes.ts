/** Routes of plugins as routes of the API: the same authentication, limits, deadline and log. */
import { createByteCollector } from '../byte-collector.ts'
import { AppError } from '../errors/app-error.ts'
import { toAppError } from '../errors/problem.ts'
import { profileNames } from '../invoice/profiles.ts'
import { Downloads, downloadLimits } from '../net/downloads.ts'
import { zipStream } from '../office/zip-stream.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type {
  PluginRoute,
  RouteFailure,
  RouteFile,
  RouteForm,
  RouteHost,
  RouteRequest,
  RouteResponse,
} from '../plugin/routes.ts'
import { type RenderBudget, withinDeadline } from '../render/pipeline.ts'
import type { Services } from '../services/services.ts'
import type { Call, Reply } from './call.ts'
import { readParts } from './multipart/read.ts'
import { checkPluginCaller, createPluginCharge, type PluginCharge } from './plugin-charge.ts'
import type { Input, Route } from './route.ts'

/** Work after answers that is under way, of all routes of the plugins. */
export interface DeferredWork {
  running: number
}

/** Each holds the files of its request. */
const maxDeferred = 50

export const pluginRoute = (route: PluginRoute, deferred: DeferredWork): Route => ({
  method: route.method,
  path: route.path,
  operation: `plugin ${route.method} ${route.path}`,
  summary: 'A route of a plugin.',
  scope: route.scope,
  described: false,
  limited: route.method === 'POST',
  answers: [],
  run: (services, input, call) => answer(route, services, input, call, deferred),
})

async function answer(
  route: PluginRoute,
  services: Services,
  input: Input,
  call: Call,
  deferred: DeferredWork,
): Promise<Reply> {
  const charge = createPluginCharge(services, input)
  const request: RouteRequest = {
    headers: call.headers,
    id: call.trace?.requestId ?? '',
    form: () => readForm(call, services.settings.maxDataBytes, charge),
  }
  if (services.lifecycle.stopping && route.method === 'POST') throw new AppError('api.stopping')
  await checkPluginCaller(services, input)
  try {
    const work = (budget: RenderBudget) =>
      route.run(request, hostFor(services, input, budget, { operation: route.path, deferred, charge }))
    const response = await withinDeadline(services, call.signal, services.settings.renderTimeoutMs, work)
    await charge.end(response.status < 400)
    const reply = replyOf(response)
    return { ...reply, headers: { ...(await charge.headers()), ...reply.headers } }
  } catch (error) {
    await charge.end(false)
    if (route.refuse === undefined) throw error
    return replyOf(route.refuse(failureOf(error, services, route.path), request))
  }
}

/** A failure for callers. One of the service itself is logged. */
function failureOf(error: unknown, { log }: Pick<Services, 'log'>, operation: string): RouteFailure {
  const failure = toAppError(error)
  const { status, message } = failure
  const cause = failure.cause instanceof AppError ? failure.cause : failure
  if (cause.blame === 'us') log.error('request.failed', { operation, code: cause.code, error })
  return { code: cause.code, status, blame: cause.blame, message }
}

interface RouteContext {
  readonly operation: string
  readonly deferred: DeferredWork
  readonly charge: PluginCharge
  /** Set for the host of work after an answer, whose own work after it is not counted anew. */
  readonly isLater?: true
}

/** Runs work that the caller does not wait for. The host is kept alive until it has ended. */
function runLater(
  services: Services,
  input: Input,
  context: RouteContext,
  work: (host: RouteHost) => Promise<void>,
): void {
  const { operation, deferred, isLater } = context
  if (isLater !== true && deferred.running >= maxDeferred)
    throw new AppError('convert.busy', { engine: 'answers by webhook' })
  deferred.running++
  const { signal } = new AbortController()
  const charge = context.charge.later()
  const host = { ...context, charge, isLater: true } as const
  const run = (budget: RenderBudget) => work(hostFor(services, input, budget, host))
  const running = withinDeadline(services, signal, services.settings.renderTimeoutMs, run)
    // A plugin reports failures of such work itself.
    .then(() => charge.end(!charge.hasFailed))
    .catch(async (error: unknown) => {
      services.log.error('request.failed', { operation, error })
      await charge.end(false)
    })
    .finally(() => {
      deferred.running--
    })
  services.later?.(running)
}

function replyOf({ status, headers, body }: RouteResponse): Reply {
  return {
    status,
    headers,
    body:
      typeof body === 'string' ? { kind: 'text', text: body } : { kind: 'bytes', source: fromBytes(body) },
  }
}

/** The parts of a form in memory, no more than `maxBytes` of them. */
async function readForm(
  { headers, body }: Call,
  maxBytes: number,
  charge: Pick<PluginCharge, 'setBytes'>,
): Promise<RouteForm> {
  const type = headers.get('content-type') ?? ''
  const boundary = /^\s*multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type)
  const name = boundary?.[1] ?? boundary?.[2]
  if (body === undefined || name === undefined) throw new AppError('api.upload.form')
  const fields = new Map<string, string>()
  const files: RouteFile[] = []
  let bytesLeft = maxBytes
  for await (const part of readParts(body, name)) {
    const collector = createByteCollector()
    for await (const chunk of part.chunks()) {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) throw new AppError('api.upload.form.too-large', { limit: maxBytes })
      collector.add(chunk.slice())
    }
    const bytes = await collector.joined()
    if (part.filename === undefined) fields.set(part.name, new TextDecoder().decode(bytes))
    else files.push({ field: part.name, name: part.filename, bytes })
  }
  charge.setBytes(maxBytes - bytesLeft)
  return { fields, files }
}

const noPdfProcessing = new PluginError('plugin.unavailable', 'This host cannot process PDFs.')

function hostFor(
  services: Services,
  input: Input,
  { signal, deadline }: RenderBudget,
  context: RouteContext,
): RouteHost {
  const { converter, registry, settings, outbound, codec, clock } = services
  const { account } = input
  const { charge } = context
  const downloads = new Downloads(outbound)
  return {
    version: settings.version,
    formatOf: (extension) => registry.formatByExtension(extension)?.id,
    convert: ({ source, from, to, options, letter }) =>
      charge.during(async () => {
        if (options !== undefined) converter.checkOptions(to, options)
        const bounds = { deadline, signal, client: { account } }
        const { value } = await converter.convert({
          source: fromBytes(source),
          from,
          to,
          options,
          letter,
          ...bounds,
        })
        return bytesOf(value)
      }),
    join: (files) =>
      charge.during(async () => {
        if (converter.join === undefined) throw noPdfProcessing
        async function* each() {
          yield* files
        }
        return (await converter.join(each(), signal)).value
      }),
    amend: (pdf, changes) =>
      charge.during(async () => {
        if (converter.amend === undefined) throw noPdfProcessing
        return (await converter.amend(pdf, changes, { signal })).value
      }),
    describe: (pdf) =>
      charge.during(async () => {
        if (converter.describe === undefined) throw noPdfProcessing
        return converter.describe(pdf, { signal })
      }),
    attach: (pdf, attachments, invoice) =>
      charge.during(async () => {
        if (converter.compose === undefined) throw noPdfProcessing
        const profile = profileNames.find((profileName) => profileName === invoice?.profile)
        if (invoice !== undefined && profile === undefined)
          throw new PluginError(
            'plugin.request',
            `The profile of an invoice must be one of ${profileNames.join(', ')}.`,
          )
        const parts = {
          before: [],
          after: [],
          attachments,
          ...(profile !== undefined && { invoice: { profile } }),
        }
        return (await converter.compose(pdf, parts, { signal, now: clock.now() })).value.bytes
      }),
    health: () => converter.health(),
    zip: (files) =>
      charge.during(async () => {
        async function* entries() {
          for (const { name, bytes } of files) yield { name, bytes, compress: false }
        }
        return new Uint8Array(await new Response(zipStream(entries(), codec, clock.now())).arrayBuffer())
      }),
    fetch: (url, call) => {
      const { timeoutMs } = downloadLimits(outbound)
      return downloads.fetch({ ...call, url, timeoutMs, signal })
    },
    refuses: outbound.refuses,
    later: (work) => runLater(services, input, context, work),
    failureOf: (error) => failureOf(error, services, context.operation),
  }
}
