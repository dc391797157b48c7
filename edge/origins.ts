import { AppError } from '../shared/errors/app-error.ts'
import type { ByteSource, Log, Warning } from '../shared/plugin/values.ts'
import { readError, readWarnings, resultHeader, warningsHeader } from '../shared/remote/wire.ts'
import { timedStream } from '../shared/timed-stream.ts'
import { receivedSource } from './received-source.ts'

/**
 * The origins of this edge, used in rotation. Clients cannot see which one responded, or that another one
 * failed.
 */
export interface Origins {
  readonly count: number
  /**
   * Sends a request to one origin after the other, until one of them can do the work. `mayRetry` returns whether
   * the request can still be sent to another one, which is not the case when its body has been partly read.
   * Throws 'origin.down' when no origin responds, or the error that an origin reports about the work.
   */
  request<T>(
    time: { readonly signal: AbortSignal; readonly deadline: number }, // ms since the epoch
    attempt: (url: string, signal: AbortSignal) => Promise<OriginAnswer<T>>,
    mayRetry?: () => boolean,
  ): Promise<T>
  /** Whether an origin accepts work at the moment. */
  isReady(url: string, signal: AbortSignal): Promise<boolean>
}
/** The response of an origin. `error` is undefined when the response is not in the expected form. */
export type OriginAnswer<T> =
  | { readonly result: T }
  | { readonly error: AppError | undefined; readonly status: number }

/**
 * For how long after a failure an origin is only used when the others fail. Doubles with each consecutive
 * failure, from the first to the second value.
 */
const [restMs, maxRestMs] = [1000, 30_000]
/**
 * While an origin works, it is probed at intervals of this share of the remaining time, within these bounds.
 * Slow work may use all the time, but an origin that misses two probes in a row is abandoned early enough
 * for another one to take over.
 */
const [probeFraction, minProbeMs, maxProbeMs] = [0.1, 1000, 10_000]
const probeTimeoutMs = 2000
/** An origin has the whole document when it answers, so a pause in the transfer means that it or the network is gone. */
const defaultMaxSilenceMs = 15_000

/** Errors after which another origin is tried: the first one is full, is stopping, fails or lacks the engine. */
const retriableCodes: readonly string[] = [
  'api.internal',
  'api.stopping',
  'api.too-many',
  'convert.busy',
  'convert.engine-off',
  'engine.failed',
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
  const rotation = createRotation(urls.length, { log, now })
  return {
    count: urls.length,
    isReady,
    async request(time, attempt, mayRetry = () => true) {
      const { signal } = time
      let refusal: AppError | undefined
      for (const index of rotation.order()) {
        signal.throwIfAborted()
        const url = urls[index]!
        // An origin that failed before must respond to a probe first.
        if (rotation.hasFailed(index) && !(await isReady(url, signal))) {
          signal.throwIfAborted()
          rotation.failed(index, { because: 'probe' })
          continue
        }
        try {
          const answer = await withProbes(url, { ...time, now }, (attemptSignal) =>
            attempt(url, attemptSignal),
          )
          if ('result' in answer) {
            rotation.worked(index)
            return answer.result
          }
          if (!retriableCodes.includes(answer.error?.code ?? 'api.internal')) throw answer.error
          // Errors about the origin itself ('origin.refused', 'api.internal') are not passed to callers.
          if (/^(?:convert|engine)\./.test(answer.error?.code ?? '')) refusal = answer.error
          rotation.failed(index, { status: answer.status, code: answer.error?.code })
        } catch (error) {
          if (error instanceof AppError || signal.aborted) throw error
          rotation.failed(index, { error })
        }
        if (!mayRetry()) break
      }
      throw refusal ?? new AppError('origin.down')
    },
  }
}

