/**
 * Programs that run beside the service and outlive a job, such as an office suite or a browser. A plugin
 * defines how one is started and used (Program, ProgramUnit). The host keeps a pool of them (Pool) with a
 * queue, deadlines, memory limits and restarts.
 */

import type { Client } from './values.ts'

/** How a program is run. */
export interface Program<Unit extends ProgramUnit> {
  readonly name: string // for messages: 'LibreOffice'
  readonly units: number // maximum number of processes
  readonly jobsPerUnit: number // jobs that one process runs at the same time
  /**
   * Jobs that may wait in each lane, background or not; further ones are refused with 'convert.busy'. While several
   * accounts use the program, one of them may take up half of a lane.
   */
  readonly queueSize: number
  /** A unit that has been idle for this long is stopped, but for the one that `start` booted. Absent: it stays. */
  readonly idleMs?: number
  readonly bootTimeoutMs: number
  /**
   * A unit is killed when it and its descendants together exceed this much resident memory, not counting mapped
   * files. 0 disables the check.
   */
  readonly memoryLimitBytes: number
  /**
   * A unit that exceeds this when a job ends is replaced as soon as its successor is ready. 0 disables the
   * check.
   */
  readonly recycleAboveBytes: number
  /** A unit that has served this many jobs is replaced in the same way. Absent: no limit. */
  readonly recycleAfterJobs?: number
  /** The maximum number of attempts for a job whose unit died. Each one runs on a new unit. */
  readonly attempts: number
  /**
   * How long a cancelled job may take to stop before its unit is killed. 0 when jobs cannot be interrupted.
   */
  readonly abortGraceMs: number
  /** Starts a unit and waits until it answers. When `signal` aborts, it cleans up and rejects. */
  boot(signal: AbortSignal): Promise<Unit>
}

/** One running program. */
export interface ProgramUnit {
  readonly pid: number // leader of its own process group, which is killed as a whole
  readonly ended: Promise<void> // resolves when the program has ended for any reason; never rejects
  /**
   * Small jobs that load what the first real job would have to wait for. Run one at a time while no job is
   * waiting.
   */
  readonly warmUp?: readonly (() => Promise<void>)[]
  /** Checked after each job. Once it is true, the unit gets no further job and is replaced. */
  readonly spent?: boolean
  /** Resolves quickly when the program is responsive. */
  ping(): Promise<void>
  /** Requests the program to end. The pool kills it if it does not. */
  stop(): Promise<void>
  /** Removes the folders and sockets that the program left, after it ended for any reason. */
  discard(): Promise<void>
}

export interface PoolJob {
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
  readonly doing: string // 'converting docx to pdf', for messages
  readonly client?: Client | undefined // absent where no account is known
}

export interface PoolStats {
  readonly ready: number
  readonly booting: number
  readonly busy: number // running jobs
  readonly waiting: number
  readonly restarts: number // units that had to be replaced since the start
  readonly pids: readonly number[]
  /** Why the last start failed. Absent after a successful start. */
  readonly bootError?: string
}

