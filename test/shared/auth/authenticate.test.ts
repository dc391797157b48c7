import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { accountOf } from '../../../shared/auth/account.ts'
import { createAuthenticate } from '../../../shared/auth/authenticate.ts'
import { readPublicKeys } from '../../../shared/auth/keys.ts'

/** 2030-01-01. Over HTTP the contract suite has the rest of the rules. */
const start = 1_893_456_000

async function withKey(algorithm: string, options: { readonly remembered?: number } = {}) {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const time = { now: start }
  const keys = await readPublicKeys(await exportSPKI(pair.publicKey))
  const authenticate = createAuthenticate({
    keys,
    audience: 'service',
    clock: { now: () => time.now * 1000 },
    ...options,
  })
  const sign = (claims: JWTPayload = {}, header: object = {}) =>
    new SignJWT({ aud: 'service', exp: start + 60, ...claims })
      .setProtectedHeader({ alg: algorithm, ...header })
      .sign(pair.privateKey)
  return { time, sign, authenticate: (token: string) => authenticate(`Bearer ${token}`) }
}

describe('authenticate', () => {
  for (const algorithm of ['ES512', 'ES384', 'ES256', 'EdDSA', 'Ed25519', 'RS256']) {
    it(`${algorithm} tokens are good`, async () => {
      const { authenticate, sign } = await withKey(algorithm)
      expect(await authenticate(await sign({ account: 'acme' }))).toEqual({ account: 'acme' })
    })
  }

  it('an RSA key takes no other padding or hash', async () => {
    const pair = await generateKeyPair('PS256', { extractable: true })
    const keys = await readPublicKeys(await exportSPKI(pair.publicKey))
    const authenticate = createAuthenticate({ keys, audience: 'service', clock: { now: () => start * 1000 } })
    const token = await new SignJWT({ aud: 'service', exp: start + 60 })
      .setProtectedHeader({ alg: 'PS256' })
      .sign(pair.privateKey)
    await expect(authenticate(`Bearer ${token}`)).rejects.toMatchObject({ code: 'api.unauthorized' })
  })

  it('an extension that must be understood and is not is refused', async () => {
    const { authenticate, sign } = await withKey('ES256')
    const token = sign({}, { b64: true, crit: ['b64'] })
    expect(await authenticate(await token)).toEqual({ account: 'self' })
    const [, payload, signature] = (await token).split('.')
    const head = btoa('{"alg":"ES256","crit":["x"],"x":1}').replaceAll('=', '')
    await expect(authenticate(`${head}.${payload}.${signature}`)).rejects.toMatchObject({
      code: 'api.unauthorized',
    })
  })

  it('expires on the second, remembered or not', async () => {
    for (const remembered of [0, 10]) {
      const { authenticate, sign, time } = await withKey('ES256', { remembered })
      const token = await sign()
      time.now = start + 59
      expect(await authenticate(token)).toEqual({ account: 'self' })
      time.now = start + 60
      for (const _ of [1, 2])
        await expect(authenticate(token)).rejects.toMatchObject({ code: 'api.unauthorized.expired' })
    }
  })

  it('what was refused is not remembered as good, nor the other way round', async () => {
    const { authenticate, sign, time } = await withKey('ES256')
    const early = await sign({ nbf: start + 10 })
    await expect(authenticate(early)).rejects.toMatchObject({ code: 'api.unauthorized' })
    time.now = start + 10
    expect(await authenticate(early)).toEqual({ account: 'self' })
    const good = await sign({ account: 'a' })
    expect(await authenticate(good)).toEqual({ account: 'a' })
    await expect(authenticate(`${good.slice(0, -4)}AAAA`)).rejects.toMatchObject({ code: 'api.unauthorized' })
  })

  it('more tokens than are remembered are all good, each for its own account', async () => {
    const { authenticate, sign } = await withKey('ES256', { remembered: 3 })
    const tokens = await Promise.all(Array.from({ length: 8 }, (_, at) => sign({ account: `a${at}` })))
    for (const _ of [1, 2]) {
      for (const [at, token] of tokens.entries())
        expect(await authenticate(token)).toEqual({ account: `a${at}` })
    }
  })
})

describe('account of a token', () => {
  const rows: readonly (readonly [claims: Record<string, unknown>, account: string | undefined])[] = [
    [{}, 'self'],
    [{ account: 'acme' }, 'acme'],
    [{ account: '0-a_b' }, '0-a_b'],
    [{ account: 'a'.repeat(64) }, 'a'.repeat(64)],
    [{ account: 'a'.repeat(65) }, undefined],
    [{ account: '' }, undefined],
    [{ account: '-a' }, undefined],
    [{ account: 'a/b' }, undefined],
    [{ account: 'a.b' }, undefined],
    [{ account: 'a\n' }, undefined],
    [{ account: 'A' }, undefined],
    [{ account: ['a'] }, undefined],
    [{ sub: 'someone', iss: 'else' }, 'self'],
  ]
  for (const [claims, account] of rows) {
    it(`${JSON.stringify(claims).slice(0, 40)}: ${account ?? 'none'}`, () => {
      expect(accountOf(claims)).toBe(account)
    })
  }
})
