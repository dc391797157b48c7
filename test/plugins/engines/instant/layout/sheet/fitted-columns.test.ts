import { expect, it } from 'vitest'
import { lay, textsOf, workbookOf } from '../../../../../helpers/sheet-layout.ts'

it('columns fit their widest text where the sheet requests it', () => {
  const cells = [
    [0, 0, 'WWWWW'],
    [1, 0, 'iiiiii'],
    [0, 1, 1234.5],
    [0, 2, 'last'],
  ] as const
  const x = (fitsColumns: boolean): Record<string, number> =>
    Object.fromEntries(
      lay(workbookOf({ cells, fitsColumns })).flatMap((page) =>
        textsOf(page).map(({ text, x: at }) => [text, at]),
      ),
    )
  const [fitted, usual] = [x(true), x(false)]
  // Six letters of 2.22 pt, margins of 2 and 6.75 pt beside them; the text of fewer letters flows over the edge.
  const first = 6 * 2.22 + 2 + 6.75
  expect(fitted['1234.5']).toBeCloseTo(10 + first + 1 + 6.75, 0)
  expect(usual['last']).toBe(111)
  expect(fitted['last']).toBeLessThan(80)
})
