import type { Workbook } from '../../../../shared/document/sheet.ts'
import { openZip, type ZipEntry } from '../../../../shared/office/zip.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { readWorkbook } from './index.ts'

/** Reads XLSX bytes into the sheet model. Parts are inflated when they are read. */
export function readXlsx(bytes: Uint8Array, { codec, limits, partCache }: OpenContext): Outcome<Workbook> {
  const archive = openZip(bytes, { codec, limits, format: 'xlsx', partCache })
  const entries = new Map<string, ZipEntry>()
  // Part names are compared without regard to case (ECMA-376-2 6.2.2.3).
  for (const entry of archive.entries) entries.set(entry.name.toLowerCase(), entry)
  return readWorkbook((name) => {
    const entry = entries.get(name.toLowerCase())
    return entry === undefined ? undefined : archive.read(entry)
  })
}
