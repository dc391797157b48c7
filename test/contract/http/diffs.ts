import { describe, expect, it } from 'vitest'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { base64, type Client, unique } from './client.ts'

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

/** Specification 4.16: what differs between two versions of a template. */
export function diffCases(client: () => Client): void {
  const store = async (template: Uint8Array, fields: object = { versioning: true }) => {
    const answer = await client().post('/template', { template: base64(template), ...fields })
    expect(answer.status).toBe(200)
    return answer.body.data as { readonly id: string; readonly versionId: string }
  }
  const letter = (...lines: readonly string[]) =>
    docxOf(`${lines.map(paragraph).join('')}${pageBreak}${paragraph('second page')}`)
  const versions = async (...texts: readonly (readonly string[])[]) => {
    const [first = [], ...rest] = texts
    const stored = [await store(await letter(unique('start'), ...first))]
    const [{ id } = { id: '' }] = stored
    for (const lines of rest) stored.push(await store(await letter(unique('start'), ...lines), { id }))
    return { id, ids: stored.map(({ versionId }) => versionId) }
  }

  it('tags, words and pages', async () => {
    const { id, ids } = await versions(
      ['Dear {d.name}', 'You have {d.points} points', 'Bye'],
      ['Dear {d.name:upperCase}', 'You have many points', 'Bye', '{d.sender}'],
    )
    const { status, body } = await client().get(`/template/${id}/diff?from=${ids[0]}&to=${ids[1]}`)
    expect([status, body.data.from.versionId, body.data.to.versionId]).toEqual([200, ids[0], ids[1]])
    expect(body.data.same).toBe(false)
    expect(body.data.tags).toEqual({
      added: ['{d.sender}'],
      removed: ['{d.points}'],
      changed: [{ from: '{d.name}', to: '{d.name:upperCase}' }],
    })
    const text = (kind: string) =>
      body.data.text
        .filter((part: { kind: string }) => part.kind !== kind)
        .map((part: { text: string }) => part.text)
        .join('')
    expect(text('added')).toContain('You have {d.points} points')
    expect(text('removed')).toContain('You have many points')
    expect(body.data.text).toContainEqual({ kind: 'added', text: 'many' })
    expect(body.data.pages).toMatchObject({ from: 2, to: 2, changed: [{ page: 1 }] })
    const [{ areas }] = body.data.pages.changed
    expect(areas.length).toBeGreaterThan(0)
    // The words are at the top of the page.
    for (const { left, top, width, height } of areas)
      expect([
        left >= 0,
        top >= 0,
        width > 0,
        height > 0,
        left + width <= 1,
        top + height < 0.5,
      ]).not.toContain(false)
  })
  it('compares with the deployed version when "to" is missing; a Version ID names its template', async () => {
    const { id, ids } = await versions(['one'], ['two'], ['three'])
    const { body } = await client().get(`/template/${id}/diff?from=${ids[0]}`)
    expect(body.data.to.versionId).toBe(ids[2])
    const byVersion = await client().get(`/template/${ids[1]}/diff?from=${ids[0]}`)
    expect([byVersion.status, byVersion.body.data.to.versionId]).toEqual([200, ids[1]])
  })
  it('pages of texts that are too long are not compared', async () => {
    const words = (mark: string) => `<p>${Array.from({ length: 60_000 }, (_, at) => mark + at).join(' ')}</p>`
    const page = (mark: string) => new TextEncoder().encode(`<!DOCTYPE html>${unique(words(mark))}`)
    const first = await store(page('a'))
    const second = await store(page('b'), { id: first.id })
    const path = `/template/${first.id}/diff?from=${first.versionId}&to=${second.versionId}`
    const { status, body } = await client().get(path)
    expect([status, body.data.textCut, body.data.pages]).toEqual([200, true, undefined])
    expect(body.data.text.length).toBeGreaterThan(1)
  })
  it('a version equals itself', async () => {
    const { id, ids } = await versions(['one {d.a}'])
    const { body } = await client().get(`/template/${id}/diff?from=${ids[0]}`)
    expect(body.data).toMatchObject({
      same: true,
      tags: { added: [], removed: [], changed: [] },
      pages: { from: 2, to: 2, changed: [] },
    })
    expect(body.data.text.map(({ kind }: { kind: string }) => kind)).toEqual(['same'])
  })
  it('an added page differs as a whole', async () => {
    const { id, ids } = await versions(['one'])
    const longer = await store(
      await docxOf(`${paragraph('one')}${pageBreak}${paragraph('two')}${pageBreak}${paragraph('three')}`),
      { id },
    )
    const { body } = await client().get(`/template/${id}/diff?from=${ids[0]}&to=${longer.versionId}`)
    expect(body.data.pages).toMatchObject({ from: 2, to: 3 })
    expect(body.data.pages.changed).toContainEqual({ page: 3, areas: [] })
  })
  it('templates of text have no pages, and those with errors can be compared', async () => {
    const first = await client().version(unique('{d.a:nothing} one'))
    const second = await client().post('/template', {
      template: base64(new TextEncoder().encode('{d.b} two')),
      id: first.id,
    })
    const { status, body } = await client().get(
      `/template/${first.id}/diff?from=${first.versionId}&to=${second.body.data.versionId}`,
    )
    expect([status, body.data.tags]).toEqual([
      200,
      { added: ['{d.b}'], removed: ['{d.a:nothing}'], changed: [] },
    ])
    expect([body.data.pages, body.data.textCut]).toEqual([undefined, false])
  })
  it('a matching ETag causes no comparison', async () => {
    const { id, ids } = await versions(['one'])
    const path = `/template/${id}/diff?from=${ids[0]}`
    const etag = (await client().get(path)).headers.get('etag') ?? ''
    const again = await client().get(path, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  })

  describe('what cannot be', () => {
    it.each([
      ['', 400, 'Invalid query. Error: "from" is required'],
      ['?from=1', 400, 'Invalid query. Error: "from" must be a Version ID: 64 hexadecimal digits'],
      [`?from=${'0'.repeat(64)}`, 404, 'Template not found'],
    ])('%s', async (query, status, error) => {
      const { id } = await versions(['one'])
      const answer = await client().get(`/template/${id}/diff${query}`)
      expect([answer.status, answer.body.error]).toEqual([status, error])
    })
    it('versions of two templates', async () => {
      const [one, other] = [await versions(['one']), await versions(['two'])]
      for (const query of [`from=${other.ids[0]}`, `from=${one.ids[0]}&to=${other.ids[0]}`])
        expect((await client().get(`/template/${one.id}/diff?${query}`)).status).toBe(404)
      expect((await client().get(`/template/${one.ids[0]}/diff?from=${other.ids[0]}`)).status).toBe(404)
    })
  })
}
