import type {
  CellAlignment,
  CellBorder,
  CellBorders,
  CellFont,
  CellFormat,
} from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { type Palette, readColor, rgb, withIndexed } from './colors.ts'
import { builtInFormat } from './number-formats.ts'
import { readTableStyle, type TableElement, type TableStyle } from './table-style.ts'
import { workbookVocabulary } from './vocabulary.ts'

/** The resolved formatting of a workbook, by the indexes that cells use. */
export interface WorkbookFormats {
  readonly formats: readonly CellFormat[]
  readonly defaultFont: CellFont
  readonly palette: Palette
  /** The formats that rules refer to by `dxfId`. */
  readonly differentials: readonly TableElement[]
  /** The table styles of the workbook by name. */
  readonly tableStyles: ReadonlyMap<string, TableStyle>
}

/** The maximum length of lists (65,490 cell formats are Excel's limit). */
const maxEntries = 66_000
const fallbackFont: CellFont = { family: 'Calibri', size: 11 }
/** The width of one indent step in pt: three spaces of the default font (18.8.1). Observed in LibreOffice. */
const indentStep = 9.9

const unaligned: CellAlignment = {
  across: 'general',
  down: 'bottom',
  wrap: false,
  shrink: false,
  indent: 0,
  rotation: 0,
}
export const defaultFormat: CellFormat = {
  font: fallbackFont,
  number: 'General',
  borders: {},
  align: unaligned,
}

/** The tables of the styles part that have been read. */
interface Tables {
  palette: Palette
  readonly fonts: CellFont[]
  readonly fills: (string | undefined)[]
  readonly borders: CellBorders[]
  readonly numbers: Map<number, string>
  readonly styles: CellFormat[]
  readonly formats: CellFormat[]
  readonly differentials: TableElement[]
  readonly tableStyles: Map<string, TableStyle>
}

/** Reads the styles part (18.8.39). Without one, all cells have the default formatting. */
export function readFormats(xml: string | undefined, palette: Palette): WorkbookFormats {
  const cursor = new XmlCursor(xml ?? '', workbookVocabulary)
  if (!cursor.root())
    return {
      formats: [defaultFormat],
      defaultFont: fallbackFont,
      palette,
      differentials: [],
      tableStyles: new Map(),
    }
  const tables: Tables = {
    palette,
    fonts: [],
    fills: [],
    borders: [],
    numbers: new Map(),
    styles: [],
    formats: [],
    differentials: [],
    tableStyles: new Map(),
  }
  // Colours are at the end of the part, but everything before may refer to them, so they are read first.
  const colors = new XmlCursor(xml ?? '', workbookVocabulary)
  if (colors.root()) colors.each((name) => name === 's:colors' && readIndexed(colors, tables))
  cursor.each((list) => readList(cursor, list, tables))
  const formats = tables.formats.length > 0 ? tables.formats : [defaultFormat]
  const { palette: own, differentials, tableStyles } = tables
  return { formats, defaultFont: tables.fonts[0] ?? fallbackFont, palette: own, differentials, tableStyles }
}

function readIndexed(cursor: XmlCursor, tables: Tables): void {
  cursor.each((name) => {
    if (name !== 's:indexedColors') return
    const colors: string[] = []
    cursor.each(() => {
      if (colors.length < 64) colors.push(rgb(cursor.attribute('rgb')) ?? '000000')
    })
    tables.palette = withIndexed(tables.palette, colors)
  })
}

function readList(cursor: XmlCursor, list: string, tables: Tables): void {
  const each = (read: (name: string) => void): void => {
    let count = 0
    cursor.each((name) => {
      if (count++ < maxEntries) read(name)
    })
  }
  if (list === 's:fonts') each(() => tables.fonts.push(readFont(cursor, tables.palette)))
  else if (list === 's:fills') each(() => tables.fills.push(readFill(cursor, tables.palette)))
  else if (list === 's:borders') each(() => tables.borders.push(readBorders(cursor, tables.palette)))
  else if (list === 's:numFmts')
    each(() => {
      const id = Number(cursor.attribute('numFmtId'))
      tables.numbers.set(id, cursor.attribute('formatCode') || 'General')
    })
  else if (list === 's:cellStyleXfs') each(() => tables.styles.push(readFormat(cursor, tables, undefined)))
  else if (list === 's:dxfs') each(() => tables.differentials.push(readDifferential(cursor, tables.palette)))
  else if (list === 's:tableStyles')
    each(() => {
      const name = cursor.attribute('name')
      if (name !== undefined) tables.tableStyles.set(name, readTableStyle(cursor, tables.differentials))
    })
  else if (list === 's:cellXfs')
    each(() => {
      const style = tables.styles[Number(cursor.attribute('xfId') ?? 0)]
      tables.formats.push(readFormat(cursor, tables, style))
    })
}

