import { Eventually } from '../../shared/plugin/eventually.ts'
import type { Program, ProgramUnit } from '../../shared/plugin/processes.ts'
import { createMemoryGauge, killGroup } from './group.ts'

/** Long enough for a loaded machine, short enough that a hung unit costs the next job little. */
const pingTimeoutMs = 3_000
/** A unit that answered this recently is not asked again. */
const trustMs = 2_000
const stopTimeoutMs = 5_000

/** Why a unit is being killed by us; absent when it went by itself. */
export type KillReason = 'deadline' | 'memory' | 'hung' | 'stopped' | 'recycled'

/** One unit seen from the pool: what runs on it, whether it may take more, and how it ends. */
export class Member<Unit extends ProgramUnit> {
  readonly unit: Unit
  readonly warmUp: (() => Promise<void>)[]
  /** Jobs that run now, warm-up included. */
  busy = 0
  served = 0
  killed: KillReason | undefined
  #gauge: (() => number) | undefined
  /** To be replaced: still serves until the new one is ready. */
  worn = false
  /** Takes no further job. */
  closed = false
  /** Its end, for works to be raced against. */
  readonly gone: Eventually<void>
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

  /** False when it does not answer in time: it hangs or has gone. */
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

  /** Ends an idle unit in good order, or the hard way. Resolves when it is gone. */
  async end(reason: KillReason): Promise<void> {
    this.killed ??= reason
    this.closed = true
    await within(stopTimeoutMs, Promise.all([this.unit.stop().catch(() => undefined), this.unit.ended]))
    killGroup(this.unit.pid)
    await this.unit.ended
  }

  resident(): number {
    this.#gauge ??= createMemoryGauge(this.unit.pid)
    return this.#gauge()
  }
}

/** What `promise` gives, or undefined when that takes longer. */
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
