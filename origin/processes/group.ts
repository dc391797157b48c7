import { readdir, readFile } from 'node:fs/promises'

/** Ends a whole process group, at once and for certain. One that is gone already is fine. */
export function killGroup(leader: number): void {
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
export function createMemoryGauge(pid: number): () => Promise<number> {
  let family: readonly number[] = []
  let counted = Number.NEGATIVE_INFINITY
  return async () => {
    const now = performance.now()
    if (now - counted > familyMs) {
      family = await familyOf(pid)
      counted = now
    }
    const sizes = await Promise.all(family.map(ownBytes))
    return sizes.reduce((sum, one) => sum + one, 0)
  }
}

/** Finding descendants asks every thread of every one, which costs far more than reading the sizes of those known. */
const familyMs = 1000

async function familyOf(pid: number): Promise<readonly number[]> {
  const seen = new Set<number>()
  const waiting = [pid]
  while (waiting.length > 0) {
    const next = waiting.pop() as number
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(await childrenOf(next)))
  }
  return [...seen]
}

async function ownBytes(pid: number): Promise<number> {
  const status = await textOf(`/proc/${pid}/status`)
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].map(([, digits]) =>
    Number(digits),
  )
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024
}

/** A child belongs to the thread that started it, so every thread is asked. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
