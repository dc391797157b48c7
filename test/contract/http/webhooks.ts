import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base64, type Client, createClient, type Target } from './client.ts'
import { docx } from './office.ts'

const paragraph = (text: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`

const pixel = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')

interface Notice {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Specification 6, for a service that may call 127.0.0.1. Its own tests look into the origin's queue. */
export function webhookContract(name: string, start: () => Promise<Target>): void {
  describe(`http contract, webhooks: ${name}`, () => {
    let target: Target
    let client: Client
    const notices: Notice[] = []
    const hooks = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const path = request.url ?? ''
      const first = notices.every((notice) => notice.path !== path)
      notices.push({ path, method: request.method ?? '', headers: request.headers, body })
      if (path.startsWith('/lost') && first) return request.socket.destroy()
      if (path.startsWith('/503') && first) response.writeHead(503, { 'retry-after': '0' })
      if (path.startsWith('/400')) response.writeHead(400)
      if (path.startsWith('/text'))
        response.writeHead(200, { 'content-type': 'text/html' }).write('Not found')
      if (path.startsWith('/found')) response.writeHead(200, { 'content-type': 'image/gif' }).write(pixel)
      const [, status, to] = /^\/(30\d)-to(\/.*)$/.exec(path) ?? []
      if (to !== undefined) response.writeHead(Number(status), { location: to })
      response.end()
    })
    beforeAll(async () => {
      await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
      target = await start()
      client = createClient(target.url)
    })
    afterAll(async () => {
      hooks.close()
      await target?.stop()
    })
    const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
      client.post(
        '/render/template',
        { template: base64('Hi {d.a}'), ...body },
        {
          'service-webhook-url': `http://127.0.0.1:${(hooks.address() as AddressInfo).port}${path}`,
          ...headers,
        },
      )
    const reported = async (path: string, count = 1) => {
      await expect
        .poll(() => notices.filter((notice) => notice.path === path).length)
        .toBeGreaterThanOrEqual(count)
      return notices.filter((notice) => notice.path === path)
    }

    it('the webhook receives the render ID in a POST with the body of a synchronous response', async () => {
      const answer = await ask('/ok', { data: { a: 'Ann' }, reportName: '{d.a}' })
      expect([answer.status, answer.body.success, answer.body.data]).toEqual([200, true, { renderId: '' }])
      const [notice] = await reported('/ok')
      expect(notice!.headers['content-type']).toBe('application/json')
      const { success, data } = JSON.parse(notice!.body) as { success: boolean; data: { renderId: string } }
      expect([success, Object.keys(data)]).toEqual([true, ['renderId']])
      const file = await client.get(`/render/${data.renderId}`)
      expect([file.text, file.headers.get('content-disposition')]).toEqual([
        'Hi Ann',
        'inline; filename="Ann.txt"',
      ])
      expect((await client.get(`/render/${data.renderId}`)).status).toBe(404)
    })

    it('the call has the extra headers, and the egress authorization unless it has its own', async () => {
      const egress = { 'service-egress-header-authorization': 'Bearer egress' }
      await ask('/h1', { data: {} }, { ...egress, 'service-webhook-header-X-Mine': 'yes' })
      await ask(
        '/h2',
        { data: {} },
        {
          ...egress,
          'service-webhook-header-authorization': 'Basic own',
          'service-webhook-header-host': 'evil',
        },
      )
      expect((await reported('/h1'))[0]!.headers).toMatchObject({
        authorization: 'Bearer egress',
        'x-mine': 'yes',
      })
      const [own] = await reported('/h2')
      expect([own!.headers.authorization, own!.headers.host]).toEqual([
        'Basic own',
        expect.stringMatching(/^127\.0\.0\.1:/),
      ])
    })

    it('a call that was refused is listed, and repeated on request', async () => {
      const asked = await ask('/503-and-on', { data: {} })
      const id = asked.headers.get('service-job-id')!
      const [first] = await reported('/503-and-on', 2)
      await expect.poll(async () => (await client.get(`/jobs/${id}`)).body.data.webhook?.delivered).toBe(true)
      const listed = (await client.get('/jobs?webhook=delivered&limit=100')).body.data
      expect(listed.find(({ jobId }: { jobId: string }) => jobId === id)).toMatchObject({
        state: 'done',
        webhook: { delivered: true, status: '200' },
      })
      const again = await client.post(`/jobs/${id}/webhook`, {})
      expect([again.status, again.body.data.webhook]).toEqual([
        200,
        { delivered: true, status: '200', calledAt: expect.any(Number) },
      ])
      const calls = await reported('/503-and-on', 3)
      expect([calls[2]!.body, calls[2]!.headers['webhook-id']]).toEqual([
        first!.body,
        first!.headers['webhook-id'],
      ])
      const refused = (await ask('/400-for-good', { data: {} })).headers.get('service-job-id')!
      await expect.poll(async () => (await client.get(`/jobs/${refused}`)).body.data.state).toBe('done')
      const undelivered = (await client.get('/jobs?webhook=undelivered')).body.data
      expect(undelivered.find(({ jobId }: { jobId: string }) => jobId === refused).webhook).toMatchObject({
        delivered: false,
        status: '400',
      })
    })

    it('version 3 of the API has no extra headers; each call names the service as its user agent', async () => {
      const headers = { 'service-webhook-header-x-mine': 'yes', 'service-version': '3' }
      await ask('/v3', { data: {} }, headers)
      const [notice] = await reported('/v3')
      expect([notice!.headers['x-mine'], notice!.headers['user-agent']]).toEqual([
        undefined,
        expect.stringMatching(/^platen\/\d/),
      ])
    })

    it('the egress authorization is sent with every file that a render fetches', async () => {
      const hook = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
      const answer = await client.post(
        '/render/template',
        {
          template: base64(docx(paragraph('{d.h:html}'))),
          data: { h: `<img src="${hook}/picture.png">` },
        },
        { 'service-egress-header-authorization': 'Bearer files' },
      )
      expect(answer.status).toBe(200)
      expect((await reported('/picture.png'))[0]!.headers.authorization).toBe('Bearer files')
      const append = { f: `${hook}/more.pdf` }
      const joined = await client.post(
        '/render/template',
        {
          template: base64(docx(paragraph('{d.f:appendFile}'))),
          data: append,
          convertTo: 'pdf',
          converter: 'I',
        },
        { 'service-egress-header-authorization': 'Bearer files' },
      )
      // There is no PDF at that address, and the error does not say which one it is.
      expect([joined.status, joined.text.includes('127.0.0.1')]).toEqual([500, false])
      expect((await reported('/more.pdf'))[0]!.headers.authorization).toBe('Bearer files')
    })

    it('failOn IMAGE_URL_ERROR: a picture that cannot be loaded fails the render; otherwise its place stays empty', async () => {
      const body = {
        template: base64(docx(paragraph('{d.h:html}'))),
        data: {
          h: `<img src="http://127.0.0.1:${(hooks.address() as AddressInfo).port}/400/none.png">`,
        },
      }
      expect((await client.post('/render/template', body)).status).toBe(200)
      const failed = await client.post('/render/template', { ...body, failOn: ['IMAGE_URL_ERROR'] })
      expect([failed.status, failed.body.error]).toEqual([
        500,
        expect.stringMatching(/^Unable to generate the document\. /),
      ])
    })

    it.each([
      ['html', '<p><img alt="{d.a}" src="{d.u}"></p>'],
      ['svg', '<svg xmlns="http://www.w3.org/2000/svg"><image href="{d.u}"/></svg>'],
      ['md', '# x\n\n![{d.a}]({d.u})'],
      ['md', '# x\n\n<img alt="{d.a}" src="{d.u}">'],
    ])('failOn IMAGE_URL_ERROR: %s with a picture as %s', async (extension, template) => {
      const hook = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
      const rendered = (u: unknown, failOn?: readonly string[], text = template) =>
        client.post('/render/template', { template: base64(text), data: { a: 'A', u }, extension, failOn })
      const missing = `${hook}/400/none-${extension}.png`
      expect((await rendered(missing)).status).toBe(200)
      expect((await rendered(missing, [])).status).toBe(200)
      const failed = await rendered(missing, ['IMAGE_URL_ERROR'])
      expect([failed.status, failed.body.error]).toEqual([
        500,
        expect.stringMatching(/^Unable to generate the document\. /),
      ])
      const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
      for (const u of [undefined, '', pixel]) {
        expect([u, (await rendered(u, ['IMAGE_URL_ERROR'])).status]).toEqual([u, 200])
      }
    })

    it.each([
      ['html', 'I', '<p><img alt="A" src="{d.h}/400/{d.n}.png"></p>'],
      ['html', 'L', '<p>x<img src="{d.h}/400/fixed.png"></p>'],
      ['html', 'C', '<p><img alt="A" src="{d.h}/400/{d.n}.png"></p>'],
      ['html', 'C', '<p style="background: url({d.h}/400/{d.n}.png)">x</p>'],
      ['html', 'C', '<p><img alt="A" src="{d.h}/text/{d.n}.png"></p>'],
      ['html', 'I', '<p><img alt="A" src="{d.h}/text/{d.n}.png"></p>'],
      ['md', 'I', '# x\n\n![A]({d.h}/400/{d.n}.png)'],
      ['md', 'L', '# x\n\n![A]({d.h}/400/{d.n}.png)'],
      ['md', 'C', '# x\n\n<img alt="A" src="{d.h}/400/{d.n}.png">'],
      ['svg', 'C', '<svg xmlns="http://www.w3.org/2000/svg"><image href="{d.h}/400/{d.n}.png"/></svg>'],
    ])(
      'failOn IMAGE_URL_ERROR: what the engine of %s to PDF (%s) fetches for %s',
      async (extension, converter, text) => {
        const h = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
        const rendered = (failOn: readonly string[], where = h, template = text) => {
          const body = {
            template: base64(template),
            data: { h: where, n: 'p' },
            extension,
            convertTo: 'pdf',
            converter,
          }
          return client.post('/render/template?download=true', { ...body, failOn })
        }
        const known: readonly { from: string; to: string; converters: readonly string[] }[] = (
          await client.get('/conversions')
        ).body.data
        const offers = (pair: (typeof known)[number]) =>
          pair.from === extension && pair.to === 'pdf' && pair.converters.includes(converter)
        if (!known.some(offers)) return
        const plain = await rendered([])
        // An edge alone has no programs, and says so.
        if (/needs an origin server/.test(plain.text)) return
        expect(plain.status).toBe(200)
        const failed = await rendered(['IMAGE_URL_ERROR'])
        expect([failed.status, failed.body.error]).toEqual([
          500,
          expect.stringMatching(/^Unable to generate the document\. .*could not be loaded: [^/]+$/),
        ])
        const found = await rendered(
          ['IMAGE_URL_ERROR'],
          `${h}/found`,
          text.replace('/400', '').replace('/text', ''),
        )
        expect([found.status, found.text.slice(0, 5)]).toEqual([200, '%PDF-'])
      },
    )

    it('failOn IMAGE_URL_ERROR: the address of a link is not that of a picture', async () => {
      const u = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/400/link`
      for (const [extension, text] of [
        ['html', '<p><a href="{d.u}">x</a></p>'],
        ['md', '# x\n\n![p](data:,x) [x]({d.u})'],
      ] as const) {
        const body = { template: base64(text), data: { u }, extension, failOn: ['IMAGE_URL_ERROR'] }
        expect([extension, (await client.post('/render/template', body)).status]).toEqual([extension, 200])
      }
      expect(notices.filter(({ path }) => path === '/400/link')).toEqual([])
    })

    it('a failure is reported to the webhook too', async () => {
      await ask('/failed', { data: {}, convertTo: 'nonsense' })
      expect(JSON.parse((await reported('/failed'))[0]!.body)).toEqual({
        success: false,
        error: expect.stringMatching(/^Unable to generate the document\. /),
        code: 'w101',
        data: { renderId: '' },
      })
    })

    it('one retry after a lost connection; a forbidden address is refused at once', async () => {
      await ask('/lost', { data: { a: 1 } })
      const [first, second] = await reported('/lost', 2)
      expect(second!.body).toBe(first!.body)
      for (const url of ['http://user:word@127.0.0.1/', 'ftp://127.0.0.1/', 'http://', '//127.0.0.1/', '']) {
        const answer = await ask('/never', { data: {} }, { 'service-webhook-url': url })
        expect([url, answer.status, answer.body]).toEqual([
          url,
          500,
          { success: false, error: 'Error while setting up the webhook', code: 'api.render.webhook' },
        ])
      }
    })

    it('one retry with the same body after 503, none after 400', async () => {
      await ask('/503', { data: { a: 1 } }, { 'service-webhook-header-x-a': '1' })
      await ask('/400', { data: { a: 1 } })
      const [first, second] = await reported('/503', 2)
      expect([second!.body, second!.headers['x-a']]).toEqual([first!.body, '1'])
      await reported('/400')
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect([(await reported('/503')).length, (await reported('/400')).length]).toEqual([2, 1])
    })

    it.each([301, 302, 307, 308])(
      'a redirect with status %d is followed with the same POST',
      async (status) => {
        await ask(`/${status}-to/moved-${status}`, { data: { a: 1 } }, { 'service-webhook-header-x-a': '1' })
        const [first] = await reported(`/${status}-to/moved-${status}`)
        const [moved] = await reported(`/moved-${status}`)
        expect([moved!.method, moved!.body, moved!.headers['content-type'], moved!.headers['x-a']]).toEqual([
          'POST',
          first!.body,
          'application/json',
          '1',
        ])
      },
    )

    it('a webhook takes precedence over download=true', async () => {
      const url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/download`
      const answer = await client.post(
        '/render/template?download=true',
        { template: base64('x'), data: {} },
        { 'service-webhook-url': url },
      )
      expect([answer.status, answer.body.message]).toEqual([
        200,
        'A render ID will be sent to your callback URL when the document is generated',
      ])
      await reported('/download')
    })
  })
}
