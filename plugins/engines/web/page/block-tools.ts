/** What the parts that write lists, tables and rows know of each other and of the blocks that they stand in. */
import type { Styled } from './css/cascade.ts'
import type { Style } from './css/style.ts'
import type { OdfStyles } from './odf/document.ts'
import { type Around, type Box, boxValues, noBox } from './odf/looks.ts'
import type { Base, OdfNode, Paragraph, Table, TableCell } from './odf/nodes.ts'
import { pt } from './odf/nodes.ts'
import type { Kid, Tree } from './tree.ts'
import type { Widths } from './widths.ts'

/** Where blocks stand. */
export interface Context {
  readonly width: number // of the column that all is in
  readonly left: number // of it that others take
  readonly right: number
  readonly base: Base
  readonly around: Around
  readonly cell: boolean
  readonly lists: number // around
  /** Of the next paragraph, whatever its style says. */
  readonly align?: string
  /** Of a large box: what each of its paragraphs shows of it. */
  readonly box?: Box
}

/** What is written, seen from the parts that write lists, tables and rows. */
export interface Blocks {
  readonly tree: Tree
  readonly styles: OdfStyles
  readonly widths: Widths
  block(one: Styled, context: Context): void
  children(of: Styled, kids: readonly Kid[], context: Context): void
  /** What is written inside of `work` alone, with the space around it. */
  inside(work: () => void): OdfNode[]
  /** What is written inside of `work`, in the text that goes on. */
  collect(work: () => void): OdfNode[]
  emit(node: OdfNode): void
  emitTable(table: Table): void
  /** Where the border of a box stands: room left of it and right of it in the column. */
  place(style: Style, context: Context): { readonly left: number; readonly right: number }
  cell(one: Styled, width: number, context: Context, more?: Partial<CellMore>): TableCell
  empty(style: Style, context: Context, size?: number): Paragraph
  /** A cell that keeps others apart. */
  gap(style: Style, context: Context): Pick<TableCell, 'layout' | 'nodes'>
}
export interface CellMore {
  readonly columns: number
  readonly rows: number
  readonly box: Box
  readonly base: Base
  readonly align: string
}

/** Of text that nobody is to see the height of. */
export const tiny = 2

/** A table of one cell. */
export function boxTable(left: number, width: number, cell: TableCell): Table {
  return {
    kind: 'table',
    layout: tableLayout(left, width),
    columns: [width],
    rows: [{ layout: new Map([['fo:keep-together', 'auto']]), cells: [cell] }],
    headerRows: 0,
  }
}

export function tableLayout(left: number, width: number, rtl = false): Map<string, string> {
  return new Map([
    ['style:width', pt(width)],
    ['table:align', rtl ? 'right' : 'left'],
    ['fo:margin-left', rtl ? '0pt' : pt(left)],
    ['table:border-model', 'collapsing'],
    ['style:may-break-between-rows', 'true'],
    ['style:writing-mode', rtl ? 'rl-tb' : 'lr-tb'],
  ])
}

/** A paragraph that keeps tables apart. */
export function spacer(height: number, content: string): Paragraph {
  return {
    kind: 'paragraph',
    base: 'Text_20_body',
    layout: new Map([
      ['fo:margin-left', '0pt'],
      ['fo:margin-right', '0pt'],
      ['fo:text-indent', '0pt'],
      ['fo:line-height', pt(height)],
      ...boxValues(noBox),
    ]),
    text: new Map([['fo:font-size', pt(tiny)]]),
    content,
  }
}
