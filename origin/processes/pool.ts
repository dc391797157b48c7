import { AppError } from '../../shared/errors/app-error.ts'
import type { Pool, PoolJob, PoolStats, Program, ProgramUnit } from '../../shared/plugin/processes.ts'
import { killGroup } from './group.ts'
import { Member } from './member.ts'
import type { SupervisorParts } from './supervisor.ts'

/** How often memory is looked at while something runs. An idle pool has no timer at all. */
const watchMs = 200
/** After this many failed boots in a row those who wait are told; the next request tries again. */
const bootsBeforeGivingUp = 3
const bootBackoffMs = 200
const longestTimerMs = 2 ** 31 - 1

/** A job on its way through the pool. */
interface Ticket<Unit> {
  readonly job: PoolJob
  readonly work: (unit: Unit, signal: AbortSignal) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Aborted when the caller or the deadline ends the job. */
  readonly cancel: AbortController
  tries: number
  /** A unit has taken it on. */
  assigned: boolean
  settled: boolean
}

export class ProcessPool<Unit extends ProgramUnit> implements Pool<Unit> {
  readonly #program: Program<Unit>
  readonly #parts: SupervisorParts
  readonly #members = new Set<Member<Unit>>()
  readonly #waiting: Ticket<Unit>[] = []
  readonly #boots = new Map<Promise<void>, AbortController>()
  readonly #ends = new Set<Promise<void>>()
  #watch: ReturnType<typeof setInterval> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #failedBoots = 0
  #bootError: string | undefined
  #restarts = 0
  #keepUp = false
  #stopped = false

  constructor(program: Program<Unit>, parts: SupervisorParts) {
    this.#program = program
    this.#parts = parts
  }

