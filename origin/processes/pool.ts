import { AppError } from '../../shared/errors/app-error.ts'
import { createFairLine } from '../../shared/fair-line.ts'
import type { Pool, PoolJob, PoolStats, Program, ProgramUnit } from '../../shared/plugin/processes.ts'
import { killGroup, Member } from './member.ts'
import type { SupervisorParts } from './supervisor.ts'
import { maxTimerMs, mostlyWaited, waitedError, waitingMs } from './waiting.ts'

/**
 * How long after its work has failed a process may exit and still count as the cause, in ms. A few suffice on an idle
 * machine. Only failures without an error of the catalogue, and crashes, are reported that much later.
 */
const dyingMs = 1_000

/** How often the memory of busy units is measured. The timer stops when no unit is busy. */
const watchMs = 200
/** After this many failed boots in a row all waiting jobs are rejected. The next job boots again. */
const maxFailedBoots = 3
/**
 * An account counts as a user of the pool for this long after its last job. While there are several, none of them
 * takes up all units or all waiting places.
 */
const sharedForMs = 600_000
/** The pause after the first failed boot. It grows by the same amount with each further one. */
const bootBackoffMs = 200

/** A job that waits for a unit or runs on one. */
interface WaitingJob<Unit> {
  readonly job: PoolJob
  readonly work: (unit: Unit, signal: AbortSignal) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Aborted when the caller or the deadline ends the job. */
  readonly cancel: AbortController
  /** How often `work` has been called for it. */
  tries: number
  readonly arrived: number // on the clock of `now`, as all times here
  /** Since when it has waited for a unit. Undefined while its work runs. */
  waitingSince: number | undefined
  /** How long it waited before that, in ms. */
  waitedMs: number
  /** Its promise has been resolved or rejected. The work may still be running. */
  settled: boolean
}