/** CT_Xf (18.8.45). Attributes that an entry omits are those of its named style. */
function readFormat(cursor: XmlCursor, tables: Tables, style: CellFormat | undefined): CellFormat {
  const index = (name: string): number | undefined => {
    const text = cursor.attribute(name)
    return text === undefined ? undefined : Number(text)
  }
  const number = index('numFmtId')
  const fill = index('fillId')
  const border = index('borderId')
  const font = tables.fonts[index('fontId') ?? 0] ?? style?.font ?? fallbackFont
  let align = style?.align ?? unaligned
  cursor.each((name) => {
    if (name === 's:alignment') align = readAlignment(cursor)
  })
  return {
    font,
    number:
      number === undefined
        ? (style?.number ?? 'General')
        : (tables.numbers.get(number) ?? builtInFormat(number)),
    ...optional('fill', fill === undefined ? style?.fill : tables.fills[fill]),
    borders: (border === undefined ? style?.borders : tables.borders[border]) ?? {},
    align,
  }
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [key in K]: V })

const isOn = (value: string | undefined): boolean => value !== '0' && value !== 'false'

/** CT_Font and CT_RPrElt (18.8.22, 18.4.7). They differ only in the name of the element with the family. */
export const readFont = (cursor: XmlCursor, palette: Palette): CellFont => ({
  ...fallbackFont,
  ...readFontParts(cursor, palette),
})

/** The members of a font that the file sets. */
function readFontParts(cursor: XmlCursor, palette: Palette): Partial<CellFont> {
  const font: Partial<Writable<CellFont>> = {}
  let scheme: string | undefined
  cursor.each((name) => {
    const value = cursor.attribute('val')
    if (name === 's:name' || name === 's:rFont') Object.assign(font, optional('family', value))
    else if (name === 's:sz') font.size = sizeOf(value)
    else if (name === 's:b') font.bold = isOn(value)
    else if (name === 's:i') font.italic = isOn(value)
    else if (name === 's:strike') font.strike = isOn(value)
    else if (name === 's:u' && value !== 'none')
      font.underline = value?.startsWith('double') ? 'double' : 'single'
    else if (name === 's:vertAlign')
      Object.assign(font, entryOf(scripts, value) && { script: entryOf(scripts, value) })
    else if (name === 's:color') Object.assign(font, optional('color', readColor(cursor, palette)))
    else if (name === 's:scheme') scheme = value
  })
  // Observed in LibreOffice: a font name takes precedence over the theme font that `scheme` refers to.
  if (font.family !== undefined) return font
  const face = scheme === 'minor' ? palette.minor : scheme === 'major' ? palette.major : undefined
  return face === undefined ? font : { ...font, family: face }
}

/** CT_Dxf (18.8.14): the changes of a rule or a table style. */
export function readDifferential(cursor: XmlCursor, palette: Palette): TableElement {
  const format: Writable<TableElement> = {}
  cursor.each((name) => {
    if (name === 's:font') format.font = readFontParts(cursor, palette)
    else if (name === 's:numFmt') format.number = cursor.attribute('formatCode') || 'General'
    else if (name === 's:fill') Object.assign(format, optional('fill', readFill(cursor, palette, true)))
    else if (name === 's:border') {
      const { vertical, horizontal, ...borders } = readBorders(cursor, palette)
      format.borders = borders
      if (vertical !== undefined || horizontal !== undefined)
        format.inner = { ...optional('vertical', vertical), ...optional('horizontal', horizontal) }
    }
  })
  return format
}
const scripts: Readonly<Record<string, 'super' | 'sub'>> = { superscript: 'super', subscript: 'sub' }

/** A size between 1 and 409 pt (18.4.11). */
const sizeOf = (value: string | undefined): number => {
  const size = Number(value)
  return size > 0 ? Math.min(409, Math.max(1, size)) : fallbackFont.size
}

/**
 * CT_Fill (18.8.20). A pattern is approximated by the mix of its colours. `isDifferential` means the fill of a rule, whose
 * background is the colour of a solid or unspecified pattern.
 */
function readFill(cursor: XmlCursor, palette: Palette, isDifferential = false): string | undefined {
  let fill: string | undefined
  cursor.each((name) => {
    if (name === 's:gradientFill') {
      const stops: string[] = []
      cursor.each(() => cursor.each(() => stops.push(readColor(cursor, palette) ?? 'FFFFFF')))
      fill = stops.length > 1 ? mixed(stops[0] ?? 'FFFFFF', stops.at(-1) ?? 'FFFFFF', 0.5) : stops[0]
    }
    if (name !== 's:patternFill') return
    const type = cursor.attribute('patternType') ?? (isDifferential ? 'solid' : 'none')
    let front: string | undefined
    let back: string | undefined
    cursor.each((part) => {
      if (part === 's:fgColor') front = readColor(cursor, palette)
      else if (part === 's:bgColor') back = readColor(cursor, palette)
    })
    const fraction = entryOf(patterns, type)
    if (isDifferential && type === 'solid') fill = back ?? front
    else if (fraction !== undefined) fill = mixed(front ?? '000000', back ?? 'FFFFFF', fraction)
  })
  return fill
}

