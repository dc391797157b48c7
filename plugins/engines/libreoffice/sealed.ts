import type { FormatId } from '../../../shared/plugin/contract.ts'

/** Formats that are zip packages when they can be read. */
const packages = new Set(['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'xltx', 'pptx', 'ppsx', 'potx'])
const compound = [0xd0, 0xcf, 0x11, 0xe0]
const sealedEntry = 'EncryptedPackage'

/**
 * Office Open XML with a password is no zip but an OLE compound file around the sealed package ([MS-OFFCRYPTO] 1.3.2).
 * Told from the name of its stream (UTF-16LE in the directory), so that no password is ever asked for.
 */
export function looksEncrypted(from: FormatId, bytes: Uint8Array): boolean {
  if (!packages.has(from)) return false
  if (!compound.every((byte, at) => bytes[at] === byte)) return false
  const wide = [...sealedEntry].map((letter) => `${letter}\0`).join('')
  return new TextDecoder('latin1').decode(bytes).includes(wide)
}
