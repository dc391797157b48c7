import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchTransport } from '../../../../shared/net/fetch-transport.ts'
import { createOutbound } from '../../../../shared/net/outbound.ts'
import { fetchFiles } from '../../../../shared/render/merge/fetch-files.ts'
import { gatherParts } from '../../../../shared/render/pdf-parts.ts'
import { mergeWithFiles } from '../../../../shared/render/steps/merge.ts'
import { mergerOf } from '../../../../shared/template/merge.ts'
import { docxOf, entryText } from '../../../helpers/docx.ts'
import { defaultOptions, engine } from '../../../helpers/merge.ts'
import { drawing, fixture, wordParts } from '../../../helpers/pictures.ts'

/** Answers by path; counts what it is asked and how much of it at once. */
const seen = { paths: [] as string[], authorizations: [] as unknown[], open: 0, most: 0 }
const block = new Uint8Array(65_536)
const endless = (response: ServerResponse) => {
  const more = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}
const answers: Record<string, (response: ServerResponse) => void> = {
  '/a.png': (response) => response.end(fixture('rgb.png')),
  '/page.png': (response) => response.setHeader('content-type', 'image/png').end('<html></html>'),
  '/404.png': (response) => response.writeHead(404).end('no'),
  '/huge.png': (response) => endless(response.writeHead(200, { 'content-length': 1_073_741_824 })),
  '/endless.png': (response) => endless(response),
  '/hangs.png': (response) => void response.write(block),
  '/4mb.png': (response) => response.end(new Uint8Array(4 << 20)),
  '/slow.png': (response) => void setTimeout(() => response.end(fixture('rgb.png')), 30),
}
let server: Server
let base = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!
    seen.paths.push(path)
    seen.authorizations.push(request.headers.authorization)
    seen.open += 1
    seen.most = Math.max(seen.most, seen.open)
    response.on('close', () => {
      seen.open -= 1
    })
    answers[path]!(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const outboundFor = (allowPrivate: boolean) =>
  createOutbound({ policy: { allowPrivate }, transport: fetchTransport, userAgent: 'test' })
const access = { outbound: outboundFor(true), authorization: 'Bearer x' }
const signal = new AbortController().signal
const short = (file: object | undefined) =>
  file !== undefined && 'bytes' in file
    ? (file.bytes as Uint8Array).length
    : (file as { failed: string }).failed

it.each([
  ['/a.png', 107],
  ['/404.png', 'the server answered with status 404'],
  ['/huge.png', 'it is too large'],
  ['/endless.png', 'it is too large'],
])('%s', async (path, expected) => {
  const files = await fetchFiles(access, [base + path], signal)
  expect(short(files.get(base + path))).toBe(expected)
  expect(seen.authorizations.at(-1)).toBe('Bearer x')
})

it('addresses that may not be called are not called', async () => {
  const before = seen.paths.length
  const files = await fetchFiles({ outbound: outboundFor(false) }, [`${base}/a.png`], signal)
  expect([[...files.values()], seen.paths.length - before]).toEqual([
    [{ failed: 'calls to its address are not allowed' }],
    0,
  ])
})

it('together they are no more than 10 MB', async () => {
  const urls = [1, 2, 3, 4].map((n) => `${base}/4mb.png?${n}`)
  const files = await fetchFiles(access, urls, signal)
  const sizes = [...files.values()].map(short)
  expect(sizes.filter((size) => size === 4 << 20)).toHaveLength(2)
})

it('fifteen are open at once', async () => {
  seen.most = 0
  await fetchFiles(
    access,
    Array.from({ length: 20 }, (_, n) => `${base}/slow.png?${n}`),
    signal,
  )
  expect(seen.most).toBeGreaterThan(1)
  expect(seen.most).toBeLessThanOrEqual(15)
})

it('an operator sets other limits', async () => {
  const limits = { files: 1, totalBytes: 5 << 20, timeoutMs: 1000, atOnce: 1 }
  const outbound = createOutbound({
    policy: { allowPrivate: true },
    transport: fetchTransport,
    userAgent: 'test',
    limits,
  })
  seen.most = 0
  const urls = ['/4mb.png?1', '/4mb.png?2', '/hangs.png', '/a.png'].map((path) => base + path)
  const files = await fetchFiles({ outbound }, urls, signal)
  expect([...files.values()].map(short)).toEqual([
    4 << 20,
    'it is too large',
    'it took longer than 1000 ms',
    107,
  ])
  expect(seen.most).toBeLessThanOrEqual(2) // one that was cut may still be closing
})

it('the caller leaves', async () => {
  const control = new AbortController()
  const running = fetchFiles(access, [`${base}/hangs.png`], control.signal)
  control.abort(new Error('left'))
  await expect(running).rejects.toThrow('left')
})

it('fetches each address once', async () => {
  seen.paths.length = 0
  const body = `<w:p>${drawing('{d.a}')}${drawing('{d.b}', 2)}${drawing('{d.a}', 3)}</w:p>`
  const bytes = await docxOf(body, wordParts())
  const data = { value: { a: `${base}/a.png`, b: `${base}/page.png` } }
  const job = { template: { hash: '', bytes, format: 'docx' }, data, options: defaultOptions }
  const { value } = await mergeWithFiles({ ...access, merger: mergerOf(engine) }, job, signal)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(seen.paths.sort()).toEqual(['/a.png', '/page.png'])
  expect(value.needs).toBeUndefined()
  expect(await entryText(out, 'word/_rels/document.xml.rels')).toContain('media/merged2.png')
  const strict = { ...job, options: { ...defaultOptions, failOn: ['IMAGE_URL_ERROR'] } }
  await expect(mergeWithFiles({ ...access, merger: mergerOf(engine) }, strict, signal)).rejects.toMatchObject(
    {
      code: 'template.image',
    },
  )
})

const htmlJob = async (html: string) => ({
  template: {
    hash: '',
    bytes: await docxOf('<w:p><w:r><w:t>{d.h:html}</w:t></w:r></w:p>', wordParts()),
    format: 'docx',
  },
  data: { value: { h: html } },
  options: defaultOptions,
})

it('pictures in HTML are fetched once, under the same rules', async () => {
  const job = await htmlJob(
    `<img src="${base}/a.png"><p><img src='${base}/a.png'></p><img src="${base}/404.png">`,
  )
  seen.paths.length = 0
  const { value } = await mergeWithFiles({ ...access, merger: mergerOf(engine) }, job, signal)
  expect(seen.paths.sort()).toEqual(['/404.png', '/a.png'])
  const body = await entryText(new Uint8Array(await value.document.arrayBuffer()), 'word/document.xml')
  expect(body.match(/<pic:pic /g)).toHaveLength(3)

  seen.paths.length = 0
  const refused = { outbound: outboundFor(false), merger: mergerOf(engine) }
  await mergeWithFiles(refused, job, signal)
  expect(seen.paths).toEqual([])
  const strict = { ...job, options: { ...defaultOptions, failOn: ['IMAGE_URL_ERROR'] } }
  await expect(mergeWithFiles(refused, strict, signal)).rejects.toMatchObject({ code: 'template.image' })
})

it.each(['<img src={d.u} alt=x>', '<img alt=x src={d.u}>', '<img src={d.u}/>', "<img src='{d.u}'>"])(
  'the picture of %s counts for failOn',
  async (html) => {
    const job = {
      template: { hash: '', bytes: new TextEncoder().encode(html), format: 'html' },
      data: { value: { u: `${base}/404.png` } },
      options: { ...defaultOptions, failOn: ['IMAGE_URL_ERROR'] },
    }
    const failing = mergeWithFiles({ ...access, merger: mergerOf(engine) }, job, signal)
    await expect(failing).rejects.toMatchObject({ code: 'template.image' })
  },
)

it.each([
  'file:///etc/passwd',
  'ftp://a.org/x.png',
  'javascript:alert(1)',
  '/etc/passwd',
  'data:text/html;base64,PHA+',
])('a picture of HTML at %s asks for nothing', async (source) => {
  seen.paths.length = 0
  const { value } = await mergeWithFiles(
    { ...access, merger: mergerOf(engine) },
    await htmlJob(`<img src="${source}">`),
    signal,
  )
  expect(seen.paths).toEqual([])
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await entryText(out, 'word/document.xml')).not.toContain('passwd')
})

it.each(['append', 'attach'] as const)('files to %s are fetched under the same rules', async (kind) => {
  const operation =
    kind === 'append'
      ? ({ kind, source: `${base}/a.png`, where: 'end' } as const)
      : ({ kind, source: `${base}/a.png`, name: 'a.png', relationship: 'Data' } as const)
  const renderTemplate = () => Promise.reject(new Error('none'))
  seen.paths.length = 0
  await expect(
    gatherParts(
      { outbound: outboundFor(false), authorization: undefined, renderTemplate },
      [operation],
      signal,
    ),
  ).rejects.toMatchObject({ code: 'template.files.failed' })
  expect(seen.paths).toEqual([])
})
