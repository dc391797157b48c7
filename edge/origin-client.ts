import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { Conversion, ConvertJob, EnginePlugin, Log, Made } from '../shared/plugin/contract.ts'
import { digestOf, sign } from '../shared/remote/signature.ts'
import { formatHeader, frameJob, readConversions, resultHeader, routes } from '../shared/remote/wire.ts'
import { joined, type Origins, readAnswer } from './origins.ts'

/**
 * The origin cluster as one engine of the edge's conversion graph. Each of its conversions stands for a whole route
 * that an origin knows: the router sees one step, and one transfer happens. Callers never learn where an origin is:
 * an answer that is not in the agreed form counts as no answer.
 */
export interface OriginSettings {
  readonly origins: Origins // none: the edge does what it can alone
  readonly secret: string
  readonly conversions: readonly Conversion[]
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
export function createOriginPlugin(settings: OriginSettings): EnginePlugin<unknown, Options> {
  const configured = settings.origins.count > 0
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
      return {
        convert: async (job, signal) => {
          if (configured) return convert(settings, job, signal)
          throw new AppError('convert.origin-needed', { from: job.from, to: job.to })
        },
      }
    },
  }
}

/** What the first origin that answers offers; undefined when none does. */
export async function fetchConversions(
  settings: Pick<OriginSettings, 'secret' | 'now'> & {
    readonly urls: readonly string[] // 'https://origin-1.example.com', any path prefix kept
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

async function convert(
  { origins, secret, now }: OriginSettings,
  job: ConvertJob<Options>,
  signal: AbortSignal,
): Promise<Made> {
  const { hardRefresh, ...options } = job.options
  const { source } = job
  return origins.ask({ signal, deadline: job.deadline }, async (url, own) => {
    const framed = frameJob({
      from: job.from,
      to: job.to,
      letter: job.letter,
      options,
      hardRefresh: hardRefresh === true,
      egressAuthorization: job.egressAuthorization,
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
      headers: { ...(await sign(secret, parts, now())), 'content-type': 'application/octet-stream' },
      body: joined([fromBytes(framed), source]),
      redirect: 'manual',
      signal: own,
    })
    return readAnswer(answer, (document, headers) => {
      const format = headers.get(formatHeader)
      return { ...document, ...(format !== null && { format }) }
    })
  })
}
