import { concatBytes } from '../../bytes.ts'
import type { Ciphers } from '../../plugin/contract.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** By WebCrypto, which every side has. */
export const webCiphers: Ciphers = {
  async encryptCbc(key, iv, data) {
    const imported = await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['encrypt'])
    return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, imported, data))
  },
  digest: async (algorithm, data) => new Uint8Array(await crypto.subtle.digest(algorithm, data)),
}

const digests = ['SHA-256', 'SHA-384', 'SHA-512'] as const

/**
 * The password hash of revision 6: at least 64 rounds of AES-128-CBC and SHA-2 that depend on each other. 32 bytes.
 *
 * user  the 48 bytes of /U when an owner's password is hashed, else empty
 * Source: ISO 32000-2, 7.6.4.3.4 (Algorithm 2.B).
 */
export async function passwordHash(
  password: Bytes,
  salt: Bytes,
  user: Bytes,
  ciphers: Ciphers = webCiphers,
): Promise<Bytes> {
  let key = await ciphers.digest('SHA-256', join(password, salt, user))
  for (let round = 1; ; round++) {
    const once = join(password, key, user)
    const data = new Uint8Array(64 * once.length)
    for (let copy = 0; copy < 64; copy++) data.set(once, copy * once.length)
    const mixed = await encryptUnpadded(key.slice(0, 16), key.slice(16, 32), data, ciphers)
    // 256 leaves 1 when divided by 3, so the first 16 bytes as one number leave what their sum leaves.
    let sum = 0
    for (let at = 0; at < 16; at++) sum += mixed[at]!
    key = await ciphers.digest(digests[sum % 3]!, mixed)
    if (round >= 64 && mixed.at(-1)! <= round - 32) return key.slice(0, 32)
  }
}

/** AES-CBC over whole blocks. A block of padding comes with it, which is cut off again. */
export async function encryptUnpadded(
  key: Bytes,
  iv: Bytes,
  data: Bytes,
  ciphers: Ciphers = webCiphers,
): Promise<Bytes> {
  return (await ciphers.encryptCbc(key, iv, data)).subarray(0, data.length)
}

function join(...parts: readonly Bytes[]): Bytes {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  return concatBytes(parts, size) as Bytes
}
