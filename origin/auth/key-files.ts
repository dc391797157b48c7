import { createPrivateKey, createPublicKey, generateKeyPair, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../shared/errors/app-error.ts'

/** The keys of tokens on disk: one private key that signs, and the public keys that are believed. */
export interface KeyFiles {
  readonly privateKey: string // path; PKCS #8 PEM, for its owner alone
  readonly publicKeys: string // path; one PEM block or several
}

export function keyFiles(workdir: string): KeyFiles {
  const folder = join(workdir, 'config')
  return { privateKey: join(folder, 'key.pem'), publicKeys: join(folder, 'key.pub') }
}

const generate = promisify(generateKeyPair)

/**
 * The text of the public keys. Without a file of them it is made from the private key, and without that a pair is made;
 * of several processes that start at once all get the same pair.
 */
export async function ensureKeys(
  files: KeyFiles,
): Promise<{ readonly text: string; readonly created: boolean }> {
  const text = await ifThere(readFile(files.publicKeys, 'utf8'))
  if (text !== undefined) return { text, created: false }
  const created = await createPrivate(files.privateKey)
  await writeWhole(files.publicKeys, await publicHalf(files.privateKey), { mode: 0o644, replace: false })
  return { text: await readFile(files.publicKeys, 'utf8'), created }
}

/** False, and nothing is touched, when one of the files is there. */
export async function createKeys(files: KeyFiles): Promise<boolean> {
  if ((await ifThere(readFile(files.publicKeys))) !== undefined) return false
  if (!(await createPrivate(files.privateKey))) return false
  await writeWhole(files.publicKeys, await publicHalf(files.privateKey), { mode: 0o644, replace: true })
  return true
}

/** A new private key in place of the old one, whose public half stays believed: tokens that it signed remain good. */
export async function rotateKeys(files: KeyFiles): Promise<void> {
  const { text: before } = await ensureKeys(files)
  const { privateKey, publicKey } = await generatePair()
  // The public half first: no token may be signed by a key that nobody knows.
  await writeWhole(files.publicKeys, `${publicKey}${before}`, { mode: 0o644, replace: true })
  await writeWhole(files.privateKey, privateKey, { mode: 0o600, replace: true })
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

async function createPrivate(path: string): Promise<boolean> {
  if ((await ifThere(readFile(path))) !== undefined) return false
  const { privateKey } = await generatePair()
  return writeWhole(path, privateKey, { mode: 0o600, replace: false })
}

/** P-521: the type that ES512 signs with. */
function generatePair(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  return generate('ec', {
    namedCurve: 'P-521',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

/** All of the file or nothing, whatever happens meanwhile. Returns false when it is there and may not be replaced. */
async function writeWhole(
  path: string,
  text: string,
  { mode, replace }: { readonly mode: number; readonly replace: boolean },
): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true })
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

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
