/** HTML in Word documents: how blocks become paragraphs, tables and runs. Source: template language 22.5; ECMA-376-1, 17. */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import {
  bindHtml,
  type HtmlContent,
  type HtmlMarkup,
  type HtmlSurroundings,
  type HtmlWriter,
} from '../../../../shared/template/html/bind.ts'
import { linesOfCell } from '../../../../shared/template/html/borders.ts'
import type {
  HtmlBlock,
  HtmlBorder,
  HtmlCell,
  HtmlList,
  HtmlParagraph,
  HtmlSides,
  HtmlTable,
} from '../../../../shared/template/html/model.ts'
import { inlinesOf } from '../../../../shared/template/html/plain.ts'
import { reportUnknownThemes } from '../../../../shared/template/html/themes.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attributeOf, attributesOf, withoutAttributes } from '../../../../shared/xml/elements.ts'
import { type HtmlParts, htmlParts } from './html-parts.ts'
import { type RunContext, runs } from './html-runs.ts'
import { changed, type PropertyMarkup, readProperties, writeProperties } from './properties.ts'
import { isTransient } from './transient.ts'

/** The implementation of `OpenOpc.content` for Word documents. */
export function wordContent(text: (part: string) => string | undefined, additions: Additions) {
  const parts = htmlParts(text, additions)
  return {
    prepare: (part: string, tokens: readonly Token[]) => bindHtml(tokens, wordHtml(part, parts, additions)),
    finish: parts.finish,
  }
}

function wordHtml(part: string, parts: HtmlParts, additions: Additions): HtmlMarkup {
  return {
    paragraphs: ['w:p'],
    splittable: new Set(['w:r', 'w:t', 'w:smartTag']),
    properties: new Set(['w:pPr', 'w:rPr', 'w:smartTagPr']),
    silent: new Set(['w:bookmarkStart', 'w:bookmarkEnd', 'w:commentRangeStart', 'w:commentRangeEnd']),
    trailingProperty: { element: 'w:sectPr', before: '<w:p><w:pPr>', after: '</w:pPr></w:p>' },
    reopened: (raw, name) =>
      name === 'w:t' ? '<w:t xml:space="preserve">' : withoutAttributes(raw, isTransient),
    writer: (surroundings) => new WordHtml(part, surroundings, parts, additions),
  }
}

/** The indent of text, in twips, and whether a page break is allowed. */
interface HtmlFlow {
  readonly content: HtmlContent
  readonly scope: RenderScope
  readonly indent: number
  readonly level: number // of lists
  readonly breaks: boolean
  /** The next paragraph begins a new page. */
  pending: boolean
}

const twipsPerPixel = 15
const quoteIndent = 40 * twipsPerPixel
const listIndent = 720
const hanging = 360

/** In right-to-left text, Word counts sides from the start of the line. */
function justificationOf(align: NonNullable<HtmlParagraph['align']>, rtl: true | undefined): string {
  if (align === 'justify') return 'both'
  if (rtl === undefined || align === 'center') return align
  return align === 'left' ? 'right' : 'left'
}

class WordHtml implements HtmlWriter {
  readonly #part: string
  readonly #parts: HtmlParts
  readonly #additions: Additions
  readonly #paragraph: PropertyMarkup
  readonly #run: PropertyMarkup
  readonly #indent: number
  readonly #breaks: boolean