export interface Pool<Unit extends ProgramUnit> {
  /**
   * Runs `work` on a free unit. Waiting jobs of different accounts take turns, and callers who wait for an answer
   * go before background work. Rejects with the error of `work`, with the reason of the
   * signal, or with 'convert.busy', 'convert.waited', 'convert.timeout', 'convert.crashed', 'convert.memory' or
   * 'convert.engine-off'.
   */
  run<T>(job: PoolJob, work: (unit: Unit, signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Boots the units that stay: one where idle units are stopped, otherwise all. Resolves when each has answered or
   * failed.
   */
  start(): Promise<void>
  /** Refuses new jobs, ends the running ones, and resolves when no process is left. */
  stop(): Promise<void>
  stats(): PoolStats
}

export type Supervise = <Unit extends ProgramUnit>(program: Program<Unit>) => Pool<Unit>

/** Resource limits of a program. An absent one is not limited. */
export interface ProgramLimits {
  readonly addressSpaceBytes?: number
  readonly cpuSeconds?: number
  readonly fileBytes?: number // size of each file that it writes
}

/** What a program may use in its sandbox, in addition to the programs, libraries and fonts of the system. */
export interface ConfineOptions {
  readonly limits?: ProgramLimits
  /** Folders and files whose owner becomes the user of the program. It cannot change any others. */
  readonly own?: readonly string[]
  /** Folders and files that it may read. */
  readonly read?: readonly string[]
  /** Folders in which it may create sockets, and remove them and any other file that its user owns there. */
  readonly sockets?: readonly string[]
  /**
   * Folders in which it may also read and write as far as file permissions allow. Their owner does not
   * change.
   */
  readonly write?: readonly string[]
  /**
   * The program starts a message bus, which requires a user with a name and a socket in /tmp. It runs as the
   * system's unprivileged user, which other programs may share, instead of a user of its own.
   */
  readonly named?: boolean
  /**
   * The program manages child processes, as a browser does, and needs /proc and shared memory in /dev/shm.
   */
  readonly processes?: boolean
}

/** What the sandbox of a program prevents, as a trial run inside it has shown. */
export interface Isolation {
  /** `own` is a user that no other process has; `service` is the user of the service, which is not root. */
  readonly user: 'own' | 'service'
  /** The program cannot reach any network, not even the loopback interface. */
  readonly network: boolean
  /** The program can read no files but its own and those of the system. */
  readonly files: boolean
  /** The program can create namespaces, as the sandbox of a browser does. */
  readonly sandbox: boolean
}

/**
 * A command line that starts a program in a sandbox: as a user other than root, without network, and ending
 * with the service.
 */
export interface Confined {
  readonly command: string
  readonly args: readonly string[]
  readonly isolation: Isolation
  /** The user ID that it runs as. */
  readonly user: number
  /** Must be called when the program has ended, so that its user ID can be assigned to another program. */
  release(): void
}
/**
 * Rejects with 'convert.not-isolated' when the system cannot isolate a program as the operator requires, and
 * as long as that has not been established.
 */
export type Confine = (
  command: string,
  args: readonly string[],
  options?: ConfineOptions,
) => Promise<Confined>

/** One run of a program that reads some files, writes others and then ends. */
export interface ProgramRun {
  readonly title: string // for messages: 'Poppler'
  readonly program: string // name on the PATH, or a path
  readonly args: readonly string[] // file names need no folder: the program runs in a folder of its own
  readonly files: Readonly<Record<string, Uint8Array>> // input files for that folder, by name
  readonly environment?: Readonly<Record<string, string>>
  /** Further files and folders that it may read: its installation, when that is outside /usr and /bin. */
  readonly read?: readonly string[]
  readonly limits?: ProgramLimits
  readonly write?: readonly string[] // see ConfineOptions
  readonly named?: boolean // see ConfineOptions
  readonly doing: string // 'converting pdf to png', for messages
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}
export interface ProgramResult {
  readonly code: number // exit status; from 128 on, the program was ended by a signal
  readonly stdout: Uint8Array
  readonly stderr: string // its first 64 KB
  /** The files it wrote, by name, in natural order: 'page-2' before 'page-10'. */
  readonly files: ReadonlyMap<string, Uint8Array>
}
/**
 * Runs a program in a sandbox and in a folder that is removed afterwards. A few run at the same time; further
 * ones wait. Rejects with 'convert.busy' when too many wait already, with 'convert.waited' when the job began
 * too late to end in time, with 'convert.timeout', with 'convert.engine-off' when the program is not
 * installed, with 'convert.not-isolated' when it cannot be isolated, with 'convert.disk' when the folder cannot
 * be written, with 'convert.memory' when the output is too large, with 'convert.crashed' when the program was
 * killed, and with the reason of the signal.
 */
export type RunProgram = (run: ProgramRun) => Promise<ProgramResult>
