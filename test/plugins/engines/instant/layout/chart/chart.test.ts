import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import instant from '../../../../../../plugins/engines/instant/index.ts'
import { formatNumber, scaleOf } from '../../../../../../plugins/engines/instant/layout/chart/scale.ts'
import docx from '../../../../../../plugins/formats/docx/index.ts'
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

const axis = { hidden: false, reversed: false, grid: true }

describe('marks of an axis', () => {
  it.each([
    ['from zero', [12, 30, 22], 5, {}, [0, 10, 20, 30]],
    ['below zero', [12, -5, 25], 5, {}, [-10, 0, 10, 20, 30]],
    ['far from zero and close together', [1010, 1020, 1015], 4, {}, [1010, 1015, 1020]],
    ['fractions', [0.1, 0.34], 4, {}, [0, 0.1, 0.2, 0.3, 0.4]],
    ['as the file says', [1, 99], 5, { min: 0, max: 100, step: 25 }, [0, 25, 50, 75, 100]],
    ['no values', [], 5, {}, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    ['one value', [7], 4, {}, [0, 2, 4, 6, 8]],
  ])('%s', (_what, values, wanted, more, marks) => {
    expect(scaleOf(values, { ...axis, ...more }, wanted).marks).toEqual(marks)
  })

  it.each([
    ['a step that would never end', [0, 1e9], { step: 1e-9 }],
    ['a huge span', [-1e308, 1e308], {}],
    ['ends in the wrong order', [1, 2], { min: 10, max: 0 }],
  ])('%s ends', (_what, values, more) => {
    expect(scaleOf(values, { ...axis, ...more }, 5).marks.length).toBeLessThanOrEqual(101)
  })
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
  ])('%d as %s', (value, format, text) => expect(formatNumber(value, format)).toBe(text))
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
    const engine = instant.create({ fontCacheSize: 24 }, host)
    const job = {
      source: fromBytes(bytes),
      from: 'docx',
      to: 'pdf',
      options: {},
      deadline: Date.now() + 60_000,
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
