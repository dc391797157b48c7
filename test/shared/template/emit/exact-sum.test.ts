import { expect, it } from 'vitest'
import { mergeText } from '../../../helpers/merge.ts'

/** Sums in arguments: in decimal digits where the template asks for it. Source: template language 7 and 10. */
const cases: readonly [sum: string, data: Readonly<Record<string, unknown>>, expected: string][] = [
  ['.a + .b', { a: 0.1, b: 0.2 }, '0.3'],
  ['.a - .b', { a: 1, b: 0.9 }, '0.1'],
  ['.a * .b - 1', { a: 1.1, b: 1.1 }, '0.21'],
  ['.a + .b * 3', { a: 0.1, b: 0.2 }, '0.7'],
  ['-.a', { a: 0.5 }, '-0.5'],
]

it.each(cases)('0 and %s', async (sum, data, expected) => {
  const template = (option: string) => `<x>${option}{d.zero:add(${sum})}</x>`
  const exact = await mergeText(template('{o.useHighPrecisionArithmetic=true}'), { zero: 0, ...data })
  expect(exact).toBe(`<x>${expected}</x>`)
})

it('without the option sums are those of binary numbers', async () => {
  expect(await mergeText('<x>{d.zero:add(.a + .b)}</x>', { zero: 0, a: 0.1, b: 0.2 })).toBe(
    '<x>0.30000000000000004</x>',
  )
})
