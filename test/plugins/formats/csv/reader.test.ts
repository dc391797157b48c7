import { expect, it } from 'vitest'
import { readCsv } from '../../../../plugins/formats/csv/reader.ts'

const read = (text: string | Uint8Array) => {
  const { value, warnings } = readCsv(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  const rows = value.sheets[0]?.rows ?? []
  return {
    rows: rows.map(({ row, cells }) => [row, ...cells.map(({ column, value: own }) => [column, own])]),
    formats: rows.flatMap(({ cells }) => cells.map(({ format }) => value.formats[format]?.number)),
    codes: warnings.map(({ code }) => code),
  }
}

it.each<[string, unknown]>([
  [
    'a,b\r\n1,-2.5\n',
    [
      [0, [0, 'a'], [1, 'b']],
      [1, [0, 1], [1, -2.5]],
    ],
  ],
  [
    'a;b\n1,5;2',
    [
      [0, [0, 'a'], [1, 'b']],
      [1, [0, '1,5'], [1, 2]],
    ],
  ],
  ['a\tb', [[0, [0, 'a'], [1, 'b']]]],
  ['"x ""y"" z","line\nbreak"\n', [[0, [0, 'x "y" z'], [1, 'line\nbreak']]]],
  [
    '\ufeffa,,c\n\n,"",d',
    [
      [0, [0, 'a'], [2, 'c']],
      [2, [2, 'd']],
    ],
  ],
  ['1,"1,234.5",1e3,007,1-2,=1+1', [[0, [0, 1], [1, 1234.5], [2, 1000], [3, 7], [4, '1-2'], [5, '=1+1']]]],
  ['"never closed', [[0, [0, 'never closed']]]],
  ['', []],
])('reads %j', (text, rows) => {
  expect(read(text).rows).toEqual(rows)
})

it('reads dates and truth values as offices do', () => {
  const { rows, formats } = read('2026-11-26,2026-11-26 06:00:00,TRUE,2026-13-01,12.5%')
  expect(rows).toEqual([[0, [0, 46_352], [1, 46_352.25], [2, true], [3, '2026-13-01'], [4, 0.125]]])
  expect(formats).toEqual(['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', 'General', 'General', '0.00%'])
})

it('reads other encodings', () => {
  expect(read(Uint8Array.of(0xe4, 0x2c, 0x62)).rows).toEqual([[0, [0, 'ä'], [1, 'b']]])
  expect(read(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0)).rows).toEqual([[0, [0, 'a'], [1, 'b']]])
})

it('keeps a million cells and reports the others', () => {
  const { rows, codes } = read('x,x,x,x,x,x,x,x,x,x\n'.repeat(100_001))
  expect(rows).toHaveLength(100_000)
  expect(codes).toEqual(['read.sheet-cells'])
})
