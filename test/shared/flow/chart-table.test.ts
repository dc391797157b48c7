import { describe, expect, test } from 'vitest'
import type { Chart, Series } from '../../../shared/document/chart.ts'
import { chartBlocks } from '../../../shared/flow/chart-table.ts'
import { writeMarkdown } from '../../../shared/flow/write-markdown.ts'

/** What a table shows of a chart; nothing else of it is read. */
function markdown(
  {
    title,
    axis,
    series,
  }: { readonly title?: string; readonly axis?: string; readonly series: readonly object[] },
  description = '',
): string {
  const titled = (text: string | undefined) =>
    text === undefined ? {} : { title: { lines: [[{ text, letters: {} }]] } }
  const all = series.map(
    (one, index) => ({ name: '', index, categories: [], values: [], ...one }) as unknown as Series,
  )
  const chart = { ...titled(title), categories: titled(axis), plots: [{ series: all }] } as unknown as Chart
  return writeMarkdown({ blocks: chartBlocks(chart, description), pictures: new Map() })
}

describe('charts as tables', () => {
  test.each([
    [
      'series by categories',
      {
        title: 'Sales',
        axis: 'Quarter',
        series: [
          { name: 'North', categories: ['Q1', 'Q2'], values: [1, 2.5] },
          { name: 'South', categories: ['Q1', 'Q2'], values: [3, undefined] },
        ],
      },
      '**Sales**\n\n| Quarter | North | South |\n| - | -: | -: |\n| Q1 | 1 | 3 |\n| Q2 | 2.5 | |\n',
    ],
    [
      'horizontal values of points, and a series without a name',
      { series: [{ x: [0.1 + 0.2, 4], values: [5, 6] }] },
      '| | 1 |\n| - | -: |\n| 0.3 | 5 |\n| 4 | 6 |\n',
    ],
    [
      'sizes of bubbles',
      { series: [{ name: 'A', x: [1], values: [2], sizes: [3] }] },
      '| | A | A (size) |\n| - | -: | -: |\n| 1 | 2 | 3 |\n',
    ],
    [
      'categories of two levels',
      { series: [{ name: 'A', categories: ['Q1', 'Q2'], levels: [['2025', undefined]], values: [1, 2] }] },
      '| | A |\n| - | -: |\n| 2025, Q1 | 1 |\n| 2025, Q2 | 2 |\n',
    ],
    ['no data but a title', { title: 'Later', series: [] }, '**Later**\n'],
  ])('%s', (_, chart, expected) =>
    expect(markdown(chart).replace(/ +/g, ' ').replace(/-+/g, '-')).toBe(expected),
  )

  test('the description stands in for a title', () =>
    expect(markdown({ series: [] }, 'Profit by year')).toBe('**Profit by year**\n'))

  test('a chart of a million points is cut', () => {
    const values = Array.from({ length: 1_000_000 }, (_, at) => at)
    expect(markdown({ series: [{ x: values, values }] }).split('\n').length).toBe(1003)
  })
})
