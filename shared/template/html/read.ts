/**
 * Reads HTML into blocks. The tokenizer of parse5 knows the syntax. The tree is not built: one pass without recursion is enough
 * for the elements that a document can show. Unknown elements are skipped and their text is kept; scripts, styles and comments
 * are dropped. Source: template language 22.5; WHATWG HTML, clause 13.
 */
import type { Token } from 'parse5'
import { AppError } from '../../errors/app-error.ts'
import { readColor } from './css.ts'
import {
  blockNames,
  blockStyle,
  columnWidth,
  hiddenNames,
  inlineNames,
  listMarker,
  pixels,
  styleOf,
} from './elements.ts'
import { BlockBuilder, type ItemParts, type ListParts, type TableParts } from './flow.ts'
import type { HtmlBlock, InlineStyle, ListMarker } from './model.ts'
import { tokenizeHtml } from './tokenize.ts'

/** Nested elements. Deeper ones are ignored, and their text is kept. */
const maxDepth = 1_000
const maxCharacters = 10_485_760
/** Steps along the stack of open elements. Real texts take a few for each element. */
const maxSteps = 50_000_000
const maxLists = 9 // levels that word processors number
const maxTables = 8 // in each other
const maxQuotes = 20

/** An element that has begun and not ended. */
interface OpenHtmlElement {
  readonly name: string
  readonly inlineStyle: InlineStyle // the formatting of this element
  readonly style: InlineStyle // with that of the elements around it
  readonly lists: number // how many lists are around
  readonly tables: number // how many tables are around
  readonly list?: ListParts
  readonly table?: TableParts
  readonly breakAfter?: true
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

const tableParts = new Set(['tr', 'td', 'th', 'tbody', 'thead', 'tfoot', 'caption', 'colgroup', 'col'])
const markers: Readonly<Record<string, ListMarker>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

class HtmlReader {
  readonly #stack: OpenHtmlElement[] = [{ name: '', inlineStyle: {}, style: {}, lists: 0, tables: 0 }]
  readonly #open = new Map<string, number>() // name -> how many are open
  readonly #flow = new BlockBuilder()
  /** How many hidden elements are open: their text is dropped. */
  #hidden = 0
  /** Steps along the stack so far, which are bounded. */
  #steps = 0

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
    else if (inlineNames.has(name)) this.#inline(name, styleOf(name, attributes))
  }

  close(name: string): void {
    if (name === 'br') {
      if (this.#hidden === 0) this.#flow.lineBreak(this.#top.style)
      return
    }
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
    if (this.#hidden > 0) return
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

  /** Hidden elements have a depth of their own: ignoring one would show its text. */
  #hide(name: string): void {
    if (this.#stack.length > 2 * maxDepth) return
    const { style, lists, tables } = this.#top
    this.#stack.push({ name, inlineStyle: {}, style, lists, tables })
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    this.#hidden += 1
  }

  #inline(name: string, inlineStyle: InlineStyle): void {
    const top = this.#top
    this.#push({ name, inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) })
  }

  /** The nearest open element of the name inside the innermost cell or list; -1 without one. */
  #find(name: string, within: 'cell' | 'list' | 'table' | undefined): number {
    for (let depth = this.#stack.length - 1; depth > 0; depth -= 1) {
      this.#steps += 1
      if (this.#steps > maxSteps)
        throw new AppError('template.html', { because: 'its elements are in disorder' })
      const scope = this.#stack[depth]!
      if (scope.name === name) return depth
      if (within === 'cell' && (scope.name === 'td' || scope.name === 'th')) return -1
      if (within === 'list' && (scope.list !== undefined || scope.table !== undefined)) return -1
      if (within === 'table' && scope.table !== undefined) return -1
    }
    return -1
  }

  /** Closes the element at this index of the stack and all elements in it. */
  #popTo(depth: number): void {
    while (this.#stack.length > depth) {
      const scope = this.#stack.pop()!
      this.#open.set(scope.name, this.#open.get(scope.name)! - 1)
      if (hiddenNames.has(scope.name)) this.#hidden -= 1
      else if (scope.list !== undefined) this.#flow.endList(scope.list)
      else if (scope.table !== undefined) this.#flow.endTable(scope.table)
      else if (scope.name === 'li' || scope.name === 'td' || scope.name === 'th') this.#flow.leave()
      else if (blockNames.has(scope.name) || scope.name === 'caption')
        this.#flow.endBlock(scope.breakAfter === true)
    }
  }

  #closeParagraph(): void {
    if ((this.#open.get('p') ?? 0) === 0) return
    const depth = this.#find('p', 'list')
    if (depth > 0) this.#popTo(depth)
  }

  #block(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#closeParagraph()
    const { inlineStyle, block, breakBefore, breakAfter } = blockStyle(name, attributes)
    const top = this.#top
    this.#flow.beginBlock(block, breakBefore)
    if (name === 'blockquote') this.#flow.quote = Math.min(this.#flow.quote + 1, maxQuotes)
    const scope = { name, inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) }
    const before = this.#stack.length
    this.#push(breakAfter ? { ...scope, breakAfter } : scope)
    if (this.#stack.length === before) this.#flow.endBlock(false)
  }

  #rule(): void {
    this.#closeParagraph()
    this.#flow.rule()
  }

