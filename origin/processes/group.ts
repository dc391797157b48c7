import { readdirSync, readFileSync } from 'node:fs'

/** Ends a whole process group, at once and for certain. One that is gone already, or never was (-1), is fine. */
export function killGroup(leader: number): void {
  // kill(2): the group 0 is our own, and the group 1 names everything there is.
  if (!(leader > 1)) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // ESRCH: nothing left of it.
  }
}

/**
 * Resident memory of a process and all its descendants that is theirs, in bytes: what they have allocated and what they
 * share by intent, not the programs and fonts mapped from files, which a dozen processes of one browser would each be
 * charged with. 0 where the system does not tell (no /proc), or when the process is gone. Descendants are looked for
 * once a second at most, so a new one counts that much later.
 */
export function createMemoryGauge(pid: number): () => number {
  let family: readonly number[] = []
  let counted = Number.NEGATIVE_INFINITY
  let looked = Number.NEGATIVE_INFINITY
  let bytes = 0
  return () => {
    const now = performance.now()
    if (now - looked < lookMs) return bytes
    looked = now
    if (now - counted > familyMs) {
      family = familyOf(pid)
      counted = now
    }
    bytes = family.reduce((sum, one) => sum + ownBytes(one), 0)
    return bytes
  }
}

/** Finding descendants asks every thread of every one, which costs far more than reading the sizes of those known. */
const familyMs = 1000
/** Small documents end more often than memory grows. */
const lookMs = 100

// These files are made by the kernel while they are read, some microseconds each. To wait for them in another thread
// costs ten times as much, and for the dozen processes of a browser that was a fifth of what a page costs us.

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

/** A child belongs to the thread that started it, so every thread is asked. */
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // It is gone.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
