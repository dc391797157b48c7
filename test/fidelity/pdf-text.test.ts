import { expect, it } from 'vitest'
import { createReading, readingNames, readingOfPoppler } from './pdf-text.ts'
import { lettersOf, parseExpected, scoreReading } from './reading-order.ts'

const read = createReading()

/** What falls short of perfect. Notes stand between the parts of a paragraph. */
const known: Readonly<Record<string, readonly [pairs: number, whole: number]>> = {
  'latex-headers-footnotes': [1, 0.85],
  'office-header-footer': [1, 0.8],
  'real-cheat-sheet': [0.85, 1],
}

it.each(readingNames())('%s is read in order', async (name) => {
  const { pairs = 1, whole = 1, cells = 1, absent = 1 } = await read(name)
  const [minPairs, minWhole] = known[name] ?? [1, 1]
  expect(pairs).toBeGreaterThanOrEqual(minPairs)
  expect(whole).toBeGreaterThanOrEqual(minWhole)
  expect([cells, absent]).toEqual([1, 1])
})

it('the programs of Poppler are measured by the same rule', () => {
  expect(readingOfPoppler('real-federal-register', 'layout').whole).toBe(0)
  expect(readingOfPoppler('latex-two-columns', 'text').whole).toBeGreaterThan(0.5)
  expect(readingOfPoppler('web-invoice', 'html').cells).toBeGreaterThan(0)
})

it('a score falls with what is out of order, woven, missing or left in', () => {
  const expected = parseExpected(
    'one\ntwo\nthree\n\n# table\na | b\n\n# whole\none and only\n\n# absent\nfooter',
  )
  const perfect = scoreReading(expected, 'One and on-\nly, two, three', [['a', 'b']])
  expect(perfect).toEqual({ pairs: 1, adjacent: 1, whole: 1, cells: 1, absent: 1 })
  const poor = scoreReading(expected, 'two one and footer only', [['a'], ['b']])
  expect(poor).toEqual({ pairs: 0, adjacent: 0, whole: 0, cells: 0.5, absent: 0 })
  expect(lettersOf('FIne | *day*')).toBe('fineday')
})