  #image(attributes: ReadonlyMap<string, string>): void {
    const source = attributes.get('src')?.trim() ?? ''
    if (source === '') return
    const width = pixels(attributes, 'width')
    const height = pixels(attributes, 'height')
    this.#flow.inline({
      kind: 'image',
      source,
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      text: attributes.get('alt') ?? '',
      style: this.#top.style,
    })
  }

  #input(attributes: ReadonlyMap<string, string>): void {
    if (attributes.get('type')?.trim().toLowerCase() !== 'checkbox') return
    this.#flow.check(attributes.has('checked'), this.#top.style)
  }

  #list(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#closeParagraph()
    const top = this.#top
    const start = Number.parseInt(attributes.get('start') ?? '1', 10)
    const declared = listMarker(attributes)
    const usual = name === 'ul' ? 'bullet' : (markers[attributes.get('type') ?? ''] ?? 'decimal')
    const list: ListParts = {
      marker: declared === undefined || declared === 'none' ? usual : declared,
      unmarked: declared === 'none',
      direction: blockStyle(name, attributes).block.direction,
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
      // An item that is not directly in a list is a line of its own.
      this.#flow.endLine()
      return
    }
    const { inlineStyle, block } = blockStyle('li', attributes)
    this.#flow.beginItem(top.list, block, attributes.get('data-list'))
    this.#push({ name: 'li', inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) })
  }

  #table(attributes: ReadonlyMap<string, string>): void {
    this.#closeParagraph()
    const top = this.#top
    const { inlineStyle, block } = blockStyle('table', attributes)
    const scope = { name: 'table', inlineStyle, style: { ...top.style, ...inlineStyle }, ...levels(top) }
    if (top.tables >= maxTables || this.#stack.length > maxDepth - 3) {
      this.#flow.endLine()
      return
    }
    this.#push({ ...scope, tables: top.tables + 1, table: this.#flow.beginTable(block.direction) })
  }

  #tablePart(name: string, attributes: ReadonlyMap<string, string>): void {
    const isInTable = (this.#open.get('table') ?? 0) > 0
    const depth = isInTable ? this.#stack.findLastIndex(({ table }) => table !== undefined) : -1
    if (depth < 0) {
      this.#flow.endLine()
      return
    }
    const { table } = this.#stack[depth]!
    const { inlineStyle, block } = blockStyle(name, attributes)
    const background = readColor(attributes.get('bgcolor') ?? '') ?? block.background
    const width = columnWidth(attributes)
    if (name === 'td' || name === 'th') {
      const row = this.#find('tr', 'table')
      this.#popTo(row > 0 ? row + 1 : depth + 1)
      if (row < 0) {
        this.#flow.beginRow(table!, undefined, undefined)
        this.#push({ name: 'tr', inlineStyle: {}, style: this.#top.style, ...levels(this.#top) })
      }
      const top = this.#top
      const span = (key: string, max: number) => {
        const number = Number.parseInt(attributes.get(key) ?? '1', 10)
        return number >= 1 ? Math.min(number, max) : 1
      }
      const bold: InlineStyle = name === 'th' ? { bold: true, ...inlineStyle } : inlineStyle
      this.#flow.beginCell(table!, {
        colspan: span('colspan', 63),
        rowspan: span('rowspan', 65_534),
        header: name === 'th',
        background,
        width,
        block,
      })
      this.#push({ name, inlineStyle: bold, style: { ...top.style, ...bold }, lists: 0, tables: top.tables })
      return
    }
    this.#popTo(depth + 1)
    if (name === 'col') {
      const span = Number.parseInt(attributes.get('span') ?? '1', 10) || 1
      this.#flow.column(table!, width, span)
    }
    if (name === 'tr') this.#flow.beginRow(table!, background, block)
    else if (name === 'caption') this.#flow.beginBlock({ ...block, spaced: false }, false)
    if (name === 'tr' || name === 'caption') {
      const top = this.#top
      this.#push({ name, inlineStyle: {}, style: top.style, ...levels(top) })
    }
  }
}

const levels = ({ lists, tables }: OpenHtmlElement) => ({ lists, tables })
