import { describe, expect, it } from 'vitest'
import { withResults } from '../../../../../../plugins/engines/instant/layout/sheet/calculate.ts'
import { withChartValues } from '../../../../../../plugins/engines/instant/layout/sheet/chart-values.ts'
import { createNumberPrinter } from '../../../../../../plugins/engines/instant/style/cell-number/print.ts'
import { readOds } from '../../../../../../plugins/formats/ods/reader/open.ts'
import { readXlsx } from '../../../../../../plugins/formats/xlsx/reader/open.ts'
import type { Series } from '../../../../../../shared/document/chart.ts'
import type { Workbook } from '../../../../../../shared/document/sheet.ts'
import { defaultLimits } from '../../../../../../shared/limits.ts'
import { chartXml } from '../../../../../helpers/charts.ts'
import { codecNode } from '../../../../../helpers/codec-node.ts'
import { odfFrame, odfWithCharts } from '../../../../../helpers/odf-charts.ts'
import { odsRow, odsTable } from '../../../../../helpers/ods.ts'
import { type SheetSpec, xlsxOf } from '../../../../../helpers/xlsx.ts'

const reading = { codec: codecNode, limits: defaultLimits }

/** The series of the charts of a workbook as they are drawn, and the codes of warnings. */
function drawn(workbook: Workbook): { readonly series: Series[]; readonly codes: string[] } {
  const codes: string[] = []
  const context = {
    now: Date.UTC(2026, 10, 26),
    budget: { check: () => {}, pages: 1 },
    warn: ({ code }: { readonly code: string }) => void codes.push(code),
    numbers: createNumberPrinter({ date1904: false, language: 'en-us' }),
  }
  const { sheets } = withChartValues(withResults(workbook, context), context)
  const series = sheets.flatMap(({ drawings = [] }) =>
    drawings.flatMap(({ drawing }) =>
      drawing?.content.kind === 'chart' ? drawing.content.chart.plots.flatMap((plot) => plot.series) : [],
    ),
  )
  return { series, codes }
}

const schemas = 'http://schemas.openxmlformats.org'
const relation = `${schemas}/officeDocument/2006/relationships`
const relationships = (type: string, target: string) =>
  `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/${type}" Target="${target}"/></Relationships>`
const uncached = (formula: string) => ({ formula, cache: [] })

