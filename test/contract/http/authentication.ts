import { exportSPKI, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../shared/api/routes/index.ts'
import {
  type Answer,
  type Client,
  createClient,
  nobody,
  type Target,
  type Uploaded,
  unique,
} from './client.ts'

const unauthorized =
  /^Unauthorized, please provide a correct API key on the "Authorization" header\. .+ for a key\.$/
const expired = 'Unauthorized Access: The API key or access token has expired.'
const open: readonly string[] = [
  'GET /render/:id',
  'GET /status',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/:page',
]

type Claims = Readonly<Record<string, unknown>>

/**
 * Specification 5 and 7: a service that was told to check tokens. `start` is given the PEM of the
 * public keys, with which it finds tokens for the audience 'service' good.
 */
export function authenticationContract(name: string, start: (publicKeys: string) => Promise<Target>): void {
  describe(`http contract, authentication: ${name}`, () => {
    let target: Target | undefined
    let url = ''
    const pairs: Record<string, GenerateKeyPairResult> = {}
    beforeAll(async () => {
      for (const algorithm of ['ES512', 'ES256'])
        pairs[algorithm] = await generateKeyPair(algorithm, { extractable: true })
      const pems = await Promise.all(Object.values(pairs).map((pair) => exportSPKI(pair.publicKey)))
      target = await start(pems.join('\n'))
      url = target.url
    })
    afterAll(() => target?.stop())

    const sign = (claims: Claims = {}, algorithm = 'ES512') =>
      new SignJWT({ iss: 'test', aud: 'service', exp: now() + 3600, ...claims })
        .setProtectedHeader({ alg: algorithm })
        .sign(pairs[algorithm]!.privateKey)
    const bearer = async (claims?: Claims, algorithm?: string) =>
      createClient(url, { authorization: `Bearer ${await sign(claims, algorithm)}` })
    const stranger = () => createClient(url)

    describe('who is let in', () => {
      for (const { method, path } of routes) {
        const isOpen = open.includes(`${method} ${path}`)
        it(`${method} ${path} ${isOpen ? 'needs no token' : 'is 401 without a token'}`, async () => {
          for (const address of addressesOf(path, [])) {
            const answer = await call(stranger(), method, address)
            if (isOpen) expect(answer.status).not.toBe(401)
            else expectUnauthorized(answer)
          }
        })
      }

      it('HEAD needs a token where GET does', async () => {
        expect((await stranger().send('HEAD', `/template/${'a'.repeat(64)}`)).status).toBe(401)
        expect((await stranger().send('HEAD', '/status')).status).toBe(200)
      })

      it('a preflight needs no token and allows the header', async () => {
        const answer = await stranger().send('OPTIONS', '/templates', {
          headers: {
            origin: 'https://a.example',
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'authorization',
          },
        })
        expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([
          204,
          'authorization',
        ])
      })

      it('accepts tokens of each of several keys', async () => {
        for (const algorithm of ['ES512', 'ES256'])
          expect((await (await bearer({}, algorithm)).get('/templates?limit=1')).status).toBe(200)
      })

      it('the scheme "Bearer" may have any case', async () => {
        const authorization = `bEARER  ${await sign()}`
        expect((await stranger().get('/templates?limit=1', { authorization })).status).toBe(200)
      })

      it('accepts one valid audience among several', async () => {
        const client = await bearer({ aud: ['other', 'service'] })
        expect((await client.get('/templates?limit=1')).status).toBe(200)
      })

      it('an expired token has an error of its own', async () => {
        const answer = await (await bearer({ exp: now() - 1 })).get('/templates')
        expect([answer.status, answer.body]).toEqual([
          401,
          { success: false, error: expired, code: 'api.unauthorized.expired' },
        ])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      })

      it('a token that was valid expires', async () => {
        // A loaded machine may take longer than the first life that is tried.
        for (const seconds of [2, 8, 32]) {
          const client = await bearer({ exp: now() + seconds })
          if ((await client.get('/templates?limit=1')).status !== 200) continue
          await expect
            .poll(async () => (await client.get('/templates?limit=1')).body.error, { interval: 200 })
            .toBe(expired)
          return
        }
        throw new Error('No token was accepted while it was good')
      })

      it('wrong tokens are 401, whatever is wrong with them', async () => {
        const good = await sign()
        const [head, payload, signature] = good.split('.') as [string, string, string]
        const stolen = await generateKeyPair('ES512')
        const rows: Readonly<Record<string, string>> = {
          'no scheme': good,
          'another scheme': `Basic ${good}`,
          empty: 'Bearer ',
          null: 'Bearer null',
          'not a token': 'Bearer a.b.c',
          'no signature': `Bearer ${head}.${payload}.`,
          'a damaged signature': `Bearer ${head}.${payload}.${changed(signature)}`,
          'a changed payload': `Bearer ${head}.${encode({ aud: 'service', exp: now() + 9999, account: 'x' })}.${signature}`,
          'algorithm none': `Bearer ${encode({ alg: 'none' })}.${payload}.`,
          'algorithm none with a signature': `Bearer ${encode({ alg: 'none' })}.${payload}.${signature}`,
          'HMAC with the public key': `Bearer ${await hmacToken(await exportSPKI(pairs['ES512']!.publicKey))}`,
          'a foreign key': `Bearer ${await new SignJWT({ aud: 'service', exp: now() + 60 })
            .setProtectedHeader({ alg: 'ES512' })
            .sign(stolen.privateKey)}`,
          'a foreign expired one': `Bearer ${await new SignJWT({ aud: 'service', exp: now() - 60 })
            .setProtectedHeader({ alg: 'ES512' })
            .sign(stolen.privateKey)}`,
          'a wrong audience': `Bearer ${await sign({ aud: 'other' })}`,
          'no audience': `Bearer ${await sign({ aud: undefined })}`,
          'no expiry': `Bearer ${await sign({ exp: undefined })}`,
          'an expiry that is text': `Bearer ${await sign({ exp: 'never' })}`,
          'not valid yet': `Bearer ${await sign({ nbf: now() + 600 })}`,
          'an account that is none': `Bearer ${await sign({ account: '../self' })}`,
          'an account in capitals': `Bearer ${await sign({ account: 'Self' })}`,
          'an account that is no text': `Bearer ${await sign({ account: 5 })}`,
          'two tokens': `Bearer ${good}, Bearer ${good}`,
          'an endless one': `Bearer ${'a'.repeat(9000)}.b.c`,
        }
        for (const [name, authorization] of Object.entries(rows)) {
          const answer = await stranger().get('/templates', { authorization })
          expect([name, answer.status, answer.body.error]).toEqual([
            name,
            401,
            expect.stringMatching(unauthorized),
          ])
        }
      })

      it('the token is checked before the ID, the content type and the body', async () => {
        expectUnauthorized(await stranger().send('POST', '/render/nonsense', { body: '{' }))
        expectUnauthorized(await stranger().send('POST', '/template', { body: 'x' }))
        expectUnauthorized(await stranger().send('PATCH', `/template/${'0'.repeat(64)}`, { body: '{' }))
      })

      it('GET /status has details for callers with a token only', async () => {
        const known = await (await bearer()).get('/status?full=1')
        expect(known.body).toMatchObject({ success: true, engines: expect.any(Array), queued: 0 })
        const usual = (await stranger().get('/status')).body
        expect((await stranger().get('/status?full=1')).body).toEqual(usual)
        expect((await stranger().get('/status?full=1', { authorization: 'Bearer null' })).body).toEqual(usual)
        expect((await (await bearer({ exp: now() - 1 })).get('/status?full=1')).body).toEqual(usual)
        expect((await (await bearer()).get('/status')).body).toEqual(usual)
      })

      it('a token without an account and one for "self" are the same', async () => {
        const { versionId } = await (await bearer()).version('mine')
        expect((await (await bearer({ account: 'self' })).get(`/template/${versionId}`)).text).toBe('mine')
      })

      it('DELETE /token revokes the token that it is called with, and no other', async () => {
        const [gone, other] = [await bearer({ jti: unique('gone') }), await bearer({ jti: unique('other') })]
        expect((await gone.get('/templates?limit=1')).status).toBe(200)
        const answer = await gone.delete('/token')
        expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'Token revoked' }])
        expectUnauthorized(await gone.get('/templates?limit=1'))
        expectUnauthorized(await gone.delete('/token'))
        expect((await other.get('/templates?limit=1')).status).toBe(200)
      })

      it('many simultaneous calls with one token succeed', async () => {
        const client = await bearer({ jti: unique('burst') })
        const answers = await Promise.all(Array.from({ length: 40 }, () => client.get('/templates?limit=1')))
        expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
      })
    })

    describe('accounts apart', () => {
      const mark = unique('secret-of-first')
      let first: Client
      let second: Client
      let uploaded: Uploaded
      let hash = ''
      let jobs: readonly string[] = []
      beforeAll(async () => {
        first = await bearer({ account: 'first' })
        second = await bearer({ account: 'second' })
        uploaded = await first.version(`${mark} {d.a}`, {
          name: mark,
          category: mark,
          comment: mark,
          tags: JSON.stringify([mark]),
          sample: JSON.stringify([{ data: { a: mark } }]),
        })
        hash = await first.hashed(`${mark} by hash {d.a}`)
        // Refused when it is delivered; the job is there all the same.
        const queued = await first.post(`/render/${hash}`, { data: { a: mark } }, nobody)
        jobs = queued.headers.get('service-job-id')?.split(' ') ?? []
      })
      const ids = () => [uploaded.id, uploaded.versionId, hash, ...jobs]

      for (const { method, path, scope } of routes.filter((route) => route.scope !== 'open')) {
        it(`${method} ${path} shows and changes nothing of another account`, async () => {
          const other = await bearer({ account: 'second', jti: unique('walk') }) // one route ends its token
          for (const address of addressesOf(path, ids())) {
            const answer = await call(other, method, address)
            expect(answer.text).not.toContain(mark)
            for (const id of ids()) expect(answer.text).not.toContain(id)
            // 'template' is a word in an address, and the template then comes along.
            if (scope === 'account' && path.includes(':')) expect([400, 404]).toContain(answer.status)
          }
          await expectUntouched()
        })
      }

      it('an ID of another account is answered like one that nobody has', async () => {
        // Of both only the form is the same: an answer that names the ID names it in both.
        const nothing = (id: string) => id.slice(0, -8) + id.slice(-8).replace(/./g, (one) => unlike(one))
        const paths = routes.filter(({ scope, path }) => scope === 'account' && path.includes(':'))
        for (const { method, path } of paths)
          for (const id of ids()) {
            const [theirs, nobodys] = await Promise.all(
              [id, nothing(id)].map((one) => call(second, method, path.replace(/:\w+/, one))),
            )
            const found = (answer: Answer | undefined) => [answer?.status, answer?.text]
            const expected = [nobodys?.status, nobodys?.text.replaceAll(nothing(id), id)]
            expect([method, path, ...found(theirs)]).toEqual([method, path, ...expected])
          }
      })

      it('a Version ID of another account finds nothing in a query', async () => {
        const html = `<!DOCTYPE html><title>page</title><p>${mark}</p>` // every host draws web pages itself
        const { id, versionId } = await first.version(html)
        const queries = (from: string) => [
          `diff?from=${versionId}`,
          `diff?from=${from}&to=${versionId}`,
          `preview?versionId=${versionId}`,
        ]
        for (const query of queries(versionId))
          expect((await first.get(`/template/${id}/${query}`)).status).toBe(200)
        const own = await second.version(html.replace(mark, 'own'))
        for (const query of queries(own.versionId)) {
          const answer = await second.get(`/template/${own.id}/${query}`)
          expect([query, answer.status]).toEqual([query, 404])
          expect(answer.text).not.toContain(mark)
        }
      })

      it('an ID of another account finds nothing in a template', async () => {
        const page = await first.version(`<!DOCTYPE html><title>page</title><p>${mark}</p>`)
        const named = [page.id, page.versionId].flatMap((id) => [
          { template: `<!DOCTYPE html><p>own {d.x:appendTemplate('${id}')}</p>`, extension: 'html' },
          { template: `{o.styleSource=${id}}\n\n# own\n`, extension: 'md' },
        ])
        const missing = /^Template not found|there is no stored template with that ID/
        for (const { template, extension } of named) {
          const body = {
            template: btoa(template),
            extension,
            data: { x: 1 },
            convertTo: 'pdf',
            converter: 'I',
          }
          const errors = []
          for (const client of [first, second])
            errors.push(String((await client.post('/render/template', body)).body.error))
          expect([template, ...errors.map((error) => missing.test(error))]).toEqual([template, false, true])
          expect(errors[1]).not.toContain(mark)
        }
      })

      it('lists of another account do not contain them, with filters or without', async () => {
        const filters = [
          '',
          `id=${uploaded.id}`,
          `versionId=${uploaded.versionId}`,
          `category=${mark}`,
          `search=${mark}`,
          'includeVersions=true',
        ]
        for (const filter of filters) {
          expect((await second.get(`/templates?${filter}`)).text).not.toContain(mark)
          expect((await first.get(`/templates?${filter}`)).text).toContain(mark)
        }
        for (const path of ['/templates/categories', '/templates/tags']) {
          expect((await second.get(path)).text).not.toContain(mark)
          expect((await first.get(path)).text).toContain(mark)
        }
      })

      it('a cursor of another account is refused', async () => {
        const { nextCursor } = (await first.get('/templates?limit=1')).body
        expect(nextCursor).not.toBe('')
        const query = `/templates?limit=1&cursor=${encodeURIComponent(nextCursor)}`
        expect([(await first.get(query)).status, (await second.get(query)).status]).toEqual([200, 400])
      })

      it('the same Template ID and the same bytes are two things in two accounts', async () => {
        const own = await second.version('of the second', { id: uploaded.id })
        expect(own.id).toBe(uploaded.id)
        expect((await second.get(`/template/${uploaded.id}`)).text).toBe('of the second')
        expect(await second.hashed(`${mark} by hash {d.a}`)).toBe(hash)
        for (const id of [uploaded.id, hash])
          expect((await second.delete(`/template/${id}`)).status).toBe(200)
        await expectUntouched()
      })

      it('an idempotency key repeats nothing of another account', async () => {
        const key = { 'idempotency-key': unique('shared-key') }
        const body = { template: btoa('{d.a}'), data: { a: mark } }
        const calls = [
          ['/render/template?download=true', body],
          ['/render/template', body],
          ['/render/template', { ...body, data: { a: 'other' } }],
        ] as const
        const [path, sent] = calls[0]
        expect((await first.post(path, sent, key)).text).toBe(mark)
        expect((await first.post(path, sent, key)).headers.get('service-idempotent-replay')).toBe('true')
        // The other account neither learns that the key is used nor gets its response.
        for (const [address, request] of calls) {
          const answer = await second.post(address, request, {
            'idempotency-key': `${key['idempotency-key']}`,
          })
          if (address === path) expect([answer.status, answer.text]).toEqual([200, mark])
          expect(answer.headers.get('service-idempotent-replay')).toBe(null)
          expect(answer.status).toBe(address === path ? 200 : 422)
        }
      })

      it('an ETag of a preview is worth nothing to another account', async () => {
        // Every host draws a web page itself; plain text needs an origin.
        const { id } = await first.version('<!DOCTYPE html><title>page</title><p>{d.a}</p>', {
          sample: JSON.stringify([{ data: { a: mark } }]),
        })
        const path = `/template/${id}/preview?data=sample`
        const drawn = await first.get(path)
        const etag = drawn.headers.get('etag') ?? ''
        expect([drawn.status, etag === '']).toEqual([200, false])
        for (const header of ['if-none-match', 'if-match'])
          for (const value of [etag, '*'])
            expect((await second.get(path, { [header]: value })).status).toBe(404)
      })

      it('a version cannot be moved into the history of another account', async () => {
        const { versionId } = await second.version('mover')
        expect((await second.patch(`/template/${versionId}`, { id: uploaded.id })).status).toBe(200)
        await expectUntouched()
        expect((await first.get(`/templates?id=${uploaded.id}&includeVersions=true`)).body.data).toHaveLength(
          1,
        )
      })

      it('a render can be fetched by its ID without a token, once', async () => {
        const answer = await first.post(`/render/${uploaded.id}`, { data: { a: 1 } })
        expect(answer.status).toBe(200)
        const path = `/render/${answer.body.data.renderId}`
        expect((await stranger().get(path)).text).toBe(`${mark} 1`)
        expect((await first.get(path)).status).toBe(404)
      })

      async function expectUntouched(): Promise<void> {
        expect((await first.get(`/template/${uploaded.id}`)).text).toBe(`${mark} {d.a}`)
        expect((await first.get(`/template/${hash}`)).text).toBe(`${mark} by hash {d.a}`)
        expect((await first.get(`/templates?id=${uploaded.id}`)).body.data[0]).toMatchObject({
          name: mark,
          category: mark,
          comment: mark,
          tags: [mark],
        })
        for (const id of jobs) expect((await first.get(`/jobs/${id}`)).status).toBe(200)
      }
    })
  })
}

