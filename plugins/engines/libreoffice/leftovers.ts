/**
 * What an office keeps of a document that it has closed. It puts fonts of documents into its profile and uses them until
 * it ends; whatever else appears there came from a document as well, so any new file counts.
 */
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Written by the office for itself, whatever it opens: its settings, its caches of extensions, a log. */
const ownFiles = [
  /^registrymodifications\.xcu$/,
  /^GraphicsRenderTests\.log$/,
  /^(?:uno_packages|extensions)(?:\/|$)/,
]

/**
 * Files below the user's part of a profile that no office writes for itself, sorted. Folders do not count: Writer makes
 * an empty one for corrections with its first document, and an office that ended for that would serve only one.
 */
export async function foreignFiles(profile: string): Promise<readonly string[]> {
  const user = join(profile, 'user')
  const entries = await readdir(user, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(user, join(entry.parentPath, entry.name)))
    .filter((name) => !ownFiles.some((own) => own.test(name)))
    .sort()
}

/** Whether a document left something behind since `before` was listed. A profile that cannot be read counts as changed. */
export async function hasLeftovers(profile: string, before: readonly string[]): Promise<boolean> {
  const now = await foreignFiles(profile).catch(() => undefined)
  return now === undefined || now.some((name) => !before.includes(name))
}
