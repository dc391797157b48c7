import { expect, test } from 'vitest'
import { isEastAsian } from '../../../../../plugins/engines/instant/layout/inline/character-kind.ts'
import {
  lineEndRulesOf,
  setEastAsianBreaks,
} from '../../../../../plugins/engines/instant/text/east-asian-line-ends.ts'

/** The text with '|' where a line may begin. */
function marked(text: string, language: string | undefined, isStrict: boolean): string {
  const breaks = new Uint8Array(text.length + 1)
  setEastAsianBreaks(text, breaks, [{ start: 0, end: text.length, language }], { isEastAsian, isStrict })
  return Array.from(text, (character, at) => (breaks[at] === 1 ? `|${character}` : character)).join('')
}

test.each<[name: string, language: string | undefined, isStrict: boolean, expected: string]>([
  ['marks stay with their letters', 'zh-CN', true, '中|文，|「中」|文'],
  ['without rules', 'zh-CN', false, '中|文|，|「|中|」|文'],
  ['no language is Chinese', undefined, true, '中|（中）'],
  ['an ellipsis begins a line in Chinese', 'zh-TW', true, '中|…|文'],
  ['small kana do not in Japanese', 'ja-JP', true, 'キャ|ラ'],
  ['but in Chinese', 'zh-CN', true, 'キ|ャ|ラ'],
  ['signs of currencies stay with amounts in Korean', 'ko-KR', true, '가|（가）|￥가'],
  ['words of Hangul are whole', 'ko-KR', true, '가나|漢|字|가나。|다라'],
  ['in every language', 'ja-JP', false, '가나|漢|가나'],
  ['languages of other scripts have no rules', 'en-US', true, '中文'],
  ['no language at all', 'zxx', true, '中文'],
  ['letters of other scripts keep the breaks they had', 'zh-CN', true, 'abc.d|中'],
  ['punctuation belongs to the letters before it', 'zh-CN', true, '中,a.|中'],
  ['joined by a no-break space', 'zh-CN', true, '中\u00a0文'],
])('line ends: %s', (_, language, isStrict, expected) => {
  expect(marked(expected.replaceAll('|', ''), language, isStrict)).toBe(expected)
})

test('marks that hang depend on the language', () => {
  const hang = (language: string): string => [...lineEndRulesOf(language)!.hanging].join('')
  expect(hang('ja')).toBe('、。，．')
  expect(hang('zh-HK')).toContain('：')
})
