import type { Chart, Series, SeriesCells, SheetArea } from '../../../../../shared/document/chart.ts'
import type { Cell, Sheet, SheetDrawing, SheetRow, Workbook } from '../../../../../shared/document/sheet.ts'
import type { SheetContext } from './context.ts'
import { cellAt } from './grid.ts'

/** The maximum number of cells in one range of a chart, and in all charts of a workbook. */
const maxPoints = 20_000
const maxRead = 1_000_000

/** Reads the cells of charts; `left` is how many cells may still be read. */
interface ChartReading extends Pick<SheetContext, 'numbers' | 'budget' | 'warn'> {
  readonly workbook: Workbook
  readonly sheets: ReadonlyMap<string, Sheet>
  readonly rows: Map<Sheet, ReadonlyMap<number, SheetRow>>
  left: number
}

/** A cell as a data point: its formatted text and its number. */
interface ChartPoint {
  readonly text: string
  readonly value?: number
  readonly format?: string
}

/**
 * Fills in the values of charts that refer to cells without storing a copy, as LibreOffice and openpyxl write charts. Must be
 * called after the formulas are computed. Hidden rows are omitted, which is the default of LibreOffice and Excel.
 */
export function withChartValues(
  workbook: Workbook,
  context: Pick<SheetContext, 'numbers' | 'budget' | 'warn'>,
): Workbook {
  if (!workbook.sheets.some(({ drawings = [] }) => drawings.some(needsCells))) return workbook
  const reading: ChartReading = {
    ...context,
    workbook,
    sheets: new Map(workbook.sheets.map((sheet) => [sheet.name.toLowerCase(), sheet])),
    rows: new Map(),
    left: maxRead,
  }
  const sheets = workbook.sheets.map((sheet) =>
    sheet.drawings?.some(needsCells)
      ? { ...sheet, drawings: sheet.drawings.map((drawing) => withValues(drawing, reading)) }
      : sheet,
  )
  return { ...workbook, sheets }
}

const chartOf = ({ drawing }: SheetDrawing): Chart | undefined =>
  drawing?.content.kind === 'chart' ? drawing.content.chart : undefined

const needsCells = (drawing: SheetDrawing): boolean =>
  chartOf(drawing)?.plots.some(({ series }) => series.some(({ cells }) => cells !== undefined)) === true

function withValues(sheetDrawing: SheetDrawing, reading: ChartReading): SheetDrawing {
  const chart = chartOf(sheetDrawing)
  if (chart === undefined || sheetDrawing.drawing === undefined) return sheetDrawing
  const plots = chart.plots.map((plot) => ({
    ...plot,
    series: plot.series.map((series) =>
      series.cells === undefined ? series : filled(series, series.cells, reading),
    ),
  }))
  return {
    ...sheetDrawing,
    drawing: { ...sheetDrawing.drawing, content: { kind: 'chart', chart: { ...chart, plots } } },
  }
}

function filled(series: Series, cells: SeriesCells, reading: ChartReading): Series {
  const values = cells.values && pointsOf(cells.values, reading)
  if (cells.values !== undefined && values === undefined) {
    reading.warn({
      code: 'read.chart-part',
      message: 'A chart is drawn without values of cells that the workbook does not have.',
    })
    return series
  }
  const isRow = cells.values?.top === cells.values?.bottom && cells.values?.left !== cells.values?.right
  const categories = cells.categories && pointsOf(innermost(cells.categories, isRow), reading)
  const x = cells.x && pointsOf(cells.x, reading)
  const name = cells.name && pointsOf(cells.name, reading)
  const format = values?.find((point) => point.value !== undefined)?.format
  const dayFormat = categories?.find((point) => point.value !== undefined)?.format
  return {
    ...series,
    ...(values !== undefined && { values: values.map(({ value }) => value) }),
    ...(series.format === undefined && format !== undefined && { format }),
    ...(name !== undefined && { name: name.map(({ text }) => text).join(' ') }),
    ...(categories !== undefined && { categories: categories.map(({ text }) => text) }),
    ...(categories !== undefined &&
      dayFormat !== undefined &&
      !/^general$/i.test(dayFormat) && { days: categories.map(({ value }) => value), dayFormat }),
    ...(x !== undefined && { x: x.map(({ value }) => value) }),
  }
}

/** The row of categories in several rows that is next to the values, where those stand in a row. */
const innermost = (area: SheetArea, isRow: boolean): SheetArea =>
  isRow && area.right > area.left ? { ...area, top: area.bottom } : area

/**
 * The points of an area, row by row. For categories in several columns the last column is used. Returns undefined if the
 * sheet does not exist.
 */
function pointsOf(area: SheetArea, reading: ChartReading): ChartPoint[] | undefined {
  const sheet = reading.sheets.get(area.sheet.toLowerCase())
  if (sheet === undefined) return undefined
  let rows = reading.rows.get(sheet)
  if (rows === undefined) reading.rows.set(sheet, (rows = new Map(sheet.rows.map((row) => [row.row, row]))))
  const points: ChartPoint[] = []
  for (let row = area.top; row <= area.bottom; row++) {
    const sheetRow = rows.get(row)
    if (sheetRow?.hidden) continue
    const isColumn = area.bottom > area.top
    for (let column = isColumn ? area.right : area.left; column <= area.right; column++) {
      if (points.length >= maxPoints || --reading.left < 0) return points
      reading.budget.check()
      points.push(pointOf(cellAt(sheetRow, column), reading))
    }
  }
  return points
}

function pointOf(cell: Cell | undefined, { numbers, workbook }: ChartReading): ChartPoint {
  const value = cell?.value
  if (cell === undefined || value === undefined) return { text: '' }
  if (typeof value === 'boolean') return { text: cell.shown ?? (value ? 'TRUE' : 'FALSE') }
  if (typeof value === 'object')
    return { text: value.kind === 'error' ? value.text : value.runs.map(({ text }) => text).join('') }
  const format = workbook.formats[cell.format]?.number ?? 'General'
  const text = cell.shown ?? numbers.print(value, format).text.trim()
  return typeof value === 'number' ? { text, value, format } : { text }
}
