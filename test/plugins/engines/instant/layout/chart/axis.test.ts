import { expect, it } from 'vitest'
import { type Ruler, setAxis } from '../../../../../../plugins/engines/instant/layout/chart/axis.ts'
import type { ChartCanvas } from '../../../../../../plugins/engines/instant/layout/chart/canvas.ts'
import { noAxis } from '../../../../../../shared/document/chart.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'

const canvas = {
  chart: { letters: {} },
  tools: { fonts: shippedBook.forDocument(), check: () => {} },
  items: [],
  width: 300,
  height: 200,
} as unknown as ChartCanvas

/** An axis of four categories in two groups. */
const ruler = (horizontal: boolean): Ruler => ({
  axis: { ...noAxis, hidden: false },
  horizontal,
  at: 100,
  labelStart: 100,
  from: horizontal ? 0 : 200,
  to: horizontal ? 200 : 0,
  side: -1,
  tickLabels: [25, 75, 125, 175].map((at) => ({ at, text: `n${at}` })),
  ticks: [],
  minors: [],
  levels: [
    [
      { from: 0, to: 100, text: 'First' },
      { from: 100, to: 200, text: 'Second' },
    ],
  ],
})

it.each([
  ['read along a horizontal axis', true, [0, 0]],
  ['read upward beside a vertical one', false, [90, 90]],
] as const)('names of outer levels %s', (_, horizontal, rotations) => {
  const { labels, separators } = setAxis(canvas, ruler(horizontal))
  expect(labels.slice(-2).map(({ anchor }) => anchor.rotation ?? 0)).toEqual(rotations)
  expect(labels.slice(-2).map(({ x, y }) => (horizontal ? x : y))).toEqual([50, 150])
  expect(separators).toHaveLength(6)
})
