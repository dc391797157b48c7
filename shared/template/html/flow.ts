/** Builds paragraphs, lists and tables while HTML is read. */

import { AppError } from '../../errors/app-error.ts'
import { maxOf } from '../../extremes.ts'
import { pushAll } from '../../push-all.ts'
import { collapsedBorders, type DeclaredBorders, noBorders } from './borders.ts'
import { type BlockStyle, type CellBox, type DeclaredBlock, readMarker, type TableBox } from './elements.ts'
import type {
  HtmlBlock,
  HtmlCell,
  HtmlInline,
  HtmlList,
  HtmlParagraph,
  HtmlTable,
  HtmlWidth,
  InlineStyle,
  ListMarker,
} from './model.ts'

export interface ItemParts {
  unmarked: boolean
  /** The item's own marker, if it differs from that of the list. Some editors put the items of different lists into one. */
  marker?: ListMarker
  /** The number that is written before the item, if it begins a list. */
  number?: number
  /** How many levels deeper than its list the item is, for editors that write nested lists as one. */
  readonly level: number
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
  readonly width: HtmlWidth | undefined
  readonly box: CellBox
  readonly block: DeclaredBlock
}
interface FilledCell extends Omit<CellParts, 'block'> {
  readonly blocks: HtmlBlock[]
}
/** A row and its declared properties. */
export interface DeclaredRow {
  readonly background: string | undefined
  readonly block: DeclaredBlock | undefined
  readonly box: CellBox | undefined
}
interface RowParts extends DeclaredRow {
  /** The row is in the head of the table. */
  readonly head: boolean
  readonly cells: FilledCell[]
}
export interface TableSection {
  readonly head: boolean
  readonly background: string | undefined
  readonly style: InlineStyle
}
export interface TableParts {
  readonly box: TableBox
  readonly rows: RowParts[]
  readonly columns: (HtmlWidth | undefined)[]
  readonly rtl: boolean
  readonly outer: Holder
  /** The current part of the table, with the properties that its rows share. */
  section: TableSection
}

/** A container of blocks: the entire text, a list item or a cell. */
interface Holder {
  readonly blocks: HtmlBlock[]
  readonly item?: ItemParts
  readonly list?: ListParts
  readonly quote: number
  /** The style that blocks inherit. */
  readonly style: BlockStyle
}

const maxColumns = 63 // the limit of Word
const maxCells = 500_000
const loose: BlockStyle = { spaced: false }

/** Builds nested blocks while elements are read: paragraphs, lists and tables. */
export class BlockBuilder {
  /** The number of block quotes around the current position. */
  quote = 0
  readonly #root: HtmlBlock[] = []
  /** The container for the next block, linked to the containers around it. */
  #holder: Holder = { blocks: this.#root, quote: 0, style: loose }
  readonly #holders: Holder[] = []
  /** The styles of the open blocks, innermost last, with the block quote level at which each began. */
  readonly #blocks: { readonly style: BlockStyle; readonly quote: number }[] = []
  /** For each open container: how many blocks were open when it began. */
  readonly #blockStarts: number[] = []
  /** The content of the paragraph that is being read; undefined between paragraphs. */
  #inlines: HtmlInline[] | undefined
  /** The current text of one style. `blank` means that it ends with a blank, so that the next blank is dropped. */
  #run: { readonly style: InlineStyle; readonly texts: string[]; blank: boolean } | undefined
  /** The next paragraph begins a new page. */
  #breakBefore = false
  /** The position is directly after <pre>, where a line break is ignored. */
  #fresh = false
  /** The number of cells of all tables so far, which is limited. */
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
    // Editors write the text of a task as a separate block after its check box.
    if (!this.#isCheckAlone()) this.#flush()
    this.#blocks.push({ style: nested(inherited(this.#style), style), quote: this.quote })
    this.#fresh = style.preformatted === true
    if (breakBefore) this.#breakBefore = true
  }

  endLine(): void {
    this.#flush()
  }

  /** Ends the innermost block. */
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
    pushAll(this.#target().blocks, listsOf(items, { level: 0, marker, start, quote: this.quote }))
  }

