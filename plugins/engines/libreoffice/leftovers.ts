/**
 * What an office keeps of a document that it has closed. It puts fonts of documents into its profile and uses them until
 * it ends; whatever else appears there came from a document as well, so any new file counts.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Written by the office for itself, whatever it opens: its settings, its caches of extensions, a log. */
const ownFiles = [
  /^registrymodifications\.xcu$/,
  /^GraphicsRenderTests\.log$/,
  /^(?:uno_packages|extensions)(?:\/|$)/,
]

/** Names below the user's part of a profile that no office writes for itself, sorted. */
export async function foreignFiles(profile: string): Promise<readonly string[]> {
  const names = await readdir(join(profile, 'user'), { recursive: true })
  return names.filter((name) => !ownFiles.some((own) => own.test(name))).sort()
}

/** Whether a document left something behind since `before` was listed. A profile that cannot be read counts as changed. */
export async function hasLeftovers(profile: string, before: readonly string[]): Promise<boolean> {
  const now = await foreignFiles(profile).catch(() => undefined)
  return now === undefined || now.some((name) => !before.includes(name))
}
