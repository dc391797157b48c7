import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readPublicKeys } from '../../../shared/auth/keys.ts'

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })
const pem = (pair: ReturnType<typeof rsa>) =>
  pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const p521 = pem(ec('P-521'))

describe('public keys', () => {
  const taken: readonly (readonly [
    name: string,
    text: string,
    algorithms: readonly (readonly string[])[],
  ])[] = [
    ['P-521', p521, [['ES512']]],
    ['P-384', pem(ec('P-384')), [['ES384']]],
    ['P-256', pem(ec('P-256')), [['ES256']]],
    ['Ed25519', pem(generateKeyPairSync('ed25519')), [['EdDSA', 'Ed25519']]],
    ['RSA of 2048 bits', pem(rsa(2048)), [['RS256']]],
    ['RSA of 4096 bits', pem(rsa(4096)), [['RS256']]],
    ['several with remarks between', `# new\n${p521}\n# old\n${pem(ec('P-256'))}`, [['ES512'], ['ES256']]],
    ['line breaks written out', p521.replaceAll('\n', '\\n'), [['ES512']]],
    ['Windows line breaks', p521.replaceAll('\n', '\r\n'), [['ES512']]],
  ]
  for (const [name, text, algorithms] of taken) {
    it(`${name}: accepted for its own algorithms only`, async () => {
      expect((await readPublicKeys(text)).map((key) => key.algorithms)).toEqual(algorithms)
    })
  }

  const body = (text: string) => text.split('\n').slice(1, -2).join('')
  const refused: readonly (readonly [name: string, text: string, because: string])[] = [
    ['nothing', '', 'there is no PEM block'],
    ['no PEM', 'secret', 'there is no PEM block'],
    ['a block without its end', p521.replace(/-----END.*/, ''), 'there is no PEM block'],
    [
      'a private key',
      ec('P-256').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'block 1 is not a public key',
    ],
    [
      'PKCS #1',
      rsa(2048).publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      'block 1 is not a public key',
    ],
    ['a curve of another kind', pem(ec('secp256k1')), 'key 1 is of an unsupported type'],
    ['X25519', pem(generateKeyPairSync('x25519')), 'key 1 is of an unsupported type'],
    ['short RSA', `${p521}${pem(rsa(1024))}`, 'key 2 has fewer than 2048 bits'],
    [
      'no base64',
      '-----BEGIN PUBLIC KEY-----\n%%%\n-----END PUBLIC KEY-----',
      'key 1 is of an unsupported type',
    ],
    [
      'an empty block',
      '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----',
      'key 1 is of an unsupported type',
    ],
    [
      'a cut key',
      `-----BEGIN PUBLIC KEY-----\n${body(p521).slice(0, 80)}\n-----END PUBLIC KEY-----`,
      'key 1 is damaged',
    ],
    ['too many', p521.repeat(33), 'there are more than 32 keys'],
  ]
  for (const [name, text, because] of refused) {
    it(`${name}: refused`, async () => {
      await expect(readPublicKeys(text)).rejects.toMatchObject({ code: 'auth.keys', details: { because } })
    })
  }
})
