import { expect, test } from 'vitest'
import { breakOpportunities } from '../../../../../plugins/engines/instant/text/breaks.ts'
import { processorTime } from '../../../../helpers/processor-time.ts'

/** The text with '|' where a line may end and '‖' where it must. */
function marked(text: string): string {
  let out = ''
  let from = 0
  for (const { at, required } of breakOpportunities(text)) {
    out += text.slice(from, at) + (required ? '‖' : '|')
    from = at
  }
  return out + text.slice(from)
}

const cases: readonly [name: string, expected: string][] = [
  ['nothing', ''],
  ['one word', 'word'],
  ['words', 'some |plain |words'],
  ['several spaces hang together', 'some   |words  '],
  ['leading spaces', '  |word'],
  ['no break before closing punctuation, even after a space', 'mot ! |oui ? |et . |fin , |puis'],
  ['hyphen', 'well-|known'],
  ['hyphen before a digit', '2020-|01-|31 |x-|ray |1-|800-|555'],
  ['slash', 'and/|or |http://|example.org/|a/|b'],
  ['numbers stay whole', '12,345.67 |$5 |50% |3/4 |-|7 |№5 |€10 |10€'],
  ['no-break space and word joiner', 'a\u00a0b |c\u2060d'],
  ['zero width space and soft hyphen', 'a\u200b|b |co\u00ad|op'],
  ['brackets and quotes', '(a |b) |[c] |"d |e" |“f” |‘g’'],
  ['a parenthesis behind a quotation and a space', '"a" |(b) |“c” |[d] |"(e)"'],
  ['dashes', 'a |– |b |– |c|—|d'],
  ['ellipsis', 'so… |what'],
  ['required', 'one\n‖two\r\n‖three\u2028‖four'],
  ['Japanese', '日|本|語|の|テ|キ|ス|ト、|「か|ぎ」|で|す。っゃ'],
  ['Chinese brackets', '中|文|（括|号）|测|试！'],
  ['Korean', '한국어 |글자'],
  ['mixed', 'text|日|本|text |100|円'],
  ['Hebrew', 'שלום |עולם-מה'],
  ['Thai is cut at words', 'สวัสดี|ชาว|โลก'],
  ['emoji with joiners and tones', '👍🏽|👨\u200d👩\u200d👧|a'],
  ['flags are pairs', '🇫🇷|🇩🇪'],
  ['marks stay with their letter', 'a\u0301b |\u0301c'],
]

test.each(cases)('%s', (_name, expected) => {
  expect(marked(expected.replaceAll(/[|‖]/g, ''))).toBe(expected)
})

test('a long text takes one pass', () => {
  const text = 'word-word/word (word) '.repeat(5_000)
  const begun = process.cpuUsage()
  expect(breakOpportunities(text).length).toBeGreaterThan(15_000)
  expect(processorTime(begun)).toBeLessThan(500)
})
