import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { createPinnedTransport } from '../../../origin/net/pinned-fetch.ts'
import web from '../../../plugins/engines/web/index.ts'
import { fetchPictures } from '../../../plugins/engines/web/remote-pictures.ts'
import html, { xhtml } from '../../../plugins/formats/html/index.ts'
import md from '../../../plugins/formats/md/index.ts'
import odt from '../../../plugins/formats/odt/index.ts'
import { createConverter } from '../../../shared/convert/converter.ts'
import { createOutbound } from '../../../shared/net/outbound.ts'
import { withRemoteFiles } from '../../../shared/net/remote-files.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import { hugePng } from '../../helpers/docx.ts'
import { originHost } from '../../helpers/engines.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'
const files: Readonly<Record<string, readonly [type: string, body: Uint8Array | string]>> = {
  '/dot.png': ['image/png', Buffer.from(pixel, 'base64')],
  '/large.png': ['image/png', Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(4_000_000)])],
  '/huge.png': ['image/png', hugePng(25_000, 20_000)],
  '/page.css': ['text/css', 'p { color: #123456 } p::after { content: "</style>" }'],
}
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization ?? ''}`)
  const [type, body] = files[request.url?.split('?')[0] ?? ''] ?? []
  if (type === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': type }).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const converterWith = (allowPrivate: boolean) => {
  const policy = { allowPrivate }
  const outbound = createOutbound({ policy, transport: createPinnedTransport(policy), userAgent: 'test' })
  return createConverter({
    registry: createRegistry([html, xhtml, md, odt, web]),
    host: originHost(outbound),
    settings: {},
  })
}
const open = converterWith(true)
const strict = converterWith(false)

async function convert(page: string, { to = 'fodt', from = 'html', with: by = open } = {}) {
  const { value, warnings } = await by.convert({
    source: fromBytes(new TextEncoder().encode(page)),
    from,
    to,
    egressAuthorization: 'Bearer x',
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  return {
    text: new TextDecoder().decode(await bytesOf(value)),
    reported: warnings.map(({ message }) => message).join('\n'),
  }
}

describe('what a page names', () => {
  test.each([
    ['in quotes', `<img alt="A" src="${there}/dot.png">`],
    ['without', `<img src=${there}/dot.png alt=A>`],
    ['in capitals', `<IMG SRC='${there}/dot.png'>`],
    ['twice', `<img src="${there}/dot.png"><p>and<img src="${there}/dot.png">`],
  ])('pictures, %s', async (_, page) => {
    const { text, reported } = await convert(page)
    expect(text).toContain(`<office:binary-data>${pixel}`)
    expect(reported).toBe('')
  })

  test('in XHTML', async () => {
    const page = `<?xml version="1.0" encoding="ISO-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>\u00e9<img src="${there}/dot.png" alt=""/></p></body></html>`
    const { text } = await convert(page, { from: 'xhtml' })
    expect(text).toContain('<office:binary-data>')
  })

  test('style sheets, whatever they hold', async () => {
    const { text } = await convert(`<link href="${there}/page.css" rel="stylesheet"><p>a</p>`)
    expect(text).toContain('fo:color="#123456"')
    expect(text).toContain('a&lt;/style&gt;')
  })

  test('with the authorization of the caller, each once', async () => {
    asked.length = 0
    await convert(`<img src="${there}/dot.png"><img src="${there}/dot.png">`)
    expect(asked).toEqual(['/dot.png Bearer x'])
  })

  test.each([
    ['is not there', `<img src="${there}/no.png" alt="Gone">`, 'a server answered with status 404'],
    ['is too large', `<img src="${there}/huge.png" alt="Gone">`, 'more than 100 megapixels'],
    ['is relative', '<img src="a.png" alt="Gone">', 'its address is relative'],
    ['is a file', '<img src="file:///etc/passwd" alt="Gone">', 'its address is relative'],
  ])('reports %s, and keeps its text', async (_, page, because) => {
    const { text, reported } = await convert(page)
    expect(reported).toContain(because)
    expect(text).toContain('Gone')
    expect(text).not.toContain('binary-data')
  })

  test('what the operator forbids', async () => {
    asked.length = 0
    const { reported } = await convert(`<img src="${there}/dot.png">`, { with: strict })
    expect(reported).toContain('calls to its address are not allowed')
    expect(asked).toEqual([])
  })

  test('too many files, and none for other outputs', async () => {
    asked.length = 0
    const page = Array.from({ length: 30 }, (_, at) => `<img src="${there}/dot.png?${at}">`).join('')
    expect((await convert(page)).reported).toContain('at most 20 files')
    expect(asked.length).toBe(20)
    await convert(page, { to: 'md' })
    expect(asked.length).toBe(20)
  })

  test('tags that never end cost no time', async () => {
    const { text } = await convert('<img src="x '.repeat(100_000))
    expect(text).toContain('office:document')
  })
})

