import { expect, it } from 'vitest'
import { general, rounded } from '../../../../../../plugins/engines/instant/style/cell-number/decimal.ts'

it.each<[number, number, string]>([
  [0, 2, '.00'],
  [0.004, 2, '.00'],
  [0.005, 2, '.01'],
  [1.005, 2, '1.01'],
  [2.675, 2, '2.68'],
  [0.5, 0, '1.'],
  [0.49, 0, '.'],
  [9.996, 2, '10.00'],
  [999.995, 2, '1000.00'],
  [1234.5, 0, '1235.'],
  [0.1, 7, '.1000000'],
  [123_456_789.125, 2, '123456789.13'],
  [1e12, 2, '1000000000000.00'],
  [123_456_789_012_345.6, 1, '123456789012346.0'],
])('rounds %d to %d decimals, half up, of fifteen digits', (value, decimals, expected) => {
  const { integer, fraction } = rounded(value, decimals)
  expect(`${integer}.${fraction}`).toBe(expected)
})

it('gives the digits of decimal arithmetic for all of many numbers', () => {
  for (let at = 1; at < 20_000; at++) {
    const value = (at * 7_919) / 1_000
    const { integer, fraction } = rounded(value, 2)
    const thousandths = at * 7_919
    const hundredths = Math.floor((thousandths + 5) / 10)
    expect(Number(`${integer}${fraction}`)).toBe(hundredths)
  }
})

it.each<[number, number, string]>([
  [0, 20, '0'],
  [-0, 20, '0'],
  [-1, 20, '-1'],
  [1234.5, 20, '1234,5'],
  [-0.25, 20, '-0,25'],
  [1234.567, 2, '1234,57'],
  [-0.001, 2, '0'],
  [0.1 + 0.2, 20, '0,3'],
  [2 / 3, 20, '0,666666666666667'],
  [0.00012, 20, '0,00012'],
  [0.00001234, 20, '0,00001234'],
  [1e-9, 20, '0,000000001'],
  [1.5e-10, 20, '1,5E-10'],
  [123_456_789_012_345, 20, '123456789012345'],
  [999_999_999_999_999.9, 20, '1000000000000000'],
  [1e15, 20, '1E+15'],
  [-1.25e20, 20, '-1,25E+20'],
])('prints %d with at most %d decimals as General does', (value, decimals, expected) => {
  expect(general(value, decimals, ',')).toBe(expected)
})
