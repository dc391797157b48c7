import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import type { ByteSource, Warning } from '../../shared/plugin/contract.ts'
import type { Registry } from '../../shared/plugin/registry.ts'
import { UsageError } from './command.ts'

export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch {
    throw new UsageError(`Cannot read ${path}.`)
  }
}

/** Under its name only when it is whole. */
export async function writeOutput(path: string, source: ByteSource): Promise<void> {
  const bytes = await bytesOf(source)
  const known = await stat(path).catch(() => undefined)
  // Devices and pipes are written to as they are.
  const place = known === undefined || known.isFile() ? `${path}.part` : path
  try {
    await writeFile(place, bytes)
    if (place !== path) await rename(place, path)
  } catch (error) {
    if (place !== path) await rm(place, { force: true }).catch(() => undefined)
    throw new UsageError(
      `Cannot write ${path}: ${reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'no'}.`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'that is not allowed',
  EROFS: 'that is not allowed',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

/** Several files of one conversion: 'out.png' -> 'out-1.png', 'out-2.png' ... with as many digits as the last needs. */
export async function writePages(path: string, pages: readonly ByteSource[]): Promise<void> {
  const extension = extname(path)
  const stem = path.slice(0, path.length - extension.length)
  const digits = String(pages.length).length
  for (const [index, page] of pages.entries())
    await writeOutput(`${stem}-${String(index + 1).padStart(digits, '0')}${extension}`, page)
}

/** 'out.pdf' -> 'pdf'. */
export function formatOf(path: string): string {
  const extension = extname(path).slice(1).toLowerCase()
  if (extension === '') throw new UsageError(`${path} has no extension that names a format.`)
  return extension
}

/**
 * `--option Zoom=80 --option ExportNotes=false`: values are JSON where they read as such, else text. `PageRange=1` and
 * passwords of digits are text too, since that is what these options are.
 */
export function readOptions(pairs: readonly string[], registry: Registry): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0) throw new UsageError(`--option takes name=value, not "${pair}".`)
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      return [name, isText(name, registry) && !value.startsWith('"') ? value : readValue(value)]
    }),
  )
}

function isText(name: string, registry: Registry): boolean {
  return registry.engines().some(({ options }) => {
    const listed = options.json['properties'] as
      | Readonly<Record<string, { readonly type?: string }>>
      | undefined
    return listed?.[name]?.type === 'string'
  })
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function printWarnings(warnings: readonly Warning[]): void {
  for (const { code, message, where } of warnings) {
    console.error(`warning ${code}: ${message}${where === undefined ? '' : ` (${where})`}`)
  }
}
