/** Collects text into paragraphs, and paragraphs into lists and tables, while HTML is read. */
import { AppError } from '../../errors/app-error.ts'
import type { BlockStyle, DeclaredBlock } from './elements.ts'
import type {
  HtmlBlock,
  HtmlCell,
  HtmlInline,
  HtmlParagraph,
  HtmlTable,
  InlineStyle,
  ListMarker,
} from './model.ts'

export interface ItemParts {
  unmarked: boolean
  /** A marker that differs from that of the list. Some editors put items of all lists into one. */
  readonly marker?: ListMarker
  readonly blocks: HtmlBlock[]
}
export interface ListParts {
  readonly marker: ListMarker
  readonly start: number
  readonly unmarked: boolean
  readonly direction: 'ltr' | 'rtl' | undefined
  readonly items: ItemParts[]
}
export interface CellParts {
  readonly colspan: number
  readonly rowspan: number
  readonly header: boolean
  readonly background: string | undefined
  readonly width: number | undefined // percent
  readonly block: DeclaredBlock
}
interface FilledCell extends Omit<CellParts, 'block'> {
  readonly blocks: HtmlBlock[]
}
interface RowParts {
  readonly background: string | undefined
  readonly block: DeclaredBlock | undefined
  readonly cells: FilledCell[]
}
export interface TableParts {
  readonly rows: RowParts[]
  readonly columns: (number | undefined)[] // percent
  readonly rtl: boolean
  readonly outer: Holder
}

/** A container of blocks: the text itself, an item, a cell. */
interface Holder {
  readonly blocks: HtmlBlock[]
  readonly item?: ItemParts
  readonly list?: ListParts
  readonly quote: number
  /** The style of blocks that have none of their own. */
  readonly style: BlockStyle
}

const maxColumns = 63 // of a table in Word
const maxCells = 500_000
const loose: BlockStyle = { spaced: false }

/** Collects the blocks of a text while its elements are read: paragraphs, lists and tables in each other. */
export class BlockBuilder {
  /** Levels of block quotes around the current position. */
  quote = 0
  readonly #root: HtmlBlock[] = []
  /** The container that takes the next block, with the containers around it. */
  #holder: Holder = { blocks: this.#root, quote: 0, style: loose }
  readonly #holders: Holder[] = []
  /** Styles of the open blocks, innermost last, with the level of block quotes in which each began. */
  readonly #blocks: { readonly style: BlockStyle; readonly quote: number }[] = []
  /** For each open holder: how many blocks were open when it began. */
  readonly #blockStarts: number[] = []
  /** The content of the paragraph that is being read; undefined between paragraphs. */
  #inlines: HtmlInline[] | undefined
  /** Text of one style that is still growing. `blank`: it ends with a blank, so the next blank is dropped. */
  #run: { readonly style: InlineStyle; readonly words: string[]; blank: boolean } | undefined
  /** The next paragraph begins a page. */
  #breakBefore = false
  /** Right behind <pre>, where a line break does not count. */
  #fresh = false
  /** Cells of all tables so far, which are bounded. */
  #cells = 0

