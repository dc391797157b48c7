import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { entryOf } from '../../shared/entry-of.ts'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import type { Registry } from '../../shared/plugin/registry.ts'
import type { ByteSource, Warning } from '../../shared/plugin/values.ts'
import { UsageError } from './command.ts'

/** The name of a file that stands for standard input or output. */
export const standard = '-'

/** Reads a file that the command line names, or standard input. Throws UsageError. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path === standard) return new Uint8Array(await buffer(process.stdin))
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : entryOf(reasons, code)
    throw new UsageError(`Cannot read ${path}: ${reason ?? 'the system refused it'}.`)
  }
}

/**
 * Writes a file, or standard output. A file is written to a temporary name and renamed, so that `path` is always
 * complete. Throws UsageError.
 */
export async function writeOutput(path: string, source: ByteSource): Promise<void> {
  const bytes = await bytesOf(source)
  if (path === standard) {
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
    )
    return
  }
  const existing = await stat(path).catch(() => undefined)
  // Devices and pipes cannot be replaced by a rename, so they are written to directly.
  const target = existing === undefined || existing.isFile() ? `${path}.part` : path
  try {
    await writeFile(target, bytes)
    if (target !== path) await rename(target, path)
  } catch (error) {
    if (target !== path) await rm(target, { force: true }).catch(() => undefined)
    throw new UsageError(
      `Cannot write ${path}: ${entryOf(reasons, (error as NodeJS.ErrnoException).code) ?? 'the system refused it'}.`,
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

/**
 * Writes the pages of one conversion: 'out.png' -> 'out-1.png', 'out-2.png' …, padded to the digits of the
 * last number.
 */
export async function writePages(path: string, pages: readonly ByteSource[]): Promise<void> {
  const extension = extname(path)
  const stem = path.slice(0, path.length - extension.length)
  const digits = String(pages.length).length
  for (const [index, page] of pages.entries())
    await writeOutput(`${stem}-${String(index + 1).padStart(digits, '0')}${extension}`, page)
}

/** The format that a file name ends with: 'out.pdf' -> 'pdf'. Throws UsageError. */
export function formatOf(path: string): string {
  const extension = extname(path).slice(1).toLowerCase()
  if (extension === '') throw new UsageError(`${path} has no extension that names a format.`)
  return extension
}

/**
 * Parses options such as `--option Zoom=80 --option ExportNotes=false`. A value is JSON if it can be parsed,
 * else text. Options whose schema declares a string stay text, such as `PageRange=1` or a password of digits.
 * Throws UsageError.
 */
export function readOptions(pairs: readonly string[], registry: Registry): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals <= 0) throw new UsageError(`--option takes name=value, not "${pair}".`)
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
      return [name, isText(name, registry) && !value.startsWith('"') ? value : readValue(value)]
    }),
  )
}

function isText(name: string, registry: Registry): boolean {
  return registry.engines().some(({ options }) => {
    const listed = options.json['properties'] as
      | Readonly<Record<string, { readonly type?: string }>>
      | undefined
    return entryOf(listed ?? {}, name)?.type === 'string'
  })
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Prints warnings to standard error, one per line. */
export function printWarnings(warnings: readonly Warning[]): void {
  for (const { code, message, where } of warnings) {
    console.error(`warning ${code}: ${message}${where === undefined ? '' : ` (${where})`}`)
  }
}

/**
 * Prints lines that quote documents of others. A character that controls the terminal, ends a line or turns the direction of
 * writing is replaced, so that a document cannot speak for the command.
 */
export function printLines(lines: readonly string[]): void {
  console.log(
    lines.map((line) => line.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd')).join('\n'),
  )
}
