import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { base64, type Client, rawForm, sha256, unique } from './client.ts'

const unsupported = /^Template format not supported, it must be an XML-based or Text-based document: DOCX, /

/** Specification 7: statuses and messages, and that nothing half-stored remains. */
export function badInputCases(client: () => Client): void {
  it('a render that is not application/json is refused', async () => {
    const id = await client().hashed('ct')
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '(json)',
    ]) {
      const answer = await client().post(`/render/${id}`, '{}', { 'content-type': type })
      expect([type, answer.status, answer.body.error]).toEqual([
        type,
        400,
        '"Content-Type" header is not "application/json"',
      ])
    }
  })

  it('an upload of another content type is refused', async () => {
    const answer = await client().post('/template', 'x', { 'content-type': 'text/plain' })
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'Content-Type header should be multipart/form-data (preferred) or application/json (base64 mode)',
    ])
  })

  it('malformed ids are 400 everywhere and never reach storage', async () => {
    const ids = [
      'abc',
      '0',
      '-1',
      '01',
      '9223372036854775808',
      '..%2F..%2Fetc',
      '%00',
      'a'.repeat(63),
      '%ff',
      'ü',
      '1'.repeat(20),
    ]
    for (const id of ids) {
      for (const [method, path] of [
        ['POST', `/render/${id}`],
        ['GET', `/template/${id}`],
        ['DELETE', `/template/${id}`],
        ['PATCH', `/template/${id}`],
      ] as const) {
        const init =
          method === 'POST' || method === 'PATCH'
            ? { body: '{}', headers: { 'content-type': 'application/json' } }
            : {}
        const answer = await client().send(method, path, init)
        expect([method, id, answer.status, answer.body?.error]).toEqual([
          method,
          id,
          400,
          'Invalid or undefined TemplateId or RenderId in the URL',
        ])
      }
    }
    for (const id of [
      'short',
      'x'.repeat(600),
      'a%2Fb'.padEnd(30, 'c'),
      '..%2F..%2F..%2Fetc%2Fpasswd',
      'a.b.c.d.e.f.g.h.i',
    ]) {
      const answer = await client().get(`/render/${id}`)
      expect([id, answer.status, answer.body.code]).toEqual([id, 400, 'w115'])
    }
  })

  it('no id at all is 400', async () => {
    const calls = ['GET', 'HEAD', 'PATCH', 'DELETE'].map((method) => [method, '/template'])
    for (const [method, path] of [...calls, ['GET', '/render'], ['POST', '/render'], ['HEAD', '/render']]) {
      for (const slash of ['', '/']) {
        const answer = await client().send(method!, path! + slash)
        const wanted =
          method === 'HEAD' ? undefined : 'Invalid or undefined TemplateId or RenderId in the URL'
        expect([method, path, answer.status, answer.body?.error]).toEqual([method, path, 400, wanted])
      }
    }
    expect((await client().send('PUT', '/template')).status).toBe(405)
  })

  it('well-formed unknown IDs are 404 before the body is read', async () => {
    for (const id of ['f'.repeat(64), '4611686018427387904']) {
      const answer = await client().post(`/render/${id}`, 'not json', { 'content-type': 'text/plain' })
      expect([answer.status, answer.body]).toEqual([
        404,
        { success: false, error: 'Template not found', code: 'api.template.not-found' },
      ])
      expect((await client().get(`/template/${id}`)).status).toBe(404)
      expect((await client().delete(`/template/${id}`)).status).toBe(404)
      expect((await client().patch(`/template/${id}`, { name: 'x' })).status).toBe(404)
    }
    const unknown = await client().get(`/render/${'A'.repeat(28)}.pdf`)
    expect([unknown.status, unknown.body.error]).toEqual([404, 'File not found'])
  })

  it('a body that is not JSON is 400 Invalid JSON body', async () => {
    const id = await client().hashed('json {d.a}')
    const bodies = [
      'not json',
      '{',
      '{"data":}',
      '{"data":{"a":1}',
      '{"data":{"a":1}} x',
      '{"data":{"a":tru}}',
      '{"data":{"a":1,}}',
      "{'data':{}}",
      '{"data":{},"lang":en}',
      '[1]',
      '"text"',
      '7',
      '{"data":[}',
      '{"a":1 "b":2}',
    ]
    for (const body of bodies) {
      const answer = await client().post(`/render/${id}`, body)
      expect([body, answer.status, answer.body.success]).toEqual([body, 400, false])
      expect(answer.body.error).toMatch(/^Invalid JSON body/)
    }
  })

  it('an inline template that is missing, empty or not base64 is refused', async () => {
    for (const body of [{ data: {} }, { data: {}, template: '' }, { data: {}, template: null }]) {
      const answer = await client().post('/render/template', body)
      expect([answer.status, answer.body.error]).toEqual([422, '"template" field is empty'])
    }
    for (const template of ['!!!!', 'ab=c', 'data:text/plain,hello', 7, {}]) {
      const answer = await client().post('/render/template', { data: {}, template })
      expect([JSON.stringify(template), answer.status]).toEqual([JSON.stringify(template), 415])
      expect(answer.body.error).toMatch(unsupported)
    }
  })

  it('an upload without a file, or with an empty one, is 422', async () => {
    for (const answer of [
      await client().form({ versioning: 'true' }, undefined),
      await client().form({}, { bytes: '' }),
      await client().post('/template', {}),
      await client().post('/template', { template: '' }),
    ])
      expect([answer.status, answer.body.error]).toEqual([422, '"template" field is empty'])
  })

  it('a file of an unknown type is 415 and stores nothing', async () => {
    const noise = new Uint8Array(3000).map((_, at) => (at * 7919 + (at >> 3)) & 255)
    noise.set([0, 1, 2, 3])
    for (const answer of [
      await client().form({}, { bytes: noise, filename: 'x.docx' }),
      await client().post('/template', { template: base64(noise) }),
      await client().post('/render/template', { template: base64(noise), data: {} }),
    ]) {
      expect(answer.status).toBe(415)
      expect(answer.body.error).toMatch(unsupported)
      expect(answer.body.code).toBe('w118')
    }
    expect((await client().get(`/template/${await sha256(noise)}`)).status).toBe(404)
  })

  it.each(['docx', 'xlsx', 'pptx', 'doc', 'xls', 'odt'])(
    'a %s with a password is reported as encrypted',
    async (type) => {
      const bytes = new Uint8Array(
        readFileSync(new URL(`../../fixtures/office/sealed.${type}`, import.meta.url)),
      )
      const template = base64(bytes)
      const uploads = [
        await client().form({}, { bytes, filename: `x.${type}` }),
        await client().post('/template', { template }),
      ]
      for (const { status, body } of uploads)
        expect([status, body.code, body.error]).toEqual([
          415,
          'w118',
          expect.stringMatching(/ protected with a password\./),
        ])
      const renders = [
        await client().post('/render/template', { template, convertTo: 'pdf' }),
        await client().post('/render/template', { template, data: {} }),
      ]
      // A workbook of this type may have the default password, so only an office can detect it; it has no tags.
      const judged = type === 'xls' ? [] : renders
      for (const { body } of judged) expect(body.error).toMatch(/ protected with a password\./)
    },
  )

  it('a file over the limit is refused in each way of sending it', async () => {
    const large = new Uint8Array(20_971_521).fill(97)
    const form = await client().form({}, { bytes: large })
    expect([form.status, form.body.success]).toEqual([400, false])
    expect(form.body.error).toMatch(/^Try uploading your file using form data/)
    const text = base64(large)
    const upload = await client().post('/template', `{"template":"${text}"}`)
    expect([upload.status, upload.body.error]).toEqual([
      413,
      'Template too large, the file size limit is 20971520 Bytes',
    ])
    const inline = await client().post('/render/template', `{"data":{},"template":"${text}"}`)
    expect([inline.status, inline.body.error]).toEqual([
      413,
      'Template too large, the file size limit is 20971520 Bytes',
    ])
    expect((await client().get(`/template/${await sha256(large)}`)).status).toBe(404)
  })

  it('a body over the limit is refused while it is being sent', async () => {
    const id = await client().hashed('big')
    const body = `{"data":"${'x'.repeat(62_914_560)}"}`
    const render = await client().post(`/render/${id}`, body)
    expect([render.status, render.body.error]).toEqual([
      413,
      'Content too large, the JSON size limit is 62914560 Bytes',
    ])
    const upload = await client().post('/template', body)
    expect([upload.status, upload.body.error]).toEqual([
      413,
      'Template or sample data is too large. The combined size of both exceeds the limit: 62914560 Bytes',
    ])
    const form = await client().form({ comment: 'x'.repeat(62_914_561) }, { bytes: 'x' })
    expect([form.status, form.body.error]).toEqual([
      400,
      'Content too large, the JSON size limit is 2097152 Bytes for the field "comment"',
    ])
    const sample = await client().form({ sample: 'x'.repeat(62_914_561) }, { bytes: 'x' })
    expect([sample.status, sample.body.error]).toEqual([
      400,
      'Content too large, the JSON size limit is 62914560 Bytes',
    ])
  })

  it('exactly the limit is accepted', async () => {
    const answer = await client().form({}, { bytes: new Uint8Array(20_971_520).fill(98) })
    expect(answer.status).toBe(200)
  })

  it('rejected metadata names field and rule and stores nothing', async () => {
    const text = unique('meta')
    const rows: readonly [Record<string, string>, RegExp][] = [
      [{ name: 'x'.repeat(201) }, /"name" must be a string of at most 200 characters/],
      [{ expireAt: '-1' }, /"expireAt" must be an integer between 0 and 9007199254740991/],
      [{ expireAt: '9007199254740992' }, /"expireAt"/],
      [{ origin: '5' }, /"origin" must be an integer between 0 and 4/],
      [{ tags: 'a,b' }, /"tags" must be a JSON array of strings/],
      [{ tags: '[1]' }, /"tags" must be an array of strings/],
      [{ tags: JSON.stringify(['x'.repeat(101)]) }, /"tags".*100 characters in total/],
      [{ versioning: 'maybe' }, /"versioning" must be a boolean/],
      [{ id: 'x y' }, /"id" must be a Template ID/],
      [{ deployedAt: '41999999999' }, /"deployedAt"/],
    ]
    for (const [fields, message] of rows) {
      const answer = await client().form({ ...fields }, { bytes: text })
      expect([JSON.stringify(fields).slice(0, 50), answer.status]).toEqual([
        JSON.stringify(fields).slice(0, 50),
        400,
      ])
      expect(answer.body.error).toMatch(/^Invalid template metadata\. Error: /)
      expect(answer.body.error).toMatch(message)
    }
    expect((await client().get(`/template/${await sha256(text)}`)).status).toBe(404)
  })

  it('a repeated tags field is refused', async () => {
    const field = { head: 'Content-Disposition: form-data; name="tags"', content: '["a"]' }
    const file = { head: 'Content-Disposition: form-data; name="template"', content: 'x' }
    const answer = await client().send('POST', '/template', rawForm([field, field, file]))
    expect([answer.status, answer.body.success]).toEqual([400, false])
    expect(answer.body.error).toMatch(/"tags" must be sent once/)
  })

  it('a form that is truncated, or has no boundary or parts, is refused and stores nothing', async () => {
    const text = unique('cut')
    const file = { head: 'Content-Disposition: form-data; name="template"', content: text }
    const cut = await client().send('POST', '/template', rawForm([file], { closing: '' }))
    expect([cut.status, cut.body.success]).toEqual([400, false])
    const none = await client().send('POST', '/template', {
      body: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    })
    expect([none.status, none.body.error]).toEqual([400, 'Try uploading your file using form data'])
    const empty = await client().send('POST', '/template', rawForm([]))
    expect(empty.status).toBe(422)
    expect((await client().get(`/template/${await sha256(text)}`)).status).toBe(404)
  })

  it('a form whose part headers never end is refused', async () => {
    const form = rawForm([{ head: `X-Long: ${'x'.repeat(40_000)}`, content: 'x' }])
    const answer = await client().send('POST', '/template', form)
    expect([answer.status, answer.body.success]).toEqual([400, false])
  })

  it('unbalanced tags are the documented 500 that lists what is wrong', async () => {
    const id = await client().hashed('{d.a:ifEQ(1):showBegin}never closed')
    const answer = await client().post(`/render/${id}`, { data: {} })
    expect(answer.status).toBe(500)
    expect(answer.body).toMatchObject({ success: false, code: 'w101', data: { renderId: '' } })
    expect(answer.body.error).toMatch(/^Unable to generate the document\. /)
  })

  it('a damaged zip, or one that is not an office file, is refused and stores nothing', async () => {
    const zip = new Uint8Array(200)
    zip.set([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0])
    const answer = await client().form({ versioning: 'true' }, { bytes: zip, filename: 'a.docx' })
    expect([400, 415]).toContain(answer.status)
    expect(answer.body.success).toBe(false)
    expect((await client().get(`/template/${await sha256(zip)}`)).status).toBe(404)
  })

  it('an egress header of 512 characters is refused', async () => {
    const id = await client().hashed('egress')
    const answer = await client().post(
      `/render/${id}`,
      { data: {} },
      {
        'service-egress-header-authorization': 'x'.repeat(512),
      },
    )
    expect([answer.status, answer.body.success]).toEqual([400, false])
  })

  it('a webhook address that is not a URL is the documented 500', async () => {
    const id = await client().hashed('hook')
    for (const url of ['nonsense', 'ftp://example.org/', '/relative']) {
      const answer = await client().post(`/render/${id}`, { data: {} }, { 'service-webhook-url': url })
      expect([url, answer.status, answer.body.error]).toEqual([
        url,
        500,
        'Error while setting up the webhook',
      ])
    }
  })

  it('errors contain no stack, path or data', async () => {
    const id = await client().hashed('{d.a:nonsense(')
    const answer = await client().post(`/render/${id}`, {
      data: { a: 'secret-value' },
      convertTo: '/etc/passwd',
    })
    expect(answer.body.success).toBe(false)
    expect(answer.text).not.toMatch(/secret-value|\bat \/|node_modules|\.ts:/)
  })
}