/** The fraction of the foreground colour in each pattern (18.18.55); absent for none. */
const patterns: Readonly<Record<string, number>> = {
  solid: 1,
  darkGray: 0.75,
  mediumGray: 0.5,
  lightGray: 0.25,
  gray125: 0.125,
  gray0625: 0.0625,
  darkHorizontal: 0.5,
  darkVertical: 0.5,
  darkDown: 0.5,
  darkUp: 0.5,
  darkGrid: 0.5,
  darkTrellis: 0.75,
  lightHorizontal: 0.25,
  lightVertical: 0.25,
  lightDown: 0.25,
  lightUp: 0.25,
  lightGrid: 0.44,
  lightTrellis: 0.38,
}

function mixed(front: string, back: string, fraction: number): string {
  if (fraction === 1) return front
  const channel = (at: number): string => {
    const [a, b] = [front, back].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [
      number,
      number,
    ]
    return Math.round(a * fraction + b * (1 - fraction))
      .toString(16)
      .padStart(2, '0')
  }
  return `${channel(0)}${channel(2)}${channel(4)}`.toUpperCase()
}

/** CT_Border (18.8.4). */
function readBorders(cursor: XmlCursor, palette: Palette): CellBorders & NonNullable<TableElement['inner']> {
  const isOnFor = (name: string): boolean => isOn(cursor.attribute(name) ?? '0')
  const [up, down] = [isOnFor('diagonalUp'), isOnFor('diagonalDown')]
  const borders: Writable<CellBorders & NonNullable<TableElement['inner']>> = {}
  cursor.each((name) => {
    const line = entryOf(lines, cursor.attribute('style'))
    let color = '000000'
    cursor.each(() => (color = readColor(cursor, palette) ?? '000000'))
    if (line === undefined) return
    const border: CellBorder = { ...line, color }
    const side = entryOf(sides, name)
    if (side !== undefined) borders[side] = border
    else if (name === 's:diagonal') Object.assign(borders, up && { up: border }, down && { down: border })
  })
  return borders
}
const sides: Readonly<Record<string, 'left' | 'right' | 'top' | 'bottom' | 'vertical' | 'horizontal'>> = {
  's:left': 'left',
  's:start': 'left',
  's:right': 'right',
  's:end': 'right',
  's:top': 'top',
  's:bottom': 'bottom',
  's:vertical': 'vertical',
  's:horizontal': 'horizontal',
}
/** ST_BorderStyle (18.18.3). Widths are observed in LibreOffice. */
const lines: Readonly<Record<string, Omit<CellBorder, 'color'>>> = {
  hair: { line: 'dotted', width: 0.05 },
  thin: { line: 'solid', width: 0.75 },
  dotted: { line: 'dotted', width: 0.75 },
  dashed: { line: 'dashed', width: 0.75 },
  dashDot: { line: 'dot-dash', width: 0.75 },
  dashDotDot: { line: 'dot-dot-dash', width: 0.75 },
  medium: { line: 'solid', width: 1.5 },
  mediumDashed: { line: 'dashed', width: 1.5 },
  mediumDashDot: { line: 'dot-dash', width: 1.5 },
  mediumDashDotDot: { line: 'dot-dot-dash', width: 1.5 },
  slantDashDot: { line: 'dot-dash', width: 1.5 },
  thick: { line: 'solid', width: 2.5 },
  double: { line: 'double', width: 2.5 },
}

/** CT_CellAlignment (18.8.1). */
function readAlignment(cursor: XmlCursor): CellAlignment {
  const rotation = Number(cursor.attribute('textRotation') ?? 0)
  return {
    across: entryOf(across, cursor.attribute('horizontal')) ?? 'general',
    down: entryOf(downs, cursor.attribute('vertical')) ?? 'bottom',
    wrap: isOn(cursor.attribute('wrapText') ?? '0'),
    shrink: isOn(cursor.attribute('shrinkToFit') ?? '0'),
    indent: Math.min(250, Math.max(0, Number(cursor.attribute('indent') ?? 0) || 0)) * indentStep,
    // 91 to 180 count clockwise from the horizontal; 255 stacks the letters.
    rotation: rotation === 255 ? 'stacked' : rotation > 90 ? Math.max(-90, 90 - rotation) : rotation || 0,
  }
}
const across: Readonly<Record<string, CellAlignment['across']>> = {
  left: 'left',
  center: 'center',
  right: 'right',
  fill: 'fill',
  justify: 'justify',
  distributed: 'distributed',
  centerContinuous: 'selection',
}
const downs: Readonly<Record<string, CellAlignment['down']>> = {
  top: 'top',
  center: 'center',
  justify: 'justify',
  distributed: 'justify',
}
