import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { word } from '../../../../../../plugins/engines/instant/compat/word.ts'
import instant from '../../../../../../plugins/engines/instant/index.ts'
import { chartNumberText } from '../../../../../../plugins/engines/instant/layout/chart/format.ts'
import { scaleOf } from '../../../../../../plugins/engines/instant/layout/chart/scale.ts'
import { fitOf } from '../../../../../../plugins/engines/instant/layout/chart/trend.ts'
import docx from '../../../../../../plugins/formats/docx/index.ts'
import { type Axis, noAxis, type Trend } from '../../../../../../shared/document/chart.ts'
import { bytesOf, fromBytes } from '../../../../../../shared/plugin/byte-source.ts'
import {
  type ChartKind,
  chartKinds,
  chartParagraph,
  chartXml,
  docxWithCharts,
} from '../../../../../helpers/charts.ts'
import { testHost } from '../../../../../helpers/host.ts'
import { inspect, pdfText, shippedSource } from '../../../../../helpers/instant-fonts.ts'

const axis: Axis = { ...noAxis, hidden: false }

describe('ticks of an axis', () => {
  it.each([
    ['from zero', [12, 30, 22], 10, {}, [0, 5, 10, 15, 20, 25, 30, 35]],
    ['fewer where there is no room', [12, 30, 22], 4, {}, [0, 10, 20, 30, 40]],
    ['below zero', [12, -5, 25], 4, {}, [-10, 0, 10, 20, 30]],
    ['all below zero', [-12, -5, -25], 4, {}, [-30, -20, -10, 0]],
    ['far from zero and close together', [1010, 1020, 1015], 5, {}, [1005, 1010, 1015, 1020, 1025]],
    ['fractions', [0.1, 0.34], 4, {}, [0, 0.1, 0.2, 0.3, 0.4]],
    ['as the file says', [1, 99], 5, { min: 0, max: 100, step: 25 }, [0, 25, 50, 75, 100]],
    ['steps from the least', [1, 45], 5, { min: -10, max: 50, step: 15 }, [-10, 5, 20, 35, 50]],
    ['powers of ten', [1, 20, 45_000], 5, { base: 10 }, [1, 10, 100, 1000, 10_000, 100_000]],
    ['powers below one', [0.02, 5], 5, { base: 10 }, [0.01, 0.1, 1, 10]],
    ['no values', [], 10, {}, [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2]],
    ['one value', [7], 4, {}, [0, 2, 4, 6, 8]],
    ['ends in the wrong order', [1, 2], 5, { min: 10, max: 0 }, [0, 2, 4, 6, 8, 10]],
  ])('%s', (_what, values, most, more, marks) => {
    const scale = scaleOf(values, { ...axis, ...more }, { maxSteps: most })
    expect(scale.ticks.slice(0, marks.length)).toEqual(marks)
  })

  it('the other way round', () => {
    const scale = scaleOf([0, 10], { ...axis, reversed: true, min: 0, max: 10 }, { maxSteps: 5 })
    expect([scale.fractionOf(0), scale.fractionOf(10), scale.fractionOf(2.5)]).toEqual([1, 0, 0.75])
  })

  it.each([
    ['a step that would never end', [0, 1e9], { step: 1e-9 }],
    ['a huge span', [-1e308, 1e308], {}],
    ['what is no number', [Number.NaN, Number.POSITIVE_INFINITY], {}],
    ['logarithms of nothing', [-5, 0], { base: 10 }],
    ['logarithms of everything', [1e-300, 1e300], { base: 1.0001 }],
  ])('%s ends', (_what, values, more) => {
    expect(scaleOf(values, { ...axis, ...more }, { maxSteps: 5 }).ticks.length).toBeLessThanOrEqual(601)
  })
})