/** Which origin to try next, by index: all of them in rotation, and those that failed recently last. */
function createRotation(count: number, { log, now }: { readonly log: Log; readonly now: () => number }) {
  // By index of the origin: consecutive failures, and until when it is used last, in ms since the epoch.
  const health = Array.from({ length: count }, () => ({ failures: 0, restsUntil: 0 }))
  // The origin to try first for the next request, starting at random so that isolates do not all begin with one.
  let nextStart = Math.floor(Math.random() * Math.max(1, count))
  const isResting = (index: number, time: number) => (health[index]?.restsUntil ?? 0) > time

  return {
    order(): readonly number[] {
      const start = nextStart++ % Math.max(1, count)
      const time = now()
      return health
        .map((_, index) => (start + index) % count)
        .sort((a, b) => Number(isResting(a, time)) - Number(isResting(b, time)))
    },
    hasFailed: (index: number) => (health[index]?.failures ?? 0) > 0,
    worked(index: number): void {
      health[index] = { failures: 0, restsUntil: 0 }
    },
    failed(index: number, details: Readonly<Record<string, unknown>>): void {
      const failures = health[index]?.failures ?? 0
      const restsUntil = now() + Math.min(restMs * 2 ** failures, maxRestMs)
      health[index] = { failures: failures + 1, restsUntil }
      log.warn('origin.failed', { origin: index, ...details })
    },
  }
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  return ((await probe(url, signal)) ?? 500) < 500
}

/** The status of an inexpensive request to an origin, or undefined when it does not respond in time. */
async function probe(
  url: string,
  signal: AbortSignal,
  timeoutMs = probeTimeoutMs,
): Promise<number | undefined> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const answer = await fetch(`${url}/status?ready=1`, { signal: within, redirect: 'manual' })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return undefined
  }
}

/**
 * Runs `work` and probes the origin meanwhile. Aborts the signal of `work` when the origin does not respond.
 */
async function withProbes<T>(
  url: string,
  {
    signal,
    deadline,
    now,
  }: { readonly signal: AbortSignal; readonly deadline: number; readonly now: () => number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const unresponsive = new AbortController()
  const probeTime = (deadline - now()) * probeFraction
  const afterMs = Math.min(Math.max(probeTime, minProbeMs), maxProbeMs)
  let isOver = false
  const check = async () => {
    // A machine that is full of work may miss one probe in time, but not two.
    const answered =
      ((await probe(url, signal, probeTimeoutMs / 2)) ?? (await probe(url, signal))) !== undefined
    if (isOver || signal.aborted) return
    if (answered) timer = setTimeout(check, afterMs)
    else unresponsive.abort(new Error('The origin does not answer.'))
  }
  let timer = setTimeout(check, afterMs)
  try {
    return await work(AbortSignal.any([signal, unresponsive.signal]))
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * Reads a response of the protocol between edge and origin. `read` creates the result from the document and
 * the headers, or returns undefined when they are invalid. A response in any other form counts as a failure
 * of the origin. The document arrives after that, when no deadline of a render applies any more. It fails with 'origin.down' where
 * nothing of it arrives for `maxSilenceMs`.
 */
export async function readAnswer<T>(
  answer: Response,
  read: (
    document: { readonly value: ByteSource; readonly warnings: readonly Warning[] },
    headers: Headers,
  ) => T | undefined,
  maxSilenceMs = defaultMaxSilenceMs,
): Promise<OriginAnswer<T>> {
  const { status, headers, body } = answer
  const kind = headers.get(resultHeader)
  const size = Number(headers.get('content-length') ?? Number.NaN)
  if (kind === 'done' && body !== null && Number.isSafeInteger(size)) {
    const warnings = readWarnings(headers.get(warningsHeader))
    const timed = timedStream(body, { idleMs: maxSilenceMs }, () => new AppError('origin.down'))
    const result = read({ value: receivedSource(timed, size), warnings }, headers)
    if (result !== undefined) return { result }
  }
  if (kind === 'error') return { error: readError(await answer.json()), status }
  await body?.cancel()
  return { error: undefined, status }
}

/** Concatenates the parts to one stream of known length, so that the request has a Content-Length. */
export function joined(parts: readonly ByteSource[]): ReadableStream {
  const { readable, writable } = new FixedLengthStream(parts.reduce((size, part) => size + part.size, 0))
  const send = async () => {
    for (const part of parts) await part.stream().pipeTo(writable, { preventClose: true })
    await writable.close()
  }
  // An error aborts the stream and thereby the request, whose caller handles it.
  send().catch((error) => writable.abort(error).catch(() => undefined))
  return readable
}
