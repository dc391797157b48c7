import { describe, expect, test } from 'vitest'
import { readEqField } from '../../../../../plugins/formats/docx/reader/eq-field.ts'
import { mathWords } from '../../../../../shared/document/math.ts'

const words = (code: string): string | undefined => {
  const read = readEqField(` EQ ${code} `)
  return read?.kind === 'math' ? mathWords(read.math) : undefined
}

describe('equations written as text', () => {
  test.each([
    ['a fraction', '\\f(1,2)', '1/2'],
    ['a fraction parted by a semicolon', '\\f(1;2)', '1/2'],
    ['roots', '\\r(3,x+1) \\r(,y)', '3√(x+1)√y'],
    ['raised and lowered text', 'a\\s\\up5(2) b\\s\\do3(n)', 'a^2 b_n'],
    ['brackets of a kind', '\\b\\bc\\{(x+y)', '{x+y}'],
    ['one bracket', '\\b\\lc\\|(x)', '|x'],
    ['an array', '\\a\\ac\\co2\\vs3\\hs3(a,b,c,d)', 'a b; c d'],
    ['a sum', '\\i\\su(1,5,x)', '∑_1^5 x'],
    ['an integral', '\\i(a,b,f)', '∫_a^b f'],
    ['a list', '\\l(a,b,c)', 'a,b,c'],
    ['signs that are text', '\\f(a\\,b,\\(c\\))', '(a,b)/((c))'],
    ['one in another', '\\f(\\r(,a),b\\s\\up3(2))', '(√a)/(b^2)'],
    ['brackets in an argument', '\\f(f(x),2)', '(f(x))/2'],
  ])('%s', (_, code, expected) => expect(words(code)).toBe(expected))

  test.each([
    ['a bar over', '\\x\\to(bar)', { kind: 'accent', at: 'above' }],
    ['a bar under', '\\x\\bo(bar)', { kind: 'accent', at: 'below' }],
    ['a box', '\\x(boxed)', { kind: 'framed' }],
    ['one above the other', '\\s(a,b)', { kind: 'table', rows: [[{ text: 'a' }], [{ text: 'b' }]] }],
  ])('%s', (_, code, math) => expect(readEqField(`EQ ${code}`)).toMatchObject({ kind: 'math', math }))

  test('a phonetic guide', () =>
    expect(readEqField('EQ \\* jc2 \\* "Font:Arial" \\* hps10 \\o\\ad(\\s\\up 9(ru),base)')).toEqual({
      kind: 'ruby',
      base: 'base',
      above: 'ru',
    }))

  test.each([
    ['nothing', ''],
    ['what is not known', '\\q(1,2)'],
    ['what has no argument', '\\f'],
    ['what is very long', 'x'.repeat(5000)],
  ])('%s is not read', (_, code) => expect(readEqField(`EQ ${code}`)).toBeUndefined())
  test('however deep, it ends', () => {
    expect(readEqField(`EQ ${'\\f('.repeat(900)}`)).toBeUndefined()
    expect(words(`\\b(${'('.repeat(100)}`)).toBe(`(${'('.repeat(100)})`)
  })
})