test('a page that names one large picture many times holds it as often as fits', async () => {
  const policy = { allowPrivate: true }
  const outbound = createOutbound({ policy, transport: createPinnedTransport(policy), userAgent: 'test' })
  const page = `<img src="${there}/large.png">`.repeat(60)
  const { value, warnings } = await withRemoteFiles(page, {
    outbound,
    authorization: undefined,
    signal: AbortSignal.timeout(600_000),
  })
  expect(value.split('data:image/png').length - 1).toBe(24)
  expect(value.split('/large.png').length - 1).toBe(36)
  expect(warnings.map(({ code }) => code)).toEqual(['picture.not-loaded'])
})

describe('pictures of Markdown', () => {
  test.each([
    ['a picture', `![A](${there}/dot.png)`],
    ['with a title and in angle brackets', `![A](<${there}/dot.png> "t")`],
    ['in a link', `[![A](${there}/dot.png)](${there}/link)`],
    ['by a definition', `![A][d]\n\n[d]: ${there}/dot.png`],
    ['by a definition of its own name', `![Dot]\n\n[dot]: ${there}/dot.png`],
    ['as HTML', `text <img src="${there}/dot.png" alt="A">`],
    ['with parentheses and other letters', `![A](${there}/dot.png?a=(b)&c=é)`],
  ])('%s is embedded, for documents and DocBook', async (_, text) => {
    asked.length = 0
    for (const to of ['fodt', 'docbook']) {
      const { text: made, reported } = await convert(text, { from: 'md', to })
      expect([to, made.includes(pixel), reported]).toEqual([to, true, ''])
    }
    expect(asked.filter((one) => one.includes('link'))).toEqual([])
    expect(asked.every((one) => one.endsWith(' Bearer x'))).toBe(true)
  })

  test.each([
    [
      'not there',
      `![A](${there}/none.png)`,
      open,
      'One picture that the page refers to could not be loaded: a server answered with status 404.',
    ],
    [
      'not allowed',
      `![A](${there}/dot.png)`,
      strict,
      'One picture that the page refers to could not be loaded: calls to its address are not allowed.',
    ],
    [
      'no picture',
      `![A](${there}/page.css)`,
      open,
      'One picture that the page refers to could not be loaded: the server sent no picture.',
    ],
    ['only named in code', `\`![A](${there}/none.png)\``, open, ''],
    ['that of a link', `![A](data:,x) [A](${there}/none.png)`, open, ''],
  ])('one that is %s', async (_, text, by, expected) => {
    const { reported } = await convert(text, { from: 'md', with: by })
    expect(reported).toBe(expected)
  })

  test('a text of many addresses takes time that grows with its length', async () => {
    const cost = async (count: number) => {
      const text = `![![](${'['.repeat(50)}](http:a ]: http:b`.repeat(count)
      const before = process.threadCpuUsage()
      await fetchPictures(text, {
        outbound: undefined,
        authorization: undefined,
        signal: AbortSignal.timeout(60_000),
      })
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    await cost(1_000)
    // Short work may be counted as none at all.
    const small = Math.max(await cost(10_000), 5_000)
    expect((await cost(80_000)) / small).toBeLessThan(40)
  })
})

test('pictures of pages are embedded in DocBook, too', async () => {
  const { text, reported } = await convert(
    `<p><img src="${there}/dot.png" alt="A"><img src="${there}/none.png" alt="B"></p>`,
    { to: 'docbook' },
  )
  expect(text).toContain(pixel)
  expect(reported).toMatch(/^One picture .* status 404\.$/)
})
