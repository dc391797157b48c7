import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import { formatName } from '../../../../../shared/pdf/write/syntax.ts'
import { zlib } from '../../../../../shared/pdf/write/zlib.ts'
import type { Codec } from '../../../../../shared/plugin/values.ts'
import type { FontFile } from '../../fonts/sfnt/font-file.ts'
import { type FontProgram, fontProgram } from '../../fonts/subset/prepared.ts'
import type { GlyphRun } from '../../layout/frame.ts'
import type { ArchivePart } from './document-info.ts'
import type { GlyphUsage } from './glyph-usage.ts'
import { ascii, num, reference, utf16Hex } from './syntax.ts'

/** A font as the content streams use it. */
export interface EmbeddedFont {
  readonly resource: string // 'F1'
  readonly id: number // of the Type0 dictionary
  /** The code of each drawn glyph: its number in the subset. */
  readonly codes: Uint16Array
  /** The width declared in the PDF, in thousandths of the em, by glyph of the font. */
  readonly widths: Float64Array
  readonly text: readonly (string | undefined)[] // the ToUnicode mapping of each glyph
  /** Gives the glyphs of a run their codes, widths and texts, for fonts whose glyphs are not all known from the start. */
  use?(run: GlyphRun): void
}

/** The width of a glyph as the PDF declares it. */
export const declaredWidth = ({ advances, metrics }: FontFile, glyph: number): number =>
  Math.round((advances[glyph] ?? 0) * (1000 / metrics.unitsPerEm) * 100) / 100

/** Writes a font whose drawn glyphs are known. */
export function embedFont(
  file: PdfFile,
  codec: Codec,
  usage: GlyphUsage,
  order: number,
  archive?: ArchivePart,
): EmbeddedFont {
  const { font } = usage
  const program = fontProgram(font, usage.used, codec, zlib)
  const codes = new Uint16Array(font.glyphCount)
  const widths = new Float64Array(font.glyphCount)
  for (const [glyph, id] of program.newIds) {
    codes[glyph] = id
    widths[glyph] = declaredWidth(font, glyph)
  }
  const id = writeFont(file, usage, { program, widths, order, archive })
  return { resource: fontResource(order), id, codes, widths, text: usage.text }
}

export const fontResource = (order: number): string => `F${order + 1}`

export interface WrittenFont {
  readonly program: FontProgram
  readonly widths: Float64Array
  readonly order: number
  readonly archive: ArchivePart | undefined
  /** The object number of the Type 0 dictionary; absent: the next one. */
  readonly id?: number
}

/**
 * Writes a font: a Type 0 font with Identity-H, its descendant, the descriptor, the subset and the ToUnicode
 * map. ISO 32000-2, 9.7 and 9.10. Returns the object number of the Type 0 dictionary.
 */
export function writeFont(
  file: PdfFile,
  usage: GlyphUsage,
  { program, widths, order, archive, id: reserved }: WrittenFont,
): number {
  const { font } = usage
  const subsetName = `${subsetTag(order)}+${font.names.postScript || 'Unnamed'}`
  const programId = file.stream(
    program.kind === 'glyf' ? `/Length1 ${program.length}` : '/Subtype/CIDFontType0C',
    program.deflated,
    'deflated',
  )
  // PDF/A-1 requires a list of the glyphs of a subset. ISO 19005-1, 6.3.5.
  const set = archive === 1 ? `/CIDSet ${reference(file.stream('', glyphSet(program)))}` : ''
  const descriptor = file.add(describe(usage, subsetName, program, programId, set))
  const descendant = file.add(
    `<</Type/Font/Subtype/${program.kind === 'glyf' ? 'CIDFontType2/CIDToGIDMap/Identity' : 'CIDFontType0'}` +
      `/BaseFont${formatName(subsetName)}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/FontDescriptor ${reference(descriptor)}/DW 0/W[${widthArray(usage, program, widths)}]>>`,
  )
  const toUnicode = file.stream('', ascii(unicodeMap(usage, program)))
  const id = reserved ?? file.reserve()
  file.set(
    id,
    `<</Type/Font/Subtype/Type0/BaseFont${formatName(subsetName)}/Encoding/Identity-H` +
      `/DescendantFonts[${reference(descendant)}]/ToUnicode ${reference(toUnicode)}>>`,
  )
  return id
}

