import type {
  CellAlignment,
  CellBorder,
  CellBorders,
  CellFont,
  CellFormat,
  DifferentialFormat,
} from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import {
  backgroundColor,
  border,
  color,
  exactLength,
  percent,
} from '../../../../shared/office/opendocument/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { type NumberStyles, newNumberStyles } from './number-styles.ts'

/** A style as declared: its properties by element kind and name, such as 'text fo:color' (ODF 1.3 part 3, 16). */
export interface WrittenStyle {
  readonly parent: string | undefined
  readonly attributes: ReadonlyMap<string, string>
  readonly properties: ReadonlyMap<string, string>
}
/** Looks up a property in a style, its parents and the default of its family. */
export type PropertyOf = (name: string) => string | undefined

/** All styles of a document. */
export interface SheetStyles {
  readonly written: Map<string, WrittenStyle> // by 'family name'
  readonly defaults: Map<string, WrittenStyle> // by family
  readonly fonts: Map<string, string> // font families by the names of their declarations
  readonly numbers: NumberStyles
  /** Equal borders share one object, since layout compares formats by identity. */
  readonly borders: Map<string, CellBorders>
}

export const newStyles = (): SheetStyles => ({
  written: new Map(),
  defaults: new Map(),
  fonts: new Map(),
  numbers: newNumberStyles(),
  borders: new Map(),
})

/** The maximum number of styles. Further styles are dropped. */
const maxStyles = 100_000
/** The maximum length of a chain of parent styles, which also ends cycles. */
const maxParents = 20

