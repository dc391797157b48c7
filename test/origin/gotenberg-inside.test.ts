/**
 * The routes of Gotenberg reach no address inside that the egress policy does not allow: not by a redirect of a webhook or of
 * a download, and not by a link of a document or a page.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { startServer } from '../../origin/server.ts'
import { documentsWithLinks } from '../helpers/documents-with-links.ts'
import { look } from '../helpers/look.ts'
import { testConfig } from '../helpers/origin-config.ts'

interface Received {
  readonly url: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** A site that redirects paths such as `/307?to=<address>`, and answers all others. */
async function startSite(address: string) {
  const calls: Received[] = []
  const site = createServer((request, response) => {
    const { url = '', method = '', headers } = request
    calls.push({ url, method, headers })
    const { pathname, searchParams } = new URL(url, 'http://site')
    const to = searchParams.get('to')
    request.resume().once('end', () => {
      if (to !== null) response.writeHead(Number(pathname.slice(1)), { location: to })
      response.end('canary of the network')
    })
  })
  await new Promise<void>((done) => site.listen(0, address, done))
  return { calls, url: `http://${address}:${(site.address() as AddressInfo).port}`, site }
}

// All of 127.0.0.0/8 is this machine. The policy allows one of its addresses.
const outside = await startSite('127.0.0.1')
const another = await startSite('127.0.0.1')
const inside = await startSite('127.0.0.2')
const sites = [outside, another, inside].map(({ site }) => site)
const { config, remove } = await testConfig({
  plugins: [new URL('../../plugins/routes/gotenberg', import.meta.url).pathname],
  egressAllowPrivate: true,
  egressAllowList: ['127.0.0.1'],
})
const server = await startServer(config)
afterAll(async () => {
  await server.stop()
  await remove()
  for (const site of sites) site.close()
})
/** A site for the webhooks of one test, whose calls are repeated during the next ones. */
async function startHooks() {
  const hooks = await startSite('127.0.0.1')
  sites.push(hooks.site)
  return hooks
}
beforeEach(() => {
  for (const { calls } of [outside, another, inside]) calls.length = 0
})

async function send(
  path: string,
  files: Readonly<Record<string, Uint8Array | string>>,
  {
    fields = {},
    headers = {},
  }: {
    readonly fields?: Readonly<Record<string, string>>
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, content] of Object.entries(files))
    form.append('files', new File([content as Uint8Array<ArrayBuffer>], name))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return fetch(server.url + path, { method: 'POST', body: form, headers })
}

const page = { 'index.html': '<p>text</p>' }
const toHtml = '/forms/chromium/convert/html'

it.each([301, 302, 303, 307, 308])(
  'a webhook that answers with %d is not followed to an address inside',
  async (status) => {
    const hooks = await startHooks()
    const headers = {
      'gotenberg-webhook-url': `${hooks.url}/${status}?to=${inside.url}/secret`,
      'gotenberg-webhook-error-url': `${hooks.url}/error`,
      'gotenberg-webhook-events-url': `${hooks.url}/event`,
    }
    expect((await send(toHtml, page, { headers })).status).toBe(204)
    // The call is repeated four times, with pauses of 15 seconds altogether.
    await expect.poll(() => hooks.calls.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
    expect(inside.calls).toEqual([])
  },
)

it('a webhook that is redirected to another site gets the file there, without its credentials', async () => {
  const hooks = await startHooks()
  const headers = {
    'gotenberg-webhook-url': `${hooks.url}/307?to=${another.url}/file`,
    'gotenberg-webhook-error-url': `${hooks.url}/error`,
    'gotenberg-webhook-extra-http-headers': '{"Authorization":"Bearer secret","Cookie":"a=b"}',
  }
  expect((await send(toHtml, page, { headers })).status).toBe(204)
  await expect.poll(() => another.calls.length, { timeout: 60_000 }).toBe(1)
  const [first] = hooks.calls
  expect(first?.headers.authorization).toBe('Bearer secret')
  const [{ url, method, headers: received }] = another.calls as [Received]
  expect([url, method, received['content-type']]).toEqual(['/file', 'POST', 'application/pdf'])
  expect([received.authorization, received.cookie]).toEqual([undefined, undefined])
})

it.each([301, 302, 303, 307, 308])(
  'a download that answers with %d is not followed to an address inside',
  async (status) => {
    const downloadFrom = JSON.stringify([{ url: `${outside.url}/${status}?to=${inside.url}/a.pdf` }])
    const answer = await send('/forms/pdfengines/merge', {}, { fields: { downloadFrom } })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await answer.text()).not.toContain('canary')
    expect(inside.calls).toEqual([])
  },
)

const documents = await documentsWithLinks({ http: `${inside.url}/canary`, file: 'file:///etc/passwd' })

it.each(documents)('no link of a document is followed: %s', async (_name, { from, bytes }) => {
  const answer = await send('/forms/libreoffice/convert', { [`a.${from}`]: bytes })
  const made = Buffer.from(await answer.arrayBuffer())
  if (answer.status === 200) {
    const text = await look(made, 'pdftotext', '@', '-')
    expect(text).not.toMatch(/canary of the network|root:/)
  } else expect([answer.status, made.toString()]).toEqual([400, expect.stringMatching(/./)])
  expect(inside.calls).toEqual([])
})

it('a linked picture at an allowed address that redirects inside is not loaded', async () => {
  const redirecting = `${outside.url}/302?to=${inside.url}/a.png`
  const linked = new Map(await documentsWithLinks({ http: redirecting, file: 'file:///etc/passwd' }))
  const { from, bytes } = linked.get('a picture of a DOCX')!
  expect((await send('/forms/libreoffice/convert', { [`a.${from}`]: bytes })).status).toBe(200)
  expect([outside.calls.length, inside.calls]).toEqual([1, []])
})

it.each([
  [
    'an element',
    (url: string) => `<img src="${url}"><iframe src="${url}"></iframe><link rel="stylesheet" href="${url}">`,
  ],
  ['a style', (url: string) => `<style>body{background:url(${url})}@import url(${url});</style>`],
  ['a script', (url: string) => `<script>fetch('${url}');new Image().src='${url}'</script>`],
  ['a refresh', (url: string) => `<meta http-equiv="refresh" content="0;url=${url}">`],
])('a page reaches no address inside by %s', async (_, markup) => {
  for (const address of [`${inside.url}/canary`, `${outside.url}/302?to=${inside.url}/canary`]) {
    const answer = await send(toHtml, { 'index.html': `<p>text</p>${markup(address)}` })
    expect([200, 400, 409]).toContain(answer.status)
    expect(await answer.text()).not.toContain('canary of')
  }
  expect(inside.calls).toEqual([])
})
