import { binaryText } from '../../../bytes.ts'
import type { Ciphers, OwnedBytes } from '../../../plugin/values.ts'
import { dict, name, type PdfDict, PdfString } from '../../model/values.ts'
import { encryptUnpadded, passwordHash } from './password-hash.ts'

/** Returns n random bytes. It is an argument so that tests can repeat an encryption. */
export type Random = (length: number) => Uint8Array

export interface Encryption {
  /** The /Encrypt dictionary, which is itself not encrypted. */
  readonly dict: PdfDict
  /** Encrypts a string or stream: an initialization vector of 16 bytes, then the padded content. */
  encrypt(content: Uint8Array): Promise<OwnedBytes>
}

export interface EncryptionRequest {
  readonly user: OwnedBytes // password, prepared; empty: the file opens without one
  readonly owner: OwnedBytes
  readonly permissions: number // /P
}

const noBytes: OwnedBytes = new Uint8Array(0)
const zeroIv: OwnedBytes = new Uint8Array(16)

/** The key of a file, and the entries of its /Encrypt dictionary that are derived from the passwords. */
export interface EncryptionKeys {
  readonly fileKey: OwnedBytes
  readonly user: PasswordEntries
  readonly owner: PasswordEntries
  readonly permissions: number // /P
  readonly encryptedPermissions: OwnedBytes // /Perms
}

interface PasswordEntries {
  readonly check: OwnedBytes // /U or /O
  readonly key: OwnedBytes // /UE or /OE
}

/** AES-256, revision 6. ISO 32000-2, 7.6.4.4.7 to 7.6.4.4.9 (Algorithms 8, 9 and 10). */
export async function deriveKeys(
  { user, owner, permissions }: EncryptionRequest,
  random: Random,
  ciphers?: Ciphers,
): Promise<EncryptionKeys> {
  const take = (length: number): OwnedBytes => new Uint8Array(random(length))
  const fileKey = take(32)
  const forUser = await passwordEntries(user, noBytes, fileKey, take(16), ciphers)
  const forOwner = await passwordEntries(owner, forUser.check, fileKey, take(16), ciphers)
  const encryptedPermissions = await encryptUnpadded(fileKey, zeroIv, permissionBlock(permissions, take(4)))
  return { fileKey, user: forUser, owner: forOwner, permissions, encryptedPermissions }
}

export async function createEncryption(
  { fileKey, user, owner, permissions, encryptedPermissions }: EncryptionKeys,
  random: Random,
): Promise<Encryption> {
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
      U: text(user.check),
      UE: text(user.key),
      O: text(owner.check),
      OE: text(owner.key),
      Perms: text(encryptedPermissions),
    }),
    async encrypt(content) {
      const iv: OwnedBytes = new Uint8Array(random(16))
      const body = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, content as OwnedBytes)
      const stored = new Uint8Array(16 + body.byteLength)
      stored.set(iv)
      stored.set(new Uint8Array(body), 16)
      return stored
    },
  }
}

/** Computes /U or /O (a hash and two salts) and /UE or /OE (the file key, encrypted with the password). */
async function passwordEntries(
  password: OwnedBytes,
  user: OwnedBytes,
  fileKey: OwnedBytes,
  salts: OwnedBytes,
  ciphers?: Ciphers,
): Promise<PasswordEntries> {
  const [hash, lock] = await Promise.all([
    passwordHash(password, salts.slice(0, 8), user, ciphers),
    passwordHash(password, salts.slice(8), user, ciphers),
  ])
  const check = new Uint8Array(48)
  check.set(hash)
  check.set(salts, 32)
  return { check, key: await encryptUnpadded(lock, zeroIv, fileKey) }
}

/** Encrypts a copy of the permissions, with which readers detect changes. One block with a zero vector equals ECB. */
function permissionBlock(permissions: number, end: OwnedBytes): OwnedBytes {
  const block = new Uint8Array(16)
  const view = new DataView(block.buffer)
  view.setInt32(0, permissions, true)
  view.setUint32(4, 0xffffffff)
  block.set([0x54, 0x61, 0x64, 0x62], 8) // T: metadata is encrypted; adb
  block.set(end, 12)
  return block
}

function text(bytes: OwnedBytes): PdfString {
  return new PdfString(binaryText(bytes))
}
