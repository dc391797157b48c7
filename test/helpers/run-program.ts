import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ProgramAnswer,
  type ProgramRequest,
  readBytes,
  readFrame,
  writeFrame,
} from './program-frames.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A program that ended with another status than 0, or did not start. */
export class ProgramError extends Error {
  readonly status: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer

  constructor(message: string, status: number | null, stdout: Buffer, stderr: Buffer) {
    super(message)
    this.status = status
    this.stdout = stdout
    this.stderr = stderr
  }
}

let starter: { readonly requests: number; readonly answers: number } | undefined

/**
 * Runs a program to its end and returns what it printed on its standard output; its standard error is in the error that is
 * thrown when it fails. A small process starts it: a start copies the page tables of the process that asks, which for a test
 * process of 700 MB takes 20 ms of its time, as long as most of these programs run.
 */
export function runProgram(program: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr } = outputOf(program, args)
  if (status !== 0)
    throw new ProgramError(`${program} ${args.join(' ')} failed: ${stderr}`, status, stdout, stderr)
  return stdout
}

/** The same for a program that may fail: its status, and what it printed. Throws when it does not start. */
export function outputOf(
  program: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: Buffer; readonly stderr: Buffer } {
  starter ??= start()
  const { requests, answers } = starter
  const read = (bytes: Buffer, at: number) => readSync(answers, bytes, at, bytes.length - at, null)
  writeFrame(requests, { program, args, cwd: process.cwd(), env: process.env } satisfies ProgramRequest)
  const answer = readFrame<ProgramAnswer>(read)
  const stdout = answer && readBytes(answer.sizes[0], read)
  const stderr = answer && readBytes(answer.sizes[1], read)
  if (answer === undefined || stdout === undefined || stderr === undefined)
    throw new Error(`The process that starts programs has ended: ${program} ${args.join(' ')}`)
  if (answer.failure !== undefined) throw new ProgramError(answer.failure, answer.status, stdout, stderr)
  return { status: answer.status, stdout, stderr }
}

/** It ends when nobody can write requests any more, which is when this process ends. */
function start(): { readonly requests: number; readonly answers: number } {
  const folder = temporaryFolder('program-starter')
  try {
    const paths = [join(folder, 'requests'), join(folder, 'answers')] as const
    execFileSync('mkfifo', ['-m', '600', ...paths])
    // Both ways, since to open one end waits for the other.
    const requests = openSync(paths[0], 'r+')
    const ready = openSync(paths[1], 'r+')
    const script = new URL('program-starter.ts', import.meta.url).pathname
    spawn(process.execPath, [script, ...paths], { stdio: 'ignore' }).unref()
    readFrame((bytes, at) => readSync(ready, bytes, at, bytes.length - at, null))
    const answers = openSync(paths[1], 'r')
    closeSync(ready)
    return { requests, answers }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
