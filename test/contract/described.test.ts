import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openapiDocument } from '../../shared/api/openapi.ts'
import { routes } from '../../shared/api/routes/index.ts'
import type { Answer } from './http/client.ts'
import { createDescription } from './http/described.ts'

/** That the check which every case of the contract goes through can fail. */
describe('answers held against /openapi.json', () => {
  let server: Server
  let check: ReturnType<typeof createDescription>['check']
  beforeAll(async () => {
    const document = JSON.stringify(openapiDocument(routes, { version: '1.0.0', server: 'http://x' }))
    server = createServer((_, response) => response.end(document))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    check = createDescription(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).check
  })
  afterAll(() => void server.close())

  const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
    status,
    body,
    text: JSON.stringify(body),
    headers: new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
  })
  const list = { success: true, data: [], hasMore: false, nextCursor: '' }
  const rows: readonly [says: string, method: string, path: string, answer: Answer, fits: boolean][] = [
    ['a list', 'GET', '/templates?limit=1', answer(200, list), true],
    ['a list with its tag', 'GET', '//templates/', answer(200, list, { etag: 'W/"1"' }), true],
    ['a list without a member', 'GET', '/templates', answer(200, { ...list, hasMore: undefined }), false],
    ['a member of another type', 'GET', '/templates', answer(200, { ...list, nextCursor: null }), false],
    ['a status nobody was told of', 'GET', '/templates', answer(418, { success: false, error: 'x' }), false],
    ['a header nobody was told of', 'GET', '/templates', answer(200, list, { 'x-new': '1' }), false],
    ['an error', 'GET', '/templates', answer(400, { success: false, error: 'x', code: 'api.filters' }), true],
    ['an error without words', 'GET', '/templates', answer(400, { success: false, error: '' }), false],
    ['an error that is a success', 'GET', '/templates', answer(400, { success: true, error: 'x' }), false],
    [
      'a code that is a number',
      'GET',
      '/render/x',
      answer(404, { success: false, error: 'x', code: 1 }),
      false,
    ],
    ['another type', 'GET', '/status', answer(200, {}, { 'content-type': 'text/html' }), false],
    ['an address that is not described', 'GET', '/nowhere', answer(418, {}), true],
  ]
  for (const [says, method, path, given, fits] of rows)
    it(`${says}: ${fits ? 'passes' : 'fails'}`, async () => {
      const checked = check(method, path, given)
      await (fits ? checked : expect(checked).rejects.toThrow())
    })
})
