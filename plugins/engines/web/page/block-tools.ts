/**
 * The interface between the writers of lists, tables and rows and the writer of blocks that contains them.
 */
import type { StyledElement } from '../../../../shared/css/cascade.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import { type BoxStyle, boxValues, type InheritedFormatting, noBox } from './odf/attributes.ts'
import type { PageOdfStyles } from './odf/document.ts'
import type { OdfNode, OdfParagraph, OdfTable, ParagraphBase, TableCell } from './odf/nodes.ts'
import { pt } from './odf/nodes.ts'
import type { StyledChild, Tree } from './tree.ts'
import type { Widths } from './widths.ts'

/** Where a block is placed and what it inherits from the blocks around it. */
export interface BlockContext {
  readonly width: number // of the column that contains the block
  readonly left: number // part of the width that enclosing blocks use
  readonly right: number
  readonly base: ParagraphBase
  readonly inherited: InheritedFormatting
  readonly cell: boolean
  readonly lists: number // number of enclosing lists
  /** Alignment of the next paragraph, which overrides its style. */
  readonly align?: string
  /** The borders and background of a large box, which each of its paragraphs repeats. */
  readonly box?: BoxStyle
}

/** The writer of blocks, as the writers of lists, tables and rows use it. */
export interface Blocks {
  readonly tree: Tree
  readonly styles: PageOdfStyles
  readonly widths: Widths
  block(styled: StyledElement, context: BlockContext): void
  children(of: StyledElement, children: readonly StyledChild[], context: BlockContext): void
  /**
   * Returns the nodes that `work` writes, separate from the text around, including the space before and
   * after.
   */
  inside(work: () => void): OdfNode[]
  /** Returns the nodes that `work` writes as a continuation of the current text. */
  collect(work: () => void): OdfNode[]
  emit(node: OdfNode): void
  emitTable(table: OdfTable): void
  /** The distances of the border of a box from both edges of the column. */
  margins(style: ComputedStyle, context: BlockContext): { readonly left: number; readonly right: number }
  cell(styled: StyledElement, width: number, context: BlockContext, more?: Partial<CellMore>): TableCell
  empty(style: ComputedStyle, context: BlockContext, size?: number): OdfParagraph
  /** An empty cell that separates two others. */
  gap(style: ComputedStyle, context: BlockContext): Pick<TableCell, 'layout' | 'nodes'>
}
export interface CellMore {
  readonly columns: number
  readonly rows: number
  readonly box: BoxStyle
  readonly base: ParagraphBase
  readonly align: string
}

/** Font size of paragraphs whose height should not be visible. */
export const tiny = 2

/** A table of one cell. */
export function boxTable(left: number, width: number, cell: TableCell): OdfTable {
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

/** A paragraph that separates two tables. */
export function spacer(height: number, content: string): OdfParagraph {
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
