import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningServer, startServer } from '../../origin/server.ts'
import { archiveProblems } from '../helpers/conformance/archive.ts'
import { docxOf, paragraph } from '../helpers/docx.ts'
import { attachedFiles, look } from '../helpers/look.ts'
import { testConfig } from '../helpers/origin-config.ts'

const plugin = new URL('../../plugins/routes/gotenberg', import.meta.url).pathname
const html = (text: string) =>
  Buffer.from(
    `<!doctype html><html><head><title>T</title><link rel="stylesheet" href="style.css"></head><body>${text}</body></html>`,
  )
const textOf = async (pdf: Uint8Array) => (await look(pdf, 'pdftotext', '@', '-')).replace(/\s+/g, ' ').trim()
const pagesOf = async (pdf: Uint8Array) => Number(/Pages:\s+(\d+)/.exec(await look(pdf, 'pdfinfo', '@'))?.[1])
const sizeOf = async (pdf: Uint8Array) =>
  /Page size:\s+([\d.]+ x [\d.]+)/.exec(await look(pdf, 'pdfinfo', '@'))?.[1]

/** A server that keeps what it is sent. */
async function receiver(
  status: (request: IncomingMessage) => number,
  reply: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    response.end('<!doctype html><p>x</p>'),
) {
  const calls: { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }[] = []
  const site = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    calls.push({ method, url, headers, body: Buffer.concat(chunks) })
    response.statusCode = status(request)
    reply(request, response)
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  return { site, calls, origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}` }
}

/** The routes of the plugin, by requests of their documentation, with the real engines. */
describe('the routes of Gotenberg', () => {
  let server: RunningServer
  let remove: () => Promise<void>
  let two: Buffer

  beforeAll(async () => {
    const configured = await testConfig({
      plugins: [plugin],
      egressAllowPrivate: true,
      egressAllowList: ['127.0.0.1'],
    })
    remove = configured.remove
    server = await startServer(configured.config)
    two = await made('/forms/chromium/convert/html', {
      page: ['index.html', html('<p>one</p><p style="break-before:page">two</p>')],
    })
  })
  afterAll(async () => {
    await server.stop()
    await remove()
  })

  const ask = async (
    path: string,
    fields: Readonly<Record<string, string | readonly [string, Uint8Array]>>,
    headers = {},
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') form.append(name, value)
      else form.append('files', new Blob([new Uint8Array(value[1])]), value[0])
    return fetch(`${server.url}${path}`, { method: 'POST', body: form, headers })
  }
  const made = async (path: string, fields: Parameters<typeof ask>[1]): Promise<Buffer> => {
    const answer = await ask(path, fields)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.status === 200 ? '' : bytes.toString()]).toEqual([200, ''])
    return bytes
  }

  it('HTML with its files becomes a PDF of US Letter or the requested paper', async () => {
    expect([await pagesOf(two), await sizeOf(two)]).toEqual([2, '612 x 792'])
    const page = await made('/forms/chromium/convert/html', {
      page: ['index.html', html('<p class="a">styled</p>')],
      style: ['style.css', Buffer.from('.a::after{content:" sheet"}')],
      header: ['header.html', Buffer.from('<html><body><p>Header of it</p></body></html>')],
      paperWidth: '5',
      paperHeight: '127mm',
      marginTop: '1in',
    })
    expect(await sizeOf(page)).toBe('360 x 360')
    expect(await textOf(page)).toBe('Header of it styled sheet')
  })

  it('Markdown stands where the page names it', async () => {
    const page = await made('/forms/chromium/convert/markdown', {
      page: ['index.html', Buffer.from('<!doctype html><html><body>{{ toHTML "file.md" }}</body></html>')],
      text: ['file.md', Buffer.from('# Title\n\n* item')],
    })
    expect(await textOf(page)).toBe('Title item')
  })

  it('a page is fetched under the egress policy', async () => {
    const site = createServer((_request, response) => response.end('<!doctype html><p>from afar</p>'))
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    const { port } = site.address() as AddressInfo
    const page = await made('/forms/chromium/convert/url', { url: `http://127.0.0.1:${port}/` })
    expect(await textOf(page)).toBe('from afar')
    site.close()
    const refused = await ask('/forms/chromium/convert/url', { url: 'http://169.254.169.254/latest' })
    expect([refused.status, await refused.text()]).toEqual([403, 'Forbidden'])
  })

  it('the request for a page has the headers and cookies that belong to it, and its status counts', async () => {
    const { site, origin, calls } = await receiver((request) => (request.url === '/gone' ? 404 : 200))
    const cookies = [
      { name: 'a', value: '1', domain: '127.0.0.1' },
      { name: 'b', value: '2', domain: 'example.com' },
      { name: 'c', value: '3', domain: '127.0.0.1', path: '/other' },
    ]
    await made('/forms/chromium/convert/url', {
      url: `${origin}/page`,
      extraHttpHeaders: JSON.stringify({ 'X-Key': 'k' }),
      cookies: JSON.stringify(cookies),
    })
    expect(calls[0]?.headers).toMatchObject({ 'x-key': 'k', cookie: 'a=1' })
    const gone = await ask('/forms/chromium/convert/url', { url: `${origin}/gone` })
    expect([gone.status, await gone.text()]).toEqual([
      409,
      'Invalid HTTP status code from the main page: 404',
    ])
    await made('/forms/chromium/convert/url', { url: `${origin}/gone`, failOnHttpStatusCodes: '[500]' })
    const html = { page: ['index.html', Buffer.from('x')] as const, cookies: JSON.stringify(cookies) }
    expect((await ask('/forms/chromium/convert/html', html)).status).toBe(400)
    site.close()
  })

  it('files are downloaded under the policy, with the names that they answer with', async () => {
    const { site, origin, calls } = await receiver(
      () => 200,
      (request, response) => {
        response.setHeader('content-disposition', `attachment; filename="${request.url?.slice(1)}"`)
        response.end(request.url === '/none' ? '' : two)
      },
    )
    const downloadFrom = (...entries: readonly object[]) => ({ downloadFrom: JSON.stringify(entries) })
    const merged = await made('/forms/pdfengines/merge', {
      a: ['2.pdf', two],
      ...downloadFrom({ url: `${origin}/1.pdf`, extraHttpHeaders: { 'X-Key': 'k' } }),
    })
    expect([await pagesOf(merged), calls[0]?.headers['x-key']]).toEqual([4, 'k'])
    const embedded = await made('/forms/pdfengines/embed', {
      a: ['a.pdf', two],
      ...downloadFrom({ url: `${origin}/b.pdf`, field: 'embedded' }),
    })
    expect((await attachedFiles(embedded)).map(({ name }) => name)).toEqual(['b.pdf'])
    for (const [entry, status] of [
      [{ url: 'http://169.254.169.254/latest' }, 403],
      [{ url: `${origin}/` }, 400],
      [{ url: 'file:///etc/passwd' }, 400],
      [{ url: `${origin}/1.pdf`, field: 'files' }, 400],
    ] as const)
      expect((await ask('/forms/pdfengines/merge', downloadFrom(entry))).status).toBe(status)
    site.close()
  })

  it('a file, a failure and their events are sent to webhooks', async () => {
    let busy = 1
    const { site, origin, calls } = await receiver((request) =>
      request.url === '/file' && busy-- > 0 ? 503 : 200,
    )
    const headers = {
      'gotenberg-webhook-url': `${origin}/file`,
      'gotenberg-webhook-method': 'PUT',
      'gotenberg-webhook-error-url': `${origin}/error`,
      'gotenberg-webhook-events-url': `${origin}/events`,
      'gotenberg-webhook-extra-http-headers': '{"Authorization":"Bearer t"}',
      'gotenberg-trace': 'trace-8',
      'gotenberg-output-filename': 'both',
    }
    const file = { a: ['1.pdf', two], b: ['2.pdf', two] } as const
    const answer = await ask('/forms/pdfengines/merge', file, headers)
    expect([answer.status, answer.headers.get('gotenberg-trace'), await answer.text()]).toEqual([
      204,
      'trace-8',
      '',
    ])
    await vi.waitFor(() => expect(calls.length).toBe(3), { timeout: 20_000 })
    const [, sent, event] = calls
    expect(sent).toMatchObject({
      method: 'PUT',
      url: '/file',
      headers: {
        authorization: 'Bearer t',
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="both.pdf"',
        'gotenberg-trace': 'trace-8',
      },
    })
    expect(await pagesOf(sent?.body ?? two)).toBe(4)
    expect([event?.url, JSON.parse(String(event?.body))]).toEqual([
      '/events',
      { event: 'webhook.success', correlationId: 'trace-8', timestamp: expect.any(String) },
    ])
    const broken = await ask('/forms/pdfengines/merge', { a: ['1.pdf', Buffer.from('no pdf')] }, headers)
    expect(broken.status).toBe(204)
    await vi.waitFor(() => expect(calls.length).toBe(5), { timeout: 20_000 })
    const failure = { status: 400, message: expect.stringContaining('PDF') }
    expect(calls.slice(3).map(({ url, body }) => [url, JSON.parse(String(body))])).toEqual([
      ['/error', failure],
      [
        '/events',
        { event: 'webhook.error', correlationId: 'trace-8', timestamp: expect.any(String), error: failure },
      ],
    ])
    site.close()
  })

  it.each([
    [{ 'gotenberg-webhook-url': 'http://127.0.0.1:9/' }, 400],
    [{ 'gotenberg-webhook-error-url': 'http://127.0.0.1:9/' }, 400],
    [
      {
        'gotenberg-webhook-url': 'http://127.0.0.1:9/',
        'gotenberg-webhook-error-url': 'http://169.254.169.254/',
      },
      403,
    ],
    [
      {
        'gotenberg-webhook-url': 'http://127.0.0.1:9/',
        'gotenberg-webhook-error-url': 'http://127.0.0.1:9/',
        'gotenberg-webhook-method': 'DELETE',
      },
      400,
    ],
  ])('webhooks that cannot be called are refused at once: case %#', async (headers, status) => {
    expect((await ask('/forms/pdfengines/merge', { a: ['1.pdf', two] }, headers)).status).toBe(status)
  })

  it('a screenshot has the width of the window', async () => {
    const page = ['index.html', html('<p>seen</p>')] as const
    const picture = await made('/forms/chromium/screenshot/html', {
      page,
      width: '321',
      deviceScaleFactor: '1.0',
    })
    expect(picture.readUInt32BE(16)).toBe(321)
  })

  it('a screenshot is as high as its page, or with clip as its window', async () => {
    const page = ['index.html', html('<div style="height:900px">seen</div>')] as const
    const heightWith = async (fields: Readonly<Record<string, string>>) =>
      (await made('/forms/chromium/screenshot/html', { page, ...fields })).readUInt32BE(20)
    expect(await heightWith({ height: '300' })).toBeGreaterThanOrEqual(900)
    expect(await heightWith({ height: '300', clip: 'true' })).toBe(300)
    expect(await heightWith({ clip: 'true' })).toBe(600)
  })

  it('singlePage makes the paper as high as the page', async () => {
    const page = ['index.html', html('<div style="height:3000px">one</div><p>two</p>')] as const
    expect(await pagesOf(await made('/forms/chromium/convert/html', { page }))).toBeGreaterThan(2)
    const single = await made('/forms/chromium/convert/html', { page, singlePage: 'true' })
    expect([await pagesOf(single), await textOf(single)]).toEqual([1, 'one two'])
  })

  it('office documents become PDFs, merged in the order of their names', async () => {
    const file = async (text: string) => Buffer.from(await docxOf(paragraph(text)))
    const answer = await ask('/forms/libreoffice/convert', {
      a: ['10.docx', await file('ten')],
      b: ['2.docx', await file('two')],
      merge: 'true',
    })
    expect(answer.status).toBe(200)
    expect(await textOf(new Uint8Array(await answer.arrayBuffer()))).toBe('two ten')
    const one = await made('/forms/libreoffice/convert', { a: ['a.docx', await file('alone')] })
    expect(await textOf(one)).toBe('alone')
  })

  it('PDFs are merged, split, made PDF/A and encrypted', async () => {
    const file = ['a.pdf', two] as const
    const run = (name: string, fields: Parameters<typeof ask>[1]) =>
      made(`/forms/pdfengines/${name}`, { file, ...fields })
    expect(await pagesOf(await run('merge', { b: ['b.pdf', two] }))).toBe(4)
    const zip = await run('split', { splitMode: 'intervals', splitSpan: '1' })
    expect(zip.subarray(0, 2).toString()).toBe('PK')
    const unified = await run('split', { splitMode: 'pages', splitSpan: '2', splitUnify: 'true' })
    expect(await textOf(unified)).toBe('two')
    expect(archiveProblems(await run('convert', { pdfa: 'PDF/A-2b' }), 2)).toEqual([])
    const locked = await run('encrypt', { userPassword: 'open sesame' })
    expect(await look(locked, 'pdftotext', '-upw', 'open sesame', '@', '-')).toContain('one')
    await expect(look(locked, 'pdfinfo', '@')).rejects.toThrow(/password/i)
  })

  it('names and traces are those of the caller', async () => {
    const answer = await ask(
      '/forms/pdfengines/merge',
      { a: ['1.pdf', two] },
      { 'gotenberg-output-filename': 'a "b"', 'gotenberg-trace': 'trace-7' },
    )
    const header = (name: string) => answer.headers.get(name)
    expect([header('content-type'), header('content-disposition'), header('gotenberg-trace')]).toEqual([
      'application/pdf',
      'attachment; filename="a _b_.pdf"',
      'trace-7',
    ])
  })

  it.each([
    ['/forms/chromium/convert/url', {}, "Invalid form data: form field 'url' is required"],
    [
      '/forms/chromium/convert/html',
      { x: ['a.txt', Buffer.from('x')] },
      "form file 'index.html' is required",
    ],
    [
      '/forms/chromium/convert/html',
      { x: ['index.html', Buffer.from('x')], waitForExpression: 'true' },
      "'waitForExpression' is not supported",
    ],
    [
      '/forms/chromium/convert/html',
      { x: ['index.html', Buffer.from('x')], marginTop: 'wide' },
      "'marginTop' must be a length",
    ],
    [
      '/forms/chromium/screenshot/html',
      { x: ['index.html', Buffer.from('x')], deviceScaleFactor: '2' },
      "'deviceScaleFactor' is not supported",
    ],
    ['/forms/libreoffice/convert', { x: ['a.exe', Buffer.from('MZ')] }, 'no form file found'],
    ['/forms/pdfengines/convert', { x: ['a.pdf', Buffer.from('%PDF-')] }, "either 'pdfa' or 'pdfua'"],
    ['/forms/pdfengines/merge', { x: ['a.pdf', Buffer.from('no pdf')] }, 'PDF'],
    ['/forms/pdfengines/flatten', { x: ['a.pdf', Buffer.from('%PDF-')] }, 'cannot be read'],
    ['/forms/pdfengines/rotate', { x: ['a.pdf', Buffer.from('%PDF-')] }, "'rotateAngle' is required"],
    [
      '/forms/pdfengines/watermark',
      {
        x: ['a.pdf', Buffer.from('%PDF-')],
        watermarkSource: 'text',
        watermarkExpression: 'x',
        watermarkOptions: '{"rtl":true}',
      },
      "'rtl' of 'watermarkOptions' is not supported",
    ],
    [
      '/forms/pdfengines/stamp',
      { x: ['a.pdf', Buffer.from('%PDF-')], stampSource: 'image', stampExpression: 'a.png' },
      "form file 'a.png' of 'stampExpression' is required",
    ],
    [
      '/forms/pdfengines/bookmarks/write',
      { x: ['a.pdf', Buffer.from('%PDF-')], bookmarks: '[{"title":1}]' },
      "'bookmarks' must be a list",
    ],
    [
      '/forms/pdfengines/metadata/write',
      { x: ['a.pdf', Buffer.from('%PDF-')], metadata: 'Author=me' },
      "'metadata' must be JSON",
    ],
    ['/forms/pdfengines/embed', { x: ['a.pdf', Buffer.from('%PDF-')] }, "'embeds' is required"],
  ] as const)('%s refuses a mistake as text: case %#', async (path, fields, message) => {
    const answer = await ask(path, fields)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      400,
      'text/plain; charset=UTF-8',
      expect.stringContaining(message),
    ])
  })

  it('returns its version and its health', async () => {
    expect(await (await fetch(`${server.url}/version`)).text()).toMatch(/^8\./)
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'up' })
  })
})

it('the routes are off without the plugin, and need a token where the service asks for one', async () => {
  const plain = await testConfig()
  const off = await startServer(plain.config)
  expect((await fetch(`${off.url}/forms/pdfengines/merge`, { method: 'POST' })).status).toBe(404)
  await off.stop()
  await plain.remove()
  const guarded = await testConfig({ plugins: [plugin], authentication: true })
  const on = await startServer(guarded.config)
  expect((await fetch(`${on.url}/forms/pdfengines/merge`, { method: 'POST' })).status).toBe(401)
  expect((await fetch(`${on.url}/version`)).status).toBe(200)
  await on.stop()
  await guarded.remove()
})
