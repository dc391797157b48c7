import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of a connection that may wait for the response to an earlier one. Clients that send ahead send fewer. */
const maxWaiting = 100

/**
 * Handles the requests of each connection one after the other, each in a turn of its own. Node passes on every request that
 * a packet contains at once, and 64 KB contain thousands: handled together they would keep the thread from everybody else. A
 * connection that sends more ahead than may wait is closed, which RFC 9112 (9.3.2) lets a server do at any time.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  /** The requests that wait, by the connections on which one is being handled. */
  const lines = new WeakMap<Socket, (readonly [IncomingMessage, ServerResponse])[]>()

  const begin = (socket: Socket, request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => setImmediate(goOn, socket))
    handle(request, response)
  }
  const goOn = (socket: Socket) => {
    const next = socket.destroyed ? undefined : lines.get(socket)?.shift()
    if (next === undefined) lines.delete(socket)
    else begin(socket, ...next)
  }
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const line = lines.get(socket)
    if (line === undefined) {
      lines.set(socket, [])
      begin(socket, request, response)
    } else if (line.length < maxWaiting) line.push([request, response])
    else socket.destroy()
  }
}
