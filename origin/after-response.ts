import type { Server } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Work that a server began when a response ended and that has not ended itself. */
const running = new WeakMap<Server, Set<Promise<unknown>>>()

/** Makes closing an application wait for the work of `afterResponse`. */
export function awaitAfterResponses(app: FastifyInstance): void {
  // Fastify calls this hook when the last response has ended, and before the stores are closed.
  app.addHook('onClose', async () => {
    await Promise.all(running.get(app.server) ?? [])
  })
}

/**
 * Runs `work` once when the response has ended, sent or not: for example, to delete a document that was delivered.
 * `work` must handle its own failures; they are not reported here.
 */
export function afterResponse({ raw, server: { server } }: FastifyReply, work: () => Promise<unknown>): void {
  const pending = running.get(server) ?? new Set()
  running.set(server, pending)
  raw.once('close', () => {
    const ended: Promise<unknown> = work()
      .catch(() => undefined)
      .finally(() => pending.delete(ended))
    pending.add(ended)
  })
}
