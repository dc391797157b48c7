import { isFollowed } from '../../../../shared/document/followed-link.ts'
import { maxOf } from '../../../../shared/extremes.ts'
/** Text of shapes and table cells: paragraphs, lists and spans (ODF 1.3 part 3, 5 and 6). */
import type { FlowInline, FlowStyle } from '../../../../shared/flow/flow.ts'
import type { SlideBudget, SlideLine } from '../../../../shared/flow/from-slides.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { inheritedValue, type SlideStyles } from './styles.ts'

/** The state of reading text. */
export interface OdpText {
  readonly cursor: XmlCursor
  readonly budget: SlideBudget
  readonly styles: SlideStyles
  /** Anchors of slides by their names, for links from slide to slide. */
  readonly anchors: ReadonlyMap<string, string>
}

export interface OdpLines {
  readonly lines: SlideLine[]
  size: number // the largest declared font size in pt; 0 if none is declared
}

/** The list that contains a paragraph. */
interface EnclosingList {
  readonly level: number
  readonly style: string | undefined
  readonly start: number | undefined
}

/** The maximum number of spaces of text:s; larger numbers are mistakes. */
const maxSpaces = 1000
const controls = /(?![\t\n\r])\p{Cc}/gu

/** Reads a child of a text box or cell. Returns false if it is not text. */
export function readTextChild(text: OdpText, name: string, into: OdpLines): boolean {
  if (name === 'text:p' || name === 'text:h') readParagraph(text, into, undefined, true)
  else if (name === 'text:list') readList(text, into, undefined)
  else return false
  return true
}

/** text:list. A list inside a list item is one level deeper. */
function readList(text: OdpText, into: OdpLines, enclosing: EnclosingList | undefined): void {
  const { cursor } = text
  const style = cursor.attribute('text:style-name') || enclosing?.style
  const list: EnclosingList = {
    level: enclosing === undefined ? 0 : enclosing.level + 1,
    style,
    start: undefined,
  }
  cursor.each((item) => {
    if (item !== 'text:list-item' && item !== 'text:list-header') return
    const start = Number.parseInt(cursor.attribute('text:start-value') ?? '', 10)
    let isFirst = item === 'text:list-item'
    cursor.each((name) => {
      if (name === 'text:p' || name === 'text:h') {
        readParagraph(text, into, { ...list, start: start >= 0 ? start : undefined }, isFirst)
        isFirst = false
      } else if (name === 'text:list') readList(text, into, list)
    })
  })
}

/** `startsItem`: the paragraph is the first one of its list item. */
function readParagraph(
  text: OdpText,
  into: OdpLines,
  enclosing: EnclosingList | undefined,
  startsItem: boolean,
): void {
  const { cursor, budget, styles } = text
  if (!budget.take()) return
  const name = cursor.attribute('text:style-name')
  const style = styles.styles.get(`paragraph ${name}`)
  const inlines: FlowInline[] = []
  readInlines(text, inlines, style?.text ?? {}, undefined)
  const size = style?.size ?? 0
  if (inlines.length > 0) into.size = Math.max(into.size, size, maxOf(inlines.map(sizeOf)))
  const level = enclosing?.level ?? 0
  const listStyle = enclosing?.style ?? inheritedValue(styles, 'paragraph', name, 'listStyle')
  const listLevel = styles.lists.get(listStyle ?? '')?.get(level)
  const isListed =
    enclosing !== undefined && startsItem && inheritedValue(styles, 'paragraph', name, 'numbered') !== false
  // A list without a style uses the bullets of the presentation outline.
  const list = isListed ? (listLevel === undefined ? 'bullets' : listLevel.list) : undefined
  const align = inheritedValue(styles, 'paragraph', name, 'align')
  into.lines.push({
    inlines,
    level,
    list,
    start: enclosing?.start ?? listLevel?.start ?? 1,
    ...(align !== undefined && { align }),
  })
}

const sizeOf = (inline: FlowInline): number => (inline.kind === 'text' && inline.style.size) || 0

function readInlines(text: OdpText, inlines: FlowInline[], style: FlowStyle, link: string | undefined): void {
  const { cursor, styles } = text
  const add = (value: string): void => {
    const clean = value.replace(controls, '')
    if (clean !== '') inlines.push({ kind: 'text', text: clean, style, ...(link !== undefined && { link }) })
  }
  let endsWithSpace = inlines.length === 0
  cursor.each(
    (name) => {
      endsWithSpace = false
      if (name === 'text:span') {
        const spanStyle = styles.styles.get(`text ${cursor.attribute('text:style-name')}`)
        const size = spanStyle?.size === undefined ? {} : { size: spanStyle.size }
        readInlines(text, inlines, { ...style, ...spanStyle?.text, ...size }, link)
      } else if (name === 'text:a')
        readInlines(text, inlines, style, linkOf(text, cursor.attribute('xlink:href')))
      else if (name === 'text:line-break') inlines.push({ kind: 'break' })
      else if (name === 'text:tab') add('\t')
      else if (name === 'text:s')
        add(' '.repeat(Math.min(maxSpaces, Math.max(1, Number(cursor.attribute('text:c') ?? 1) || 1))))
      else if (!name.startsWith('office:') && name !== 'text:note') readInlines(text, inlines, style, link)
    },
    // White space collapses (ODF 1.3 part 3, 6.1.2).
    (characters) => {
      const collapsed = characters.replace(/[ \t\r\n]+/g, ' ')
      add(endsWithSpace ? collapsed.trimStart() : collapsed)
      endsWithSpace = collapsed.endsWith(' ')
    },
  )
}

/** The address of a link, or the anchor of the slide that it refers to; otherwise undefined. */
function linkOf({ anchors }: OdpText, href: string | undefined): string | undefined {
  if (href === undefined) return undefined
  if (!href.startsWith('#')) return isFollowed(href) ? href : undefined
  const anchor = anchors.get(href.slice(1))
  return anchor === undefined ? undefined : `#${anchor}`
}
