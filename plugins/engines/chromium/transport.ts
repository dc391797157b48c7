import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core/internal/puppeteer-core-browser.js'

/** DevTools over the two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a zero byte. No port is open. */
export function pipeTransport(output: Readable, input: Writable): ConnectionTransport {
  let parts: Buffer[] = []
  const transport: ConnectionTransport = {
    send(message) {
      input.write(`${message}\0`)
    },
    close() {
      input.end()
    },
  }
  output.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end))
      const message = Buffer.concat(parts).toString('utf8')
      parts = []
      start = end + 1
      transport.onmessage?.(message)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  output.once('close', () => transport.onclose?.())
  // The end of the process is handled by its owner.
  output.on('error', () => undefined)
  input.on('error', () => undefined)
  return transport
}
