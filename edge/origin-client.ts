import { AppError } from '../shared/errors/app-error.ts'
import { minOf } from '../shared/extremes.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { Conversion, ConversionResult, ConvertJob, EnginePlugin } from '../shared/plugin/contract.ts'
import type { Client, Log } from '../shared/plugin/values.ts'
import { digestOf, sign } from '../shared/remote/signature.ts'
import {
  formatHeader,
  frameJob,
  lettersHeader,
  pageCountHeader,
  readConversions,
  resultHeader,
  routes,
} from '../shared/remote/wire.ts'
import { traceHeaders } from '../shared/trace.ts'
import { joined, type Origins, readAnswer } from './origins.ts'

/**
 * The origins as one engine of the conversion graph of the edge. Each of its conversions represents a whole
 * route on an origin, so that the router sees one step and one transfer happens. Callers never see the
 * address of an origin: a response that does not follow the protocol counts as a failure of the origin.
 */
export interface OriginSettings {
  readonly origins: Origins // may be empty; then the edge offers only its own conversions
  readonly secret: string
  readonly conversions: readonly Conversion[]
  readonly now: () => number
}

type ConversionOptions = Readonly<Record<string, unknown>>

/** Families of source formats whose default engine runs on an origin, if one is configured. */
const families = ['document', 'spreadsheet', 'presentation', 'graphics', 'web', 'text', 'data'] as const
/**
 * The cost in ms of a transfer to an origin and back. It makes the router prefer an engine of the edge with
 * the same fidelity.
 */
const hopCost = 60
/**
 * The cost without an origin. The conversions still make routes, after all others, so that a request for one
 * of them gets the error 'convert.origin-needed'.
 */
const absentCost = 1_000_000
const conversionsTimeoutMs = 3000

/** Creates the engine plugin of the origins. */
export function createOriginPlugin(settings: OriginSettings): EnginePlugin<unknown, ConversionOptions> {
  const configured = settings.origins.count > 0
  const anything = { json: {}, parse: (value: unknown) => ({ ok: true, value: value as never }) as const }
  return {
    kind: 'engine',
    contract: 1,
    id: 'origin',
    title: configured ? 'The origin server' : 'The origin server (none is configured)',
    ...(configured ? { defaultFor: families } : { absent: true as const }),
    sides: ['edge'],
    conversions: withDefaults(settings.conversions).map((row) => ({
      ...row,
      alone: true as const,
      cost: row.cost + (configured ? hopCost : absentCost),
    })),
    settings: anything,
    options: anything, // checked by the engine that does the work
    finishesOutput: true,
    create: () => {
      return {
        convert: async (job, signal) => {
          if (configured) return convert(settings, job, signal)
          throw new AppError('convert.origin-needed', { from: job.from, to: job.to })
        },
      }
    },
  }
}

/**
 * The conversions of an origin, and one without a letter for each pair: a caller who names no engine leaves the choice to
 * the origin, as callers of the origin itself do.
 */
function withDefaults(rows: readonly Conversion[]): readonly Conversion[] {
  const ranks = ['exact', 'high', 'basic'] as const
  const defaults = [...Map.groupBy(rows, ({ from, to }) => `${from} ${to}`).values()].flatMap((pair) => {
    const [{ from, to } = { from: '', to: '' }] = pair
    if (pair.some(({ letter }) => letter === undefined)) return []
    const fidelity = ranks.find((rank) => pair.some((row) => row.fidelity === rank)) ?? 'basic'
    return [{ from, to, fidelity, cost: minOf(pair.map(({ cost }) => cost)) }]
  })
  // When conversions cost the same, the first one is used.
  return [...defaults, ...rows]
}

/** The conversions that the first responding origin offers, or undefined when none responds. */
export async function fetchConversions(
  settings: Pick<OriginSettings, 'secret' | 'now'> & {
    readonly urls: readonly string[] // such as 'https://origin-1.example.com', optionally with a path
    readonly log: Log
  },
): Promise<readonly Conversion[] | undefined> {
  const parts = { method: 'GET', route: routes.conversions, jobDigest: '', bodyDigest: '' } as const
  for (const [index, url] of settings.urls.entries()) {
    try {
      const answer = await fetch(url + routes.conversions, {
        headers: await sign(settings.secret, parts, settings.now()),
        redirect: 'manual',
        signal: AbortSignal.timeout(conversionsTimeoutMs),
      })
      const conversion =
        answer.headers.get(resultHeader) === 'done' ? readConversions(await answer.json()) : undefined
      if (conversion !== undefined) return conversion
      settings.log.warn('origin.conversions', { origin: index, status: answer.status })
    } catch (error) {
      settings.log.warn('origin.conversions', { origin: index, error })
    }
  }
  return undefined
}

async function convert(
  { origins, secret, now }: OriginSettings,
  job: ConvertJob<ConversionOptions>,
  signal: AbortSignal,
): Promise<ConversionResult> {
  const { hardRefresh, ...options } = job.options
  const { source } = job
  return origins.request({ signal, deadline: job.deadline }, async (url, attemptSignal) => {
    const framed = frameJob({
      from: job.from,
      to: job.to,
      letter: job.letter,
      options,
      hardRefresh: hardRefresh === true,
      egressAuthorization: job.egressAuthorization,
      client: withoutTrace(job.client),
      remainingMs: job.deadline - now(),
    })
    const parts = {
      method: 'POST',
      route: routes.convert,
      jobDigest: await digestOf(framed),
      bodyDigest: source.view === undefined ? '' : await digestOf(source.view),
    } as const
    const answer = await fetch(url + routes.convert, {
      method: 'POST',
      headers: {
        ...(await sign(secret, parts, now())),
        ...traceHeaders(job.client?.trace),
        'content-type': 'application/octet-stream',
      },
      body: joined([fromBytes(framed), source]),
      redirect: 'manual',
      signal: attemptSignal,
    })
    return readAnswer(answer, (document, headers) => {
      const format = headers.get(formatHeader)
      const letters = headers
        .get(lettersHeader)
        ?.split(',')
        .filter((letter) => letter !== '')
      const pageCount = headers.get(pageCountHeader)
      return {
        ...document,
        ...(format !== null && { format }),
        ...(letters && { letters }),
        ...(pageCount !== null && { pageCount: Number(pageCount) }),
      }
    })
  })
}

/** The trace travels in headers. */
function withoutTrace(client: Client | undefined): Client | undefined {
  return client && { account: client.account, background: client.background === true }
}
