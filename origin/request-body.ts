import type { IncomingMessage } from 'node:http'
import { AppError } from '../shared/errors/app-error.ts'

/**
 * The request body as a web stream. It reads from the socket only on demand, and leaving it unread does not
 * close the connection before the answer is sent. It fails with 'api.body.cut' when the sender disconnects
 * before the end, and with 'api.body.slow' when the whole body, or each chunk that is waited for, takes longer
 * than `timeoutMs`.
 */
export function requestBody(
  raw: IncomingMessage,
  timeoutMs: number,
  timed: 'whole' | 'chunk',
): ReadableStream<Uint8Array> {
  /** `pull` was called and no chunk has been enqueued since. */
  let isPulling = false
  /** Of the whole body, or of the chunk that is being waited for. */
  let timer: ReturnType<typeof setTimeout> | undefined
  let timeOut = () => {} // set by `start`
  // Enqueues everything that has been received as one chunk, because a body may arrive one byte at a time.
  const enqueueReceived = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = raw.read() as Uint8Array | null
    if (chunk === null) return
    if (timed === 'chunk') clearTimeout(timer)
    isPulling = false
    controller.enqueue(chunk)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // 'end', 'error' and 'close' may all occur; only the first of them settles the stream.
        let isOpen = true
        const end = (settle: () => void) => {
          clearTimeout(timer)
          if (isOpen) settle()
          isOpen = false
        }
        timeOut = () => end(() => controller.error(new AppError('api.body.slow')))
        if (timed === 'whole') timer = setTimeout(timeOut, timeoutMs)
        raw.on('readable', () => {
          if (isOpen && isPulling) enqueueReceived(controller)
        })
        raw.once('end', () => end(() => controller.close()))
        raw.once('error', () => end(() => controller.error(new AppError('api.body.cut'))))
        raw.once('close', () => end(() => controller.error(new AppError('api.body.cut'))))
      },
      pull(controller) {
        isPulling = true
        if (timed === 'chunk') timer = setTimeout(timeOut, timeoutMs)
        enqueueReceived(controller)
      },
    },
    { highWaterMark: 0 },
  )
}
