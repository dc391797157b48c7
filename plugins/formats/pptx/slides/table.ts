/** Reads tables of slides (ECMA-376-1 21.1.3) as tables of the document model inside a shape. */
import { translucent } from '../../../../shared/document/background.ts'
import type { Block } from '../../../../shared/document/content.ts'
import type { Shape } from '../../../../shared/document/drawing.ts'
import type { Border } from '../../../../shared/document/properties.ts'
import { type Cell, type Row, withHeader } from '../../../../shared/document/table.ts'
import type { CellProperties, TableBorders } from '../../../../shared/document/table-properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { type FillProperties, readFill } from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import { emu, integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import { tagsIn } from '../../../../shared/xml/elements.ts'
import { backdropOf } from './backdrop.ts'
import { readBorder } from './border.ts'
import type { ListStyle } from './list-style.ts'
import { ParagraphReader } from './paragraph.ts'
import { type SlidePart, spend } from './part.ts'
import { type CellStyle, type TableLook, tableStyle } from './table-style.ts'
import { readListStyle } from './text-style.ts'

const maxColumns = 1_000

/** Reads a:tbl at the cursor. */
export function readTable(part: SlidePart): Shape {
  const { cursor } = part
  const count = [...tagsIn(cursor.markup(), 'a:tr')].length
  const grid: number[] = []
  const rows: Row[] = []
  let tableLook: TableLook = {}
  let styleId = ''
  let rightToLeft: boolean = false
  let styleOf: ((row: number, column: number, span: number) => CellStyle) | undefined
  cursor.each((name) => {
    if (name === 'a:tblPr') {
      tableLook = lookOf(part)
      rightToLeft = isOn(cursor.attribute('rtl'))
      cursor.each((child) => {
        if (child === 'a:tableStyleId') styleId = cursor.text().trim()
      })
    } else if (name === 'a:tblGrid')
      cursor.each(
        () => void (grid.length < maxColumns && grid.push(Math.max(0, emu(cursor.attribute('w')) ?? 0))),
      )
    else if (name === 'a:tr') {
      styleOf ??= tableStyle(part, styleId, tableLook, { rows: count, columns: grid.length })
      rows.push(readRow(part, rows.length, styleOf))
    }
  })
  const width = grid.reduce((sum, column) => sum + column, 0)
  const block: Block = {
    kind: 'table',
    properties: {
      layout: 'fixed',
      width: { kind: 'pt', value: width },
      cellMargins: defaultMargins,
      ...(rightToLeft ? { rightToLeft } : {}),
    },
    grid,
    rows: tableLook.firstRow ? withHeader(rows) : rows,
  }
  return {
    kind: 'shape',
    geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
    text: {
      blocks: [block],
      insets: { left: 0, top: 0, right: 0, bottom: 0 },
      align: 'top',
      grows: false,
      direction: 'horizontal',
      wraps: true,
    },
  }
}

const lookOf = ({ cursor }: SlidePart): TableLook => ({
  firstRow: isOn(cursor.attribute('firstRow')),
  lastRow: isOn(cursor.attribute('lastRow')),
  firstColumn: isOn(cursor.attribute('firstCol')),
  lastColumn: isOn(cursor.attribute('lastCol')),
  horizontalBands: isOn(cursor.attribute('bandRow')),
  verticalBands: isOn(cursor.attribute('bandCol')),
})

/** Defaults of a:tcPr (21.1.3.17). */
const defaultMargins = { left: 7.2, right: 7.2, top: 3.6, bottom: 3.6 }

/** Reads a:tr (21.1.3.18). */
function readRow(
  part: SlidePart,
  row: number,
  styleOf: (row: number, column: number, span: number) => CellStyle,
): Row {
  const { cursor } = part
  const height = Math.max(0, emu(cursor.attribute('h')) ?? 0)
  const cells: Cell[] = []
  let column = 0
  cursor.each((name) => {
    if (name !== 'a:tc') return
    const at = column++
    // Covered cells are stored but have no position of their own.
    if (isOn(cursor.attribute('hMerge'))) return
    const span = Math.max(1, Math.min(maxColumns, integer(cursor.attribute('gridSpan')) ?? 1))
    cells.push(readCell(part, styleOf(row, at, span), span))
  })
  return { properties: { height: { rule: 'at-least', value: height } }, cells }
}

