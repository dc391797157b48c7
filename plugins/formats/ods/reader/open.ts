import type { Workbook } from '../../../../shared/document/sheet.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { openZip, type ZipEntry } from '../../../../shared/office/zip.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { xmlText } from '../../../../shared/xml/cursor.ts'
import { elementIn } from '../../../../shared/xml/elements.ts'
import { readFlatSpreadsheet, readSpreadsheet } from './index.ts'

/** Reads ODS bytes into the model of sheets. Parts are inflated when they are read. */
export function readOds(bytes: Uint8Array, { codec, limits }: OpenContext): Outcome<Workbook> {
  const archive = openZip(bytes, { codec, limits, format: 'ods' })
  const entries = new Map<string, ZipEntry>(archive.entries.map((entry) => [entry.name, entry]))
  const part = (name: string): Uint8Array | undefined => {
    const entry = entries.get(name)
    return entry === undefined ? undefined : archive.read(entry)
  }
  const manifest = part('META-INF/manifest.xml')
  if (manifest !== undefined && elementIn(xmlText(manifest), 'manifest:encryption-data') !== undefined)
    throw new AppError('package.encrypted')
  return readSpreadsheet(part)
}

/** The same for a document in one XML file (ODF 1.3 part 3, 3.1). */
export const readFods = (bytes: Uint8Array): Outcome<Workbook> => readFlatSpreadsheet(xmlText(bytes))
