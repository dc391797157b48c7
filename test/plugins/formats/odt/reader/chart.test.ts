import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import type { Chart } from '../../../../../shared/document/chart.ts'
import type { DrawingContent } from '../../../../../shared/document/drawing.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { type OdfChart, odfChartContent, odfFrame, odfWithCharts } from '../../../../helpers/odf-charts.ts'

async function readWith(content: string) {
  const bytes = await odfWithCharts('text', `<text:p>${odfFrame(1)}</text:p>`, [{}], {
    'Object 1/content.xml': content,
  })
  return odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
}

async function contentOf(content: string): Promise<DrawingContent | undefined> {
  const { value } = await readWith(content)
  for (const block of value.sections[0]!.blocks)
    if (block.kind === 'paragraph')
      for (const inline of block.inlines) if (inline.kind === 'drawing') return inline.drawing.content
  return undefined
}

async function chartOf(chart: OdfChart, change = (xml: string) => xml): Promise<Chart> {
  const content = await contentOf(change(odfChartContent(chart)))
  if (content?.kind !== 'chart') throw new Error(`no chart but ${content?.kind}`)
  return content.chart
}

const rows = [
  ['', 'Plan', 'Actual'],
  ['Jan', 10, 12],
  ['Feb', 20, 18],
] as const

describe('a chart of an ODF text', () => {
  test('is read with its title, legend, names, values and colours', async () => {
    const chart = await chartOf({ title: 'Sales', rows })
    expect(chart).toMatchObject({
      title: { lines: [[{ text: 'Sales' }]] },
      legend: { side: 'bottom' },
      values: { grid: {} },
    })
    expect(chart.plots).toHaveLength(1)
    expect(chart.plots[0]).toMatchObject({ kind: 'bar', horizontal: false, grouping: 'side' })
    expect(chart.plots[0]!.series).toMatchObject([
      { name: 'Plan', categories: ['Jan', 'Feb'], values: [10, 20], formatting: { fill: '1F4E79' } },
      { name: 'Actual', values: [12, 18], formatting: { fill: 'C55A11' } },
    ])
  })
  test.each([
    ['<style:graphic-properties draw:fill="gradient"/>', 'its gradients and patterns'],
    ['<style:graphic-properties draw:fill="hatch"/>', 'its gradients and patterns'],
    [
      '<style:chart-properties chart:error-category="standard-deviation" chart:error-upper-indicator="true"/>',
      'error bars by deviation',
    ],
    ['<style:chart-properties chart:error-category="variance"/>', undefined],
    ['<style:graphic-properties draw:fill="solid"/>', undefined],
  ])('reports what is not drawn: %s', async (properties, what) => {
    const style = `<style:style style:name="told" style:family="chart">${properties}</style:style>`
    const content = odfChartContent({ rows }).replace('<office:automatic-styles>', `$&${style}`)
    expect(content).toContain(style)
    const expected =
      what === undefined ? [] : [{ code: 'read.chart-part', message: `A chart is drawn without ${what}.` }]
    expect((await readWith(content)).warnings).toMatchObject(expected)
  })
  test('reports values that it reads from a sheet and does not store', async () => {
    const series = [{ values: 'Data.$B$2:.$B$5', label: 'Data.$B$1' }]
    const { warnings } = await readWith(odfChartContent({ series, categories: 'Data.$A$2:.$A$5' }))
    expect(warnings.map(({ message }) => message)).toEqual([
      'A chart is drawn without the values that it reads from a sheet and does not store.',
    ])
  })
  test.each([
    ['line', 'line'],
    ['circle', 'pie'],
  ] as const)('%s is drawn as %s', async (kind, drawn) => {
    expect((await chartOf({ kind, rows })).plots[0]!.kind).toBe(drawn)
  })
  test('takes values by their place where its ranges name another table', async () => {
    const elsewhere = { values: 'Sheet1.B2:Sheet1.B3', label: 'Sheet1.B1' }
    const chart = await chartOf({ rows, categories: 'Sheet1.A2:Sheet1.A3', series: [elsewhere] })
    expect(chart.plots[0]!.series).toMatchObject([
      { name: 'Plan', categories: ['Jan', 'Feb'], values: [10, 20] },
    ])
  })
  test('is stacked or horizontal when its style says so', async () => {
    const style =
      '<style:style style:name="p" style:family="chart"><style:chart-properties chart:vertical="true" chart:percentage="true"/></style:style>'
    const chart = await chartOf({ rows }, (xml) =>
      xml
        .replace('<office:automatic-styles>', `<office:automatic-styles>${style}`)
        .replace('<chart:plot-area', '<chart:plot-area chart:style-name="p"'),
    )
    expect(chart.plots[0]).toMatchObject({ horizontal: true, grouping: 'share', overlap: 1 })
  })
  test.each([
    ['no chart', '<office:document-content/>'],
    ['no XML', 'PK'],
    ['of a kind nobody knows', odfChartContent({ rows }).replaceAll('chart:bar', 'chart:unheard')],
  ])('%s: the picture of the object replaces it', async (_, content) => {
    expect((await contentOf(content))?.kind).toBe('picture')
  })
  test('a range of a billion rows ends with the table', async () => {
    const far = { values: 'local-table.$B$2:.$B$999999', label: 'local-table.$B$1' }
    expect((await chartOf({ rows, series: [far] })).plots[0]!.series[0]!.values).toEqual([10, 20])
  })
})
