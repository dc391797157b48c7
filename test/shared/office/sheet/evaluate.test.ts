import { expect, it } from 'vitest'
import { evaluate, NoValue, type Scalar } from '../../../../shared/office/sheet/evaluate.ts'

const cells: Readonly<Record<string, Scalar>> = {
  '1 1': 10,
  '2 1': 20.5,
  '3 1': 'text',
  '4 1': undefined,
  '5 1': true,
  '6 1': '7',
  '1 2': 3,
  '2 2': 4,
  'other 1 1': 100,
}
const value = (formula: string, left = 10_000): Scalar =>
  evaluate(
    formula,
    (sheet, row, column) => cells[`${sheet === undefined ? '' : `${sheet.toLowerCase()} `}${row} ${column}`],
    {
      left,
    },
  )

it.each<[string, Scalar]>([
  ['1+2*3', 7],
  ['(1+2)*3', 9],
  ['-2^2', 4],
  ['2^3^2', 64],
  ['50%*A1', 5],
  ['1.5e2-.5', 149.5],
  ['A1*B1', 30],
  ['$A$1/$B$2', 2.5],
  ['A4+1', 1],
  ['A6+1', 8],
  ['A5+1', 2],
  ['other!A1+1', 101],
  ["'Other'!A1", 100],
  ['A3&" "&A1', 'text 10'],
  ['"a ""b"""', 'a "b"'],
  ['A1>B1', true],
  ['A1<>10', false],
  ['"B">="a"', true],
  ['"x">5', true],
  ['SUM(A1:A6)', 30.5],
  ['SUM(A1:A2,B1:B2,5)', 42.5],
  ['sum(A1:B1)', 13],
  ['AVERAGE(A1:A6)', 15.25],
  ['MEDIAN(A1,A2,B1)', 10],
  ['MEDIAN(1,2,3,4)', 2.5],
  ['MIN(A1:A6)', 10],
  ['MAX(A3:A4)', 0],
  ['COUNT(A1:A6)', 2],
  ['COUNTA(A1:A6)', 5],
  ['PRODUCT(B1:B2)', 12],
  ['SUMPRODUCT(A1:A2,B1:B2)', 112],
  ['ROUND(1.005,2)', 1.01],
  ['ROUND(-2.5,0)', -3],
  ['ROUNDUP(1.21,1)', 1.3],
  ['ROUNDDOWN(-1.29,1)', -1.2],
  ['ABS(-3)+INT(-1.5)', 1],
  ['MOD(-3,2)', 1],
  ['SQRT(POWER(3,2))', 3],
  ['IF(A1>5,"big","small")', 'big'],
  ['IF(A1<5,"big")', false],
  ['IF(B1=0,A1/B3,A1/B1*3)', 10],
  ['IF(B1=3,1,1/0)', 1],
  ['IFERROR(1/0,5)', 5],
  ['IFERROR(SUM(UNKNOWN(1,(2)),3),9)+1', 10],
  ['IFERROR(4,1/0)', 4],
  ['AND(A1>1,NOT(FALSE))', true],
  ['OR(A1<1,TRUE)', true],
  ['CONCATENATE("a",1,TRUE)', 'a1TRUE'],
  ['_xlfn.CONCAT(A1:B1)', '103'],
])('%s', (formula, expected) => {
  const found = value(formula)
  if (typeof expected === 'number') expect(found).toBeCloseTo(expected, 10)
  else expect(found).toBe(expected)
})

it.each([
  '1/0',
  'A3+1',
  'VLOOKUP(A1,A1:B2,2)',
  'constructor(1)',
  'name',
  'A1:A3',
  '[1]Sheet!A1',
  'Table1[Sum]',
  '1+',
  '(1',
  'SUM(A1:A1048576)',
  '10^400',
  'IF(TRUE,1/0,1)',
  '{1,2}',
  `${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
  `1${'+1'.repeat(3_000)}`.repeat(2),
  '',
])('%.40s has no value here', (formula) => {
  expect(() => value(formula, 2_000)).toThrow(NoValue)
})
