/**
 * Calls from a worker thread to a function of the thread that serves requests. Each task has a port of its own, so
 * that its calls end with the task.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { describeError, reviveError, type ThreadError } from './threads.ts'

interface CallMessage<Request> {
  readonly id: number
  readonly request: Request
}
type ReplyMessage<Result> = { readonly id: number } & (
  | { readonly result: Result }
  | { readonly error: ThreadError }
)

export interface AnsweredPort {
  /** The port of the thread, which is posted with its task. */
  readonly port: MessagePort
  close(): void
}

/**
 * Opens a port whose calls are passed to `answer`. Requests and results must be plain data. `buffersOf` returns the
 * buffers of a result that are transferred instead of copied.
 */
export function answerCalls<Request, Result>(
  answer: (request: Request) => Promise<Result>,
  buffersOf: (result: Result) => readonly ArrayBuffer[] = () => [],
): AnsweredPort {
  const { port1: localPort, port2: remotePort } = new MessageChannel()
  localPort.on('message', async ({ id, request }: CallMessage<Request>) => {
    try {
      const result = await answer(request)
      localPort.postMessage({ id, result } satisfies ReplyMessage<Result>, buffersOf(result))
    } catch (error) {
      localPort.postMessage({ id, error: describeError(error) } satisfies ReplyMessage<Result>)
    }
  })
  localPort.unref()
  return { port: remotePort, close: () => localPort.close() }
}

/** The function behind a port, for the thread that received it. */
export function callThrough<Request, Result>(port: MessagePort): (request: Request) => Promise<Result> {
  const waiting = new Map<number, PromiseWithResolvers<Result>>()
  let count = 0
  port.on('message', (reply: ReplyMessage<Result>) => {
    const call = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('result' in reply) call?.resolve(reply.result)
    else call?.reject(reviveError(reply.error))
  })
  return (request) => {
    const call = Promise.withResolvers<Result>()
    const id = count++
    waiting.set(id, call)
    port.postMessage({ id, request } satisfies CallMessage<Request>)
    return call.promise
  }
}