  constructor(part: string, { path, ancestors }: HtmlSurroundings, parts: HtmlParts, additions: Additions) {
    this.#part = part
    this.#parts = parts
    this.#additions = additions
    this.#paragraph = changed(readProperties(path[0]!.properties), {
      'w:jc': undefined,
      'w:pageBreakBefore': undefined,
      'w:outlineLvl': undefined,
      'w:sectPr': undefined,
    })
    this.#run = readProperties(path.findLast(({ name }) => name === 'w:r')?.properties ?? '')
    const indent = this.#paragraph.get('w:ind') ?? ''
    const left = Number(attributeOf(indent, 'w:left') ?? attributeOf(indent, 'w:start') ?? 0)
    this.#indent = Number.isInteger(left) ? left : 0
    this.#breaks = ancestors.every(
      (name) => !/^w:(?:tc|hdr|ftr|txbxContent|footnote|endnote|comment)$/.test(name),
    )
  }

  inline(blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope): string {
    this.#reportThemes(content, scope)
    const written = runs(inlinesOf(blocks), this.#runContext(content, scope, this.#run))
    const reopened = `<w:r>${writeProperties('w:rPr', this.#run)}<w:t xml:space="preserve">`
    return `</w:t></w:r>${written}${reopened}`
  }

  blocks(blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope, follows: boolean): string {
    this.#reportThemes(content, scope)
    const flow: HtmlFlow = {
      content,
      scope,
      indent: this.#indent,
      level: 0,
      breaks: this.#breaks,
      pending: false,
    }
    let out = ''
    blocks.forEach((block, at) => {
      out += this.#block(block, flow, at === 0)
      const next = blocks[at + 1]
      const isLast = next === undefined && !follows
      const spaced =
        block.kind === 'paragraph' ? block.spaced && block.heading === undefined : block.kind !== 'rule'
      if (spaced && !content.options.nospace && !isLast) out += this.#empty()
      else if (block.kind === 'table' && next?.kind !== 'paragraph' && !(next === undefined && follows))
        out += this.#empty()
    })
    if (flow.pending) out += '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    return out
  }

  #reportThemes({ options }: HtmlContent, scope: RenderScope): void {
    reportUnknownThemes(scope, options, {
      has: (kind, name) => this.#parts.style(kind, name) !== undefined,
      names: (kind) => this.#parts.styleNames(kind),
    })
  }

  #empty(): string {
    const properties = changed(this.#paragraph, { 'w:numPr': undefined })
    return `<w:p>${writeProperties('w:pPr', properties)}</w:p>`
  }

  #block(block: HtmlBlock, flow: HtmlFlow, first: boolean): string {
    switch (block.kind) {
      case 'paragraph':
        return this.#text(block, flow, first ? {} : { 'w:numPr': undefined })
      case 'list':
        return this.#list(block, flow)
      case 'table':
        return this.#table(block, flow)
      case 'rule':
        return `<w:p>${writeProperties(
          'w:pPr',
          changed(this.#paragraph, {
            'w:numPr': undefined,
            'w:pBdr': '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>',
            'w:spacing': '<w:spacing w:before="120" w:after="120" w:line="120" w:lineRule="exact"/>',
            ...this.#indented(flow.indent + quoteIndent * block.quote, 0),
          }),
        )}</w:p>`
      default:
        return block satisfies never
    }
  }

  #indented(left: number, hang: number): Readonly<Record<string, string | undefined>> {
    if (left === this.#indent && hang === 0) return {}
    const declared = attributesOf(this.#paragraph.get('w:ind') ?? '')
    const right = ['w:right', 'w:end'].find((name) => declared.has(name))
    const rightIndent = right === undefined ? '' : ` ${right}="${declared.get(right)}"`
    return {
      'w:ind': `<w:ind w:left="${left}"${rightIndent}${hang === 0 ? '' : ` w:hanging="${hang}"`}/>`,
    }
  }

  #text(block: HtmlParagraph, flow: HtmlFlow, changes: Readonly<Record<string, string | undefined>>): string {
    const { heading, quote, rtl } = block
    const indent = flow.indent + Math.round((block.indent ?? 0) * twipsPerPixel)
    const { headingTheme, quoteTheme } = flow.content.options
    let properties = this.#paragraph
    let run = this.#run
    if (quote > 0) {
      const style = quoteTheme === undefined ? undefined : this.#parts.style('paragraph', quoteTheme)
      properties =
        style === undefined
          ? changed(properties, this.#indented(indent + quoteIndent * quote, 0))
          : changed(properties, { 'w:pStyle': `<w:pStyle w:val="${style}"/>`, 'w:ind': undefined })
    } else if (indent !== this.#indent) properties = changed(properties, this.#indented(indent, 0))
    if (heading !== undefined) {
      const style = this.#heading(flow, heading, headingTheme)
      properties = changed(
        new Map(),
        style === undefined ? this.#defaultHeading(heading) : { 'w:pStyle': style },
      )
      // The heading style determines its formatting, not the text around the tag.
      run = new Map([...run].filter(([name]) => name === 'w:lang' || name === 'w:rtl'))
      if (style === undefined)
        run = changed(run, { 'w:b': '<w:b/>', 'w:sz': `<w:sz w:val="${36 - 3 * heading}"/>` })
    }
    const breakBefore = flow.breaks && (flow.pending || block.breakBefore === true)
    properties = changed(properties, {
      ...changes,
      ...(breakBefore ? { 'w:pageBreakBefore': '<w:pageBreakBefore/>' } : {}),
      ...(block.background === undefined
        ? {}
        : { 'w:shd': `<w:shd w:val="clear" w:color="auto" w:fill="${block.background}"/>` }),
      ...(block.borders === undefined ? {} : { 'w:pBdr': paragraphBorders(block.borders) }),
      ...(rtl === undefined ? {} : { 'w:bidi': '<w:bidi/>' }),
      ...(block.align === undefined
        ? {}
        : { 'w:jc': `<w:jc w:val="${justificationOf(block.align, rtl)}"/>` }),
    })
    flow.pending = flow.breaks && block.breakAfter === true
    const text = runs(block.inlines, this.#runContext(flow.content, flow.scope, run))
    return `<w:p>${writeProperties('w:pPr', properties)}${text}</w:p>`
  }

  #heading(flow: HtmlFlow, level: number, theme: string | undefined): string | undefined {
    const named = theme === undefined ? undefined : this.#parts.style('paragraph', `${theme}${level}`)
    const id = named ?? this.#parts.heading(flow.scope, level)
    return id === undefined ? undefined : `<w:pStyle w:val="${id}"/>`
  }

  #defaultHeading(level: number): Readonly<Record<string, string>> {
    return {
      'w:keepNext': '<w:keepNext/>',
      'w:spacing': '<w:spacing w:before="240" w:after="80"/>',
      'w:outlineLvl': `<w:outlineLvl w:val="${level - 1}"/>`,
    }
  }

  #list(list: HtmlList, flow: HtmlFlow): string {
    const id = this.#parts.list(flow.scope, list, flow.level)
    const left = flow.indent + quoteIndent * list.quote + listIndent
    const inner: HtmlFlow = { ...flow, indent: left, level: flow.level + 1 }
    const number = `<w:numPr><w:ilvl w:val="${flow.level}"/><w:numId w:val="${id}"/></w:numPr>`
    const out = list.items.map((item) => {
      const [first, ...following] = item.blocks
      const head = { 'w:numPr': item.unmarked ? undefined : number, ...this.#indented(left, hanging) }
      const lead =
        first?.kind === 'paragraph'
          ? this.#text({ ...first, quote: 0 }, inner, head)
          : item.unmarked
            ? ''
            : `<w:p>${writeProperties('w:pPr', changed(this.#paragraph, head))}</w:p>`
      const more = first?.kind === 'paragraph' ? following : item.blocks
      return lead + more.map((block, at) => this.#nested(block, inner, more[at + 1])).join('')
    })
    flow.pending = inner.pending
    return out.join('')
  }

  /** A block inside an item is indented like the text of the item. */
  #nested(block: HtmlBlock, flow: HtmlFlow, next: HtmlBlock | undefined): string {
    if (block.kind === 'paragraph') {
      const changes = { 'w:numPr': undefined, ...this.#indented(flow.indent, 0) }
      return this.#text({ ...block, quote: 0 }, flow, changes)
    }
    const isAlone = block.kind === 'table' && next?.kind !== 'paragraph'
    return this.#block(block, flow, false) + (isAlone ? this.#empty() : '')
  }

  #table(table: HtmlTable, flow: HtmlFlow): string {
    const { rows, columns, widths, headerRows } = table
    const theme = flow.content.options.tableTheme
    const style = theme === undefined ? undefined : this.#parts.style('table', theme)
    const indent = flow.indent + quoteIndent * table.quote
    const available = this.#parts.textWidth() - Math.max(0, Math.min(indent, maxTableIndent))
    const width = widthIn(table, available)
    const sizes = Array.from({ length: columns }, (_, at) =>
      Math.floor(width * (widths?.[at] ?? 1 / columns)),
    )
    const across = (from: number, to: number) => sizes.slice(from, to).reduce((sum, size) => sum + size, 0)
    const inner: HtmlFlow = { ...flow, indent: 0, level: 0, breaks: false, pending: false }
    /** Column -> the borders of the cell that began there. Word repeats them in each part of a merged cell. */
    const lines: HtmlSides<HtmlBorder>[] = []
    const cell = (htmlCell: HtmlCell, row: number, column: number) => {
      const { colspan, rowspan, covered, background } = htmlCell
      if (!covered) lines[column] = linesOfCell(table, { row, column }, { rows: rowspan, columns: colspan })
      const merge = covered ? '<w:vMerge/>' : rowspan > 1 ? '<w:vMerge w:val="restart"/>' : ''
      const properties = [
        `<w:tcW w:w="${across(column, column + colspan)}" w:type="dxa"/>`,
        colspan > 1 ? `<w:gridSpan w:val="${colspan}"/>` : '',
        merge,
        // A table style determines the borders and margins of its tables.
        style === undefined ? cellBorders(lines[column] ?? {}, table.rtl) : '',
        background === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${background}"/>`,
        style === undefined ? cellMargins(htmlCell.padding, table.rtl) : '',
        htmlCell.verticalAlign === undefined
          ? ''
          : `<w:vAlign w:val="${htmlCell.verticalAlign === 'middle' ? 'center' : htmlCell.verticalAlign}"/>`,
      ]
      return `<w:tc><w:tcPr>${properties.join('')}</w:tcPr>${this.#cellText(htmlCell.blocks, inner, style === undefined)}</w:tc>`
    }
    const rowMarkup = rows.map((cells, at) => {
      let out = ''
      for (let column = 0; column < columns; ) {
        const htmlCell = cells[column]
        if (htmlCell === undefined) break
        out += cell(htmlCell, at, column)
        column += htmlCell.colspan
      }
      return `<w:tr>${at < headerRows ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${out}</w:tr>`
    })
    const grid = sizes.map((size) => `<w:gridCol w:w="${size}"/>`).join('')
    const properties = tableProperties(table, { style, indent, width, isFullWidth: width === available })
    return `<w:tbl>${properties}<w:tblGrid>${grid}</w:tblGrid>${rowMarkup.join('')}</w:tbl>`
  }

  /**
   * The content of a cell. A cell must end with a paragraph, and two tables must not touch. With `padded`, the cell has
   * margins, so the space above its first and below its last paragraph is omitted.
   */
  #cellText(blocks: readonly HtmlBlock[], flow: HtmlFlow, padded: boolean): string {
    const text = blocks
      .map((block, at) => {
        const next = blocks[at + 1]
        const gap = block.kind === 'table' && next?.kind !== 'paragraph' ? this.#cellParagraph() : ''
        const spaces =
          padded && block.kind === 'paragraph' ? spacesInCell(block, at, blocks.length) : undefined
        const written =
          block.kind === 'paragraph'
            ? this.#text(block, flow, {
                'w:numPr': undefined,
                ...this.#flush(block, flow),
                ...(spaces === undefined ? {} : this.#spacing(spaces)),
              })
            : this.#block(block, flow, false)
        return written + gap
      })
      .join('')
    return text === '' ? this.#cellParagraph() : text
  }

  /** The spacing of the tag's paragraph, without that above or below. */
  #spacing({ above, below }: { readonly above: boolean; readonly below: boolean }) {
    const declared = new Map(attributesOf(this.#paragraph.get('w:spacing') ?? ''))
    for (const [name, hasSpace] of [['before', above] as const, ['after', below] as const]) {
      if (hasSpace) continue
      declared.set(`w:${name}`, '0')
      declared.delete(`w:${name}Lines`)
      declared.delete(`w:${name}Autospacing`)
    }
    const attributes = [...declared].map(([name, value]) => ` ${name}="${value}"`).join('')
    return attributes === '' ? {} : { 'w:spacing': `<w:spacing${attributes}/>` }
  }

  /** The indentation of the tag's paragraph applies to the table, not to its content. */
  #flush({ quote }: HtmlParagraph, flow: HtmlFlow): Readonly<Record<string, string | undefined>> {
    return quote > 0 || flow.indent !== 0 || this.#indent === 0 ? {} : { 'w:ind': undefined }
  }

  #cellParagraph(): string {
    return `<w:p>${writeProperties('w:pPr', changed(this.#paragraph, { 'w:numPr': undefined, 'w:ind': undefined }))}</w:p>`
  }

  #runContext(content: HtmlContent, scope: RenderScope, run: PropertyMarkup): RunContext {
    return { content, scope, run, part: this.#part, parts: this.#parts, additions: this.#additions }
  }
}

