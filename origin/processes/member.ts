import { Eventually } from '../../shared/plugin/eventually.ts'
import type { Program, ProgramUnit } from '../../shared/plugin/processes.ts'
import { createMemoryGauge, killGroup } from './group.ts'

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
export type KillReason = 'deadline' | 'memory' | 'hung' | 'stopped' | 'recycled'

/** The state that the pool keeps for one unit: what runs on it, whether it accepts jobs, and how it ends. */
export class Member<Unit extends ProgramUnit> {
  readonly unit: Unit
  /** The remaining warm-up steps. The pool removes each before it runs it. */
  readonly warmUp: (() => Promise<void>)[]
  /** The number of running jobs, including a warm-up step. */
  busy = 0
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
  worn = false
  /** The unit accepts no further job. Never reset. */
  closed = false
  /** The end of the unit, which running jobs are raced against. */
  readonly gone: Eventually<void>
  /** When the unit last responded, on the clock of `now`. */
  #lastAnswer: number
  readonly #now: () => number

  constructor(unit: Unit, now: () => number) {
    this.unit = unit
    this.warmUp = [...(unit.warmUp ?? [])]
    this.gone = new Eventually(unit.ended)
    this.#now = now
    this.#lastAnswer = now()
  }

  free(program: Program<Unit>): boolean {
    return !this.closed && this.busy < program.jobsPerUnit
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

  /** The resident memory of the unit and its children in bytes, see `createMemoryGauge`. */
  resident(): number {
    this.#gauge ??= createMemoryGauge(this.unit.pid)
    return this.#gauge()
  }
}

/** Resolves to the result of `promise`, or to undefined when that takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
