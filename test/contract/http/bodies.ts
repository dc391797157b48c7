import { expect, it } from 'vitest'
import { type Client, rawForm, sha256, unique } from './client.ts'

const json = { 'content-type': 'application/json' }

async function packed(format: 'gzip' | 'deflate', data: string | Uint8Array) {
  const stream = new Blob([data as Uint8Array<ArrayBuffer>]).stream()
  return new Uint8Array(await new Response(stream.pipeThrough(new CompressionStream(format))).arrayBuffer())
}

/** The forms in which one body may come: compressed, marked, in another order, without its length. */
export function bodyCases(client: () => Client): void {
  const send = (path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    client().send('POST', path, { body, headers: { ...json, ...headers } })
  const render = async (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    send(`/render/${await client().hashed('Hello {d.a}')}?download=true`, body, headers)

  it('a compressed body is read as JSON and as a form', async () => {
    const body = JSON.stringify({ data: { a: 'é'.repeat(5000) } })
    const zipped = await packed('gzip', body)
    const rows: readonly (readonly [string, Uint8Array])[] = [
      ['gzip', zipped],
      ['GZIP', zipped],
      ['x-gzip', zipped],
      ['deflate', await packed('deflate', body)],
      ['deflate, gzip', await packed('gzip', await packed('deflate', body))],
      ['gzip, identity', zipped],
      ['identity', new TextEncoder().encode(body)],
      ['', new TextEncoder().encode(body)],
    ]
    for (const [encoding, bytes] of rows) {
      const answer = await render(bytes as Uint8Array<ArrayBuffer>, { 'content-encoding': encoding })
      expect([encoding, answer.status, answer.text]).toEqual([encoding, 200, `Hello ${'é'.repeat(5000)}`])
    }
    const text = unique('packed form {d.a}')
    const form = rawForm([{ head: 'Content-Disposition: form-data; name="template"', content: text }])
    const upload = await client().send('POST', '/template', {
      body: (await packed('gzip', form.body)) as Uint8Array<ArrayBuffer>,
      headers: { ...form.headers, 'content-encoding': 'gzip' },
    })
    expect([upload.status, upload.body.data.templateId]).toEqual([200, await sha256(text)])
    const { id } = await client().version('x')
    const patch = await client().send('PATCH', `/template/${id}`, {
      body: (await packed('gzip', '{"name":"packed"}')) as Uint8Array<ArrayBuffer>,
      headers: { ...json, 'content-encoding': 'gzip' },
    })
    expect(patch.body.data.name).toBe('packed')
  })

  it('an unknown encoding, and bytes that do not have it, are refused with different errors', async () => {
    const zipped = await packed('gzip', '{"data":{"a":1}}')
    const broken = zipped.slice()
    broken[12]! ^= 255
    const rows: readonly (readonly [string, Uint8Array | string, number, RegExp])[] = [
      ['br', zipped, 415, /^Content-Encoding "br" is not supported\. It must be gzip, deflate or none\.$/],
      ['zstd', zipped, 415, /^Content-Encoding "zstd"/],
      ['<x>', zipped, 415, /^Content-Encoding "\?x\?"/],
      ['gzip,'.repeat(1000), zipped, 415, /^Content-Encoding "more-than-two" is not supported/],
      ['gzip', '{"data":{"a":1}}', 400, /^The request body is not valid gzip data/],
      ['gzip', broken, 400, /^The request body is not valid gzip data/],
      ['gzip', zipped.subarray(0, 15), 400, /^The request body is not valid gzip data/],
      ['deflate', zipped, 400, /^The request body is not valid deflate data/],
    ]
    for (const [encoding, bytes, status, message] of rows) {
      const answer = await render(bytes as Uint8Array<ArrayBuffer>, { 'content-encoding': encoding })
      expect([encoding, answer.status, answer.body?.error]).toEqual([
        encoding,
        status,
        expect.stringMatching(message),
      ])
    }
    expect((await client().get('/status')).status).toBe(200)
  })

  it('limits count bytes after decompression', async () => {
    const spaces = await packed('gzip', `{"data":{}${' '.repeat(62_914_560)}}`)
    expect(spaces.length).toBeLessThan(200_000)
    const answer = await render(spaces as Uint8Array<ArrayBuffer>, { 'content-encoding': 'gzip' })
    expect([answer.status, answer.body.error]).toEqual([
      413,
      'Content too large, the JSON size limit is 62914560 Bytes',
    ])
    const large = rawForm([
      {
        head: 'Content-Disposition: form-data; name="template"',
        content: new Uint8Array(20_971_521).fill(97),
      },
    ])
    const upload = await client().send('POST', '/template', {
      body: (await packed('gzip', large.body)) as Uint8Array<ArrayBuffer>,
      headers: { ...large.headers, 'content-encoding': 'gzip' },
    })
    expect([upload.status, upload.body.error]).toEqual([
      400,
      expect.stringMatching(/^Try uploading your file using form data/),
    ])
  })

  it('accepts a byte order mark and a charset; of duplicate members the last one applies', async () => {
    for (const body of [
      '\ufeff{"data":{"a":1}}',
      ' \r\n\t{"data":{"a":1}}\n ',
      '{"data":{"a":2},"data":{"a":1}}',
      '{"data":{"a":2,"a":1}}',
      '{"d\\u0061ta":{"a":1}}',
    ])
      expect([body, (await render(body)).text]).toEqual([body, 'Hello 1'])
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'APPLICATION/JSON;',
    ])
      expect([type, (await render('{"data":{"a":"é"}}', { 'content-type': type })).text]).toEqual([
        type,
        'Hello é',
      ])
  })

  it('a body without a length', async () => {
    const pieces = ['{"da', 'ta":{"a"', ':"in pieces"}', '}']
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = pieces.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(next))
      },
    })
    const id = await client().hashed('Hello {d.a}')
    const answer = await client().send('POST', `/render/${id}?download=true`, {
      body,
      headers: json,
      duplex: 'half',
    } as RequestInit)
    expect(answer.text).toBe('Hello in pieces')
  })

  it('an empty list is an empty object, as PHP writes it; True and FALSE are booleans', async () => {
    const id = await client().hashed('{d.a}')
    const empty = { complement: [], enum: [], translations: [], currencyRates: [] }
    const answer = await client().post(`/render/${id}?download=True`, {
      data: { a: 1 },
      hardRefresh: 'False',
      ...empty,
    })
    expect([answer.status, answer.text]).toEqual([200, '1'])
    // Read as meant, and reported.
    expect(answer.headers.get('service-warning')).toBe('request.empty-list;count=4')
    for (const field of ['complement', 'enum', 'translations', 'currencyRates'])
      expect([field, (await client().post(`/render/${id}`, { data: {}, [field]: [1] })).status]).toEqual([
        field,
        400,
      ])
  })

  it('forms of convertTo', async () => {
    const id = await client().hashed('{d.a}')
    const rows: readonly (readonly [unknown, number, RegExp])[] = [
      ['txt', 200, /^text\/plain/],
      ['TXT', 200, /^text\/plain/],
      [' TXT\n', 200, /^text\/plain/],
      [{ formatName: ' txt ' }, 200, /^text\/plain/],
      ['  ', 200, /^text\/plain/],
      [{ formatName: 'txt' }, 200, /^text\/plain/],
      [{ formatName: 'txt', formatOptions: {} }, 200, /^text\/plain/],
      [{ formatName: 'txt', formatOptions: null }, 200, /^text\/plain/],
      [{ formatName: 'txt', formatOptions: [] }, 200, /^text\/plain/],
      [{ formatName: 'txt', formatOptions: [1] }, 400, /"convertTo"/],
      [null, 200, /^text\/plain/],
      ['', 200, /^text\/plain/],
      [{}, 400, /"convertTo"/],
      [{ formatName: 7 }, 400, /"convertTo"/],
      [{ formatName: 'txt', formatOptions: 'x' }, 400, /"convertTo"/],
      [7, 400, /"convertTo"/],
      [['txt'], 400, /"convertTo"/],
      [true, 400, /"convertTo"/],
      ['nonsense', 500, /nonsense/],
      ['../txt', 500, /^Unable to generate/],
    ]
    for (const [convertTo, status, says] of rows) {
      const answer = await client().post(`/render/${id}?download=true`, { data: { a: 1 }, convertTo })
      const said = answer.status === 200 ? answer.headers.get('content-type') : answer.body.error
      expect([JSON.stringify(convertTo), answer.status, said]).toEqual([
        JSON.stringify(convertTo),
        status,
        expect.stringMatching(says),
      ])
    }
  })

  it('headers of 100,000 characters are accepted, or refused with JSON', async () => {
    const id = await client().hashed('{d.a}')
    for (const [name, path] of [
      ['x-large', '/status'],
      ['authorization', '/templates?limit=1'],
      ['service-webhook-header-x', `/template/${id}`],
    ] as const) {
      const answer = await client().get(path, { [name]: 'a'.repeat(100_000) })
      expect([name, [200, 431].includes(answer.status), typeof answer.body?.error]).toEqual([
        name,
        true,
        answer.status === 431 ? 'string' : 'undefined',
      ])
    }
    const post = await client().post(`/render/${id}`, { data: {} }, { 'x-large': 'a'.repeat(100_000) })
    expect([200, 431]).toContain(post.status)
    expect((await client().get('/status')).status).toBe(200)
  })

  it('the name of a template cannot lead out of its folder', async () => {
    const { versionId } = await client().version('x', { name: '../a/b\\c"d.txt' })
    const answer = await client().get(`/template/${versionId}`)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=".._a_b_c%22d.txt"')
  })

  it('304 has the cache headers of 200', async () => {
    const { versionId } = await client().version('x')
    for (const path of [`/template/${versionId}`, `/templates?versionId=${versionId}`]) {
      const first = await client().get(path)
      const second = await client().get(path, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([second.status, second.text]).toEqual([304, ''])
      for (const name of ['etag', 'cache-control', 'vary'])
        expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)])
    }
  })
}
