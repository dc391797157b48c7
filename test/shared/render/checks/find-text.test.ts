import { describe, expect, it } from 'vitest'
import { SearchedText } from '../../../../shared/render/checks/find-text.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(50)

const parts = [
  ['a text that is the whole one', 'Total: 42', 'Total: 42', true],
  ['white space, wherever it is', 'Tot al:\n 4\u00a02', 'Total: 42', true],
  ['ligatures and soft hyphens', 'of\ufb01ce hyphen\u00adated', 'office hyphenated', true],
  ['accents written in two ways', 'cafe\u0301', 'café', true],
  ['a beginning that repeats', 'aaab', 'aab', true],
  ['a part after one that begins like it', 'ababac', 'abac', true],
  ['nothing but white space', 'a', ' ', true],
  ['another number', 'Total: 42', 'Total: 43', false],
  ['a part that is longer than the text', 'ab', 'abc', false],
  ['a part of an empty text', '', 'a', false],
] as const

const excerpts = [
  ['the text around the part', `${long}Total: 42 EUR. ${long}`, 'Total: 42', /^….*Total: 42 EUR.*…$/],
  [
    'the longest beginning of a part that is missing',
    `${long}Total: 42 EUR. ${long}`,
    'Total: 43',
    /^….*Total: 42 EUR.*…$/,
  ],
  ['the beginning of a text that has nothing of it', `First ${long}`, 'xyz', /^First The quick/],
  ['a short text as it is', 'a\n b', 'c', /^a b$/],
] as const

/** Texts in which a search that begins anew at each position, or for each length, takes minutes. */
const adversaries = [
  ['a letter repeated', 'a'.repeat(2_000_000), `${'a'.repeat(999)}b`],
  ['a pattern that nearly fits', `${'a'.repeat(499)}b`.repeat(4_000), 'a'.repeat(1_000)],
  ['two letters in turn', 'ab'.repeat(1_000_000), `aa${'ab'.repeat(499)}`],
  ['marks without a letter', '\u0301\u0316'.repeat(200_000), `${'\u0301'.repeat(999)}b`],
] as const

describe('a text that is searched', () => {
  it.each(parts)('finds %s', async (_, text, part, expected) => {
    expect(await new SearchedText(text).contains(part)).toBe(expected)
  })

  it.each(excerpts)('shows %s', async (_, text, part, expected) => {
    expect(await new SearchedText(text).excerptAt(part)).toMatch(expected)
  })

  it.each(adversaries)('is searched in linear time: %s', async (_, text, part) => {
    const begun = process.cpuUsage()
    const search = new SearchedText(text)
    expect(await search.contains(part)).toBe(false)
    await search.excerptAt(part)
    expect(processorTime(begun)).toBeLessThan(2_000)
  })

  it('lets others run meanwhile', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await new SearchedText('a'.repeat(20_000_000)).contains('b')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })
})
