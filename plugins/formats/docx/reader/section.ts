import type { Columns } from '../../../../shared/document/box.ts'
import type { PageBorders, Section, SectionProperties } from '../../../../shared/document/section.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { Theme } from '../../../../shared/office/ooxml/theme.ts'
import { compact, integer, isOn, onOff, twips, val } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import type { ReadSection } from './part-context.ts'
import { isArt, readBorder } from './run-properties.ts'
import { readNoteSettings } from './settings.ts'
import { reportSection } from './unsupported.ts'

/**
 * US Letter with margins of one inch: Word's defaults where a document specifies nothing. Lengths in points.
 */
export const defaultSection: SectionProperties = {
  start: 'next-page',
  width: 612,
  height: 792,
  margins: { top: 72, right: 72, bottom: 72, left: 72, header: 36, footer: 36, gutter: 0 },
  columns: { count: 1, gap: 36, separator: false },
  titlePage: false,
  pageNumber: { format: 'decimal' },
  verticalAlign: 'top',
  rightToLeft: false,
}

/** ST_SectionMark (ECMA-376-1 17.18.77) to the document model. */
const starts: Readonly<Record<string, SectionProperties['start']>> = {
  nextPage: 'next-page',
  continuous: 'continuous',
  evenPage: 'even-page',
  oddPage: 'odd-page',
  nextColumn: 'next-column',
}

/** ST_VerticalJc (17.18.101) to the document model. */
const alignments: Readonly<Record<string, SectionProperties['verticalAlign']>> = {
  center: 'center',
  bottom: 'bottom',
  both: 'justify',
}

/**
 * Reads the children of w:sectPr (ECMA-376-1 17.6.17). `report` receives a warning for each feature that is
 * not drawn.
 */
export function readSection(
  cursor: XmlCursor,
  theme: Theme,
  report?: (code: string, message: string) => void,
): ReadSection {
  const s: Writable<SectionProperties> = { ...defaultSection }
  const headers: Partial<Record<'default' | 'first' | 'even', string>> = {}
  const footers: Partial<Record<'default' | 'first' | 'even', string>> = {}
  cursor.each((name) => {
    reportSection(cursor, name, report)
    switch (name) {
      case 'w:headerReference':
      case 'w:footerReference': {
        const type = cursor.attribute('w:type')
        const id = cursor.attribute('r:id')
        const key = type === 'first' || type === 'even' ? type : 'default'
        // Word uses the first reference of a type.
        if (id !== undefined) (name === 'w:headerReference' ? headers : footers)[key] ??= id
        break
      }
      case 'w:type':
        s.start = entryOf(starts, val(cursor)) ?? 'next-page'
        break
      case 'w:pgSz': {
        s.width = pageLength(cursor.attribute('w:w'), 612)
        s.height = pageLength(cursor.attribute('w:h'), 792)
        break
      }
      case 'w:pgMar':
        s.margins = readMargins(cursor)
        break
      case 'w:cols':
        s.columns = readColumns(cursor)
        break
      case 'w:titlePg':
        s.titlePage = onOff(cursor)
        break
      case 'w:pgNumType':
        s.pageNumber = compact({
          start: integer(cursor.attribute('w:start')),
          format: cursor.attribute('w:fmt') ?? 'decimal',
        })
        break
      case 'w:vAlign':
        s.verticalAlign = entryOf(alignments, val(cursor)) ?? 'top'
        break
      case 'w:docGrid':
        s.grid = readGrid(cursor) ?? s.grid
        break
      case 'w:pgBorders':
        s.borders = readPageBorders(cursor, theme, report)
        break
      case 'w:textDirection':
        if (/^(tb|bt)/.test(val(cursor) ?? '') && val(cursor) !== 'tbLrV')
          report?.('read.text-direction', 'Pages with vertical text are set horizontally.')
        break
      case 'w:footnotePr':
        s.footnotes = readNoteSettings(cursor)
        break
      case 'w:endnotePr':
        s.endnotes = readNoteSettings(cursor)
        break
      case 'w:bidi':
        s.rightToLeft = onOff(cursor)
        break
      case 'w:rtlGutter':
        s.margins = { ...s.margins, gutterAtRight: onOff(cursor) }
        break
      case 'w:lnNumType':
        s.lineNumbers = readLineNumbers(cursor)
        break
    }
  })
  return { properties: s, headers, footers }
}

/**
 * w:gutterAtTop (17.15.1.49): moves the gutter above header and text. A negative top margin, which is exact,
 * grows in magnitude.
 */
export function withGutterAtTop(section: Section): Section {
  const { margins } = section.properties
  const { top, header, gutter } = margins
  const moved = { ...margins, top: top + Math.sign(top || 1) * gutter, header: header + gutter, gutter: 0 }
  return { ...section, properties: { ...section.properties, margins: moved } }
}

/**
 * The sides of usual papers in hundredths of a millimetre: ISO A, B and C, those of North America and of Japan, and envelopes.
 */
