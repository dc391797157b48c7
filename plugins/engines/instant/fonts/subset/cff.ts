import { concatBytes } from '../../../../../shared/bytes.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { guarded, viewOf } from '../sfnt/container.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { type Dict, readDict, writeDict } from './cff-dict.ts'
import { type CffBytes, type CffIndex, readIndex, writeIndex } from './cff-index.ts'
import { flattenCharString } from './charstring.ts'
import type { Subset } from './glyf.ts'

/** A charstring with `endchar` only. */
const nothing = Uint8Array.of(14)

/**
 * Returns a CFF program with only these glyphs, renumbered in the given order, as a CID-keyed font whose CIDs
 * are the new numbers (CIDFontType0C in PDF). Subroutines are inlined, so that none are left; glyphs that the program lacks
 * draw nothing. Throws AppError 'font.damaged'. Source: Adobe TN 5176 (CFF), TN 5177 (Type 2 charstrings).
 */
export function subsetCff(font: FontFile, selected: readonly number[]): Subset {
  const source = readCff(cffBytes(font))
  const fonts = new Map<number, number>() // old font dict -> new
  const selection: number[] = []
  const charStrings = selected.map((glyph) => {
    const which = source.fontOf(glyph)
    if (!fonts.has(which)) fonts.set(which, fonts.size)
    selection.push(fonts.get(which)!)
    const locals = source.fonts[which]?.locals
    const charString = source.charStrings.item(glyph)
    return charString === undefined
      ? nothing
      : flattenCharString(charString, { locals, globals: source.globals })
  })
  const usedFonts = [...fonts.keys()].map((which) => source.fonts[which] ?? noFont)
  return { bytes: assemble(source, { charStrings, selection, fonts: usedFonts }), glyphs: selected }
}

/**
 * Checks that the outlines can be subset: throws AppError 'font.damaged' now rather than when a page is
 * painted.
 */
export function checkCff(font: FontFile): void {
  guarded('its outlines are truncated', () => readCff(cffBytes(font)))
}

/**
 * Returns a function that gives the charstring of a glyph with its subroutines inlined; undefined beyond the last glyph.
 * Throws AppError 'font.damaged'.
 */
export function flatCharStrings(font: FontFile): (glyph: number) => Uint8Array | undefined {
  const { charStrings, fonts, fontOf, globals } = readCff(cffBytes(font))
  return (glyph) => {
    const charString = charStrings.item(glyph)
    return charString && flattenCharString(charString, { locals: fonts[fontOf(glyph)]?.locals, globals })
  }
}

function cffBytes(font: FontFile): CffBytes {
  return { length: font.sizeOf('CFF '), subarray: (start, end) => font.part('CFF ', start, end - start) }
}

interface CffFont {
  readonly dict: Dict // of the Private DICT
  readonly matrix: readonly number[] | undefined // FontMatrix of the font DICT
  readonly locals: CffIndex | undefined
}
const noFont: CffFont = { dict: new Map(), matrix: undefined, locals: undefined }

interface CffSource {
  readonly top: Dict
  readonly isCid: boolean
  readonly globals: CffIndex
  readonly charStrings: CffIndex
  readonly fonts: readonly CffFont[]
  fontOf(glyph: number): number
}

const operators = {
  fontMatrix: 0x0c07,
  fontBox: 5,
  charset: 15,
  charStrings: 17,
  privateDict: 18,
  subrs: 19,
} as const
const cid = { ros: 0x0c1e, count: 0x0c22, fontArray: 0x0c24, fontSelect: 0x0c25 } as const

function damagedCff(what: string): AppError {
  return new AppError('font.damaged', { what })
}

function readCff(bytes: CffBytes): CffSource {
  if (bytes.length < 4) throw damagedCff('its outlines are missing')
  const names = readIndex(bytes, bytes.subarray(2, 3)[0] ?? 0)
  const tops = readIndex(bytes, names.end)
  const strings = readIndex(bytes, tops.end)
  const globals = readIndex(bytes, strings.end)
  const description = tops.item(0)
  if (description === undefined) throw damagedCff('its outlines have no description')
  const top = readDict(description)
  const charStringsAt = top.get(operators.charStrings)?.[0]
  if (charStringsAt === undefined) throw damagedCff('it has no outlines')
  const charStrings = readIndex(bytes, charStringsAt)
  const isCid = top.has(cid.ros)
  const shared = { top, isCid, globals, charStrings }
  if (!isCid) return { ...shared, fonts: [readPrivate(bytes, top, undefined)], fontOf: () => 0 }
  const array = readIndex(bytes, top.get(cid.fontArray)?.[0] ?? 0)
  const dicts = Array.from({ length: Math.min(256, array.count) }, (_, index) => readDict(array.item(index)!))
  return {
    ...shared,
    fonts: dicts.map((dict) => readPrivate(bytes, dict, dict.get(operators.fontMatrix))),
    fontOf: readFontSelect(bytes, top.get(cid.fontSelect)?.[0] ?? 0, charStrings.count),
  }
}

