/**
 * Restricts the parts of a chart object that are passed to the chart library: plain values within a budget, no
 * addresses, and bounded numbers wherever a number determines how often something is repeated. Source: template
 * language 22.3.
 */

import { entryOf, setEntry } from '../entry-of.ts'

export interface ChartRequest {
  readonly width: number
  readonly height: number
  readonly theme: string | undefined
  readonly option: Readonly<Record<string, unknown>>
}

const types = /^echarts@v5a?$/
const maxSide = 4_096
/** The maximum number of values in one option, and of characters in its texts. */
const maxValues = 60_000
const maxCharacters = 1_000_000
const maxDepth = 24
/** The maximum number of nodes in charts that are laid out iteratively. */
const maxNodes = 500

/** Whether a value is intended as a chart: it names the library that draws it. */
export function isChartObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const type = entryOf(value as Record<string, unknown>, 'type')
  return typeof type === 'string' && types.test(type)
}

/** Reads a chart object, whose type may be absent. Returns undefined when it cannot be drawn. */
export function readChart(value: unknown): ChartRequest | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const propertyOf = (name: string): unknown => entryOf(value as Record<string, unknown>, name)
  const type = propertyOf('type') ?? 'echarts@v5'
  if (typeof type !== 'string' || !types.test(type)) return undefined
  const chartOption = propertyOf('option')
  if (typeof chartOption !== 'object' || chartOption === null || Array.isArray(chartOption)) return undefined
  const theme = propertyOf('theme')
  const option = cleaned(chartOption)
  if (option === undefined) return undefined
  return {
    width: side(propertyOf('width'), 600),
    height: side(propertyOf('height'), 400),
    theme: typeof theme === 'string' ? theme : undefined,
    option,
  }
}

function side(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof number === 'number' && number >= 1 ? Math.min(Math.round(number), maxSide) : otherwise
}

/** Components that have no effect in a static picture, require functions, or fetch something. */
const without = new Set([
  'toolbox',
  'brush',
  'timeline',
  'media',
  'options',
  'baseOption',
  'geo',
  'bmap',
  'aria',
  'xAxis3D',
])
const seriesTypes = new Set([
  'line',
  'bar',
  'pie',
  'scatter',
  'effectScatter',
  'radar',
  'tree',
  'treemap',
  'graph',
  'gauge',
  'funnel',
  'parallel',
  'sankey',
  'boxplot',
  'candlestick',
  'heatmap',
  'pictorialBar',
  'themeRiver',
  'sunburst',
])

/** Upper bounds of numbers that determine how often something is drawn. */
const repeats: Readonly<Record<string, number>> = {
  splitNumber: 100,
  layoutIterations: 64,
  symbolRepeat: 500,
  iterations: 200,
  precision: 20,
}
/** Properties whose texts may be addresses, which must not be fetched. */
const leading = new Set(['link', 'sublink', 'image', 'url', 'href', 'src'])

function cleaned(option: object): Record<string, unknown> | undefined {
  let values = 0
  let characters = 0
  const copy = (value: unknown, name: string, depth: number): unknown => {
    values += 1
    if (values > maxValues || depth > maxDepth) throw new TooMuch()
    if (typeof value === 'string') {
      characters += value.length
      if (characters > maxCharacters) throw new TooMuch()
      if (leading.has(name) || /^\s*(?:image|https?|data|file|blob):/i.test(value)) return undefined
      return value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    }
    if (typeof value === 'number') return Math.min(value, entryOf(repeats, name) ?? Number.POSITIVE_INFINITY)
    if (typeof value === 'boolean' || value === null) return value
    if (Array.isArray(value)) return value.map((each) => copy(each, name, depth + 1))
    if (typeof value !== 'object') return undefined
    const out: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue
      const inside = copy(member, key, depth + 1)
      if (inside !== undefined) setEntry(out, key, inside)
    }
    return out
  }
  try {
    const out = copy(option, '', 0) as Record<string, unknown>
    for (const name of without) delete out[name]
    return bounded(out) ? out : undefined
  } catch (error) {
    if (error instanceof TooMuch) return undefined
    throw error
  }
}

class TooMuch extends Error {}

const listOf = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (each): each is Record<string, unknown> =>
      typeof each === 'object' && each !== null && !Array.isArray(each),
  )

/** Applies bounds that depend on neighbouring values. Changes the option in place. */
function bounded(option: Record<string, unknown>): boolean {
  const series = listOf(option['series'])
  if (series.some(({ type }) => typeof type !== 'string' || !seriesTypes.has(type))) return false
  for (const each of series) {
    const { type, data, nodes } = each
    const many = (list: unknown) => Array.isArray(list) && list.length > maxNodes
    if ((type === 'graph' || type === 'sankey') && (many(data) || many(nodes))) return false
    each['animation'] = false
  }
  for (const name of ['xAxis', 'yAxis', 'singleAxis', 'radiusAxis', 'angleAxis', 'parallelAxis']) {
    for (const axis of listOf(entryOf(option, name))) {
      // The library iterates over the ticks of a category axis.
      const names = Array.isArray(axis['data']) ? axis['data'].length : 0
      if (axis['type'] === 'category' || Array.isArray(axis['data'])) {
        for (const end of ['min', 'max']) {
          const at = entryOf(axis, end)
          if (typeof at === 'number') setEntry(axis, end, Math.max(-1, Math.min(at, Math.max(names, 1_000))))
        }
      }
    }
  }
  // A calendar draws each of its days.
  return listOf(option['calendar']).every(({ range }) => {
    const ends = (Array.isArray(range) ? range : [range, range]).map((end) =>
      Number.parseInt(String(end), 10),
    )
    return (
      ends.length === 2 &&
      ends.every((year) => year >= 0 && year <= 9_999) &&
      (ends[1] ?? 0) - (ends[0] ?? 0) <= 10
    )
  })
}
