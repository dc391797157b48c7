/** The formatting that HTML elements and their attributes apply to text. Source: template language 22.5. */

import type { Writable } from '../../document/writable.ts'
import { entryOf } from '../../entry-of.ts'
import {
  type DeclaredBorders,
  declaredBorders,
  declaredPadding,
  drawnBorders,
  noBorders,
  tableBorders,
} from './borders.ts'
import {
  fontElementSizes,
  readColor,
  readDeclarations,
  readFontFamily,
  readFontSize,
  readLength,
} from './css.ts'
import type {
  HtmlCell,
  HtmlParagraph,
  HtmlSides,
  HtmlTable,
  HtmlWidth,
  InlineStyle,
  ListMarker,
} from './model.ts'

/** Elements whose content is never shown. */
export const hiddenNames = new Set(
  'script style template title iframe noembed noframes object video audio canvas svg math select datalist'.split(
    ' ',
  ),
)

/** Elements that begin on a new line. */
export const blockNames = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 pre blockquote div section article aside header footer main nav figure figcaption address ' +
    'dl dt dd fieldset legend form details summary center body html'
  ).split(' '),
)

const byName: Readonly<Record<string, InlineStyle>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  strike: { strike: true },
  del: { strike: true },
  sup: { position: 'sup' },
  sub: { position: 'sub' },
  mark: { highlighted: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
  a: {},
  span: {},
  font: {},
  label: {},
}
/** Elements that only change the formatting of text. */
export const inlineNames = new Set(Object.keys(byName))

/** The formatting that an inline element applies to its text. */
export function styleOf(
  name: string,
  attributes: ReadonlyMap<string, string>,
  inherited: InlineStyle,
): InlineStyle {
  const link = name === 'a' ? attributes.get('href')?.trim() : undefined
  const { inlineStyle, background } = declared(attributes, inherited)
  return {
    ...entryOf(byName, name),
    ...(name === 'font' ? fontAttributes(attributes) : {}),
    ...inlineStyle,
    ...(background === undefined ? {} : { background }),
    ...(link === undefined || link === '' ? {} : { link }),
  }
}

function fontAttributes(attributes: ReadonlyMap<string, string>): InlineStyle {
  const color = readColor(attributes.get('color') ?? '')
  const size = fontElementSizes[Number(attributes.get('size')) - 1]
  const font = readFontFamily(attributes.get('face') ?? '')
  return {
    ...(color === undefined ? {} : { color }),
    ...(size === undefined ? {} : { size }),
    ...(font === undefined ? {} : { font }),
  }
}

/** The properties that an element applies to its paragraphs. */
export type BlockStyle = Pick<
  HtmlParagraph,
  'heading' | 'preformatted' | 'align' | 'background' | 'borders' | 'spaced' | 'indent' | 'rtl'
>

/** A declared block style. `start` and `end` are not yet resolved to sides of the page. */
export interface DeclaredBlock extends Omit<BlockStyle, 'align' | 'rtl'> {
  readonly align?: HtmlAlignment
  readonly direction?: 'ltr' | 'rtl'
}
export type HtmlAlignment = NonNullable<HtmlParagraph['align']> | 'start' | 'end'

export interface BlockDeclarations {
  readonly inlineStyle: InlineStyle
  readonly block: DeclaredBlock
  readonly breakBefore: boolean
  readonly breakAfter: boolean
}

const spacedNames = new Set('p h1 h2 h3 h4 h5 h6 pre blockquote'.split(' '))

/** The formatting that a block element applies to its paragraphs and their text. */
export function blockStyle(
  name: string,
  attributes: ReadonlyMap<string, string>,
  inherited: InlineStyle,
): BlockDeclarations {
  const { inlineStyle, background, align, direction, indent, borders, breakBefore, breakAfter } = declared(
    attributes,
    inherited,
  )
  const code: InlineStyle = name === 'pre' ? { code: true } : {}
  const addedIndent = name === 'dd' ? definitionIndent : indentedNames.has(name) ? indent : 0
  const heading = /^h[1-6]$/.test(name) ? Number(name[1]) : undefined
  return {
    inlineStyle: { ...code, ...inlineStyle },
    block: {
      spaced: spacedNames.has(name),
      ...(heading === undefined ? {} : { heading }),
      ...(name === 'pre' ? { preformatted: true } : {}),
      ...(align === undefined ? (name === 'center' ? { align: 'center' } : {}) : { align }),
      ...(background === undefined ? {} : { background }),
      ...(borders === undefined || !borderedNames.has(name) ? {} : { borders }),
      ...(direction === undefined ? {} : { direction }),
      ...(addedIndent === 0 ? {} : { indent: addedIndent }),
    },
    breakBefore,
    breakAfter,
  }
}

const definitionIndent = 40 // px, the default of browsers

/** Elements whose borders become the borders of their paragraphs. */
const borderedNames = new Set('p h1 h2 h3 h4 h5 h6 pre div section article blockquote'.split(' '))

/** Elements whose margin counts as indentation. Block quotes and lists have their own indentation. */
const indentedNames = new Set('p h1 h2 h3 h4 h5 h6 pre div section article'.split(' '))

