import { writeSync } from 'node:fs'

export interface ProgramRequest {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** After it, what the program printed on its standard output and on its standard error. */
export interface ProgramAnswer {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly failure: string | undefined // why the program did not start
  readonly sizes: readonly [output: number, errors: number] // bytes
}

/** Writes a value as JSON behind its length in four bytes. */
export function writeFrame(pipe: number, value: object): void {
  const json = Buffer.from(JSON.stringify(value))
  const frame = Buffer.alloc(4 + json.length)
  frame.writeUInt32LE(json.length)
  json.copy(frame, 4)
  for (let at = 0; at < frame.length; ) at += writeSync(pipe, frame, at)
}

/** Reads such a value. `read` fills bytes from a position on and returns their number, 0 at the end, where nothing is read. */
export function readFrame<Value>(read: (bytes: Buffer, at: number) => number): Value | undefined {
  const length = readBytes(4, read)
  const json = length && readBytes(length.readUInt32LE(), read)
  return json && JSON.parse(json.toString())
}

/** The given number of bytes, or undefined when the pipe ends before. */
export function readBytes(count: number, read: (bytes: Buffer, at: number) => number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(count)
  for (let at = 0; at < count; ) {
    const size = read(bytes, at)
    if (size === 0) return undefined
    at += size
  }
  return bytes
}