  /** `kind` is the list marker that the item itself declares: bullet, ordered, checked or unchecked. */
  beginItem(list: ListParts, block: DeclaredBlock, kind: string | undefined, level: number): void {
    this.#flush()
    const marker: ListMarker | undefined =
      kind === 'bullet' ? 'bullet' : kind === 'ordered' ? 'decimal' : undefined
    const declaredMarker = marker === undefined || marker === list.marker ? {} : { marker }
    const item: ItemParts = { unmarked: list.unmarked, ...declaredMarker, level, blocks: [] }
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

  /**
   * Sets the marker that precedes the innermost item as text. Consecutive items with the same marker continue one list,
   * whatever their texts are.
   */
  setMarker(text: string): void {
    const { item } = this.#holder
    if (item === undefined) return
    const { marker, number } = readMarker(text)
    item.marker = marker
    item.number = number
  }

  beginTable(box: TableBox): TableParts {
    this.#flush()
    const rtl = box.direction === undefined ? this.#style.rtl === true : box.direction === 'rtl'
    const section: TableSection = { head: false, background: undefined, style: {} }
    return { box, rows: [], columns: [], rtl, outer: this.#target(), section }
  }

  column({ columns }: TableParts, width: HtmlWidth | undefined, span: number): void {
    for (let count = 0; count < span && columns.length < maxColumns; count += 1) columns.push(width)
  }

  beginRow({ section, rows }: TableParts, row: DeclaredRow): void {
    this.#flush()
    rows.push({ ...row, background: row.background ?? section.background, head: section.head, cells: [] })
  }

  beginCell(table: TableParts, { block, ...cell }: CellParts): void {
    this.#flush()
    // A cell without a row is dropped, because it does not belong to the table.
    const row = table.rows.at(-1) ?? { background: undefined, block: undefined, cells: [] as FilledCell[] }
    const blocks: HtmlBlock[] = []
    const background = cell.background ?? row.background ?? table.box.background
    row.cells.push({ ...cell, background, blocks })
    const { align } = row.block ?? {}
    const declared: DeclaredBlock = {
      spaced: false,
      ...(cell.header ? { align: 'center' } : {}),
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
    const grid = this.#table(table)
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

  /**
   * The container that the next block is added to. A block that is in a list but outside of an item belongs to the previous
   * item.
   */
  #target(): Holder {
    const { list } = this.#holder
    if (list === undefined) return this.#holder
    let item = list.items.at(-1)
    if (item === undefined) list.items.push((item = { unmarked: true, level: 0, blocks: [] }))
    return { blocks: item.blocks, quote: this.#holder.quote, style: this.#holder.style }
  }

  #isBlank(): boolean {
    this.#endRun()
    return (this.#inlines ?? []).every((inline) => inline.kind === 'text' && inline.text.trim() === '')
  }

  /** Whether the paragraph only contains a check box, whose text follows in the next block. */
  #isCheckAlone(): boolean {
    if (this.#holder.item?.unmarked !== true || this.#holder.item.blocks.length > 0) return false
    this.#endRun()
    const shown = (this.#inlines ?? []).filter(
      (inline) => inline.kind !== 'text' || inline.text.trim() !== '',
    )
    return shown.length === 1 && shown[0]?.kind === 'check'
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
      // Browsers separate a check box from its text by a margin.
      if (this.#inlines.at(-1)?.kind === 'check' && !/^\s/.test(text))
        this.#inlines.push({ kind: 'text', text: ' ', style })
      this.#run = run = { style, texts: [], blank: false }
    }
    run.texts.push(text)
    run.blank = text.endsWith(' ')
  }

  #endRun(): void {
    const run = this.#run
    this.#run = undefined
    if (run !== undefined) this.#inlines?.push({ kind: 'text', text: run.texts.join(''), style: run.style })
  }

  #flush(): void {
    this.#endRun()
    const inlines = this.#inlines
    this.#inlines = undefined
    if (inlines === undefined) return
    const style = this.#style
    if (!style.preformatted) trimEnd(inlines)
    // A line break at the end of a paragraph adds no line. A line break alone is an empty line.
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

  /** Returns the table with a cell in every slot. Slots covered by a span are marked as covered, missing cells are empty. */
  #table({ box, rows, columns: declared, rtl }: TableParts): HtmlTable | undefined {
    const slots = this.#slots(rows, declared)
    const columns = maxOf(slots.map((cells) => cells.length))
    const filledRows = rows.flatMap((row, r) => (slots[r]!.length > 0 ? [{ row, cells: slots[r]! }] : []))
    if (filledRows.length === 0) return undefined
    const empty: GridPosition = { part: undefined, colspan: 1, rowspan: 1, covered: false, row: undefined }
    for (const { cells } of filledRows)
      for (let column = 0; column < columns; column += 1) cells[column] ??= empty
    const { width = widthOf(declared, columns), align } = box
    const widths = sharesOf(declared, columns, width?.unit === 'px' ? width.value : defaultPageWidth)
    return {
      kind: 'table',
      quote: this.quote,
      columns,
      ...(widths === undefined ? {} : { widths }),
      ...(width === undefined ? {} : { width }),
      ...(align === undefined ? {} : { align }),
      ...(rtl ? { rtl: true } : {}),
      headerRows: headerRows(filledRows),
      rows: withLines(filledRows, box, rtl),
    }
  }

  /**
   * The cell in each slot of the rows, without the empty slots at their ends. Sets the width of columns that declare none to that of
   * their first cell. The content of cells beyond the last column goes to the last cell of the row.
   */
  #slots(rows: TableParts['rows'], widths: TableParts['columns']): GridPosition[][] {
    const slots: GridPosition[][] = rows.map(() => [])
    for (const [r, row] of rows.entries()) {
      const ownSlots = slots[r]!
      let column = 0
      for (const part of row.cells) {
        while (ownSlots[column] !== undefined) column += 1
        if (column >= maxColumns) {
          const last = ownSlots.findLast(({ covered }) => !covered)?.part
          if (last !== undefined) pushAll(last.blocks, part.blocks)
          continue
        }
        const colspan = freeColumns(ownSlots, column, part.colspan)
        const rowspan = Math.min(part.rowspan, rows.length - r)
        this.#cells += colspan * rowspan
        if (this.#cells > maxCells)
          throw new AppError('template.html', { because: 'its tables have too many cells' })
        for (let down = 0; down < rowspan; down += 1)
          for (let right = 0; right < colspan; right += 1)
            slots[r + down]![column + right] = { part, colspan, rowspan, covered: down + right > 0, row }
        if (colspan === 1) widths[column] ??= part.width
        column += colspan
      }
    }
    return slots
  }
}

/** The number of columns that a cell at `column` may span: at least one, and no more than are free. */
function freeColumns(slots: readonly GridPosition[], column: number, colspan: number): number {
  let free = 1
  while (free < colspan && column + free < maxColumns && slots[column + free] === undefined) free += 1
  return free
}

interface ListRun {
  readonly level: number
  readonly marker: ListMarker
  readonly start: number
  readonly quote: number
}

/**
 * Splits the items of one element into lists, one for each sequence of items with the same marker. Deeper items are nested in
 * the previous item.
 */
function listsOf(items: readonly ItemParts[], { level, marker, start, quote }: ListRun): readonly HtmlList[] {
  const lists: { readonly marker: ListMarker; readonly start: number; readonly items: ItemParts[] }[] = []
  for (let from = 0; from < items.length; ) {
    const item = items[from]
    if (item === undefined) break
    const itemMarker = item.marker ?? marker
    let list = lists.at(-1)
    if (item.level <= level) {
      if (list?.marker !== itemMarker)
        lists.push((list = { marker: itemMarker, start: item.number ?? (from === 0 ? start : 1), items: [] }))
      list.items.push(item)
      from += 1
      continue
    }
    let to = from + 1
    while ((items[to]?.level ?? 0) > level) to += 1
    if (list === undefined)
      lists.push((list = { marker: itemMarker, start, items: [{ unmarked: true, level, blocks: [] }] }))
    const last = list.items.at(-1)
    const inner = listsOf(items.slice(from, to), { level: level + 1, marker, start: 1, quote: 0 })
    if (last !== undefined) pushAll(last.blocks, inner)
    from = to
  }
  return lists
    .filter((list) => list.items.some((item) => !item.unmarked || item.blocks.length > 0))
    .map((list) => ({ kind: 'list', ...list, quote }))
}

/** A slot in the grid of a table, with the cell that covers it. */
interface GridPosition {
  readonly part: FilledCell | undefined // undefined if the row has too few cells
  readonly row: RowParts | undefined
  readonly colspan: number
  readonly rowspan: number
  readonly covered: boolean
}
interface GridRow {
  readonly row: RowParts
  readonly cells: readonly GridPosition[]
}

/** Converts rows to cells of the model, with the borders of each. */
function withLines(rows: readonly GridRow[], { borders, cells: hints }: TableBox, rtl: boolean) {
  // Sides are those of the page: the first column of a right-to-left table is the last one of the grid.
  const inOrder = <T>(list: readonly T[]): readonly T[] => (rtl ? list.toReversed() : list)
  const grid = rows.map(({ cells }) =>
    inOrder(cells).map(({ part }) => ({ cell: part, borders: part?.box.borders ?? hints.borders })),
  )
  const lines = collapsedBorders(
    grid,
    rows.map(({ row }): DeclaredBorders => row.box?.borders ?? noBorders),
    borders,
  )
  return rows.map(({ cells }, r) => {
    const borderLines = inOrder(lines[r] ?? [])
    return cells.map(({ part, row, colspan, rowspan, covered }, column): HtmlCell => {
      const padding = { ...hints.padding, ...part?.box.padding }
      const verticalAlign = part?.box.verticalAlign ?? row?.box?.verticalAlign
      const background = part?.background
      return {
        colspan,
        rowspan,
        covered,
        header: part?.header ?? false,
        ...(background === undefined ? {} : { background }),
        borders: borderLines[column] ?? {},
        ...(Object.keys(padding).length === 0 ? {} : { padding }),
        ...(verticalAlign === undefined ? {} : { verticalAlign }),
        blocks: covered || part === undefined ? [] : part.blocks,
      }
    })
  })
}

/**
 * The number of header rows: the rows of the head, or a first row that only consists of header cells. 0 if a cell spans from
 * them into the rows below.
 */
function headerRows(rows: readonly GridRow[]): number {
  const below = rows.findIndex(({ row }) => !row.head)
  if (below < 0) return 0
  const isHeader = below > 0 || (rows[0]?.cells.every(({ part }) => part?.header === true) ?? false)
  const count = below > 0 ? below : isHeader && rows.length > 1 ? 1 : 0
  const reaches = rows
    .slice(0, count)
    .some(({ cells }, r) => cells.some(({ covered, rowspan }) => !covered && r + rowspan > count))
  return reaches ? 0 : count
}

const defaultPageWidth = 640 // px

/** The width of a table from its columns: their sum, if all of them declare a width in px. */
function widthOf(declared: readonly (HtmlWidth | undefined)[], columns: number): HtmlWidth | undefined {
  let value = 0
  for (let column = 0; column < columns; column += 1) {
    const width = declared[column]
    if (width?.unit !== 'px') return undefined
    value += width.value
  }
  return { unit: 'px', value }
}

/**
 * The fractions of the table width that its columns occupy. Columns without a width share the remainder, but get at least 5 %
 * each. Undefined if all are equal.
 */
function sharesOf(
  declared: readonly (HtmlWidth | undefined)[],
  columns: number,
  tableWidth: number,
): readonly number[] | undefined {
  const declaredWidths = Array.from({ length: columns }, (_, column) => {
    const width = declared[column]
    return width?.unit === 'px' ? (width.value * 100) / tableWidth : width?.value
  })
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

/** The style of a nested block: `start` and `end` become sides of the page, and indents add up. */
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

/** The styles that a block inherits from its parent block. */
function inherited({
  align,
  background,
  borders,
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
    ...(borders === undefined ? {} : { borders }),
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
