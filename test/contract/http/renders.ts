import { expect, it } from 'vitest'
import { base64, type Client, sha256, unique } from './client.ts'

/** Specification 2.2, 3.3, 4.2, 4.3 and 4.11. */
export function renderCases(client: () => Client): void {
  const greeting = 'Hello {d.name}!'
  const start = async (text = greeting, body: object = { data: { name: 'Ann' } }) => {
    const id = await client().hashed(text)
    const answer = await client().post(`/render/${id}`, body)
    expect(answer.status).toBe(200)
    return answer.body.data.renderId as string
  }

  it('stored template, render, download: the three steps', async () => {
    const renderId = await start()
    expect(renderId).toMatch(/^[A-Za-z0-9_-]{28}\.txt$/)
    const file = await client().get(`/render/${renderId}`)
    expect([file.status, file.text]).toEqual([200, 'Hello Ann!'])
    expect(file.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(file.headers.get('content-disposition')).toBe('inline; filename="report.txt"')
    expect(file.headers.get('cache-control')).toBe('no-store')
    expect(file.headers.get('accept-ranges')).toBe('none')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('the answer of a render is success and renderId', async () => {
    const { versionId } = await client().version(greeting)
    const answer = await client().post(`/render/${versionId}`, { data: {} })
    expect(answer.body).toEqual({ success: true, data: { renderId: expect.any(String) } })
  })

  it('a second download is 404', async () => {
    const renderId = await start()
    await client().get(`/render/${renderId}`)
    const again = await client().get(`/render/${renderId}`)
    expect([again.status, again.body]).toEqual([
      404,
      { success: false, error: 'File not found', code: 'w104' },
    ])
  })

  it('of 100 simultaneous downloads exactly one gets the file', async () => {
    const renderId = await start()
    const answers = await Promise.all(Array.from({ length: 100 }, () => client().get(`/render/${renderId}`)))
    const found = answers.filter((answer) => answer.status === 200)
    expect(found.map((answer) => answer.text)).toEqual(['Hello Ann!'])
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(99)
  })

  it('HEAD returns the headers and does not count as the download', async () => {
    const renderId = await start()
    for (let time = 0; time < 2; time++) {
      const head = await client().send('HEAD', `/render/${renderId}`)
      expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
    }
    expect((await client().get(`/render/${renderId}`)).text).toBe('Hello Ann!')
    expect((await client().send('HEAD', `/render/${renderId}`)).status).toBe(404)
  })

  it('download=true on the download makes it an attachment', async () => {
    const file = await client().get(`/render/${await start()}?download=true`)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="report.txt"')
  })

  it('Range is ignored', async () => {
    const file = await client().get(`/render/${await start()}`, { range: 'bytes=0-3' })
    expect([file.status, file.text]).toEqual([200, 'Hello Ann!'])
  })

  it('POST /render/{id}/file returns the file, and accepts no webhook', async () => {
    const id = await client().hashed(greeting)
    const file = await client().post(`/render/${id}/file`, { data: { name: 'Ann' } })
    expect([file.status, file.text]).toEqual([200, 'Hello Ann!'])
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="report.txt"')
    const inline = await client().post('/render/template/file', {
      template: base64(greeting),
      data: { name: 'Bob' },
    })
    expect([inline.status, inline.text]).toEqual([200, 'Hello Bob!'])
    const webhook = { 'service-webhook-url': 'https://hooks.example.com/' }
    const refused = await client().post(`/render/${id}/file`, { data: {} }, webhook)
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('"service-webhook-url" requires POST /render/:id'),
    ])
    expect((await client().get(`/render/${id}/file`)).status).toBe(405)
  })

  it('download=true on the render returns the file', async () => {
    const id = await client().hashed(greeting)
    for (const query of ['download=true', 'download=1', 'download']) {
      const file = await client().post(`/render/${id}?${query}`, { data: { name: 'Bo' } })
      expect([query, file.status, file.text]).toEqual([query, 200, 'Hello Bo!'])
      expect(file.headers.get('content-disposition')).toBe('attachment; filename="report.txt"')
    }
    for (const query of ['download=false', 'download=no', '']) {
      const answer = await client().post(`/render/${id}?${query}`, { data: {} })
      expect(answer.body.data.renderId).toEqual(expect.any(String))
    }
  })

  it('an inline template renders without being stored', async () => {
    const text = `${unique('inline')} {d.a}`
    for (const template of [base64(text), `data:text/plain;base64,${base64(text)}`]) {
      const file = await client().post('/render/template?download=true', { data: { a: 'ok' }, template })
      expect(file.text).toBe(text.replace('{d.a}', 'ok'))
    }
    expect((await client().get(`/template/${await sha256(text)}`)).status).toBe(404)
  })

  it('an inline template without download returns a renderId', async () => {
    const answer = await client().post('/render/template', { data: {}, template: base64('x') })
    expect((await client().get(`/render/${answer.body.data.renderId}`)).text).toBe('x')
  })

  it('template in the body is ignored when the path names one', async () => {
    const id = await client().hashed(greeting)
    const file = await client().post(`/render/${id}?download=true`, {
      data: { name: 'C' },
      template: 'not base64!',
    })
    expect(file.text).toBe('Hello C!')
  })

  it('base64 with escaped slashes, line breaks, URL-safe letters or no padding is read', async () => {
    const text = 'ÿÿÿ?>~ subjects? {d.a}'
    const plain = base64(text)
    for (const template of [
      plain.replaceAll('/', '\\/'),
      plain.replace(/.{10}/g, '$&\\r\\n'),
      plain.replaceAll('+', '-').replaceAll('/', '_'),
      plain.replace(/=+$/, ''),
    ]) {
      const file = await client().post(
        '/render/template?download=true',
        `{"data":{"a":1},"template":"${template}"}`,
      )
      expect(file.text).toBe('ÿÿÿ?>~ subjects? 1')
    }
  })

  it('data omitted or null leaves tags as they are; {} runs with empty data', async () => {
    const id = await client().hashed(greeting)
    const text = async (body: unknown) => (await client().post(`/render/${id}?download=true`, body)).text
    expect(await text({})).toBe(greeting)
    expect(await text('')).toBe(greeting)
    expect(await text('[]')).toBe(greeting)
    expect(await text('""')).toBe(greeting)
    expect(await text({ data: null })).toBe(greeting)
    expect(await text({ data: {} })).toBe('Hello !')
  })

  it('in version 4 and 3 omitted data is 422', async () => {
    const id = await client().hashed(greeting)
    for (const version of ['4', '3', 'v4', '4.23.0', '2', '0']) {
      const answer = await client().post(`/render/${id}`, {}, { 'service-version': version })
      expect([version, answer.status, answer.body.error]).toEqual([
        version,
        422,
        'Missing "data" property in body',
      ])
    }
    for (const version of ['5', '5.15.0', 'v5', '6', '']) {
      const answer = await client().post(`/render/${id}`, {}, { 'service-version': version })
      expect([version, answer.status]).toEqual([version, 200])
    }
  })

  it('an API version out of range is replaced by the nearest one, with a warning', async () => {
    const id = await client().hashed(greeting)
    const answer = await client().post(`/render/${id}`, { data: {} }, { 'service-version': '9' })
    expect([answer.status, answer.headers.get('service-warning')]).toEqual([200, 'version'])
  })

  it('data may be an array', async () => {
    const id = await client().hashed('{d[0].name}-{d[1].name}')
    const file = await client().post(`/render/${id}?download=true`, { data: [{ name: 'a' }, { name: 'b' }] })
    expect(file.text).toBe('a-b')
  })

  it('complement is merged with {c.} tags', async () => {
    const id = await client().hashed('{d.a}{c.b}')
    const file = await client().post(`/render/${id}?download=true`, { data: { a: 1 }, complement: { b: 2 } })
    expect(file.text).toBe('12')
  })

  it('reportName may hold tags, and the header has exactly one =', async () => {
    const id = await client().hashed(greeting)
    const rows: readonly [string, string][] = [
      ['letter', 'letter.txt'],
      ['letter.txt', 'letter.txt'],
      ['{d.name} / {d.name}', 'Ann%20_%20Ann.txt'],
      ['a=b', 'a%3Db.txt'],
      ['"q" \'s\' (p); x', '_q_%20%27s%27%20%28p%29%3B%20x.txt'],
      ['é 文 😀', '%C3%A9%20%E6%96%87%20%F0%9F%98%80.txt'],
      ['..', 'report.txt'],
      ['', 'report.txt'],
      ['a\nb\u0000', 'ab.txt'],
      ['../../etc/passwd', '.._.._etc_passwd.txt'],
      ['x'.repeat(300), `${'x'.repeat(200)}.txt`],
    ]
    for (const [reportName, expected] of rows) {
      const file = await client().post(`/render/${id}?download=true`, { data: { name: 'Ann' }, reportName })
      const header = file.headers.get('content-disposition') ?? ''
      expect(header).toBe(`attachment; filename="${expected}"`)
      expect(header.split('=')).toHaveLength(2)
    }
  })

  it('the download of a stored render has its report name', async () => {
    const renderId = await start(greeting, { data: { name: 'Z' }, reportName: 'for {d.name}' })
    const file = await client().get(`/render/${renderId}`)
    expect(file.headers.get('content-disposition')).toBe('inline; filename="for%20Z.txt"')
  })

  it('service-content-disposition: rfc6266 adds the long form', async () => {
    const id = await client().hashed(greeting)
    const file = await client().post(
      `/render/${id}?download=true`,
      { data: {}, reportName: 'é' },
      { 'service-content-disposition': 'rfc6266' },
    )
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="%C3%A9.txt"; filename*=UTF-8\'\'%C3%A9.txt',
    )
  })

  it('convertTo of the same format needs no engine', async () => {
    const id = await client().hashed(greeting)
    for (const convertTo of ['txt', { formatName: 'txt' }, { formatName: 'TXT', formatOptions: {} }]) {
      const file = await client().post(`/render/${id}?download=true`, { data: { name: 'D' }, convertTo })
      expect(file.text).toBe('Hello D!')
    }
  })

  it('an output format that is not known is the documented 500 with its cause', async () => {
    const id = await client().hashed(greeting)
    const answer = await client().post(`/render/${id}`, { data: {}, convertTo: 'nonsense' })
    expect(answer.status).toBe(500)
    expect(answer.body).toMatchObject({ success: false, code: 'w101', data: { renderId: '' } })
    expect(answer.body.error).toMatch(/^Unable to generate the document\. /)
  })

  it('an unavailable engine is an error, never replaced by another one', async () => {
    const id = await client().hashed(greeting)
    const answer = await client().post(`/render/${id}`, { data: {}, convertTo: 'pdf', converter: 'Z' })
    expect(answer.status).toBe(500)
    expect(answer.body.error).toMatch(/^Unable to generate the document\. .*cannot convert txt to pdf/)
  })

  it('converter without convertTo is ignored', async () => {
    const id = await client().hashed(greeting)
    const file = await client().post(`/render/${id}?download=true`, { data: { name: 'E' }, converter: 'Z' })
    expect(file.text).toBe('Hello E!')
  })

  it('fields outside their rules are refused with field and rule', async () => {
    const id = await client().hashed(greeting)
    const rows: readonly [Record<string, unknown>, RegExp][] = [
      [{ convertTo: 7 }, /"convertTo" must be a format name or an object/],
      [{ convertTo: { formatOptions: {} } }, /"convertTo"/],
      [{ converter: 'LL' }, /"converter"/],
      [{ lang: {} }, /"lang" must be a string/],
      [{ reportName: 1 }, /"reportName" must be a string/],
      [{ translations: { fr: 'x' } }, /"translations"/],
      [{ currencyRates: { EUR: '1' } }, /"currencyRates"/],
      [
        { failOn: ['IMAGE_URL_ERROR', 'OTHER'] },
        /"failOn" must be an array of known values: IMAGE_URL_ERROR/,
      ],
      [{ failOn: 'IMAGE_URL_ERROR' }, /"failOn"/],
      [{ batchSplitBy: 'd.a.b' }, /"batchSplitBy"/],
      [{ batchOutput: 'tar' }, /"batchOutput" must be "zip" or "pdf"/],
      [{ preReleaseFeatureIn: 'x' }, /"preReleaseFeatureIn"/],
      [{ data: 'text' }, /"data" must be an object or an array/],
      [{ data: 7 }, /"data" must be an object or an array/],
      [{ complement: 'text' }, /"complement" must be an object/],
    ]
    for (const [fields, message] of rows) {
      const answer = await client().post(`/render/${id}`, { data: {}, ...fields })
      expect([JSON.stringify(fields), answer.status]).toEqual([JSON.stringify(fields), 400])
      expect(answer.body.error).toMatch(/^Invalid request body\. Error: /)
      expect(answer.body.error).toMatch(message)
    }
  })

  it('fields that are not known are ignored', async () => {
    const id = await client().hashed(greeting)
    const body = '{"__proto__":{"x":1},"constructor":1,"whatever":[1],"data":{"name":"P"}}'
    expect((await client().post(`/render/${id}?download=true`, body)).text).toBe('Hello P!')
  })

  it('large data arrives complete', async () => {
    const id = await client().hashed('{d.list[i].a};{d.list[i+1].a}')
    const list = Array.from({ length: 20_000 }, (_, at) => ({ a: at, filler: 'x'.repeat(50) }))
    const file = await client().post(`/render/${id}?download=true`, { data: { list } })
    expect(file.text.split(';').slice(0, 3)).toEqual(['0', '1', '2'])
    expect(file.text).toContain('19999')
  })

  it('isDebugActive adds debug to the answer, not to a download', async () => {
    const id = await client().hashed(greeting)
    const answer = await client().post(`/render/${id}`, { data: {}, isDebugActive: true })
    expect(answer.body.data.debug).toEqual({ markers: ['{d.name}'], sample: { data: { name: 'Name' } } })
    const file = await client().post(`/render/${id}?download=true`, {
      data: { name: 'x' },
      isDebugActive: true,
    })
    expect(file.text).toBe('Hello x!')
  })

  it('renders of one template at once do not mix', async () => {
    const id = await client().hashed(greeting)
    const files = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        client().post(`/render/${id}?download=true`, { data: { name: `n${at}` } }),
      ),
    )
    expect(files.map((file) => file.text)).toEqual(Array.from({ length: 20 }, (_, at) => `Hello n${at}!`))
  })

  it('upload, render by local hash, delete, 404, upload again', async () => {
    const text = `${unique('hash')} {d.a}`
    const local = await sha256(text)
    expect((await client().post(`/render/${local}`, { data: {} })).status).toBe(404)
    await client().hashed(text)
    expect((await client().post(`/render/${local}`, { data: {} })).status).toBe(200)
    await client().delete(`/template/${local}`)
    expect((await client().post(`/render/${local}`, { data: {} })).status).toBe(404)
    await client().hashed(text)
    expect((await client().post(`/render/${local}`, { data: {} })).status).toBe(200)
  })
}
