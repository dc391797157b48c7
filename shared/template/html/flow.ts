/** Collects text into paragraphs, and paragraphs into lists and tables: the growing result of reading HTML. */
import { AppError } from '../../errors/app-error.ts'
import type { BlockStyle } from './elements.ts'
import type { Block, HtmlCell, HtmlParagraph, HtmlTable, Inline, InlineStyle, ListMarker } from './model.ts'

export interface ItemParts {
  unmarked: boolean
  readonly blocks: Block[]
}
export interface ListParts {
  readonly marker: ListMarker
  readonly start: number
  readonly items: ItemParts[]
}
export interface CellParts {
  readonly colspan: number
  readonly rowspan: number
  readonly header: boolean
  readonly background: string | undefined
}
interface FilledCell extends CellParts {
  readonly blocks: Block[]
}
export interface TableParts {
  readonly rows: { readonly background: string | undefined; readonly cells: FilledCell[] }[]
  readonly outer: Holder
}

/** Where blocks are put: the text itself, an item, a cell. */
interface Holder {
  readonly blocks: Block[]
  readonly item?: ItemParts
  readonly list?: ListParts
  readonly quote: number
}

const columnsAtMost = 63 // of a table in Word
const cellsAtMost = 500_000
const loose: BlockStyle = { spaced: false }

export class Flow {
  quote = 0
  readonly #root: Block[] = []
  #holder: Holder = { blocks: this.#root, quote: 0 }
  readonly #holders: Holder[] = []
  /** Styles of the blocks around, innermost last, with the quotation they were begun in. */
  readonly #blocks: { readonly style: BlockStyle; readonly quote: number }[] = []
  readonly #blockMarks: number[] = [] // where the blocks of each holder begin
  #inlines: Inline[] | undefined
  /** Text of one look that still grows. */
  #run: { readonly style: InlineStyle; readonly words: string[]; blank: boolean } | undefined
  #breakBefore = false
  #fresh = false // right behind <pre>
  #cells = 0

