import { expect, it } from 'vitest'
import { base64, type Client, rawForm, sha256, unique } from './client.ts'

/** Specification 2.1, 2.5, 4.4 and 4.5. */
export function uploadCases(client: () => Client): void {
  it('without versioning and id the answer holds only templateId and templateExtension', async () => {
    const text = unique('plain')
    const answer = await client().form({}, { bytes: text, filename: 'letter.txt' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: { templateId: await sha256(text), templateExtension: 'txt' },
    })
  })

  it.each([
    ['letter.md', 'Dear {d.name},', '', 'md'],
    ['letter.markdown', '<p align=center>\nHello\n</p>\n', 'application/octet-stream', 'md'],
    ['list.csv', '{d.name}', 'text/plain', 'csv'],
    ['page.html', 'Hello {d.name}', '', 'html'],
    ['page.html', '<p>one</p>\n\n# two\n', '', 'html'],
    ['plain.txt', '# a title', 'text/markdown', 'txt'],
    ['letter.md', '<!doctype html><p>x', '', 'html'],
    ['letter.docx', 'Dear {d.name},', '', 'txt'],
    ['', 'Dear {d.name},', 'text/markdown', 'md'],
    ['', '{d.name}', 'text/csv; charset=utf-8', 'csv'],
    ['', '<p align=center>\nLogo\n</p>\n\n# Title\n', '', 'md'],
    ['', '<details>\n<summary>more</summary>\n\n- one\n- two\n</details>\n', '', 'md'],
    ['', '<h1 align="center">Logo</h1>\n\n## Install\n', '', 'md'],
    ['', '<!-- a note -->\n# Title\n', '', 'md'],
    ['', '<a href="x"><img src="y"></a>\n\nSee [the guide](guide.md).\n', '', 'md'],
    ['README.md', '<h1>Logo</h1>\n', '', 'md'],
    ['', '<h1>Title</h1>\n\n<p>one</p>\n', '', 'html'],
    ['', '<svg xmlns="http://www.w3.org/2000/svg">\n\n# x\n</svg>', '', 'svg'],
    ['', '<notes>\n\n# x\n</notes>', '', 'xml'],
    ['', '<div>one</div>\n\n<script>\n\n# two\n</script>', '', 'html'],
    ['', '<div>\n<p>one</p>\n\n<p>two</p></div>', '', 'html'],
  ])(
    'a file named "%s" with %j and the type "%s" is stored as %s',
    async (name, content, type, extension) => {
      const answer = await client().form({}, { bytes: `${content}${unique('\n')}`, filename: name, type })
      expect([answer.status, answer.body.data?.templateExtension]).toEqual([200, extension])
    },
  )

  it('the media type of a data URI decides the type of a text', async () => {
    // PHP escapes the slash, and a body above 256 KB is read as it arrives.
    for (const [type, length] of [
      ['text/markdown', 1],
      ['text\\/markdown', 1],
      ['text/markdown;charset=utf-8', 300_000],
    ] as const) {
      const text = base64(unique('typed').padEnd(length, '.'))
      const body = `{"template":"data:${type};base64,${text}"}`
      const answer = await client().send('POST', '/template', {
        body,
        headers: { 'content-type': 'application/json' },
      })
      expect([type, answer.body.data?.templateExtension]).toEqual([type, 'md'])
    }
    const inline = { template: `data:text/csv;base64,${base64('{d.v}')}`, data: { v: 'a,b' } }
    expect((await client().post('/render/template?download=true', inline)).text).toBe('"a,b"')
  })

  it('the values of a template named CSV are quoted', async () => {
    const text = `{d.v}\n${unique('row')}`
    const { templateId } = (await client().form({}, { bytes: text, filename: 'list.csv' })).body.data
    const file = await client().post(`/render/${templateId}?download=true`, { data: { v: 'a,"b"' } })
    expect(file.text.split('\n')[0]).toBe('"a,""b"""')
  })

  it('a file that is only a ZIP signature is not a text', async () => {
    const bytes = new Uint8Array([0x50, 0x4b, 3, 4])
    const answers = [
      await client().form({}, { bytes, filename: 'letter.txt' }),
      await client().post('/template', { template: base64(bytes) }),
      await client().post('/render/template', { template: base64(bytes), data: {} }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([415, 415, 415])
  })

  it('templateId is the SHA-256 of payload and file', async () => {
    const text = unique('salted')
    const answer = await client().form({ payload: 'päyload' }, { bytes: text })
    expect(answer.body.data.templateId).toBe(await sha256('päyload', text))
  })

  it('a base64 upload hashes the decoded bytes', async () => {
    const text = unique('json')
    for (const template of [
      base64(text),
      `data:text/plain;base64,${base64(text)}`,
      base64(text).replace(/=+$/, ''),
    ]) {
      const answer = await client().post('/template', { template })
      expect(answer.body.data).toEqual({ templateId: await sha256(text), templateExtension: 'txt' })
    }
  })

  it('the same file without versioning is one template with one ID', async () => {
    const text = unique('twice')
    const first = await client().hashed(text)
    expect(await client().hashed(text)).toBe(first)
    const list = await client().get(`/templates?versionId=${first}`)
    expect(list.body.data).toHaveLength(1)
    expect(list.body.data[0]).toMatchObject({ id: null, versionId: first })
  })

  it('an upload revives a deleted template of the same content', async () => {
    const text = unique('phoenix')
    const id = await client().hashed(text)
    expect((await client().delete(`/template/${id}`)).status).toBe(200)
    expect((await client().get(`/template/${id}`)).status).toBe(404)
    expect(await client().hashed(text)).toBe(id)
    expect((await client().get(`/template/${id}`)).text).toBe(text)
  })

  it('an empty id makes a new Template ID, as JSON and as a form', async () => {
    const text = unique('{d.name} empty id')
    const answers = [
      await client().post('/template', { template: base64(text), id: '' }),
      await client().form({ id: '' }, { bytes: text }),
    ]
    const ids = answers.map(({ status, body }) => [status, body.data?.id])
    expect(ids).toEqual([
      [200, expect.stringMatching(/^\d+$/)],
      [200, expect.stringMatching(/^\d+$/)],
    ])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(2)
  })
  it('versioning without id makes a new Template ID', async () => {
    const before = Math.floor(Date.now() / 1000)
    const text = unique('versioned')
    const answer = await client().form({ versioning: 'true' }, { bytes: text })
    expect(answer.status).toBe(200)
    const { id, versionId, type, size, createdAt, deployedAt } = answer.body.data
    expect(id).toMatch(/^[1-9][0-9]{17,18}$/)
    expect(versionId).toMatch(/^[0-9a-f]{64}$/)
    // Specification 2.1: templateId and templateExtension are those of an upload without versioning.
    expect(Object.keys(answer.body.data)).not.toContain('templateId')
    expect(Object.keys(answer.body.data)).not.toContain('templateExtension')
    expect({ type, size }).toEqual({ type: 'txt', size: text.length })
    expect(createdAt).toBeGreaterThanOrEqual(before)
    expect(deployedAt).toBe(createdAt)
    expect(Object.keys(answer.body.data)).not.toContain('expireAt')
  })

  it('versioning accepts the booleans of any language; a single empty tag means no tags', async () => {
    for (const yes of ['True', 'TRUE', '1']) {
      const { id, versionId } = await client().version('t', { versioning: yes, tags: '[""]' })
      expect(id).toMatch(/^\d+$/)
      const listed = await client().get(`/templates?versionId=${versionId}`)
      expect(listed.body.data[0].tags).toEqual([])
    }
    const off = await client().form({ versioning: 'False' }, { bytes: unique('off') })
    expect(Object.keys(off.body.data)).toEqual(['templateId', 'templateExtension'])
    const neither = await client().form({ versioning: 'maybe' }, { bytes: 'x' })
    expect([neither.status, neither.body.error]).toEqual([
      400,
      'Invalid template metadata. Error: "versioning" must be a boolean',
    ])
  })

  it('versioning with an existing id adds to its history and deploys', async () => {
    const first = await client().version('one {d.x}')
    const second = await client().version('two {d.x}', { id: first.id })
    expect(second.id).toBe(first.id)
    expect(second.versionId).not.toBe(first.versionId)
    expect((await client().get(`/template/${first.id}`)).text).toBe('two {d.x}')
    expect((await client().get(`/template/${first.versionId}`)).text).toBe('one {d.x}')
  })

  it('the same bytes under the same id are two versions', async () => {
    const text = unique('again')
    const first = await client().version(text)
    const second = await client().version(text, { id: first.id })
    expect(second.versionId).not.toBe(first.versionId)
    const list = await client().get(`/templates?id=${first.id}&includeVersions=true`)
    expect(list.body.data).toHaveLength(2)
  })

  it('an unknown but valid id is created with that value, and id alone implies versioning', async () => {
    const id = String(1_000_000_000 + Math.floor(Math.random() * 1e15))
    const answer = await client().form({ id }, { bytes: 'mine' })
    expect(answer.body.data.id).toBe(id)
    const again = await client().form({ id, versioning: 'false' }, { bytes: 'mine' })
    expect(again.body.data.id).toBe(id)
  })

  it('a Version ID as id is an error', async () => {
    const answer = await client().form({ id: 'a'.repeat(64) }, { bytes: 'x' })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/^Invalid template metadata\. Error: "id" /)
  })

  it('deployedAt 0 keeps a version without deploying it', async () => {
    const first = await client().version('live')
    const draft = await client().version('draft', { id: first.id, deployedAt: '0' })
    expect(draft.deployedAt).toBe(0)
    expect((await client().get(`/template/${first.id}`)).text).toBe('live')
    expect((await client().get(`/template/${draft.versionId}`)).text).toBe('draft')
  })

  it('deployedAt from 42000000000 up means now, the future is refused', async () => {
    const now = Math.floor(Date.now() / 1000)
    const answer = await client().version('now', { deployedAt: '42000000000' })
    expect(Math.abs(answer.deployedAt - now)).toBeLessThan(5)
    const future = await client().form({ versioning: 'true', deployedAt: String(now + 5000) }, { bytes: 'x' })
    expect(future.status).toBe(400)
    expect(future.body.error).toMatch(/^Invalid template metadata\. Error: "deployedAt"/)
  })

  it('rendering by Template ID uses the version with the most recent deployedAt', async () => {
    const first = await client().version('newer', { deployedAt: '1700000000' })
    await client().version('older', { id: first.id, deployedAt: '1600000000' })
    const answer = await client().post(`/render/${first.id}?download=true`, { data: {} })
    expect(answer.text).toBe('newer')
  })

  it('all metadata fields come back in the list, tags sorted and without duplicates', async () => {
    const answer = await client().version('full', {
      name: 'Ärger.txt',
      comment: 'c',
      category: unique('cat'),
      tags: '["b","a","b"]',
      origin: '2',
      expireAt: '9007199254740991',
    })
    const list = await client().get(`/templates?versionId=${answer.versionId}`)
    expect(list.body.data).toEqual([
      {
        id: answer.id,
        versionId: answer.versionId,
        deployedAt: answer.deployedAt,
        createdAt: answer.createdAt,
        expireAt: 9_007_199_254_740_991,
        size: 4,
        type: 'txt',
        name: 'Ärger.txt',
        category: expect.any(String),
        comment: 'c',
        tags: ['a', 'b'],
        origin: 2,
      },
    ])
  })

  it('the stored file is returned byte for byte, with type, name and ETag', async () => {
    const text = unique('bytes')
    const { id, versionId } = await client().version(text, { name: 'Brief "1".txt' })
    const answer = await client().get(`/template/${id}`)
    expect(answer.text).toBe(text)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Brief%20%221%22.txt"')
    expect(answer.headers.get('etag')).toBe(`"${versionId}"`)
    const cached = await client().get(`/template/${id}`, { 'if-none-match': `"${versionId}"` })
    expect([cached.status, cached.text]).toEqual([304, ''])
  })

  it('an upper-case Version ID finds the version', async () => {
    const { versionId } = await client().version('case')
    expect((await client().get(`/template/${versionId.toUpperCase()}`)).text).toBe('case')
  })

  it('sample is kept and served under _sample.json', async () => {
    const sample = [{ data: { a: 1 }, complement: {}, translations: { fr: {} }, enum: { E: ['x'] } }]
    const { id, versionId } = await client().version('s', { sample: JSON.stringify(sample) })
    for (const ref of [id, versionId])
      expect((await client().get(`/template/${ref}_sample.json`)).body).toEqual(sample)
    const without = await client().version('s')
    expect((await client().get(`/template/${without.id}_sample.json`)).status).toBe(404)
  })

  it('a sample of another shape is refused', async () => {
    for (const sample of ['[{"data":1}]', '{"data":{}}', '[{"other":{}}]', '[{},{}]', 'nonsense']) {
      const answer = await client().form({ versioning: 'true', sample }, { bytes: 'x' })
      expect([sample, answer.status, answer.body.error]).toEqual([
        sample,
        400,
        'Cannot store JSON sample with template file',
      ])
    }
  })

  it('a JSON upload takes all fields as JSON values', async () => {
    const answer = await client().post('/template', {
      template: base64('json {d.a}'),
      versioning: true,
      name: 'J',
      tags: ['z', 'y'],
      sample: [{ data: [] }],
      origin: 1,
      deployedAt: '1700000000',
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ type: 'txt', size: 10, deployedAt: 1_700_000_000 })
  })

  it('the file may come without filename, with a broken part type, after an empty field name', async () => {
    const bytes = new Uint8Array([0x50, 0x51, 0x0d, 0x0a, 0x2d, 0x2d, 0xc3, 0xa9, 0x0d])
    const heads = [
      'Content-Disposition: form-data; name="template"',
      'Content-Disposition: form-data; name="template"; filename="/home/x/t.txt"\nContent-Type: (None, None)',
      'Content-Disposition: form-data; name="template"; filename="t.txt"\nContent-Type: (\'text/plain\', None)',
      'content-disposition: form-data; name=template',
    ]
    for (const head of heads) {
      for (const newline of ['\r\n', '\n']) {
        const form = rawForm(
          [
            { head: 'Content-Disposition: form-data; name="payload"', content: '' },
            { head: 'Content-Disposition: form-data; name=""', content: 'salt' },
            { head, content: bytes },
          ],
          { newline },
        )
        const answer = await client().send('POST', '/template', form)
        expect([head, answer.body]).toEqual([
          head,
          { success: true, data: { templateId: await sha256(bytes), templateExtension: 'txt' } },
        ])
      }
    }
  })

  it('a text part that is a data URI is decoded', async () => {
    const text = unique('uri')
    const form = rawForm([
      {
        head: 'Content-Disposition: form-data; name="template"',
        content: `data:text/plain;base64,${base64(text)}`,
      },
    ])
    const answer = await client().send('POST', '/template', form)
    expect(answer.body.data.templateId).toBe(await sha256(text))
  })

  it('id after the file is refused and leaves nothing behind', async () => {
    const text = unique('late')
    const form = rawForm([
      { head: 'Content-Disposition: form-data; name="template"', content: text },
      { head: 'Content-Disposition: form-data; name="id"', content: '123' },
    ])
    const answer = await client().send('POST', '/template', form)
    expect([answer.status, answer.body.error, answer.body.code]).toEqual([
      400,
      "The 'id' field must be sent before the 'template' file field in the form data.",
      'w131',
    ])
    expect((await client().get(`/template/${await sha256(text)}`)).status).toBe(404)
  })

  it('another field after the file is ignored with a warning', async () => {
    const form = rawForm([
      { head: 'Content-Disposition: form-data; name="template"', content: unique('warn') },
      { head: 'Content-Disposition: form-data; name="name"', content: 'late' },
    ])
    const answer = await client().send('POST', '/template', form)
    expect([answer.status, answer.headers.get('service-warning')]).toEqual([200, 'late-field'])
  })

  it('an upload that is past its expireAt is not listed, downloaded or rendered', async () => {
    const { id, versionId } = await client().version('gone', { expireAt: '1000' })
    for (const ref of [id, versionId]) {
      expect((await client().get(`/template/${ref}`)).status).toBe(404)
      const answer = await client().post(`/render/${ref}`, { data: {} })
      expect([answer.status, answer.body.error]).toEqual([404, 'Template not found'])
    }
    expect((await client().get(`/templates?id=${id}&includeVersions=true`)).body.data).toEqual([])
  })
}