/** A workbook whose chart stores no values and is in the default namespace, as openpyxl writes it. */
async function xlsxWithChart(cells: SheetSpec['cells'], values: string): Promise<Workbook> {
  const chart = chartXml({
    kind: 'line',
    workbook: false,
    series: [
      { name: uncached("'Data'!$B$1"), categories: uncached("'Data'!$A$2:$A$4"), values: uncached(values) },
    ],
  })
    .replace(/<(\/?)c:/g, '<$1')
    .replace('xmlns:c=', 'xmlns=')
  const bytes = await xlsxOf({
    sheets: [
      {
        name: 'Data',
        cells,
        after: '<drawing r:id="rId1"/>',
        relationships: [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }],
      },
    ],
    extra: {
      'xl/drawings/drawing1.xml': `<wsDr xmlns="${schemas}/drawingml/2006/spreadsheetDrawing" xmlns:a="${schemas}/drawingml/2006/main"><oneCellAnchor><from><col>4</col><row>1</row></from><ext cx="3000000" cy="2000000"/><graphicFrame><nvGraphicFramePr><cNvPr id="2" name="Chart"/></nvGraphicFramePr><a:graphic><a:graphicData uri="${schemas}/drawingml/2006/chart"><c:chart xmlns:c="${schemas}/drawingml/2006/chart" xmlns:r="${relation}" r:id="rId1"/></a:graphicData></a:graphic></graphicFrame><clientData/></oneCellAnchor></wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relationships('chart', '../charts/chart1.xml'),
      'xl/charts/chart1.xml': chart,
    },
    types: {
      'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml',
      'xl/charts/chart1.xml': 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
    },
  })
  return readXlsx(bytes, reading).value
}

const odsWithChart = async (rows: readonly string[], values: string): Promise<Workbook> => {
  const chart = {
    kind: 'line' as const,
    series: [{ values, label: 'Data.$B$1' }],
    categories: 'Data.$A$2:.$A$4',
  }
  const frame = odfFrame(1).replace('<draw:frame ', '<draw:frame svg:x="1cm" svg:y="9cm" ')
  const table = odsTable('Data', `<table:shapes>${frame}</table:shapes>`, ...rows)
  return readOds(await odfWithCharts('spreadsheet', table, [chart]), reading).value
}

const cells = { A1: 'Month', B1: 'Sales', A2: 'Jan', B2: 10, A3: 'Feb', B3: 20, A4: 'Mar', B4: 'none' }
const rows = [odsRow(['Month', 'Sales']), odsRow(['Jan', 10]), odsRow(['Feb', 20]), odsRow(['Mar', 'none'])]
const expected = { name: 'Sales', categories: ['Jan', 'Feb', 'Mar'], values: [10, 20, undefined] }

describe('a chart that stores no values', () => {
  it.each<[string, () => Promise<Workbook>, Partial<Series>, string[]]>([
    ['of a workbook has those of its cells', () => xlsxWithChart(cells, 'Data!$B$2:$B$4'), expected, []],
    ['of an OpenDocument sheet, too', () => odsWithChart(rows, 'Data.$B$2:.$B$4'), expected, []],
    [
      'does without hidden rows',
      () =>
        odsWithChart(rows.with(2, odsRow(['Feb', 20], ' table:visibility="collapse"')), 'Data.$B$2:.$B$4'),
      { categories: ['Jan', 'Mar'], values: [10, undefined] },
      [],
    ],
    [
      'reports a sheet that is missing',
      () => xlsxWithChart(cells, 'Gone!$B$2:$B$4'),
      { values: [] },
      ['read.chart-part'],
    ],
    [
      'reads a bounded number of cells of a column without end',
      () => xlsxWithChart({ B2: 1 }, 'Data!$B$1:$B$1048576'),
      { values: Array.from({ length: 20_000 }, (_, row) => (row === 1 ? 1 : undefined)) },
      [],
    ],
  ])('%s', async (_name, workbook, series, codes) => {
    const result = drawn(await workbook())
    expect(result.series).toMatchObject([series])
    expect(result.codes).toEqual(codes)
  })

  it('reads a row of values and the row of names above it, whatever its own copy of the cells holds', async () => {
    const chart = {
      kind: 'bar' as const,
      rows: [
        ['', 'Q1', 'Q2', 'Q3'],
        ['Ink', 1, 2, 3],
      ],
      series: [{ values: 'Data.$B$3:.$D$3', label: 'Data.$A$3' }],
      categories: 'Data.$B$1:.$D$2',
    }
    const frame = odfFrame(1).replace('<draw:frame ', '<draw:frame svg:x="1cm" svg:y="9cm" ')
    const table = odsTable(
      'Data',
      `<table:shapes>${frame}</table:shapes>`,
      odsRow(['', '2026', '', '']),
      odsRow(['', 'Q1', 'Q2', 'Q3']),
      odsRow(['Ink', 10, 20, 30]),
    )
    const workbook = readOds(await odfWithCharts('spreadsheet', table, [chart]), reading).value
    const expected = { name: 'Ink', categories: ['Q1', 'Q2', 'Q3'], values: [10, 20, 30] }
    expect(drawn(workbook).series).toMatchObject([expected])
  })

  it('is in its row, also below the first one', async () => {
    const { sheets } = await odsWithChart(rows, 'Data.$B$2:.$B$4')
    expect(sheets[0]?.drawings?.map(({ from }) => ({ ...from, y: Math.round(from.y) }))).toMatchObject([
      { row: 0, column: 0, y: 255, isFree: true },
    ])
  })
})
