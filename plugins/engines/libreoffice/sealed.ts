import type { FormatId } from '../../../shared/plugin/contract.ts'

/** Formats that are zip packages when they can be read, and the folder of their main part. */
const packages: Readonly<Record<FormatId, string>> = {
  ...inFolder('word/', 'docx', 'docm', 'dotx'),
  ...inFolder('xl/', 'xlsx', 'xlsm', 'xltx'),
  ...inFolder('ppt/', 'pptx', 'ppsx', 'potx'),
}
const compound = [0xd0, 0xcf, 0x11, 0xe0]
const sealedEntry = 'EncryptedPackage'

/**
 * Office Open XML with a password is no zip but an OLE compound file around the sealed package ([MS-OFFCRYPTO] 1.3.2).
 * Told from the name of its stream (UTF-16LE in the directory), so that no password is ever asked for.
 */
export function looksEncrypted(from: FormatId, bytes: Uint8Array): boolean {
  if (packages[from] === undefined) return false
  if (!compound.every((byte, at) => bytes[at] === byte)) return false
  const wide = [...sealedEntry].map((letter) => `${letter}\0`).join('')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(wide, 0, 'latin1')
}

/**
 * An Office Open XML package of another program, which the office would open as an empty document: entries of that one
 * and none of its own. Entry names stand in the archive as they are.
 */
export function isOtherPackage(from: FormatId, bytes: Uint8Array): boolean {
  const own = packages[from]
  if (own === undefined) return false
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.includes(own, 0, 'latin1')) return false
  return ['word/document', 'xl/workbook', 'ppt/presentation'].some((name) =>
    buffer.includes(name, 0, 'latin1'),
  )
}

function inFolder(folder: string, ...formats: readonly FormatId[]): Record<FormatId, string> {
  return Object.fromEntries(formats.map((format) => [format, folder]))
}
