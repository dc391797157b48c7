import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { OutboundRequest, OutboundResponse } from '../../../shared/ports/index.ts'
import { deliver } from '../../../shared/webhook/deliver.ts'

const target = { url: 'https://example.org/hook', headers: { 'x-a': '1' } }
const failed = (reason: string) => new AppError('net.failed', { reason } as never)
type Step = number | AppError | { readonly status: number; readonly headers: Record<string, string> }

/** The receiver answers with `steps` in their order, and repeats the last one. */
async function calls(steps: readonly Step[], retries?: number) {
  const requests: OutboundRequest[] = []
  const times: number[] = []
  const fetch = async (request: OutboundRequest): Promise<OutboundResponse> => {
    const step = steps[Math.min(requests.length, steps.length - 1)]!
    requests.push(request)
    times.push(Date.now())
    if (step instanceof AppError) throw step
    const answer = typeof step === 'number' ? { status: step, headers: {} } : step
    return { ...answer, body: new Uint8Array() }
  }
  const options = { signal: new AbortController().signal, ...(retries === undefined ? {} : { retries }) }
  const running = deliver(
    { fetch, open: () => Promise.reject(new Error('unused')), refuses: () => false },
    target,
    '{"a":1}',
    options,
  )
  let isRunning = true
  const ended = running.finally(() => {
    isRunning = false
  })
  // Only as far as this delivery needs: work that other tests of the process left behind may set timers without end.
  while (isRunning) await vi.advanceTimersToNextTimerAsync()
  const pauses = times.slice(1).map((time, at) => time - times[at]!)
  return { outcome: await ended, requests, pauses }
}

describe('delivery of a notice', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  const retried: readonly Step[] = [
    ...[408, 429, 502, 503, 504, 521, 522, 524],
    ...['ETIMEDOUT', 'ECONNRESET', 'EADDRINUSE', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ENETUNREACH'].map(
      failed,
    ),
    failed('EAI_AGAIN'),
  ]
  for (const step of retried) {
    it(`is tried once more after ${typeof step === 'number' ? step : (step as AppError).details['reason']}`, async () => {
      const { outcome, requests, pauses } = await calls([step])
      expect([outcome.delivered, requests.length, pauses]).toEqual([false, 2, [2000]])
      const [first, second] = requests
      expect([second?.body, second?.headers, second?.method]).toEqual([first?.body, first?.headers, 'POST'])
      expect((await calls([step, 200])).outcome.delivered).toBe(true)
    })
  }

  for (const step of [400, 401, 404, 410, 500, 501, failed('CERT_HAS_EXPIRED')]) {
    it(`is not tried again after ${typeof step === 'number' ? step : 'a certificate that is over'}`, async () => {
      const { outcome, requests } = await calls([step])
      expect([outcome.delivered, requests.length]).toEqual([false, 1])
    })
  }

  it('waits as long as Retry-After asks, at most 30 s', async () => {
    const asked = (seconds: string) => ({ status: 503, headers: { 'retry-after': seconds } })
    expect((await calls([asked('7'), 200])).pauses).toEqual([7000])
    expect((await calls([asked('900'), 200])).pauses).toEqual([30_000])
  })

  it('further retries come after increasing pauses', async () => {
    const { requests, pauses } = await calls([503], 4)
    expect(requests).toHaveLength(5)
    const [first, ...more] = pauses
    expect(first).toBe(2000)
    for (const [at, pause] of more.entries()) {
      expect(pause).toBeGreaterThanOrEqual(2000 * 2 ** at)
      expect(pause).toBeLessThanOrEqual(2000 * 2 ** (at + 1))
    }
  })

  it('no retry when retries are off', async () => {
    expect((await calls([503], 0)).requests).toHaveLength(1)
  })
})
