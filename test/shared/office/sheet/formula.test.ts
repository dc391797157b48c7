import { describe, expect, it } from 'vitest'
import { a1, type FormulaNotation, openFormula } from '../../../../shared/office/sheet/formula.ts'
import { columnName, columnNumber, parseRange } from '../../../../shared/office/sheet/reference.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

/** A formula with its references in braces, one that stands for all copies of its cell with a star. */
function marked(notation: FormulaNotation, formula: string): string {
  return notation
    .parse(formula)
    .map((token) =>
      typeof token === 'string'
        ? token
        : `{${token.sheet ?? ''}|${notation.write(token, token.range)}${token.onlyArgument ? '*' : ''}}`,
    )
    .join('')
}

describe('A1 notation', () => {
  it.each([
    ['B2*C2', '{|B2}*{|C2}'],
    ['SUM(B2:B9)', 'SUM({|B2:B9*})'],
    ['sum( B2 )', 'sum( {|B2*} )'],
    ['SUBTOTAL(9,B2)+IF(B2,1)', 'SUBTOTAL(9,{|B2*})+IF({|B2},1)'],
    ['$B$2+B$2+$B2', '{|$B$2}+{|B$2}+{|$B2}'],
    ['SUM(B:B,3:$4)', 'SUM({|B:B},{|3:$4})'],
    ["'It''s'!A1:B2", "{It's|'It''s'!A1:B2}"],
    ['Sheet1!A1+Sheet1!name', '{Sheet1|Sheet1!A1}+Sheet1!name'],
    ['Été_1!A1', '{Été_1|Été_1!A1}'],
    ['"B2"&B2&"say ""B3"""', '"B2"&{|B2}&"say ""B3"""'],
    ['LOG10(5)+TAX2024+ATAN2(A1,1)', 'LOG10(5)+{|TAX2024}+ATAN2({|A1},1)'],
    ['Table1[Qty]+Table1[[#This Row],[B2]]', 'Table1[Qty]+Table1[[#This Row],[B2]]'],
    ['[1]Data!A1+[Book.xlsx]Data!A1', '[1]Data!A1+[Book.xlsx]Data!A1'],
    ['Jan:Mar!A1', '{Jan:Mar|Jan:Mar!A1}'],
    ['A1048577+XFE1+A0+1.5E3', 'A1048577+XFE1+A0+1.5E3'],
    ['_xlfn.IFS(A1>1,B1)', '_xlfn.IFS({|A1}>1,{|B1})'],
    ['A1:B2:C3', '{|A1:B2}:{|C3}'],
    ['A1:INDEX(B:B,2)', '{|A1}:INDEX({|B:B},2)'],
    ["'[1]It''s'!A1", "{[1]It's|'[1]It''s'!A1}"],
    ['{1,2;3,4}', '{1,2;3,4}'],
    ['#REF!+A1', '#REF!+{|A1}'],
    ['a1+xfd1', '{|A1}+{|XFD1}'],
    ['"open', '"open'],
    ["'open", "'open"],
  ])('%s', (formula, expected) => expect(marked(a1, formula)).toBe(expected))
})

it.each(["'", '"', "''a", 'a:', '[', 'SUBTOTAL(', '$A$1:', "'x'!", '.1E', '[1]x!'])(
  '%s a million times is read in linear time',
  (piece) => {
    const begun = process.cpuUsage()
    a1.parse(piece.repeat(1_000_000 / piece.length))
    openFormula.parse(`of:=${piece.repeat(1_000_000 / piece.length)}`)
    expect(processorTime(begun)).toBeLessThan(4_000)
  },
)

describe('OpenFormula', () => {
  it.each([
    ['of:=SUM([.B2:.B9])', 'of:=SUM({|[.B2:.B9]*})'],
    ['of:=[.B2]*2', 'of:={|[.B2]}*2'],
    ["of:=[$'My data'.$A$1:.B2]", "of:={My data|[$'My data'.$A$1:.B2]}"],
    ['of:=[Data.A1:Data.B2]', 'of:={Data|[Data.A1:.B2]}'],
    ['of:=[A.A1:B.B2]&"[.A1]"', 'of:={A:B|[A.A1:B.B2]}&"[.A1]"'],
    ['of:=[$A.A1:$B.A1]', 'of:={A:B|[$A.A1:$B.A1]}'],
    ["of:=['file:///x'#$Data.A1]", "of:=['file:///x'#$Data.A1]"],
    ['of:=[#REF!]+[.A1', 'of:=[#REF!]+[.A1'],
  ])('%s', (formula, expected) => expect(marked(openFormula, formula)).toBe(expected))
})

describe('addresses', () => {
  it.each([
    [1, 'A'],
    [26, 'Z'],
    [27, 'AA'],
    [702, 'ZZ'],
    [703, 'AAA'],
    [16_384, 'XFD'],
  ])('column %i is %s', (number, name) => {
    expect(columnName(number)).toBe(name)
    expect(columnNumber(name)).toBe(number)
  })
  it.each(['', 'A', '5', 'A1:B', 'A:2', 'XFE1', 'A1048577', 'A1 B2', 'AAAA1'])('"%s" is none', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })
})
