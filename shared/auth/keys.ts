import { type CryptoKey, importSPKI } from 'jose'
import { AppError } from '../errors/app-error.ts'

/** A public key that verifies tokens, with the algorithms that it may be used with. */
export interface VerifyKey {
  readonly algorithms: readonly string[] // accepted values of `alg` in the header of a token
  readonly key: CryptoKey
}

/** Every key may have to be tried for a token, so their number bounds the work of refusing one. */
const maxKeys = 32
/** RS256 requires keys of at least this size (RFC 7518, section 3.3). */
const minRsaBits = 2048
const block = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/g

/**
 * The algorithms of each accepted key type. The key decides the algorithm, never the token, so `none` and
 * HMAC cannot be chosen. A row has the AlgorithmIdentifier of a SubjectPublicKeyInfo (RFC 5280 4.1.2.7, RFC
 * 5480, RFC 8410, RFC 3279) in hexadecimal DER and the names that JOSE uses.
 */
const types: readonly (readonly [identifier: string, algorithms: readonly [string, ...string[]]])[] = [
  ['301006072a8648ce3d020106052b81040023', ['ES512']],
  ['301006072a8648ce3d020106052b81040022', ['ES384']],
  ['301306072a8648ce3d020106082a8648ce3d030107', ['ES256']],
  ['300506032b6570', ['EdDSA', 'Ed25519']],
  ['300d06092a864886f70d0101010500', ['RS256']],
]

/**
 * Reads public keys from a text of PEM blocks. There may be several, so that tokens signed with an older key
 * stay valid. The two characters `\n` count as a line break, because environment variables often contain
 * them. Throws 'auth.keys'.
 */
export async function readPublicKeys(text: string): Promise<readonly VerifyKey[]> {
  const blocks = [...text.replaceAll('\\n', '\n').matchAll(block)]
  if (blocks.length === 0) throw unusable('there is no PEM block')
  if (blocks.length > maxKeys) throw unusable(`there are more than ${maxKeys} keys`)
  return Promise.all(
    blocks.map(([pem, label, body], at) => readPublicKey({ pem, label: label!, body: body! }, at + 1)),
  )
}

async function readPublicKey(
  { pem, label, body }: { readonly pem: string; readonly label: string; readonly body: string },
  number: number,
): Promise<VerifyKey> {
  if (label !== 'PUBLIC KEY') throw unusable(`block ${number} is not a public key`)
  const algorithms = algorithmsOf(body)
  if (algorithms === undefined) throw unusable(`key ${number} is of an unsupported type`)
  let key: CryptoKey
  try {
    key = await importSPKI(pem, algorithms[0])
  } catch (cause) {
    throw new AppError('auth.keys', { because: `key ${number} is damaged` }, { cause })
  }
  const { modulusLength } = key.algorithm as { readonly modulusLength?: number }
  if (modulusLength !== undefined && modulusLength < minRsaBits)
    throw unusable(`key ${number} has fewer than ${minRsaBits} bits`)
  return { algorithms, key }
}

/**
 * The algorithms of a key by the beginning of its DER form; undefined for a key type that is not accepted.
 */
function algorithmsOf(body: string): readonly [string, ...string[]] | undefined {
  const letters = body.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(letters) || letters.length % 4 === 1) return undefined
  const der = Array.from(atob(letters), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  // The outer SEQUENCE has its length in one, two or three bytes. The AlgorithmIdentifier is its first
  // element.
  const [outer] = /^30(?:[0-7].|81..|82....)/.exec(der) ?? []
  return outer === undefined
    ? undefined
    : types.find(([identifier]) => der.startsWith(identifier, outer.length))?.[1]
}

function unusable(because: string): AppError {
  return new AppError('auth.keys', { because })
}