  text(text: string, style: InlineStyle): void {
    if (this.#style.preformatted) {
      const lines = (this.#fresh ? text.replace(/^\n/, '') : text).split('\n')
      this.#fresh = false
      lines.forEach((line, index) => {
        if (index > 0) this.lineBreak(style)
        if (line !== '') this.#append(line, style)
      })
      return
    }
    const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ')
    const begins = this.#endsBlank() && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
    if (begins !== '') this.#append(begins, style)
  }

  #endsBlank(): boolean {
    if (this.#run !== undefined) return this.#run.blank
    const last = this.#inlines?.at(-1)
    return last === undefined || last.kind === 'break' || (last.kind === 'text' && last.text.endsWith(' '))
  }

  lineBreak(style: InlineStyle): void {
    this.#fresh = false
    this.inline({ kind: 'break', style })
  }

  inline(inline: HtmlInline): void {
    this.#paragraph().push(inline)
  }

  check(checked: boolean, style: InlineStyle): void {
    const { item } = this.#target()
    if (item !== undefined && item.blocks.length === 0 && this.#isBlank()) item.unmarked = true
    this.inline({ kind: 'check', checked, style })
  }

  beginBlock(style: DeclaredBlock, breakBefore: boolean): void {
    this.#flush()
    this.#blocks.push({ style: nested(inherited(this.#style), style), quote: this.quote })
    this.#fresh = style.preformatted === true
    if (breakBefore) this.#breakBefore = true
  }

  endLine(): void {
    this.#flush()
  }

  /** The innermost block ends. */
  endBlock(breakAfter: boolean): void {
    this.#flush()
    this.#fresh = false
    if (this.#blocks.length > (this.#blockStarts.at(-1) ?? 0)) this.quote = this.#blocks.pop()!.quote
    if (!breakAfter) return
    const { blocks } = this.#target()
    const last = blocks.at(-1)
    if (last?.kind === 'paragraph') blocks[blocks.length - 1] = { ...last, breakAfter: true }
  }

  rule(): void {
    this.#flush()
    this.#target().blocks.push({ kind: 'rule', quote: this.quote })
  }

  beginList(list: ListParts): void {
    this.#flush()
    const { direction } = list
    const declared: DeclaredBlock = { spaced: false, ...(direction === undefined ? {} : { direction }) }
    this.#enter({ blocks: [], list, quote: this.quote, style: nested(flowing(this.#style), declared) })
  }

  endList({ marker, start, items }: ListParts): void {
    this.leave()
    let from = 0
    while (from < items.length) {
      const itemMarker = items[from]?.marker
      let to = from + 1
      while (to < items.length && items[to]?.marker === itemMarker) to += 1
      const part = items.slice(from, to)
      if (part.some((item) => !item.unmarked || item.blocks.length > 0))
        this.#target().blocks.push({
          kind: 'list',
          marker: itemMarker ?? marker,
          start: from === 0 ? start : 1,
          quote: this.quote,
          items: part,
        })
      from = to
    }
  }

  /** `kind`: the list marker that the item declares for itself: bullet, ordered, checked, unchecked. */
  beginItem(list: ListParts, block: DeclaredBlock, kind: string | undefined): void {
    this.#flush()
    const marker: ListMarker | undefined =
      kind === 'bullet' ? 'bullet' : kind === 'ordered' ? 'decimal' : undefined
    const ownMarker = marker === undefined || marker === list.marker ? {} : { marker }
    const item: ItemParts = { unmarked: list.unmarked, ...ownMarker, blocks: [] }
    list.items.push(item)
    const { indent: _, ...declared } = block
    this.#enter({
      blocks: item.blocks,
      item,
      quote: this.quote,
      style: nested(flowing(this.#style), declared),
    })
    if (kind === 'checked' || kind === 'unchecked') this.check(kind === 'checked', {})
  }

  beginTable(direction: 'ltr' | 'rtl' | undefined): TableParts {
    this.#flush()
    const rtl = direction === undefined ? this.#style.rtl === true : direction === 'rtl'
    return { rows: [], columns: [], rtl, outer: this.#target() }
  }

  column({ columns }: TableParts, width: number | undefined, span: number): void {
    for (let count = 0; count < span && columns.length < maxColumns; count += 1) columns.push(width)
  }

  beginRow(table: TableParts, background: string | undefined, block: DeclaredBlock | undefined): void {
    this.#flush()
    table.rows.push({ background, block, cells: [] })
  }

  beginCell(table: TableParts, { block, ...cell }: CellParts): void {
    this.#flush()
    // A cell without a row is not shown, because its row does not belong to the table.
    const row = table.rows.at(-1) ?? { background: undefined, block: undefined, cells: [] }
    const blocks: HtmlBlock[] = []
    row.cells.push({ ...cell, background: cell.background ?? row.background, blocks })
    const { align } = row.block ?? {}
    const declared: DeclaredBlock = {
      spaced: false,
      ...(align === undefined ? {} : { align }),
      ...(block.align === undefined ? {} : { align: block.align }),
      ...(block.direction === undefined ? {} : { direction: block.direction }),
    }
    const inherited: BlockStyle = table.rtl ? { spaced: false, rtl: true } : loose
    this.#enter({ blocks, quote: this.quote, style: nested(inherited, declared) })
    this.quote = 0
  }

  endTable(table: TableParts): void {
    this.#flush()
    const grid = this.#grid(table)
    if (grid !== undefined) table.outer.blocks.push(grid)
  }

  /** Ends an item, a cell or a list. */
  leave(): void {
    this.#flush()
    this.quote = this.#holder.quote
    this.#holder = this.#holders.pop() ?? this.#holder
    this.#blocks.length = this.#blockStarts.pop() ?? 0
  }

  end(): readonly HtmlBlock[] {
    this.#flush()
    return this.#root
  }

  #enter(holder: Holder): void {
    this.#holders.push(this.#holder)
    this.#holder = holder
    this.#blockStarts.push(this.#blocks.length)
  }

  get #style(): BlockStyle {
    const innermost = this.#blocks.length > (this.#blockStarts.at(-1) ?? 0) ? this.#blocks.at(-1) : undefined
    return (innermost ?? this.#holder).style
  }

  /** Where the next block is added. A block in a list but in no item belongs to the item before. */
  #target(): Holder {
    const { list } = this.#holder
    if (list === undefined) return this.#holder
    let item = list.items.at(-1)
    if (item === undefined) list.items.push((item = { unmarked: true, blocks: [] }))
    return { blocks: item.blocks, quote: this.#holder.quote, style: this.#holder.style }
  }

  #isBlank(): boolean {
    this.#endRun()
    return (this.#inlines ?? []).every((inline) => inline.kind === 'text' && inline.text.trim() === '')
  }

  #paragraph(): HtmlInline[] {
    this.#endRun()
    this.#inlines ??= []
    return this.#inlines
  }

