import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { runRenderJob } from '../../shared/jobs/run-job.ts'
import type { Log } from '../../shared/plugin/values.ts'
import type { QueuedJob } from '../../shared/ports/index.ts'
import { testConfig } from '../helpers/origin-config.ts'

/** Text that stands for what callers send. None of it may come out anywhere but in their documents. */
const canary = 'canary-5f0c'
const lines: string[] = []
const note = (level: string) => (event: string, details?: unknown) =>
  void lines.push(
    JSON.stringify([level, event, details], (_, value) =>
      value instanceof Error ? String(value.stack) : value,
    ),
  )
const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }

const received: { readonly url: string; readonly id: unknown; readonly traceparent: unknown }[] = []
const receiver = createServer((request, response) => {
  received.push({
    url: request.url ?? '',
    id: request.headers['x-request-id'],
    traceparent: request.headers['traceparent'],
  })
  response.end()
})
let services: OriginServices
let url: string
let close: () => Promise<void>
const sent: QueuedJob[] = []

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { config, remove } = await testConfig({ mergeWorkers: 1, egressAllowPrivate: true, prewarm: false })
  const own = await createServices(config)
  const queue = {
    ...own.queue,
    send: async (job: Omit<QueuedJob, 'delivery'>) => void sent.push({ ...job, delivery: 1 }),
  }
  services = { ...own, log, queue }
  const app = createApp(services)
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  close = async () => {
    app.server.closeAllConnections()
    await app.close()
    await own.stop()
    await remove()
    receiver.close()
  }
})
afterAll(() => close())

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const render = (
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  path = '/render/template?download=true',
) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const template = Buffer.from(`Hello {d.name} ${canary}`).toString('base64')

it('sends the ID of the request with each response, and logs it with operation, account and status', async () => {
  const answer = await render(
    { template, data: { name: 'x' } },
    { 'x-request-id': 'mine-1', traceparent: `00-${trace}-00f067aa0ba902b7-01` },
  )
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, 'mine-1'])
  const line = lines.find((each) => each.includes('mine-1'))
  expect(JSON.parse(line ?? '')).toEqual([
    'info',
    'request',
    expect.objectContaining({
      request: 'mine-1',
      operation: 'render',
      account: 'self',
      status: 200,
      method: 'POST',
      trace: expect.stringContaining(trace),
    }),
  ])
  const made = await fetch(`${url}/templates`)
  expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
})

it('calls a webhook with the ID and the trace of its request', async () => {
  const { port } = receiver.address() as AddressInfo
  const headers = {
    'service-webhook-url': `http://127.0.0.1:${port}/${canary}`,
    'x-request-id': 'mine-2',
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
  }
  expect((await render({ template, data: { name: canary } }, headers, '/render/template')).status).toBe(200)
  const job = sent.pop()
  if (job === undefined) throw new Error('Nothing was sent to the queue.')
  await runRenderJob(services, job, new AbortController().signal)
  expect(received).toEqual([{ url: `/${canary}`, id: 'mine-2', traceparent: expect.stringContaining(trace) }])
})

it('logs and metrics contain nothing that callers sent', async () => {
  const { port } = receiver.address() as AddressInfo
  const bodies = [
    { template, data: { name: canary }, reportName: canary, complement: { canary } },
    {
      template: Buffer.from(`{d.${canary}:unknown(${canary})} {d.a:showBegin}`).toString('base64'),
      data: {},
    },
    { template, data: { name: canary }, convertTo: canary },
    { template, data: {}, convertTo: { formatName: 'pdf', formatOptions: { PageRange: canary } } },
    { template: canary, data: {} },
    { template, data: {}, lang: canary, timezone: canary },
    {
      template: Buffer.from(`<img src="http://127.0.0.1:1/${canary}">`).toString('base64'),
      data: {},
      convertTo: 'pdf',
      converter: canary,
    },
  ]
  for (const body of bodies) await render(body, { authorization: `Bearer ${canary}` })
  await fetch(`${url}/render/${canary}?${canary}=1`)
  await fetch(`${url}/template/${canary}`)
  await fetch(`${url}/templates?search=${canary}&cursor=${canary}`)
  await render(
    { template, data: {} },
    { 'service-webhook-url': `http://127.0.0.1:${port === 1 ? 2 : 1}/${canary}` },
    '/render/template',
  )
  const job = sent.pop()
  if (job !== undefined) await runRenderJob(services, job, new AbortController().signal)
  expect(lines.filter((line) => line.includes(canary))).toEqual([])
  const metrics = await (await fetch(`${url}/metrics`)).text()
  for (const name of [
    'http_requests_total',
    'engine_waiting',
    'engine_restarts_total',
    'webhooks_total{outcome="delivered"} 1',
    'jobs_total{outcome="done"}',
    'oldest_job_seconds',
    'sweep_backlog 0',
    'store_duration_seconds_count{store="records"}',
    'store_duration_seconds_count{store="blobs"}',
    'event_loop_delay_p99_seconds',
    'isolation',
  ])
    expect(metrics).toContain(name)
  expect(metrics).not.toContain(canary)
})