/**
 * The height that readers highlight when text is selected, in thousandths of the em. LibreOffice declares none
 * and readers then fall back to these values, so text from both engines is found in the same boxes.
 */
const selection = { ascent: 950, descent: 350 }

/** Six capitals that distinguish the subsets of one file. */
function subsetTag(order: number): string {
  let tag = ''
  for (let digit = 0, rest = order; digit < 6; digit++, rest = Math.floor(rest / 26)) {
    tag = String.fromCharCode(65 + (rest % 26)) + tag
  }
  return tag
}

function glyphSet({ newIds }: FontProgram): Uint8Array {
  let last = 0
  for (const id of newIds.values()) last = Math.max(last, id)
  const bits = new Uint8Array((last >> 3) + 1)
  for (const id of [0, ...newIds.values()]) bits[id >> 3] = (bits[id >> 3] ?? 0) | (0x80 >> (id & 7))
  return bits
}

function describe(
  { font }: GlyphUsage,
  subsetName: string,
  program: FontProgram,
  programId: number,
  set: string,
): string {
  const { metrics, style } = font
  const scale = 1000 / metrics.unitsPerEm
  const scaled = (value: number) => num(Math.round(value * scale))
  const flags = (metrics.fixedPitch ? 1 : 0) | 4 | (style.italic ? 64 : 0)
  return (
    `<</Type/FontDescriptor/FontName${formatName(subsetName)}/Flags ${flags}/FontBBox[${metrics.box.map(scaled).join(' ')}]` +
    `/ItalicAngle ${num(metrics.italicAngle)}/Ascent ${selection.ascent}/Descent ${-selection.descent}` +
    `/CapHeight ${scaled(metrics.capHeight)}/XHeight ${scaled(metrics.xHeight)}/StemV ${style.bold ? 140 : 80}` +
    `/${program.kind === 'glyf' ? 'FontFile2' : 'FontFile3'} ${reference(programId)}${set}>>`
  )
}

/** The widths of the drawn glyphs, with consecutive codes in one array. */
function widthArray({ used }: GlyphUsage, program: FontProgram, widths: Float64Array): string {
  const drawn = drawnGlyphs(used, program)
  let array = ''
  let previous = -2
  for (const { glyph, id } of drawn) {
    array +=
      id === previous + 1
        ? ` ${num(widths[glyph] ?? 0)}`
        : `${previous < 0 ? '' : ']'}${id}[${num(widths[glyph] ?? 0)}`
    previous = id
  }
  return previous < 0 ? '' : `${array}]`
}

function drawnGlyphs(used: Uint8Array, program: FontProgram): { glyph: number; id: number }[] {
  const drawn: { glyph: number; id: number }[] = []
  for (const [glyph, id] of program.newIds) if (used[glyph] === 1) drawn.push({ glyph, id })
  return drawn.sort((a, b) => a.id - b.id)
}

const mapHead = `/CIDInit/ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def
/CMapName/Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
`
const mapTail = `endcmap
CMapName currentdict/CMap defineresource pop
end
end`

/** Writes the ToUnicode map in blocks of at most 100 pairs, the limit of the CMap format. */
function unicodeMap(usage: GlyphUsage, program: FontProgram): string {
  const pairs: string[] = []
  for (const { glyph, id } of drawnGlyphs(usage.used, program)) {
    const text = usage.text[glyph]
    if (text) pairs.push(`<${id.toString(16).padStart(4, '0')}><${utf16Hex(text)}>`)
  }
  let map = mapHead
  for (let from = 0; from < pairs.length; from += 100) {
    const block = pairs.slice(from, from + 100)
    map += `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`
  }
  return map + mapTail
}