  #append(text: string, style: InlineStyle): void {
    let run = this.#run
    if (run?.style !== style) {
      this.#endRun()
      this.#inlines ??= []
      this.#run = run = { style, words: [], blank: false }
    }
    run.words.push(text)
    run.blank = text.endsWith(' ')
  }

  #endRun(): void {
    const run = this.#run
    this.#run = undefined
    if (run !== undefined) this.#inlines?.push({ kind: 'text', text: run.words.join(''), style: run.style })
  }

  #flush(): void {
    this.#endRun()
    const inlines = this.#inlines
    this.#inlines = undefined
    if (inlines === undefined) return
    const style = this.#style
    if (!style.preformatted) trimEnd(inlines)
    // A break at the end of a paragraph ends its last line and adds none. A break alone is an empty line.
    if (inlines.at(-1)?.kind === 'break') inlines.pop()
    else if (inlines.length === 0) return
    const paragraph: HtmlParagraph = {
      kind: 'paragraph',
      ...style,
      quote: this.quote,
      ...(this.#breakBefore ? { breakBefore: true } : {}),
      inlines,
    }
    this.#breakBefore = false
    this.#target().blocks.push(paragraph)
  }

  /** The table with a cell in every column of every row: those that a span covers are marked, missing ones are empty. */
  #grid({ rows, columns: declared, rtl }: TableParts): HtmlTable | undefined {
    const filled: HtmlCell[][] = rows.map(() => [])
    let columns = 0
    rows.forEach((row, r) => {
      let column = 0
      for (const { blocks, background, width, ...cell } of row.cells) {
        while (filled[r]![column] !== undefined) column += 1
        if (column >= maxColumns) {
          const lastCell = filled[r]!.findLast(({ covered }) => !covered)
          ;(lastCell?.blocks as HtmlBlock[] | undefined)?.push(...blocks)
          continue
        }
        let colspan = 1
        while (
          colspan < cell.colspan &&
          column + colspan < maxColumns &&
          filled[r]![column + colspan] === undefined
        )
          colspan += 1
        const rowspan = Math.min(cell.rowspan, rows.length - r)
        this.#cells += colspan * rowspan
        if (this.#cells > maxCells)
          throw new AppError('template.html', { because: 'its tables have too many cells' })
        const copy: HtmlCell = {
          ...cell,
          colspan,
          rowspan,
          covered: false,
          ...(background === undefined ? {} : { background }),
          blocks,
        }
        for (let down = 0; down < rowspan; down += 1)
          for (let right = 0; right < colspan; right += 1)
            filled[r + down]![column + right] =
              down + right === 0 ? copy : { ...copy, covered: true, blocks: [] }
        if (colspan === 1) declared[column] ??= width
        column += colspan
      }
      columns = Math.max(columns, filled[r]!.length)
    })
    const nonEmpty = filled.filter((cells) => cells.length > 0)
    if (nonEmpty.length === 0) return undefined
    const empty: HtmlCell = { colspan: 1, rowspan: 1, covered: false, header: false, blocks: [] }
    for (const cells of nonEmpty) for (let column = 0; column < columns; column += 1) cells[column] ??= empty
    const widths = sharesOf(declared, columns)
    return {
      kind: 'table',
      quote: this.quote,
      columns,
      ...(widths === undefined ? {} : { widths }),
      ...(rtl ? { rtl: true } : {}),
      rows: nonEmpty,
    }
  }
}

