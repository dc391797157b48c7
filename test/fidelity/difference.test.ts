import { expect, test } from 'vitest'
import { firstDifference } from './difference.ts'
import type { Word } from './words.ts'

/** Words of one line each, from the top of the page on. */
const page = (texts: string, { left = 72, top = 72 } = {}): Word[] =>
  texts.split(' ').map((text, line) => ({
    text,
    left,
    right: left + 20,
    top: top + 12 * line,
    bottom: top + 12 * line + 10,
  }))

test.each([
  ['equal pages', [page('a b'), page('c')], [page('a b'), page('c')], undefined],
  [
    'a line that is moved',
    [page('a b c')],
    [[...page('a'), ...page('b c', { top: 86 })]],
    'page 1, "b": 2.00 pt down',
  ],
  ['words that are moved', [page('a b')], [page('a b', { left: 70 })], 'page 1, "a": -2.00 pt to the right'],
  [
    'a page that ends early',
    [page('a b c'), page('d')],
    [page('a b'), page('c d')],
    'page 1 ends 1 words too early, before "c"',
  ],
  [
    'a page that ends late',
    [page('a b'), page('c d')],
    [page('a b c'), page('d')],
    'page 1 ends 1 words too late, with "c"',
  ],
  ['a page too many', [page('a')], [page('a'), page('b')], 'further pages follow'],
  ['no pages', [], [], undefined],
] as const)('%s', (_name, reference, ours, expected) => {
  expect(firstDifference(reference, ours)).toBe(expected)
})
