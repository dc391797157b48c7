import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openCloudflareQueue } from '../../../edge/storage/queue-cloudflare.ts'
import { queueContract } from '../../contract/queue.ts'
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
  it('says so when a job cannot be sent', async () => {
    const job = { id: 'x'.repeat(200_000), account: 'acme', kind: 'render', delivery: 1 } as const
    await expect(openCloudflareQueue(env.RENDERS).send(job)).rejects.toMatchObject({ code: 'storage.queue' })
  })
})
