import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createServices } from '../../edge/services.ts'
import worker from '../../edge/worker.ts'
import { jobReport } from '../../shared/jobs/jobs.ts'
import { saveJob } from '../../shared/records/jobs.ts'
import { jobsContract } from '../contract/jobs.ts'

const quiet = { ...env, SERVICE_LOG_LEVEL: 'silent' } as typeof env

jobsContract('D1 and R2', () => createServices(quiet))

describe('the dead letter queue', () => {
  it('ends the render of each of its messages', async () => {
    const services = await createServices(quiet)
    const id = 'd'.repeat(32)
    const job = { account: 'self', id, blob: `self/jobs/${id}`, key: '00', webhook: '' }
    await saveJob(services.sql, {
      ...job,
      credits: 0,
      creditsMonth: '',
      createdAt: Math.floor(Date.now() / 1000),
    })
    const acknowledged: string[] = []
    const message = {
      id: 'm',
      timestamp: new Date(),
      body: { id, account: 'self', kind: 'render' as const },
      attempts: 100,
      ack: () => void acknowledged.push(id),
      retry: () => void acknowledged.push('again'),
    }
    const batch = { queue: 'platen-renders-dead', messages: [message], ackAll() {}, retryAll() {} }
    await worker.queue(batch as unknown as Parameters<typeof worker.queue>[0], quiet)
    expect(acknowledged).toEqual([id])
    expect(await jobReport(services, 'self', id)).toMatchObject({ state: 'failed', code: 'w212' })
  })
})
