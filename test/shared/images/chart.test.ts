import { XMLValidator } from 'fast-xml-parser'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawChart, loadCharts } from '../../../shared/images/chart.ts'
import { readChart } from '../../../shared/images/chart-option.ts'
import { textWidth } from '../../../shared/images/text-width.ts'
import { processorTime } from '../../helpers/processor-time.ts'

beforeAll(() => loadCharts())

function drawn(option: unknown, more: Record<string, unknown> = {}, lang = 'en'): string | undefined {
  const request = readChart({ type: 'echarts@v5', option, ...more })
  const bytes = request && drawChart(request, lang)
  return bytes && new TextDecoder().decode(bytes)
}

const grid = { xAxis: { type: 'category', data: ['a', 'b', 'c'] }, yAxis: {} }
const tree = {
  name: 'r',
  value: 3,
  children: [
    { name: 'x', value: 1 },
    { name: 'y', value: 2 },
  ],
}
const links = { data: [{ name: 'a' }, { name: 'b' }], links: [{ source: 'a', target: 'b', value: 2 }] }

const kinds: Readonly<Record<string, unknown>> = {
  line: { ...grid, series: { type: 'line', data: [1, 2, 3] } },
  bar: { ...grid, series: { type: 'bar', data: [1, 2, 3] } },
  pie: { series: { type: 'pie', data: [{ name: 'a', value: 1 }] } },
  scatter: { xAxis: {}, yAxis: {}, series: { type: 'scatter', data: [[1, 2]] } },
  effectScatter: { xAxis: {}, yAxis: {}, series: { type: 'effectScatter', data: [[1, 2]] } },
  radar: {
    radar: { indicator: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    series: { type: 'radar', data: [{ value: [1, 2, 3] }] },
  },
  tree: { series: { type: 'tree', data: [tree] } },
  treemap: { series: { type: 'treemap', data: [tree] } },
  sunburst: { series: { type: 'sunburst', data: [tree] } },
  graph: { series: { type: 'graph', layout: 'force', ...links } },
  sankey: { series: { type: 'sankey', ...links } },
  gauge: { series: { type: 'gauge', data: [{ value: 4 }] } },
  funnel: { series: { type: 'funnel', data: [{ name: 'a', value: 1 }] } },
  parallel: { parallelAxis: [{ dim: 0 }, { dim: 1 }], series: { type: 'parallel', data: [[1, 2]] } },
  boxplot: { ...grid, series: { type: 'boxplot', data: [[1, 2, 3, 4, 5]] } },
  candlestick: { ...grid, series: { type: 'candlestick', data: [[1, 2, 0, 3]] } },
  heatmap: {
    ...grid,
    yAxis: { type: 'category', data: ['x'] },
    visualMap: { min: 0, max: 3 },
    series: { type: 'heatmap', data: [[0, 0, 2]] },
  },
  pictorialBar: {
    ...grid,
    series: { type: 'pictorialBar', symbol: 'rect', symbolRepeat: true, data: [1, 2, 3] },
  },
  themeRiver: {
    singleAxis: { type: 'time' },
    series: {
      type: 'themeRiver',
      data: [
        ['2024-01-01', 1, 'a'],
        ['2024-01-02', 2, 'a'],
      ],
    },
  },
  calendar: {
    calendar: { range: '2024' },
    visualMap: { min: 0, max: 3 },
    series: { type: 'heatmap', coordinateSystem: 'calendar', data: [['2024-01-03', 2]] },
  },
  dataset: {
    dataset: {
      source: [
        ['k', 'v'],
        ['a', 1],
      ],
    },
    xAxis: { type: 'category' },
    yAxis: {},
    series: { type: 'bar' },
  },
}

describe('kinds of charts', () => {
  it.each(Object.entries(kinds))('%s', (_, option) => {
    const svg = drawn(option)
    expect(svg).toMatch(/^<svg width="600" height="400"/)
    expect(XMLValidator.validate(svg!)).toBe(true)
    expect(svg!.match(/<(?:path|polyline|polygon|circle|rect|text)\b/g)!.length).toBeGreaterThan(1)
  })
})

describe('size and theme', () => {
  it.each([
    [{}, 'width="600" height="400"'],
    [{ width: 300, height: '200' }, 'width="300" height="200"'],
    [{ width: 1e9, height: -4 }, 'width="4096" height="400"'],
    [{ theme: 'dark' }, 'fill="#100C2A"'],
    [{ theme: 'no such theme' }, 'width="600"'],
  ])('%j', (more, expected) => {
    expect(drawn(kinds['bar'], more)).toContain(expected)
  })
})

it.each([
  ['cs', 'bře'],
  ['de-at', 'Mär'],
  ['en-us', 'Mar'],
  ['es', 'mar'],
  ['fi', 'maalis'],
  ['fr-fr', 'mars'],
  ['it', 'mar'],
  ['ja', '3月'],
  ['ko', '3월'],
  ['pl', 'mar'],
  ['pt-br', 'mar'],
  ['ro', 'mar'],
  ['ru', 'мар'],
  ['si', 'ම'],
  ['th', 'มี.ค.'],
  ['zh-cn', '3月'],
  ['xx', 'Mar'],
])('months in %s', (lang, month) => {
  const option = {
    xAxis: { type: 'time' },
    yAxis: {},
    series: {
      type: 'line',
      data: [
        ['2024-02-01', 1],
        ['2024-04-01', 2],
      ],
    },
  }
  expect(drawn(option, {}, lang)).toContain(`>${month}`)
})

describe('what office programs cannot draw is put otherwise', () => {
  const svg = () =>
    drawn({
      ...grid,
      title: { text: 't' },
      series: { type: 'bar', data: [1, 2, 3], label: { show: true, position: 'top' } },
    })!
  it('base lines, faces, halos', () => {
    expect(svg()).not.toMatch(/dominant-baseline|paint-order|style="font:|<style|class=/)
    expect(svg()).toContain('font-family:Arial, Liberation Sans')
  })
  it('a line around letters is drawn before them', () => {
    expect(svg()).toMatch(/stroke="[^"]*"[^>]*>3<\/text><text(?![^>]*stroke)[^>]*>3<\/text>/)
  })
})

describe('nothing leads outside', () => {
  it.each([
    [
      'pictures as symbols',
      { ...grid, series: { type: 'line', symbol: 'image://https://example.com/a.png', data: [1] } },
    ],
    [
      'pictures as elements',
      {
        graphic: { type: 'image', style: { image: 'https://example.com/a.png', width: 5, height: 5 } },
        series: [],
      },
    ],
    ['links of titles', { title: { text: 't', link: 'https://example.com' }, series: [] }],
    ['backgrounds', { backgroundColor: { image: 'https://example.com/a.png' }, series: [] }],
    [
      'markup in colours',
      {
        series: { type: 'pie', color: ['red"/><image href="https://example.com/a.png"/><a x="'], data: [1] },
      },
    ],
    [
      'markup in texts',
      { title: { text: '<image href="https://example.com"/><script>1</script>' }, series: [] },
    ],
  ])('%s', (_, option) => {
    const svg = drawn(option) ?? ''
    expect(svg).not.toMatch(/<image|<script|<a\s|href="http/)
    if (svg !== '') expect(XMLValidator.validate(svg)).toBe(true)
  })
})

describe('a budget', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
  it.each([
    [
      'many values',
      { ...grid, series: { type: 'line', data: Array.from({ length: 70_000 }, (_, at) => at) } },
    ],
    ['long texts', { title: { text: 'x'.repeat(1_100_000) }, series: [] }],
    ['deep nesting', { title: deep(60), series: [] }],
    [
      'many nodes',
      {
        series: {
          type: 'graph',
          layout: 'force',
          data: Array.from({ length: 2_000 }, (_, at) => ({ name: String(at) })),
        },
      },
    ],
    ['a long calendar', { calendar: { range: ['0001', '9999'] }, series: [] }],
  ])('%s: no picture', (_, option) => {
    expect(drawn(option)).toBeUndefined()
  })
  it.each([
    [
      'an axis of names without end',
      { xAxis: { type: 'category', data: ['a'], max: 1e9 }, yAxis: {}, series: { type: 'bar', data: [1] } },
    ],
    [
      'an axis that starts far away',
      { xAxis: { type: 'category', min: -1e9 }, yAxis: {}, series: { type: 'bar', data: [1] } },
    ],
    [
      'a tiny step',
      { xAxis: {}, yAxis: { max: 1e9, interval: 1e-9 }, series: { type: 'scatter', data: [[1, 1]] } },
    ],
    [
      'many splits',
      { series: { type: 'gauge', splitNumber: 1e9, axisTick: { splitNumber: 1e9 }, data: [{ value: 1 }] } },
    ],
    [
      'many small ticks',
      { ...grid, yAxis: { minorTick: { show: true, splitNumber: 1e9 } }, series: { type: 'bar', data: [1] } },
    ],
    [
      'many pieces',
      {
        ...grid,
        visualMap: { type: 'piecewise', splitNumber: 1e9, min: 0, max: 1 },
        series: { type: 'bar', data: [1] },
      },
    ],
    [
      'many symbols',
      {
        ...grid,
        series: { type: 'pictorialBar', symbol: 'rect', symbolRepeat: 1e9, symbolSize: 0.0001, data: [1] },
      },
    ],
    [
      'a time beyond time',
      {
        xAxis: { type: 'time' },
        yAxis: {},
        series: {
          type: 'line',
          data: [
            [0, 1],
            [8e15, 2],
          ],
        },
      },
    ],
    [
      'a logarithm of nearly one',
      {
        xAxis: {},
        yAxis: { type: 'log', logBase: 1.0000001 },
        series: {
          type: 'scatter',
          data: [
            [1, 1],
            [2, 1e300],
          ],
        },
      },
    ],
    [
      'numbers that are none',
      { ...grid, series: { type: 'line', data: ['NaN', null, 'x', Number.POSITIVE_INFINITY] } },
    ],
    ['__proto__', JSON.parse('{"__proto__":{"series":1},"series":[{"type":"pie","data":[1]}]}')],
    [
      'a circle of flows',
      {
        series: {
          type: 'sankey',
          data: [{ name: 'a' }, { name: 'b' }],
          links: [
            { source: 'a', target: 'b', value: 1 },
            { source: 'b', target: 'a', value: 1 },
          ],
        },
      },
    ],
  ])('%s: comes to an end', (_, option) => {
    const begun = process.cpuUsage()
    drawn(option)
    expect(processorTime(begun)).toBeLessThan(2_000)
  })
})

it('texts are measured like the usual face', () => {
  expect(textWidth('Hello', 10)).toBeCloseTo(22.79, 1)
  expect(textWidth('é', 10)).toBe(textWidth('e', 10))
  expect(textWidth('日本', 10)).toBe(20)
})
