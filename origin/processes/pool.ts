import { AppError } from '../../shared/errors/app-error.ts'
import type { Pool, PoolJob, PoolStats, Program, ProgramUnit } from '../../shared/plugin/processes.ts'
import { killGroup } from './group.ts'
import { Member } from './member.ts'
import type { SupervisorParts } from './supervisor.ts'

/** How often the memory of busy units is measured. The timer stops when no unit is busy. */
const watchMs = 200
/** After this many failed boots in a row all waiting jobs are rejected. The next job boots again. */
const maxFailedBoots = 3
/** The pause after the first failed boot. It grows by the same amount with each further one. */
const bootBackoffMs = 200
/** The maximum delay of a timer of Node. A longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** A job that waits for a unit or runs on one. */
interface QueuedJob<Unit> {
  readonly job: PoolJob
  readonly work: (unit: Unit, signal: AbortSignal) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Aborted when the caller or the deadline ends the job. */
  readonly cancel: AbortController
  /** How often `work` has been called for it. */
  tries: number
  /** It has been given to a unit at least once. */
  assigned: boolean
  /** Its promise has been resolved or rejected. The work may still be running. */
  settled: boolean
}

/** The pool behind `Supervise`: its contract is described at `Pool`. */
export class ProcessPool<Unit extends ProgramUnit> implements Pool<Unit> {
  readonly #program: Program<Unit>
  readonly #parts: SupervisorParts
  /** The running units, including those that accept no more jobs. */
  readonly #members = new Set<Member<Unit>>()
  /** Jobs without a unit, in the order in which they will run. */
  readonly #waiting: QueuedJob<Unit>[] = []
  /** Starts in progress. The controller cancels the start. */
  readonly #boots = new Map<Promise<void>, AbortController>()
  /** For each running unit a promise that resolves when it has ended and is cleaned up. */
  readonly #ends = new Set<Promise<void>>()
  /** Measures memory while a unit is busy. */
  #watch: ReturnType<typeof setInterval> | undefined
  /** The pause after a failed boot. While it is set, waiting jobs start no other one. */
  #retry: ReturnType<typeof setTimeout> | undefined
  /** Failed boots since the last successful one, or since the waiting jobs were rejected. */
  #failedBoots = 0
  /** The message of the last failed boot. Undefined after a successful one. */
  #bootError: string | undefined
  /** Units that ended before the pool was stopped. */
  #restarts = 0
  /** `start` was called, so ended units are replaced even when no job is waiting. */
  #keepUp = false
  #stopped = false

  constructor(program: Program<Unit>, parts: SupervisorParts) {
    this.#program = program
    this.#parts = parts
  }

