/**
 * Converts the document model into a flow: headings, lists and emphasis are derived from styles and
 * numberings.
 */

import type { Block, Inline, Paragraph } from '../document/content.ts'
import type { Document } from '../document/document.ts'
import type { Drawing, Shape } from '../document/drawing.ts'
import { buttonSign, isButton } from '../document/form-field.ts'
import { mathWords } from '../document/math.ts'
import type { ListPosition, ParagraphProperties, RunProperties } from '../document/properties.ts'
import type { Style } from '../document/styles.ts'
import type { Cell, Table } from '../document/table.ts'
import type { Warning } from '../plugin/values.ts'
import { assignAll, pushAll } from '../push-all.ts'
import { chartBlocks } from './chart-table.ts'
import {
  type Flow,
  type FlowAlign,
  type FlowBlock,
  type FlowCell,
  type FlowInline,
  type FlowItem,
  type FlowPicture,
  type FlowRow,
  type FlowStyle,
  plainText,
} from './flow.ts'
import { pictureMime } from './flow-pictures.ts'
import { latexOf } from './math-latex.ts'

/** Maximum number of parent styles that are followed. */
const maxStyleChain = 20
const monospaced = /courier|mono|consolas|menlo|fixed/i
const codeStyles = /^(preformatted text|html preformatted|source code|code|macro text|plain text code)$/
/** Style names of table of contents entries: 'toc 2' in Word, 'Contents 2' in Writer. */
const contentsStyles = /^(?:toc|contents) (\d)$/
const controls = /(?![\t\n\r])\p{Cc}/gu
/** A ballot box character at the start of a list item, which marks a task. */
const boxes = /^[\u2610-\u2612]\s*/
/** Maximum nesting of quotes derived from indents. */
const maxQuoteDepth = 6
const quoteStyles = /^(quote|intense quote|quotations|block text)$/

export function flowOfDocument(document: Document): {
  readonly flow: Flow
  readonly warnings: readonly Warning[]
} {
  const reader = new FlowReader(document)
  const blocks = document.sections.flatMap((section) => reader.blocks(section.blocks))
  const { title, language } = document.information
  const flow: Flow = {
    ...(title && { title }),
    ...(language && { language }),
    blocks,
    pictures: reader.pictures,
  }
  const lost = [...reader.lost].map(([kind, count]) => ({
    code: 'flow.left-out',
    message: `${count} ${kind} of the document ${count === 1 ? 'was' : 'were'} omitted, because this format cannot hold them.`,
  }))
  return { flow, warnings: lost }
}

/** A list while it is built. */
interface OpenFlowList {
  readonly level: number
  readonly ordered: boolean
  readonly start: number
  readonly indent: number // indent of its text, pt
  readonly items: OpenFlowItem[]
}

interface OpenFlowItem {
  readonly blocks: FlowBlock[]
  checked?: boolean
}

class FlowReader {
  readonly pictures = new Map<string, FlowPicture>()
  /** Counts of contents that a flow cannot hold, by kind. */
  readonly lost = new Map<string, number>()
  readonly #document: Document
  /** Name in the flow by name in Document.media. */
  readonly #names = new Map<string, string>()
  /**
   * Current number of each level of each numbering, by '<counters>
   * <level>'.
   */
  readonly #counters = new Map<string, number>()

  constructor(document: Document) {
    this.#document = document
  }

  blocks(blocks: readonly Block[]): FlowBlock[] {
    const out: FlowBlock[] = []
    let open: OpenFlowList[] = []
    let code: string[] = []
    const closeLists = () => {
      const [first] = open
      if (first !== undefined) out.push(listOf(first))
      open = []
    }
    const closeCode = () => {
      if (code.length > 0) out.push({ kind: 'code', text: code.join('\n') })
      code = []
    }
    for (const block of blocks) {
      if (block.kind === 'table') {
        closeLists()
        closeCode()
        out.push(this.#table(block))
        continue
      }
      const role = this.#about(block)
      const item = this.#continued(open, role)
      if (role.code) {
        if (item === undefined) {
          closeLists()
          code.push(codeText(block))
        } else item.blocks.push({ kind: 'code', text: codeText(block) })
        continue
      }
      closeCode()
      const paragraph = this.#paragraph(block, role)
      if (item !== undefined) pushAll(item.blocks, paragraph)
      else if (role.list === undefined || role.level !== undefined) {
        closeLists()
        pushAll(out, paragraph)
      } else if (paragraph.length > 0) open = this.#addListItem(open, role.list, paragraph, out)
    }
    closeLists()
    closeCode()
    return joinedQuotes(out)
  }

  /** The list item that a paragraph without a number continues: the one whose text has the same indent. */
  #continued(
    open: readonly OpenFlowList[],
    { list, level, quote, indent }: ParagraphRole,
  ): OpenFlowItem | undefined {
    if (level !== undefined || quote || (list !== undefined && list.unnumbered !== true)) return undefined
    if (list === undefined)
      return indent > 0 ? open.findLast((item) => isNear(item.indent, indent))?.items.at(-1) : undefined
    return open.findLast((item) => item.level <= list.level)?.items.at(-1)
  }

