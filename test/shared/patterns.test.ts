import { describe, expect, it } from 'vitest'
import { chartNumberText } from '../../plugins/engines/instant/layout/chart/format.ts'
import { length } from '../../plugins/engines/instant/vector/svg/numbers.ts'
import { numberOf } from '../../shared/office/sheet/typed.ts'
import { parsePageRange } from '../../shared/pdf/stage/page-range.ts'
import { numericOf } from '../../shared/template/formatters/coerce.ts'

const zeros = '0'.repeat(200_000)
const blanks = ' '.repeat(200_000)

describe('texts from outside are judged in time by their length', () => {
  it.each<[string, () => unknown]>([
    ['a range of pages', () => parsePageRange(`${blanks}1${blanks}-${blanks}x`)],
    ['a format of numbers', () => chartNumberText(1, `${'_'.repeat(120)}x`)],
    ['a format of numbers', () => chartNumberText(1, `${'*'.repeat(120)}x`)],
    ['a number of the data', () => numericOf(`${zeros}x`)],
    ['a number of a cell', () => numberOf(`${zeros}x`)],
    ['a length', () => length(`${zeros}${blanks}!`, { fontSize: 1, reference: 1 })],
  ])('%s', (_, judge) => {
    const begun = process.cpuUsage()
    judge()
    expect(process.cpuUsage(begun).user / 1000, 'ms').toBeLessThan(3000)
  })
})

describe('a range of pages', () => {
  it.each([
    [
      '1-3,5,7-',
      [
        [1, 3],
        [5, 5],
        [7, Number.POSITIVE_INFINITY],
      ],
    ],
    [
      ' 1 - 3 , 5 ',
      [
        [1, 3],
        [5, 5],
      ],
    ],
    ['-4', [[1, 4]]],
    ['5-3', [[5, 3]]],
  ])('%s', (text, ranges) => {
    expect(parsePageRange(text)?.map(({ from, to }) => [from, to])).toEqual(ranges)
  })
  it.each(['', '-', '1 2', '12345678', '0', '1-0', '1-2-3', 'a', '1,,2'])('%j is none', (text) => {
    expect(parsePageRange(text)).toBeUndefined()
  })
})
