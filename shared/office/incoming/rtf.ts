/**
 * Rich Text Format (Microsoft, version 1.9.1) before an office program reads it: one pass over groups, control words
 * and text. External references are emptied in place, since readers treat an empty group like a missing one.
 */

import { binaryText } from '../../bytes.ts'
import { entryOf } from '../../entry-of.ts'
import { pushAll } from '../../push-all.ts'
import { XmlFault } from '../../xml/cursor.ts'
import { isAddress, loadedByField } from './fields.ts'
import type { LinkKind, ScannedContent } from './findings.ts'

/** Destinations that contain only an address, or data that belongs to one. */
const addresses: ReadonlyMap<string, LinkKind> = new Map([
  ['template', 'template'],
  ['filetbl', 'text'],
  ['nextfile', 'text'],
  ['fontfile', 'font'],
  ['mmconnectstr', 'data source'],
  ['mmconnectstrdata', 'data source'],
  ['mmdatasource', 'data source'],
  ['mmheadersource', 'data source'],
  ['mmodsosrc', 'data source'],
  ['mmodsoudl', 'data source'],
  ['mmodsoudldata', 'data source'],
  ['mmquery', 'data source'],
])
/** Programs state here where an object came from, whether it is linked or not, so only addresses are reported. */
const harmlessDestinations: ReadonlySet<string> = new Set(['template', 'fontfile'])
/** Properties of a shape that name a picture ([MS-ODRAW] 2.3.23.4, 2.3.7.9, 2.3.8.9). */
const pictureNames: ReadonlySet<string> = new Set(['pibName', 'fillBlipName', 'lineFillBlipName'])
const linkedObjects: ReadonlySet<string> = new Set(['objlink', 'objautlink', 'objsub'])

/**
 * Destinations with a text of their own, including those that are written without the asterisk of ignorable
 * destinations.
 */
const elsewhere: ReadonlySet<string> = new Set(
  'fonttbl colortbl stylesheet info pict footnote header headerl headerr headerf footer footerl footerr footerf'.split(
    ' ',
  ),
)

const maxDepth = 10_000
/** Longer than every address: only the beginning of hexadecimal data is read. */
const maxText = 65_536

interface Text {
  value: string
}
/** The state of a group. Nested groups share it unless they begin a destination of their own. */
interface RtfGroup {
  /** The text that receives the characters of the group. */
  readonly into: Text
  readonly fallback: number // number of characters that replace each \u (\uc)
  /** Set by the control word that makes the group a destination. */
  destination?: { readonly name: string; readonly from: number; readonly text: Text }
  /** The name of a shape's property. */
  property?: string
  /** The object that the group is, or is nested in. */
  readonly object?: RtfObject | undefined
  readonly outer: RtfGroup | undefined
}
interface RtfObject {
  linked: boolean
  readonly data: Range[]
}
interface Range {
  readonly from: number
  readonly to: number
}

/**
 * Returns the document without the resources that it would load; undefined if it loads nothing. Throws XmlFault for
 * groups that are nested more deeply than any program writes them.
 */
export function editRtf(bytes: Uint8Array, findings: ScannedContent): Uint8Array | undefined {
  const reader = new RtfReader(bytes, findings)
  for (let offset = 0; offset < bytes.length; ) offset = reader.read(offset)
  const emptied = reader.end()
  return emptied.length === 0 ? undefined : without(bytes, emptied)
}

class RtfReader {
  readonly #bytes: Uint8Array
  readonly #findings: ScannedContent
  readonly #emptied: Range[] = []
  #group: RtfGroup = { into: { value: '' }, fallback: 1, outer: undefined }
  #depth = 0
  #skipped = 0 // remaining fallback characters after a \u, which are skipped

  constructor(bytes: Uint8Array, findings: ScannedContent) {
    this.#bytes = bytes
    this.#findings = findings
  }

  /** Reads a brace, a control word or a character; returns the offset after it. */
  read(offset: number): number {
    const byte = this.#bytes[offset] ?? 0
    if (byte === 0x5c) return this.#control(offset)
    if (byte === 0x7b) this.#openGroup()
    else if (byte === 0x7d) this.#closeGroup(offset)
    // Line ends and other control characters are not text.
    else if (byte >= 0x20) this.#add(String.fromCharCode(byte))
    else if (byte === 9) this.#add(' ')
    return offset + 1
  }

