import { readdirSync, readFileSync } from 'node:fs'

/** Kills a process group with SIGKILL. Does nothing for a group that has ended, or never existed (-1). */
export function killGroup(leader: number): void {
  // kill(2): 0 would signal our own process group, and -1 every process that we may signal.
  if (!(leader > 1)) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // ESRCH: no process of the group is left.
  }
}

/**
 * Returns a function that measures the resident memory of a process and all its descendants in bytes. It
 * counts anonymous and shared memory but not files mapped into memory, because programs and fonts would count
 * again for each of the many processes of a browser. The result is 0 without /proc and when the process has
 * ended. It is cached for `measureMs`, and a new descendant counts only after the next search (`familyMs`).
 */
export function createMemoryGauge(pid: number): () => number {
  let family: readonly number[] = []
  let counted = Number.NEGATIVE_INFINITY
  let measured = Number.NEGATIVE_INFINITY
  let bytes = 0
  return () => {
    const now = performance.now()
    if (now - measured < measureMs) return bytes
    measured = now
    if (now - counted > familyMs) {
      family = familyOf(pid)
      counted = now
    }
    bytes = family.reduce((sum, one) => sum + ownBytes(one), 0)
    return bytes
  }
}

/**
 * How often descendants are searched for. The search reads a file for every thread of every process, which
 * costs far more than reading the sizes of known processes.
 */
const familyMs = 1000
/**
 * How often memory is measured. Small documents end much more often than this, and memory hardly grows in
 * between.
 */
const measureMs = 100

// The functions below read synchronously. The kernel generates files of /proc while they are read, in some
// microseconds each. Asynchronous reads take ten times as long; with the dozen processes of a browser they
// were a fifth of our cost of a page.

function familyOf(pid: number): readonly number[] {
  const seen = new Set<number>()
  const waiting = [pid]
  while (waiting.length > 0) {
    const next = waiting.pop() as number
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...childrenOf(next))
  }
  return [...seen]
}

function ownBytes(pid: number): number {
  const status = textOf(`/proc/${pid}/status`)
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].map(([, digits]) =>
    Number(digits),
  )
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024
}

/**
 * The direct children of a process. Linux lists them by the thread that started them, so all threads are
 * read.
 */
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // The process has ended.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