  /** Adds a list paragraph at its level. Returns the open lists, outermost first. */
  #addListItem(
    open: OpenFlowList[],
    position: ListPosition,
    blocks: FlowBlock[],
    out: FlowBlock[],
  ): OpenFlowList[] {
    const ordered = this.#isOrdered(position)
    let lists = open.filter((list) => list.level <= position.level)
    const last = lists.at(-1)
    const number = this.#count(position)
    if (last !== undefined && last.level === position.level && last.ordered !== ordered) {
      if (lists.length === 1) out.push(listOf(last))
      lists = lists.slice(0, -1)
    }
    const current = lists.at(-1)
    if (current !== undefined && current.level === position.level) {
      current.items.push(itemOf(blocks))
      return lists
    }
    const indent =
      this.#document.numbering.get(position.list)?.levels[position.level]?.paragraph.indent?.start ?? 0
    const list: OpenFlowList = {
      level: position.level,
      ordered,
      start: number,
      indent,
      items: [itemOf(blocks)],
    }
    // Items are added later, which works because the block holds the same array.
    current?.items.at(-1)?.blocks.push(listOf(list))
    return [...lists, list]
  }

  #count({ list, level, restart }: ListPosition): number {
    const numbering = this.#document.numbering.get(list)
    const counters = numbering?.counters ?? list
    for (const key of this.#counters.keys()) {
      const [of, at] = key.split('\n')
      if (of === counters && Number(at) > level) this.#counters.delete(key)
    }
    const key = `${counters}\n${level}`
    const start = restart ?? numbering?.starts?.get(level) ?? numbering?.levels[level]?.start ?? 1
    const counter = restart === undefined ? this.#counters.get(key) : undefined
    const number = counter === undefined ? start : counter + 1
    this.#counters.set(key, number)
    return number
  }

  #isOrdered({ list, level }: ListPosition): boolean {
    const format = this.#document.numbering.get(list)?.levels[level]?.format ?? 'bullet'
    return format !== 'bullet' && format !== 'none'
  }

  #about(paragraph: Paragraph) {
    const chain = [
      paragraph.properties,
      ...this.#styles(paragraph.properties.style).map((style) => style.paragraph),
    ]
    const names = this.#styles(paragraph.properties.style).map((style) => style.name)
    const first = <K extends keyof ParagraphProperties>(key: K): ParagraphProperties[K] | undefined =>
      chain.find((style) => style[key] !== undefined)?.[key]
    const outline = first('outlineLevel')
    const list = first('list')
    const level = names[0] === 'title' ? 1 : outline !== undefined && outline < 9 ? outline + 1 : undefined
    const code = names.some((name) => codeStyles.test(name))
    const quoted = names.findIndex((name) => quoteStyles.test(name))
    const indent = first('indent')?.start ?? 0
    const contents = names.map((name) => contentsStyles.exec(name)?.[1]).find((name) => name !== undefined)
    const listed = list === undefined || list.list === '' ? undefined : list
    return {
      level,
      code,
      quote: quoted >= 0,
      quotes: quoted < 0 ? 0 : quoteDepth(indent, chain[quoted + 1]?.indent?.start),
      indent,
      ruled: (first('borders')?.bottom?.style ?? 'none') !== 'none',
      // Automatic styles are direct formatting, so their text properties count as emphasis.
      run: this.#styles(paragraph.properties.style).find((style) => style.automatic === true)?.run ?? {},
      contents: contents !== undefined,
      align: alignOf(first('align')),
      list: contents === undefined ? listed : { list: 'contents', level: Number(contents) - 1 },
    }
  }

  #styles(id: string | undefined): readonly Style[] {
    const chain: Style[] = []
    let at = id ?? this.#document.styles.defaultParagraph
    while (at !== undefined && chain.length < maxStyleChain) {
      const style = this.#document.styles.styles.get(at)
      if (style === undefined) break
      chain.push(style)
      at = style.basedOn
    }
    return chain
  }

  #paragraph(paragraph: Paragraph, role: ParagraphRole): FlowBlock[] {
    const after: FlowBlock[] = []
    const paragraphInlines = this.#inlines(paragraph.inlines, after, role.run)
    const inlines = withoutDisplay(
      role.contents ? withoutPage(paragraphInlines) : withoutIndent(paragraphInlines),
    )
    if (!inlines.some((inline) => inline.kind !== 'text' || inline.text.trim() !== ''))
      return role.ruled && after.length === 0 ? [{ kind: 'rule' }] : after
    const anchors = paragraph.inlines.flatMap((inline) =>
      inline.kind === 'bookmark' && inline.comment === undefined ? [inline.name] : [],
    )
    const more = {
      ...(role.align !== undefined && { align: role.align }),
      ...(anchors.length > 0 && { anchors }),
    }
    if (role.level !== undefined)
      return [{ kind: 'heading', level: Math.min(role.level, 6), inlines, ...more }, ...after]
    const block: FlowBlock = { kind: 'paragraph', inlines, ...more }
    let quoted: FlowBlock = block
    for (let level = 0; level < role.quotes; level++) quoted = { kind: 'quote', blocks: [quoted] }
    return [quoted, ...after]
  }

  #inlines(inlines: readonly Inline[], after: FlowBlock[], base: RunProperties): FlowInline[] {
    return inlines.flatMap((inline) => this.#inline(inline, after, base))
  }

  #inline(inline: Inline, after: FlowBlock[], base: RunProperties): readonly FlowInline[] {
    switch (inline.kind) {
      case 'text':
      case 'field': {
        const run = { ...base, ...this.#run(inline.run) }
        if (run.hidden === true) return []
        // Control characters are not allowed in any of the output formats.
        const text = (inline.kind === 'text' ? inline.text : inline.field.text).replace(controls, '')
        const link =
          inline.link?.href ?? (inline.link?.anchor === undefined ? undefined : `#${inline.link.anchor}`)
        return [
          {
            kind: 'text',
            text: run.caps === true ? text.toUpperCase() : text,
            style: styleOf(run),
            ...(link !== undefined && { link }),
          },
        ]
      }
      case 'tab':
        return [{ kind: 'text', text: '\t', style: {} }]
      case 'break':
        return inline.at === 'line' ? [{ kind: 'break' }] : []
      case 'drawing':
        return this.#drawing(inline.drawing, after)
      case 'note': {
        const note = this.#document.notes.get(inline.note)
        return note === undefined ? [] : [{ kind: 'note', blocks: this.blocks(note.blocks) }]
      }
      case 'bookmark':
        return this.#comment(inline.comment)
      case 'note-mark':
      case 'soft-hyphen':
        return []
      default:
        return inline satisfies never
    }
  }

  /** A comment as a note that begins with the name of its author. */
  #comment(key: string | undefined): readonly FlowInline[] {
    const comment = key === undefined ? undefined : this.#document.comments?.get(key)
    if (comment === undefined) return []
    const [first, ...others] = this.blocks(comment.blocks)
    if (first === undefined) return []
    const author: FlowInline[] =
      comment.author === undefined ? [] : [{ kind: 'text', text: `${comment.author}: `, style: {} }]
    const blocks: FlowBlock[] =
      first.kind === 'paragraph'
        ? [{ ...first, inlines: [...author, ...first.inlines] }, ...others]
        : [{ kind: 'paragraph', inlines: author }, first, ...others]
    return [{ kind: 'note', blocks }]
  }

  #drawing(drawing: Drawing, after: FlowBlock[]): readonly FlowInline[] {
    const { content, description = '' } = drawing
    if (content.kind === 'group')
      return content.children.flatMap((child) => this.#drawing(child.drawing, after))
    if (content.kind === 'picture') return this.#picture(content.media, drawing)
    if (content.kind === 'ruby') return [{ kind: 'text', text: content.base, style: {} }]
    if (content.kind === 'math')
      return [
        {
          kind: 'text',
          text: mathWords(content.math),
          style: { italic: true },
          equation: { latex: latexOf(content.math), display: content.display },
        },
      ]
    if (content.kind === 'shape') {
      if (content.text !== undefined) pushAll(after, this.blocks(shapeBlocks(content)))
      const { background } = content
      return background?.kind === 'picture' ? this.#picture(background.media, drawing) : []
    }
    if (content.kind === 'chart') {
      pushAll(after, chartBlocks(content.chart, description))
      return []
    }
    this.#lose('drawings')
    return description === '' ? [] : [{ kind: 'text', text: `[${description}]`, style: {} }]
  }

  #picture(media: string, { width, height, description = '' }: Drawing): readonly FlowInline[] {
    const bytes = this.#document.media.get(media)
    const mime = bytes === undefined ? undefined : pictureMime(bytes)
    if (bytes === undefined || mime === undefined) {
      this.#lose('pictures')
      return description === '' ? [] : [{ kind: 'text', text: `[${description}]`, style: {} }]
    }
    const name = this.#names.get(media) ?? `picture${this.#names.size + 1}`
    this.#names.set(media, name)
    this.pictures.set(name, { bytes, mime })
    return [{ kind: 'picture', picture: name, text: description, width, height }]
  }

  #lose(kind: string): void {
    this.lost.set(kind, (this.lost.get(kind) ?? 0) + 1)
  }

  #run(run: RunProperties): RunProperties {
    if (run.style === undefined) return run
    const layers = this.#styles(run.style).map((style) => style.run)
    const named = assignAll<RunProperties>({}, layers.toReversed())
    return { ...named, ...run }
  }

  #table(table: Table): FlowBlock {
    const lines = table.rows.filter((row) => row.properties.hidden !== true)
    const starts = lines.map((row) => columnsOf(row.cells, row.properties.gridBefore ?? 0))
    const rows: FlowRow[] = lines.map((row, y) => {
      const cells: FlowCell[] = []
      for (let before = 0; before < (row.properties.gridBefore ?? 0); before++)
        cells.push({ blocks: [], columns: 1, rows: 1 })
      for (const [at, cell] of row.cells.entries()) {
        if (cell.properties.merge === 'continue') continue
        const column = starts[y]?.[at] ?? 0
        let tall = 1
        if (cell.properties.merge === 'start')
          for (let below = y + 1; below < lines.length; below++) {
            const next = starts[below]?.indexOf(column) ?? -1
            if (next < 0 || lines[below]?.cells[next]?.properties.merge !== 'continue') break
            tall++
          }
        cells.push({ blocks: this.blocks(cell.blocks), columns: cell.properties.span ?? 1, rows: tall })
      }
      return { cells }
    })
    const marked = lines.findIndex((row) => row.properties.header !== true)
    const headerRows = marked > 0 ? marked : rows.length > 1 ? 1 : 0
    return { kind: 'table', rows, headerRows, ...(table.grid.length > 0 && { widths: table.grid }) }
  }
}

