import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import type { ByteSource, Warning } from '../../shared/plugin/contract.ts'
import { UsageError } from './command.ts'

export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch {
    throw new UsageError(`Cannot read ${path}.`)
  }
}

export async function writeOutput(path: string, source: ByteSource): Promise<void> {
  await writeFile(path, await bytesOf(source))
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

/** `--option Zoom=80 --option ExportNotes=false`: values are JSON where they read as such, else text. */
export function readOptions(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0) throw new UsageError(`--option takes name=value, not "${pair}".`)
      return [pair.slice(0, at), readValue(pair.slice(at + 1))]
    }),
  )
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
