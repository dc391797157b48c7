import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthentication, recheckMs } from '../../shared/auth/authenticate.ts'
import { readPublicKeys } from '../../shared/auth/keys.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, Statement } from '../../shared/ports/sql.ts'
import { removeRevokedBefore } from '../../shared/records/revoked-tokens.ts'

/** 2030-01-01. Over HTTP the contract suite has the rest of the rules. */
const start = 1_893_456_000

async function withKey(algorithm: string, options: { readonly sql: Sql; readonly remembered?: number }) {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const time = { now: start }
  const keys = await readPublicKeys(await exportSPKI(pair.publicKey))
  const rules = { keys, audience: 'service', clock: { now: () => time.now * 1000 }, ...options }
  const { authenticate, revoke } = createAuthentication(rules)
  const sign = (claims: JWTPayload = {}, header: object = {}) =>
    new SignJWT({ aud: 'service', exp: start + 60, ...claims })
      .setProtectedHeader({ alg: algorithm, ...header })
      .sign(pair.privateKey)
  const check = async (token: string) => (await authenticate(`Bearer ${token}`)).account
  const end = async (token: string) => revoke(await authenticate(`Bearer ${token}`))
  /** Another process with the same keys and database. */
  const elsewhere = () => {
    const other = createAuthentication(rules)
    return async (token: string) => (await other.authenticate(`Bearer ${token}`)).account
  }
  return { time, sign, check, end, elsewhere, authenticate, revoke }
}

const refused = { code: 'api.unauthorized' }

