import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Gate {
  readonly port: number
  /** Refuses connections and breaks those that are open, as a server that has died. */
  down(): Promise<void>
  up(): Promise<void>
  /** Takes connections and bytes and passes nothing on, as a server that hangs. */
  freeze(): void
  thaw(): void
  /** Passes everything on after so many milliseconds, as a line to a far place. */
  slow(ms: number): void
  close(): Promise<void>
}

/** A port that forwards connections to another one of this machine, until it is closed. */
export async function startGate(target: number): Promise<Gate> {
  // One of a pair may be closed while the other one is frozen, which must be thawed all the same.
  const open = new Set<Socket>()
  let frozen = false
  let delayMs = 0
  const accept = (client: Socket) => {
    const server = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(from)
      from.on('data', (chunk) => {
        if (delayMs === 0) to.write(chunk)
        else setTimeout(() => to.write(chunk), delayMs)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.end()
      })
      if (frozen) from.pause()
    }
  }
  let listener = await listening(0)
  const { port } = listener.address() as { port: number }
  function listening(wanted: number): Promise<Server> {
    const server = createServer(accept)
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, '127.0.0.1', () => resolve(server))
    })
  }
  const down = async () => {
    const closed = new Promise((resolve) => listener.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
  const setFrozen = (value: boolean) => {
    frozen = value
    for (const socket of open) value ? socket.pause() : socket.resume()
  }
  return {
    port,
    down,
    up: async () => {
      listener = await listening(port)
    },
    freeze: () => setFrozen(true),
    thaw: () => setFrozen(false),
    slow: (ms) => {
      delayMs = ms
    },
    close: down,
  }
}