interface ParagraphRole {
  readonly level: number | undefined
  readonly quote: boolean
  readonly quotes: number // number of quotes around it
  readonly indent: number
  readonly ruled: boolean
  readonly run: RunProperties
  readonly list: ListPosition | undefined
  readonly contents: boolean
  readonly align: FlowAlign | undefined
}

/** The first grid column of each cell. */
function columnsOf(cells: readonly Cell[], before: number): readonly number[] {
  let column = before
  return cells.map((cell) => {
    const at = column
    column += cell.properties.span ?? 1
    return at
  })
}

/** Builds an item; a ballot box at its beginning makes it a task. */
function itemOf(blocks: FlowBlock[]): OpenFlowItem {
  const [first, ...rest] = blocks
  const inline = first?.kind === 'paragraph' ? first.inlines[0] : undefined
  const box = inline?.kind === 'text' ? boxes.exec(inline.text)?.[0] : undefined
  if (first?.kind !== 'paragraph' || inline?.kind !== 'text' || box === undefined) return { blocks }
  const text = inline.text.slice(box.length)
  const inlines = [...(text === '' ? [] : [{ ...inline, text }]), ...first.inlines.slice(1)]
  return { blocks: [{ ...first, inlines }, ...rest], checked: !box.startsWith('\u2610') }
}

