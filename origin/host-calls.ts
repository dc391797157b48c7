/**
 * Calls from engines in threads to their host: running programs, which the thread that serves requests starts and
 * confines, and encoding pictures, whose native code has threads of its own.
 */
import type { MessagePort } from 'node:worker_threads'
import type { Host } from '../shared/plugin/contract.ts'
import type { EncodePicture, PictureRequest } from '../shared/plugin/pictures.ts'
import type { ProgramResult, ProgramRun, RunProgram } from '../shared/plugin/processes.ts'
import { type AnsweredPort, answerCalls, callThrough } from './port-calls.ts'
import { shared, transferable } from './threads.ts'

type HostCall = { readonly run: Omit<ProgramRun, 'signal'> } | { readonly picture: PictureRequest }
type HostResult = ProgramResult | Uint8Array

/** Opens a port for one task. Its programs end when `signal` fires and when the port is closed. */
export function answerHostCalls(
  { runProgram, encodePicture }: Pick<Host, 'runProgram' | 'encodePicture'>,
  signal: AbortSignal,
): AnsweredPort {
  const closing = new AbortController()
  const ends = AbortSignal.any([signal, closing.signal])
  const { port, close } = answerCalls<HostCall, HostResult>(async (call) => {
    if ('picture' in call) {
      if (encodePicture === undefined) throw new Error('This host cannot encode pictures.')
      return transferable(await encodePicture(call.picture))
    }
    if (runProgram === undefined) throw new Error('This host cannot run programs.')
    const { stdout, files, ...rest } = await runProgram({ ...call.run, signal: ends })
    return { ...rest, stdout: transferable(stdout), files: new Map([...files].map(withOwnBuffer)) }
  }, buffersOf)
  return {
    port,
    close() {
      close()
      closing.abort()
    },
  }
}

const withOwnBuffer = ([name, bytes]: readonly [string, Uint8Array]) => [name, transferable(bytes)] as const

function buffersOf(result: HostResult): readonly ArrayBuffer[] {
  const all = result instanceof Uint8Array ? [result] : [result.stdout, ...result.files.values()]
  return all.map(({ buffer }) => buffer as ArrayBuffer)
}

/** The functions of the host for the task that got the port. */
export function hostThrough(port: MessagePort): {
  readonly runProgram: RunProgram
  readonly encodePicture: EncodePicture
} {
  const call = callThrough<HostCall, HostResult>(port)
  return {
    // The signal is not posted: the other side has the signal of the task.
    async runProgram({ signal: _, files, ...run }) {
      const posted = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, shared(bytes)]))
      return (await call({ run: { ...run, files: posted } })) as ProgramResult
    },
    encodePicture: async (picture) => (await call({ picture })) as Uint8Array,
  }
}
