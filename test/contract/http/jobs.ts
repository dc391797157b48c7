import { expect, it } from 'vitest'
import { type Client, nobody } from './client.ts'

/** Specification 6, the states of a job. The webhook has no receiver here; `test/origin` checks what it receives. */
export function jobCases(client: () => Client): void {
  const start = async (template: string, body: object) => {
    const answer = await client().post(`/render/${await client().hashed(template)}`, body, nobody)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: 'A render ID will be sent to your callback URL when the document is generated',
        data: { renderId: '' },
      },
    ])
    return answer.headers.get('service-job-id') ?? ''
  }
  const report = async (id: string) => (await client().get(`/jobs/${id}`)).body.data
  const ended = async (id: string) => {
    await expect.poll(async () => (await report(id)).state, { interval: 100 }).toMatch(/^(done|failed)$/)
    return report(id)
  }

  it('prefer: respond-async renders without a webhook, and the job says when it is done', async () => {
    const path = `/render/${await client().hashed('Asked {d.a}')}`
    for (const prefer of ['respond-async', 'handling=lenient, Respond-Async; x=1']) {
      const answer = await client().post(path, { data: { a: 1 } }, { prefer })
      expect([answer.status, answer.headers.get('preference-applied'), answer.body.data]).toEqual([
        202,
        'respond-async',
        { renderId: '' },
      ])
      const { state, renderId } = await ended(answer.headers.get('service-job-id') ?? '')
      expect(state).toBe('done')
      expect((await client().get(`/render/${renderId}`)).text).toBe('Asked 1')
    }
    const waiting = await client().post(path, { data: { a: 1 } }, { prefer: 'wait=10' })
    expect([waiting.status, waiting.body.data.renderId === '']).toEqual([200, false])
  })

  it('an asynchronous render has the id of its job in a header, and its document can be fetched by the job', async () => {
    const id = await start('Job {d.a}', { data: { a: 1 } })
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const { renderId, ...found } = await ended(id)
    expect(found).toEqual({
      jobId: id,
      state: 'done',
      createdAt: expect.any(Number),
      endedAt: expect.any(Number),
      webhook: { delivered: false, status: expect.any(String), calledAt: expect.any(Number) },
    })
    expect((await client().get(`/render/${renderId}`)).text).toBe('Job 1')
  })

  it('the events of a job report each of its states until it has ended', async () => {
    const path = `/render/${await client().hashed('{d.a}')}`
    const body = { data: Array.from({ length: 5 }, (_, a) => ({ a })), batchSplitBy: 'd' }
    const answer = await client().post(path, body, { prefer: 'respond-async' })
    const id = answer.headers.get('service-job-id') ?? ''
    const events = await client().get(`/jobs/${id}/events`)
    expect([events.status, events.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    const data = [...events.text.matchAll(/^event: job\ndata: (.+)\n$/gm)].map(([, text]) =>
      JSON.parse(text!),
    )
    expect(data.at(-1)).toEqual((await client().get(`/jobs/${id}`)).body.data)
    expect(data.at(-1)).toMatchObject({ state: 'done', progress: { total: 5, done: 5, failed: 0 } })
    expect(new Set(data.map((each) => JSON.stringify(each))).size).toBe(data.length)
    const missing = await client().get(`/jobs/${'0'.repeat(32)}/events`)
    expect([missing.status, missing.body.error]).toEqual([404, 'Job not found'])
  })

  it('a batch may be a job', async () => {
    const items = [{}, { a: 'x' }, {}]
    const body = { data: items, batchSplitBy: 'd', batchOnError: 'report' }
    const { renderId, progress } = await ended(await start('{d.a:padl(1000000000)}', body)) // fails with a text
    expect(progress).toEqual({ total: 3, done: 2, failed: 1 })
    expect(renderId).toMatch(/\.zip$/)
    expect((await client().send('HEAD', `/render/${renderId}`)).status).toBe(200)
  })

  it('a failed job has the error that a synchronous render would have had', async () => {
    expect(await ended(await start('{d.a:nonsense()}', { data: {} }))).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^Unable to generate the document\. /),
      code: 'w101',
      problems: [expect.objectContaining({ place: expect.objectContaining({ tag: '{d.a:nonsense()}' }) })],
    })
  })

  it('a waiting or running job can be cancelled', async () => {
    const template = '{d.list[i].a}{d.list[i+1].a}'
    const body = { data: { list: Array.from({ length: 20_000 }, (_, a) => ({ a })) } }
    const ids = await Promise.all(Array.from({ length: 8 }, () => start(template, body)))
    for (const id of ids.reverse()) {
      const answer = await client().delete(`/jobs/${id}`)
      if (answer.status === 409) expect((await ended(id)).state).toBe('done')
      else {
        expect([answer.status, answer.body.data.state]).toEqual([200, expect.any(String)])
        expect(await ended(id)).toMatchObject({ state: 'failed', error: 'The render was cancelled' })
        expect((await client().delete(`/jobs/${id}`)).status).toBe(409)
      }
    }
  })

  it('a job that has ended cannot be cancelled', async () => {
    const { jobId } = await ended(await start('x', { data: {} }))
    const answer = await client().delete(`/jobs/${jobId}`)
    expect([answer.status, answer.body]).toEqual([
      409,
      { success: false, error: 'The job has already ended', code: 'api.job.ended' },
    ])
  })

  it('a list of jobs with wrong filters is refused', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'webhook=maybe', 'cursor=x', "cursor='"]) {
      const answer = await client().get(`/jobs?${query}`)
      expect([query, answer.status, answer.body.success]).toEqual([query, 400, false])
    }
  })

  it('a job without a webhook has no call to repeat', async () => {
    const path = `/render/${await client().hashed('Silent {d.a}')}`
    const asked = await client().post(path, { data: {} }, { prefer: 'respond-async' })
    const id = asked.headers.get('service-job-id') ?? ''
    await ended(id)
    const answer = await client().post(`/jobs/${id}/webhook`, {})
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining('has no webhook')])
  })

  it('an unknown job is 404 when it is fetched, cancelled or repeated', async () => {
    const repeated = await client().post(`/jobs/${'0'.repeat(32)}/webhook`, {})
    expect([repeated.status, repeated.body.error]).toEqual([404, 'Job not found'])
    for (const id of ['0'.repeat(32), 'x', "'"])
      for (const method of ['GET', 'DELETE']) {
        const answer = await client().send(method, `/jobs/${encodeURIComponent(id)}`)
        expect([answer.status, answer.body]).toEqual([
          404,
          { success: false, error: 'Job not found', code: 'api.job.not-found' },
        ])
      }
  })
}