/** Merges consecutive quotes. */
function joinedQuotes(blocks: readonly FlowBlock[]): FlowBlock[] {
  const out: FlowBlock[] = []
  for (const block of blocks) {
    const last = out.at(-1)
    if (block.kind === 'quote' && last?.kind === 'quote')
      out[out.length - 1] = { kind: 'quote', blocks: joinedQuotes([...last.blocks, ...block.blocks]) }
    else out.push(block)
  }
  return out
}

/** Nesting of a quote: its indent divided by that of the quote style. */
function quoteDepth(indent: number, step: number | undefined): number {
  if (step === undefined || step <= 0) return 1
  return Math.min(Math.max(Math.round(indent / step), 1), maxQuoteDepth)
}

const isNear = (first: number, other: number): boolean => first > 0 && Math.abs(first - other) < 1

function listOf({ ordered, start, items }: OpenFlowList): FlowBlock {
  return { kind: 'list', ordered, start, items: items as readonly FlowItem[] }
}

/** Removes the page number from a table of contents entry, since the flow has no pages. */
function withoutPage(inlines: readonly FlowInline[]): readonly FlowInline[] {
  const text = plainText(inlines)
  const tab = text.lastIndexOf('\t')
  const numbered = tab >= 0 && /^[\divxlc]+$/i.test(text.slice(tab).trim())
  const end = numbered ? text.slice(0, tab).trimEnd().length : text.length
  let at = 0
  return inlines.flatMap((inline): readonly FlowInline[] => {
    if (inline.kind !== 'text') return [inline]
    const part = inline.text.slice(0, Math.max(end - at, 0))
    at += inline.text.length
    return part === '' ? [] : [{ ...inline, text: part.replaceAll('\t', ' ') }]
  })
}