  /** Closes the groups that are still open. Returns what has to be emptied. */
  end(): readonly Range[] {
    for (let group: RtfGroup | undefined = this.#group; group !== undefined; group = group.outer)
      close(group, this.#bytes.length, this.#emptied, this.#findings)
    return this.#emptied
  }

  #openGroup(): void {
    if (++this.#depth > maxDepth) throw new XmlFault('its groups are nested too deeply')
    const { into, fallback, object } = this.#group
    this.#group = { into, fallback, object, outer: this.#group }
    this.#skipped = 0
  }

  #closeGroup(offset: number): void {
    close(this.#group, offset, this.#emptied, this.#findings)
    this.#group = this.#group.outer ?? this.#group
    this.#depth = Math.max(0, this.#depth - 1)
    this.#skipped = 0
  }

  #control(offset: number): number {
    const control = readControl(this.#bytes, offset)
    const { word, value = 0, text, end } = control
    if (word === 'bin') return end + Math.max(0, value)
    if (word === 'u') {
      this.#add(String.fromCharCode(value & 0xffff))
      this.#skipped = this.#group.fallback
    } else if (word === '*') this.#group = { ...this.#group, into: { value: '' } }
    else if (text !== undefined) this.#add(text)
    else this.#group = enter(this.#group, control, end)
    return end
  }

  #add(text: string): void {
    if (this.#skipped > 0) this.#skipped--
    else if (this.#group.into.value.length < maxText) this.#group.into.value += text
  }
}

interface RtfControl {
  readonly word: string
  readonly value: number | undefined
  /** The character that a symbol represents. */
  readonly text?: string
  readonly end: number
}

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const symbols: Readonly<Record<string, string>> = { '\\': '\\', '{': '{', '}': '}', '~': ' ', _: '-' }

function readControl(bytes: Uint8Array, start: number): RtfControl {
  let offset = start + 1
  while (isLetter(bytes[offset] ?? 0)) offset++
  if (offset === start + 1) {
    const symbol = String.fromCharCode(bytes[offset] ?? 0)
    if (symbol !== "'")
      return { word: symbol, value: undefined, text: entryOf(symbols, symbol) ?? '', end: offset + 1 }
    const code = Number.parseInt(String.fromCharCode(bytes[offset + 1] ?? 0, bytes[offset + 2] ?? 0), 16)
    return { word: symbol, value: code, text: String.fromCharCode(code || 0), end: offset + 3 }
  }
  const word = binaryText(bytes.subarray(start + 1, Math.min(offset, start + 65)))
  const from = offset
  if (bytes[offset] === 0x2d) offset++
  while (isDigit(bytes[offset] ?? 0)) offset++
  const digits = binaryText(bytes.subarray(from, Math.min(offset, from + 12)))
  if (bytes[offset] === 0x20) offset++
  return { word, value: /\d/.test(digits) ? Number.parseInt(digits, 10) : undefined, end: offset }
}

/** The state of the group after a control word. */
function enter(group: RtfGroup, { word, value }: RtfControl, offset: number): RtfGroup {
  if (word === 'uc') return { ...group, fallback: Math.min(Math.max(0, value ?? 1), 1_000) }
  if (linkedObjects.has(word) && group.object !== undefined) group.object.linked = true
  if (word === 'object') return { ...group, object: { linked: false, data: [] } }
  const isDestination =
    word === 'fldinst' || word === 'objdata' || word === 'sn' || word === 'sv' || addresses.has(word)
  if (elsewhere.has(word)) return { ...group, into: { value: '' } }
  // The result of a field inside an instruction is part of the instruction.
  if (word === 'fldrslt') return { ...group, into: enclosingInstruction(group) ?? { value: '' } }
  if (!isDestination || group.destination !== undefined) return group
  const text = { value: '' }
  return { ...group, into: text, destination: { name: word, from: offset, text } }
}

/** The result group is nested in its field group, which shares the text of the enclosing instruction. */
function enclosingInstruction(group: RtfGroup): Text | undefined {
  return group.outer?.into
}

function close(group: RtfGroup, offset: number, emptied: Range[], findings: ScannedContent): void {
  const isObject = group.object !== group.outer?.object
  if (isObject && group.object?.linked === true && group.object.data.length > 0) {
    pushAll(emptied, group.object.data)
    findings.drop('object')
  }
  if (group.destination === undefined) return
  const { name, from, text } = group.destination
  const range = { from, to: offset }
  const value = text.value.trim()
  if (name === 'fldinst') {
    const kind = loadedByField(value)
    if (kind === undefined) return
    emptied.push(range)
    findings.drop(kind)
  } else if (name === 'objdata') closeObjectData(group, value, range, emptied, findings)
  else if (name === 'sn') {
    if (group.outer !== undefined) group.outer.property = value
  } else if (name === 'sv') {
    if (!pictureNames.has(group.outer?.property ?? '') || value === '') return
    emptied.push(range)
    if (isAddress(value)) findings.drop('picture')
  } else {
    const kind = addresses.get(name)
    if (kind === undefined || from === offset) return
    emptied.push(range)
    if (!harmlessDestinations.has(name) || isAddress(value)) findings.drop(kind)
  }
}

/** The second number of an object's data is 1 for a linked and 2 for an embedded object: [MS-OLEDS] 2.2.4. */
function closeObjectData(
  group: RtfGroup,
  hexadecimal: string,
  range: Range,
  emptied: Range[],
  findings: ScannedContent,
): void {
  const format = hexadecimal.slice(0, 1_000).replace(/\s/g, '').slice(8, 16)
  if (format === '01000000') {
    emptied.push(range)
    findings.drop('object')
  } else group.object?.data.push(range)
}

function without(bytes: Uint8Array, emptied: readonly Range[]): Uint8Array {
  const result = new Uint8Array(bytes.length)
  let length = 0
  let from = 0
  for (const range of [...emptied].sort((a, b) => a.from - b.from)) {
    if (range.to <= from) continue // nested in a range that is emptied
    const unchanged = bytes.subarray(from, Math.max(from, range.from))
    result.set(unchanged, length)
    length += unchanged.length
    from = range.to
  }
  result.set(bytes.subarray(from), length)
  return result.subarray(0, length + bytes.length - from)
}
