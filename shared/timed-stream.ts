/**
 * Passes on the chunks of a stream that another host sends. It fails with `late()` when a chunk that is waited for does not
 * arrive within `idleMs`, and, with `totalMs`, when the stream has not ended so long after its start. The stream is then
 * cancelled, so that its connection is given up.
 */
export function timedStream(
  stream: ReadableStream<Uint8Array>,
  { idleMs, totalMs = Number.POSITIVE_INFINITY }: { readonly idleMs: number; readonly totalMs?: number },
  timeoutError: () => Error,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  const end = Date.now() + totalMs
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let isLate = false
        const giveUp = () => {
          isLate = true
          controller.error(timeoutError())
          reader.cancel().catch(() => {})
        }
        const timer = setTimeout(giveUp, Math.max(0, Math.min(idleMs, end - Date.now())))
        try {
          const { value, done } = await reader.read()
          // A stream that was given up ends like a complete one.
          if (isLate) return
          if (done) controller.close()
          else controller.enqueue(value)
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
