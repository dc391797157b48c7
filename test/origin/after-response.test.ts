import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { afterResponse, awaitAfterResponses } from '../../origin/after-response.ts'

/** An application whose one route has work to do after its response: it ends when `end` is called. */
async function application(answer: string | Error) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const app = fastify({ forceCloseConnections: 'idle' })
  awaitAfterResponses(app)
  const events: string[] = []
  app.get('/', async (_request, reply) => {
    afterResponse(reply, () => {
      events.push('work')
      return promise.finally(() => events.push('work ended'))
    })
    if (answer instanceof Error) throw answer
    return answer
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, events, address, end: resolve, fail: reject }
}

it.each<[string, string | Error]>([
  ['an answer', 'document'],
  ['an error', new Error('refused')],
])('a service that is stopped waits for the work behind %s', async (_name, answer) => {
  const { app, events, address, end } = await application(answer)
  await (await fetch(address)).text()
  await expect.poll(() => events).toEqual(['work'])
  const closed = app.close().then(() => events.push('closed'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(events).toEqual(['work'])
  end()
  await closed
  expect(events).toEqual(['work', 'work ended', 'closed'])
})

it('work that fails neither stops the service nor delays its end', async () => {
  const { app, events, address, fail } = await application('document')
  await (await fetch(address)).text()
  await expect.poll(() => events).toEqual(['work'])
  fail(new Error('disk full'))
  await app.close()
  expect(events).toEqual(['work', 'work ended'])
})
