/**
 * Converts HTML to blocks. It uses the tokenizer of parse5 but builds no tree: one pass without recursion is enough for the
 * elements that a document can show. Unknown elements are skipped and their text is kept; scripts, styles and comments are
 * dropped. Source: template language 22.5; WHATWG HTML, 13.
 */

import type { Token } from 'parse5'
import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { noBorders } from './borders.ts'
import { readColor } from './css.ts'
import {
  blockNames,
  blockStyle,
  cellBox,
  declaredWidth,
  hiddenNames,
  inlineNames,
  isListMarker,
  itemLevel,
  listMarker,
  pixels,
  styleOf,
  tableBox,
  wordListLevel,
} from './elements.ts'
import { BlockBuilder, type ItemParts, type ListParts, type TableParts, type TableSection } from './flow.ts'
import type { HtmlBlock, InlineStyle, ListMarker } from './model.ts'
import { tokenizeHtml } from './tokenize.ts'

/** The maximum nesting of elements. Deeper ones are ignored, and their text is kept. */
const maxDepth = 1_000
const maxCharacters = 10_485_760
/** The limit of steps along the stack of open elements. Real texts take a few for each element. */
const maxSteps = 50_000_000
const maxLists = 9 // the number of levels that word processors number
const maxTables = 8 // nested in each other
const maxQuotes = 20

/** An element whose end has not been reached. */
interface OpenHtmlElement {
  readonly name: string
  readonly inlineStyle: InlineStyle // the formatting of this element
  readonly style: InlineStyle // the formatting including that of the elements around it
  readonly lists: number // the number of enclosing lists
  readonly tables: number // the number of enclosing tables
  readonly list?: ListParts
  readonly table?: TableParts
  readonly breakAfter?: true
  /** The text of the element is hidden. */
  readonly hides?: true
  /** A paragraph that Word wrote as a list item. */
  readonly item?: true
}

/** Throws AppError 'template.html' for a text that is too large. */
export function readHtml(text: string): readonly HtmlBlock[] {
  if (text.length > maxCharacters)
    throw new AppError('template.html', { because: `it is longer than ${maxCharacters} characters` })
  const reader = new HtmlReader()
  tokenizeHtml(text, {
    onStartTag: (tag) => reader.open(tag),
    onEndTag: ({ tagName }) => reader.close(tagName),
    onText: (characters) => reader.text(characters),
  })
  return reader.end()
}

/** The name of the implicit list around paragraphs of Word, on the stack. No real element has it. */
const wordList = '#word-list'
const maxMarker = 40 // characters

const tableParts = new Set(['tr', 'td', 'th', 'tbody', 'thead', 'tfoot', 'caption', 'colgroup', 'col'])
const markers: Readonly<Record<string, ListMarker>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

class HtmlReader {
  readonly #stack: OpenHtmlElement[] = [{ name: '', inlineStyle: {}, style: {}, lists: 0, tables: 0 }]
  readonly #open = new Map<string, number>() // name -> number of open elements
  readonly #flow = new BlockBuilder()
  /** The number of open hidden elements. While it is positive, text is dropped. */
  #hidden = 0
  /** The number of steps along the stack so far, which is limited. */
  #steps = 0
  /** The number of open paragraphs that Word wrote as list items. */
  #wordItems = 0
  /** The marker text that Word wrote before an item, while it is read. */
  #marker: string | undefined

