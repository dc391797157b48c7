import { expect, it } from 'vitest'
import { type Answer, base64, type Client, rawForm, sha256, unique } from './client.ts'

/** The allowed responses: an error with one of these statuses, always as JSON, or 200 where input is accepted generously. */
type Row = readonly [says: string, ask: () => Promise<Answer>, statuses: readonly number[]]

const json = { 'content-type': 'application/json' }
const part = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
/** Half a surrogate pair, NUL, a control character, a mark that turns text around, all of Unicode's worst. */
const junk = '\u0000\ud800x\udfff\u0007\u202e\ufffe\uffff"\'\\;--%00%ff$ {}{d.a}<script>'

/** Bad input of every kind (specification 2.5, 4.1, 4.4 and 7) is answered with JSON, and nothing is half stored. */
export function hostileCases(client: () => Client): void {
  const send = (method: string, path: string, init: RequestInit = {}) => client().send(method, path, init)
  const post = (
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = json,
  ) => send('POST', path, { body, headers })
  const check = async (rows: readonly Row[]) => {
    for (const [says, ask, statuses] of rows) {
      const answer = await ask()
      expect([
        says,
        statuses.includes(answer.status) ? 'as expected' : answer.status,
        answer.text.slice(0, 200),
      ]).toEqual([says, 'as expected', expect.any(String)])
      if (answer.status >= 400) expectError(says, answer)
    }
    expect((await client().get('/status')).status).toBe(200)
  }

  it('malformed JSON of all kinds is refused', async () => {
    const id = await client().hashed('{d.a}')
    const path = `/render/${id}`
    const deep = (depth: number) => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const bytes = (...codes: number[]) => new Uint8Array(codes)
    await check([
      ['nested 100,000 deep', () => post(path, deep(100_000)), [200, 400, 500]],
      [
        'nested 1,000,000 deep in a member nobody knows',
        () => post(path, `{"x":${'['.repeat(1_000_000)}}`),
        [400],
      ],
      ['open for ever', () => post(path, '{"data":{"a":"'.repeat(5)), [400]],
      ['a key of a megabyte', () => post(path, `{"data":{},"${'k'.repeat(1_000_000)}":1}`), [200]],
      ['999 members besides data', () => post(path, `{"data":{}${',"k":1'.repeat(999)}}`), [200]],
      ['100,000 members', () => post(path, `{"data":{}${',"k":1'.repeat(100_000)}}`), [400]],
      ['numbers out of range', () => post(path, '{"data":{"a":1e999,"b":-1e999,"c":0.1e-999}}'), [200]],
      ['UTF-16', () => post(path, bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0)), [400]],
      [
        'bytes that are no UTF-8, in a text',
        () =>
          post(
            path,
            bytes(
              ...new TextEncoder().encode('{"data":{"a":"'),
              0xff,
              0xc3,
              ...new TextEncoder().encode('"}}'),
            ),
          ),
        [200, 400],
      ],
      [
        'bytes that are no UTF-8, in a key',
        () => post(path, bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)),
        [200, 400],
      ],
      ['NUL after the end', () => post(path, '{"data":{}}\u0000'), [400]],
      ['comments', () => post(path, '{/*x*/"data":{}}'), [400]],
      ['a trailing comma', () => post(path, '{"data":{},}'), [400]],
      ['NaN', () => post(path, '{"data":{"a":NaN}}'), [400]],
      [
        'gzip that nobody asked for',
        () => post(path, bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0), { ...json, 'content-encoding': 'gzip' }),
        [400, 415],
      ],
      [
        'prototypes',
        () =>
          post(
            path,
            '{"data":{"__proto__":{"a":1},"constructor":{"prototype":{}}},"__proto__":{"convertTo":"nonsense"}}',
          ),
        [200],
      ],
    ])
  })

  it('junk in any text of a render never fails the service', async () => {
    const id = await client().hashed('{d.a}')
    const fields = [
      'convertTo',
      'converter',
      'timezone',
      'lang',
      'variableStr',
      'reportName',
      'currencySource',
      'currencyTarget',
      'batchSplitBy',
      'batchOutput',
      'batchReportName',
      'preReleaseFeatureIn',
      'failOn',
      'enum',
      'translations',
      'hardRefresh',
      'template',
    ]
    for (const field of fields)
      for (const value of [junk, junk.repeat(2000), -1, 1e300, [], [junk], { [junk]: junk }, true, false]) {
        const answer = await client().post(`/render/${id}`, { data: {}, [field]: value })
        const says = `${field}: ${JSON.stringify(value).slice(0, 30)}`
        expect([says, answer.status, [200, 400, 500].includes(answer.status)]).toEqual([
          says,
          answer.status,
          true,
        ])
        if (answer.status >= 400) expectError(says, answer)
        // A 500 is the documented one of a render, never an unexpected one.
        if (answer.status === 500)
          expect([says, answer.body.error]).toEqual([
            says,
            expect.stringMatching(/^Unable to generate the document\. /),
          ])
      }
  })

  it('metadata accept numbers as text, and refuse other text', async () => {
    const upload = (fields: Record<string, string>) =>
      client().form({ versioning: 'true', ...fields }, { bytes: 'x' })
    const rows: Row[] = []
    for (const [name, value] of [
      ['origin', '2'],
      ['deployedAt', '1600000000'],
      ['expireAt', '9000000000'],
      ['versioning', '1'],
      ['tags', ''],
      ['sample', ' '],
      ['id', ''],
    ] as const)
      rows.push([`${name} ${value}`, () => upload({ [name]: value }), [200]])
    for (const value of [
      '1e3',
      '0x10',
      '1.5',
      '-1',
      ' 7',
      '٣',
      'true',
      '99999999999999999999',
      'NaN',
      '1,000',
    ])
      for (const name of ['origin', 'deployedAt', 'expireAt'])
        rows.push([`${name} ${value}`, () => upload({ [name]: value }), [400]])
    for (const value of ['yes', '2', 'ja', 'null', '[]'])
      rows.push([`versioning ${value}`, () => upload({ versioning: value }), [400]])
    for (const value of ['{}', '"a"', '[[]]', '[null]', '["a",]', 'null', '[1]'])
      rows.push([`tags ${value}`, () => upload({ tags: value }), value === 'null' ? [200, 400] : [400]])
    for (const value of ['+5', '1.0', '0', '00', '-0', '9223372036854775808', 'abc', "1' OR '1'='1"])
      rows.push([`id ${value}`, () => upload({ id: value }), [400]])
    await check(rows)
  })

  it('accepts 10,000 tags, and as many of everything else', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `t${at}`)
    const { versionId } = await client().version('tags')
    const text = unique('many')
    await check([
      ['in a form', () => client().form({ tags: JSON.stringify(many) }, { bytes: text }), [400]],
      ['in JSON', () => client().post('/template', { template: base64(text), tags: many }), [400]],
      ['in PATCH', () => client().patch(`/template/${versionId}`, { tags: many }), [400]],
      [
        'the same one 10,000 times',
        () => client().patch(`/template/${versionId}`, { tags: Array(10_000).fill('a') }),
        [200, 400],
      ],
      [
        '100 of a letter each',
        () =>
          client().patch(`/template/${versionId}`, {
            tags: many.slice(0, 100).map((_, at) => String.fromCodePoint(0x4e00 + at)),
          }),
        [200],
      ],
      [
        '10,000 fields in a form',
        () =>
          send(
            'POST',
            '/template',
            rawForm(Array.from({ length: 10_000 }, (_, at) => ({ head: part(`f${at}`), content: 'x' }))),
          ),
        [400],
      ],
      [
        '10,000 parameters in an address',
        () => client().get(`/templates?${Array.from({ length: 10_000 }, (_, at) => `a${at}`).join('&')}`),
        [200, 400, 414, 431],
      ],
      [
        'a sample of 10,000',
        () => client().form({ sample: JSON.stringify(Array(10_000).fill({})) }, { bytes: text }),
        [400],
      ],
    ])
    expect((await client().get(`/template/${await sha256(text)}`)).status).toBe(404)
  })

  it('forms with duplicate, unordered, unnamed or unfinished fields never fail the service', async () => {
    const file = (text: string) => ({ head: part('template', '; filename="t.txt"'), content: text })
    const form = (parts: Parameters<typeof rawForm>[0], options?: Parameters<typeof rawForm>[1]) =>
      send('POST', '/template', rawForm(parts, options))
    const twice = unique('twice')
    const first = await form([
      { head: part('name'), content: 'first' },
      { head: part('versioning'), content: 'true' },
      { head: part('name'), content: 'second' },
      file(twice),
      file('another file'),
    ])
    expect([first.status, first.headers.get('service-warning')]).toEqual([200, 'late-field'])
    const { versionId } = first.body.data
    expect((await client().get(`/template/${versionId}`)).text).toBe(twice)
    expect((await client().get(`/templates?versionId=${versionId}`)).body.data[0].name).toBe('second')
    const lost = unique('lost')
    const bad = { head: part('versioning'), content: 'true' }
    await check([
      ['id after the file', () => form([file(lost), { head: part('id'), content: '5' }]), [400]],
      [
        'a field with NUL in its name',
        () => form([{ head: part('na\u0000me'), content: 'x' }, file(unique('x'))]),
        [200],
      ],
      [
        'a name that is a prototype',
        () => form([{ head: part('__proto__'), content: '{}' }, file(unique('x'))]),
        [200],
      ],
      [
        'parts without a name',
        () => form([{ head: 'X: y', content: 'x' }, { head: '', content: 'y' }, file(unique('x'))]),
        [200],
      ],
      ['a head without colons', () => form([{ head: 'nonsense', content: 'x' }, file(unique('x'))]), [200]],
      ['no last boundary', () => form([bad, file(lost)], { closing: '' }), [400]],
      ['half of the last boundary', () => form([bad, file(lost)], { closing: '--xBOUND' }), [400]],
      [
        'a boundary that is longer than its own',
        () => form([bad, file(lost)], { closing: '--xBOUNDARYxx--\r\n' }),
        [400],
      ],
      [
        'text behind the end',
        () => form([file(unique('x'))], { closing: '--xBOUNDARYx--\r\nepilogue\r\n--xBOUNDARYx\r\n' }),
        [200],
      ],
      [
        'no boundary in the header',
        () => post('/template', 'x', { 'content-type': 'multipart/form-data' }),
        [400],
      ],
      [
        'an empty boundary',
        () => post('/template', 'x', { 'content-type': 'multipart/form-data; boundary=""' }),
        [400],
      ],
      [
        'an endless boundary',
        () => post('/template', 'x', { 'content-type': `multipart/form-data; boundary=${'b'.repeat(2000)}` }),
        [400],
      ],
      [
        'a boundary that is not in the body',
        () =>
          post('/template', `--other\r\n\r\n${lost}`, { 'content-type': 'multipart/form-data; boundary=B' }),
        [400, 422],
      ],
      [
        'no body at all',
        () => send('POST', '/template', { headers: { 'content-type': 'multipart/form-data; boundary=B' } }),
        [400, 422],
      ],
    ])
    expect((await client().get(`/template/${await sha256(lost)}`)).status).toBe(404)
  })

  it('junk in metadata is harmless in lists and headers', async () => {
    const mark = unique('junk')
    const { versionId } = await client().version('x', {
      name: `${mark}${junk}`,
      comment: junk,
      category: `${mark}${junk}`,
      tags: JSON.stringify([junk.slice(0, 20)]),
    })
    const [row] = (await client().get(`/templates?versionId=${versionId}`)).body.data
    for (const text of [row.name, row.comment, row.category, ...row.tags]) {
      expect(text).not.toContain('\u0000')
      expect(text.isWellFormed()).toBe(true)
    }
    for (const query of ['search', 'category', 'id', 'versionId', 'cursor'])
      for (const value of [junk, mark + junk, '%', '_', '*', "'", '\\', '(', 'a'.repeat(3000)]) {
        const answer = await client().get(`/templates?${query}=${encodeURIComponent(value.toWellFormed())}`)
        expect([query, value.slice(0, 5), [200, 400].includes(answer.status)]).toEqual([
          query,
          value.slice(0, 5),
          true,
        ])
      }
    const found = await client().get(`/templates?search=${encodeURIComponent(mark)}`)
    expect(found.body.data.map((each: { versionId: string }) => each.versionId)).toEqual([versionId])
    expect((await client().get(`/template/${versionId}`)).headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w%.~-]+\.txt"$/,
    )
  })

  it('invalid parameters of lists are refused', async () => {
    const bad = [
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1e2',
      'limit=0x10',
      'limit=%D9%A3',
      'limit=1.5',
      'limit=a',
      'limit=99999999999999999999',
      'origin=5',
      'origin=-1',
      'origin=a',
      'includeVersions=maybe',
      `search=${'x'.repeat(201)}`,
      `category=${'x'.repeat(201)}`,
      'cursor=x',
      `cursor=${'A'.repeat(5000)}`,
    ]
    const good = [
      'limit=',
      'limit=1&limit=500',
      'limit=100',
      'limit=1',
      'origin=',
      'includeVersions',
      'includeVersions=0',
      'cursor=',
      'unknown=1',
      '',
      '&&&',
      '=',
      '%',
      'search=%ff',
      'limit=%31',
    ]
    await check([
      ...bad.map((query): Row => [query.slice(0, 40), () => client().get(`/templates?${query}`), [400]]),
      ...good.map((query): Row => [query, () => client().get(`/templates?${query}`), [200]]),
    ])
  })

  it('a cursor with any one character changed is refused', async () => {
    for (let more = 0; more < 3; more++) await client().version(unique('c'))
    const { nextCursor } = (await client().get('/templates?limit=1')).body
    const letters = [...(nextCursor as string)]
    for (const [at, letter] of letters.entries()) {
      const changed = letters.with(at, letter === 'A' ? 'Q' : 'A').join('')
      const answer = await client().get(`/templates?limit=1&cursor=${changed}`)
      // The last letter may hold bits that stand for nothing.
      if (at < letters.length - 1) expect([at, answer.status]).toEqual([at, 400])
    }
    for (const cursor of [
      nextCursor.slice(1),
      nextCursor.slice(0, -4),
      `${nextCursor}AAAA`,
      nextCursor + nextCursor,
    ])
      expect((await client().get(`/templates?limit=1&cursor=${cursor}`)).status).toBe(400)
  })

  it('malformed addresses and methods are refused', async () => {
    const get = (path: string) => () => client().get(path)
    await check([
      ['an address of 8,000 letters', get(`/${'a'.repeat(8000)}`), [400, 404, 414, 431]],
      ['an id of 8,000 letters', get(`/template/${'a'.repeat(8000)}`), [400, 404, 414, 431]],
      ['percent signs', get('/template/%'), [400]],
      ['bytes that are no UTF-8', get('/template/%ff%fe'), [400]],
      ['NUL', get('/render/%00'), [400]],
      ['slashes inside', get('/render/a%2Fb'), [400]],
      ['dots', get('/template/%2e%2e%2f%2e%2e'), [400]],
      ['a template called template', get('/template/template'), [400]],
      ['other words', get('/admin'), [404]],
      ['the source', get('/package.json'), [404]],
      ['secrets', get('/.env'), [404]],
      ['internal calls', get('/internal/conversions'), [401, 404]],
      ['PUT', () => send('PUT', '/template'), [405]],
      ['PATCH without an id', () => send('PATCH', '/template'), [400, 404, 405]],
      ['POST to a list', () => send('POST', '/templates'), [405]],
      ['DELETE of a render', () => send('DELETE', `/render/${'a'.repeat(28)}`), [405]],
    ])
  })

  it('malformed headers are refused', async () => {
    const id = await client().hashed('{d.a}')
    const with_ = (headers: Record<string, string>) => () =>
      client().post(`/render/${id}`, { data: {} }, headers)
    await check([
      ['a version that is none', with_({ 'service-version': 'latest' }), [200]],
      ['a version of many digits', with_({ 'service-version': '9'.repeat(400) }), [200]],
      [
        'a webhook of 9,000 letters',
        with_({ 'service-webhook-url': `https://example.com/${'a'.repeat(9000)}` }),
        [200, 431, 500],
      ],
      ['a webhook with a password', with_({ 'service-webhook-url': 'ftp://a:b@example.com/' }), [500]],
      ['a webhook that is a script', with_({ 'service-webhook-url': 'javascript:alert(1)' }), [500]],
      ['an egress header of 512', with_({ 'service-egress-header-authorization': 'x'.repeat(512) }), [400]],
      ['an egress header of 511', with_({ 'service-egress-header-authorization': 'x'.repeat(511) }), [200]],
      [
        'delete-after that is no number',
        () =>
          client().send('POST', '/template', {
            ...rawForm([{ head: part('template'), content: unique('x') }]),
            headers: {
              'content-type': 'multipart/form-data; boundary=xBOUNDARYx',
              'service-template-delete-after': 'soon',
            },
          }),
        [200],
      ],
      ['a range', () => client().get(`/template/${id}`, { range: 'bytes=5-1' }), [200]],
      [
        'an ETag that is none',
        () => client().get(`/template/${id}`, { 'if-none-match': '"'.repeat(500) }),
        [200],
      ],
    ])
  })
}

function expectError(says: string, answer: Answer): void {
  const { headers, body } = answer
  expect([
    says,
    headers.get('content-type'),
    body?.success,
    typeof body?.error,
    body?.error?.length > 0,
  ]).toEqual([says, 'application/json; charset=utf-8', false, 'string', true])
  if (body.code !== undefined) expect([says, typeof body.code]).toEqual([says, 'string'])
  expect(answer.text).not.toMatch(/\bat \/|node_modules|\.ts:\d/)
}
