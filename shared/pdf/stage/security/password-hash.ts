import { concatBytes } from '../../../bytes.ts'
import type { Ciphers, OwnedBytes } from '../../../plugin/values.ts'

/** Ciphers by WebCrypto, which both hosts have. */
const webCiphers: Ciphers = {
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
  password: OwnedBytes,
  salt: OwnedBytes,
  user: OwnedBytes,
  ciphers: Ciphers = webCiphers,
): Promise<OwnedBytes> {
  let key = await ciphers.digest('SHA-256', join(password, salt, user))
  for (let round = 1; ; round++) {
    const block = join(password, key, user)
    const data = new Uint8Array(64 * block.length)
    for (let copy = 0; copy < 64; copy++) data.set(block, copy * block.length)
    const mixed = await encryptUnpadded(key.slice(0, 16), key.slice(16, 32), data, ciphers)
    // The hash depends on the first 16 bytes, read as one number, modulo 3. Since 256 is 1 modulo 3, their sum will do.
    let sum = 0
    for (let at = 0; at < 16; at++) sum += mixed[at] ?? 0
    key = await ciphers.digest(digests[sum % 3]!, mixed)
    if (round >= 64 && mixed.at(-1)! <= round - 32) return key.slice(0, 32)
  }
}

/** AES-CBC without padding. WebCrypto always adds a block of it, which is cut off. */
export async function encryptUnpadded(
  key: OwnedBytes,
  iv: OwnedBytes,
  data: OwnedBytes,
  ciphers: Ciphers = webCiphers,
): Promise<OwnedBytes> {
  return (await ciphers.encryptCbc(key, iv, data)).subarray(0, data.length)
}

function join(...parts: readonly OwnedBytes[]): OwnedBytes {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  return concatBytes(parts, size) as OwnedBytes
}