function readPrivate(bytes: CffBytes, dict: Dict, matrix: readonly number[] | undefined): CffFont {
  const [size = 0, offset = 0] = dict.get(operators.privateDict) ?? []
  if (offset + size > bytes.length) throw damagedCff('its outlines are truncated')
  const privateDict = readDict(bytes.subarray(offset, offset + size))
  const subrs = privateDict.get(operators.subrs)?.[0]
  return {
    dict: privateDict,
    matrix,
    locals: subrs === undefined ? undefined : readIndex(bytes, offset + subrs),
  }
}

/** Formats 0 (a byte per glyph) and 3 (ranges). */
function readFontSelect(bytes: CffBytes, at: number, glyphCount: number): (glyph: number) => number {
  const fonts = new Uint8Array(glyphCount)
  const [format = 0, high = 0, low = 0] = bytes.subarray(at, at + 3)
  if (format === 0) {
    fonts.set(bytes.subarray(at + 1, at + 1 + glyphCount))
  } else {
    const ranges = (high << 8) | low
    const view = viewOf(bytes.subarray(at + 3, at + 3 + 3 * ranges + 2))
    for (let range = 0; range < ranges; range++) {
      const offset = 3 * range
      const first = view.getUint16(offset)
      const next = Math.min(glyphCount, view.getUint16(offset + 3))
      if (next > first) fonts.fill(view.getUint8(offset + 2), first, next)
    }
  }
  return (glyph) => fonts[glyph] ?? 0
}

interface SubsetGlyphs {
  readonly charStrings: readonly Uint8Array[]
  readonly selection: readonly number[]
  readonly fonts: readonly CffFont[]
}

const header = Uint8Array.of(1, 0, 4, 4)
const encoder = new TextEncoder()

/**
 * Offsets have five bytes whatever their value, so that dictionaries have their final length before the
 * offsets are known: one pass measures, one writes.
 */
function assemble(source: CffSource, subset: SubsetGlyphs): Uint8Array {
  const names = writeIndex([encoder.encode('Subset')])
  const strings = writeIndex([encoder.encode('Adobe'), encoder.encode('Identity')])
  const globals = writeIndex([])
  const count = subset.charStrings.length
  const charset = count > 1 ? Uint8Array.of(2, 0, 1, (count - 2) >> 8, (count - 2) & 255) : Uint8Array.of(0)
  const select = Uint8Array.from([0, ...subset.selection])
  const charStrings = writeIndex(subset.charStrings)
  const privates = subset.fonts.map(({ dict }) => {
    const entries = new Map(dict)
    entries.delete(operators.subrs)
    return writeDict(entries)
  })
  const topOf = (offsets: {
    charset: number
    select: number
    charStrings: number
    fonts: number
  }): Uint8Array => {
    const top: [number, readonly number[]][] = [[cid.ros, [391, 392, 0]]]
    const matrix = source.top.get(operators.fontMatrix)
    const box = source.top.get(operators.fontBox)
    if (matrix !== undefined) top.push([operators.fontMatrix, matrix])
    if (box !== undefined) top.push([operators.fontBox, box])
    top.push([cid.count, [count]], [operators.charset, [offsets.charset]], [cid.fontSelect, [offsets.select]])
    top.push([operators.charStrings, [offsets.charStrings]], [cid.fontArray, [offsets.fonts]])
    return writeIndex([writeDict(new Map(top))])
  }
  const fontsOf = (starts: readonly number[]): Uint8Array =>
    writeIndex(
      subset.fonts.map(({ matrix }, index) => {
        const dict: [number, readonly number[]][] =
          matrix === undefined ? [] : [[operators.fontMatrix, matrix]]
        dict.push([operators.privateDict, [privates[index]!.length, starts[index] ?? 0]])
        return writeDict(new Map(dict))
      }),
    )
  const topSize = topOf({ charset: 0, select: 0, charStrings: 0, fonts: 0 }).length
  const charsetAt = header.length + names.length + topSize + strings.length + globals.length
  const selectAt = charsetAt + charset.length
  const charStringsAt = selectAt + select.length
  const fontsAt = charStringsAt + charStrings.length
  const starts: number[] = []
  let at = fontsAt + fontsOf(privates.map(() => 0)).length
  for (const bytes of privates) {
    starts.push(at)
    at += bytes.length
  }
  const top = topOf({ charset: charsetAt, select: selectAt, charStrings: charStringsAt, fonts: fontsAt })
  return joined([
    ...[header, names, top, strings, globals, charset, select, charStrings, fontsOf(starts)],
    ...privates,
  ])
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  )
}