/** Authentication over a database that holds the table of revoked tokens. */
export function authenticateContract(name: string, open: () => Promise<Sql>): void {
  describe(`authenticate: ${name}`, () => {
    let sql: Sql
    beforeAll(async () => {
      sql = await open()
    })

    for (const algorithm of ['ES512', 'ES384', 'ES256', 'EdDSA', 'Ed25519', 'RS256']) {
      it(`accepts ${algorithm} tokens`, async () => {
        const { check, sign } = await withKey(algorithm, { sql })
        expect(await check(await sign({ account: 'acme' }))).toBe('acme')
      })
    }

    it('an RSA key verifies no other padding or hash', async () => {
      const pair = await generateKeyPair('PS256', { extractable: true })
      const keys = await readPublicKeys(await exportSPKI(pair.publicKey))
      const clock = { now: () => start * 1000 }
      const { authenticate } = createAuthentication({ keys, audience: 'service', clock, sql })
      const token = await new SignJWT({ aud: 'service', exp: start + 60 })
        .setProtectedHeader({ alg: 'PS256' })
        .sign(pair.privateKey)
      await expect(authenticate(`Bearer ${token}`)).rejects.toMatchObject(refused)
    })

    it('refuses a token with an unknown critical extension', async () => {
      const { check, sign } = await withKey('ES256', { sql })
      const token = sign({}, { b64: true, crit: ['b64'] })
      expect(await check(await token)).toBe('self')
      const [, payload, signature] = (await token).split('.')
      const head = btoa('{"alg":"ES256","crit":["x"],"x":1}').replaceAll('=', '')
      await expect(check(`${head}.${payload}.${signature}`)).rejects.toMatchObject(refused)
    })

    it('a token expires on the second, cached or not', async () => {
      for (const remembered of [0, 10]) {
        const { check, sign, time } = await withKey('ES256', { sql, remembered })
        const token = await sign()
        time.now = start + 59
        expect(await check(token)).toBe('self')
        time.now = start + 60
        for (const _ of [1, 2])
          await expect(check(token)).rejects.toMatchObject({ code: 'api.unauthorized.expired' })
      }
    })

    it('a refused token is not cached as valid, nor a valid one as refused', async () => {
      const { check, sign, time } = await withKey('ES256', { sql })
      const early = await sign({ nbf: start + 10 })
      await expect(check(early)).rejects.toMatchObject(refused)
      time.now = start + 10
      expect(await check(early)).toBe('self')
      const good = await sign({ account: 'a' })
      expect(await check(good)).toBe('a')
      await expect(check(`${good.slice(0, -4)}AAAA`)).rejects.toMatchObject(refused)
    })

    it('more tokens than the cache holds are all valid, each for its own account', async () => {
      const { check, sign } = await withKey('ES256', { sql, remembered: 3 })
      const tokens = await Promise.all(Array.from({ length: 8 }, (_, at) => sign({ account: `a${at}` })))
      for (const _ of [1, 2]) {
        for (const [at, token] of tokens.entries()) expect(await check(token)).toBe(`a${at}`)
      }
    })

    it('a revoked token is refused at once, and only that one', async () => {
      const { check, end, sign, time } = await withKey('ES512', { sql })
      const [gone, same] = [await sign({ jti: '1' }), await sign({ jti: '2' })]
      expect([await check(gone), await check(same)]).toEqual(['self', 'self'])
      await end(gone)
      await expect(check(gone)).rejects.toMatchObject(refused)
      expect(await check(same)).toBe('self')
      await end(same)
      await expect(check(same)).rejects.toMatchObject(refused)
      time.now = start + 60
      await expect(check(gone)).rejects.toMatchObject({ code: 'api.unauthorized.expired' })
    })

    it('a call in progress while its token is revoked does not restore the token', async () => {
      const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let slow = false
      const slowSql: Sql = {
        batch: (statements) => sql.batch(statements),
        async query<Row>(statement: Statement) {
          const found = await sql.query<Row>(statement)
          asked.resolve()
          if (slow) await gate.promise
          return found
        },
      }
      const { authenticate, revoke, sign } = await withKey('ES256', { sql: slowSql })
      const header = `Bearer ${await sign({ jti: 'race' })}`
      slow = true
      const late = authenticate(header)
      await asked.promise // it has read that the token is not revoked
      slow = false
      const caller = await authenticate(header)
      await revoke(caller)
      gate.resolve()
      expect(await late).toEqual(caller)
      await expect(authenticate(header)).rejects.toMatchObject(refused)
    })

    it('other processes refuse a revoked token soon', async () => {
      const { check, end, elsewhere, sign, time } = await withKey('ES256', { sql })
      const token = await sign({ jti: 'other' })
      const other = elsewhere()
      expect([await check(token), await other(token)]).toEqual(['self', 'self'])
      await end(token)
      await expect(elsewhere()(token)).rejects.toMatchObject(refused)
      time.now += recheckMs / 1000
      await expect(other(token)).rejects.toMatchObject(refused)
    })

    it('a revoked token stays revoked when its signature is encoded differently', async () => {
      const { check, end, sign } = await withKey('ES256', { sql })
      const token = await sign({ jti: 'twin' })
      expect(await check(twinOf(token))).toBe('self')
      await end(token)
      for (const each of [token, twinOf(token)]) await expect(check(each)).rejects.toMatchObject(refused)
    })

    it('refuses every token while the database fails', async () => {
      const failing = async () => {
        throw new AppError('storage.records')
      }
      const { check, sign } = await withKey('ES256', { sql: { query: failing, batch: failing } })
      await expect(check(await sign())).rejects.toMatchObject({ code: 'storage.records' })
    })

    it('stores a hash of a revoked token, and removes it when the token has expired', async () => {
      const { end, sign } = await withKey('ES256', { sql })
      const token = await sign({ account: 'swept' })
      await end(token)
      const rows = () =>
        sql.query({ text: 'SELECT token FROM revoked_tokens WHERE account = ?1', values: ['swept'] })
      expect(await rows()).toEqual([{ token: expect.stringMatching(/^[0-9a-f]{64}$/) }])
      await removeRevokedBefore(sql, start + 60)
      expect(await rows()).toHaveLength(1)
      await removeRevokedBefore(sql, start + 61)
      expect(await rows()).toHaveLength(0)
    })
  })
}

/** The order of P-256 (FIPS 186-5): where (r, s) is a signature, (r, order - s) is one of the same text. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

function twinOf(token: string): string {
  const [head, payload, signature] = token.split('.')
  const bytes = Uint8Array.from(atob(signature!.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
    byte.charCodeAt(0),
  )
  const hex = Array.from(bytes.subarray(32), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const other = (order - BigInt(`0x${hex}`)).toString(16).padStart(64, '0')
  bytes.set(
    Uint8Array.from(other.match(/../g)!, (pair) => Number.parseInt(pair, 16)),
    32,
  )
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return `${head}.${payload}.${text}`
}