/** The width of a table in twips, limited to the available width, which is also the default. */
function widthIn({ width }: HtmlTable, available: number): number {
  if (width === undefined) return available
  const declared = width.unit === 'px' ? width.value * twipsPerPixel : (available * width.value) / 100
  return Math.min(available, Math.max(1, Math.round(declared)))
}

const maxTableIndent = 6_000 // twips

/** `width` is in twips; with `isFullWidth` the table occupies the available width. Source: ECMA-376-1, 17.4.59. */
function tableProperties(
  { rtl, align, width: declared }: HtmlTable,
  {
    style,
    indent,
    width,
    isFullWidth,
  }: {
    readonly style: string | undefined
    readonly indent: number
    readonly width: number
    readonly isFullWidth: boolean
  },
): string {
  const percent = isFullWidth ? 100 : declared?.unit === 'percent' ? declared.value : undefined
  const isRelative = indent === 0 && percent !== undefined
  const justification = align === undefined ? undefined : justificationOf(align, rtl)
  const properties = [
    style === undefined ? '' : `<w:tblStyle w:val="${style}"/>`,
    rtl === true ? '<w:bidiVisual/>' : '',
    isRelative
      ? `<w:tblW w:w="${Math.round(percent * 50)}" w:type="pct"/>`
      : `<w:tblW w:w="${width}" w:type="dxa"/>`,
    justification === undefined || justification === 'left' ? '' : `<w:jc w:val="${justification}"/>`,
    indent === 0 ? '' : `<w:tblInd w:w="${indent}" w:type="dxa"/>`,
    style === undefined
      ? '<w:tblCellMar><w:top w:w="57" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="57" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar>'
      : '',
    '<w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>',
  ]
  return `<w:tblPr>${properties.join('')}</w:tblPr>`
}

