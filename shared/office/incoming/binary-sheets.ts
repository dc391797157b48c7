/** Records of Excel workbooks ([MS-XLS], and Excel 5 and 95) that refer to another file, a program or a web page. */
import { blankPictureNames } from './binary-drawings.ts'
import { type ByteRange, joinRanges, scatter } from './compound.ts'
import type { ScannedContent } from './findings.ts'
import { loadedByFormula } from './formulas.ts'

const records = {
  begin: 0x0809, // BOF
  externSheet: 0x0017,
  name: 0x0018, // Lbl
  externName: 0x0023,
  password: 0x002f, // FilePass
  continue: 0x003c,
  pivotSource: 0x0051, // DConRef
  string: 0x00cd, // SXString
  query: 0x00dc, // DbQuery, and the query of a page
  drawingGroup: 0x00eb,
  drawing: 0x00ec,
  book: 0x01ae, // SupBook
} as const
const version8 = 0x0600
/**
 * Values of a book's path length that have a special meaning: this workbook, and the functions of add-ins (2.4.271).
 */
const noPaths: ReadonlySet<number> = new Set([0x0401, 0x3a01])
/** The first character of a path (2.5.277): a path that is encoded, and a sheet of this workbook. */
const [encodedPath, ownSheet] = [0x01, 0x02]
const programSeparator = 0x03

interface Workbook {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly findings: ScannedContent
}

/**
 * Overwrites the targets of these records; values that were computed from them stay in their cells. Returns whether
 * anything was changed.
 */
export function blankSheetLinks(bytes: Uint8Array, findings: ScannedContent): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const workbook: Workbook = { bytes, view, findings }
  const drawings: ByteRange[] = []
  let version = version8
  let before = 0
  let changed = false
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const id = view.getUint16(offset, true)
    const from = offset + 4
    const to = Math.min(from + view.getUint16(offset + 2, true), bytes.length)
    const record = { from, to }
    // The records after this one are encrypted.
    if (id === records.password) break
    if (id === records.begin && to - from >= 2) version = view.getUint16(from, true)
    if (blankRecord(id, record, { workbook, isNew: version === version8, before })) changed = true
    const isDrawing = id === records.drawing || id === records.drawingGroup
    if (isDrawing || (id === records.continue && before === records.drawing)) drawings.push(record)
    // A continuation record belongs to the preceding record.
    if (isDrawing) before = records.drawing
    else if (id !== records.continue && id !== records.string) before = id
    offset = to
  }
  const drawing = joinRanges(bytes, drawings)
  if (blankPictureNames(drawing, findings)) {
    scatter(drawing, drawings, bytes)
    changed = true
  }
  return changed
}

function blankRecord(
  id: number,
  record: ByteRange,
  {
    workbook,
    isNew,
    before,
  }: { readonly workbook: Workbook; readonly isNew: boolean; readonly before: number },
): boolean {
  switch (id) {
    case records.book:
      return blankBook(record, workbook)
    case records.externSheet:
      return !isNew && blankOldBook(record, workbook)
    case records.pivotSource:
      return blankPivotSource(record, isNew, workbook)
    case records.string:
      return before === records.query && blankString(record.from, record.to, isNew, workbook)
    case records.name:
    case records.externName:
      return blankFunctions(record, workbook)
    default:
      return false
  }
}

/** A reference to another workbook, or to a program and the item requested from it (2.4.271). */
function blankBook({ from, to }: ByteRange, { bytes, view, findings }: Workbook): boolean {
  if (to - from < 6 || noPaths.has(view.getUint16(from + 2, true))) return false
  const length = view.getUint16(from + 2, true)
  const isWide = ((bytes[from + 4] ?? 0) & 1) === 1
  const path = bytes.subarray(from + 5, Math.min(from + 5 + length * (isWide ? 2 : 1), to))
  // An empty path, or one of a single space, refers to nothing (2.5.277).
  if (path.every((byte) => byte === 0 || byte === 0x20)) return false
  findings.drop(path.includes(programSeparator) ? 'data source' : 'table')
  blank(path, isWide)
  return true
}

/** Excel 5 and 95 have one record for each external sheet: its length, then the path with one byte per character. */
function blankOldBook({ from, to }: ByteRange, { bytes, findings }: Workbook): boolean {
  const path = bytes.subarray(from + 1, Math.min(from + 1 + (bytes[from] ?? 0), to))
  const [first, second] = path
  // An encoded path that is empty means this workbook.
  if (second === undefined || (first !== encodedPath && !path.includes(programSeparator, 1))) return false
  findings.drop(path.includes(programSeparator) ? 'data source' : 'table')
  blank(path, false)
  return true
}

/** The source of a pivot table (2.4.86): a sheet of this workbook, or of another one. */
function blankPivotSource({ from, to }: ByteRange, isNew: boolean, workbook: Workbook): boolean {
  const first = from + (isNew ? 9 : 8)
  if (to <= first || workbook.bytes[first] === ownSheet) return false
  return blankString(from + 6, to, isNew, workbook)
}

/** A text: number of characters and, in version 8, whether each takes two bytes. */
function blankString(from: number, to: number, isNew: boolean, { bytes, findings }: Workbook): boolean {
  const isWide = isNew && ((bytes[from + 2] ?? 0) & 1) === 1
  const text = bytes.subarray(from + (isNew ? 3 : 2), to)
  if (text.length === 0) return false
  blank(text, isWide)
  findings.drop('data source')
  return true
}

/** Functions that Excel 2003 does not support are called by names, which are in records of their own. */
function blankFunctions({ from, to }: ByteRange, { bytes, findings }: Workbook): boolean {
  const record = bytes.subarray(from, to)
  for (const encoding of ['latin1', 'utf-16le'] as const)
    for (const start of encoding === 'latin1' ? [0] : [0, 1]) {
      const text = new TextDecoder(encoding).decode(record.subarray(start))
      const name = /_xlfn\.([A-Z][A-Z.]*)/i.exec(text)
      const kind = loadedByFormula(`${name?.[1]}()`, 'excel')
      if (name?.[1] === undefined || kind === undefined) continue
      const width = encoding === 'latin1' ? 1 : 2
      const offset = start + (name.index + '_xlfn.'.length) * width
      for (let n = 0; n < name[1].length; n++) record[offset + n * width] = 0x5f
      findings.drop(kind)
      return true
    }
  return false
}

function blank(text: Uint8Array, isWide: boolean): void {
  for (let index = 0; index < text.length; index++) text[index] = isWide && index % 2 === 1 ? 0 : 0x20
}
