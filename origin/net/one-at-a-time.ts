import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Maximum number of pipelined requests of a connection that may wait for the response to an earlier one. Clients send
 * fewer.
 */
const maxWaiting = 100

/**
 * Handles the requests of each connection one after the other, each in a turn of its own. Node emits every request
 * that a packet contains at once, and 64 KB contain thousands: handled together they would block the thread for all
 * other clients. A connection with more waiting requests is closed, which RFC 9112 (9.3.2) allows at any time.
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
