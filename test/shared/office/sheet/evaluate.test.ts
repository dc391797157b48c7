import { expect, it } from 'vitest'
import { evaluate, FormulaError, NoValue, type Scalar } from '../../../../shared/office/sheet/evaluate.ts'

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
  'HLOOKUP(A1,A1:B2,2)',
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

/** The formula of A1 as it is for a cell that is so many rows below and columns beside it. */
const movedValue = (formula: string, down = 0, right = 0): Scalar =>
  evaluate(
    formula,
    (sheet, row, column) => {
      if (row === 9) throw new FormulaError()
      return cells[`${sheet === undefined ? '' : `${sheet.toLowerCase()} `}${row} ${column}`]
    },
    { left: 10_000 },
    { row: 1 + down, column: 1 + right, down, right, lastRow: 6, lastColumn: 2, now: 46_000.5 },
  )

it.each<[string, Scalar]>([
  ['A1', 20.5],
  ['$A1', 20.5],
  ['A$1', 10],
  ['B$1', 3],
  ['ROW()', 2],
  ['COLUMN()', 1],
  ['ROW(A3)', 4],
  ['MOD(ROW(),2)=0', true],
  ['SUM($A:$A)', 30.5],
  ['COUNT($1:$1)', 2],
  ['COUNTIF($A$1:$A$6,">15")', 1],
  ['COUNTIF($A$1:$A$6,"TEXT")', 1],
  ['COUNTIFS($A$1:$A$2,10,$B$1:$B$2,"<4")', 1],
  ['SUMIF($A$1:$A$2,">5",$B$1:$B$2)', 7],
  ['COUNTBLANK($A$1:$A$6)', 1],
  ['LARGE($A$1:$A$2,2)', 10],
  ['SMALL($A$1:$A$2,1)', 10],
  ['RANK($B$1,$B$1:$B$2)', 2],
  ['MATCH(20,$A$1:$A$2,1)', 1],
  ['MATCH("Text",$A$1:$A$6,0)', 3],
  ['INDEX($A$1:$B$2,2,2)', 4],
  ['INDEX($A$1:$A$2,2)', 20.5],
  ['VLOOKUP(10,$A$1:$B$2,2,FALSE)', 3],
  ['STDEV($B$1:$B$2)', Math.SQRT1_2],
  ['ISERROR(A8)', true],
  ['ISERROR(A1)', false],
  ['ISERROR(SEARCH("z","abc"))', true],
  ['NOT(ISERROR(SEARCH("B","abc")))', true],
  ['IFERROR(A8,5)', 5],
  ['ISBLANK(A3)', true],
  ['ISNUMBER(A1)+ISTEXT(A2)', 2],
  ['LEN(TRIM("  a  b "))', 3],
  ['LEFT("abc",2)&RIGHT("abc")&MID("abc",2,1)', 'abcb'],
  ['EXACT("a","A")', false],
  ['UPPER("a")&LOWER("B")', 'Ab'],
  ['FIND("c","abc")', 3],
  ['ISODD(3)', true],
  ['TODAY()', 46_000],
  ['NOW()-TODAY()', 0.5],
  ['YEAR(TODAY())*10000+MONTH(TODAY())*100+DAY(TODAY())', 20_251_209],
  ['WEEKDAY(TODAY())+WEEKDAY(TODAY(),2)', 5],
  ['DATE(2025,12,9)', 46_000],
  ['DATE(2025,14,1)', 46_054],
  ['EDATE(46000,1)', 46_031],
  ['EOMONTH(46000,0)', 46_022],
  ['HOUR(NOW())', 12],
  ['HYPERLINK("https://example.com","a"&"b")', 'ab'],
  ['HYPERLINK(Name,"Sheet 2")', 'Sheet 2'],
  ['HYPERLINK("https://example.com")', 'https://example.com'],
])('%s, one row below', (formula, expected) => {
  const found = movedValue(formula, 1)
  if (typeof expected === 'number') expect(found).toBeCloseTo(expected, 10)
  else expect(found).toBe(expected)
})

it.each(['1/0', '#REF!', 'A8', '#N/A=1', 'MATCH("no",$A$1:$A$6,0)', 'A1048576', 'YEAR(-1)', 'NA()'])(
  '%s is an error',
  (formula) => expect(() => movedValue(formula, 1)).toThrow(FormulaError),
)

it.each([
  'UNKNOWN(1)',
  'IFERROR(UNKNOWN(1),5)',
  'ISERROR(UNKNOWN(1))',
  'COUNTIF($A$1:$A$6,"t*")',
  'Name',
  'HYPERLINK(Name)',
])('%s is not known rather than an error', (formula) => {
  expect(() => movedValue(formula)).toThrow(NoValue)
  expect(() => movedValue(formula)).not.toThrow(FormulaError)
})

it('bounds the texts that formulas make', () => {
  const long = 'x'.repeat(20_000)
  const read = (): Scalar => long
  expect(() => evaluate('A1&A1', read, { left: 100 })).toThrow(FormulaError)
  expect(() => evaluate('CONCAT(A1,A1)', read, { left: 100 })).toThrow(FormulaError)
})
