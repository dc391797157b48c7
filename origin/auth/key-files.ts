import { createPrivateKey, createPublicKey, generateKeyPair, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../shared/errors/app-error.ts'

/** The key files for tokens: a private key that signs them, and the public keys that are accepted. */
export interface KeyFiles {
  readonly privateKey: string // path; PKCS #8 PEM, readable by its owner only
  readonly publicKeys: string // path; one PEM block or several
}

/** The paths of the key files of a working folder. */
export function keyFiles(workdir: string): KeyFiles {
  const folder = join(workdir, 'config')
  return { privateKey: join(folder, 'key.pem'), publicKeys: join(folder, 'key.pub') }
}

const generate = promisify(generateKeyPair)

/**
 * Reads the public keys. If there is no such file, it is created from the private key; if there is none
 * either, a new pair is created. Several processes that start at the same time all get the same pair. Throws
 * 'auth.keys'.
 */
export async function ensureKeys(
  files: KeyFiles,
): Promise<{ readonly text: string; readonly created: boolean }> {
  const text = await ifExists(readFile(files.publicKeys, 'utf8'))
  if (text !== undefined) return { text, created: false }
  const created = await createPrivate(files.privateKey)
  await writeAtomically(files.publicKeys, await publicHalf(files.privateKey), { mode: 0o600, replace: false })
  return { text: await readFile(files.publicKeys, 'utf8'), created }
}

/** Creates a key pair. Returns false and changes nothing when one of the files exists. */
export async function createKeys(files: KeyFiles): Promise<boolean> {
  if ((await ifExists(readFile(files.publicKeys))) !== undefined) return false
  if (!(await createPrivate(files.privateKey))) return false
  await writeAtomically(files.publicKeys, await publicHalf(files.privateKey), { mode: 0o600, replace: true })
  return true
}

/**
 * Replaces the private key. The public key of the old one is kept, so that the tokens it has signed stay
 * valid.
 */
export async function rotateKeys(files: KeyFiles): Promise<void> {
  const { text: before } = await ensureKeys(files)
  const { privateKey, publicKey } = await generatePair()
  // The public key is written first, because no token may be signed by a key that is not yet accepted.
  await writeAtomically(files.publicKeys, `${publicKey}${before}`, { mode: 0o600, replace: true })
  await writeAtomically(files.privateKey, privateKey, { mode: 0o600, replace: true })
}

/** The public half of a private key file, as one PEM block. Throws 'auth.keys'. */
export async function publicHalf(path: string): Promise<string> {
  const pem = await readFile(path)
  try {
    return createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' }).toString()
  } catch (cause) {
    throw new AppError('auth.keys', { because: 'config/key.pem holds no private key' }, { cause })
  }
}

/** Creates a private key file. Returns false when there is one. */
async function createPrivate(path: string): Promise<boolean> {
  if ((await ifExists(readFile(path))) !== undefined) return false
  const { privateKey } = await generatePair()
  return writeAtomically(path, privateKey, { mode: 0o600, replace: false })
}

/** Generates a key pair for ES512 (curve P-521, RFC 7518 3.4). */
function generatePair(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  return generate('ec', {
    namedCurve: 'P-521',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

/** Writes a file atomically. Returns false when it exists and `replace` is false. */
async function writeAtomically(
  path: string,
  text: string,
  { mode, replace }: { readonly mode: number; readonly replace: boolean },
): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.${randomUUID()}`
  try {
    const file = await open(part, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (replace) await rename(part, path)
    else await link(part, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** Resolves to undefined when the file does not exist. */
async function ifExists<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
