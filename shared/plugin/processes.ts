/**
 * Programs that run beside the service and outlive a job: an office suite, a browser. A plugin says how one is
 * started and spoken to (Program, ProgramUnit); the side keeps a pool of them (Pool): queue, deadline, memory, restart.
 */

/** How a plugin wants its program kept. */
export interface Program<Unit extends ProgramUnit> {
  readonly name: string // for messages: 'LibreOffice'
  readonly units: number // processes at the same time
  readonly jobsPerUnit: number // 1: a unit does one job at a time
  readonly queueSize: number // jobs that may wait; one more is refused with 'convert.busy'
  readonly bootTimeoutMs: number
  /** Resident memory of a unit with all its children: above it the unit is killed. 0: not watched. */
  readonly memoryLimitBytes: number
  /** A unit that is above this when a job ends is replaced before it serves many more. 0: never. */
  readonly recycleAboveBytes: number
  /** A job whose unit died starts again on a fresh one, until it has been tried this often. */
  readonly attempts: number
  /** How long a cancelled job has to let go before its unit is killed. 0 where a job cannot be interrupted. */
  readonly abortGraceMs: number
  /** Starts one and waits until it answers. When `signal` aborts it leaves nothing behind and rejects. */
  boot(signal: AbortSignal): Promise<Unit>
}

/** One running program. */
export interface ProgramUnit {
  readonly pid: number // leads a process group of its own: the whole group is killed with it
  readonly ended: Promise<void> // resolves when the program is gone, for whatever reason; never rejects
  /** Small jobs that load what the first real one would wait for. Run one by one while nobody waits. */
  readonly warmUp?: readonly (() => Promise<void>)[]
  /** Answers quickly when all is well. */
  ping(): Promise<void>
  /** Asks it to end; it is killed if it does not. */
  stop(): Promise<void>
  /** After the end, however it came: removes what it left (folders, sockets). */
  discard(): Promise<void>
}

export interface PoolJob {
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
  readonly doing: string // 'converting docx to pdf', for messages
}

export interface PoolStats {
  readonly ready: number
  readonly booting: number
  readonly busy: number // jobs that run
  readonly waiting: number
  readonly restarts: number // units that had to be replaced since the start
  readonly pids: readonly number[]
  /** Why the last start failed; absent as soon as one worked. */
  readonly bootError?: string
}

export interface Pool<Unit extends ProgramUnit> {
  /**
   * Runs `work` on a free unit, first come first served. Rejects with what `work` rejects with, with the signal's
   * reason, or with 'convert.busy', 'convert.timeout', 'convert.crashed', 'convert.memory', 'convert.engine-off'.
   */
  run<T>(job: PoolJob, work: (unit: Unit, signal: AbortSignal) => Promise<T>): Promise<T>
  /** Boots all units. Resolves when each has answered or failed. */
  start(): Promise<void>
  /** Refuses new jobs, ends what runs, and resolves when no process is left. */
  stop(): Promise<void>
  stats(): PoolStats
}

export type Supervise = <Unit extends ProgramUnit>(program: Program<Unit>) => Pool<Unit>
