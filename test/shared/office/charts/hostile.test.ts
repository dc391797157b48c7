import { describe, expect, test } from 'vitest'
import { beforeRenderEx, numberAddressesEx } from '../../../../shared/office/charts/chart-ex.ts'
import { afterRender, beforeRender } from '../../../../shared/office/charts/chart-part.ts'
import type { Addresses } from '../../../../shared/template/package.ts'
import { chartParagraph, chartXml, docxWithCharts, workbookOf } from '../../../helpers/charts.ts'
import { paragraph } from '../../../helpers/docx.ts'
import { failure, mergeBytes } from '../../../helpers/merge.ts'
import { odfChartContent, odfFrame, odfWithCharts } from '../../../helpers/odf-charts.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

const spec = {
  kind: 'line',
  series: [
    {
      categories: { formula: 'Data!$A$2:$A$3', cache: ['{d.t[i].a}', '{d.t[i+1].a}'] },
      values: { formula: 'Data!$B$2:$B$3', cache: [0, 0] },
    },
  ],
} as const
const rows = [
  ['', 'v'],
  ['{d.t[i].a}', '{d.t[i].b}'],
  ['{d.t[i+1].a}', ''],
]
const many = (text: string) => text.repeat(100_000)

async function within(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const begun = process.cpuUsage()
  await work()
  expect(processorTime(begun)).toBeLessThan(milliseconds)
}

const render = async (xml: string, workbook: Uint8Array, data: unknown = { t: [{ a: 'x', b: 1 }] }) =>
  mergeBytes(await docxWithCharts(chartParagraph('rIdC1'), [{ xml, workbook }]), 'docx', data)

describe('charts that are no charts', () => {
  test.each([
    ['elements that never end', many('<c:strRef>')],
    ['series that never end', many('<c:ser>')],
    ['points that never end', many('<c:pt>')],
    ['half an element', many('<c:numRef ')],
  ])('%s are refused at once', async (_, text) => {
    const xml = chartXml(spec).replace('<c:plotArea>', `<c:plotArea>${text}`)
    await within(3_000, async () => {
      expect((await failure(render(xml, await workbookOf(rows)))).code).toMatch(
        /^template\.(?:markup|too-deep)$/,
      )
    })
  })
  test.each([
    ['strRef', many('<c:strRef>')],
    ['ser', many('<c:ser>')],
    ['cells', many('<c r="A1">')],
  ])('a comment full of %s', async (_, text) => {
    const xml = chartXml(spec).replace('<c:plotArea>', `<c:plotArea><!-- ${text} -->`)
    await within(3_000, async () => render(xml, await workbookOf(rows)))
  })
  test('a workbook that is none leaves the chart as it is', async () => {
    const xml = chartXml({ kind: 'line', series: [{ values: { formula: 'Data!$A$1', cache: [1] } }] })
    await render(xml, new Uint8Array([1, 2, 3]))
  })
  test('an area of a million cells', async () => {
    const series = [{ ...spec.series[0], values: { formula: 'Data!$A$2:$XFD$1048576', cache: [0] } }]
    await within(3_000, async () => render(chartXml({ ...spec, series }), await workbookOf(rows)))
  })
  test('two hundred charts in a loop of a hundred items', async () => {
    const charts = await Promise.all(
      Array.from({ length: 5 }, async () => ({ xml: chartXml(spec), workbook: await workbookOf(rows) })),
    )
    const body = `${paragraph('{d.g[i].n}')}${charts.map((_, at) => chartParagraph(`rIdC${at + 1}`, at + 1)).join('')}${paragraph('{d.g[i+1]}')}`
    const data = { g: Array.from({ length: 40 }, (_, n) => ({ n })), t: [{ a: 'x', b: 1 }] }
    await within(15_000, async () => mergeBytes(await docxWithCharts(body, charts), 'docx', data))
  })
})

describe('OpenDocument charts that are no charts', () => {
  test.each([
    ['rows that never end', many('<table:table-row>')],
    ['cells that never end', many('<table:table-cell>')],
  ])('%s are refused at once', async (_, text) => {
    const content = odfChartContent({ rows }).replace('<table:table-rows>', `<table:table-rows>${text}`)
    const template = await odfWithCharts('text', `<text:p>${odfFrame(1)}</text:p>`, [{ rows }], {
      'Object 1/content.xml': content,
    })
    await within(3_000, async () => {
      expect((await failure(mergeBytes(template, 'odt', {}))).code).toMatch(/^template\.(?:markup|too-deep)$/)
    })
  })
  test('many bindings', async () => {
    const list = Array.from({ length: 2_000 }, (_, at) => [`{bindChart(${at})=d.a}`, at])
    const template = await odfWithCharts('text', `<text:p>${odfFrame(1)}</text:p>`, [
      { rows: [['', 'a'], ...list] },
    ])
    await within(5_000, () => mergeBytes(template, 'odt', { a: 1 }))
  })
})

describe('elements that end with themselves are looked through once', () => {
  const addresses = { changes: () => true, follow: () => ['A!$A$1'] } as unknown as Addresses
  const point = '<c:pt idx="1"/>'
  test.each<[string, () => unknown]>([
    ['dimensions before a render', () => beforeRenderEx(many('<cx:numDim type="val"/>'), addresses)],
    ['dimensions', () => numberAddressesEx(many('<cx:numDim type="val"/>'))],
    [
      'points of a dimension',
      () =>
        beforeRenderEx(
          `<cx:numDim><cx:f>A</cx:f><cx:lvl>${many(point.replace('c:', 'cx:'))}</cx:lvl></cx:numDim>`,
          addresses,
        ),
    ],
    [
      'points before a render',
      () =>
        beforeRender(`<c:numRef><c:f>A</c:f><c:numCache>${many(point)}</c:numCache></c:numRef>`, addresses),
    ],
    [
      'points that are counted',
      () =>
        afterRender(
          `<c:numRef><c:f>A</c:f><c:numCache><c:ptCount val=""/>${many(point)}</c:numCache></c:numRef>`,
          undefined,
        ),
    ],
  ])('%s', (_, work) => {
    const begun = process.cpuUsage()
    work()
    expect(process.cpuUsage(begun).user / 1000, 'ms').toBeLessThan(4000)
  })
})