  text(text: string, style: InlineStyle): void {
    if (this.#style.preformatted) {
      const lines = (this.#fresh ? text.replace(/^\n/, '') : text).split('\n')
      this.#fresh = false
      lines.forEach((line, at) => {
        if (at > 0) this.lineBreak(style)
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

  inline(inline: Inline): void {
    this.#paragraph().push(inline)
  }

  check(checked: boolean, style: InlineStyle): void {
    const { item } = this.#target()
    if (item !== undefined && item.blocks.length === 0 && this.#isBlank()) item.unmarked = true
    this.inline({ kind: 'check', checked, style })
  }

  beginBlock(style: BlockStyle, breakBefore: boolean): void {
    this.#flush()
    this.#blocks.push({ style: { ...inherited(this.#style), ...style }, quote: this.quote })
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
    if (this.#blocks.length > (this.#blockMarks.at(-1) ?? 0)) this.quote = this.#blocks.pop()!.quote
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
    this.#enter({ blocks: [], list, quote: this.quote })
  }

  endList({ marker, start, items }: ListParts): void {
    this.leave()
    if (items.some((item) => !item.unmarked || item.blocks.length > 0))
      this.#target().blocks.push({ kind: 'list', marker, start, quote: this.quote, items })
  }

  beginItem(list: ListParts): void {
    this.#flush()
    const item: ItemParts = { unmarked: false, blocks: [] }
    list.items.push(item)
    this.#enter({ blocks: item.blocks, item, quote: this.quote })
  }

  beginTable(): TableParts {
    this.#flush()
    return { rows: [], outer: this.#target() }
  }

  beginRow(table: TableParts, background: string | undefined): void {
    this.#flush()
    table.rows.push({ background, cells: [] })
  }

  beginCell(table: TableParts, cell: CellParts): void {
    this.#flush()
    const row = table.rows.at(-1)!
    const blocks: Block[] = []
    row.cells.push({ ...cell, background: cell.background ?? row.background, blocks })
    this.#enter({ blocks, quote: this.quote })
    this.quote = 0
  }

  endTable(table: TableParts): void {
    this.#flush()
    const made = this.#grid(table)
    if (made !== undefined) table.outer.blocks.push(made)
  }

  /** Out of an item, a cell or a list. */
  leave(): void {
    this.#flush()
    this.quote = this.#holder.quote
    this.#holder = this.#holders.pop()!
    this.#blocks.length = this.#blockMarks.pop()!
  }

  end(): readonly Block[] {
    this.#flush()
    return this.#root
  }

  #enter(holder: Holder): void {
    this.#holders.push(this.#holder)
    this.#holder = holder
    this.#blockMarks.push(this.#blocks.length)
  }

  get #style(): BlockStyle {
    return this.#blocks.length > (this.#blockMarks.at(-1) ?? 0) ? this.#blocks.at(-1)!.style : loose
  }

  /** What stands in a list but in no item belongs to the item before. */
  #target(): Holder {
    const { list } = this.#holder
    if (list === undefined) return this.#holder
    let item = list.items.at(-1)
    if (item === undefined) list.items.push((item = { unmarked: true, blocks: [] }))
    return { blocks: item.blocks, quote: this.#holder.quote }
  }

  #isBlank(): boolean {
    this.#endRun()
    return (this.#inlines ?? []).every((inline) => inline.kind === 'text' && inline.text.trim() === '')
  }

  #paragraph(): Inline[] {
    this.#endRun()
    this.#inlines ??= []
    return this.#inlines
  }

  #append(text: string, style: InlineStyle): void {
    if (this.#run?.style !== style) {
      this.#endRun()
      this.#inlines ??= []
      this.#run = { style, words: [], blank: false }
    }
    this.#run!.words.push(text)
    this.#run!.blank = text.endsWith(' ')
  }

  #endRun(): void {
    const run = this.#run
    this.#run = undefined
    if (run !== undefined) this.#inlines!.push({ kind: 'text', text: run.words.join(''), style: run.style })
  }

  #flush(): void {
    this.#endRun()
    const inlines = this.#inlines
    this.#inlines = undefined
    if (inlines === undefined) return
    const style = this.#style
    if (!style.preformatted) trimEnd(inlines)
    // A break at the end of a paragraph ends its last line; alone it is an empty line.
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

  /** Gives every row all its columns. */
  #grid({ rows }: TableParts): HtmlTable | undefined {
    const filled: HtmlCell[][] = rows.map(() => [])
    let columns = 0
    rows.forEach((row, r) => {
      let column = 0
      for (const { blocks, background, ...cell } of row.cells) {
        while (filled[r]![column] !== undefined) column += 1
        if (column >= columnsAtMost) {
          const last = filled[r]!.findLast(({ covered }) => !covered)
          ;(last?.blocks as Block[] | undefined)?.push(...blocks)
          continue
        }
        let colspan = 1
        while (
          colspan < cell.colspan &&
          column + colspan < columnsAtMost &&
          filled[r]![column + colspan] === undefined
        )
          colspan += 1
        const rowspan = Math.min(cell.rowspan, rows.length - r)
        this.#cells += colspan * rowspan
        if (this.#cells > cellsAtMost)
          throw new AppError('template.html', { because: 'its tables have too many cells' })
        const made: HtmlCell = {
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
              down + right === 0 ? made : { ...made, covered: true, blocks: [] }
        column += colspan
      }
      columns = Math.max(columns, filled[r]!.length)
    })
    const kept = filled.filter((cells) => cells.length > 0)
    if (kept.length === 0) return undefined
    const empty: HtmlCell = { colspan: 1, rowspan: 1, covered: false, header: false, blocks: [] }
    for (const cells of kept) for (let at = 0; at < columns; at += 1) cells[at] ??= empty
    return { kind: 'table', quote: this.quote, columns, rows: kept }
  }
}

/** Blocks inside others take what is not said anew. */
function inherited({ align, background, heading, preformatted }: BlockStyle): Partial<BlockStyle> {
  return {
    ...(align === undefined ? {} : { align }),
    ...(background === undefined ? {} : { background }),
    ...(heading === undefined ? {} : { heading }),
    ...(preformatted === undefined ? {} : { preformatted }),
  }
}

function trimEnd(inlines: Inline[]): void {
  const last = inlines.at(-1)
  if (last?.kind !== 'text') return
  const text = last.text.replace(/ +$/, '')
  if (text !== '') inlines[inlines.length - 1] = { ...last, text }
  else inlines.pop()
}