  run<T>(job: PoolJob, work: (unit: Unit, signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#off('it is being stopped'))
    if (job.signal.aborted) return Promise.reject(job.signal.reason)
    // A job that can start at once does not count against the queue, so a queue size of 0 works.
    if (!this.#hasFreeSlot() && this.#waiting.length >= this.#program.queueSize)
      return Promise.reject(this.#busyError())
    return new Promise<T>((resolve, reject) => {
      const cancel = new AbortController()
      const queued: QueuedJob<Unit> = {
        job,
        work,
        resolve: (value) => settle(() => resolve(value as T)),
        reject: (reason) => settle(() => reject(reason)),
        cancel,
        tries: 0,
        assigned: false,
        settled: false,
      }
      const abort = () => this.#end(queued, job.signal.reason)
      const late = () => this.#end(queued, this.#lateError(queued))
      const left = Math.min(Math.max(job.deadline - this.#parts.now(), 0), maxTimerMs)
      const timer = setTimeout(late, left)
      job.signal.addEventListener('abort', abort, { once: true })
      const settle = (answer: () => void) => {
        if (queued.settled) return
        queued.settled = true
        clearTimeout(timer)
        job.signal.removeEventListener('abort', abort)
        answer()
      }
      this.#waiting.push(queued)
      this.#pump()
    })
  }

  async start(): Promise<void> {
    if (this.#stopped) throw this.#off('it is being stopped')
    this.#keepUp = true
    while (this.#members.size + this.#boots.size < this.#program.units) this.#boot()
    await Promise.all(this.#boots.keys())
    if (this.#members.size === 0) throw this.#off(this.#bootError ?? 'it does not start')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    for (const queued of [...this.#waiting]) this.#end(queued, this.#off('it is being stopped'))
    for (const boot of this.#boots.values()) boot.abort()
    await Promise.all(this.#boots.keys())
    await Promise.all(
      [...this.#members].map((member) => {
        if (member.busy > 0) member.kill('stopped')
        return member.end('stopped')
      }),
    )
    await Promise.all(this.#ends)
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  stats(): PoolStats {
    const members = [...this.#members]
    return {
      ready: members.length,
      booting: this.#boots.size,
      busy: members.reduce((sum, member) => sum + member.busy, 0),
      waiting: this.#waiting.length,
      restarts: this.#restarts,
      pids: members.map((member) => member.unit.pid),
      ...(this.#bootError !== undefined && { bootError: this.#bootError }),
    }
  }

  /**
   * Assigns waiting jobs to free units, boots a unit if jobs are still waiting, and otherwise runs warm-up
   * steps.
   */
  #pump(): void {
    if (this.#stopped) return
    for (const member of this.#members) {
      while (this.#waiting.length > 0 && member.free(this.#program)) {
        const queued = this.#waiting.shift() as QueuedJob<Unit>
        void this.#serve(member, queued)
      }
    }
    if (this.#waiting.length > 0) {
      const possible = this.#program.units - this.#members.size - this.#boots.size
      if (possible > 0 && this.#retry === undefined) this.#boot()
    } else {
      for (const member of this.#members) void this.#warm(member)
    }
  }

  /** Whether a new job would start at once: more jobs fit on the units than are waiting. */
  #hasFreeSlot(): boolean {
    let free = -this.#waiting.length
    for (const member of this.#members) {
      if (!member.closed) free += this.#program.jobsPerUnit - member.busy
    }
    return free > 0
  }

  /**
   * Runs a job on a unit that responds. If the unit hangs, it is killed and the job goes back to the front of
   * the queue.
   */
  async #serve(member: Member<Unit>, queued: QueuedJob<Unit>): Promise<void> {
    member.busy += 1
    queued.assigned = true
    this.#watchMemory()
    try {
      if (!(await member.alive())) {
        member.kill('hung')
        this.#parts.log.warn('process.hung', { program: this.#program.name })
        if (!queued.settled) this.#waiting.unshift(queued)
        return
      }
      if (queued.settled) return
      await this.#attempt(member, queued)
    } finally {
      member.busy -= 1
      member.served += 1
      this.#inspect(member)
      this.#pump()
    }
  }

  /**
   * One attempt at a job. It ends when the work settles, the unit ends, or the job is cancelled, whichever is
   * first.
   */
  async #attempt(member: Member<Unit>, queued: QueuedJob<Unit>): Promise<void> {
    queued.tries += 1
    const signal = queued.cancel.signal
    const cancelled = Symbol('cancelled')
    let onCancel: (() => void) | undefined
    const work = queued.work(member.unit, signal)
    try {
      const worked = Promise.race([
        work,
        new Promise<symbol>((resolve) => {
          onCancel = () => resolve(cancelled)
          if (signal.aborted) onCancel()
          else signal.addEventListener('abort', onCancel, { once: true })
        }),
      ]).then((outcome) => ({ outcome }))
      const first = await member.gone.race(worked)
      if (first === undefined) return this.#unitDied(member, queued)
      const { outcome } = first
      if (outcome === cancelled) return await this.#stopCancelled(member, work)
      member.answered()
      queued.resolve(outcome)
    } catch (error) {
      // When a unit dies, its work usually fails (connection lost) shortly before the exit of the process is
      // reported.
      if (!(error instanceof AppError) && (await this.#isDying(member))) return this.#unitDied(member, queued)
      queued.reject(error)
    } finally {
      if (onCancel !== undefined) signal.removeEventListener('abort', onCancel)
      work.catch(() => undefined)
    }
  }

  /** Whether the unit has been closed or ends within 50 ms. */
  async #isDying(member: Member<Unit>): Promise<boolean> {
    if (member.closed) return true
    const lived = new Promise<true>((resolve) => setTimeout(() => resolve(true), 50))
    return (await member.gone.race(lived)) === undefined
  }

  /** Queues a job again whose unit died, or rejects it when its attempts are used up. */
  #unitDied(member: Member<Unit>, queued: QueuedJob<Unit>): void {
    if (queued.settled) return
    const { name, attempts, memoryLimitBytes } = this.#program
    if (member.killed === 'stopped') {
      queued.reject(this.#off('it is being stopped'))
      return
    }
    this.#parts.log.warn('process.died', {
      program: name,
      killed: member.killed ?? 'no',
      tries: queued.tries,
    })
    if (queued.tries < attempts) {
      // The job has already waited, so it goes to the front of the queue.
      this.#waiting.unshift(queued)
      return
    }
    const limit = Math.round(memoryLimitBytes / 2 ** 20)
    if (member.killed === 'memory') queued.reject(new AppError('convert.memory', { engine: name, limit }))
    else queued.reject(new AppError('convert.crashed', { engine: name }))
  }

  /**
   * Waits `abortGraceMs` for a cancelled job to stop, then kills its unit, since nothing else can stop the
   * job.
   */
  async #stopCancelled(member: Member<Unit>, work: Promise<unknown>): Promise<void> {
    const grace = this.#program.abortGraceMs
    if (grace > 0) {
      const released = work.then(
        () => true,
        () => true,
      )
      const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), grace))
      if (await Promise.race([released, late])) return
    }
    member.kill('deadline')
    await member.unit.ended
  }

  /**
   * Rejects a job at once. If it is running, the abort makes `#attempt` stop the work or kill the unit
   * afterwards.
   */
  #end(queued: QueuedJob<Unit>, reason: unknown): void {
    const index = this.#waiting.indexOf(queued)
    if (index >= 0) this.#waiting.splice(index, 1)
    queued.reject(reason)
    queued.cancel.abort(reason)
  }

  /** Starts a unit. `replaces` is the worn unit that is retired when the new one is ready. */
  #boot(replaces?: Member<Unit>): void {
    const control = new AbortController()
    const { name, bootTimeoutMs } = this.#program
    const signal = AbortSignal.any([control.signal, AbortSignal.timeout(bootTimeoutMs)])
    const boot = this.#program
      .boot(signal)
      .then(
        (unit) => this.#join(unit, replaces),
        (error: unknown) => {
          // The worn unit stays in use. The check after its next job starts another successor.
          if (replaces !== undefined) replaces.worn = false
          if (this.#stopped) return
          this.#bootError = error instanceof Error ? error.message : 'it does not start'
          this.#parts.log.error('process.boot-failed', { program: name, because: this.#bootError })
          this.#bootFailed()
        },
      )
      .finally(() => {
        this.#boots.delete(boot)
        this.#pump()
      })
    this.#boots.set(boot, control)
  }

  /**
   * Rejects all waiting jobs after too many failures with no unit left; otherwise tries again after a pause.
   */
  #bootFailed(): void {
    this.#failedBoots += 1
    if (this.#failedBoots >= maxFailedBoots && this.#members.size === 0) {
      this.#failedBoots = 0
      const reason = this.#off(this.#bootError ?? 'it does not start')
      for (const queued of [...this.#waiting]) this.#end(queued, reason)
      return
    }
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#pump()
    }, bootBackoffMs * this.#failedBoots)
  }

  /** Adds a started unit and sets up what happens when it ends. */
  #join(unit: Unit, replaces?: Member<Unit>): void {
    this.#failedBoots = 0
    this.#bootError = undefined
    const member = new Member(unit, this.#parts.now)
    const end = unit.ended.then(async () => {
      this.#members.delete(member)
      // Children that outlive the group leader are still in its process group.
      killGroup(unit.pid)
      await unit.discard().catch(() => undefined)
      this.#ends.delete(end)
      this.#replace(member)
    })
    this.#ends.add(end)
    this.#members.add(member)
    if (this.#stopped) member.kill('stopped')
    if (replaces !== undefined) this.#retire(replaces)
  }

  /**
   * Replaces an ended unit at once if jobs are waiting or `start` was called, so that the next job finds it
   * ready.
   */
  #replace(member: Member<Unit>): void {
    if (this.#stopped) return
    this.#restarts += 1
    if (member.killed === undefined && member.busy === 0)
      this.#parts.log.warn('process.died', { program: this.#program.name, killed: 'no', tries: 0 })
    const isNeeded = this.#keepUp || this.#waiting.length > 0
    if (isNeeded && this.#members.size + this.#boots.size < this.#program.units) this.#boot()
  }

  /** Gives a unit no further jobs and ends it. A busy one is ended by `#inspect` after its last job. */
  #retire(member: Member<Unit>): void {
    member.closed = true
    if (member.busy === 0) void member.end('recycled')
  }

  /**
   * Checks a unit after a job. Ends it if it is closed, and starts a successor if it has reached a recycling
   * limit.
   */
  #inspect(member: Member<Unit>): void {
    if (member.unit.spent === true && !member.closed) {
      member.closed = true
      this.#parts.log.info('process.spent', { program: this.#program.name, served: member.served })
    }
    if (member.closed) {
      // If it is not being killed, no job is running on it any more and it can be ended.
      if (member.killed === undefined && member.busy === 0) void member.end('recycled')
      return
    }
    const { recycleAboveBytes, recycleAfterJobs = Number.POSITIVE_INFINITY } = this.#program
    const recycle = (bytes: number) => {
      if (member.closed || member.worn || this.#stopped) return
      member.worn = true
      this.#parts.log.info('process.recycled', { program: this.#program.name, bytes, served: member.served })
      this.#boot(member)
    }
    if (member.served >= recycleAfterJobs) recycle(0)
    if (recycleAboveBytes === 0 || member.worn || this.#stopped) return
    const bytes = member.resident()
    if (bytes > recycleAboveBytes) recycle(bytes)
  }

  /** Starts the timer that kills busy units above the memory limit. It stops itself when no unit is busy. */
  #watchMemory(): void {
    const limit = this.#program.memoryLimitBytes
    if (limit === 0 || this.#watch !== undefined) return
    this.#watch = setInterval(() => {
      const busy = [...this.#members].filter((member) => member.busy > 0)
      if (busy.length === 0) {
        clearInterval(this.#watch)
        this.#watch = undefined
        return
      }
      for (const member of busy) {
        if (member.resident() > limit) member.kill('memory')
      }
    }, watchMs)
    this.#watch.unref()
  }

  /** Runs the next warm-up step of an idle unit. `#pump` calls this again for the following step. */
  async #warm(member: Member<Unit>): Promise<void> {
    if (member.busy > 0 || member.closed) return
    const step = member.warmUp.shift()
    if (step === undefined) return
    member.busy += 1
    this.#watchMemory()
    // Without a limit, a unit that hangs during a step would stay busy and the next job would wait forever.
    const timer = setTimeout(() => member.kill('hung'), this.#program.bootTimeoutMs)
    try {
      await member.gone.race(step())
      member.answered()
    } catch {
      // A failed step is not an error yet: the first job that needs the same thing fails with a proper
      // message.
    } finally {
      clearTimeout(timer)
      member.busy -= 1
      this.#pump()
    }
  }

  #busyError(): AppError {
    return new AppError('convert.busy', { engine: this.#program.name })
  }

  /**
   * The error of a job that is past its deadline. One that was never assigned to a unit is not a slow
   * document: the engine is busy or does not start.
   */
  #lateError(queued: QueuedJob<Unit>): AppError {
    if (!queued.assigned && this.#members.size > 0) return this.#busyError()
    if (!queued.assigned && this.#bootError !== undefined) return this.#off(this.#bootError)
    return new AppError('convert.timeout', { doing: queued.job.doing })
  }

  #off(because: string): AppError {
    return new AppError('convert.engine-off', { engine: this.#program.name, because })
  }
}