const borderStyles: Readonly<Record<HtmlBorder['style'], string>> = {
  solid: 'single',
  double: 'double',
  dashed: 'dashed',
  dotted: 'dotted',
}

/** Writes sides in the order of the schema. In right-to-left tables Word counts them from the start of the line. */
function writeSides<T>(
  { top, right, bottom, left }: HtmlSides<T>,
  rtl: true | undefined,
  write: (name: string, value: T) => string,
): string {
  const [start, end] = rtl === true ? [right, left] : [left, right]
  const named = [
    ['top', top] as const,
    ['left', start] as const,
    ['bottom', bottom] as const,
    ['right', end] as const,
  ]
  return named.map(([name, value]) => (value === undefined ? '' : write(name, value))).join('')
}

/** Whether a paragraph keeps its space above and below inside a cell. Text outside of a block element has none. */
const spacesInCell = ({ spaced }: HtmlParagraph, at: number, count: number) => ({
  above: spaced && at > 0,
  below: spaced && at < count - 1,
})

/** Source: ECMA-376-1, 17.3.1.24. Equal borders of paragraphs that follow one another are drawn around all of them. */
function paragraphBorders(borders: HtmlSides<HtmlBorder>): string {
  const lines = (['top', 'left', 'bottom', 'right'] as const).map((side) => {
    const line = borders[side]
    return line === undefined ? '' : borderLine(side, line, 1)
  })
  return `<w:pBdr>${lines.join('')}</w:pBdr>`
}

/** `space`: the distance from the text, in points. The width of a double line is that of each stroke and of the gap between them. */
function borderLine(name: string, { style, width, color = 'auto' }: HtmlBorder, space: number): string {
  const eighths = Math.max(2, Math.round(style === 'double' ? width * 2 : width * 6)) // of a point
  return `<w:${name} w:val="${borderStyles[style]}" w:sz="${eighths}" w:space="${space}" w:color="${color}"/>`
}

/** Source: ECMA-376-1, 17.4.66. */
function cellBorders(borders: HtmlSides<HtmlBorder>, rtl: true | undefined): string {
  const lines = writeSides(borders, rtl, (name, line) => borderLine(name, line, 0))
  return lines === '' ? '' : `<w:tcBorders>${lines}</w:tcBorders>`
}

/** Source: ECMA-376-1, 17.4.68. */
function cellMargins(padding: HtmlSides<number> | undefined, rtl: true | undefined): string {
  if (padding === undefined) return ''
  const margins = writeSides(
    padding,
    rtl,
    (name, pixels) => `<w:${name} w:w="${Math.round(pixels * twipsPerPixel)}" w:type="dxa"/>`,
  )
  return `<w:tcMar>${margins}</w:tcMar>`
}
