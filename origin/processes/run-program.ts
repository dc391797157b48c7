import { randomBytes } from 'node:crypto'
import { constants as flags } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import type {
  Confine,
  Confined,
  ProgramResult,
  ProgramRun,
  RunProgram,
} from '../../shared/plugin/processes.ts'
import { directStarter, type ProgramEnd, type ProgramStarter } from './starter.ts'
import { refusalSays, refusalStatus } from './trial.ts'
import { createSlots, maxTimerMs } from './waiting.ts'

export interface RunnerParts {
  readonly confine: Confine
  /** Creates the folder in which each run gets a temporary folder. Called once, unless it fails. */
  readonly folder: () => Promise<string>
  readonly now: () => number
  /** By default programs are started from this process. */
  readonly starter?: ProgramStarter | undefined
}

/** The rest of standard error is dropped. */
const maxStderrBytes = 65_536
/** The maximum size of the standard output of a program, and of all files that it writes. */
const maxOutputBytes = 2 ** 30
/** Opening fails for a symbolic link, see `filesOf`. */
const noLinks = flags.O_RDONLY | flags.O_NOFOLLOW
/** Sorts 'page-2' before 'page-10'. */
const naturalOrder = new Intl.Collator('en', { numeric: true })

/** The maximum number of times that a program is started for a job whose runs were killed. */
const maxAttempts = 2

/**
 * Runs programs that are started for each job, see `ProgramRun`. At most one per core runs at a time; others wait. A
 * run that was killed by another process is tried once more.
 */
export function createProgramRunner({
  confine,
  folder,
  now,
  starter = directStarter,
}: RunnerParts): RunProgram {
  const slots = createSlots(availableParallelism(), now)
  let base: Promise<string> | undefined
  return (requested) =>
    slots.run(requested, async (signal) => {
      const run = { ...requested, signal }
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(run)
        } catch (error) {
          const killed = error instanceof AppError && error.code === 'convert.crashed'
          if (!killed || attempt === maxAttempts) throw error
        }
      }
    })

  async function runOnce(run: ProgramRun): Promise<ProgramResult> {
    const runFolder = join(await ready(run.title), `run-${randomBytes(8).toString('hex')}`)
    return withFolder(runFolder, run, confine, (confined) =>
      execute(starter, runFolder, confined, { run, startedAt: now() }),
    )
  }

  /** The folder for temporary folders. A failure is not cached, so the next run tries again. */
  function ready(title: string): Promise<string> {
    base ??= folder().catch((cause: unknown) => {
      base = undefined
      throw new AppError('convert.disk', { engine: title }, { cause })
    })
    return base
  }
}

/** The exit status that stands for a signal, as in a POSIX shell. */
const killedBy = (signal: keyof typeof constants.signals): number => 128 + constants.signals[signal]

function statusOf(end: ProgramEnd): number {
  if ('lost' in end) return killedBy('SIGKILL')
  return 'signal' in end ? 128 + end.signal : end.code
}

/** Writes the input files to a new folder, runs `work`, and removes the folder. */
async function withFolder(
  folder: string,
  run: ProgramRun,
  confine: Confine,
  work: (confined: Confined) => Promise<ProgramResult>,
): Promise<ProgramResult> {
  const { program, args, limits = {}, read = [], write = [], named = false } = run
  const confined = await confine(program, args, { limits, read, write, named, own: [folder] })
  try {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const [name, bytes] of Object.entries(run.files))
        await writeFile(join(folder, name), bytes, { mode: 0o400 })
    } catch (cause) {
      throw new AppError('convert.disk', { engine: run.title }, { cause })
    }
    return await work(confined)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    confined.release()
  }
}

/**
 * Runs the program until it ends, its deadline passes or the signal fires. `startedAt` is the current time.
 */
async function execute(
  starter: ProgramStarter,
  folder: string,
  { command, args }: Confined,
  { run, startedAt }: { readonly run: ProgramRun; readonly startedAt: number },
): Promise<ProgramResult> {
  const { title, signal, deadline, doing } = run
  // The signal may have fired while the files were written. The listener below would not be called for that.
  signal.throwIfAborted()
  const output: Buffer[] = []
  let outputBytes = 0
  let complaints = ''
  const { ended, kill } = starter.start({
    command,
    args,
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: folder,
      TMPDIR: folder,
      ...run.environment,
    },
    onOutput(chunk) {
      outputBytes += chunk.length
      if (outputBytes > maxOutputBytes) kill()
      else output.push(chunk) // truncated output is never returned: exceeding the limit is an error below
    },
    onComplaint(chunk) {
      if (complaints.length < maxStderrBytes) complaints += chunk.toString('utf8')
    },
  })
  let timedOut = false
  const timer = setTimeout(
    () => {
      timedOut = true
      kill()
    },
    Math.min(Math.max(deadline - startedAt, 0), maxTimerMs),
  )
  signal.addEventListener('abort', kill, { once: true })
  try {
    const end = await ended.catch((cause: NodeJS.ErrnoException) => {
      const because =
        cause.code === 'ENOENT'
          ? `${run.program} is not installed`
          : `${run.program} could not be started (${cause.code ?? cause.message})`
      throw new AppError('convert.engine-off', { engine: title, because }, { cause })
    })
    const code = statusOf(end)
    signal.throwIfAborted()
    if (timedOut || code === killedBy('SIGXCPU')) throw new AppError('convert.timeout', { doing })
    if (outputBytes > maxOutputBytes || code === killedBy('SIGXFSZ'))
      throw new AppError('convert.memory', { engine: title, limit: maxOutputBytes / 2 ** 20 })
    // We did not send this SIGKILL (the cases above did), so it does not count as a fault of the document.
    if (code === killedBy('SIGKILL')) throw new AppError('convert.crashed', { engine: title })
    // A confined program is started by `confine.pl`, which exits with 127 when it is not found, as a POSIX
    // shell does.
    if (code === 127)
      throw new AppError('convert.engine-off', {
        engine: title,
        because: `${run.program} is not installed`,
      })
    const [, because] = code === refusalStatus ? (refusalSays.exec(complaints) ?? []) : []
    if (because !== undefined) throw new AppError('convert.not-isolated', { because })
    if (/No space left on device/.test(complaints)) throw new AppError('convert.disk', { engine: title })
    const files = await filesOf(folder, run, maxOutputBytes)
    return { code, stdout: Buffer.concat(output), stderr: complaints.slice(0, maxStderrBytes), files }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/**
 * The regular files that the program wrote to its folder. Throws 'convert.memory' above `maxBytes` in total.
 */
async function filesOf(
  folder: string,
  { files, title }: ProgramRun,
  maxBytes: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = (await readdir(folder))
    .filter((name) => !Object.hasOwn(files, name))
    .sort(naturalOrder.compare)
  const written = new Map<string, Uint8Array>()
  let total = 0
  for (const name of names) {
    // The service may read more than the program could, so it must not follow links that the program created.
    const stats = await lstat(join(folder, name))
    if (!stats.isFile()) continue
    total += stats.size
    if (total > maxBytes) throw new AppError('convert.memory', { engine: title, limit: maxBytes / 2 ** 20 })
    written.set(name, await readFile(join(folder, name), { flag: noLinks }))
  }
  return written
}