export function readFontFaces(cursor: XmlCursor, { fonts }: SheetStyles): void {
  cursor.each(() => {
    const [name, family] = [cursor.attribute('style:name'), cursor.attribute('svg:font-family')]
    if (name !== undefined && family !== undefined && fonts.size < maxStyles)
      fonts.set(name, unquoted(family))
  })
}
const unquoted = (family: string): string => family.replace(/^['"](.*)['"]$/, '$1')

/**
 * How many decimals the number format `General` shows at most: style:decimal-places of the default style of cells (ODF 1.3 part 3,
 * chapter 20); undefined without a limit.
 */
export function generalDecimalsOf({ defaults }: SheetStyles): number | undefined {
  const value = Number(
    defaults.get('table-cell')?.properties.get('table-cell style:decimal-places') ?? Number.NaN,
  )
  return Number.isInteger(value) && value >= 0 ? Math.min(20, value) : undefined
}

/** Reads style:style or style:default-style at the cursor. */
export function readStyle(cursor: XmlCursor, { written, defaults }: SheetStyles): void {
  const isDefault = cursor.name === 'style:default-style'
  const family = cursor.attribute('style:family') ?? ''
  const name = cursor.attribute('style:name') ?? ''
  const parent = cursor.attribute('style:parent-style-name')
  const attributes = new Map(cursor.attributes())
  const properties = new Map<string, string>()
  cursor.each((element) => {
    const kind = /^style:(.*)-properties$/.exec(element)?.[1]
    if (kind !== undefined)
      for (const [key, value] of cursor.attributes()) properties.set(`${kind} ${key}`, value)
  })
  if (isDefault) defaults.set(family, { parent: undefined, attributes, properties })
  else if (written.size < maxStyles) written.set(`${family} ${name}`, { parent, attributes, properties })
}

/** A style followed by its parents. */
function chainOf({ written }: SheetStyles, family: string, name: string | undefined): WrittenStyle[] {
  const chain: WrittenStyle[] = []
  for (let next = name; next !== undefined && chain.length < maxParents; ) {
    const style = written.get(`${family} ${next}`)
    if (style === undefined) break
    chain.push(style)
    next = style.parent
  }
  return chain
}

/** The properties of a style including inherited ones. */
export function propertiesOf(styles: SheetStyles, family: string, name: string | undefined): PropertyOf {
  const chain = chainOf(styles, family, name)
  const familyDefault = styles.defaults.get(family)
  if (familyDefault !== undefined) chain.push(familyDefault)
  return (property) => {
    for (const { properties } of chain) {
      const value = properties.get(property)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/** An attribute of a style, or of the nearest parent that has it. */
const attributeOf = (
  styles: SheetStyles,
  family: string,
  name: string | undefined,
  attribute: string,
): string | undefined => {
  for (const { attributes } of chainOf(styles, family, name)) {
    const value = attributes.get(attribute)
    if (value !== undefined) return value
  }
  return undefined
}

export const masterPageOf = (styles: SheetStyles, table: string | undefined): string | undefined =>
  attributeOf(styles, 'table', table, 'style:master-page-name')

const defaultFont: CellFont = { family: 'Liberation Sans', size: 10 }

/** The formatting of a cell style including everything that it inherits; for undefined, that of unstyled cells. */
export function formatOf(styles: SheetStyles, name: string | undefined): CellFormat {
  const of = propertiesOf(styles, 'table-cell', name ?? 'Default')
  const fill = backgroundColor(of('table-cell fo:background-color'))
  const dataStyle = attributeOf(styles, 'table-cell', name ?? 'Default', 'style:data-style-name')
  return {
    font: fontOf(of, styles, defaultFont),
    number: (dataStyle !== undefined && styles.numbers.codeOf(dataStyle)) || 'General',
    ...(fill !== undefined && fill !== 'none' && { fill }),
    borders: sharedBorders(styles, bordersOf(of)),
    align: alignmentOf(of),
  }
}

/**
 * The changes of a style that a condition applies: its own properties and those of its parents, but not the defaults of its
 * family. Observed in LibreOffice.
 */
export function differentialOf(styles: SheetStyles, name: string): DifferentialFormat {
  const chain = chainOf(styles, 'table-cell', name)
  const of: PropertyOf = (property) =>
    chain.find(({ properties }) => properties.has(property))?.properties.get(property)
  const fill = backgroundColor(of('table-cell fo:background-color'))
  const borders = bordersOf(of)
  const font = fontPartsOf(of, styles)
  const number = chain.find(({ attributes }) => attributes.has('style:data-style-name'))
  const code =
    number === undefined
      ? undefined
      : styles.numbers.codeOf(number.attributes.get('style:data-style-name') ?? '')
  return {
    ...(Object.keys(font).length > 0 && { font }),
    ...(code !== undefined && { number: code }),
    ...(fill !== undefined && fill !== 'none' && { fill }),
    ...(Object.keys(borders).length > 0 && { borders }),
  }
}

/** The font of a text style, merged over that of the cell. */
export function spanFont(styles: SheetStyles, name: string | undefined, inherited: CellFont): CellFont {
  if (name === undefined) return inherited
  const chain = chainOf(styles, 'text', name)
  return fontOf(
    (property) => chain.find(({ properties }) => properties.has(property))?.properties.get(property),
    styles,
    inherited,
  )
}

const fontOf = (of: PropertyOf, styles: SheetStyles, fallback: CellFont): CellFont => ({
  ...fallback,
  ...fontPartsOf(of, styles),
})

function fontPartsOf(of: PropertyOf, { fonts }: SheetStyles): Partial<CellFont> {
  const font: Partial<Writable<CellFont>> = {}
  const named = of('text style:font-name')
  const family = of('text fo:font-family') ?? (named === undefined ? undefined : (fonts.get(named) ?? named))
  if (family !== undefined) font.family = unquoted(family)
  const size = exactLength(of('text fo:font-size'))
  if (size !== undefined && size > 0) font.size = Math.min(409, Math.max(1, size))
  const weight = of('text fo:font-weight')
  if (weight !== undefined) font.bold = weight === 'bold' || Number(weight) >= 600
  const slant = of('text fo:font-style')
  if (slant !== undefined) font.italic = slant !== 'normal'
  const line = of('text style:text-underline-style')
  if (line !== undefined && line !== 'none')
    font.underline = of('text style:text-underline-type') === 'double' ? 'double' : 'single'
  const through = of('text style:text-line-through-style')
  if (through !== undefined) font.strike = through !== 'none'
  const paint = of('text style:use-window-font-color') === 'true' ? undefined : color(of('text fo:color'))
  if (paint !== undefined) font.color = paint
  const position = of('text style:text-position')?.trim().split(/\s+/)[0]
  if (position === 'super' || (percent(position) ?? 0) > 0) font.script = 'super'
  else if (position === 'sub' || (percent(position) ?? 0) < 0) font.script = 'sub'
  return font
}

function sharedBorders({ borders }: SheetStyles, cellBorders: CellBorders): CellBorders {
  const key = JSON.stringify(cellBorders)
  const shared = borders.get(key)
  if (shared === undefined) borders.set(key, cellBorders)
  return shared ?? cellBorders
}

const sides = ['left', 'right', 'top', 'bottom'] as const
function bordersOf(of: PropertyOf): CellBorders {
  const borders: Writable<CellBorders> = {}
  for (const side of sides) {
    const line = lineOf(of(`table-cell fo:border-${side}`) ?? of('table-cell fo:border'))
    if (line !== undefined) borders[side] = line
  }
  const [up, down] = [
    lineOf(of('table-cell style:diagonal-bl-tr')),
    lineOf(of('table-cell style:diagonal-tl-br')),
  ]
  if (up !== undefined) borders.up = up
  if (down !== undefined) borders.down = down
  return borders
}

function lineOf(text: string | undefined): CellBorder | undefined {
  const read = border(text, 0)
  if (read === undefined || read.style === 'none') return undefined
  const style = entryOf(lines, read.style) ?? 'solid'
  // The width of a double border includes both lines and the space between them.
  const width = style === 'double' ? read.width * 3 : read.width
  return { line: style, width, color: read.color === 'auto' ? '000000' : read.color }
}
const lines: Readonly<Record<string, CellBorder['line']>> = {
  dotted: 'dotted',
  dashed: 'dashed',
  'dot-dash': 'dot-dash',
  'dot-dot-dash': 'dot-dot-dash',
  double: 'double',
}

const across: Readonly<Record<string, CellAlignment['across']>> = {
  start: 'left',
  left: 'left',
  center: 'center',
  end: 'right',
  right: 'right',
  justify: 'justify',
}
const downs: Readonly<Record<string, CellAlignment['down']>> = {
  top: 'top',
  middle: 'center',
  justify: 'justify',
}

function alignmentOf(of: PropertyOf): CellAlignment {
  const isFixed = of('table-cell style:text-align-source') !== 'value-type'
  const alignment = (isFixed && entryOf(across, of('paragraph fo:text-align'))) || 'general'
  const angle = Number(of('table-cell style:rotation-angle')?.replace(/deg$/, '') ?? 0)
  const rotation = Number.isFinite(angle) ? ((((Math.round(angle) + 180) % 360) + 360) % 360) - 180 : 0
  return {
    across: of('table-cell style:repeat-content') === 'true' ? 'fill' : alignment,
    down: entryOf(downs, of('table-cell style:vertical-align')) ?? 'bottom',
    wrap: of('table-cell fo:wrap-option') === 'wrap',
    shrink: of('table-cell style:shrink-to-fit') === 'true',
    indent: Math.max(0, exactLength(of('paragraph fo:margin-left')) ?? 0),
    rotation: of('table-cell style:direction') === 'ttb' ? 'stacked' : Math.max(-90, Math.min(90, rotation)),
    ...paddingOf(of),
  }
}

/** The largest padding that is read, pt. */
const maxPadding = 1_000

/** fo:padding (ODF 1.3 part 3, 20.229 to 20.233). */
function paddingOf(of: PropertyOf): Pick<CellAlignment, 'padding'> {
  const side = (name: string): number | undefined =>
    exactLength(of(`table-cell fo:padding-${name}`)) ?? exactLength(of('table-cell fo:padding'))
  const [left, right, top, bottom] = ['left', 'right', 'top', 'bottom'].map((name) => {
    // Observed in LibreOffice: whole twentieths of a point.
    const size = Math.round((side(name) ?? 1) * 20) / 20
    return Math.min(maxPadding, Math.max(0, size))
  }) as [number, number, number, number]
  if (left === 1 && right === 1 && top === 1 && bottom === 1) return {}
  return { padding: { left, right, top, bottom } }
}