const paperSides: readonly number[] = [
  9843, 10478, 10500, 11000, 11400, 12500, 13970, 14800, 16200, 17600, 18200, 18415, 19050, 21000, 21590,
  22000, 22900, 24130, 25000, 25700, 26670, 27940, 29700, 32400, 35300, 35560, 36400, 42000, 43180, 59400,
  84100, 118_900,
]
const mm100 = 72 / 2540
/** How far the side of a page is from that of a paper that it means, in hundredths of a millimetre. */
const maxPaperDifference = 20.5

/**
 * One side of a page, in points. Programs write the same paper with sides that differ by some twentieths of a point; as in
 * LibreOffice, a side that is within a fifth of a millimetre of a paper's is that of the paper. Others are limited to the
 * range from 36 pt, so that a line fits, to 14,400 pt (200 in), the largest page of a PDF. A missing or zero size takes the
 * default.
 */
function pageLength(text: string | undefined, otherwise: number): number {
  const length = twips(text) || otherwise
  const side = paperSides.find((paper) => Math.abs(paper * mm100 - length) <= maxPaperDifference * mm100)
  // Like all lengths of the format, those of papers are whole twentieths of a point.
  if (side !== undefined) return twips(String(Math.round(side * mm100 * 20))) ?? length
  return Math.max(36, Math.min(14_400, length))
}

/** ST_LineNumberRestart (17.18.47) to the document model. */
const lineRestart = (text: string | undefined): 'page' | 'section' | 'continuous' =>
  text === 'newSection' ? 'section' : text === 'continuous' ? 'continuous' : 'page'

/** w:docGrid (17.6.5); undefined for a grid that lines do not follow. */
function readGrid(cursor: XmlCursor): SectionProperties['grid'] {
  const type = cursor.attribute('w:type')
  const linePitch = twips(cursor.attribute('w:linePitch')) ?? 0
  if (linePitch <= 0) return undefined
  if (type === 'lines') return { type: 'lines', linePitch }
  return type === 'linesAndChars' || type === 'snapToChars'
    ? { type: 'lines-and-characters', linePitch }
    : undefined
}

/** w:lnNumType (17.6.8). */
function readLineNumbers(cursor: XmlCursor): SectionProperties['lineNumbers'] {
  return {
    every: Math.max(0, integer(cursor.attribute('w:countBy')) ?? 0),
    // w:start is the number before the first line.
    start: (integer(cursor.attribute('w:start')) ?? 0) + 1,
    distance: twips(cursor.attribute('w:distance')) || undefined,
    restart: lineRestart(cursor.attribute('w:restart')),
    style: 'LineNumber',
  }
}

/** w:pgMar (17.6.11). Only top and bottom may be negative, which makes them exact. */
function readMargins(cursor: XmlCursor): SectionProperties['margins'] {
  const get = (name: string, otherwise: number): number => twips(cursor.attribute(name)) ?? otherwise
  return {
    top: get('w:top', 72),
    right: Math.max(0, get('w:right', 72)),
    bottom: get('w:bottom', 72),
    left: Math.max(0, get('w:left', 72)),
    header: Math.max(0, get('w:header', 36)),
    footer: Math.max(0, get('w:footer', 36)),
    gutter: Math.max(0, get('w:gutter', 0)),
  }
}

/** Maximum number of columns that Word allows. */
const maxColumns = 45

/**
 * w:cols (17.6.4). The widths of single columns count only when w:equalWidth is off; then columns without a width are none, whatever
 * their declared number.
 */
function readColumns(cursor: XmlCursor): Columns {
  const equal = isOn(cursor.attribute('w:equalWidth') ?? 'true')
  const gap = Math.max(0, twips(cursor.attribute('w:space')) ?? 36)
  const separator = isOn(cursor.attribute('w:sep'))
  const count = Math.max(1, Math.min(maxColumns, integer(cursor.attribute('w:num')) ?? 1))
  const each: { width: number; gap: number }[] = []
  cursor.each((name) => {
    const width = twips(cursor.attribute('w:w'))
    if (name !== 'w:col' || width === undefined || width <= 0 || each.length >= maxColumns) return
    each.push({ width, gap: Math.max(0, twips(cursor.attribute('w:space')) ?? 0) })
  })
  if (equal || each.length === 0) return { count, gap, separator }
  return each.length === 1 ? { count: 1, gap, separator } : { count: each.length, gap, each, separator }
}

/** w:pgBorders (17.6.10). */
function readPageBorders(
  cursor: XmlCursor,
  theme: Theme,
  report: ((code: string, message: string) => void) | undefined,
): PageBorders {
  const display = cursor.attribute('w:display')
  const borders: Writable<PageBorders> = {
    from: cursor.attribute('w:offsetFrom') === 'page' ? 'page' : 'text',
    show: display === 'firstPage' ? 'first' : display === 'notFirstPage' ? 'not-first' : 'all',
  }
  cursor.each((name) => {
    const border = readBorder(cursor, theme)
    if (isArt(val(cursor) ?? 'nil'))
      report?.('read.border-art', 'A page border made of pictures is drawn as a line.')
    switch (name) {
      case 'w:top':
        borders.top = border
        break
      case 'w:bottom':
        borders.bottom = border
        break
      case 'w:left':
        borders.left = border
        break
      case 'w:right':
        borders.right = border
        break
    }
  })
  return borders
}
