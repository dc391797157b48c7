import { describe, expect, it } from 'vitest'
import { createVerifier, digestOf, type SignedParts, sign } from '../../../shared/remote/signature.ts'

const start = 1_800_000_000_000
const parts: SignedParts = {
  method: 'POST',
  route: '/internal/convert',
  jobDigest: 'a'.repeat(64),
  bodyDigest: 'b'.repeat(64),
}

async function check(options: {
  readonly change?: (headers: Record<string, string>) => void
  readonly as?: Partial<SignedParts>
  readonly secret?: string
  readonly later?: number // ms between signing and checking
}) {
  const headers = await sign('the secret', parts, start)
  options.change?.(headers)
  const verify = createVerifier(options.secret ?? 'the secret', () => start + (options.later ?? 0))
  const found = await verify({ ...parts, ...options.as, header: (name) => headers[name] })
  return found.ok ? 'good' : found.because
}

const set = (name: string, value: string) => (headers: Record<string, string>) => {
  headers[name] = value
}
const drop = (name: string) => (headers: Record<string, string>) => {
  delete headers[name]
}

describe('signed requests', () => {
  const rows: readonly (readonly [string, Parameters<typeof check>[0], string])[] = [
    ['as it was signed', {}, 'good'],
    ['59 s later', { later: 59_000 }, 'good'],
    ['by a clock 59 s ahead', { later: -59_000 }, 'good'],
    ['61 s later', { later: 61_000 }, 'late'],
    ['by a clock 61 s ahead', { later: -61_000 }, 'late'],
    ['with another secret', { secret: 'another secret' }, 'forged'],
    ['with another method', { as: { method: 'GET' } }, 'forged'],
    ['on another route', { as: { route: '/internal/conversions' } }, 'forged'],
    ['with another job', { change: set('service-job-digest', 'c'.repeat(64)) }, 'forged'],
    ['with another body', { change: set('service-body-digest', 'c'.repeat(64)) }, 'forged'],
    ['with a body called a stream', { change: set('service-body-digest', '') }, 'forged'],
    ['with another time', { change: set('service-signed-at', String(start + 1)) }, 'forged'],
    ['with another nonce', { change: set('service-nonce', '0'.repeat(32)) }, 'forged'],
    ['with another signature', { change: set('service-signature', '0'.repeat(64)) }, 'forged'],
    ['with no signature', { change: drop('service-signature') }, 'missing'],
    ['with half a signature', { change: set('service-signature', '0'.repeat(32)) }, 'missing'],
    ['with no time', { change: drop('service-signed-at') }, 'missing'],
    ['with no nonce', { change: drop('service-nonce') }, 'missing'],
    ['with a line break in a digest', { change: set('service-job-digest', 'a\n') }, 'missing'],
  ]
  it.each(rows)('%s', async (_name, options, expected) => {
    expect(await check(options)).toBe(expected)
  })

  it('pass once', async () => {
    let now = start
    const verify = createVerifier('s', () => now)
    const first = await sign('s', parts, now)
    const second = await sign('s', parts, now)
    const ask = async (headers: Record<string, string>) => {
      const found = await verify({ ...parts, header: (name) => headers[name] })
      return found.ok ? 'good' : found.because
    }
    expect([await ask(first), await ask(second), await ask(first)]).toEqual(['good', 'good', 'replayed'])
    now += 59_999
    expect(await ask(first)).toBe('replayed')
    now += 120_000
    expect(await ask(first)).toBe('late')
  })

  it('pass one of several processes that have a memory in common', async () => {
    const known = new Set<string>()
    const once = async (text: string) => !known.has(text) && known.add(text) !== undefined
    const [a, b] = [createVerifier('s', () => start, once), createVerifier('s', () => start, once)]
    const headers: Readonly<Record<string, string>> = { ...(await sign('s', parts, start)) }
    const ask = async (verify: typeof a) => (await verify({ ...parts, header: (name) => headers[name] })).ok
    expect([await ask(a!), await ask(b!)]).toEqual([true, false])
  })

  it('a refused request does not use up its nonce', async () => {
    const verify = createVerifier('s', () => start)
    const headers = await sign('s', parts, start)
    const forged: Readonly<Record<string, string>> = { ...headers, 'service-signature': '0'.repeat(64) }
    expect(await verify({ ...parts, header: (name) => forged[name] })).toMatchObject({ ok: false })
    expect(await verify({ ...parts, header: (name) => headers[name] })).toMatchObject({ ok: true })
  })

  it('digests are SHA-256', async () => {
    expect(await digestOf(new TextEncoder().encode('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
