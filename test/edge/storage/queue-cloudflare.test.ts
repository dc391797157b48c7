import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openCloudflareQueue } from '../../../edge/storage/queue-cloudflare.ts'
import type { QueuedJob } from '../../../shared/ports/queue.ts'
import { queueContract, until } from '../../contract/queue.ts'
import { lendQueue } from '../worker.ts'

queueContract(
  'Cloudflare Queues',
  async () => ({
    queue: openCloudflareQueue(env.RENDERS),
    consume: async (run) => {
      lendQueue(run)
      return async () => lendQueue(undefined)
    },
  }),
  { pushed: true },
)

describe('Cloudflare Queues', () => {
  it('does not count the deliveries of a job whose account has its share of running ones', async () => {
    const given: QueuedJob[] = []
    lendQueue(async (job) => {
      if (job.id !== 'shared') return undefined
      given.push(job)
      return given.length < 4 ? { afterMs: 1, untried: true } : undefined
    })
    await openCloudflareQueue(env.RENDERS).send({ id: 'shared', account: 'acme', kind: 'render' })
    await until(() => given.length === 4)
    lendQueue(undefined)
    expect(given.map(({ id, delivery }) => [id, delivery])).toEqual(Array(4).fill(['shared', 1]))
  })

  it('reports a job that cannot be sent', async () => {
    const job = { id: 'x'.repeat(200_000), account: 'acme', kind: 'render', delivery: 1 } as const
    await expect(openCloudflareQueue(env.RENDERS).send(job)).rejects.toMatchObject({ code: 'storage.queue' })
  })
})
