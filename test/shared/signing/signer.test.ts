import { describe, expect, it } from 'vitest'
import { readSigner } from '../../../shared/signing/signer.ts'
import { signingFixture } from '../../helpers/signing.ts'

const now = Date.UTC(2027, 0, 1)
const read = (name: string, password?: string, at = now) => readSigner(signingFixture(name), password, at)
const refused = (because: RegExp, code = 'sign.key') =>
  expect.objectContaining({ code, details: { because: expect.stringMatching(because) } })

describe('keys that sign', () => {
  it.each([
    ['rsa.p12', 'secret', 'Ada Example', 'SHA-256', 2],
    ['p256.p12', 'secret', 'Zoë Adler', 'SHA-256', 2],
    ['rsa.pem', undefined, 'Ada Example', 'SHA-256', 2],
    ['pkcs1.pem', undefined, 'Ada Example', 'SHA-256', 1],
    ['p256.pem', undefined, 'Zoë Adler', 'SHA-256', 2],
    ['sec1.pem', undefined, 'Zoë Adler', 'SHA-256', 1],
    ['p384.pem', undefined, 'P384', 'SHA-384', 2],
    ['p521.pem', undefined, 'P521', 'SHA-512', 2],
  ] as const)('%s', async (file, password, name, hash, certificates) => {
    const signer = await read(file, password)
    expect([signer.name, signer.hash, signer.chain.length]).toEqual([name, hash, certificates])
    expect(signer.chain[0]).toBe(signer.certificate)
  })
})

describe('keys that cannot be used', () => {
  it.each([
    ['rsa.p12', 'wrong', /password is wrong/],
    ['rsa.p12', undefined, /password is wrong/],
    ['legacy.p12', 'secret', /RC2 or Triple DES/],
    ['slow.p12', 'secret', /1000000 iterations/],
    ['slow-checksum.p12', 'secret', /20000 iterations/],
    ['ed25519.pem', undefined, /neither RSA nor one of the curves/],
    ['encrypted.pem', undefined, /encrypted; PKCS#12/],
    ['ca.pem', undefined, /no private key/],
  ] as const)('%s with the password %s', async (file, password, because) => {
    await expect(read(file, password)).rejects.toEqual(refused(because))
  })

  it('a certificate of another key, and one that holds no more', async () => {
    await expect(read('strangers.pem')).rejects.toEqual(refused(/none/, 'sign.certificate'))
    await expect(read('rsa.pem', undefined, Date.UTC(2200, 0, 1))).rejects.toEqual(
      refused(/^it is valid from 20\d\d-\d\d-\d\d to 21/, 'sign.certificate'),
    )
  })

  it.each([
    ['nothing', ''],
    ['text', 'no key at all'],
    ['base64 of something else', btoa('%PDF-1.7 and so on')],
    ['a sequence in a sequence, without end', btoa('\x30\x80'.repeat(5_000))],
    ['lengths beyond the end', btoa('\x30\x84\xff\xff\xff\xff'.repeat(50))],
    ['PEM around rubbish', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
    ['PEM without an end', '-----BEGIN PRIVATE KEY-----\nAAAA'],
    ['an unknown key', '-----BEGIN DSA PRIVATE KEY-----\nMAMCAQA=\n-----END DSA PRIVATE KEY-----'],
    ['a thousand beginnings', '-----BEGIN PRIVATE KEY-----'.repeat(3_000)],
  ])('%s', async (_, text) => {
    await expect(readSigner(text, 'secret', now)).rejects.toEqual(refused(/./))
  })

  it('every byte of a file may be wrong', async () => {
    const bytes = Buffer.from(signingFixture('p256.p12'), 'base64')
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      const outcome = await readSigner(damaged.toString('base64'), 'secret', now).catch(
        (error: unknown) => error,
      )
      expect(outcome).toMatchObject(outcome instanceof Error ? { code: /^sign\./ } : { name: 'Zoë Adler' })
    }
  })
})
