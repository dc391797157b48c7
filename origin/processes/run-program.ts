import { spawn } from 'node:child_process'
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
import { killGroup } from './group.ts'
import { refusalSays, refusalStatus } from './trial.ts'

export interface RunnerParts {
  readonly confine: Confine
  /** A folder of the service that may hold temporary ones; asked for once. */
  readonly folder: () => Promise<string>
  readonly now: () => number
}

const stderrBytes = 65_536
/** All a program may write, standard output included. */
const mostOutputBytes = 2 ** 30
const asItself = flags.O_RDONLY | flags.O_NOFOLLOW
const inOrder = new Intl.Collator('en', { numeric: true })

/** Programs that run once for each job: see `ProgramRun`. At most one a core runs, so that they do not starve each other. */
export function createProgramRunner({ confine, folder, now }: RunnerParts): RunProgram {
  const gate = createGate(availableParallelism())
  let base: Promise<string> | undefined
  return async (wanted) => {
    wanted.signal.throwIfAborted()
    const leave = await gate(wanted.signal)
    try {
      const place = join(await ready(wanted.title), `run-${randomBytes(8).toString('hex')}`)
      return await withFolder(place, wanted, confine, (confined) => execute(place, confined, wanted, now()))
    } finally {
      leave()
    }
  }

  /** A folder that could not be made is tried again by the next. */
  function ready(title: string): Promise<string> {
    base ??= folder().catch((cause: unknown) => {
      base = undefined
      throw new AppError('convert.disk', { engine: title }, { cause })
    })
    return base
  }
}

const killedBy = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

async function withFolder(
  place: string,
  wanted: ProgramRun,
  confine: Confine,
  work: (confined: Confined) => Promise<ProgramResult>,
): Promise<ProgramResult> {
  const { program, args, limits = {}, read = [], write = [], named = false } = wanted
  const confined = await confine(program, args, { limits, read, write, named, own: [place] })
  try {
    try {
      await mkdir(place, { recursive: true, mode: 0o700 })
      for (const [name, bytes] of Object.entries(wanted.files))
        await writeFile(join(place, name), bytes, { mode: 0o400 })
    } catch (cause) {
      throw new AppError('convert.disk', { engine: wanted.title }, { cause })
    }
    return await work(confined)
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 3 })
    confined.release()
  }
}

async function execute(
  place: string,
  { command, args }: Confined,
  wanted: ProgramRun,
  startedAt: number,
): Promise<ProgramResult> {
  const { title, signal, deadline, doing } = wanted
  // Given up while the files were written: what listens below would not hear of it.
  signal.throwIfAborted()
  const child = spawn(command, args, {
    detached: true, // a group of its own: children go with it
    cwd: place,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: place,
      TMPDIR: place,
      ...wanted.environment,
    },
  })
  const output: Buffer[] = []
  let outputBytes = 0
  let complaints = ''
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length
    if (outputBytes > mostOutputBytes) kill()
    else output.push(chunk) // whole or not at all: see below
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaints.length < stderrBytes) complaints += chunk.toString('utf8')
  })
  const kill = () => child.pid !== undefined && killGroup(child.pid)
  let late = false
  const timer = setTimeout(
    () => {
      late = true
      kill()
    },
    Math.min(Math.max(deadline - startedAt, 0), 2 ** 31 - 1),
  )
  signal.addEventListener('abort', kill, { once: true })
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', (cause: NodeJS.ErrnoException) => {
        const because =
          cause.code === 'ENOENT'
            ? `${wanted.program} is not installed`
            : `${wanted.program} could not be started (${cause.code})`
        reject(new AppError('convert.engine-off', { engine: title, because }, { cause }))
      })
      // What it left running would hold its output open.
      child.once('exit', kill)
      // 'close', not 'exit': what it wrote has been read by then.
      child.once('close', (status, ended) => resolve(status ?? (ended === null ? 128 : killedBy(ended))))
    })
    signal.throwIfAborted()
    if (late || code === killedBy('SIGXCPU')) throw new AppError('convert.timeout', { doing })
    if (outputBytes > mostOutputBytes || code === killedBy('SIGXFSZ'))
      throw new AppError('convert.memory', { engine: title, limit: mostOutputBytes / 2 ** 20 })
    // Nobody here did that: it is no fault of the document.
    if (code === killedBy('SIGKILL')) throw new AppError('convert.crashed', { engine: title })
    // A confined program is started by another one, which says so in this way (POSIX: 127).
    if (code === 127)
      throw new AppError('convert.engine-off', {
        engine: title,
        because: `${wanted.program} is not installed`,
      })
    const [, because] = code === refusalStatus ? (refusalSays.exec(complaints) ?? []) : []
    if (because !== undefined) throw new AppError('convert.not-isolated', { because })
    if (/No space left on device/.test(complaints)) throw new AppError('convert.disk', { engine: title })
    const files = await filesOf(place, wanted, mostOutputBytes)
    return { code, stdout: Buffer.concat(output), stderr: complaints.slice(0, stderrBytes), files }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    // Whatever it left running.
    kill()
  }
}

async function filesOf(
  place: string,
  { files, title }: ProgramRun,
  most: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = (await readdir(place)).filter((name) => !Object.hasOwn(files, name)).sort(inOrder.compare)
  const made = new Map<string, Uint8Array>()
  let total = 0
  for (const name of names) {
    // A link would lead us, who may read more than the program, to whatever it names.
    const about = await lstat(join(place, name))
    if (!about.isFile()) continue
    total += about.size
    if (total > most) throw new AppError('convert.memory', { engine: title, limit: most / 2 ** 20 })
    made.set(name, await readFile(join(place, name), { flag: asItself }))
  }
  return made
}

/** Lets `width` in at a time, in order. */
function createGate(width: number): (signal: AbortSignal) => Promise<() => void> {
  let inside = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    inside--
    waiting.shift()?.()
  }
  return async (signal) => {
    while (inside >= width) {
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        const giveUp = () => {
          const at = waiting.indexOf(enter)
          if (at >= 0) waiting.splice(at, 1)
          reject(signal.reason)
        }
        waiting.push(enter)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    }
    inside++
    return leave
  }
}
