import { describe, expect, it } from 'vitest'
import { cellBreaks } from '../../../../../../plugins/engines/instant/layout/sheet/cell-breaks.ts'

const divided = (text: string): string => {
  const breaks = cellBreaks(text)
  return breaks
    .map((at, index) => text.slice(breaks[index - 1] ?? 0, at))
    .concat(text.slice(breaks.at(-1) ?? 0))
    .join('|')
}

describe('the lines of a cell', () => {
  it('may begin with any character of Chinese, Japanese and Korean, closing punctuation too', () => {
    expect(divided('カゴリー')).toBe('カ|ゴ|リ|ー')
    expect(divided('告知、SPDXド（a）')).toBe('告|知|、|SPDX|ド|（a|）')
    expect(divided('a 告')).toBe('a |告')
  })

  it.each([
    ['two words', 'two |words'],
    ['and/or/either', 'and/|or/|either'],
    ['http://example.org/a', 'http://|example.org/|a'],
    ['see http://example.org/a', 'see |http://example.org/a'],
    ['Open-Source/Project', 'Open-|Source/Project'],
    ['software/framework versions/numbers', 'software/|framework |versions/numbers'],
    ['1/2 a/b', '1/2 |a/b'],
  ])('of %s end at a slash only before the first other opportunity', (text, expected) => {
    expect(divided(text)).toBe(expected)
  })
})
