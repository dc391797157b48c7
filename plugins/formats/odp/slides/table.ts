/** Tables of slides and the table templates that they refer to (ODF 1.3 part 3, 9.1 and 16.20). */

import { translucent } from '../../../../shared/document/background.ts'
import type { Block } from '../../../../shared/document/content.ts'
import type { Shape } from '../../../../shared/document/drawing.ts'
import { type Cell, type Row, withHeader } from '../../../../shared/document/table.ts'
import { backgroundOf, coloured } from '../../../../shared/office/opendocument/text/background.ts'
import type { OdfPartContext } from '../../../../shared/office/opendocument/text/part-context.ts'
import type { OpenStyle } from '../../../../shared/office/opendocument/text/styles.ts'
import { type CellPosition, readTable } from '../../../../shared/office/opendocument/text/table.ts'
import { readBorders } from '../../../../shared/office/opendocument/text/text-properties.ts'
import { color, compact, length, percent } from '../../../../shared/office/opendocument/values.ts'
import { assignAll } from '../../../../shared/push-all.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { tagsIn } from '../../../../shared/xml/elements.ts'
import { type PageReading, spendShape } from './context.ts'

/** The names of cell styles by the part of a table that they apply to, such as 'first-row'. */
export type TableTemplate = ReadonlyMap<string, string>

/** Reads table:table-template (16.20) at the cursor. */
export function readTemplate(cursor: XmlCursor): TableTemplate {
  const parts = new Map<string, string>()
  cursor.each((name) => {
    const style = cursor.attribute('table:style-name') ?? cursor.attribute('text:style-name')
    if (style !== undefined) parts.set(name.slice(name.indexOf(':') + 1), style)
  })
  return parts
}

/** The parts of a template that a table uses, and the size of the table. */
interface TableLook {
  readonly template: TableTemplate
  readonly uses: (name: string) => boolean
  readonly rows: number
  readonly columns: number
}

/** Reads table:table at the cursor, in a frame of this size in points. */
export function readSlideTable(
  reading: PageReading,
  templates: ReadonlyMap<string, TableTemplate>,
  frame: { readonly width: number; readonly height: number },
): Shape | undefined {
  const { part } = reading
  const { cursor } = part
  const template = templates.get(cursor.attribute('table:template-name') ?? '') ?? new Map()
  const used = new Set(
    cursor
      .attributes()
      .filter(([name, value]) => name.startsWith('table:use-') && value === 'true')
      .map(([name]) => name),
  )
  const count = template.size === 0 ? 0 : [...tagsIn(cursor.markup(), 'table:table-row')].length
  const columns = template.size === 0 ? 0 : [...tagsIn(cursor.markup(), 'table:table-column')].length
  const tableLook: TableLook = {
    template,
    uses: (name) => used.has(`table:use-${name}-styles`),
    rows: count,
    columns,
  }
  const table = readTable(part, (_, position) => readCell(reading, tableLook, position), frame.width)
  if (table === undefined) return undefined
  const width = table.grid.reduce((sum, column) => sum + column, 0)
  const rows = rowsIn(table.rows, frame.height)
  const properties = {
    layout: 'fixed',
    width: { kind: 'pt', value: width },
    ...(frame.height > 0 && { frameHeight: frame.height }),
  } as const
  return {
    kind: 'shape',
    geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
    text: {
      blocks: [{ ...table, properties, rows: tableLook.uses('first-row') ? withHeader(rows) : rows }],
      insets: { left: 0, top: 0, right: 0, bottom: 0 },
      align: 'top',
      grows: false,
      direction: 'horizontal',
      wraps: true,
    },
  }
}

/** Rows fill the height of the frame in proportion to their heights, and grow with their text (observed in LibreOffice). */
function rowsIn(rows: readonly Row[], height: number): Row[] {
  const heightOf = ({ properties }: Row): number => properties.height?.value ?? 0
  const totalHeight = rows.reduce((sum, row) => sum + heightOf(row), 0)
  const scale = totalHeight > 0 && height > 0 ? height / totalHeight : 1
  return rows.map((row) => ({
    ...row,
    properties: { ...row.properties, height: { rule: 'at-least', value: heightOf(row) * scale } },
  }))
}