describe('trend lines', () => {
  const trend: Trend = {
    kind: 'linear',
    order: 2,
    period: 2,
    forward: 0,
    backward: 0,
    equation: true,
    fit: true,
    letters: {},
    formatting: {},
  }
  const points = (of: (x: number) => number): [number, number][] => [1, 2, 3, 4, 5].map((x) => [x, of(x)])
  it.each([
    ['linear', {}, (x: number) => 2 * x - 1, ['f(x) = 2 x - 1', 'R² = 1']],
    ['polynomial', { order: 2 }, (x: number) => 3 * x * x - x + 2, ['f(x) = 3 x² - 1 x + 2', 'R² = 1']],
    ['exponential', {}, (x: number) => 2 * Math.exp(0.5 * x), ['f(x) = 2 exp( 0.5 x )', 'R² = 1']],
    ['logarithmic', {}, (x: number) => 4 * Math.log(x) + 1, ['f(x) = 4 ln(x) + 1', 'R² = 1']],
    ['power', {}, (x: number) => 3 * x ** 2, ['f(x) = 3 x^2', 'R² = 1']],
  ] as const)('%s', (kind, more, of, lines) => {
    const fit = fitOf(points(of), { ...trend, kind, format: '0.######', ...more })
    expect(fit?.lines).toEqual(lines)
    expect(fit?.at(2.5)).toBeCloseTo(of(2.5), 6)
  })
  it('through a point of the axis', () =>
    expect(
      fitOf(
        points((x) => 2 * x),
        { ...trend, intercept: 0 },
      )?.at(10),
    ).toBeCloseTo(20))
  it('of means', () =>
    expect(
      fitOf(
        points((x) => x),
        { ...trend, kind: 'moving', period: 3 },
      )?.points,
    ).toEqual([
      [3, 2],
      [4, 3],
      [5, 4],
    ]))
  it.each([
    ['nothing', []],
    ['one point', [[1, 1]]],
    [
      'points above each other',
      [
        [1, 1],
        [1, 2],
      ],
    ],
  ] as const)('%s has none', (_, own) => expect(fitOf(own, trend)).toBeUndefined())
})

describe('numbers', () => {
  it.each([
    [1234.5, undefined, '1234.5'],
    [0.1 + 0.2, 'General', '0.3'],
    [1234.5, '#,##0', '1,235'],
    [1234.5, '#,##0.00', '1,234.50'],
    [0.256, '0%', '26%'],
    [0.256, '0.0%', '25.6%'],
    [1500, '"€" #,##0', '€ 1,500'],
    [-3, '\\$0.00', '-$3.00'],
    [5, '0" km"', '5 km'],
    [5, '[Red]0;-0', '5'],
    [-5, '0;(0)', '(5)'],
    [0, '0;-0;"none"', 'none'],
    [1234567, '0.0,,"M"', '1.2M'],
    [12345, '0.00E+00', '1.23E+04'],
    [0.5, '#.0', '.5'],
    [43831, 'yyyy-mm-dd', '2020-01-01'],
    [43831.75, 'd mmm yy hh:mm', '1 Jan 20 18:00'],
    [43831.75, 'h:mm AM/PM', '6:00 PM'],
    [3, '[$€-407] 0', '€ 3'],
    [1e-12, 'General', '1E-12'],
    [1.5, '[h]:mm', '36:00'],
    [12.5, '# ?/?', '12 1/2'],
    [1500, '[<1000]0;0.0,"k"', '1.5k'],
    [15, '##0.0E+0', '15.0E+0'],
    [-8, '#,##0_);(#,##0)', '(8)'],
    [8, '#,##0_);(#,##0)', '8'],
    [Number.NaN, '0', ''],
  ])('%d as %s', (value, format, text) => expect(chartNumberText(value, format)).toBe(text))
})

describe('charts of Word documents', () => {
  const names = { formula: 'Data!$A$2:$A$4', cache: ['North', 'South', 'East'] }
  const xs = { formula: 'Data!$A$2:$A$4', cache: [1, 2, 3] }
  const series = (kind: ChartKind, name: string, cache: readonly number[], color: string) => ({
    name: { formula: 'Data!$B$1', cache: [name] },
    categories: kind === 'scatter' || kind === 'bubble' ? xs : names,
    values: { formula: 'Data!$B$2:$B$4', cache },
    sizes: { formula: 'Data!$C$2:$C$4', cache: [1, 2, 3] },
    color,
  })
  const convert = async (kind: ChartKind) => {
    const spec = {
      kind,
      title: `The ${kind}`,
      workbook: false,
      series: [series(kind, 'Sales', [12, 30, 22], 'accent1'), series(kind, 'Costs', [9, 14, 18], 'accent2')],
    }
    const bytes = await docxWithCharts(chartParagraph('rIdC1'), [{ xml: chartXml(spec) }])
    const host = { ...testHost([docx]), codec: nodeCodec, fonts: () => shippedSource }
    const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host)
    const job = {
      source: fromBytes(bytes),
      from: 'docx',
      to: 'pdf',
      options: {},
      deadline: Date.now() + 200_000,
    }
    const { value, warnings } = await engine.convert(job, new AbortController().signal)
    return { pdf: await bytesOf(value), warnings }
  }

  it.each(chartKinds)('%s: drawn without a warning, its words can be searched', async (kind) => {
    const { pdf, warnings } = await convert(kind)
    expect(warnings).toEqual([])
    expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
    const words = pdfText(pdf).split(/\s+/)
    const shown = kind === 'scatter' || kind === 'bubble' ? ['1', '2', '3'] : ['North', 'South', 'East']
    const legend = kind === 'pie' || kind === 'doughnut' ? [] : ['Sales', 'Costs']
    expect(words).toEqual(expect.arrayContaining(['The', kind, ...shown, ...legend]))
  })
})

