import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../contract/http/client.ts'
import { type Cluster, startCluster } from '../../helpers/cluster.ts'

/** Two processes on PostgreSQL, S3 and Redis. */
describe('a cluster', () => {
  let cluster: Cluster
  const notices = new Map<string, string[]>() // path -> bodies
  const hooks = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = request.url ?? ''
    notices.set(path, [...(notices.get(path) ?? []), body])
    response.end()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
    cluster = await startCluster(2, { SERVICE_EGRESS_ALLOW_PRIVATE: 'true', SERVICE_MERGE_WORKERS: '1' })
  })
  afterAll(async () => {
    hooks.close()
    await cluster.stop()
  })
  const clients = () => cluster.nodes.map(({ url }) => createClient(url))

  it('a process serves what another one stored and rendered', async () => {
    const [a, b] = clients()
    const { versionId } = await a!.version('Hello {d.name}!')
    const answer = await b!.post(`/render/${versionId}`, { data: { name: 'Ann' } })
    expect(answer.status).toBe(200)
    const file = await a!.get(`/render/${answer.body.data.renderId}`)
    expect([file.status, file.text]).toEqual([200, 'Hello Ann!'])
    expect((await b!.get(`/render/${answer.body.data.renderId}`)).status).toBe(404)
  })

  it('of many simultaneous downloads from both exactly one gets the file', async () => {
    const [a, b] = clients()
    const id = await a!.hashed('Once {d.x}')
    const { body } = await a!.post(`/render/${id}`, { data: { x: 1 } })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? a : b)!.get(`/render/${body.data.renderId}`)),
    )
    expect(answers.filter(({ status }) => status === 200).map(({ text }) => text)).toEqual(['Once 1'])
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(39)
  })

  it('when one is killed among 100 asynchronous renders, each is delivered and can be downloaded once', async () => {
    const [a, b] = clients()
    const hook = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
    // Long enough that many are waiting and some are in hand when the process dies.
    const id = await a!.hashed('<i>{d.l[i]}</i><i>{d.l[i+1]}</i>{d.n}')
    const l = Array.from({ length: 20_000 }, (_, n) => n)
    const count = 100
    let alive = [a!, b!]
    for (let n = 0; n < count; n += 10) {
      const some = await Promise.all(
        Array.from({ length: 10 }, (_, k) =>
          alive[k % alive.length]!.post(
            `/render/${id}`,
            { data: { l, n: n + k } },
            { 'service-webhook-url': `${hook}/${n + k}` },
          ),
        ),
      )
      expect(some.map(({ status }) => status)).toEqual(Array(10).fill(200))
      if (n !== count / 2) continue
      await cluster.nodes[0]!.kill()
      alive = [b!]
    }
    await expect.poll(() => notices.size, { interval: 200 }).toBe(count)
    for (let n = 0; n < count; n++) {
      // A notice may come again after a crash; it names the same render.
      const ids = new Set(notices.get(`/${n}`)!.map((body) => JSON.parse(body).data.renderId as string))
      expect([n, ids.size]).toEqual([n, 1])
      const [renderId] = ids
      const twice = await Promise.all([b!.get(`/render/${renderId}`), b!.get(`/render/${renderId}`)])
      expect(twice.map(({ status }) => status).sort()).toEqual([200, 404])
      expect(twice.find(({ status }) => status === 200)!.text.endsWith(`</i>${n}`)).toBe(true)
    }
  })
})
