import { AppError } from '../shared/errors/app-error.ts'
import type {
  ByteSource,
  Conversion,
  ConvertJob,
  EnginePlugin,
  Log,
  Made,
} from '../shared/plugin/contract.ts'
import { digestOf, sign } from '../shared/remote/signature.ts'
import {
  formatHeader,
  frameJob,
  readConversions,
  readError,
  readWarnings,
  resultHeader,
  routes,
  warningsHeader,
} from '../shared/remote/wire.ts'
import { receivedSource } from './received-source.ts'

/**
 * The origin cluster as one engine of the edge's conversion graph. Each of its conversions stands for a whole route
 * that an origin knows: the router sees one step, and one transfer happens. Callers never learn where an origin is:
 * an answer that is not in the agreed form counts as no answer.
 */
export interface OriginSettings {
  readonly urls: readonly string[] // 'https://origin-1.example.com', any path prefix kept; empty: none configured
  readonly secret: string
  readonly conversions: readonly Conversion[]
  readonly log: Log
  readonly now: () => number
}

type Options = Readonly<Record<string, unknown>>

/** Families whose default engine lives on an origin, where there is one. */
const families = ['document', 'spreadsheet', 'presentation', 'graphics', 'web', 'text', 'data'] as const
/** A hop to the origin and back. What the edge makes itself wins where it is as faithful. */
const hopCost = 60
/** Without an origin its conversions are still listed, behind all others: they end in an error that says so. */
const absentCost = 1_000_000
const conversionsTimeoutMs = 3000
/** After a failure an origin is asked last for this long; doubles with each failure in a row, up to the second. */
const [restMs, longestRestMs] = [1000, 30_000]

/** Answers after which another origin may do better: it is full, stopping, or lacks the engine. */
const elsewhere: readonly string[] = [
  'convert.busy',
  'convert.engine-off',
  'api.stopping',
  'api.internal',
  'origin.refused',
]

export function createOriginPlugin(settings: OriginSettings): EnginePlugin<unknown, Options> {
  const configured = settings.urls.length > 0
  const anything = { json: {}, parse: (value: unknown) => ({ ok: true, value: value as never }) as const }
  return {
    kind: 'engine',
    contract: 1,
    id: 'origin',
    title: configured ? 'The origin server' : 'The origin server (none is configured)',
    ...(configured && { defaultFor: families }),
    sides: ['edge'],
    conversions: settings.conversions.map((row) => ({
      ...row,
      cost: row.cost + (configured ? hopCost : absentCost),
    })),
    settings: anything,
    options: anything, // checked by the engine that does the work
    finishesOutput: true,
    create: () => {
      const origins = createOrigins(settings)
      return {
        convert: async (job, signal) => {
          if (configured) return origins.convert(job, signal)
          throw new AppError('convert.origin-needed', { from: job.from, to: job.to })
        },
      }
    },
  }
}

/** What the first origin that answers offers; undefined when none does. */
export async function fetchConversions(
  settings: Pick<OriginSettings, 'urls' | 'secret' | 'log' | 'now'>,
): Promise<readonly Conversion[] | undefined> {
  const parts = { method: 'GET', route: routes.conversions, jobDigest: '', bodyDigest: '' } as const
  for (const [index, url] of settings.urls.entries()) {
    try {
      const answer = await fetch(url + routes.conversions, {
        headers: await sign(settings.secret, parts, settings.now()),
        redirect: 'manual',
        signal: AbortSignal.timeout(conversionsTimeoutMs),
      })
      const found =
        answer.headers.get(resultHeader) === 'done' ? readConversions(await answer.json()) : undefined
      if (found !== undefined) return found
      settings.log.warn('origin.conversions', { origin: index, status: answer.status })
    } catch (error) {
      settings.log.warn('origin.conversions', { origin: index, error })
    }
  }
  return undefined
}

function createOrigins({ urls, secret, log, now }: OriginSettings) {
  const health = urls.map(() => ({ failures: 0, restsUntil: 0 }))

  /** Rested ones first, from a random start so that load spreads; the others after them rather than never. */
  function order(): readonly number[] {
    const start = Math.floor(Math.random() * urls.length)
    const all = urls.map((_, index) => (start + index) % urls.length)
    const time = now()
    const rests = (index: number) => Number(health[index]!.restsUntil > time)
    return all.sort((a, b) => rests(a) - rests(b))
  }

  function failed(index: number, details: Readonly<Record<string, unknown>>): void {
    const state = health[index]!
    state.restsUntil = now() + Math.min(restMs * 2 ** state.failures, longestRestMs)
    state.failures++
    log.warn('origin.failed', { origin: index, ...details })
  }

  async function convert(job: ConvertJob<Options>, signal: AbortSignal): Promise<Made> {
    let refusal: AppError | undefined
    for (const index of order()) {
      signal.throwIfAborted()
      try {
        const result = await ask(urls[index]!, job, signal)
        if ('value' in result) {
          health[index] = { failures: 0, restsUntil: 0 }
          return result
        }
        if (!elsewhere.includes(result.error?.code ?? 'api.internal')) throw result.error
        // What the origin says of itself ('refused', 'internal') is not for callers.
        if (result.error?.code.startsWith('convert.')) refusal = result.error
        failed(index, { status: result.status, code: result.error?.code })
      } catch (error) {
        if (error instanceof AppError || signal.aborted) throw error
        failed(index, { error })
      }
    }
    throw refusal ?? new AppError('origin.down')
  }

  type Answered = Made | { readonly error: AppError | undefined; readonly status: number }

  async function ask(url: string, job: ConvertJob<Options>, signal: AbortSignal): Promise<Answered> {
    const { hardRefresh, ...options } = job.options
    const framed = frameJob({
      from: job.from,
      to: job.to,
      letter: job.letter,
      options,
      hardRefresh: hardRefresh === true,
      egressAuthorization: job.egressAuthorization,
      remainingMs: job.deadline - now(),
    })
    const { view } = job.source
    const parts = {
      method: 'POST',
      route: routes.convert,
      jobDigest: await digestOf(framed),
      bodyDigest: view === undefined ? '' : await digestOf(view),
    } as const
    const answer = await fetch(url + routes.convert, {
      method: 'POST',
      headers: { ...(await sign(secret, parts, now())), 'content-type': 'application/octet-stream' },
      body: bodyOf(framed, job.source),
      redirect: 'manual',
      signal,
    })
    const kind = answer.headers.get(resultHeader)
    const size = Number(answer.headers.get('content-length') ?? Number.NaN)
    if (kind === 'done' && answer.body !== null && Number.isSafeInteger(size)) {
      const warnings = readWarnings(answer.headers.get(warningsHeader))
      const format = answer.headers.get(formatHeader)
      return { value: receivedSource(answer.body, size), warnings, ...(format !== null && { format }) }
    }
    if (kind === 'error') return { error: readError(await answer.json()), status: answer.status }
    await answer.body?.cancel()
    return { error: undefined, status: answer.status }
  }

  return { convert }
}

/** The framed job, then the source: a stream of known length, so that the origin is told it ahead. */
function bodyOf(framed: Uint8Array, source: ByteSource): ReadableStream {
  const { readable, writable } = new FixedLengthStream(framed.byteLength + source.size)
  const send = async () => {
    const writer = writable.getWriter()
    await writer.write(framed)
    writer.releaseLock()
    await source.stream().pipeTo(writable)
  }
  // What breaks here breaks the request, which tells its caller.
  send().catch((error) => writable.abort(error).catch(() => undefined))
  return readable
}