  open({ tagName: name, attrs }: Token.TagToken): void {
    const attributes = new Map(attrs.map((attribute) => [attribute.name, attribute.value]))
    if (hiddenNames.has(name)) {
      this.#hide(name)
      return
    }
    if (this.#hidden > 0) return
    if (name === 'br') this.#flow.lineBreak(this.#top.style)
    else if (name === 'hr') this.#rule()
    else if (name === 'img') this.#image(attributes)
    else if (name === 'input') this.#input(attributes)
    else if (name === 'ul' || name === 'ol') this.#list(name, attributes)
    else if (name === 'li') this.#item(attributes)
    else if (name === 'table') this.#table(attributes)
    else if (tableParts.has(name)) this.#tablePart(name, attributes)
    else if (blockNames.has(name)) this.#block(name, attributes)
    else if (inlineNames.has(name)) {
      if (this.#wordItems > 0 && isListMarker(attributes)) this.#wordMarker(name)
      else this.#inline(name, styleOf(name, attributes, this.#top.style))
    }
  }

  close(name: string): void {
    if (name === 'br') {
      if (this.#hidden === 0) this.#flow.lineBreak(this.#top.style)
      return
    }
    if (name === 'thead') this.#beginSection({ head: false, background: undefined, style: {} })
    if ((this.#open.get(name) ?? 0) === 0) return
    const depth = this.#find(name, tableParts.has(name) || name === 'table' ? undefined : 'cell')
    if (depth < 0) return
    const reopened = inlineNames.has(name)
      ? this.#stack.slice(depth + 1).filter((scope) => inlineNames.has(scope.name))
      : []
    this.#popTo(depth)
    // In <b>x<i>y</b>z</i> the <i> is closed along with <b> and continues after it.
    for (const scope of reopened) this.#inline(scope.name, scope.inlineStyle)
  }

  text(text: string): void {
    if (this.#hidden > 0) {
      if (this.#marker !== undefined && this.#marker.length < maxMarker) this.#marker += text
      return
    }
    this.#flow.text(text, this.#top.style)
  }

  end(): readonly HtmlBlock[] {
    this.#popTo(1)
    return this.#flow.end()
  }

  get #top(): OpenHtmlElement {
    return this.#stack[this.#stack.length - 1]!
  }

  #push(scope: OpenHtmlElement): void {
    if (this.#stack.length > maxDepth) return
    this.#stack.push(scope)
    this.#open.set(scope.name, (this.#open.get(scope.name) ?? 0) + 1)
  }

  /** Hidden elements have a separate depth: ignoring one beyond `maxDepth` would show its text. */
  #hide(name: string): void {
    if (this.#stack.length > 2 * maxDepth) return
    const { style, lists, tables } = this.#top
    this.#stack.push({ name, inlineStyle: {}, style, lists, tables, hides: true })
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    this.#hidden += 1
  }

  #inline(name: string, inlineStyle: InlineStyle): void {
    const top = this.#top
    this.#push({ name, inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) })
  }

  /** The nearest open element with this name inside the innermost cell or list; -1 if there is none. */
  #find(name: string, within: 'cell' | 'list' | 'table' | undefined): number {
    for (let depth = this.#stack.length - 1; depth > 0; depth -= 1) {
      this.#steps += 1
      if (this.#steps > maxSteps)
        throw new AppError('template.html', { because: 'its elements are not nested properly' })
      const scope = this.#stack[depth]!
      if (scope.name === name) return depth
      if (within === 'cell' && (scope.name === 'td' || scope.name === 'th')) return -1
      if (within === 'list' && (scope.list !== undefined || scope.table !== undefined)) return -1
      if (within === 'table' && scope.table !== undefined) return -1
    }
    return -1
  }

  /** Closes the element at this index of the stack and all elements inside it. */
  #popTo(depth: number): void {
    while (this.#stack.length > depth) {
      const scope = this.#stack.pop()!
      this.#open.set(scope.name, this.#open.get(scope.name)! - 1)
      if (scope.hides === true) {
        this.#hidden -= 1
        if (this.#hidden === 0 && this.#marker !== undefined) this.#flow.setMarker(this.#marker)
        if (this.#hidden === 0) this.#marker = undefined
      } else if (scope.list !== undefined) this.#flow.endList(scope.list)
      else if (scope.table !== undefined) this.#flow.endTable(scope.table)
      else if (scope.item === true) {
        this.#wordItems -= 1
        this.#flow.leave()
      } else if (scope.name === 'li' || scope.name === 'td' || scope.name === 'th') this.#flow.leave()
      else if (blockNames.has(scope.name) || scope.name === 'caption')
        this.#flow.endBlock(scope.breakAfter === true)
    }
  }

  #closeParagraph(): void {
    if ((this.#open.get('p') ?? 0) === 0) return
    const depth = this.#find('p', 'list')
    if (depth > 0) this.#popTo(depth)
  }

  /** Ends the list that consecutive paragraphs of Word form, before another block begins. */
  #endWordList(): void {
    this.#closeParagraph()
    if (this.#top.name === wordList) this.#popTo(this.#stack.length - 1)
  }

  /**
   * Begins a list item for a paragraph of Word: `mso-list:l0 level1 lfo1`. Consecutive items form one list (observed in the
   * HTML that Word puts on the clipboard).
   */
  #wordItem(level: number, attributes: ReadonlyMap<string, string>): void {
    this.#closeParagraph()
    if (this.#stack.length > maxDepth - 2) return
    const { lists } = this.#top
    if (this.#top.list === undefined || this.#top.name !== wordList) {
      if (lists >= maxLists) return
      const list: ListParts = { marker: 'bullet', start: 1, unmarked: false, direction: undefined, items: [] }
      const scope = { name: wordList, inlineStyle: {}, style: this.#top.style, ...levels(this.#top) }
      this.#flow.beginList(list)
      this.#push({ ...scope, lists: lists + 1, list })
    }
    const top = this.#top
    if (top.list === undefined) return
    const { inlineStyle, block } = blockStyle('li', attributes, this.#top.style)
    this.#flow.beginItem(top.list, block, undefined, Math.min(level - 1, maxLists - top.lists))
    const style = { ...top.style, ...inlineStyle }
    this.#push({ name: 'p', inlineStyle, style, ...levels(top), item: true })
    this.#wordItems += 1
  }

  /** Reads the number or bullet that Word wrote before the text of an item. */
  #wordMarker(name: string): void {
    if (this.#stack.length > maxDepth) return
    const { style, lists, tables } = this.#top
    this.#push({ name, inlineStyle: {}, style, lists, tables, hides: true })
    this.#hidden += 1
    this.#marker = ''
  }

  #block(name: string, attributes: ReadonlyMap<string, string>): void {
    const level = name === 'p' ? wordListLevel(attributes) : undefined
    if (level !== undefined) {
      this.#wordItem(level, attributes)
      return
    }
    this.#endWordList()
    const { inlineStyle, block, breakBefore, breakAfter } = blockStyle(name, attributes, this.#top.style)
    const top = this.#top
    this.#flow.beginBlock(block, breakBefore)
    if (name === 'blockquote') this.#flow.quote = Math.min(this.#flow.quote + 1, maxQuotes)
    const scope = { name, inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) }
    const before = this.#stack.length
    this.#push(breakAfter ? { ...scope, breakAfter } : scope)
    if (this.#stack.length === before) this.#flow.endBlock(false)
  }

  #rule(): void {
    this.#endWordList()
    this.#flow.rule()
  }

  #image(attributes: ReadonlyMap<string, string>): void {
    const source = attributes.get('src')?.trim() ?? ''
    if (source === '') return
    const declared = declaredWidth(attributes)
    const percent = declared?.unit === 'percent' ? Math.min(declared.value, 100) : undefined
    const width = percent === undefined ? pixels(attributes, 'width') : undefined
    const height = pixels(attributes, 'height')
    this.#flow.inline({
      kind: 'image',
      source,
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      ...(percent === undefined ? {} : { percent }),
      text: attributes.get('alt') ?? '',
      style: this.#top.style,
    })
  }

  #input(attributes: ReadonlyMap<string, string>): void {
    if (attributes.get('type')?.trim().toLowerCase() !== 'checkbox') return
    this.#flow.check(attributes.has('checked'), this.#top.style)
  }

  #list(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#endWordList()
    const top = this.#top
    const start = Number.parseInt(attributes.get('start') ?? '1', 10)
    const declared = listMarker(attributes)
    const defaultMarker = name === 'ul' ? 'bullet' : (entryOf(markers, attributes.get('type')) ?? 'decimal')
    const list: ListParts = {
      marker: declared === undefined || declared === 'none' ? defaultMarker : declared,
      unmarked: declared === 'none',
      direction: blockStyle(name, attributes, this.#top.style).block.direction,
      start: Number.isNaN(start) ? 1 : Math.min(Math.max(start, 0), 32_767),
      items: [] as ItemParts[],
    }
    const scope = { name, inlineStyle: {}, style: top.style, ...levels(top) }
    const tooDeep = top.lists >= maxLists || this.#stack.length > maxDepth
    if (tooDeep) this.#push(scope)
    else {
      this.#flow.beginList(list)
      this.#push({ ...scope, lists: top.lists + 1, list })
    }
  }

  #item(attributes: ReadonlyMap<string, string>): void {
    const depth = this.#find('li', 'list')
    if (depth > 0) this.#popTo(depth)
    else this.#closeParagraph()
    const top = this.#top
    if (this.#stack.length > maxDepth) return
    if (top.list === undefined) {
      // An item that is not directly in a list becomes a separate line.
      this.#flow.endLine()
      return
    }
    const { inlineStyle, block } = blockStyle('li', attributes, this.#top.style)
    const level = Math.min(itemLevel(attributes), maxLists - top.lists)
    this.#flow.beginItem(top.list, block, attributes.get('data-list'), level)
    this.#push({ name: 'li', inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) })
  }

  #table(attributes: ReadonlyMap<string, string>): void {
    this.#endWordList()
    const top = this.#top
    const { inlineStyle } = blockStyle('table', attributes, this.#top.style)
    const scope = { name: 'table', inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) }
    if (top.tables >= maxTables || this.#stack.length > maxDepth - 3) {
      this.#flow.endLine()
      return
    }
    this.#push({ ...scope, tables: top.tables + 1, table: this.#flow.beginTable(tableBox(attributes)) })
  }

  /** Begins a new part of the innermost table. Its rows inherit background and text style from the part. */
  #beginSection(section: TableSection): void {
    const table = this.#stack.findLast((scope) => scope.table !== undefined)?.table
    if (table !== undefined) table.section = section
  }

  #tablePart(name: string, attributes: ReadonlyMap<string, string>): void {
    const isInTable = (this.#open.get('table') ?? 0) > 0
    const depth = isInTable ? this.#stack.findLastIndex(({ table }) => table !== undefined) : -1
    const table = depth < 0 ? undefined : this.#stack[depth]?.table
    if (table === undefined) {
      this.#flow.endLine()
      return
    }
    if (name === 'td' || name === 'th') {
      this.#cell(name, attributes, table, depth)
      return
    }
    const { inlineStyle, block } = blockStyle(name, attributes, this.#top.style)
    const background = readColor(attributes.get('bgcolor') ?? '') ?? block.background
    this.#popTo(depth + 1)
    if (name === 'col') {
      const span = Number.parseInt(attributes.get('span') ?? '1', 10) || 1
      this.#flow.column(table, declaredWidth(attributes), span)
    } else if (name === 'thead' || name === 'tbody' || name === 'tfoot') {
      this.#beginSection({ head: name === 'thead', background, style: inlineStyle })
    } else if (name === 'tr') {
      this.#flow.beginRow(table, { background, block, box: cellBox(attributes, noBorders) })
    } else if (name === 'caption') this.#flow.beginBlock({ ...block, spaced: false }, false)
    if (name === 'tr' || name === 'caption') {
      const top = this.#top
      const rowStyle = { ...(name === 'tr' ? table.section.style : {}), ...inlineStyle }
      this.#push({ name, inlineStyle: rowStyle, style: { ...top.style, ...rowStyle }, ...levels(top) })
    }
  }

  #cell(name: string, attributes: ReadonlyMap<string, string>, table: TableParts, depth: number): void {
    const { inlineStyle, block } = blockStyle(name, attributes, this.#top.style)
    const row = this.#find('tr', 'table')
    this.#popTo(row > 0 ? row + 1 : depth + 1)
    if (row < 0) {
      this.#flow.beginRow(table, { background: undefined, block: undefined, box: undefined })
      this.#push({ name: 'tr', inlineStyle: {}, style: this.#top.style, ...levels(this.#top) })
    }
    const top = this.#top
    const span = (key: string, max: number) => {
      const number = Number.parseInt(attributes.get(key) ?? '1', 10)
      return number >= 1 ? Math.min(number, max) : 1
    }
    const bold: InlineStyle = name === 'th' ? { bold: true, ...inlineStyle } : inlineStyle
    this.#flow.beginCell(table, {
      colspan: span('colspan', 63),
      rowspan: span('rowspan', 65_534),
      header: name === 'th',
      background: readColor(attributes.get('bgcolor') ?? '') ?? block.background,
      width: declaredWidth(attributes),
      box: cellBox(attributes, table.box.cells.borders),
      block,
    })
    this.#push({ name, inlineStyle: bold, style: { ...top.style, ...bold }, lists: 0, tables: top.tables })
  }
}

const levels = ({ lists, tables }: OpenHtmlElement) => ({ lists, tables })
