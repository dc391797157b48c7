import { isOutage } from '../errors/outages.ts'
import type { ByteSource } from '../plugin/values.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Services } from './services.ts'

type Discarding = Pick<Services, 'blobs' | 'log' | 'clock' | 'lifecycle' | 'later'>

/** Pauses between two attempts, in milliseconds: they double from the first value to the second. A process that stops waits for one. */
const [firstPauseMs, maxPauseMs] = [100, 1_000]
/** A store that has not answered for this long is left to the cleanup of orphaned files. */
const maxOutageMs = 600_000
/** Files that a process remembers during an outage. Every refused call adds one; what is beyond is left to the cleanup. */
const maxRemembered = 10_000

/** What is to be done once a store answers again, by the key of the file. There is one loop for each store. */
const remembered = new WeakMap<Blobs, Map<string, () => Promise<void>>>()

/**
 * Deletes a file that no row refers to, under a key that is never written again. Where the store is away, the file is deleted in
 * the background as soon as the store answers, so that an outage leaves no file. Does not reject: what a process cannot delete
 * before it ends, the cleanup of orphaned files does.
 */
export async function discardFile(services: Discarding, key: string): Promise<void> {
  await doneOrLater(services, key, () => services.blobs.delete(key))
}

/**
 * Stores a file under a key of its own. A store that breaks off may have kept it, so that it is deleted when the store answers.
 * Throws as `Blobs.put`.
 */
export async function putFile(
  services: Discarding,
  key: string,
  body: ByteSource | ReadableStream<Uint8Array>,
): Promise<number> {
  try {
    return await services.blobs.put(key, body)
  } catch (error) {
    if (isOutage(error)) remember(services, key, () => services.blobs.delete(key))
    throw error
  }
}

/** Runs work that removes the file `key` and what belongs to it, as `discardFile` does. */
export async function doneOrLater(
  services: Discarding,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    services.log.warn('files.discard', { key, error })
    if (isOutage(error)) remember(services, key, work)
  }
}

function remember(services: Discarding, key: string, work: () => Promise<void>): void {
  const { blobs, later } = services
  const running = remembered.get(blobs)
  if (running !== undefined) {
    if (running.size < maxRemembered) running.set(key, work)
    return
  }
  const works = new Map([[key, work]])
  remembered.set(blobs, works)
  // The next call begins a loop of its own from the moment on in which this one ends.
  later?.(workOff(services, works, () => remembered.delete(blobs)))
}

/** Repeats the first work until it succeeds, and then does the others. Each outage has its time anew. */
async function workOff(
  { clock, lifecycle, log }: Discarding,
  works: Map<string, () => Promise<void>>,
  ended: () => void,
): Promise<void> {
  let since = clock.now()
  for (let pause = firstPauseMs; works.size > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (lifecycle.stopping || clock.now() - since > maxOutageMs) break
    const [key, work] = works.entries().next().value!
    try {
      await work()
    } catch (error) {
      if (isOutage(error)) {
        pause = Math.min(pause * 2, maxPauseMs)
        continue
      }
      log.warn('files.discard', { key, error })
    }
    works.delete(key)
    ;[since, pause] = [clock.now(), 0]
  }
  ended()
}