  run<T>(job: PoolJob, work: (unit: Unit, signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#off('it is being stopped'))
    if (job.signal.aborted) return Promise.reject(job.signal.reason)
    // Those who can start at once do not wait, however short the queue is.
    if (!this.#hasRoom() && this.#waiting.length >= this.#program.queueSize)
      return Promise.reject(this.#busyError())
    return new Promise<T>((resolve, reject) => {
      const cancel = new AbortController()
      const ticket: Ticket<Unit> = {
        job,
        work,
        resolve: (value) => settle(() => resolve(value as T)),
        reject: (reason) => settle(() => reject(reason)),
        cancel,
        tries: 0,
        assigned: false,
        settled: false,
      }
      const abort = () => this.#end(ticket, job.signal.reason)
      const late = () => this.#end(ticket, this.#lateError(ticket))
      const left = Math.min(Math.max(job.deadline - this.#parts.now(), 0), longestTimerMs)
      const timer = setTimeout(late, left)
      job.signal.addEventListener('abort', abort, { once: true })
      const settle = (answer: () => void) => {
        if (ticket.settled) return
        ticket.settled = true
        clearTimeout(timer)
        job.signal.removeEventListener('abort', abort)
        answer()
      }
      this.#waiting.push(ticket)
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
    for (const ticket of [...this.#waiting]) this.#end(ticket, this.#off('it is being stopped'))
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

  /** Hands waiting jobs to free units, asks for more units while there are jobs, and warms up in quiet moments. */
  #pump(): void {
    if (this.#stopped) return
    for (const member of this.#members) {
      while (this.#waiting.length > 0 && member.free(this.#program)) {
        const ticket = this.#waiting.shift() as Ticket<Unit>
        void this.#serve(member, ticket)
      }
    }
    if (this.#waiting.length > 0) {
      const possible = this.#program.units - this.#members.size - this.#boots.size
      if (possible > 0 && this.#retry === undefined) this.#boot()
    } else {
      for (const member of this.#members) void this.#warm(member)
    }
  }

  #hasRoom(): boolean {
    let room = -this.#waiting.length
    for (const member of this.#members) {
      if (!member.closed) room += this.#program.jobsPerUnit - member.busy
    }
    return room > 0
  }

  async #serve(member: Member<Unit>, ticket: Ticket<Unit>): Promise<void> {
    member.busy += 1
    ticket.assigned = true
    this.#watchMemory()
    try {
      if (!(await member.alive())) {
        member.kill('hung')
        this.#parts.log.warn('process.hung', { program: this.#program.name })
        if (!ticket.settled) this.#waiting.unshift(ticket)
        return
      }
      if (ticket.settled) return
      await this.#attempt(member, ticket)
    } finally {
      member.busy -= 1
      member.served += 1
      this.#inspect(member)
      this.#pump()
    }
  }

  /** One try of a job: it ends with the work, with the unit, or when it is cancelled. */
  async #attempt(member: Member<Unit>, ticket: Ticket<Unit>): Promise<void> {
    ticket.tries += 1
    const signal = ticket.cancel.signal
    const cancelled = Symbol('cancelled')
    let onCancel: (() => void) | undefined
    const work = ticket.work(member.unit, signal)
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
      if (first === undefined) return this.#unitDied(member, ticket)
      const { outcome } = first
      if (outcome === cancelled) return await this.#letGo(member, work)
      member.answered()
      ticket.resolve(outcome)
    } catch (error) {
      // A unit that dies usually fails the work a moment before its end is known.
      if (!(error instanceof AppError) && (await this.#isDying(member))) return this.#unitDied(member, ticket)
      ticket.reject(error)
    } finally {
      if (onCancel !== undefined) signal.removeEventListener('abort', onCancel)
      work.catch(() => undefined)
    }
  }

  async #isDying(member: Member<Unit>): Promise<boolean> {
    if (member.closed) return true
    const lived = new Promise<true>((resolve) => setTimeout(() => resolve(true), 50))
    return (await member.gone.race(lived)) === undefined
  }

  #unitDied(member: Member<Unit>, ticket: Ticket<Unit>): void {
    if (ticket.settled) return
    const { name, attempts, memoryLimitBytes } = this.#program
    if (member.killed === 'stopped') {
      ticket.reject(this.#off('it is being stopped'))
      return
    }
    this.#parts.log.warn('process.died', {
      program: name,
      killed: member.killed ?? 'no',
      tries: ticket.tries,
    })
    if (ticket.tries < attempts) {
      // It has waited already: it goes to the front.
      this.#waiting.unshift(ticket)
      return
    }
    const limit = Math.round(memoryLimitBytes / 2 ** 20)
    if (member.killed === 'memory') ticket.reject(new AppError('convert.memory', { engine: name, limit }))
    else ticket.reject(new AppError('convert.crashed', { engine: name }))
  }

  /** A cancelled job gets its grace, then its unit goes: there is no other way to stop it. */
  async #letGo(member: Member<Unit>, work: Promise<unknown>): Promise<void> {
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

  /** Ends a job from outside: the caller is answered at once, the unit is dealt with behind it. */
  #end(ticket: Ticket<Unit>, reason: unknown): void {
    const place = this.#waiting.indexOf(ticket)
    if (place >= 0) this.#waiting.splice(place, 1)
    ticket.reject(reason)
    ticket.cancel.abort(reason)
  }

  #boot(replaces?: Member<Unit>): void {
    const control = new AbortController()
    const { name, bootTimeoutMs } = this.#program
    const signal = AbortSignal.any([control.signal, AbortSignal.timeout(bootTimeoutMs)])
    const boot = this.#program
      .boot(signal)
      .then(
        (unit) => this.#join(unit, replaces),
        (error: unknown) => {
          // Its successor did not start: it serves on, and is replaced after a later job.
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

  #bootFailed(): void {
    this.#failedBoots += 1
    if (this.#failedBoots >= bootsBeforeGivingUp && this.#members.size === 0) {
      this.#failedBoots = 0
      const reason = this.#off(this.#bootError ?? 'it does not start')
      for (const ticket of [...this.#waiting]) this.#end(ticket, reason)
      return
    }
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#pump()
    }, bootBackoffMs * this.#failedBoots)
  }

  #join(unit: Unit, replaces?: Member<Unit>): void {
    this.#failedBoots = 0
    this.#bootError = undefined
    const member = new Member(unit, this.#parts.now)
    const end = unit.ended.then(async () => {
      this.#members.delete(member)
      // Children of a leader that is gone are still in its group.
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

  /** A unit that went is replaced at once, also when nobody waits: the next caller shall find it warm. */
  #replace(member: Member<Unit>): void {
    if (this.#stopped) return
    this.#restarts += 1
    if (member.killed === undefined && member.busy === 0)
      this.#parts.log.warn('process.died', { program: this.#program.name, killed: 'no', tries: 0 })
    const wanted = this.#keepUp || this.#waiting.length > 0
    if (wanted && this.#members.size + this.#boots.size < this.#program.units) this.#boot()
  }

  #retire(member: Member<Unit>): void {
    member.closed = true
    if (member.busy === 0) void member.end('recycled')
  }

  /** After a job: is this unit still in shape? */
  #inspect(member: Member<Unit>): void {
    if (member.unit.spent === true && !member.closed) {
      member.closed = true
      this.#parts.log.info('process.spent', { program: this.#program.name, served: member.served })
    }
    if (member.closed) {
      // Its successor is there already, or it is being killed.
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

  async #warm(member: Member<Unit>): Promise<void> {
    if (member.busy > 0 || member.closed) return
    const step = member.warmUp.shift()
    if (step === undefined) return
    member.busy += 1
    this.#watchMemory()
    // A unit that hangs while it warms up must not keep the next caller waiting for ever.
    const timer = setTimeout(() => member.kill('hung'), this.#program.bootTimeoutMs)
    try {
      await member.gone.race(step())
      member.answered()
    } catch {
      // What does not warm up will be told to the first job that needs it.
    } finally {
      clearTimeout(timer)
      member.busy -= 1
      this.#pump()
    }
  }

  #busyError(): AppError {
    return new AppError('convert.busy', { engine: this.#program.name })
  }

  /** A job that never got a unit is no slow document. */
  #lateError(ticket: Ticket<Unit>): AppError {
    if (!ticket.assigned && this.#members.size > 0) return this.#busyError()
    if (!ticket.assigned && this.#bootError !== undefined) return this.#off(this.#bootError)
    return new AppError('convert.timeout', { doing: ticket.job.doing })
  }

  #off(because: string): AppError {
    return new AppError('convert.engine-off', { engine: this.#program.name, because })
  }
}
