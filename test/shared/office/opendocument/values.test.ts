import { expect, test } from 'vitest'
import { border } from '../../../../shared/office/opendocument/values.ts'

test.each([
  ['a width in whole twentieths of a point, as Writer rounds it', '0.06pt solid #000000', undefined, 0.05],
  ['three quarters of a point as Writer saves them', '0.74pt solid #000000', undefined, 0.75],
  ['a double border without widths of its lines', '0.15pt double #000000', undefined, 0.05],
  [
    'a double border that is as wide as its lines and gap',
    '0.14pt double #808080',
    '0.0008in 0.0016in 0.0008in',
    0.2 / 3,
  ],
  ['widths of lines that count for double borders alone', '1pt solid #000000', '1pt 2pt 1pt', 1],
  ['widths of lines that are none', '0.15pt double #000000', 'thin -1pt', 0.05],
])('%s', (_, declared, strips, width) => {
  expect(border(declared, 0, strips)?.width).toBeCloseTo(width, 6)
})
