import { describe, expect, it } from 'vitest'
import { traceHeaders, traceOf } from '../../shared/trace.ts'

const of = (headers: Readonly<Record<string, string>>) => traceOf((name) => headers[name])
const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

describe('the trace of a request', () => {
  it('keeps the id of the caller and its trace, with a span of its own', () => {
    const { requestId, traceparent } = of({
      'x-request-id': 'order-17/a',
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    })
    expect(requestId).toBe('order-17/a')
    expect(traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(traceparent).not.toContain('00f067aa0ba902b7')
  })

  it.each(['', 'two words', 'a\nb', 'x'.repeat(129), '"quoted"'])('makes an id instead of %j', (id) => {
    expect(of({ 'x-request-id': id }).requestId).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each([
    'nonsense',
    `ff-${trace}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
  ])('begins a trace instead of %j', (traceparent) => {
    expect(of({ traceparent }).traceparent).toMatch(/^00-(?!4bf9)[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  })

  it('becomes headers of the calls that it causes', () => {
    const found = of({ 'x-request-id': 'a' })
    expect(traceHeaders(found)).toEqual({ 'x-request-id': 'a', traceparent: found.traceparent })
    expect(traceHeaders(undefined)).toEqual({})
  })
})
