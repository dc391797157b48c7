/** Table styles (ECMA-376-1 20.1.4.2.27): the formatting that a cell gets by its position in the table. */
import type { Border, RunProperties } from '../../../../shared/document/properties.ts'
import type { TableLook as FullLook, TableBorders } from '../../../../shared/document/table-properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { paintOf, readPaint } from '../../../../shared/office/ooxml/colors.ts'
import { type FillProperties, readFill } from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import { cursorOnStyle } from '../../../../shared/office/ooxml/theme-formats.ts'
import { integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import { readBorder } from './border.ts'
import { builtInTableStyle } from './built-in-table-styles.ts'
import type { ListStyle } from './list-style.ts'
import type { SlidePart } from './part.ts'
import { mergeRuns, themeFamily } from './run-style.ts'
import { themeFill } from './theme-style.ts'

export type TableLook = Partial<FullLook>

/** The formatting that a cell gets from the style of its table. */
export interface CellStyle {
  readonly fill: FillProperties
  readonly borders: TableBorders
  readonly text: ListStyle
}

type Edge = 'left' | 'right' | 'top' | 'bottom' | 'insideH' | 'insideV'

/** One part of a table style, such as its first row. */
interface PartStyle {
  readonly fill?: FillProperties
  readonly edges: ReadonlyMap<Edge, Border>
  readonly run?: RunProperties
}

/** The rows and columns that a part of a style covers, both ends included. */
interface Area {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** Returns a function for the style of the cells of a table. `size` is the number of its rows and columns. */
export function tableStyle(
  part: SlidePart,
  id: string,
  look: TableLook,
  size: { readonly rows: number; readonly columns: number },
): (row: number, column: number, span: number) => CellStyle {
  const markup = part.context.tableStyles.get(id) ?? builtInTableStyle(id)
  const parts = markup === undefined ? new Map<string, PartStyle>() : readStyle(part, markup)
  return (row, column, span) => {
    let fill: FillProperties = {}
    let run: RunProperties | undefined
    const borders: Writable<TableBorders> = {}
    const cell = { top: row, bottom: row, left: column, right: column + span - 1 }
    for (const [name, area] of coveringParts(cell, look, size)) {
      const style = parts.get(name)
      if (style === undefined) continue
      if (style.fill !== undefined) fill = style.fill
      run = mergeRuns(run, style.run)
      setBorders(borders, style.edges, cell, area)
    }
    return { fill, borders, text: new Map([[-1, { run: run ?? {} }]]) }
  }
}

/** The parts of a style that apply to a cell, in ascending order of precedence. */
function* coveringParts(
  cell: Area,
  look: TableLook,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Generator<readonly [name: string, area: Area]> {
  const entire: Area = { top: 0, bottom: rows - 1, left: 0, right: columns - 1 }
  yield ['a:wholeTbl', entire]
  const [first, last] = [
    look.firstRow === true && cell.top === 0,
    look.lastRow === true && cell.bottom === rows - 1,
  ]
  const [start, end] = [
    look.firstColumn === true && cell.left === 0,
    look.lastColumn === true && cell.right === columns - 1,
  ]
  const row: Area = { ...entire, top: cell.top, bottom: cell.bottom }
  const column: Area = { ...entire, left: cell.left, right: cell.right }
  if (look.verticalBands === true && !start && !end) {
    const even = (cell.left - (look.firstColumn === true ? 1 : 0)) % 2 === 0
    yield [even ? 'a:band1V' : 'a:band2V', column]
  }
  if (look.horizontalBands === true && !first && !last) {
    const even = (cell.top - (look.firstRow === true ? 1 : 0)) % 2 === 0
    yield [even ? 'a:band1H' : 'a:band2H', row]
  }
  if (end) yield ['a:lastCol', column]
  if (start) yield ['a:firstCol', column]
  if (last) yield ['a:lastRow', row]
  if (first) yield ['a:firstRow', row]
  if (last && end) yield ['a:seCell', cell]
  if (last && start) yield ['a:swCell', cell]
  if (first && end) yield ['a:neCell', cell]
  if (first && start) yield ['a:nwCell', cell]
}

function setBorders(
  borders: Writable<TableBorders>,
  edges: ReadonlyMap<Edge, Border>,
  cell: Area,
  area: Area,
): void {
  const pairs = [
    ['top', cell.top === area.top ? 'top' : 'insideH'],
    ['bottom', cell.bottom === area.bottom ? 'bottom' : 'insideH'],
    ['left', cell.left === area.left ? 'left' : 'insideV'],
    ['right', cell.right === area.right ? 'right' : 'insideV'],
  ] as const
  for (const [side, edge] of pairs) {
    const border = edges.get(edge)
    if (border !== undefined) borders[side] = border
  }
}

const edgeNames: ReadonlySet<string> = new Set<Edge>(['left', 'right', 'top', 'bottom', 'insideH', 'insideV'])
const isEdge = (name: string): name is Edge => edgeNames.has(name)

/** Reads a:tblStyle. */
function readStyle(part: SlidePart, markup: string): ReadonlyMap<string, PartStyle> {
  const cursor = cursorOnStyle(markup)
  const inner: SlidePart = { ...part, cursor }
  const parts = new Map<string, PartStyle>()
  cursor.each(() =>
    cursor.each((name) => {
      parts.set(name, readPart(inner))
    }),
  )
  return parts
}

/** Reads one part of a style (CT_TablePartStyle, 20.1.4.2). */
function readPart(part: SlidePart): PartStyle {
  const { cursor, context } = part
  let fill: FillProperties | undefined
  let run: RunProperties | undefined
  const edges = new Map<Edge, Border>()
  cursor.each((name) => {
    if (name === 'a:tcTxStyle') run = readText(part)
    else if (name === 'a:tcStyle')
      cursor.each((child) => {
        if (child === 'a:fill')
          cursor.each((kind) => {
            fill = readFill(part, kind) ?? fill
          })
        else if (child === 'a:fillRef') {
          const index = integer(cursor.attribute('idx')) ?? 0
          fill = themeFill(part, index, readPaint(cursor, context.theme)?.color)
        } else if (child === 'a:tcBdr')
          cursor.each((edge) => {
            const side = edge.slice(2)
            cursor.each((line) => {
              const border = line === 'a:ln' ? readBorder(part) : undefined
              if (border !== undefined && isEdge(side)) edges.set(side, border)
            })
          })
      })
  })
  return { edges, ...(fill !== undefined && { fill }), ...(run !== undefined && { run }) }
}

/** a:tcTxStyle (20.1.4.2.30). */
function readText({ cursor, context }: SlidePart): RunProperties {
  const run: Writable<RunProperties> = {}
  const [bold, italic] = [cursor.attribute('b'), cursor.attribute('i')]
  if (bold !== undefined && bold !== 'def') run.bold = run.complexBold = isOn(bold)
  if (italic !== undefined && italic !== 'def') run.italic = run.complexItalic = isOn(italic)
  cursor.each((name) => {
    if (name === 'a:fontRef') {
      const family = themeFamily(context.theme, cursor.attribute('idx') === 'major' ? '+mj-lt' : '+mn-lt')
      if (family !== undefined) run.fonts = { ascii: family, other: family }
      const color = readPaint(cursor, context.theme)?.color
      if (color !== undefined) run.color = color
    } else run.color = paintOf(cursor, name, context.theme)?.color ?? run.color
  })
  return run
}
