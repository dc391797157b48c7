import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { killGroup } from './member.ts'

/** A program to start. It gets no standard input. */
export interface ProgramStart {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  onOutput(chunk: Buffer): void
  onComplaint(chunk: Buffer): void // its standard error
}

export interface StartedProgram {
  /**
   * Resolves when the program and all processes that hold its outputs have ended. Rejects with an error of the system when it
   * could not be started.
   */
  readonly ended: Promise<ProgramEnd>
  /** Kills the program and its children, also when it starts only afterwards. */
  kill(): void
}

/** How a program has ended: by itself, or by a signal. */
export type ProgramEnd =
  | { readonly code: number }
  | { readonly signal: number }
  /** It was killed together with the process that started it. */
  | { readonly lost: true }

export interface ProgramStarter {
  start(program: ProgramStart): StartedProgram
  /** Ends the process that starts programs, and with it all programs that run. */
  stop(): void
}

const script = fileURLToPath(new URL('starter.pl', import.meta.url))
const headerBytes = 9
/** How long a killed program may take to end before its starter is taken to hang, and is killed. */
const graceMs = 5_000

interface RunningProgram {
  readonly program: ProgramStart
  readonly resolve: (end: ProgramEnd) => void
  readonly reject: (error: Error) => void
  pid: number | undefined
  end: ProgramEnd | undefined
  isKilled: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * Starts programs from a small process (`starter.pl`), because a fork of this one holds the thread that serves everybody for
 * the longer, the more memory it has. That process starts with the first program, and again after it was killed.
 */
export function createStarter(perl: string): ProgramStarter {
  let current: Starter | undefined
  let count = 0

  return {
    start(program) {
      const { child, running, input, output } = (current ??= boot())
      const { promise: ended, resolve, reject } = Promise.withResolvers<ProgramEnd>()
      const number = count++
      const entry: RunningProgram = {
        program,
        resolve,
        reject,
        pid: undefined,
        end: undefined,
        isKilled: false,
        timer: undefined,
      }
      running.set(number, entry)
      output.ref()
      input.write(requestOf(number, program))
      const killOrGiveUp = () => {
        kill(entry)
        if (running.has(number)) entry.timer ??= setTimeout(() => child.kill('SIGKILL'), graceMs)
      }
      return { ended, kill: killOrGiveUp }
    },
    stop() {
      current?.input.end()
      current = undefined
    },
  }

  function boot(): Starter {
    const child: ChildProcess = spawn(perl, [script, String(process.pid)], {
      // A signal from the terminal must not end it before its programs.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      // Programs may be able to read its environment, and that of the service has secrets.
      env: { PATH: process.env['PATH'] },
    })
    const running = new Map<number, RunningProgram>()
    const [input, output] = [child.stdin as Socket, child.stdout as Socket]
    const starter = { child, running, input, output }
    // Without programs it does not keep the service running.
    for (const handle of [child, input, output]) handle.unref()
    const lose = (error?: Error) => {
      if (current === starter) current = undefined
      for (const entry of running.values()) {
        clearTimeout(entry.timer)
        // The kernel kills the program as well, but perhaps not its children.
        if (entry.pid !== undefined) killGroup(entry.pid)
        if (error === undefined) entry.resolve({ lost: true })
        else entry.reject(error)
      }
      running.clear()
    }
    child.once('error', lose)
    child.once('close', () => lose())
    // It has ended, which 'close' reports.
    for (const pipe of [input, output]) pipe.on('error', () => undefined)
    readAnswers(output, (letter, number, payload) => {
      const entry = running.get(number)
      if (entry === undefined || !handleAnswer(entry, letter, payload)) return
      clearTimeout(entry.timer)
      running.delete(number)
      if (running.size === 0) output.unref()
    })
    return starter
  }
}

interface Starter {
  readonly child: ChildProcess
  readonly running: Map<number, RunningProgram> // by the numbers of their requests
  readonly input: Socket
  readonly output: Socket
}

function kill(entry: RunningProgram): void {
  entry.isKilled = true
  if (entry.pid !== undefined) killGroup(entry.pid)
}

/** Handles an answer. Returns whether it is the last for this program. */
function handleAnswer(entry: RunningProgram, letter: string, payload: Buffer): boolean {
  if (letter === 'S') {
    entry.pid = payload.readUInt32LE()
    if (entry.isKilled) killGroup(entry.pid)
  } else if (letter === 'O') entry.program.onOutput(payload)
  else if (letter === 'E') entry.program.onComplaint(payload)
  else if (letter === 'X') {
    const status = payload.readUInt32LE()
    entry.end = (status & 127) === 0 ? { code: status >> 8 } : { signal: status & 127 }
    // Children that still run would keep the outputs open.
    kill(entry)
  } else if (letter === 'F') {
    entry.reject(new Error(payload.toString()))
    return true
  } else if (letter === 'C') {
    entry.resolve(entry.end ?? { lost: true })
    return true
  }
  return false
}

/** The frame of a request, as `starter.pl` describes it. */
function requestOf(number: number, { command, args, cwd, env }: ProgramStart): Buffer {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  )
  const texts = [String(number), cwd, String(variables.length), ...variables, command, ...args]
  if (texts.some((text) => text.includes('\0'))) throw new Error('A command line contains a zero byte.')
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(''))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([length, body])
}

function readAnswers(
  stream: Socket,
  onAnswer: (letter: string, number: number, payload: Buffer) => void,
): void {
  let pending: Buffer = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let at = 0
    while (pending.length - at >= headerBytes) {
      const end = at + headerBytes + pending.readUInt32LE(at + 5)
      if (pending.length < end) break
      onAnswer(
        String.fromCharCode(pending[at] ?? 0),
        pending.readUInt32LE(at + 1),
        pending.subarray(at + headerBytes, end),
      )
      at = end
    }
    pending = pending.subarray(at)
  })
}

/** Starts programs from this process: where there is no Perl, and so no confinement either. */
export const directStarter: ProgramStarter = {
  start({ command, args, cwd, env, onOutput, onComplaint }) {
    const { promise: ended, resolve, reject } = Promise.withResolvers<ProgramEnd>()
    const child = spawn(command, args, {
      detached: true, // starts a process group, so that children are killed with the program
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env },
    })
    const killChild = () => child.pid !== undefined && killGroup(child.pid)
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onComplaint)
    child.once('error', reject)
    // Children that are still running would keep the output open, and 'close' would never come.
    child.once('exit', killChild)
    child.once('close', (code, signal) =>
      resolve(signal === null ? { code: code ?? 128 } : { signal: numberOf(signal) }),
    )
    return { ended, kill: killChild }
  },
  stop() {},
}

const numberOf = (signal: NodeJS.Signals): number => constants.signals[signal]
