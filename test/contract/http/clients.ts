import { expect, it } from 'vitest'
import { base64, type Client, rawForm, sha256, unique } from './client.ts'

interface Sent {
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** One published client: what it sends, and how it finds the name of a report. */
interface Published {
  readonly name: string
  readonly upload: (file: Uint8Array) => Sent
  readonly payload?: string // goes into the hash
  readonly versioned?: true
  readonly render: Readonly<Record<string, string>> // headers beside the content type
  readonly query?: string
  readonly fetch?: Readonly<Record<string, string>>
  /** The name as the client's caller gets it, still percent-encoded. */
  readonly nameOf: (disposition: string) => string | undefined
}

const disposition = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
const octets = '\nContent-Type: application/octet-stream'

/** A form with the newline and the boundary that its library writes. */
function form(
  boundary: string,
  ...parts: readonly { readonly head: string; readonly content: Uint8Array | string }[]
): Sent {
  return rawForm(parts, { boundary })
}

/** Text after the first '=', its first and last character cut away unseen. */
const blindly = (text: string) => text.slice(text.indexOf('=') + 2, -1)
/** Only where the value has exactly one '='. */
const twoPieces = (text: string) => {
  const pieces = text.split('=')
  return pieces.length === 2 ? pieces[1]!.replaceAll('"', '') : undefined
}

const published: readonly Published[] = [
  {
    name: 'Node, from a path',
    upload: (file) =>
      form(
        '--------------------------015696571236415',
        { head: disposition('payload'), content: '' },
        {
          head: `${disposition('template', '; filename="letter.txt"')}\nContent-Type: text/plain`,
          content: file,
        },
      ),
    render: { 'service-version': '4' },
    nameOf: blindly,
  },
  {
    name: 'Node, from a buffer',
    upload: (file) =>
      form(
        '--------------------------782349871234987',
        { head: disposition('payload'), content: 'salt' },
        { head: `${disposition('template')}${octets}`, content: file },
      ),
    payload: 'salt',
    render: { 'service-version': '4' },
    nameOf: blindly,
  },
  {
    name: 'browser, text as a plain field',
    upload: (file) =>
      form(
        '----WebKitFormBoundary7MA4YWxkTrZu0gW',
        { head: disposition('payload'), content: '' },
        { head: disposition('template'), content: file },
      ),
    render: { 'service-version': '5' },
    nameOf: (text) => text.split('=')[1]?.replaceAll('"', ''),
  },
  {
    name: 'Go',
    upload: (file) =>
      form(
        '3f1c0b7d9e2a4c6b8d0f1e3a5c7b9d2f4e6a8c0b1d3f5e7a9c2b4d6f8e',
        { head: disposition('payload'), content: '' },
        { head: disposition('template', `; filename="/home/ann/letters/a.txt"${octets}`), content: file },
      ),
    render: { 'service-version': '4' },
    nameOf: blindly,
  },
  {
    name: 'Python, a part type that is a printed tuple',
    upload: (file) =>
      form(
        '6f1d0a2b3c4d5e6f708192a3b4c5d6e7',
        { head: disposition('payload'), content: '' },
        {
          head: `${disposition('template', '; filename="a.txt"')}\nContent-Type: ('text/plain', None)`,
          content: file,
        },
      ),
    render: { 'service-version': '5' },
    nameOf: twoPieces,
  },
  {
    name: 'Python, a part type that is nothing twice',
    upload: (file) =>
      form(
        '6f1d0a2b3c4d5e6f708192a3b4c5d6e8',
        { head: disposition('payload'), content: '' },
        {
          head: `${disposition('template', '; filename="a.unknown"')}\nContent-Type: (None, None)`,
          content: file,
        },
      ),
    render: { 'service-version': '5' },
    nameOf: twoPieces,
  },
  {
    name: 'Rust, a field without a name',
    upload: (file) =>
      form(
        'bd2e7c1d5a9f4e8b-3c6d0a7f1b9e5d2c-8e4a6f0c2d7b1e9a-5f3c8d1b7e0a4c6f',
        { head: disposition(''), content: 'anything' },
        { head: disposition('template', '; filename="a.txt"'), content: file },
      ),
    render: { 'service-version': '4' },
    nameOf: blindly,
  },
  {
    name: 'PHP, base64 in JSON',
    upload: (file) => ({
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ template: base64(file) }),
    }),
    render: { 'service-version': '4', accept: 'application/json' },
    fetch: { accept: 'application/json', 'content-type': 'application/json' },
    nameOf: blindly,
  },
  {
    name: 'Java, the file alone',
    upload: (file) =>
      form('Boundary_1_1234567890_1700000000000', {
        head: `${disposition('template')}${octets}`,
        content: file,
      }),
    render: { 'service-version': '4', authorization: 'Bearer null' },
    fetch: { 'content-type': 'application/String', authorization: 'Bearer null' },
    nameOf: twoPieces,
  },
  {
    name: 'a connector, versions from the start',
    upload: (file) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ template: base64(file), versioning: true }),
    }),
    versioned: true,
    render: { 'service-version': '5' },
    nameOf: (text) => /filename[^;=\n]*=(?:"([^"]*)"|([^;\n]*))/.exec(text)?.[1],
  },
  {
    name: 'a tool of assistants',
    upload: (file) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ template: `data:text/plain;base64,${base64(file)}` }),
    }),
    render: { 'service-version': '5' },
    nameOf: (text) => /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(text)?.[1],
  },
  {
    name: 'Kotlin, without a version',
    upload: (file) =>
      form('Kb0undary', { head: disposition('template', `; filename="a.txt"${octets}`), content: file }),
    render: {},
    query: '?download=false',
    nameOf: blindly,
  },
]

