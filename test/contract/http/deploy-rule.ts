import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, type Target } from './client.ts'

/** Specification 4.17 with SERVICE_DEPLOY_REQUIRES_CHECKS: a version whose cases fail is not deployed. */
export function deployRuleContract(host: string, start: () => Promise<Target>): void {
  describe(`deployment requires checks: ${host}`, () => {
    let target: Target
    let client: Client
    beforeAll(async () => {
      target = await start()
      client = createClient(target.url)
    })
    afterAll(() => target?.stop())

    const greeting = [
      { name: 'Ann', request: { data: { name: 'Ann' } }, expect: { contains: ['Dear Ann'] } },
      { name: 'Bob', request: { data: { name: 'Bob' } }, expect: { contains: ['Dear Bob'] } },
    ]
    const now = 42_000_000_000
    const deployed = async (id: string) => {
      const { body } = await client.get(`/templates?id=${id}`)
      return body.data.map(({ versionId }: { versionId: string }) => versionId)
    }
    /** A template with cases that its version passes. */
    const stored = async () => {
      const first = await client.version('Dear {d.name}', { deployedAt: '0' })
      await client.put(`/template/${first.versionId}/checks`, { cases: greeting })
      expect((await client.patch(`/template/${first.versionId}`, { deployedAt: now })).status).toBe(200)
      expect(await deployed(first.id)).toEqual([first.versionId])
      return first
    }
    const refusal = {
      success: false,
      error:
        'This version cannot be deployed: its case "Ann" fails, and 1 more. The document lacks "Dear Ann". POST /template/check, with the template and its cases, lists all that differs. Change the template or its cases, then deploy again.',
      code: 'api.checks.failed',
    }

    it('an upload that would be deployed stores nothing, as a form and as JSON', async () => {
      const { id, versionId } = await stored()
      const form = await client.form({ id }, { bytes: 'Hello {d.name}' })
      expect([form.status, form.body]).toEqual([409, refusal])
      const json = await client.post('/template', { id, template: btoa('Hello {d.name}') })
      expect([json.status, json.body]).toEqual([409, refusal])
      const { body } = await client.get(`/templates?id=${id}&includeVersions=true`)
      expect(body.data.map((version: { versionId: string }) => version.versionId)).toEqual([versionId])
    })
    it('a version that passes is deployed', async () => {
      const { id } = await stored()
      const next = await client.version('Dear {d.name}, good day', { id })
      expect(await deployed(id)).toEqual([next.versionId])
    })
    it('a version that is only stored is deployed once its cases pass', async () => {
      const { id, versionId } = await stored()
      const next = await client.version('Hello {d.name}', { id, deployedAt: '0' })
      const refused = await client.patch(`/template/${next.versionId}`, { deployedAt: now, name: 'new' })
      expect([refused.status, refused.body]).toEqual([409, refusal])
      expect(await deployed(id)).toEqual([versionId])
      expect((await client.patch(`/template/${next.versionId}`, { comment: 'not yet' })).status).toBe(200)
      const changed = greeting.map((one) => ({ ...one, expect: { contains: ['Hello'] } }))
      await client.put(`/template/${next.versionId}/checks`, { cases: changed })
      expect((await client.patch(`/template/${next.versionId}`, { deployedAt: now })).status).toBe(200)
      expect(await deployed(id)).toEqual([next.versionId])
    })
    it('a deployed version that moves to another template counts too', async () => {
      const { versionId } = await stored()
      const failing = greeting.map((one) => ({ ...one, expect: { contains: ['Hello'] } }))
      await client.put(`/template/${versionId}/checks`, { cases: failing })
      const moved = await client.patch(`/template/${versionId}`, { id: String(Date.now()) })
      expect([moved.status, moved.body.error]).toEqual([
        409,
        'This version cannot be deployed: its case "Ann" fails, and 1 more. The document lacks "Hello". POST /template/check, with the template and its cases, lists all that differs. Change the template or its cases, then deploy again.',
      ])
    })
    it('a version without cases, and a template without versioning, are deployed', async () => {
      const { id, versionId } = await client.version('Dear {d.name}')
      expect(await deployed(id)).toEqual([versionId])
      expect(await client.hashed('Dear {d.name} of no version')).toMatch(/^[0-9a-f]{64}$/)
    })
    it('withdrawing a version needs no passing cases', async () => {
      const { id, versionId } = await stored()
      await client.put(`/template/${versionId}/checks`, { cases: [{ name: 'a', expect: { pages: 99 } }] })
      expect((await client.patch(`/template/${versionId}`, { expireAt: now })).status).toBe(200)
      expect(await deployed(id)).toEqual([versionId])
    })
  })
}