/** The words of a Word document with a chart. */
async function wordsOf(xml: string): Promise<string[]> {
  const host = { ...testHost([docx]), codec: nodeCodec, fonts: () => shippedSource }
  const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host)
  const { value } = await engine.convert(
    {
      source: fromBytes(await docxWithCharts(chartParagraph('rIdC1'), [{ xml }])),
      from: 'docx',
      to: 'pdf',
      options: {},
      deadline: Date.now() + 200_000,
    },
    new AbortController().signal,
  )
  return pdfText(await bytesOf(value)).split(/\s+/)
}

describe('parts that only some files have', () => {
  const values = { formula: 'Data!$C$2:$C$3', cache: [12, 30] }
  const xml = chartXml({ kind: 'column', series: [{ values }], legend: true })

  it('series without a name are numbered, unless as LibreOffice names them', async () => {
    const rule = word as { unnamedSeriesAreNumbered: boolean }
    expect(await wordsOf(xml)).toContain('Series1')
    rule.unnamedSeriesAreNumbered = false
    try {
      expect((await wordsOf(xml)).join(' ')).toContain('Column C')
    } finally {
      rule.unnamedSeriesAreNumbered = true
    }
  })

  it('fields of labels print the cell and the value of their point', async () => {
    const field = (at: number, type: string) =>
      `<c:dLbl><c:idx val="${at}"/><c:tx><c:rich><a:bodyPr/><a:p><a:fld id="{1}" type="${type}"><a:t>[${type}]</a:t></a:fld></a:p></c:rich></c:tx></c:dLbl>`
    const cells =
      '<c:extLst><c:ext uri="{0}"><c15:datalabelsRange xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart"><c15:dlblRangeCache><c:pt idx="0"><c:v>Hamburg</c:v></c:pt></c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst>'
    const words = await wordsOf(
      xml
        .replace('<c:val>', `<c:dLbls>${field(0, 'CELLRANGE')}${field(1, 'VALUE')}</c:dLbls><c:val>`)
        .replace('</c:ser>', `${cells}</c:ser>`),
    )
    expect(words).toEqual(expect.arrayContaining(['Hamburg', '30']))
    expect(words.join(' ')).not.toContain('[')
  })
})

describe('categories of several levels', () => {
  /** Names of the levels, the innermost first, which repeat every `range` categories. */
  const wordsAt = (inner: string, outer: string, count: number, range: number) => {
    const point = (at: number, name: string) => `<c:pt idx="${at}"><c:v>${name}${at}</c:v></c:pt>`
    const all = (name: string, step: number) =>
      Array.from({ length: Math.ceil(count / step) }, (_, at) => point(at * step, name)).join('')
    const levels = `<c:lvl>${all(inner, 1)}</c:lvl><c:lvl>${all(outer, range)}</c:lvl>`
    const values = Array.from({ length: count }, (_, at) => `<c:pt idx="${at}"><c:v>${at}</c:v></c:pt>`)
    const plot =
      `<c:barChart><c:barDir val="col"/><c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:ptCount val="${count}"/>${levels}` +
      `</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val><c:numRef><c:numCache><c:ptCount val="${count}"/>${values.join('')}` +
      '</c:numCache></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart>'
    const axes = '<c:catAx><c:axId val="1"/></c:catAx><c:valAx><c:axId val="2"/></c:valAx>'
    const xml = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea>${plot}${axes}</c:plotArea></c:chart></c:chartSpace>`
    return wordsOf(xml)
  }

  it('show all names where they have room, and some of them where they have none', async () => {
    const few = await wordsAt('a', 'Group', 6, 3)
    expect(few).toEqual(expect.arrayContaining(['a0', 'a1', 'a5', 'Group0', 'Group3']))
    const many = await wordsAt('name', 'Company', 200, 2)
    const shown = (name: string) => many.filter((found) => found.startsWith(name)).length
    expect(many).toEqual(expect.arrayContaining(['name0', 'Company0']))
    expect(shown('name')).toBeLessThan(20)
    expect(shown('Company')).toBeLessThan(10)
  })
})