const names: readonly [given: string, found: string][] = [
  ['plain', 'plain'],
  ['a=b', 'a=b'],
  ['"quoted"', '_quoted_'],
  ["it's; (one)", "it's; (one)"],
  ['Ünïcode 文書 😀', 'Ünïcode 文書 😀'],
  ['line\nbreak', 'linebreak'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['', 'report'],
]

/** docs/migration.md, clients: what published clients send, to the byte, and what they make of the answers. */
export function clientCases(client: () => Client): void {
  for (const each of published) {
    it(`${each.name}: hash first, upload, render, download, name, delete`, async () => {
      const text = `${unique('client')} {d.a} é\r\n--`
      const file = new TextEncoder().encode(text)
      const local = await sha256(each.payload ?? '', file)
      const body = JSON.stringify({ data: { a: 'done' }, reportName: 'for {d.a} = é' })
      const render = (id: string, query = each.query ?? '') =>
        client().post(`/render/${id}${query}`, body, { ...each.render })
      const before = await render(local)
      expect([before.status, before.body.success, before.body.error]).toEqual([
        404,
        false,
        'Template not found',
      ])
      const sent = each.upload(file)
      const uploaded = await client().send('POST', '/template', sent)
      expect([uploaded.status, uploaded.body.success]).toEqual([200, true])
      const { data } = uploaded.body
      const templateId = each.versioned === undefined ? data.templateId : data.versionId
      expect(templateId).toMatch(/^[0-9a-f]{64}$/)
      if (each.versioned === undefined) expect(templateId).toBe(local)
      const { renderId } = (await render(templateId)).body.data
      const report = await client().get(`//render/${renderId}`, { ...each.fetch })
      expect([report.status, report.text]).toEqual([200, text.replace('{d.a}', 'done')])
      const found = each.nameOf(report.headers.get('content-disposition') ?? '')
      expect(decodeURIComponent(found ?? '')).toBe('for done = é.txt')
      expect((await client().send('DELETE', `/template/${templateId}`)).body.success).toBe(true)
      expect((await render(templateId)).status).toBe(404)
    })
  }

  it('a body of nothing, [] and a content type on GET and DELETE, as PHP sends them', async () => {
    const id = await client().hashed(unique('php'))
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    for (const body of ['', '[]', '{}']) {
      const rendered = await client().post(`/render/${id}`, body, headers)
      expect([body, rendered.status]).toEqual([body, 200])
      const { renderId } = rendered.body.data
      expect((await client().get(`/render/${renderId}`, headers)).status).toBe(200)
    }
    expect((await client().send('DELETE', `/template/${id}`, { headers, body: '[]' })).status).toBe(200)
  })

  it('names of reports come through the rule of each client', async () => {
    const id = await client().hashed('{d.a}')
    for (const [reportName, expected] of names) {
      const { renderId } = (await client().post(`/render/${id}`, { data: {}, reportName })).body.data
      const header = (await client().get(`/render/${renderId}`)).headers.get('content-disposition') ?? ''
      for (const { name, nameOf } of published)
        expect([name, decodeURIComponent(nameOf(header) ?? '')]).toEqual([name, `${expected}.txt`])
    }
  })
}
