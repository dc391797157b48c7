import { XmlFault } from '../../xml/cursor.ts'
import { type CompoundStream, isCompound, joinRanges, openCompound } from './compound.ts'

/** The stream of the root storage that holds an encrypted package of Office Open XML ([MS-OFFCRYPTO] 2.3.4.4). */
const encryptedPackage = 'EncryptedPackage'
/** The header token of an encrypted presentation, at this offset of the stream ([MS-PPT] 2.3.2). */
const currentUser = { stream: 'Current User', offset: 12, token: 0xf3d1c4df } as const
/** fEncrypted in the flags of the header of a document of Word ([MS-DOC] 2.5.2). */
const wordFlags = { offset: 10, encrypted: 0x0100 } as const
/** The record that follows the first one in an encrypted workbook, perhaps after that of write protection ([MS-XLS] 2.1.7.20.5). */
const workbookRecords = { filePass: 0x002f, writeProtect: 0x0086 } as const

/**
 * Whether a file is a document of an office program that is protected with a password: DOCX, XLSX and PPTX, or a document of
 * Word, Excel or PowerPoint 97 to 2003. A file that cannot be read as a compound file is not.
 */
export function isEncryptedDocument(bytes: Uint8Array): boolean {
  if (!isCompound(bytes)) return false
  try {
    const streams = openCompound(bytes).filter(({ storage }) => storage === 0)
    const headOf = (...names: readonly string[]) => {
      const stream = streams.find(({ name }) => names.includes(name))
      return stream && headView(bytes, stream)
    }
    return (
      streams.some(({ name }) => name === encryptedPackage) ||
      hasFlag(headOf('WordDocument')) ||
      hasFilePass(headOf('Workbook', 'Book')) ||
      hasToken(headOf(currentUser.stream))
    )
  } catch (error) {
    if (error instanceof XmlFault) return false
    throw error
  }
}

/** The length of the beginning of a stream that is looked at. The records before `filePass` are shorter. */
const headBytes = 512

function headView(bytes: Uint8Array, { ranges }: CompoundStream): DataView {
  const head: { from: number; to: number }[] = []
  let bytesLeft = headBytes
  for (const { from, to } of ranges) {
    if (bytesLeft <= 0) break
    head.push({ from, to: Math.min(to, from + bytesLeft) })
    bytesLeft -= to - from
  }
  const content = joinRanges(bytes, head)
  return new DataView(content.buffer)
}

function hasFlag(head: DataView | undefined): boolean {
  if (head === undefined || head.byteLength < wordFlags.offset + 2) return false
  return (head.getUint16(wordFlags.offset, true) & wordFlags.encrypted) !== 0
}

function hasToken(head: DataView | undefined): boolean {
  if (head === undefined || head.byteLength < currentUser.offset + 4) return false
  return head.getUint32(currentUser.offset, true) === currentUser.token
}

function hasFilePass(head: DataView | undefined): boolean {
  if (head === undefined) return false
  let isFirst = true
  for (let offset = 0; offset + 4 <= head.byteLength; offset += 4 + head.getUint16(offset + 2, true)) {
    const record = head.getUint16(offset, true)
    if (record === workbookRecords.filePass) return true
    if (!isFirst && record !== workbookRecords.writeProtect) return false
    isFirst = false
  }
  return false
}
