import { AppError } from '../shared/errors/app-error.ts'
import type { ByteSource, Log, Warning } from '../shared/plugin/contract.ts'
import { readError, readWarnings, resultHeader, warningsHeader } from '../shared/remote/wire.ts'
import { receivedSource } from './received-source.ts'

/** The origins of this edge, asked in turn. A client never sees which one answered, or that one did not. */
export interface Origins {
  readonly count: number
  /**
   * What the first origin that can do it answers. `again` says whether a request may still be sent to another one: a body
   * that has begun to flow cannot. Throws 'origin.down', or what an origin says of the work itself.
   */
  ask<T>(
    time: { readonly signal: AbortSignal; readonly deadline: number }, // ms since the epoch
    attempt: (url: string, signal: AbortSignal) => Promise<Answered<T>>,
    again?: () => boolean,
  ): Promise<T>
  /** Whether an origin takes work now. */
  isReady(url: string, signal: AbortSignal): Promise<boolean>
}
export type Answered<T> =
  | { readonly made: T }
  | { readonly error: AppError | undefined; readonly status: number }

/** After a failure an origin is asked last for this long; doubles with each failure in a row, up to the second. */
const [restMs, longestRestMs] = [1000, 30_000]
/**
 * An origin that has sent nothing for this share of the time that is left, in these bounds, is asked whether it lives, and
 * again after as long. Its work may take all the time there is; one that hangs is left for another in time.
 */
const [askedAfterShare, askedAfterMs, askedAfterMsAtMost] = [0.1, 1000, 10_000]
const probeTimeoutMs = 2000

/** Answers after which another origin may do better: it is full, stopping, or lacks the engine. */
const elsewhere: readonly string[] = [
  'api.internal',
  'api.stopping',
  'api.too-many',
  'convert.busy',
  'convert.engine-off',
  'origin.refused',
]

export function createOrigins({
  urls,
  log,
  now,
}: {
  readonly urls: readonly string[]
  readonly log: Log
  readonly now: () => number
}): Origins {
  const health = urls.map(() => ({ failures: 0, restsUntil: 0 }))
  // Isolates begin anywhere, so that not all of them begin with the first.
  let turn = Math.floor(Math.random() * Math.max(1, urls.length))

  /** Each in its turn; those that rest after the others rather than never. */
  function order(): readonly number[] {
    const start = turn++ % Math.max(1, urls.length)
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

  /** The status of its answer to a call that costs it nothing; undefined when there is none in time. */
  async function probe(url: string, signal: AbortSignal): Promise<number | undefined> {
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)])
      const answer = await fetch(`${url}/status?ready=1`, { signal: within, redirect: 'manual' })
      await answer.body?.cancel()
      return answer.status
    } catch {
      return undefined
    }
  }

  const isReady = async (url: string, signal: AbortSignal) => ((await probe(url, signal)) ?? 500) < 500

  /** Ends the work of an origin that hangs: it has not begun to answer, and does not answer a probe either. */
  async function unlessItHangs<T>(
    url: string,
    { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: number },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const hangs = new AbortController()
    const share = (deadline - now()) * askedAfterShare
    const afterMs = Math.min(Math.max(share, askedAfterMs), askedAfterMsAtMost)
    let over = false
    const look = async () => {
      const answered = (await probe(url, signal)) !== undefined
      if (over || signal.aborted) return
      if (answered) timer = setTimeout(look, afterMs)
      else hangs.abort(new Error('The origin does not answer.'))
    }
    let timer = setTimeout(look, afterMs)
    try {
      return await work(AbortSignal.any([signal, hangs.signal]))
    } finally {
      over = true
      clearTimeout(timer)
    }
  }

  return {
    count: urls.length,
    isReady,
    async ask(time, attempt, again = () => true) {
      const { signal } = time
      let refusal: AppError | undefined
      for (const index of order()) {
        signal.throwIfAborted()
        const url = urls[index]!
        // One that failed shows that it is back before it is given work.
        if (health[index]!.failures > 0 && !(await isReady(url, signal))) {
          signal.throwIfAborted()
          failed(index, { because: 'probe' })
          continue
        }
        try {
          const result = await unlessItHangs(url, time, (own) => attempt(url, own))
          if ('made' in result) {
            health[index] = { failures: 0, restsUntil: 0 }
            return result.made
          }
          if (!elsewhere.includes(result.error?.code ?? 'api.internal')) throw result.error
          // What the origin says of itself ('refused', 'internal') is not for callers.
          if (result.error?.code.startsWith('convert.')) refusal = result.error
          failed(index, { status: result.status, code: result.error?.code })
        } catch (error) {
          if (error instanceof AppError || signal.aborted) throw error
          failed(index, { error })
        }
        if (!again()) break
      }
      throw refusal ?? new AppError('origin.down')
    },
  }
}

/** An answer in the agreed form: `read` makes the result of a document; anything else counts as no answer. */
export async function readAnswer<T>(
  answer: Response,
  read: (
    document: { readonly value: ByteSource; readonly warnings: readonly Warning[] },
    headers: Headers,
  ) => T | undefined,
): Promise<Answered<T>> {
  const { status, headers, body } = answer
  const kind = headers.get(resultHeader)
  const size = Number(headers.get('content-length') ?? Number.NaN)
  if (kind === 'done' && body !== null && Number.isSafeInteger(size)) {
    const warnings = readWarnings(headers.get(warningsHeader))
    const made = read({ value: receivedSource(body, size), warnings }, headers)
    if (made !== undefined) return { made }
  }
  if (kind === 'error') return { error: readError(await answer.json()), status }
  await body?.cancel()
  return { error: undefined, status }
}

/** Parts in their order as one stream of known length, so that the other side is told it ahead. */
export function joined(parts: readonly ByteSource[]): ReadableStream {
  const { readable, writable } = new FixedLengthStream(parts.reduce((size, part) => size + part.size, 0))
  const send = async () => {
    for (const part of parts) await part.stream().pipeTo(writable, { preventClose: true })
    await writable.close()
  }
  // What breaks here breaks the request, which tells its caller.
  send().catch((error) => writable.abort(error).catch(() => undefined))
  return readable
}
