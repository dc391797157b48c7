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
  /** A unit that has served so many jobs is replaced likewise. Absent: never. */
  readonly recycleAfterJobs?: number
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
  /** Looked at after each job: once true, the unit takes no further one and is replaced. */
  readonly spent?: boolean
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

/** What a program may use up at most. Absent: no limit of that kind. */
export interface ProgramLimits {
  readonly addressSpaceBytes?: number
  readonly cpuSeconds?: number
  readonly fileBytes?: number // of each file it writes
}

/** What a program that is about to be started needs, beside the programs, libraries and fonts of the system. */
export interface ConfineOptions {
  readonly limits?: ProgramLimits
  /** Folders and files that become its own: its user owns them, and it changes nothing else. */
  readonly own?: readonly string[]
  /** Folders and files that it may read. */
  readonly read?: readonly string[]
  /** Folders in which it may make sockets, and remove them and what else its user owns there, for a program that does so wherever it is told to. */
  readonly sockets?: readonly string[]
  /** Folders in which it may also read and write what the permissions of its user allow; they stay whose they are. */
  readonly write?: readonly string[]
  /** It starts a message bus, whose user must have a name and whose socket stands in /tmp: it is nobody, as others may be. */
  readonly named?: boolean
  /** It looks after processes of its own, as a browser does: it sees /proc and shares memory in /dev/shm. */
  readonly processes?: boolean
}

/** What stands around a program that was started confined. A trial inside the confinement has shown it. */
export interface Isolation {
  /** `own`: a user that no other process has; `service`: that of the service, which is not root. */
  readonly user: 'own' | 'service'
  /** It reaches no network, not even the machine it runs on. */
  readonly network: boolean
  /** It reads no files but its own and those of the system. */
  readonly files: boolean
  /** It may make namespaces of its own, as the sandbox of a browser does. */
  readonly sandbox: boolean
}

/** A command line that starts a program confined: as another user than root, without network, dying with us. */
export interface Confined {
  readonly command: string
  readonly args: readonly string[]
  readonly isolation: Isolation
  /** Number of the user that it runs as. */
  readonly user: number
  /** To be called when the program has ended: its user may be given to another one. */
  release(): void
}
/**
 * Throws 'convert.not-isolated' where the system cannot confine a program as the operator wants it, and for as long as
 * it is not known whether it can.
 */
export type Confine = (
  command: string,
  args: readonly string[],
  options?: ConfineOptions,
) => Promise<Confined>

/** One run of a program that reads some files, writes others and ends by itself. */
export interface ProgramRun {
  readonly title: string // for messages: 'Poppler'
  readonly program: string // name on the path, or a path
  readonly args: readonly string[] // it runs in a folder of its own: names of files are enough
  readonly files: Readonly<Record<string, Uint8Array>> // put into that folder; ours cannot be changed by it
  readonly environment?: Readonly<Record<string, string>>
  /** What it may read beside its folder and the system: where it is installed, when that is neither /usr nor /bin. */
  readonly read?: readonly string[]
  readonly limits?: ProgramLimits
  readonly write?: readonly string[] // see ConfineOptions, as the next
  readonly named?: boolean
  readonly doing: string // 'converting pdf to png', for messages
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}
export interface ProgramResult {
  readonly code: number // exit status; 128 and more: ended by a signal
  readonly stdout: Uint8Array
  readonly stderr: string // its first 64 KB
  /** Files it made, by name, sorted as a person would count: 'page-2' before 'page-10'. */
  readonly files: ReadonlyMap<string, Uint8Array>
}
/**
 * Runs it confined, in a folder that is removed afterwards; a few at a time, the rest wait. Throws 'convert.timeout',
 * 'convert.engine-off' when there is no such program, 'convert.not-isolated' when it cannot be confined, 'convert.disk' when the folder cannot be written, the signal's reason.
 */
export type RunProgram = (run: ProgramRun) => Promise<ProgramResult>