/** The shares of the columns. Columns without a width share what is left, at least 5 % each. Undefined for equal shares. */
function sharesOf(declared: readonly (number | undefined)[], columns: number): readonly number[] | undefined {
  const declaredWidths = Array.from({ length: columns }, (_, column) => declared[column])
  const sum = declaredWidths.reduce<number>((total, width) => total + (width ?? 0), 0)
  if (sum === 0) return undefined
  const remaining = Math.max(
    5,
    (100 - sum) / Math.max(1, declaredWidths.filter((width) => width === undefined).length),
  )
  const widths = declaredWidths.map((width) => width ?? remaining)
  const total = widths.reduce((total, width) => total + width, 0)
  const fractions = widths.map((width) => width / total)
  return fractions.every((fraction) => Math.abs(fraction - 1 / columns) < 0.005) ? undefined : fractions
}

/** The style of a block inside another one: `start` and `end` become sides of the page, and indents add up. */
function nested(
  inherited: Partial<BlockStyle>,
  { align, direction, indent, ...declared }: DeclaredBlock,
): BlockStyle {
  const rtl = direction === undefined ? inherited.rtl === true : direction === 'rtl'
  const start = rtl ? 'right' : 'left'
  const end = rtl ? 'left' : 'right'
  const side = align === 'start' ? start : align === 'end' ? end : align
  const { rtl: _, ...inheritable } = inherited
  const totalIndent = (inherited.indent ?? 0) + (indent ?? 0)
  return {
    ...inheritable,
    ...declared,
    ...(side === undefined ? {} : { align: side }),
    ...(totalIndent === 0 ? {} : { indent: totalIndent }),
    ...(rtl ? { rtl: true } : {}),
  }
}

/** The styles that items and cells inherit from the blocks around their list or table. */
const flowing = ({ align, rtl }: BlockStyle): BlockStyle => ({
  spaced: false,
  ...(align === undefined ? {} : { align }),
  ...(rtl === undefined ? {} : { rtl }),
})

/** The styles that a block inherits from the one around it. */
function inherited({
  align,
  background,
  heading,
  preformatted,
  indent,
  rtl,
}: BlockStyle): Partial<BlockStyle> {
  return {
    ...(indent === undefined ? {} : { indent }),
    ...(rtl === undefined ? {} : { rtl }),
    ...(align === undefined ? {} : { align }),
    ...(background === undefined ? {} : { background }),
    ...(heading === undefined ? {} : { heading }),
    ...(preformatted === undefined ? {} : { preformatted }),
  }
}

function trimEnd(inlines: HtmlInline[]): void {
  const last = inlines.at(-1)
  if (last?.kind !== 'text') return
  const text = last.text.replace(/ +$/, '')
  if (text !== '') inlines[inlines.length - 1] = { ...last, text }
  else inlines.pop()
}
