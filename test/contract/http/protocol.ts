import { expect, it } from 'vitest'
import type { Client } from './client.ts'

/** Specification 4.1, 7 and 9: status, CORS, addresses, headers, errors in general. */
export function protocolCases(client: () => Client): void {
  it('GET /status needs no token and has the version', async () => {
    const answer = await client().get('/status')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      code: 200,
      message: 'OK',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
    expect((await client().get('/')).body).toEqual(answer.body)
  })

  it('GET /status?full=1 has no details while authentication is off', async () => {
    const usual = (await client().get('/status')).body
    expect((await client().get('/status?full=1')).body).toEqual(usual)
    expect((await client().get('/status?full=1', { authorization: 'Bearer x' })).body).toEqual(usual)
  })

  it('GET /openapi.json describes every endpoint', async () => {
    const { body, headers } = await client().get('/openapi.json')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/render/{id}',
        '/template',
        '/template/{id}',
        '/templates',
        '/templates/categories',
        '/templates/tags',
        '/status',
      ]),
    )
    expect(Object.keys(body.paths['/template/{id}'])).toEqual(['get', 'delete', 'patch'])
    const operations = Object.values(body.paths).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map((each) => each.operationId),
    )
    expect(new Set(operations).size).toBe(operations.length)
  })

  it('GET /conversions lists what engines can do', async () => {
    const { body } = await client().get('/conversions')
    expect(body).toMatchObject({ success: true, data: expect.any(Array) })
    const pair = (from: string, to: string) =>
      (body.data as readonly Record<string, unknown>[]).find(
        (one) => one['from'] === from && one['to'] === to,
      )
    // The instant engine is on every side.
    expect(pair('docx', 'pdf')).toMatchObject({
      converters: expect.arrayContaining(['I']),
      engines: expect.any(Array),
      fidelity: 'high',
      options: expect.arrayContaining(['EncryptFile', 'Watermarks']),
    })
    expect(pair('docx', 'pages')).toBeUndefined()
  })

  it('an unknown address is a JSON 404', async () => {
    const answer = await client().get('/nowhere')
    expect([answer.status, answer.body]).toEqual([
      404,
      { success: false, error: 'Not found', code: 'api.not-found' },
    ])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('a wrong method is a JSON 405 that names the right ones', async () => {
    const answer = await client().send('PUT', '/status')
    expect([answer.status, answer.body.success]).toEqual([405, false])
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('HEAD has the length of GET', async () => {
    for (const path of ['/status', '/openapi.json', '/templates']) {
      const { text } = await client().get(path)
      const head = await client().send('HEAD', path)
      expect([path, head.status, head.text]).toEqual([path, 200, ''])
      const length = head.headers.get('content-length')
      if (length !== null) expect(Number(length)).toBe(new TextEncoder().encode(text).length)
    }
  })

  it('duplicate and trailing slashes do not matter', async () => {
    expect((await client().get('//status/')).body.message).toBe('OK')
    const id = await client().hashed('slash {d.a}')
    const answer = await client().post(`//render//${id}/?download=true`, { data: { a: 1 } })
    expect(answer.text).toBe('slash 1')
  })

  it('every answer may be read from another origin', async () => {
    for (const path of ['/status', '/nowhere', '/template/abc', '/render/x'])
      expect((await client().get(path)).headers.get('access-control-allow-origin')).toBe('*')
    const exposed = (await client().get('/status')).headers.get('access-control-expose-headers') ?? ''
    for (const name of ['Content-Disposition', 'Content-Length', 'Retry-After', 'service-warning'])
      expect(exposed).toContain(name)
  })

  it('every response may be embedded elsewhere, without content sniffing', async () => {
    const id = await client().hashed('{d.a}')
    const { renderId } = (await client().post(`/render/${id}`, { data: {} })).body.data
    for (const path of [`/render/${renderId}`, `/template/${id}`, '/status', '/nowhere']) {
      const { headers } = await client().get(path)
      expect([
        path,
        headers.get('cross-origin-resource-policy'),
        headers.get('x-content-type-options'),
      ]).toEqual([path, 'cross-origin', 'nosniff'])
    }
  })

  it('scripts of other origins may read every described header', async () => {
    const { headers, text } = await client().get('/openapi.json')
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
    const named = new Set([...text.matchAll(/"(service-[a-z-]+)":\{"description"/g)].map(([, name]) => name))
    expect(named.size).toBeGreaterThan(5)
    expect([...named].filter((name) => !exposed.includes(name ?? ''))).toEqual([])
  })

  it('a preflight is 204 with the methods and headers of the API', async () => {
    const answer = await client().send('OPTIONS', '/render/template', {
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,service-version,x-other',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-methods')).toBe(
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    )
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'authorization, content-type, service-version',
    )
    expect(answer.headers.get('access-control-max-age')).toBe('86400')
  })

  it('Authorization is ignored while authentication is off', async () => {
    for (const authorization of ['Bearer null', 'Bearer ', 'Basic x', 'nonsense'])
      expect((await client().get('/templates?limit=1', { authorization })).status).toBe(200)
  })

  it('without authentication there are no tokens to revoke', async () => {
    const answer = await client().send('DELETE', '/token', { headers: { authorization: 'Bearer a.b.c' } })
    expect([answer.status, answer.body]).toEqual([
      404,
      { success: false, error: 'Not found', code: 'api.not-found' },
    ])
  })

  it('GET and DELETE accept a content type and an empty body', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await client().get('/templates?limit=1', headers)).status).toBe(200)
    const { id } = await client().version('with body')
    const answer = await client().send('DELETE', `/template/${id}`, { headers, body: '[]' })
    expect(answer.status).toBe(200)
  })

  it('the content type may have parameters and any case', async () => {
    const id = await client().hashed('type {d.a}')
    const answer = await client().post(
      `/render/${id}?download=true`,
      { data: { a: 1 } },
      { 'content-type': 'Application/JSON ; charset=UTF-8' },
    )
    expect(answer.text).toBe('type 1')
  })

  it('HTML output cannot run scripts in the origin of the service', async () => {
    const html = '<!DOCTYPE html><html><body><p>{d.a}</p></body></html>'
    const answer = await client().post('/render/template?download=true', {
      data: { a: 1 },
      template: btoa(html),
    })
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('content-security-policy')).toBe('sandbox')
  })
}
