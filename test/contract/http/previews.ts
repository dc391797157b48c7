import { describe, expect, it } from 'vitest'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { base64, type Client, unique } from './client.ts'

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

/** Specification 4.15: pages of stored templates as pictures. */
export function previewCases(client: () => Client): void {
  const stored = async (template: Uint8Array, fields: object = {}) => {
    const answer = await client().post('/template', {
      template: base64(template),
      versioning: true,
      ...fields,
    })
    expect(answer.status).toBe(200)
    return answer.body.data as { readonly id: string; readonly versionId: string }
  }
  const letter = (text = 'Dear {d.name}') =>
    docxOf(`${paragraph(unique(text))}${pageBreak}${paragraph('two')}`)
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(client().url + path, { headers })
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: new Uint8Array(await answer.arrayBuffer()),
    }
  }

  it('a page is a PNG of the width that is asked for', async () => {
    const { id } = await stored(await letter())
    const { status, headers, bytes } = await ask(`/template/${id}/preview?width=120&page=2`)
    expect([status, headers.get('content-type'), headers.get('service-pages')]).toEqual([
      200,
      'image/png',
      '2',
    ])
    const view = new DataView(bytes.buffer)
    expect([view.getUint32(0), view.getUint32(16), view.getUint32(20)]).toEqual([0x89504e47, 120, 155])
  })
  it('a page is an SVG, which may run no scripts', async () => {
    const { id } = await stored(await letter())
    const { status, headers, bytes } = await ask(`/template/${id}/preview?format=svg`)
    expect([status, headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
      200,
      'image/svg+xml',
      'sandbox',
    ])
    expect(new TextDecoder().decode(bytes)).toMatch(/^<\?xml.*<svg /s)
  })
  it('the second response is the stored picture, or 304 for its ETag', async () => {
    const { id, versionId } = await stored(await letter())
    const path = `/template/${id}/preview?width=100`
    const first = await ask(path)
    const second = await ask(path)
    expect(second.bytes).toEqual(first.bytes)
    expect(second.headers.get('service-pages')).toBe('2')
    const etag = first.headers.get('etag') ?? ''
    expect([etag, first.headers.get('cache-control')]).toEqual([
      expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'private, no-cache',
    ])
    const known = await ask(path, { 'if-none-match': etag })
    expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, etag])
    const byVersion = await ask(`/template/${versionId}/preview?width=100`)
    expect(byVersion.headers.get('etag')).toBe(etag)
    for (const other of ['?width=101', '?width=100&page=2', '?width=100&format=svg'])
      expect((await ask(`/template/${id}/preview${other}`)).headers.get('etag')).not.toBe(etag)
  })
  it('HEAD returns the headers alone', async () => {
    const { id } = await stored(await letter())
    const answer = await fetch(`${client().url}/template/${id}/preview`, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'image/png',
      '',
    ])
  })
  it('data=sample fills the template with its sample', async () => {
    const data = { name: 'Ann' }
    const { id } = await stored(await letter(), { sample: [{ data }] })
    const svg = async (query: string) => (await ask(`/template/${id}/preview?format=svg${query}`)).bytes
    const render = async (body: object) => {
      const answer = await fetch(`${client().url}/render/${id}/file`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ converter: 'I', convertTo: { formatName: 'svg', formatOptions: { PageRange: '1' } } },
          ...body,
        }),
      })
      return new Uint8Array(await answer.arrayBuffer())
    }
    const filled = await svg('&data=sample')
    expect(filled).toEqual(await render({ data }))
    const tags = await svg('')
    expect(tags).toEqual(await render({}))
    expect(await svg('&data=none')).toEqual(tags)
    expect(filled).not.toEqual(tags)
  })
  it('draws a version that is not deployed, but none of another template', async () => {
    const { id, versionId } = await stored(await letter('one'))
    const next = await client().post('/template', { template: base64(await letter('two two')), id })
    const older = await ask(`/template/${id}/preview?versionId=${versionId.toUpperCase()}&width=64`)
    const newer = await ask(`/template/${id}/preview?width=64`)
    expect([older.status, newer.status]).toEqual([200, 200])
    expect(older.headers.get('etag')).not.toBe(newer.headers.get('etag'))
    const other = await stored(await letter('three'))
    const foreign = await client().get(`/template/${other.id}/preview?versionId=${next.body.data.versionId}`)
    expect([foreign.status, foreign.body.error]).toEqual([404, 'Template not found'])
  })
  it('slides have previews too', async () => {
    const { id } = await stored(await pptxOf([pptxShape(2, pptxParagraph(unique('Dear')))]))
    const { status, headers } = await ask(`/template/${id}/preview?width=64`)
    expect([status, headers.get('service-pages')]).toEqual([200, '1'])
  })

  describe('what cannot be', () => {
    it.each([
      ['?page=0', 400, 'Invalid query. Error: "page" must be an integer between 1 and 10000'],
      ['?page=two', 400, 'Invalid query. Error: "page" must be an integer between 1 and 10000'],
      ['?width=2001', 400, 'Invalid query. Error: "width" must be an integer between 16 and 2000'],
      ['?width=1e3', 400, 'Invalid query. Error: "width" must be an integer between 16 and 2000'],
      ['?format=jpg', 400, 'Invalid query. Error: "format" must be "png" or "svg"'],
      ['?data=all', 400, 'Invalid query. Error: "data" must be "none" or "sample"'],
      ['?versionId=7', 400, 'Invalid query. Error: "versionId" must be a Version ID: 64 hexadecimal digits'],
      [`?versionId=${'0'.repeat(64)}`, 404, 'Template not found'],
      ['?page=3', 404, 'The template has no page 3'],
      ['?data=sample', 404, 'File not found'],
    ])('%s', async (query, status, error) => {
      const { id } = await stored(await letter())
      const answer = await client().get(`/template/${id}/preview${query}`)
      expect([answer.status, answer.body.error]).toEqual([status, error])
    })
    it('an unknown template, and an invalid id', async () => {
      expect((await client().get('/template/1/preview')).status).toBe(404)
      expect((await client().get('/template/x/preview')).status).toBe(400)
    })
    it('a template that does not fit its data', async () => {
      const { id } = await stored(await letter('{d.a:nothing}'), { sample: [{ data: {} }] })
      const answer = await client().get(`/template/${id}/preview?data=sample`)
      expect([answer.status, answer.body.code]).toEqual([500, 'w101'])
      expect((await ask(`/template/${id}/preview?width=64`)).status).toBe(200)
    })
  })
}
