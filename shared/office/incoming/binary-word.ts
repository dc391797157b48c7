/** Fields of Word 97 to 2003 ([MS-DOC]), and of Word 6 and 95 as far as they have the same structure. */
import { maxOf } from '../../extremes.ts'
import { isAddress, loadedByField } from './fields.ts'
import type { LinkKind, ScannedContent } from './findings.ts'

/** Numbers of the fields that load something (2.9.90, flt). */
const loading: ReadonlyMap<number, LinkKind> = new Map([
  [0x0b, 'text'], // RD
  [0x24, 'text'], // INCLUDE
  [0x2d, 'data source'], // DDE
  [0x2e, 'data source'], // DDEAUTO
  [0x37, 'picture'], // IMPORT
  [0x38, 'object'], // LINK
  [0x43, 'picture'], // INCLUDEPICTURE
  [0x44, 'text'], // INCLUDETEXT
  [0x4e, 'data source'], // DATABASE
])
/** QUOTE, a field that shows its result and loads nothing. */
const quote = 0x23
const fieldCharacters = { begin: 0x13, separator: 0x14, end: 0x15 } as const

/** Header fields (2.5.1, 2.5.6): magic number, first version with a table stream, flags, offset of the table references. */
const magic = 0xa5ec
const word97 = 0xc1
const encrypted = 0x0100
const secondTable = 0x0200
const tableReferences = 0x9a
/** Fields of the main text, headers, footnotes, comments, endnotes and text boxes, as numbers of their tables. */
const fieldTables: readonly number[] = [16, 17, 18, 19, 20, 48, 57, 59]

/** Maximum number of characters of an instruction that are searched for its name, and that are overwritten. */
const maxName = 64
const maxInstruction = 65_536

/**
 * Blanks the instructions of fields that load files, and turns the fields into QUOTE fields, which show their last
 * result. `siblingStream` returns another stream of the same storage. Returns whether anything was changed.
 */
export function blankWordLinks(
  text: Uint8Array,
  siblingStream: (name: string) => Uint8Array | undefined,
  findings: ScannedContent,
): boolean {
  const view = new DataView(text.buffer, text.byteOffset, text.byteLength)
  if (text.length < tableReferences) return false
  const flags = view.getUint16(10, true)
  if ((flags & encrypted) !== 0) return false
  const instructions = blankInstructions(text)
  const table = siblingStream((flags & secondTable) === 0 ? '0Table' : '1Table')
  const isNew = view.getUint16(0, true) === magic && view.getUint16(2, true) >= word97
  const fields = isNew && table !== undefined ? makeQuotes(view, table) : []
  const data = siblingStream('Data')
  const pictures = data === undefined ? [] : blankPictureFiles(data)
  // The lists contain the same links, unless the document was manipulated, so each kind is counted as often as it
  // occurs in the longest list.
  const lists = [fields, instructions, pictures]
  const allKinds = lists.flat()
  for (const kind of new Set(allKinds)) {
    const counts = lists.map((list) => list.filter((candidate) => candidate === kind).length)
    for (let n = maxOf(counts); n > 0; n--) findings.drop(kind)
  }
  return allKinds.length > 0
}

/**
 * Kinds of pictures whose header is followed by a file name (2.9.158, mm). Versions up to Word 95 have no other
 * kinds.
 */
const namedPictures: ReadonlySet<number> = new Set([0x5e, 0x63, 0x66])
const pictureHeader = 68

/** The header of a picture begins with its length and the length of the header itself (2.9.191). */
function blankPictureFiles(data: Uint8Array): LinkKind[] {
  const kinds: LinkKind[] = []
  for (
    let offset = data.indexOf(pictureHeader, 4);
    offset >= 0;
    offset = data.indexOf(pictureHeader, offset + 1)
  ) {
    if (data[offset + 1] !== 0 || !namedPictures.has(data[offset + 2] ?? 0) || data[offset + 3] !== 0)
      continue
    const nameAt = offset - 4 + pictureHeader + 1
    const name = data.subarray(nameAt, nameAt + (data[nameAt - 1] ?? 0))
    if (!isAddress(new TextDecoder('latin1').decode(name))) continue
    name.fill(0x20)
    kinds.push('picture')
  }
  return kinds
}

/**
 * A table of fields is a list of positions, followed by two bytes for each mark (2.8.25): the kind of mark, and the
 * kind of field.
 */
function makeQuotes(header: DataView, table: Uint8Array): LinkKind[] {
  const kinds: LinkKind[] = []
  for (const number of fieldTables) {
    const referenceOffset = tableReferences + number * 8
    if (referenceOffset + 8 > header.byteLength) continue
    const tableStart = header.getUint32(referenceOffset, true)
    const size = Math.min(header.getUint32(referenceOffset + 4, true), Math.max(0, table.length - tableStart))
    const count = Math.floor((size - 4) / 6)
    const first = tableStart + 4 * (count + 1)
    for (let n = 0; n < count; n++) {
      const kind = loading.get(table[first + 2 * n + 1] ?? 0)
      if (((table[first + 2 * n] ?? 0) & 0x1f) !== fieldCharacters.begin || kind === undefined) continue
      table[first + 2 * n + 1] = quote
      kinds.push(kind)
    }
  }
  return kinds
}

/** Instructions are found by their markers anywhere in the text, in either of its two encodings (2.4.1). */
function blankInstructions(text: Uint8Array): LinkKind[] {
  const kinds: LinkKind[] = []
  for (
    let offset = text.indexOf(fieldCharacters.begin);
    offset >= 0;
    offset = text.indexOf(fieldCharacters.begin, offset + 1)
  ) {
    const unit = text[offset + 1] === 0 ? 2 : 1
    let head = ''
    for (let n = 1; n <= maxName; n++) {
      const code = codeAt(text, offset + n * unit, unit)
      if (code >= fieldCharacters.begin && code <= fieldCharacters.end) break
      head += String.fromCharCode(code)
    }
    const kind = loadedByField(head)
    if (kind === undefined) continue
    blankInstruction(text, offset + unit, unit)
    kinds.push(kind)
  }
  return kinds
}

const codeAt = (text: Uint8Array, offset: number, unit: number): number =>
  (text[offset] ?? 0) | (unit === 2 ? (text[offset + 1] ?? 0) << 8 : 0)

/**
 * Blanks an instruction up to its separator or end. The marks of nested fields and the characters that stand for
 * objects are kept.
 */
function blankInstruction(text: Uint8Array, start: number, unit: number): void {
  let depth = 0
  for (let n = 0; n < maxInstruction && start + n * unit < text.length; n++) {
    const offset = start + n * unit
    const code = codeAt(text, offset, unit)
    if (code === fieldCharacters.begin) depth++
    else if (code === fieldCharacters.end && depth > 0) depth--
    else if (depth === 0 && (code === fieldCharacters.separator || code === fieldCharacters.end)) return
    else if (code > 0x20) {
      text[offset] = 0x20
      if (unit === 2) text[offset + 1] = 0
    }
  }
}
