import type { Chart, ChartTitle, Series } from '../document/chart.ts'
import { maxOf } from '../extremes.ts'
import type { FlowBlock, FlowCell, FlowRow } from './flow.ts'

/** Charts with more rows or columns are cut, because a table of them is not read any more. */
const maxRows = 1000
const maxColumns = 50

/**
 * The data of a chart as a table with its title above: a row for each category and a column for each series; where
 * points have a horizontal value, as in scatter charts, a column with these comes first. A chart without data is
 * represented by its description.
 */
export function chartBlocks(chart: Chart, description: string): readonly FlowBlock[] {
  const title = titleText(chart.title) || description
  const heading: readonly FlowBlock[] =
    title === ''
      ? []
      : [{ kind: 'paragraph', inlines: [{ kind: 'text', text: title, style: { bold: true } }] }]
  const series = chart.plots.flatMap((plot) => plot.series).slice(0, maxColumns)
  const [first] = series
  const count = Math.min(maxRows, Math.max(0, maxOf(series.map(({ values }) => values.length))))
  if (first === undefined || count === 0) return heading
  const hasSizes = series.some(({ sizes }) => sizes !== undefined)
  const name = ({ name: declaredName, index }: Series) => declaredName || `${index + 1}`
  const rows: readonly (readonly string[])[] = [
    [
      titleText(chart.categories.title),
      ...series.flatMap((series) => (hasSizes ? [name(series), `${name(series)} (size)`] : [name(series)])),
    ],
    ...Array.from({ length: count }, (_, at) => [
      categoryOf(first, at),
      ...series.flatMap(({ values, sizes }) =>
        hasSizes ? [numberText(values[at]), numberText(sizes?.[at])] : [numberText(values[at])],
      ),
    ]),
  ]
  return [...heading, { kind: 'table', headerRows: 1, rows: rows.map(rowOf) }]
}

/** The categories of several levels are joined, the outermost first. */
function categoryOf({ categories, levels = [], x }: Series, at: number): string {
  const inner = categories[at] ?? numberText(x?.[at])
  const outer = levels.map((level) => level.slice(0, at + 1).findLast((label) => label !== undefined) ?? '')
  return [...outer.toReversed(), inner].filter((label) => label !== '').join(', ')
}

function titleText(title: ChartTitle | undefined): string {
  return (title?.lines ?? [])
    .map((line) => line.map(({ text }) => text).join(''))
    .join(' ')
    .trim()
}

/** Rounded to what a person reads: a value such as 0.1 + 0.2 has no digits of its binary form. */
function numberText(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : String(Number(value.toPrecision(12)))
}

function rowOf(texts: readonly string[], row: number): FlowRow {
  return { cells: texts.map((text, column) => cellOf(text, { header: row === 0, number: column > 0 })) }
}

function cellOf(
  text: string,
  { header, number }: { readonly header: boolean; readonly number: boolean },
): FlowCell {
  return {
    columns: 1,
    rows: 1,
    ...(header && { header }),
    blocks: [
      {
        kind: 'paragraph',
        inlines: text === '' ? [] : [{ kind: 'text', text, style: {} }],
        ...(number && { align: 'right' as const }),
      },
    ],
  }
}
