import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ConnectionError,
  Platen,
  type PlatenError,
  type PlatenOptions,
  UnavailableError,
} from 'platen/client'
import { describe, expect, it } from 'vitest'

/** A service with given responses that counts what it receives. */
async function served<T>(
  listener: (attempt: number, ...rest: Parameters<RequestListener>) => void,
  use: (platen: Platen, received: string[]) => Promise<T>,
  options: Partial<PlatenOptions> = {},
): Promise<{ readonly result: T; readonly received: readonly string[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received.push(`${request.method} ${request.url}`)
      listener(received.length, request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return { result: await use(new Platen({ url, maxPauseMs: 2000, ...options }), received), received }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const thrown = async (work: Promise<unknown>): Promise<PlatenError> =>
  work.then(
    () => expect.fail('It did not fail.'),
    (error: unknown) => error as PlatenError,
  )

const failed = JSON.stringify({ success: false, error: 'Too busy.', code: 'w210' })

describe('a call is sent again', () => {
  const failing = (status: number, times: number) =>
    ((attempt, _request, response) => {
      if (attempt > times) return void response.end(JSON.stringify({ success: true, data: {} }))
      response.writeHead(status, { 'retry-after': '0', 'content-type': 'application/json' }).end(failed)
    }) as Parameters<typeof served>[0]

  const calls: Readonly<Record<string, (platen: Platen) => Promise<unknown>>> = {
    conversions: (platen) => platen.conversions(),
    'render for a download': (platen) => platen.render('1', { data: {} }),
    'upload without versions': (platen) => platen.templates.upload(new Blob(['a'])),
    'render that is stored': (platen) => platen.store('1', { data: {} }),
    'asynchronous render': (platen) => platen.renderAsync('1', { data: {} }),
    'upload of a version': (platen) => platen.templates.upload(new Blob(['a']), { versioning: true }),
    deletion: (platen) => platen.templates.delete('1'),
    'upload from a stream': (platen) => platen.templates.upload(new Blob(['a']).stream()),
  }
  const attempts = async (name: string, status: number) => {
    const { received } = await served(failing(status, 2), (platen) =>
      calls[name]!(platen).catch(() => undefined),
    )
    return received.length
  }

  it.each([
    // [call, attempts after two answers 429, after two answers 503, after two answers 500]
    ['conversions', 3, 3, 1],
    ['render for a download', 3, 3, 1],
    ['upload without versions', 3, 3, 1],
    ['render that is stored', 3, 3, 1],
    ['asynchronous render', 3, 3, 1],
    ['upload of a version', 3, 3, 1],
    ['deletion', 3, 1, 1],
    ['upload from a stream', 1, 1, 1],
  ])('%s', async (name, busy, unavailable, broken) => {
    expect([await attempts(name, 429), await attempts(name, 503), await attempts(name, 500)]).toEqual([
      busy,
      unavailable,
      broken,
    ])
  })

  it('after a connection that broke, where that does no harm', async () => {
    const breaking = ((attempt, request, response) =>
      attempt === 1 ? request.socket.destroy() : response.end('{"data":[]}')) as Parameters<typeof served>[0]
    expect((await served(breaking, calls['conversions']!)).received).toHaveLength(2)
    const { result, received } = await served(breaking, (platen) => thrown(platen.templates.delete('1')))
    expect([received.length, result instanceof ConnectionError, result.status]).toEqual([1, true, 0])
  })

  it.each(['render that is stored', 'asynchronous render', 'upload of a version'])(
    '%s: with one key for all attempts, also while the first of them still runs',
    async (name) => {
      const keys: unknown[] = []
      const running = JSON.stringify({ success: false, error: 'Still runs.', code: 'w219' })
      const answers: readonly RequestListener[] = [
        (request) => void request.socket.destroy(),
        (_request, response) => void response.writeHead(409, { 'retry-after': '0' }).end(running),
        (_request, response) => void response.end(JSON.stringify({ success: true, data: {} })),
      ]
      const { received } = await served(
        (attempt, request, response) => {
          keys.push(request.headers['idempotency-key'])
          answers[attempt - 1]!(request, response)
        },
        (platen) => calls[name]!(platen),
      )
      expect(received).toHaveLength(3)
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0], keys[0]])
    },
  )

  it('a key of the caller is sent, and a conflict that lasts is thrown at once', async () => {
    const keys: unknown[] = []
    const { result, received } = await served(
      (_attempt, request, response) => {
        keys.push(request.headers['idempotency-key'])
        response.writeHead(409).end(failed)
      },
      (platen) => thrown(platen.store('1', { data: {} }, { idempotencyKey: 'order-7' })),
    )
    expect([received.length, keys, result.status]).toEqual([1, ['order-7'], 409])
  })

  it('not when the service asks for a longer pause than the caller allows', async () => {
    const { result, received } = await served(
      (_attempt, _request, response) => void response.writeHead(503, { 'retry-after': '3600' }).end(failed),
      (platen) => thrown(platen.conversions()),
    )
    expect(received).toHaveLength(1)
    expect(result).toBeInstanceOf(UnavailableError)
    expect([result.message, result.code, result.retryAfterMs]).toEqual(['Too busy.', 'w210', 3_600_000])
  })

  it('and ends when its signal aborts', async () => {
    const { result, received } = await served(
      (_attempt, _request, response) => void response.writeHead(503, { 'retry-after': '1' }).end(failed),
      async (platen, seen) => {
        const stop = new AbortController()
        const call = platen.conversions({ signal: stop.signal }).catch((error: unknown) => error)
        await expect.poll(() => seen.length).toBe(1)
        stop.abort(new Error('enough'))
        return call
      },
    )
    expect([received.length, String(result)]).toEqual([1, 'Error: enough'])
  })
})

it('an answer that is not of the service is an error all the same', async () => {
  const { result } = await served(
    (_attempt, _request, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'),
    (platen) => thrown(platen.conversions()),
    { retries: 0 },
  )
  expect([result.name, result.status, result.message, result.problems]).toEqual([
    'UnavailableError',
    502,
    'The service answered with status 502.',
    [],
  ])
})

it('the token is asked for before each attempt, and headers of a call come first', async () => {
  const seen: unknown[] = []
  let asked = 0
  await served(
    (attempt, { headers }, response) => {
      seen.push([headers.authorization, headers['x-request-id'], headers['service-version']])
      response.writeHead(attempt === 1 ? 429 : 200, { 'retry-after': '0' }).end('{"data":[]}')
    },
    (platen) => platen.conversions({ headers: { 'x-request-id': 'mine' } }),
    { token: async () => `t${++asked}`, headers: { 'service-version': '5', 'x-request-id': 'all' } },
  )
  expect(seen).toEqual([
    ['Bearer t1', 'mine', '5'],
    ['Bearer t2', 'mine', '5'],
  ])
})