/** A route's path with each id in the place of its parameter; ids that nothing has when none are given. */
function addressesOf(path: string, ids: readonly string[]): readonly string[] {
  if (!path.includes(':')) return [path]
  const all = ids.length > 0 ? ids.flatMap((id) => [id, `${id}_sample.json`]) : ['template', 'f'.repeat(64)]
  return all.map((id) => path.replace(/:\w+/, id))
}

/** With a body that would be taken, where the method has one. */
function call(client: Client, method: string, path: string): Promise<Answer> {
  if (method === 'POST') return client.post(path, { data: {}, template: btoa('own') })
  if (method === 'PATCH') return client.patch(path, { name: 'changed', tags: ['changed'] })
  return client.send(method, path)
}

function expectUnauthorized(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([
    401,
    { success: false, error: expect.stringMatching(unauthorized), code: 'api.unauthorized' },
  ])
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Another digit or letter that an ID may have in its place. */
function unlike(character: string): string {
  return character === '7' ? '8' : '7'
}

function changed(text: string): string {
  return (text[0] === 'A' ? 'B' : 'A') + text.slice(1)
}

/** The old trick: the public key taken as the secret of an HMAC. */
function hmacToken(publicKey: string): Promise<string> {
  return new SignJWT({ aud: 'service', exp: now() + 60 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(publicKey))
}