/** The level of a list item of Quill, which writes nested lists as one list with a class for each level. */
export function itemLevel(attributes: ReadonlyMap<string, string>): number {
  return Number(/(?:^|\s)ql-indent-([1-8])(?:\s|$)/.exec(attributes.get('class') ?? '')?.[1] ?? 0)
}

const msoList = (attributes: ReadonlyMap<string, string>): string =>
  readDeclarations(attributes.get('style') ?? '').get('mso-list') ?? ''

/** The list level, from 1, of a paragraph that Word wrote as a list item; undefined for other paragraphs. */
export function wordListLevel(attributes: ReadonlyMap<string, string>): number | undefined {
  const level = /\blevel([1-9])\b/i.exec(msoList(attributes))?.[1]
  return level === undefined ? undefined : Number(level)
}

/** Whether an element contains the number or bullet of such an item. */
export const isListMarker = (attributes: ReadonlyMap<string, string>): boolean =>
  msoList(attributes).toLowerCase() === 'ignore'

/**
 * Parses the marker that Word wrote before an item as text: `2.`, `b)`, `iv.` or a bullet. `number` is the ordinal of the
 * item.
 */
export function readMarker(text: string): { readonly marker: ListMarker; readonly number: number } {
  const word = /^\(?([0-9]{1,5}|[a-z]{1,8}|[A-Z]{1,8})[.)]/.exec(text.replace(/[\s\u00a0]/g, ''))?.[1]
  if (word === undefined) return { marker: 'bullet', number: 1 }
  if (/^[0-9]/.test(word)) return { marker: 'decimal', number: Number(word) }
  const lower = word.toLowerCase()
  const isUpper = word !== lower
  // Roman numerals are more common than a list of letters that begins with one of these.
  if (/^[ivx]+$/.test(lower)) return { marker: isUpper ? 'upperRoman' : 'lowerRoman', number: 1 }
  return {
    marker: isUpper ? 'upperLetter' : 'lowerLetter',
    number: lower.length === 1 ? lower.charCodeAt(0) - 96 : 1,
  }
}

/** The alignment class that Quill sets on a block. */
const quillAlignment = (attributes: ReadonlyMap<string, string>): string =>
  /(?:^|\s)ql-align-(center|right|justify)(?:\s|$)/.exec(attributes.get('class') ?? '')?.[1] ?? ''

const alignments: Readonly<Record<string, HtmlAlignment>> = {
  left: 'left',
  start: 'start',
  right: 'right',
  end: 'end',
  center: 'center',
  justify: 'justify',
}

/** `inherited` is the formatting of the surrounding text. */
function declared(attributes: ReadonlyMap<string, string>, inherited: InlineStyle) {
  const style = attributes.get('style')
  const css = readDeclarations(style ?? '')
  const value = (name: string) => css.get(name)?.toLowerCase() ?? ''
  const inlineStyle: Writable<InlineStyle> = {}
  const color = readColor(value('color'))
  if (color !== undefined) inlineStyle.color = color
  const weight = value('font-weight')
  if (/^(?:bold|bolder|[6-9]00)$/.test(weight)) inlineStyle.bold = true
  else if (/^(?:normal|lighter|[1-4]00)$/.test(weight)) inlineStyle.bold = false
  if (/^(?:italic|oblique)/.test(value('font-style'))) inlineStyle.italic = true
  else if (value('font-style') === 'normal') inlineStyle.italic = false
  const line = `${value('text-decoration')} ${value('text-decoration-line')}`
  if (line.includes('underline')) inlineStyle.underline = true
  else if (line.trim() === 'none') inlineStyle.underline = false
  if (line.includes('line-through')) inlineStyle.strike = true
  const raised = value('vertical-align')
  if (raised === 'super') inlineStyle.position = 'sup'
  else if (raised === 'sub') inlineStyle.position = 'sub'
  const size = readFontSize(value('font-size'), inherited.size)
  if (size !== undefined) inlineStyle.size = size
  const font = readFontFamily(css.get('font-family') ?? '')
  if (font !== undefined) inlineStyle.font = font
  const background = readColor(value('background-color')) ?? readColor(value('background'))
  const written = value('direction') || (attributes.get('dir')?.trim().toLowerCase() ?? '')
  const direction = written === 'rtl' || written === 'ltr' ? written : undefined
  const side = direction === 'rtl' ? 'right' : 'left'
  const [, right, , left] = expanded(value('margin'))
  const [, paddingRight, , paddingLeft] = expanded(value('padding'))
  const indent =
    (readLength(css.get(`margin-${side}`) ?? (side === 'left' ? left : right)) ?? 0) +
    (readLength(css.get(`padding-${side}`) ?? (side === 'left' ? paddingLeft : paddingRight)) ?? 0)
  const aligned =
    value('text-align') || (attributes.get('align')?.toLowerCase() ?? quillAlignment(attributes))
  return {
    inlineStyle,
    background,
    align: entryOf(alignments, aligned),
    direction: direction as 'ltr' | 'rtl' | undefined,
    borders: drawnBorders(declaredBorders(css, noBorders)),
    indent: Math.min(Math.max(indent, 0), maxIndent),
    breakBefore: isPageBreak(value('break-before')) || isPageBreak(value('page-break-before')),
    breakAfter: isPageBreak(value('break-after')) || isPageBreak(value('page-break-after')),
  }
}