/** The cell styles at a position, highest priority first: that of the cell, then those of the template. */
function templateStyles(
  { styles }: OdfPartContext,
  { template, uses, rows, columns }: TableLook,
  { row, column }: CellPosition,
): OpenStyle[] {
  const offset = uses('first-row') ? 1 : 0
  const acrossOffset = uses('first-column') ? 1 : 0
  const names = [
    uses('first-row') && row === 0 && 'first-row',
    uses('last-row') && row === rows - 1 && 'last-row',
    uses('first-column') && column === 0 && 'first-column',
    uses('last-column') && column === columns - 1 && 'last-column',
    uses('banding-rows') && ((row - offset) % 2 === 0 ? 'odd-rows' : 'even-rows'),
    uses('banding-columns') && ((column - acrossOffset) % 2 === 0 ? 'odd-columns' : 'even-columns'),
    'body',
  ]
  return names.flatMap((name) =>
    name === false ? [] : styles.chain(styles.styles.get(`table-cell/${template.get(name) ?? ''}`)),
  )
}

/** Reads table:table-cell at the cursor. */
function readCell(reading: PageReading, look: TableLook, position: CellPosition): Cell {
  const { part, cascade } = reading
  const { cursor, styles, scope, shared } = part
  spendShape(reading)
  const named = cursor.attribute('table:style-name') ?? position.ofRow
  const chain = [
    ...styles.chain(styles.find(scope, 'table-cell', named)),
    ...templateStyles(part, look, position),
  ]
  // Text without formatting looks as in shapes of the standard style (observed in LibreOffice).
  const standard = styles.styles.get('graphic/standard')
  const textStyles = standard === undefined ? chain : [...chain, standard]
  const get = (name: string): string | undefined =>
    chain.find(({ attributes }) => attributes.has(name))?.attributes.get(name)
  const pad = (side: string, otherwise: number): number =>
    length(get(`fo:padding-${side}`)) ?? length(get('fo:padding')) ?? otherwise
  const vertical = get('draw:textarea-vertical-align') ?? get('style:vertical-align')
  // So are cells of a table without a template that declare no fill.
  const hasFill = look.template.size > 0 || get('draw:fill') !== undefined
  const fillOf = (name: string): string | undefined =>
    hasFill ? get(name) : (get(name) ?? standard?.attributes.get(name))
  const behind = backgroundOf(fillOf, styles)
  const opacity = percent(fillOf('draw:opacity')) ?? 1
  const isFilled = fillOf('draw:fill') === 'solid' || (behind !== undefined && coloured(fillOf))
  const borders = assignAll({}, chain.map(({ paragraph }) => paragraph.borders).reverse())
  const fill = isFilled ? color(fillOf('draw:fill-color')) : undefined
  const isClear = fill !== undefined && opacity < 0.98
  const blocks = withLine(shared.readBlocks(part))
  if (blocks.some((block) => block.kind === 'paragraph' && block.inlines.length > 0))
    reading.lines.ignoreFont = false
  return {
    properties: compact({
      span: position.span > 1 ? position.span : undefined,
      merge: position.rows > 1 ? 'start' : undefined,
      borders: { ...readBorders(get), ...borders },
      shading: isClear ? undefined : fill,
      backdrop: isClear && opacity > 0.02 ? translucent(fill, opacity) : behind,
      margins: {
        top: pad('top', 3.6),
        right: pad('right', 7.2),
        bottom: pad('bottom', 3.6),
        left: pad('left', 7.2),
      },
      align: vertical === 'middle' ? 'center' : vertical === 'bottom' ? 'bottom' : 'top',
    } as const),
    blocks: cascade.apply(blocks, { styles: textStyles }),
  }
}

/** A cell without a paragraph is as tall as one with an empty paragraph (observed in LibreOffice). */
const withLine = (blocks: readonly Block[]): readonly Block[] =>
  blocks.length > 0 ? blocks : [{ kind: 'paragraph', properties: {}, mark: {}, inlines: [] }]
