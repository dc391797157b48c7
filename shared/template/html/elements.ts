/** The formatting that elements of HTML and their attributes give to text. Source: template language 22.5. */
import type { Writable } from '../../document/writable.ts'
import { readColor, readDeclarations } from './css.ts'
import type { HtmlParagraph, InlineStyle, ListMarker } from './model.ts'

/** Elements whose content is never shown. */
export const hiddenNames = new Set(
  'script style template title iframe noembed noframes object video audio canvas svg math select datalist'.split(
    ' ',
  ),
)

/** Elements that begin on a line of their own. */
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
/** Names of elements that change the formatting of text and nothing else. */
export const inlineNames = new Set(Object.keys(byName))

/** The formatting that an element inside a paragraph gives to its text. */
export function styleOf(name: string, attributes: ReadonlyMap<string, string>): InlineStyle {
  const link = name === 'a' ? attributes.get('href')?.trim() : undefined
  const color = name === 'font' ? readColor(attributes.get('color') ?? '') : undefined
  const { inlineStyle, background } = declared(attributes)
  return {
    ...(Object.hasOwn(byName, name) ? byName[name] : {}),
    ...(color === undefined ? {} : { color }),
    ...inlineStyle,
    ...(background === undefined ? {} : { background }),
    ...(link === undefined || link === '' ? {} : { link }),
  }
}

/** The properties that an element gives to the paragraphs in it. */
export type BlockStyle = Pick<
  HtmlParagraph,
  'heading' | 'preformatted' | 'align' | 'background' | 'spaced' | 'indent' | 'rtl'
>

/** A block style as written. `start` and `end` are not yet resolved to sides of the page. */
export interface DeclaredBlock extends Omit<BlockStyle, 'align' | 'rtl'> {
  readonly align?: HtmlAlignment
  readonly direction?: 'ltr' | 'rtl'
}
export type HtmlAlignment = NonNullable<HtmlParagraph['align']> | 'start' | 'end'

export interface BlockSays {
  readonly inlineStyle: InlineStyle
  readonly block: DeclaredBlock
  readonly breakBefore: boolean
  readonly breakAfter: boolean
}

const spacedNames = new Set('p h1 h2 h3 h4 h5 h6 pre blockquote'.split(' '))

/** The formatting that a block element gives to its paragraphs and to the text in them. */
export function blockStyle(name: string, attributes: ReadonlyMap<string, string>): BlockSays {
  const { inlineStyle, background, align, direction, indent, breakBefore, breakAfter } = declared(attributes)
  const code: InlineStyle = name === 'pre' ? { code: true } : {}
  const heading = /^h[1-6]$/.test(name) ? Number(name[1]) : undefined
  return {
    inlineStyle: { ...code, ...inlineStyle },
    block: {
      spaced: spacedNames.has(name),
      ...(heading === undefined ? {} : { heading }),
      ...(name === 'pre' ? { preformatted: true } : {}),
      ...(align === undefined ? (name === 'center' ? { align: 'center' } : {}) : { align }),
      ...(background === undefined ? {} : { background }),
      ...(direction === undefined ? {} : { direction }),
      ...(indent === 0 || !indentedNames.has(name) ? {} : { indent }),
    },
    breakBefore,
    breakAfter,
  }
}

/** Elements whose margin counts as indentation. Block quotes and lists are indented by their own kind. */
const indentedNames = new Set('p h1 h2 h3 h4 h5 h6 pre div section article'.split(' '))

const alignments: Readonly<Record<string, HtmlAlignment>> = {
  left: 'left',
  start: 'start',
  right: 'right',
  end: 'end',
  center: 'center',
  justify: 'justify',
}

function declared(attributes: ReadonlyMap<string, string>) {
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
  const background = readColor(value('background-color')) ?? readColor(value('background'))
  const written = value('direction') || (attributes.get('dir')?.trim().toLowerCase() ?? '')
  const direction = written === 'rtl' || written === 'ltr' ? written : undefined
  const side = direction === 'rtl' ? 'right' : 'left'
  const indent =
    length(css.get(`margin-${side}`) ?? sideOf(value('margin'), side)) +
    length(css.get(`padding-${side}`) ?? sideOf(value('padding'), side))
  const aligned = value('text-align') || (attributes.get('align')?.toLowerCase() ?? '')
  return {
    inlineStyle,
    background,
    align: Object.hasOwn(alignments, aligned) ? alignments[aligned] : undefined,
    direction: direction as 'ltr' | 'rtl' | undefined,
    indent: Math.min(Math.max(indent, 0), maxIndent),
    breakBefore: isPageBreak(value('break-before')) || isPageBreak(value('page-break-before')),
    breakAfter: isPageBreak(value('break-after')) || isPageBreak(value('page-break-after')),
  }
}

const isPageBreak = (value: string): boolean => value === 'page' || value === 'always'

const maxIndent = 600 // px

/** One side of the shorthand `1px 2px 3px 4px`. */
function sideOf(shorthand: string, side: 'left' | 'right'): string {
  const values = shorthand.split(/\s+/)
  return (side === 'left' ? (values[3] ?? values[1]) : values[1]) ?? values[0] ?? ''
}

/** A length in px; 0 for what is no length. Percentages count as 0, because the width around is not known. */
function length(text: string): number {
  const match = /^(-?(?:\d+(?:\.\d+)?|\.\d+))\s*(px|pt|cm|mm|in|em|rem)?$/i.exec(text.trim())
  if (match === null) return 0
  return Number(match[1]) * (perUnit[match[2]?.toLowerCase() ?? 'px'] ?? defaultSize)
}
const defaultSize = 16 // px, of 1em

/** The width of a column in percent of the table; a width in px is taken as that of a page of usual width. Undefined without one. */
export function columnWidth(attributes: ReadonlyMap<string, string>): number | undefined {
  for (const text of [
    readDeclarations(attributes.get('style') ?? '').get('width'),
    attributes.get('width'),
  ]) {
    const percent = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*%\s*$/.exec(text ?? '')
    const width = percent === null ? (length(text ?? '') * 100) / usualPage : Number(percent[1])
    if (width > 0) return Math.min(width, 1_000)
  }
  return undefined
}
const usualPage = 640 // px

/** The list marker that the style of a list requests. */
export function listMarker(attributes: ReadonlyMap<string, string>): ListMarker | 'none' | undefined {
  const css = readDeclarations(attributes.get('style') ?? '')
  const declared = (css.get('list-style-type') ?? css.get('list-style') ?? '').toLowerCase().split(/\s+/)
  const name = declared.find((word) => Object.hasOwn(listMarkers, word))
  return name === undefined ? undefined : listMarkers[name]
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

/** The width or height of a picture in px, from its style or its attribute; undefined without one. */
export function pixels(attributes: ReadonlyMap<string, string>, name: string): number | undefined {
  const css = readDeclarations(attributes.get('style') ?? '').get(name)
  for (const text of [css, attributes.get(name)]) {
    const match = /^\s*(\d+(?:\.\d+)?)\s*(px|pt|cm|mm|in)?\s*$/i.exec(text ?? '')
    if (match === null) continue
    const size = Number(match[1]) * (perUnit[match[2]?.toLowerCase() ?? 'px'] ?? 1)
    if (size > 0) return Math.min(size, largestPicture)
  }
  return undefined
}

const perUnit: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  in: 96,
}
