import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../origin/server.ts'
import { zipOf } from '../helpers/docx.ts'
import { testConfig } from '../helpers/origin-config.ts'

/** Text that stands for what callers send. None of it may leave the service in a span or a metric. */
const canary = 'canary-81c2'
const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly status: { readonly code?: number }
}
interface OtlpMetric {
  readonly name: string
  readonly sum?: {
    readonly dataPoints: readonly { readonly asDouble?: number }[]
    readonly isMonotonic: boolean
  }
  readonly gauge?: { readonly dataPoints: readonly { readonly asDouble?: number }[] }
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: number
      readonly bucketCounts: readonly number[]
      readonly explicitBounds: readonly number[]
    }[]
  }
}

/** What the receiver was sent, as OTLP/HTTP in JSON has it (opentelemetry-proto, `ExportTraceServiceRequest`). */
const sent: { readonly path: string; readonly type: string; readonly text: string }[] = []
const called = Promise.withResolvers<void>() // the webhook was
const receiver = createServer(async (request, response) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  const text = Buffer.concat(chunks).toString()
  if (request.url === '/hook') called.resolve()
  else sent.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', text })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})

let spans: readonly OtlpSpan[]
let metrics: readonly OtlpMetric[]
let response: Response
let failed: Response

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const { config, remove } = await testConfig({ egressAllowPrivate: true, otlpUrl: `${at}/otlp` })
  const server = await startServer(config)
  const template = Buffer.from(
    await zipOf({
      'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${canary} {d.name}</w:t></w:r></w:p></w:body></w:document>`,
    }),
  ).toString('base64')
  const body = { template, data: { name: canary }, convertTo: 'pdf', converter: 'I', reportName: canary }
  const post = (json: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/render/template`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': canary, ...headers },
      body: JSON.stringify(json),
    })
  response = await post(body, { traceparent: `00-${trace}-${parent}-01` })
  await response.arrayBuffer()
  const accepted = await post(body, {
    traceparent: `00-${trace}-${parent}-01`,
    'service-webhook-url': `${at}/hook`,
  })
  expect(accepted.ok).toBe(true)
  await called.promise
  failed = await post({
    ...body,
    template: Buffer.from(`{d.a:${canary}()}`).toString('base64'),
    convertTo: 'txt',
  })
  await failed.arrayBuffer()
  await post(body, { traceparent: `00-${'b'.repeat(32)}-${parent}-00` })
  await fetch(`${server.url}/status`)
  await server.stop()
  await remove()
  const of = (path: string) => sent.filter((one) => one.path === path).map(({ text }) => JSON.parse(text))
  spans = of('/otlp/v1/traces').flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
  metrics = of('/otlp/v1/metrics').flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: OtlpMetric[] }[] }) =>
      scopeMetrics.flatMap((scope) => scope.metrics),
    ),
  )
})
afterAll(() => void receiver.close())

const named = (name: string) => spans.filter((span) => span.name === name)
const attribute = (span: OtlpSpan, key: string) =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0]

describe('spans', () => {
  it('of a request are below the span of the caller, and what it causes is below them', () => {
    expect(response.status).toBe(200)
    const [request] = spans.filter((span) => span.parentSpanId === parent && span.traceId === trace)
    expect(request).toMatchObject({ kind: 2 })
    expect(attribute(request!, 'http.response.status_code')).toBe(200)
    const below = spans.filter((span) => span.parentSpanId === request?.spanId)
    expect(below.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['merge', 'convert', 'blobs', 'records']),
    )
    const [merge, convert] = ['merge', 'convert'].map((name) => below.find((span) => span.name === name)!)
    expect(attribute(merge!, 'template.format')).toBe('docx')
    expect(attribute(convert!, 'engines')).toBe('instant')
    expect(BigInt(merge!.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(convert!.startTimeUnixNano))
    expect(BigInt(request!.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(merge!.startTimeUnixNano))
    expect(BigInt(convert!.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request!.endTimeUnixNano))
  })

  it('of a job and its webhook are in the trace of the request that asked for them', () => {
    const requests = spans.filter((span) => span.parentSpanId === parent && span.traceId === trace)
    expect(requests).toHaveLength(2)
    for (const [name, kind] of [
      ['job', 5],
      ['webhook', 3],
    ] as const) {
      const [span] = named(name)
      expect(span, name).toMatchObject({ kind, traceId: trace })
      expect(requests.map(({ spanId }) => spanId)).toContain(span?.parentSpanId)
    }
    const [job] = named('job')
    const below = spans.filter((span) => span.parentSpanId === job?.spanId).map(({ name }) => name)
    expect(below).toEqual(expect.arrayContaining(['merge', 'convert', 'blobs']))
    expect(attribute(named('webhook')[0]!, 'delivered')).toBe(true)
  })

  it('that fail have the code of the error', () => {
    expect(failed.status).toBeGreaterThanOrEqual(400)
    const failures = named('merge').filter(({ status }) => status.code === 2)
    expect(failures).toHaveLength(1)
    expect(attribute(failures[0]!, 'error.type')).toMatch(/^template\./)
  })

  it('are recorded where the trace is sampled, and not for probes', () => {
    expect(spans.filter(({ traceId }) => traceId === 'b'.repeat(32))).toEqual([])
    expect(spans.filter((span) => attribute(span, 'http.route') === '/status')).toEqual([])
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  })
})

describe('metrics', () => {
  const metric = (name: string) => metrics.find((one) => one.name === `platen.${name}`)

  it('are those of GET /metrics: counters, gauges and histograms', () => {
    expect(metric('merges_total')?.sum).toMatchObject({ isMonotonic: true })
    expect(metric('process_resident_memory_bytes')?.gauge?.dataPoints[0]?.asDouble).toBeGreaterThan(1e6)
    const [point] = metric('merge_duration_seconds')?.histogram?.dataPoints ?? []
    expect(Number(point?.count)).toBeGreaterThanOrEqual(3)
    expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1)
    expect(point?.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(Number(point?.count))
  })
})

it('neither contains anything that callers sent', () => {
  expect(sent.length).toBeGreaterThanOrEqual(2)
  expect(sent.every(({ type }) => type === 'application/json')).toBe(true)
  expect(sent.map(({ text }) => text).join('\n')).not.toContain(canary)
})
