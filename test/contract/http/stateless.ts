import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base64, type Client, createClient, type Target, unique } from './client.ts'

const stateless =
  'The service is running in stateless mode (no database), this endpoint is not available in this mode'

/** Specification 1 and 7: what a service without a database does, and what it says it does not. */
export function statelessContract(name: string, start: () => Promise<Target>): void {
  describe(`http contract, stateless: ${name}`, () => {
    let target: Target
    let client: Client
    beforeAll(async () => {
      target = await start()
      client = createClient(target.url)
    })
    afterAll(() => target?.stop())

    it('every endpoint that needs a database is 501', async () => {
      for (const [method, path] of [
        ['GET', '/templates'],
        ['GET', '/templates?limit=500'],
        ['GET', '/templates/tags'],
        ['GET', '/templates/categories'],
        ['PATCH', `/template/${'a'.repeat(64)}`],
        ['PATCH', '/template/nonsense'],
      ] as const) {
        const { status, body } = await client.send(method, path)
        expect([method, path, status, body]).toEqual([
          method,
          path,
          501,
          { success: false, error: stateless, code: 'w130' },
        ])
      }
    })

    it('uploads have their hash as ID; versioning is ignored', async () => {
      const text = unique('stateless')
      const rows: readonly Record<string, string>[] = [{}, { versioning: 'true', name: 'x' }, { id: '5' }]
      for (const fields of rows) {
        const answer = await client.form(fields, { bytes: text })
        expect([answer.status, Object.keys(answer.body.data)]).toEqual([
          200,
          ['templateId', 'templateExtension'],
        ])
      }
    })

    it('the flows work: stored, inline, downloaded once, deleted', async () => {
      const id = await client.hashed(`${unique('s')} {d.a}`)
      const { renderId } = (await client.post(`/render/${id}`, { data: { a: 1 } })).body.data
      expect((await client.get(`/render/${renderId}`)).text).toMatch(/ 1$/)
      expect((await client.get(`/render/${renderId}`)).status).toBe(404)
      const inline = { template: base64('{d.a}'), data: { a: 2 } }
      expect((await client.post('/render/template?download=true', inline)).text).toBe('2')
      expect((await client.get(`/template/${id}`)).text).toMatch(/\{d\.a\}$/)
      expect((await client.delete(`/template/${id}`)).body).toEqual({
        success: true,
        message: 'Template deleted',
      })
      for (const answer of [
        await client.get(`/template/${id}`),
        await client.delete(`/template/${id}`),
        await client.post(`/render/${id}`, { data: {} }),
        await client.get('/template/123456'),
      ])
        expect([answer.status, answer.body.error]).toEqual([404, 'Template not found'])
    })
  })
}