/** Borders of a cell (21.1.3.17) by side. */
const sides: Readonly<Record<string, keyof TableBorders>> = {
  'a:lnL': 'left',
  'a:lnR': 'right',
  'a:lnT': 'top',
  'a:lnB': 'bottom',
  'a:lnTlToBr': 'diagonalDown',
  'a:lnBlToTr': 'diagonalUp',
}

/** Reads a:tc (21.1.3.16). */
function readCell(part: SlidePart, style: CellStyle, span: number): Cell {
  const { cursor, context } = part
  const merge = isOn(cursor.attribute('vMerge'))
    ? 'continue'
    : (integer(cursor.attribute('rowSpan')) ?? 1) > 1
      ? 'start'
      : undefined
  let blocks: readonly Block[] = []
  let properties: CellProperties = {}
  let fill: FillProperties | undefined
  const borders: Writable<TableBorders> = { ...style.borders }
  cursor.each((name) => {
    if (name === 'a:txBody') blocks = readBlocks(part, [context.defaultText, style.text])
    else if (name === 'a:tcPr') {
      properties = cellProperties(part)
      cursor.each((child) => {
        const side = entryOf(sides, child)
        const border: Border | undefined = side && readBorder(part)
        if (side !== undefined && border !== undefined) borders[side] = border
        else if (side === undefined) fill = readFill(part, child) ?? fill
      })
    }
  })
  const { color, background } = backdropOf(fill ?? style.fill)
  const opacity = (fill ?? style.fill).fillOpacity ?? 1
  const isClear = color !== undefined && opacity < 0.98
  const behind = isClear && opacity > 0.02 ? translucent(color, opacity) : background
  return {
    properties: {
      ...properties,
      ...(span > 1 && { span }),
      ...(merge !== undefined && { merge }),
      borders,
      ...(color !== undefined && !isClear && { shading: color }),
      ...(behind !== undefined && { backdrop: behind }),
    },
    blocks: blocks.length > 0 ? blocks : [emptyParagraph],
  }
}

const emptyParagraph: Block = { kind: 'paragraph', properties: {}, mark: {}, inlines: [] }
const anchors: Readonly<Record<string, CellProperties['align']>> = { t: 'top', ctr: 'center', b: 'bottom' }
const directions: Readonly<Record<string, CellProperties['direction']>> = {
  vert: 'down',
  eaVert: 'down',
  wordArtVert: 'down',
  vert270: 'up',
}

/** The attributes of a:tcPr (21.1.3.17). */
function cellProperties({ cursor, context, partName }: SlidePart): CellProperties {
  const inset = (name: string, otherwise: number): number =>
    Math.max(0, Math.min(720, emu(cursor.attribute(name)) ?? otherwise))
  const direction = entryOf(directions, cursor.attribute('vert') ?? '')
  if (isOn(cursor.attribute('anchorCtr')))
    warn(
      context,
      'read.cell-centre',
      'Text that a table cell centres as one block keeps the alignment of its paragraphs.',
      partName,
    )
  return {
    align: entryOf(anchors, cursor.attribute('anchor') ?? '') ?? 'top',
    margins: {
      left: inset('marL', defaultMargins.left),
      right: inset('marR', defaultMargins.right),
      top: inset('marT', defaultMargins.top),
      bottom: inset('marB', defaultMargins.bottom),
    },
    ...(direction !== undefined && { direction }),
  }
}

function readBlocks(part: SlidePart, inherited: readonly ListStyle[]): Block[] {
  const { cursor } = part
  const styles = [...inherited]
  const blocks: Block[] = []
  let paragraphs: ParagraphReader | undefined
  spend(part.context.budget, 'shapes')
  cursor.each((name) => {
    if (name === 'a:lstStyle') styles.push(readListStyle(part))
    else if (name === 'a:p') blocks.push((paragraphs ??= new ParagraphReader(part, styles)).read())
  })
  if (blocks.some((block) => block.kind === 'paragraph' && block.inlines.length > 0))
    part.context.lines.ignoreFont = false
  return blocks
}
