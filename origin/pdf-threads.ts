/**
 * The operations on PDFs in threads. A file of a thousand pages takes a second of work, during which the thread that serves
 * requests would answer none.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { DrawingBounds, PdfOperations } from '../shared/pdf/operations.ts'
import type { DrawText, TextRequest } from '../shared/plugin/text-drawing.ts'
import type { Outcome } from '../shared/plugin/values.ts'
import { describeError, reviveError, type ThreadError, transferable } from './threads.ts'

/** One call of an operation as plain data: its name, its arguments, and the bounds that can be posted. */
export type PdfCall = {
  readonly [Name in keyof PdfOperations]: {
    readonly name: Name
    readonly input: PdfInput<Name>
    readonly bounds: Omit<PdfBoundsOf<Name>, keyof DrawingBounds>
  }
}[keyof PdfOperations]

type PdfInput<Name extends keyof PdfOperations> =
  Parameters<PdfOperations[Name]> extends [...infer Input, infer _Bounds] ? Input : never
type PdfBoundsOf<Name extends keyof PdfOperations> =
  Parameters<PdfOperations[Name]> extends [...infer _Input, infer Bounds] ? Bounds : never

/** Runs a call in a thread. `portOf` makes the end of a channel that lines of text are drawn through, for each attempt. */
export type RunPdfCall = (
  call: PdfCall,
  signal: AbortSignal,
  portOf: (() => MessagePort) | undefined,
) => Promise<unknown>

interface DrawRequest {
  readonly id: number
  readonly request: TextRequest
}
type DrawReply = { readonly id: number } & (
  | { readonly outcome: Outcome<Uint8Array> }
  | { readonly error: ThreadError }
)

/** The operations as callers use them. `run` resolves to what the operation of this name does in the thread. */
export function pdfOnThreads(run: RunPdfCall): PdfOperations {
  async function call<Result>(one: PdfCall, { signal, drawText }: DrawingBounds): Promise<Result> {
    signal.throwIfAborted()
    const ports: MessagePort[] = []
    const portOf = drawText && (() => openPort(drawText, signal, ports))
    try {
      return (await run(one, signal, portOf)) as Result
    } finally {
      for (const port of ports) port.close()
    }
  }
  return {
    applyStage: (bytes, options, { signal, drawText, ...bounds }) =>
      call({ name: 'applyStage', input: [transferable(bytes), options], bounds }, { signal, drawText }),
    deriveKeys: (request, bounds) => call({ name: 'deriveKeys', input: [request], bounds: {} }, bounds),
    compose: (bytes, composition, { signal, ...bounds }) =>
      call(
        {
          name: 'compose',
          input: [
            transferable(bytes),
            {
              ...composition,
              before: composition.before.map(transferable),
              behind: composition.behind.map(transferable),
              attachments: composition.attachments.map((one) => ({ ...one, bytes: transferable(one.bytes) })),
            },
          ],
          bounds,
        },
        { signal },
      ),
    join: (files, bounds) => call({ name: 'join', input: [files.map(transferable)], bounds: {} }, bounds),
    prepareSignature: (bytes, field, { signal, drawText, ...bounds }) =>
      call({ name: 'prepareSignature', input: [transferable(bytes), field], bounds }, { signal, drawText }),
    lossesBetween: (before, after, bounds) =>
      call({ name: 'lossesBetween', input: [transferable(before), transferable(after)], bounds: {} }, bounds),
  }
}

/** Opens a channel that draws what the other side asks for. `opened` gets the end that stays here. */
function openPort(drawText: DrawText, signal: AbortSignal, opened: MessagePort[]): MessagePort {
  const { port1: here, port2: there } = new MessageChannel()
  opened.push(here)
  here.on('message', async ({ id, request }: DrawRequest) => {
    const reply: DrawReply = await drawText(request, signal).then(
      (outcome) => ({ id, outcome }),
      (error: unknown) => ({ id, error: describeError(error) }),
    )
    here.postMessage(reply)
  })
  here.unref()
  return there
}

/** Performs a call in the thread. The pool terminates a thread whose caller has given up, so the signal never fires. */
export async function performPdfCall(
  operations: PdfOperations,
  call: PdfCall,
  port: MessagePort | undefined,
): Promise<unknown> {
  const { signal } = new AbortController()
  const bounds = { signal, ...(port && { drawText: drawThrough(port) }), ...call.bounds }
  // The types of name, arguments and bounds belong together, which TypeScript cannot follow through the look-up.
  const operation = operations[call.name] as (...input: readonly unknown[]) => Promise<unknown>
  try {
    return await operation(...call.input, bounds)
  } finally {
    port?.close()
  }
}

function drawThrough(port: MessagePort): DrawText {
  const waiting = new Map<number, PromiseWithResolvers<Outcome<Uint8Array>>>()
  let count = 0
  port.on('message', (reply: DrawReply) => {
    const drawing = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('outcome' in reply) drawing?.resolve(reply.outcome)
    else drawing?.reject(reviveError(reply.error))
  })
  return (request) => {
    const drawing = Promise.withResolvers<Outcome<Uint8Array>>()
    const id = count++
    waiting.set(id, drawing)
    port.postMessage({ id, request } satisfies DrawRequest)
    return drawing.promise
  }
}

/** The buffers in the result of a call that may be transferred instead of copied. */
export function buffersOf(value: unknown): readonly ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const isWhole = value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
    return isWhole ? [value.buffer as ArrayBuffer] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return 'value' in value ? buffersOf(value.value) : 'bytes' in value ? buffersOf(value.bytes) : []
}
