import { describe, expect, test } from 'vitest'
import { embeddingLevels, visualOrder } from '../../../../../plugins/engines/instant/text/bidi.ts'
import { createHyphenator } from '../../../../../plugins/engines/instant/text/hyphenate.ts'
import { itemise } from '../../../../../plugins/engines/instant/text/itemise.ts'
import {
  countStretchable,
  expandClusters,
  expandSpaces,
} from '../../../../../plugins/engines/instant/text/justify.ts'
import {
  languageSystemOf,
  needsComplexShaping,
  scriptOfWord,
} from '../../../../../plugins/engines/instant/text/scripts.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { shippedBook, shippedFace } from '../../../../helpers/instant-fonts.ts'

const face = shippedFace('Arial')

describe('bidi', () => {
  test('plain text needs no levels', () => {
    expect(embeddingLevels('plain text 12', 'ltr')).toBeUndefined()
    expect(embeddingLevels('', 'ltr')).toBeUndefined()
  })
  test.each([
    ['abc אבג 12 def', 'ltr', '00001111220000'],
    ['אבג 12', 'rtl', '111122'],
    ['abc', 'rtl', '222'],
    ['אבג abc', 'auto', '1111222'],
  ] as const)('%s as %s', (text, base, levels) => {
    expect(Array.from(embeddingLevels(text, base)!).join('')).toBe(levels)
  })
  test.each([
    [
      [0, 0, 0],
      [0, 1, 2],
    ],
    [
      [1, 1],
      [1, 0],
    ],
    [
      [0, 1, 2, 1, 0],
      [0, 3, 2, 1, 4],
    ],
    [
      [1, 2, 1],
      [2, 1, 0],
    ],
    [[], []],
  ])('visual order of %j', (levels, order) => {
    expect(visualOrder(levels)).toEqual(order)
  })
})

describe('items', () => {
  const fonts = shippedBook.forDocument()
  const parts = (text: string, direction: 'ltr' | 'rtl' = 'ltr') =>
    itemise(text, { face, direction }, fonts.runs).map(
      ({ start, end, level, complex }) => `${text.slice(start, end)}/${level}${complex ? '/complex' : ''}`,
    )
  test('one for plain text', () => expect(parts('plain text')).toEqual(['plain text/0']))
  test('change with direction', () => expect(parts('a אב c')).toEqual(['a /0', 'אב/1', ' c/0']))
  test('change with the way of shaping', () =>
    expect(parts('a नमस्ते b')).toEqual(['a /0', 'नमस्ते /0/complex', 'b/0']))
  test('cover everything, whatever the text', () => {
    for (const text of ['', 'a\ud800b', '👍🏽x', 'ال\u0301a', 'क\u200dख'])
      expect(
        parts(text)
          .join('')
          .replaceAll(/\/\d(\/complex)?/g, ''),
      ).toBe(text)
  })
})

describe('scripts', () => {
  test.each([
    ['word', 'latn'],
    ['1911', 'DFLT'],
    ['(Ωμέγα)', 'grek'],
    ['«Привет»', 'cyrl'],
    ['שלום', 'hebr'],
    ['日本', 'hani'],
  ])('%s is %s', (word, script) => expect(scriptOfWord(word)).toBe(script))
  test.each([
    ['plain', false],
    ['日本語', false],
    ['שלום', false],
    ['مرحبا', true],
    ['नमस्ते', true],
    ['สวัสดี', true],
    ['👍🏽', false],
  ])('%s needs HarfBuzz: %s', (text, needed) => expect(needsComplexShaping(text)).toBe(needed))
  test.each([
    ['tr-TR', 'TRK '],
    ['zh-TW', 'ZHT '],
    ['en-GB', undefined],
    [undefined, undefined],
  ])('language %s is %s', (language, system) => expect(languageSystemOf(language)).toBe(system))
})

describe('justified lines', () => {
  test('grow by their spaces', () => {
    const run = shape('a b\u00a0c\u2003d', { face, size: 10 })
    const wider = expandSpaces(run, 3)
    expect(countStretchable(run.text)).toBe(2)
    expect(wider.width).toBeCloseTo(run.width + 6, 9)
    expect(wider.advances[1]).toBeCloseTo(run.advances[1]! + 3, 9)
    expect(wider.advances[5]).toBe(run.advances[5])
    expect(expandSpaces(run, 0)).toBe(run)
  })
  test('or between all clusters', () => {
    const run = shape('ax\u0301b', { face, size: 10 })
    expect(expandClusters(run, 2).width).toBeCloseTo(run.width + 6, 9)
  })
})

describe('hyphenation', () => {
  const rules = {
    patterns: 'hy3ph he2n hen5at hena4 1na n2at 1tio 2io o2n',
    exceptions: 'ta-ble',
    leftMin: 2,
    rightMin: 3,
  }
  const divided = (word: string) => {
    const places = createHyphenator(rules).divide(word)
    return [...word].map((letter, at) => (places.includes(at) ? `-${letter}` : letter)).join('')
  }
  test.each([
    ['hyphenation', 'hy-phen-ation'],
    ['Hyphenation', 'Hy-phen-ation'],
    ['table', 'ta-ble'],
    ['no', 'no'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ])('%s', (word, expected) => expect(divided(word)).toBe(expected))
})
