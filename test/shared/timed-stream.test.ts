import { describe, expect, it } from 'vitest'
import { timedStream } from '../../shared/timed-stream.ts'

/** Sends chunks with pauses of `pauseMs` between them; `cancelled` resolves when it is given up. */
function sender(chunks: number, pauseMs: number) {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  let sent = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent++ === chunks) return controller.close()
        await new Promise((done) => setTimeout(done, pauseMs))
        controller.enqueue(new Uint8Array([sent]))
      },
      cancel: () => resolve(),
    },
    { highWaterMark: 0 },
  )
  return { stream, cancelled }
}
/** Sends one chunk and then nothing. */
function stalls() {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: () => resolve(),
  })
  return { stream, cancelled }
}
const late = () => new Error('late')
const sizeOf = async (stream: ReadableStream<Uint8Array>) =>
  (await new Response(stream).arrayBuffer()).byteLength

describe('a timed stream', () => {
  it('passes on what arrives in time, however long a reader waits between its reads', async () => {
    expect(await sizeOf(timedStream(sender(5, 1).stream, { idleMs: 5000 }, late))).toBe(5)
    const reader = timedStream(sender(2, 0).stream, { idleMs: 200 }, late).getReader()
    await reader.read()
    await new Promise((done) => setTimeout(done, 400))
    expect((await reader.read()).value).toEqual(new Uint8Array([2]))
  })

  it('fails and cancels its source when that stops sending', async () => {
    const { stream, cancelled } = stalls()
    await expect(sizeOf(timedStream(stream, { idleMs: 30 }, late))).rejects.toThrow('late')
    await cancelled
  })

  it('fails when the complete transfer takes too long, though each chunk arrives in time', async () => {
    const { stream, cancelled } = sender(1000, 5)
    const timed = timedStream(stream, { idleMs: 5000, totalMs: 50 }, late)
    await expect(sizeOf(timed)).rejects.toThrow('late')
    await cancelled
  })

  it('passes on the failure of its source, and its own end to it', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error('cut')),
    })
    await expect(sizeOf(timedStream(broken, { idleMs: 5000 }, late))).rejects.toThrow('cut')
    const { stream, cancelled } = stalls()
    await timedStream(stream, { idleMs: 5000 }, late).cancel()
    await cancelled
  })
})
