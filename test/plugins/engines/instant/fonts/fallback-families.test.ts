import { describe, expect, test } from 'vitest'
import {
  fallbackFamilies,
  regionOfLanguage,
  regionOfText,
} from '../../../../../plugins/engines/instant/fonts/fallback-families.ts'

describe('where Chinese characters are read', () => {
  test.each([
    ['zh', 'SC'],
    ['zh-CN', 'SC'],
    ['zh-Hans-SG', 'SC'],
    ['zh_TW', 'TC'],
    ['zh-Hant', 'TC'],
    ['zh-HK', 'HK'],
    ['zh-Hant-HK', 'HK'],
    ['yue', 'HK'],
    ['ja-JP', 'JP'],
    ['JA', 'JP'],
    ['ko-KR', 'KR'],
    ['en-US', undefined],
    ['jam', undefined],
    ['kok-IN', undefined],
    [undefined, undefined],
  ])('text of the language %s: %s', (language, region) => expect(regionOfLanguage(language)).toBe(region))

  test.each([
    ['請求書の', 'JP'],
    ['漢字 한글', 'KR'],
    ['ㄅㄆㄇ', 'TC'],
    ['合同', undefined],
    ['Latin', undefined],
  ])('%s: %s', (text, region) => expect(regionOfText(text)).toBe(region))
})

test('symbols come from fonts of symbols, but in text of East Asia from the fonts of its characters', () => {
  const before = (families: readonly string[]) =>
    families.indexOf('DejaVu Sans') < families.indexOf('Noto Sans CJK JP')
  expect(before(fallbackFamilies('sans', 'JP', false))).toBe(true)
  expect(before(fallbackFamilies('sans', 'JP', true))).toBe(false)
})

test('each list has fonts of its kind first, and no family twice', () => {
  for (const kind of ['sans', 'serif', 'mono'] as const) {
    const families = fallbackFamilies(kind, 'KR', true)
    expect(new Set(families).size).toBe(families.length)
    expect(families[0]).toBe(
      `Noto ${kind === 'serif' ? 'Serif' : kind === 'mono' ? 'Sans Mono' : 'Sans'} CJK KR`,
    )
  }
})
