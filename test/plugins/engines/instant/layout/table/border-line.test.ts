import { expect, test } from 'vitest'
import { borderLine } from '../../../../../../plugins/engines/instant/layout/table/border-line.ts'
import { lineWidth, stripsOf } from '../../../../../../plugins/engines/instant/style/border-width.ts'
import type { Border } from '../../../../../../shared/document/properties.ts'

const border = (style: Border['style'], gap?: Border['gap']): Border => ({
  style,
  width: 3,
  color: 'FF0000',
  space: 0,
  ...(gap !== undefined && { gap }),
})

// The widths are those that LibreOffice draws.
test.each<[Border['style'], Border['gap'], number, readonly number[]]>([
  ['single', undefined, 3, [3]],
  ['double', undefined, 9, [3, 3, 3]],
  ['triple', undefined, 9, [1.8, 1.8, 1.8, 1.8, 1.8]],
  ['thin-thick', 'small', 4.5, [3, 0.75, 0.75]],
  ['thick-thin', 'small', 4.5, [0.75, 0.75, 3]],
  ['thin-thick', 'medium', 6, [3, 1.5, 1.5]],
  ['thin-thick', 'large', 5.25, [1.5, 3, 0.75]],
  ['embossed', undefined, 6, [1.5, 0, 3, 0, 1.5]],
  ['none', undefined, 0, [0]],
])('%s %s takes %d', (style, gap, width, strips) => {
  expect(lineWidth(border(style, gap))).toBeCloseTo(width)
  expect(stripsOf(border(style, gap)).map((strip) => Math.round(strip * 100) / 100)).toEqual(strips)
})

test('the outer line is outside on each side', () => {
  const middles = (outside: 'before' | 'behind'): number[] =>
    borderLine(border('thin-thick', 'medium'), 0, 100, 50, 0, outside).map(({ y }) => y)
  expect(middles('before')).toEqual([98.5, 102.25])
  expect(middles('behind')).toEqual([101.5, 97.75])
})
test('lines in relief are darker on one side', () => {
  const colours = borderLine(border('embossed'), 0, 0, 50, 0).map(
    ({ item }) => item.kind === 'shape' && item.path.stroke?.colour,
  )
  expect(colours).toEqual([0xff0000, 0xab0000, 0x540000])
})