/** The pool behind `Supervise`: its contract is described at `Pool`. */
export class ProcessPool<Unit extends ProgramUnit> implements Pool<Unit> {
  readonly #program: Program<Unit>
  readonly #parts: SupervisorParts
  /** The running units, including those that accept no more jobs. */
  readonly #members = new Set<Member<Unit>>()
  /** Jobs without a unit. */
  readonly #waiting = createFairLine<WaitingJob<Unit>>()
  /**
   * Jobs whose unit died. Each is tried again before others and without others on its unit, so that a document that
   * kills its unit twice takes no other document with it the second time.
   */
  readonly #suspects: WaitingJob<Unit>[] = []
  /** When each account last sent a job, on the clock of `now`, the longest ago first. */
  readonly #lastUse = new Map<string, number>()
  /** The running jobs of each account. */
  readonly #running = new Map<string, number>()
  /** Starts in progress. The controller cancels the start. */
  readonly #boots = new Map<Promise<void>, AbortController>()
  /** For each running unit a promise that resolves when it has ended and is cleaned up. */
  readonly #ends = new Set<Promise<void>>()
  /** Measures memory while a unit is busy. */
  #watch: ReturnType<typeof setInterval> | undefined
  /** Runs when idle units may have to be stopped. */
  #rest: ReturnType<typeof setTimeout> | undefined
  /** The pause after a failed boot. While it is set, waiting jobs start no other one. */
  #retry: ReturnType<typeof setTimeout> | undefined
  /** Failed boots since the last successful one, or since the waiting jobs were rejected. */
  #failedBoots = 0
  /** The reason of the last failed boot. Undefined after a successful one. */
  #bootError: Error | undefined
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
    this.#noteUse(job)
    if (this.#isFull(job)) return Promise.reject(this.#busyError())
    return new Promise<T>((resolve, reject) => {
      const cancel = new AbortController()
      const queued: WaitingJob<Unit> = {
        job,
        work,
        resolve: (value) => settle(() => resolve(value as T)),
        reject: (reason) => settle(() => reject(reason)),
        cancel,
        tries: 0,
        arrived: this.#parts.now(),
        waitingSince: this.#parts.now(),
        waitedMs: 0,
        settled: false,
      }
      const abort = () => this.#end(queued, job.signal.reason)
      const timeOut = () => this.#end(queued, this.#lateError(queued))
      const remainingMs = Math.min(Math.max(job.deadline - this.#parts.now(), 0), maxTimerMs)
      const timer = setTimeout(timeOut, remainingMs)
      const lateStart = setTimeout(() => {
        const { waited, worked } = this.#timesOf(queued)
        if (mostlyWaited(waited, worked)) timeOut()
      }, waitingMs(remainingMs))
      job.signal.addEventListener('abort', abort, { once: true })
      const settle = (answer: () => void) => {
        if (queued.settled) return
        queued.settled = true
        clearTimeout(timer)
        clearTimeout(lateStart)
        job.signal.removeEventListener('abort', abort)
        answer()
      }
      this.#waiting.add(queued, job.client)
      this.#pump()
    })
  }

  async start(): Promise<void> {
    if (this.#stopped) throw this.#off('it is being stopped')
    this.#keepUp = true
    while (this.#members.size + this.#boots.size < this.#lasting()) this.#boot()
    await Promise.all(this.#boots.keys())
    if (this.#members.size === 0) throw this.#bootFailure()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    for (const queued of this.#allWaiting()) this.#end(queued, this.#off('it is being stopped'))
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
    clearTimeout(this.#rest)
    this.#rest = undefined
  }

  stats(): PoolStats {
    const members = [...this.#members]
    return {
      ready: members.length,
      booting: this.#boots.size,
      busy: members.reduce((sum, member) => sum + member.busy, 0),
      waiting: this.#waitingCount(),
      restarts: this.#restarts,
      pids: members.map((member) => member.unit.pid),
      ...(this.#bootError !== undefined && { bootError: this.#bootError.message }),
    }
  }

  /**
   * Assigns waiting jobs to free units, boots a unit if jobs are still waiting, and otherwise runs warm-up
   * steps.
   */
  #pump(): void {
    if (this.#stopped) return
    for (const member of this.#members) {
      while (member.free(this.#program)) {
        const queued = this.#next(member)
        if (queued === undefined) break
        void this.#serve(member, queued)
      }
    }
    const waiting = this.#waitingCount()
    if (waiting > 0) {
      const possible = this.#program.units - this.#members.size - this.#boots.size
      if (possible > 0 && waiting > this.#boots.size && this.#retry === undefined) this.#boot()
    } else {
      for (const member of this.#members) void this.#warm(member)
    }
  }

  /** The job that a free unit gets next, if any. */
  #next(member: Member<Unit>): WaitingJob<Unit> | undefined {
    if (this.#suspects.length === 0) return this.#waiting.take((account) => this.#mayRun(account))
    if (member.busy > 0) return undefined
    member.reserved = true
    return this.#suspects.shift()
  }

  #allWaiting(): readonly WaitingJob<Unit>[] {
    return [...this.#suspects, ...this.#waiting.items()]
  }

  #waitingCount(): number {
    return this.#suspects.length + this.#waiting.count()
  }

  /** Records that an account uses the pool, and forgets those that no longer do. */
  #noteUse({ client }: PoolJob): void {
    const now = this.#parts.now()
    for (const [account, usedAt] of this.#lastUse) {
      if (now - usedAt < sharedForMs) break
      this.#lastUse.delete(account)
    }
    if (client === undefined) return
    this.#lastUse.delete(client.account)
    this.#lastUse.set(client.account, now)
  }

  /**
   * Whether a job must be refused because too many wait. A job that can start at once does not count, so a queue
   * size of 0 works.
   */
  #isFull({ client }: PoolJob): boolean {
    if (this.#hasFreeSlot()) return false
    const { queueSize } = this.#program
    const lane = { background: client?.background === true }
    if (this.#waiting.count(lane) >= queueSize) return true
    if (client === undefined || this.#lastUse.size < 2) return false
    return this.#waiting.count({ ...lane, account: client.account }) >= Math.ceil(queueSize / 2)
  }

  /**
   * Whether another job of an account may run. While several accounts use the pool, one of them may hold three
   * quarters of the places, so that a bad document of one does not stop everybody.
   */
  #mayRun(account: string): boolean {
    if (this.#lastUse.size < 2) return true
    const slots = this.#program.units * this.#program.jobsPerUnit
    const maxSlots = Math.max(1, Math.min(slots - 1, Math.ceil(slots * 0.75)))
    return (this.#running.get(account) ?? 0) < maxSlots
  }

  /** The number of units that `start` keeps running. */
  #lasting(): number {
    return this.#program.idleMs === undefined ? this.#program.units : 1
  }

  /** Whether a new job would start at once: more jobs fit on the units than are waiting. */
  #hasFreeSlot(): boolean {
    let freeSlots = -this.#waitingCount()
    for (const member of this.#members) {
      if (!member.closed && !member.reserved) freeSlots += this.#program.jobsPerUnit - member.busy
    }
    return freeSlots > 0
  }

  /**
   * Runs a job on a unit that responds. If the unit hangs, it is killed and the job goes back to the front of
   * the queue.
   */
  async #serve(member: Member<Unit>, queued: WaitingJob<Unit>): Promise<void> {
    member.busy += 1
    const account = queued.job.client?.account ?? ''
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1)
    this.#watchMemory()
    try {
      if (!(await member.alive())) {
        member.kill('hung')
        this.#parts.log.warn('process.hung', { program: this.#program.name })
        if (!queued.settled) this.#waiting.add(queued, queued.job.client, true)
        return
      }
      if (queued.settled) return
      await this.#attempt(member, queued)
    } finally {
      member.busy -= 1
      member.reserved = false
      member.served += 1
      const remaining = (this.#running.get(account) ?? 1) - 1
      if (remaining > 0) this.#running.set(account, remaining)
      else this.#running.delete(account)
      member.usedAt = this.#parts.now()
      this.#inspect(member)
      this.#pump()
      this.#scheduleIdleStop()
    }
  }

  /**
   * One attempt at a job. It ends when the work settles, the unit ends, or the job is cancelled, whichever is
   * first.
   */
  async #attempt(member: Member<Unit>, queued: WaitingJob<Unit>): Promise<void> {
    queued.tries += 1
    this.#stopWaiting(queued)
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
      const first = await member.exited.race(worked)
      if (first === undefined) return this.#unitDied(member, queued)
      const { outcome } = first
      if (outcome === cancelled) return await this.#stopCancelled(member, work)
      member.answered()
      queued.resolve(outcome)
    } catch (error) {
      // When a unit dies, its work usually fails (connection lost, a helper process has ended) shortly before the
      // exit of the process is reported.
      const mayBeItsEnd = !(error instanceof AppError) || error.code === 'convert.crashed'
      if (mayBeItsEnd && (await this.#isDying(member))) return this.#unitDied(member, queued)
      queued.reject(error)
    } finally {
      if (onCancel !== undefined) signal.removeEventListener('abort', onCancel)
      work.catch(() => undefined)
    }
  }

  /** Whether the unit has been closed or ends within `dyingMs`. */
  async #isDying(member: Member<Unit>): Promise<boolean> {
    if (member.closed) return true
    const lived = new Promise<true>((resolve) => setTimeout(() => resolve(true), dyingMs))
    return (await member.exited.race(lived)) === undefined
  }

  /** Queues a job again whose unit died, or rejects it when its attempts are used up. */
  #unitDied(member: Member<Unit>, queued: WaitingJob<Unit>): void {
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
      queued.waitingSince = this.#parts.now()
      this.#suspects.push(queued)
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
      const graceEnded = new Promise<false>((resolve) => setTimeout(() => resolve(false), grace))
      if (await Promise.race([released, graceEnded])) return
    }
    member.kill('deadline')
    await member.unit.ended
  }

  /**
   * Rejects a job at once. If it is running, the abort makes `#attempt` stop the work or kill the unit
   * afterwards.
   */
  #end(queued: WaitingJob<Unit>, reason: unknown): void {
    this.#waiting.remove(queued)
    const suspect = this.#suspects.indexOf(queued)
    if (suspect >= 0) this.#suspects.splice(suspect, 1)
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
          if (replaces !== undefined) replaces.isBeingReplaced = false
          if (this.#stopped) return
          this.#bootError = error instanceof Error ? error : new Error('it does not start')
          this.#parts.log.error('process.boot-failed', { program: name, because: this.#bootError.message })
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
      const reason = this.#bootFailure()
      for (const queued of this.#allWaiting()) this.#end(queued, reason)
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
    this.#scheduleIdleStop()
  }

  /**
   * Replaces an ended unit at once if jobs are waiting or `start` was called, so that the next job finds it
   * ready.
   */
  #replace(member: Member<Unit>): void {
    if (this.#stopped) return
    if (member.killed === 'idle') {
      // Jobs that arrived while it ended have waited for its place.
      this.#pump()
      return
    }
    this.#restarts += 1
    if (member.killed === undefined && member.busy === 0)
      this.#parts.log.warn('process.died', { program: this.#program.name, killed: 'no', tries: 0 })
    const running = this.#members.size + this.#boots.size
    const isNeeded =
      this.#waitingCount() > 0 ? running < this.#program.units : this.#keepUp && running < this.#lasting()
    if (isNeeded) this.#boot()
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
      if (member.closed || member.isBeingReplaced || this.#stopped) return
      member.isBeingReplaced = true
      this.#parts.log.info('process.recycled', { program: this.#program.name, bytes, served: member.served })
      this.#boot(member)
    }
    if (member.served >= recycleAfterJobs) recycle(0)
    if (recycleAboveBytes === 0 || member.isBeingReplaced || this.#stopped) return
    const bytes = member.resident()
    if (bytes > recycleAboveBytes) recycle(bytes)
  }

  /** Makes sure that idle units are checked after `idleMs`, while there are more units than are kept. */
  #scheduleIdleStop(): void {
    const { idleMs } = this.#program
    if (idleMs === undefined || this.#rest !== undefined || this.#stopped) return
    if (this.#members.size <= this.#staying()) return
    this.#rest = setTimeout(() => {
      this.#rest = undefined
      this.#stopIdle(idleMs)
      this.#scheduleIdleStop()
    }, idleMs).unref()
  }

  /** Stops the units that have been idle for `idleMs`, except for those that are kept. */
  #stopIdle(idleMs: number): void {
    const running = [...this.#members].filter(({ closed }) => !closed)
    const idle = running.filter(({ busy, usedAt }) => busy === 0 && this.#parts.now() - usedAt >= idleMs)
    for (const member of idle.slice(0, Math.max(0, running.length - this.#staying()))) void member.end('idle')
  }

  /** The number of units that are kept even when idle. */
  #staying(): number {
    return this.#keepUp ? this.#lasting() : 0
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
    if (!this.#parts.warmsUp || member.busy > 0 || member.closed) return
    const warmUpStep = member.warmUp.shift()
    if (warmUpStep === undefined) return
    member.busy += 1
    this.#watchMemory()
    // Without a limit, a unit that hangs during a step would stay busy and the next job would wait forever.
    const timer = setTimeout(() => member.kill('hung'), this.#program.bootTimeoutMs)
    try {
      await member.exited.race(warmUpStep())
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

  #stopWaiting(queued: WaitingJob<Unit>): void {
    if (queued.waitingSince !== undefined) queued.waitedMs += this.#parts.now() - queued.waitingSince
    queued.waitingSince = undefined
  }

  /** How long a job has waited for a unit and worked on one, in ms. */
  #timesOf({ arrived, waitingSince, waitedMs }: WaitingJob<Unit>) {
    const now = this.#parts.now()
    const waited = waitedMs + (waitingSince === undefined ? 0 : now - waitingSince)
    return { waited, worked: now - arrived - waited }
  }

  /**
   * The error of a job that is past its deadline. One that has mostly waited is not a slow document: the engine is busy
   * or does not start.
   */
  #lateError(queued: WaitingJob<Unit>): AppError {
    const { waited, worked } = this.#timesOf(queued)
    if (!mostlyWaited(waited, worked)) return new AppError('convert.timeout', { doing: queued.job.doing })
    if (queued.waitingSince === undefined) return waitedError(this.#program.name, waited, worked)
    if (this.#members.size > 0) return this.#busyError()
    // The first start takes long on a busy machine: the next attempt finds the engine ready.
    return this.#bootError === undefined
      ? waitedError(this.#program.name, waited, worked)
      : this.#bootFailure()
  }

  /**
   * An error of the catalogue is passed on, because it is more specific than 'engine off', for example about the
   * remedy.
   */
  #bootFailure(): AppError {
    if (this.#bootError instanceof AppError) return this.#bootError
    return this.#off(this.#bootError?.message ?? 'it does not start')
  }

  #off(because: string): AppError {
    return new AppError('convert.engine-off', { engine: this.#program.name, because })
  }
}
