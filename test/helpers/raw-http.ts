import { connect, type Socket } from 'node:net'

/** A connection that sends exactly the given bytes, for requests that no well-behaved client sends. */
export interface RawConnection {
  write(text: string | Uint8Array): void
  /** Everything received until the other side closes, or until `enough` says so. */
  received(enough?: (text: string) => boolean): Promise<string>
  destroy(): void
  readonly socket: Socket
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let text = ''
  let closed = false
  const waiters = new Set<() => void>()
  const wake = () => {
    for (const waiter of [...waiters]) waiter()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    wake()
  })
  return {
    socket,
    write: (data) => void socket.write(data),
    destroy: () => void socket.destroy(),
    received: (enough = () => false) =>
      new Promise((resolve) => {
        const look = () => {
          if (!closed && !enough(text)) return
          waiters.delete(look)
          resolve(text)
        }
        waiters.add(look)
        look()
      }),
  }
}

/** Status and JSON of an answer as it came over the wire. */
export function readRaw(text: string): { readonly status: number; readonly body: unknown } {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  const start = text.indexOf('{')
  return { status, body: start === -1 ? undefined : JSON.parse(text.slice(start, text.lastIndexOf('}') + 1)) }
}
