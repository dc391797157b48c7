import type { Ciphers } from '../../plugin/contract.ts'
import { binaryText, dict, name, type PdfDict, PdfString } from '../values.ts'
import { encryptUnpadded, passwordHash } from './password-hash.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** n random bytes; handed in so that tests can repeat them. */
export type Random = (length: number) => Uint8Array

export interface Encryption {
  /** The /Encrypt dictionary; it is never encrypted itself. */
  readonly dict: PdfDict
  /** A string or a stream as stored: 16 bytes to start from, then the content with padding. */
  encrypt(content: Uint8Array): Promise<Bytes>
}

export interface EncryptionRequest {
  readonly user: Bytes // password, prepared; empty: the file opens without one
  readonly owner: Bytes
  readonly permissions: number // /P
}

const noBytes: Bytes = new Uint8Array(0)
const zeroIv: Bytes = new Uint8Array(16)

/** AES-256, revision 6. ISO 32000-2, 7.6.4.4.7 to 7.6.4.4.9 (Algorithms 8, 9 and 10). */
export async function createEncryption(
  { user, owner, permissions }: EncryptionRequest,
  random: Random,
  ciphers?: Ciphers,
): Promise<Encryption> {
  const take = (length: number): Bytes => new Uint8Array(random(length))
  const fileKey = take(32)
  const forUser = await passwordEntries(user, noBytes, fileKey, take(16), ciphers)
  const forOwner = await passwordEntries(owner, forUser.check, fileKey, take(16), ciphers)
  const filter = dict({ AuthEvent: name('DocOpen'), CFM: name('AESV3'), Length: 32 })
  const key = await crypto.subtle.importKey('raw', fileKey, 'AES-CBC', false, ['encrypt'])
  return {
    dict: dict({
      Filter: name('Standard'),
      V: 5,
      R: 6,
      Length: 256,
      P: permissions,
      EncryptMetadata: true,
      CF: dict({ StdCF: filter }),
      StmF: name('StdCF'),
      StrF: name('StdCF'),
      U: text(forUser.check),
      UE: text(forUser.key),
      O: text(forOwner.check),
      OE: text(forOwner.key),
      Perms: text(await encryptUnpadded(fileKey, zeroIv, permissionBlock(permissions, take(4)))),
    }),
    async encrypt(content) {
      const iv = take(16)
      const body = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, content as Bytes)
      const stored = new Uint8Array(16 + body.byteLength)
      stored.set(iv)
      stored.set(new Uint8Array(body), 16)
      return stored
    },
  }
}

/** What /U and /O hold, a hash and the two salts, and the file key locked with the password: /UE and /OE. */
async function passwordEntries(
  password: Bytes,
  user: Bytes,
  fileKey: Bytes,
  salts: Bytes,
  ciphers?: Ciphers,
) {
  const [hash, lock] = await Promise.all([
    passwordHash(password, salts.slice(0, 8), user, ciphers),
    passwordHash(password, salts.slice(8), user, ciphers),
  ])
  const check = new Uint8Array(48)
  check.set(hash)
  check.set(salts, 32)
  return { check, key: await encryptUnpadded(lock, zeroIv, fileKey) }
}

/** The permissions again, for readers to compare. A single block from a zero start is what ECB would give. */
function permissionBlock(permissions: number, end: Bytes): Bytes {
  const block = new Uint8Array(16)
  const view = new DataView(block.buffer)
  view.setInt32(0, permissions, true)
  view.setUint32(4, 0xffffffff)
  block.set([0x54, 0x61, 0x64, 0x62], 8) // T: metadata is encrypted; adb
  block.set(end, 12)
  return block
}

function text(bytes: Bytes): PdfString {
  return new PdfString(binaryText(bytes))
}
