import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Minimum average rate at which a client must read a response, in bytes per second. */
const minBytesPerSecond = 1024

/**
 * Closes connections whose client reads almost nothing of its response for `windowMs`, because each keeps a document
 * in memory, or occupies the slot of a batch that is sent while it is made. Node limits the times of requests, but
 * not those of responses.
 */
export function cutSlowReaders(server: Server, windowMs: number): void {
  /**
   * The number of bytes that the system had accepted for each connection when its window began. Absent: no bytes were
   * waiting to be sent.
   */
  const windows = new Map<Socket, number>()
  const minBytes = (windowMs / 1000) * minBytesPerSecond
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => {
      connections.delete(socket)
      windows.delete(socket)
    })
  })
  const timer = setInterval(() => {
    for (const socket of connections) {
      const read = socket.bytesWritten - socket.writableLength
      const before = windows.get(socket)
      if (socket.writableLength === 0) windows.delete(socket)
      else if (before !== undefined && read - before < minBytes) socket.destroy()
      else windows.set(socket, read)
    }
  }, windowMs).unref()
  server.once('close', () => clearInterval(timer))
}