const isPageBreak = (value: string): boolean => value === 'page' || value === 'always'

const maxIndent = 600 // px

/** The declared width of a table, a column or a cell; undefined if there is none. */
export function declaredWidth(attributes: ReadonlyMap<string, string>): HtmlWidth | undefined {
  for (const text of [
    readDeclarations(attributes.get('style') ?? '').get('width'),
    attributes.get('width'),
  ]) {
    const percent = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*%\s*$/.exec(text ?? '')
    const value = percent === null ? (readLength(text ?? '') ?? 0) : Number(percent[1])
    if (value > 0) return { unit: percent === null ? 'px' : 'percent', value: Math.min(value, 10_000) }
  }
  return undefined
}

/** The box of a table: its alignment, its borders, and the properties that its attributes apply to its cells. */
export interface TableBox {
  readonly direction: 'ltr' | 'rtl' | undefined
  readonly width: HtmlWidth | undefined
  readonly align: HtmlTable['align']
  readonly background: string | undefined
  readonly borders: DeclaredBorders
  readonly cells: { readonly borders: DeclaredBorders; readonly padding: HtmlSides<number> }
}

export function tableBox(attributes: ReadonlyMap<string, string>): TableBox {
  const css = readDeclarations(attributes.get('style') ?? '')
  const { direction, background } = declared(attributes, {})
  const { table: outer, cells } = tableBorders(attributes, css)
  const padding = readLength(attributes.get('cellpadding') ?? '')
  return {
    direction,
    width: declaredWidth(attributes),
    align: tableAlignment(attributes, css),
    background: background ?? readColor(attributes.get('bgcolor') ?? ''),
    borders: outer,
    cells: {
      borders: cells,
      padding: padding === undefined ? {} : declaredPadding(new Map([['padding', `${padding}px`]])),
    },
  }
}

/** Automatic margins on both sides centre a table; one on the left aligns it to the right. */
function tableAlignment(
  attributes: ReadonlyMap<string, string>,
  css: ReadonlyMap<string, string>,
): HtmlTable['align'] {
  const [, right = '', , left = right] = expanded(css.get('margin') ?? '')
  const isAuto = (side: string, short: string) =>
    (css.get(`margin-${side}`) ?? short).toLowerCase() === 'auto'
  if (isAuto('left', left)) return isAuto('right', right) ? 'center' : 'right'
  const side = css.get('float')?.toLowerCase() ?? attributes.get('align')?.toLowerCase()
  return side === 'left' || side === 'center' || side === 'right' ? side : undefined
}

/** Expands a shorthand to the values for top, right, bottom and left. */
function expanded(shorthand: string): readonly [string, string, string, string] {
  const [top = '', right = top, bottom = top, left = right] = shorthand.split(/\s+/)
  return [top, right, bottom, left]
}

/** The borders, padding and vertical alignment of a row or cell. */
export interface CellBox {
  readonly borders: DeclaredBorders
  readonly padding: HtmlSides<number>
  readonly verticalAlign: HtmlCell['verticalAlign']
}

export function cellBox(attributes: ReadonlyMap<string, string>, hints: DeclaredBorders): CellBox {
  const css = readDeclarations(attributes.get('style') ?? '')
  const verticalAlign = css.get('vertical-align')?.toLowerCase() ?? attributes.get('valign')?.toLowerCase()
  return {
    borders: declaredBorders(css, hints),
    padding: declaredPadding(css),
    verticalAlign:
      verticalAlign === 'top' || verticalAlign === 'middle' || verticalAlign === 'bottom'
        ? verticalAlign
        : undefined,
  }
}

/** The list marker that the `list-style-type` of a list specifies. */
export function listMarker(attributes: ReadonlyMap<string, string>): ListMarker | 'none' | undefined {
  const css = readDeclarations(attributes.get('style') ?? '')
  const declared = (css.get('list-style-type') ?? css.get('list-style') ?? '').toLowerCase().split(/\s+/)
  const name = declared.find((word) => Object.hasOwn(listMarkers, word))
  return name === undefined ? undefined : entryOf(listMarkers, name)
}
const listMarkers: Readonly<Record<string, ListMarker | 'none'>> = {
  none: 'none',
  disc: 'bullet',
  circle: 'bullet',
  square: 'bullet',
  decimal: 'decimal',
  'decimal-leading-zero': 'decimal',
  'lower-alpha': 'lowerLetter',
  'lower-latin': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'upper-latin': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
}

const largestPicture = 20_000 // px

/** The width or height of a picture in px, from its style or its attribute; undefined if neither specifies it. */
export function pixels(attributes: ReadonlyMap<string, string>, name: string): number | undefined {
  const css = readDeclarations(attributes.get('style') ?? '').get(name)
  for (const text of [css, attributes.get(name)]) {
    const size = readLength(text ?? '') ?? 0
    if (size > 0) return Math.min(size, largestPicture)
  }
  return undefined
}
