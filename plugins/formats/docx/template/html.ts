/** HTML in Word documents: how blocks become paragraphs, tables and runs. Source: template language 22.5; ECMA-376-1, 17. */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import {
  bindHtml,
  type HtmlContent,
  type HtmlMarkup,
  type HtmlSurroundings,
  type HtmlWriter,
} from '../../../../shared/template/html/bind.ts'
import type {
  HtmlBlock,
  HtmlCell,
  HtmlList,
  HtmlParagraph,
  HtmlTable,
} from '../../../../shared/template/html/model.ts'
import { inlinesOf } from '../../../../shared/template/html/plain.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attributeOf, attributesOf, withoutAttributes } from '../../../../shared/xml/elements.ts'
import { type HtmlParts, htmlParts } from './html-parts.ts'
import { type RunContext, runs } from './html-runs.ts'
import { changed, type PropertyMarkup, readProperties, writeProperties } from './properties.ts'
import { isTransient } from './transient.ts'

/** For `OpenOpc.content`. */
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
    apart: { element: 'w:sectPr', before: '<w:p><w:pPr>', after: '</w:pPr></w:p>' },
    reopened: (raw, name) =>
      name === 'w:t' ? '<w:t xml:space="preserve">' : withoutAttributes(raw, isTransient),
    writer: (surroundings) => new WordHtml(part, surroundings, parts, additions),
  }
}

/** The indent of text, in twips, and where page breaks must not be. */
interface HtmlFlow {
  readonly content: HtmlContent
  readonly scope: RenderScope
  readonly indent: number
  readonly level: number // of lists
  readonly breaks: boolean
  /** The next paragraph begins a page. */
  pending: boolean
}

const twipsPerPixel = 15
const quoteIndent = 40 * twipsPerPixel
const listIndent = 720
const hanging = 360
/** Text width of a page with usual margins; readers scale tables to what there is. */
const tableWidth = 9_000

/** In text from right to left, Word counts sides from the start of the line. */
function sideOf(align: NonNullable<HtmlParagraph['align']>, rtl: true | undefined): string {
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
    const written = runs(inlinesOf(blocks), this.#runContext(content, scope, this.#run))
    const reopened = `<w:r>${writeProperties('w:rPr', this.#run)}<w:t xml:space="preserve">`
    return `</w:t></w:r>${written}${reopened}`
  }

  blocks(blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope, follows: boolean): string {
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
        style === undefined ? this.#plainHeading(heading) : { 'w:pStyle': style },
      )
      // The style of the heading decides its formatting, not the text around the tag.
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
      ...(rtl === undefined ? {} : { 'w:bidi': '<w:bidi/>' }),
      ...(block.align === undefined ? {} : { 'w:jc': `<w:jc w:val="${sideOf(block.align, rtl)}"/>` }),
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

  #plainHeading(level: number): Readonly<Record<string, string>> {
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
      const [first, ...others] = item.blocks
      const head = { 'w:numPr': item.unmarked ? undefined : number, ...this.#indented(left, hanging) }
      const lead =
        first?.kind === 'paragraph'
          ? this.#text({ ...first, quote: 0 }, inner, head)
          : item.unmarked
            ? ''
            : `<w:p>${writeProperties('w:pPr', changed(this.#paragraph, head))}</w:p>`
      const more = first?.kind === 'paragraph' ? others : item.blocks
      return lead + more.map((block) => this.#nested(block, inner)).join('')
    })
    flow.pending = inner.pending
    return out.join('')
  }

  /** A block inside an item has the indent of the item's text. */
  #nested(block: HtmlBlock, flow: HtmlFlow): string {
    if (block.kind === 'paragraph') {
      const changes = { 'w:numPr': undefined, ...this.#indented(flow.indent, 0) }
      return this.#text({ ...block, quote: 0 }, flow, changes)
    }
    return this.#block(block, flow, false) + (block.kind === 'table' ? this.#empty() : '')
  }

  #table({ rows, columns, widths, rtl, quote }: HtmlTable, flow: HtmlFlow): string {
    const theme = flow.content.options.tableTheme
    const style = theme === undefined ? undefined : (this.#parts.style('table', theme) ?? undefined)
    const indent = flow.indent + quoteIndent * quote
    const edge = (name: string) => `<w:${name} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`
    const borders = `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(edge).join('')}</w:tblBorders>`
    const margins =
      '<w:tblCellMar><w:left w:w="108" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar>'
    const available = tableWidth - Math.max(0, Math.min(indent, 6_000))
    const sizes = Array.from({ length: columns }, (_, at) =>
      Math.floor(available * (widths?.[at] ?? 1 / columns)),
    )
    const across = (from: number, to: number) => sizes.slice(from, to).reduce((sum, size) => sum + size, 0)
    const total =
      indent === 0
        ? '<w:tblW w:w="5000" w:type="pct"/>'
        : `<w:tblW w:w="${across(0, columns)}" w:type="dxa"/>`
    const properties = [
      style === undefined ? '' : `<w:tblStyle w:val="${style}"/>`,
      rtl === true ? '<w:bidiVisual/>' : '',
      total,
      indent === 0 ? '' : `<w:tblInd w:w="${indent}" w:type="dxa"/>`,
      style === undefined ? borders : '',
      style === undefined ? margins : '',
      '<w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>',
    ].join('')
    const inner: HtmlFlow = { ...flow, indent: 0, level: 0, breaks: false, pending: false }
    const cell = (htmlCell: HtmlCell, column: number) => {
      const merge = htmlCell.covered
        ? '<w:vMerge/>'
        : htmlCell.rowspan > 1
          ? '<w:vMerge w:val="restart"/>'
          : ''
      const span = htmlCell.colspan > 1 ? `<w:gridSpan w:val="${htmlCell.colspan}"/>` : ''
      const fill =
        htmlCell.background === undefined
          ? ''
          : `<w:shd w:val="clear" w:color="auto" w:fill="${htmlCell.background}"/>`
      return `<w:tc><w:tcPr><w:tcW w:w="${across(column, column + htmlCell.colspan)}" w:type="dxa"/>${span}${merge}${fill}</w:tcPr>${this.#cellText(htmlCell.blocks, inner)}</w:tc>`
    }
    const lines = rows.map((cells, at) => {
      const header = at === 0 && cells.every((htmlCell) => htmlCell.header)
      let out = ''
      for (let column = 0; column < columns; ) {
        const htmlCell = cells[column]
        if (htmlCell === undefined) break
        out += cell(htmlCell, column)
        column += htmlCell.colspan
      }
      return `<w:tr>${header ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${out}</w:tr>`
    })
    const grid = sizes.map((size) => `<w:gridCol w:w="${size}"/>`).join('')
    return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${lines.join('')}</w:tbl>`
  }

  /** A cell ends with a paragraph, and tables do not touch. */
  #cellText(blocks: readonly HtmlBlock[], flow: HtmlFlow): string {
    const text = blocks
      .map((block, at) => {
        const next = blocks[at + 1]
        const gap = block.kind === 'table' && next?.kind !== 'paragraph' ? this.#cellParagraph() : ''
        const written =
          block.kind === 'paragraph'
            ? this.#text(block, flow, { 'w:numPr': undefined, ...this.#flush(block, flow) })
            : this.#block(block, flow, false)
        return written + gap
      })
      .join('')
    return text === '' ? this.#cellParagraph() : text
  }

  /** The indentation of the tag's paragraph is that of the table, not of what is in it. */
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