/**
 * Equations in a line of text are not display equations, even when they are marked as such: Writer saves every formula
 * as one.
 */
function withoutDisplay(inlines: readonly FlowInline[]): readonly FlowInline[] {
  const isText = (flowInline: FlowInline): boolean =>
    flowInline.kind === 'picture' ||
    (flowInline.kind === 'text' && flowInline.equation === undefined && flowInline.text.trim() !== '')
  if (!inlines.some(isText)) return inlines
  return inlines.map((inline) =>
    inline.kind === 'text' && inline.equation !== undefined
      ? { ...inline, equation: { ...inline.equation, display: false } }
      : inline,
  )
}

/** Removes leading spaces and tabs, which only indent the first line. */
function withoutIndent(inlines: readonly FlowInline[]): readonly FlowInline[] {
  const at = inlines.findIndex((inline) => inline.kind !== 'text' || inline.text.trim() !== '')
  const first = inlines[at]
  if (first?.kind !== 'text') return at < 0 ? inlines : inlines.slice(at)
  return [{ ...first, text: first.text.trimStart() }, ...inlines.slice(at + 1)]
}

function codeText({ inlines }: Paragraph): string {
  return inlines
    .map((inline) =>
      inline.kind === 'text'
        ? inline.text
        : inline.kind === 'tab'
          ? '\t'
          : inline.kind === 'break'
            ? '\n'
            : '',
    )
    .join('')
}

function styleOf({ bold, italic, underline, strike, script, fonts }: RunProperties): FlowStyle {
  return {
    ...(bold === true && { bold }),
    ...(italic === true && { italic }),
    ...(underline !== undefined && underline.style !== 'none' && { underline: true }),
    ...(strike !== undefined && strike !== 'none' && { strike: true }),
    ...((script === 'super' || script === 'sub') && { script }),
    ...(fonts?.ascii !== undefined && monospaced.test(fonts.ascii) && { code: true }),
  }
}

function alignOf(align: ParagraphProperties['align']): FlowAlign | undefined {
  if (align === 'center') return 'center'
  if (align === 'right' || align === 'end') return 'right'
  return undefined
}

/** The blocks of a shape. The label of a button begins with its sign. */
function shapeBlocks({ text, field }: Shape): readonly Block[] {
  const [first, ...rest] = text?.blocks ?? []
  if (field === undefined || !isButton(field) || first?.kind !== 'paragraph') return text?.blocks ?? []
  const sign: Inline = { kind: 'text', text: `${buttonSign(field)} `, run: first.mark }
  return [{ ...first, inlines: [sign, ...first.inlines] }, ...rest]
}
