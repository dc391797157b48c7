import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { legible } from '../../helpers/legible.ts'
import { pdfOf, stream } from '../../helpers/pdf.ts'
import { openRaw } from '../../helpers/raw-http.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { base64, type Client, createClient, type Target, unique } from './client.ts'
import { docx } from './office.ts'

/** A hosted service, and the command that makes its accounts. */
export interface HostedTarget extends Target {
  platen(
    ...args: readonly string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }>
}

const now = () => Math.floor(Date.now() / 1000)
const month = 30 * 86_400
const letter = base64(
  docx(
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Dear {d.name}</w:t></w:r></w:p></w:body></w:document>',
  ),
)
const pdf = { convertTo: 'pdf', converter: 'I' }

/** Token kinds, credits and limits of a hosted service: docs/hosted.md. */
export function hostedContract(name: string, start: () => Promise<HostedTarget>): void {
  describe(`http contract, hosted: ${name}`, () => {
    let target: HostedTarget | undefined
    let production: Client
    let test: Client
    let free: Client
    const done = async (...args: readonly string[]) => {
      const { code, out, err } = await target!.platen('accounts', ...args)
      expect([code, err]).toEqual([0, expect.any(String)])
      return out.trim()
    }
    const tokenOf = async (...args: readonly string[]) => {
      const token = await done('token', ...args)
      return createClient(target!.url, { authorization: `Bearer ${token}` })
    }
    beforeAll(async () => {
      target = await start()
      await done('create', 'small', '--credits', '10')
      await done('create', 'large', '--credits', 'unlimited')
      production = await tokenOf('small', '--label', 'first')
      test = await tokenOf('small', '--kind', 'test')
      free = await tokenOf('large')
    })
    afterAll(() => target?.stop())

    const render = (client: Client, body: object = {}, query = '?download=true') =>
      client.post(`/render/template${query}`, { template: letter, data: { name: 'Ann' }, ...body })
    const left = async () => {
      const answer = await render(production, { template: base64('x'), data: {} }, '')
      return Number(answer.headers.get('service-credits-remaining'))
    }

    it('every call needs a token, and GET /metrics is not served', async () => {
      const stranger = createClient(target!.url)
      expect((await stranger.get('/templates')).status).toBe(401)
      expect((await stranger.get('/status')).status).toBe(200)
      expect((await production.get('/metrics')).status).toBe(404)
    })

    it('tokens are long enough for clients that refuse short keys', () => {
      for (const { always } of [production, test, free])
        expect(always['authorization']?.length).toBeGreaterThanOrEqual('Bearer '.length + 300)
    })

    it('a valid token of an account that does not exist is 401', async () => {
      const { out } = await target!.platen('generate-token', '--account', 'nobody')
      const answer = await createClient(target!.url, { authorization: `Bearer ${out.trim()}` }).get(
        '/templates',
      )
      expect([answer.status, answer.body.success]).toEqual([401, false])
    })

    describe('a test token', () => {
      const place = useTemporary()
      const fileOf = async (body: object) => {
        const response = await fetch(`${target!.url}/render/template?download=true`, {
          method: 'POST',
          headers: { ...test.always, 'content-type': 'application/json' },
          body: JSON.stringify({ template: letter, data: { name: 'Ann' }, ...body }),
        })
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
        expect(response.headers.get('service-credits-limit')).toBe(null)
        return new Uint8Array(await response.arrayBuffer())
      }
      const pagesOf = async (body: object) => {
        const input = await fileOf(body)
        return execFileSync('pdftotext', ['-raw', '-', '-'], { input }).toString().replace(/\s/g, '')
      }

      it('makes any number of PDFs, with a watermark', async () => {
        for (let time = 0; time < 12; time++) {
          const text = await pagesOf(pdf)
          expect(text).toContain('DearAnn')
          expect(text).toContain('TEST')
        }
      })

      it('keeps the requested watermarks and adds its own', async () => {
        const own = ['one', 'two', 'three', 'four'].map((text) => ({ text, anchor: 'top', size: 20 }))
        const text = await pagesOf({
          ...pdf,
          convertTo: { formatName: 'pdf', formatOptions: { Watermarks: own, EncryptFile: false } },
        })
        for (const each of ['one', 'two', 'three', 'TEST']) expect(text).toContain(each)
      })

      it.each([null, [], undefined])('adds its own where none is requested: %j', async (watermarks) => {
        const options = watermarks === undefined ? {} : { Watermarks: watermarks }
        const convertTo = { formatName: 'pdf', formatOptions: options }
        expect(await pagesOf({ ...pdf, convertTo })).toContain('TEST')
      })

      it('leaves no form field that could cover its watermark', async () => {
        const form = pdfOf([
          '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Resources<<>>>>',
          '<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>',
          '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[0 0 300 200]/AP<</N 5 0 R>>>>',
          stream('1 g 0 0 10 10 re f', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'),
        ])
        const made = await fileOf({ convertTo: 'pdf', template: Buffer.from(form).toString('base64') })
        expect(await legible(place(), made)).not.toMatch(/AcroForm|Widget/)
        const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: made }).toString()
        expect(text.replace(/\s/g, '')).toBe('TEST')
      })

      it('is refused any output but PDF, with 403', async () => {
        const bodies = [
          {},
          { convertTo: 'docx' },
          { convertTo: 'nonsense' },
          { convertTo: { formatName: 'txt' } },
          { data: [{}, {}], batchSplitBy: 'd' },
        ]
        for (const body of bodies)
          for (const headers of [undefined, { 'service-webhook-url': 'https://example.com/' }]) {
            const answer = await test.post(
              '/render/template',
              { template: letter, data: {}, ...body },
              headers,
            )
            expect([JSON.stringify(body), answer.status, answer.body]).toEqual([
              JSON.stringify(body),
              403,
              { success: false, error: expect.stringMatching(/^A test token makes only PDF/), code: 'w117' },
            ])
          }
      })

      it('uploads for 30 days at most', async () => {
        const expiry = async (client: Client, versionId: string) =>
          (await client.get(`/templates?versionId=${versionId}`)).body.data[0].expireAt
        const near = (at: number) => expect.closeTo(at, -1.5)
        const usual = await test.version(unique('t'))
        expect(await expiry(test, usual.versionId)).toEqual(near(now() + month))
        const shorter = await test.version(unique('t'), { expireAt: String(now() + 5000) })
        expect(await expiry(test, shorter.versionId)).toEqual(near(now() + 5000))
        const longer = await test.version(unique('t'), { expireAt: String(now() + 2 * month) })
        expect(await expiry(test, longer.versionId)).toEqual(near(now() + month))
        const hash = await test.hashed(unique('t'))
        expect(await expiry(test, hash)).toEqual(near(now() + month))
        expect((await test.patch(`/template/${usual.versionId}`, { expireAt: 0 })).status).toBe(200)
        expect(await expiry(test, usual.versionId)).toEqual(near(now() + month))
        expect((await production.patch(`/template/${usual.versionId}`, { expireAt: 0 })).status).toBe(200)
        expect(await expiry(production, usual.versionId)).toBe(0)
        const kept = await production.version(unique('t'))
        expect(await expiry(production, kept.versionId)).toBe(0)
      })
    })

    describe('credits', () => {
      it('a response says how many credits are left, and until when', async () => {
        const answer = await render(production)
        expect(answer.status).toBe(200)
        const said = (name: string) => Number(answer.headers.get(`service-credits-${name}`))
        expect([said('limit'), said('remaining')]).toEqual([10, 9])
        const reset = new Date(said('reset') * 1000)
        expect([reset.getUTCDate(), reset.getUTCHours(), reset > new Date()]).toEqual([1, 0, true])
      })

      it('a failed render costs nothing, a batch one for each document, large data one for each megabyte', async () => {
        const before = await left()
        expect((await render(production, { convertTo: 'nonsense' })).status).toBe(500)
        expect((await render(production, { data: 7 })).status).toBe(400)
        expect((await render(production, { data: [{}, {}], batchSplitBy: 'd' })).status).toBe(200)
        const large = { data: { filler: 'x'.repeat(1_100_000) } }
        expect((await render(production, large)).status).toBe(200)
        expect(await left()).toBe(before - 5)
      })

      it('as many simultaneous calls succeed as there are credits, further ones are 402, and a test token still works', async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => render(production, { template: base64('x'), data: {} }, '')),
        )
        const good = answers.filter(({ status }) => status === 200)
        const refused = answers.filter(({ status }) => status === 402)
        expect([good.length + refused.length, good.length]).toEqual([8, 3])
        expect(refused[0]!.body).toEqual({
          success: false,
          error: 'Not enough credits: this call needs 1, and 0 of 10 are left this month.',
          code: 'w201',
        })
        expect((await render(test, pdf)).status).toBe(200)
        const more = await done('credits', 'small', '--credits', '20')
        expect(more).toMatch(/^small {2}10 of 20 credits left until \d{4}-\d\d-01 00:00$/)
        expect((await render(production)).status).toBe(200)
      })

      it('a stream takes a credit for each item as it begins, and ends where none is left', async () => {
        await done('create', 'stream', '--credits', '4')
        const streamed = await tokenOf('stream')
        const template = base64('{d.a:padl(1000000000)}') // fails with a text
        const body = [{ template, batchOnError: 'report' }, {}, { a: 'x' }, {}, {}, {}, {}, {}, {}]
        const answer = await streamed.send('POST', '/render/template/stream', {
          headers: { 'content-type': 'application/x-ndjson', accept: 'multipart/mixed' },
          body: body.map((line) => JSON.stringify(line)).join('\n'),
        })
        expect(answer.status).toBe(200)
        const statuses = [...answer.text.matchAll(/service-batch-status: (\d+)/g)].map(([, status]) => status)
        expect(statuses.filter((status) => status === '200').length).toBeLessThanOrEqual(4)
        expect(statuses.filter((status) => status === '200').length).toBeGreaterThanOrEqual(3)
        expect([statuses.at(-1), answer.text.match(/service-batch-end: failed/g)?.length]).toEqual(['402', 1])
      })

      it('a check takes a credit for each case that makes a document', async () => {
        await done('create', 'checks', '--credits', '2')
        const checks = await tokenOf('checks')
        const check = (...texts: readonly string[]) =>
          checks.post('/template/check', {
            template: base64('Dear {d.name:upperCase}'),
            cases: texts.map((text, index) => ({
              name: String(index),
              request: { data: { name: text }, ...(text === 'broken' && { convertTo: 'mp3' }) },
            })),
          })
        const left = async (...texts: readonly string[]) => {
          const { status, headers } = await check(...texts)
          return [status, headers.get('service-credits-remaining')]
        }
        expect(await left('Ann', 'broken')).toEqual([200, '1'])
        expect(await left('Ann', 'Bob')).toEqual([402, null])
        expect(await left('Ann')).toEqual([200, '0'])
      })

      it('a call without credits or with wrong headers is answered before its body has arrived', async () => {
        await done('create', 'spent', '--credits', '1')
        const spent = await tokenOf('spent')
        expect((await render(spent, { template: base64('x'), data: {} }, '')).status).toBe(200)
        /** Sends the beginning of a large body and waits for the answer. */
        const answered = async (client: Client, headers: Readonly<Record<string, string>> = {}) => {
          const raw = await openRaw(target!.url)
          const lines = Object.entries({
            host: new URL(target!.url).host,
            authorization: client.always['authorization'],
            'content-type': 'application/json',
            'content-length': '40000000',
            ...headers,
          }).map(([name, value]) => `${name}: ${value}\r\n`)
          raw.write(
            `POST /render/template HTTP/1.1\r\n${lines.join('')}\r\n{"data":{"a":"${'x'.repeat(300_000)}`,
          )
          const said = /^HTTP\/1\.1 (\d+)[\s\S]*"error":"((?:[^"\\]|\\.)*)"/
          const text = await raw.received((got) => said.test(got))
          raw.destroy()
          const [, status, message] = said.exec(text) ?? []
          return [Number(status), message]
        }
        expect(await answered(spent)).toEqual([402, expect.stringMatching(/^Not enough credits/)])
        const webhook = { 'service-webhook-url': 'http://10.0.0.1/' }
        expect(await answered(free, webhook)).toEqual([500, 'Error while setting up the webhook'])
        const egress = { 'service-egress-header-authorization': 'x'.repeat(600) }
        expect(await answered(free, egress)).toEqual([400, expect.stringContaining('shorter than 512')])
      })

      it('an account without a limit gets no headers about credits', async () => {
        const answer = await render(free)
        expect([answer.status, answer.headers.get('service-credits-limit')]).toEqual([200, null])
      })
    })

    it('more than ten reports at once need a webhook; one on a private address is refused at once', async () => {
      const batch = await render(free, { data: Array.from({ length: 11 }, () => ({})), batchSplitBy: 'd' })
      expect([batch.status, batch.body.error]).toEqual([500, expect.stringContaining('must be asynchronous')])
      for (const url of [
        'http://127.0.0.1/',
        'http://10.1.2.3/x',
        'http://[::1]/',
        'http://localhost/',
        'http://db.internal/',
      ]) {
        const answer = await free.post(
          '/render/template',
          { template: letter, data: {} },
          { 'service-webhook-url': url },
        )
        expect([url, answer.status, answer.body]).toEqual([
          url,
          500,
          { success: false, error: 'Error while setting up the webhook', code: 'api.render.webhook' },
        ])
      }
    })

    it('tokens are listed, rotated and revoked; an account is closed and opened again', async () => {
      const status = async (client: Client) => (await client.get('/templates?limit=1')).status
      const becomes = (client: Client, wanted: number) =>
        expect.poll(() => status(client), { interval: 500 }).toBe(wanted)
      const rows = (await done('tokens', 'small')).split('\n')
      const old = rows.find((row) => row.endsWith('first'))!.split(' ')[0]!
      expect(rows.map((row) => /\b(test|production)\b/.exec(row)?.[1]).sort()).toEqual(['production', 'test'])
      const next = await done('rotate', 'small', old)
      const rotated = createClient(target!.url, { authorization: `Bearer ${next}` })
      expect(await status(rotated)).toBe(200)
      await becomes(production, 401)
      const newer = (await done('tokens', 'small'))
        .split('\n')
        .find((row) => row.includes('good') && row.endsWith('first'))!
      await done('revoke', 'small', newer.split(' ')[0]!)
      await becomes(rotated, 401)
      expect(await status(test)).toBe(200)
      await done('close', 'small')
      await becomes(test, 401)
      expect(await done('list')).toMatch(/^large .*\nsmall .*closed/m)
      await done('reopen', 'small')
      await becomes(test, 200)
    })
  })
}
