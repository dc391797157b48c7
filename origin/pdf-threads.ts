/**
 * The operations on PDFs in threads. A file of a thousand pages takes a second of work, during which the thread that serves
 * requests would answer none.
 */
import type { MessagePort } from 'node:worker_threads'
import type { DrawingBounds, PdfOperations } from '../shared/pdf/operations.ts'
import type { PdfChanges } from '../shared/plugin/pdf-changes.ts'
import type { TextRequest } from '../shared/plugin/text-drawing.ts'
import type { Outcome } from '../shared/plugin/values.ts'
import { type AnsweredPort, answerCalls, callThrough } from './port-calls.ts'
import { transferable } from './threads.ts'

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

/**
 * Runs a call in a thread. `portOf` creates, for each attempt, the end of a channel through which lines of text are
 * drawn.
 */
export type RunPdfCall = (
  call: PdfCall,
  signal: AbortSignal,
  portOf: (() => MessagePort) | undefined,
) => Promise<unknown>

/** The operations as callers use them. `run` resolves to the result of the operation of this name in the thread. */
export function pdfOnThreads(run: RunPdfCall): PdfOperations {
  async function call<Result>(pdfCall: PdfCall, { signal, drawText }: DrawingBounds): Promise<Result> {
    signal.throwIfAborted()
    const ports: AnsweredPort[] = []
    const portOf =
      drawText &&
      (() => {
        const opened = answerCalls((request: TextRequest) => drawText(request, signal))
        ports.push(opened)
        return opened.port
      })
    try {
      return (await run(pdfCall, signal, portOf)) as Result
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
              after: composition.after.map(transferable),
              attachments: composition.attachments.map((attachment) => ({
                ...attachment,
                bytes: transferable(attachment.bytes),
              })),
            },
          ],
          bounds,
        },
        { signal },
      ),
    attachManifest: (bytes, manifest, bounds) =>
      call({ name: 'attachManifest', input: [transferable(bytes), manifest], bounds: {} }, bounds),
    join: (files, bounds) => call({ name: 'join', input: [files.map(transferable)], bounds: {} }, bounds),
    amend: (bytes, changes, { signal, drawText }) =>
      call(
        { name: 'amend', input: [transferable(bytes), transferableChanges(changes)], bounds: {} },
        { signal, drawText },
      ),
    describe: (bytes, bounds) => call({ name: 'describe', input: [transferable(bytes)], bounds: {} }, bounds),
    prepareSignature: (bytes, field, { signal, drawText, ...bounds }) =>
      call({ name: 'prepareSignature', input: [transferable(bytes), field], bounds }, { signal, drawText }),
    checkInvoice: (bytes, request, { signal, ...bounds }) =>
      call({ name: 'checkInvoice', input: [transferable(bytes), request], bounds }, { signal }),
    lossesBetween: (before, after, bounds) =>
      call({ name: 'lossesBetween', input: [transferable(before), transferable(after)], bounds: {} }, bounds),
    readText: (bytes, bounds) => call({ name: 'readText', input: [transferable(bytes)], bounds: {} }, bounds),
  }
}

function transferableChanges(changes: PdfChanges): PdfChanges {
  const { overlays } = changes
  if (overlays === undefined) return changes
  return {
    ...changes,
    overlays: overlays.map((overlay) =>
      'pdf' in overlay.content
        ? { ...overlay, content: { ...overlay.content, pdf: transferable(overlay.content.pdf) } }
        : overlay,
    ),
  }
}

/** Performs a call in the thread. The pool terminates a thread whose caller has given up, so the signal never fires. */
export async function performPdfCall(
  operations: PdfOperations,
  call: PdfCall,
  port: MessagePort | undefined,
): Promise<unknown> {
  const { signal } = new AbortController()
  const bounds = {
    signal,
    ...(port && { drawText: callThrough<TextRequest, Outcome<Uint8Array>>(port) }),
    ...call.bounds,
  }
  // The types of name, arguments and bounds belong together, which TypeScript cannot follow through the look-up.
  const operation = operations[call.name] as (...input: readonly unknown[]) => Promise<unknown>
  try {
    return await operation(...call.input, bounds)
  } finally {
    port?.close()
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
