import { readdirSync, readFileSync } from 'node:fs'
import { Eventually } from '../../shared/eventually.ts'
import type { Program, ProgramUnit } from '../../shared/plugin/processes.ts'
import { pushAll } from '../../shared/push-all.ts'

/**
 * How long a ping may take: enough for a loaded machine, but short, because the next job waits while a unit
 * hangs.
 */
const pingTimeoutMs = 3_000
/**
 * A unit that responded this recently is not pinged again. A shorter time costs each job of a busy unit a
 * ping.
 */
const trustMs = 2_000
/** How long a unit may take to end on request before it is killed. */
const stopTimeoutMs = 5_000

/** Why the pool ended a unit. */
export type KillReason = 'deadline' | 'memory' | 'hung' | 'stopped' | 'recycled' | 'idle'

/** The state that the pool keeps for one unit: what runs on it, whether it accepts jobs, and how it ends. */
export class Member<Unit extends ProgramUnit> {
  readonly unit: Unit
  /** The remaining warm-up steps. The pool removes each before it runs it. */
  readonly warmUp: (() => Promise<void>)[]
  /** The number of running jobs, including a warm-up step. */
  busy = 0
  /** When the last job ended, or the unit joined, on the clock of `now`. */
  usedAt: number
  /** The number of jobs that have ended on this unit. */
  served = 0
  /**
   * Why the pool ended this unit; the first reason counts. Undefined while it runs and when it ended by
   * itself.
   */
  killed: KillReason | undefined
  /** Measures the memory of the unit. Created on the first use. */
  #gauge: (() => number) | undefined
  /** A successor is starting. The unit still accepts jobs until that is ready. */
  isBeingReplaced = false
  /** The job that runs on the unit has it for itself. */
  reserved = false
  /** The unit accepts no further job. Never reset. */
  closed = false
  /** The end of the unit, which running jobs are raced against. */
  readonly exited: Eventually<void>
  /** When the unit last responded, on the clock of `now`. */
  #lastAnswer: number
  readonly #now: () => number

  constructor(unit: Unit, now: () => number) {
    this.unit = unit
    this.warmUp = [...(unit.warmUp ?? [])]
    this.exited = new Eventually(unit.ended)
    this.#now = now
    this.#lastAnswer = now()
    this.usedAt = now()
  }

  free(program: Program<Unit>): boolean {
    return !this.closed && !this.reserved && this.busy < program.jobsPerUnit
  }

  answered(): void {
    this.#lastAnswer = this.#now()
  }

  /**
   * Whether the unit responds. It is not pinged while other jobs run on it. False when it does not answer in
   * time, because it hangs or has ended.
   */
  async alive(): Promise<boolean> {
    if (this.busy > 1 || this.#now() - this.#lastAnswer < trustMs) return true
    const answered = await within(
      pingTimeoutMs,
      this.unit.ping().then(
        () => true,
        () => false,
      ),
    )
    if (answered === true) this.answered()
    return answered === true
  }

  kill(reason: KillReason): void {
    this.killed ??= reason
    this.closed = true
    killGroup(this.unit.pid)
  }

  /** Requests the unit to stop and kills it if it does not. Resolves when it has ended. */
  async end(reason: KillReason): Promise<void> {
    this.killed ??= reason
    this.closed = true
    await within(stopTimeoutMs, Promise.all([this.unit.stop().catch(() => undefined), this.unit.ended]))
    killGroup(this.unit.pid)
    await this.unit.ended
  }

  /** The resident memory of the unit and its descendants in bytes; see `createMemoryGauge`. */
  resident(): number {
    this.#gauge ??= createMemoryGauge(this.unit.pid)
    return this.#gauge()
  }
}

/** Resolves to the result of `promise`, or to undefined when that takes longer than `ms` milliseconds. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

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
function createMemoryGauge(pid: number): () => number {
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
    bytes = family.reduce((sum, memberPid) => sum + privateMemory(memberPid), 0)
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
  const visited = new Set<number>()
  const waiting = [pid]
  while (waiting.length > 0) {
    const current = waiting.pop() as number
    if (visited.has(current)) continue
    visited.add(current)
    pushAll(waiting, childrenOf(current))
  }
  return [...visited]
}

function privateMemory(pid: number): number {
  const status = textOf(`/proc/${pid}/status`)
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].map(([, digits]) =>
    Number(digits),
  )
  return kilobytes.reduce((sum, value) => sum + value, 0) * 1024
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
