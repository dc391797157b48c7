import { expect, test } from 'vitest'
import { readVmlPath } from '../../../../../plugins/formats/docx/reader/vml-path.ts'

const box = { x: 0, y: 0, width: 100, height: 100 }
/** The path as letters and rounded hundredths. */
const read = (path: string): string | undefined =>
  readVmlPath(path, box)
    ?.map(({ kind, points }) => [kind[0], ...points.map((value) => Math.round(value * 100))].join(' '))
    .join(', ')

test.each([
  ['lines, numbers left out are 0', 'm0,0l100,0,50,100xe', 'm 0 0, l 100 0, l 50 100, c'],
  ['commas alone', 'm,l,50r50,l100,xe', 'm 0 0, l 0 50, l 50 50, l 100 0, c'],
  ['spaces', 'm 0 0 l 10 20 e', 'm 0 0, l 10 20'],
  [
    'curves, plain and from where they start',
    'm10,10c20,20,30,30,40,40v1,1,2,2,3,3e',
    'm 10 10, c 20 20 30 30 40 40, c 41 41 42 42 43 43',
  ],
  ['moves from where they are', 'm10,10t5,5l0,0e', 'm 10 10, m 15 15, l 0 0'],
  ['quarters of an ellipse', 'm0,50qy50,0e', 'm 0 50, c 0 22 22 0 50 0'],
  ['an arc', 'at0,0,100,100,100,50,50,0e', 'l 100 50, c 100 22 78 0 50 0'],
])('%s', (_, path, expected) => expect(read(path)).toBe(expected))

test.each([
  ['formulas', 'm@7,l@8,m@5,21600l@6,21600e'],
  ['adjustments', 'm#0,0l1,1e'],
  ['nothing', ''],
  ['a point', 'm1,1e'],
  ['a space of no size', 'm0,0l1,1e'],
])('%s give no outline', (name, path) => {
  const space = name === 'a space of no size' ? { ...box, width: 0 } : box
  expect(readVmlPath(path, space)).toBeUndefined()
})
