import { expect, test } from 'vitest'
import { createWordCache, rememberedWords } from '../../../../../plugins/engines/instant/text/word-cache.ts'

const bound = 40_000

test('the caches of all fonts share one bound; those written to last keep their words', () => {
  const caches = Array.from({ length: 30 }, () => createWordCache<number>())
  for (const [index, cache] of caches.entries()) {
    for (let word = 0; word < 5_000; word++) cache.set(`word ${word}`, index)
    expect(rememberedWords()).toBeLessThanOrEqual(bound)
  }
  expect(caches.at(-1)!.get('word 4999')).toBe(29)
  expect(caches[0]!.get('word 0')).toBeUndefined()
})

test('a cache that holds all words by itself is emptied, too', () => {
  const cache = createWordCache<number>()
  for (let word = 0; word < 3 * bound; word++) cache.set(`long text ${word}`, word)
  expect(rememberedWords()).toBeLessThanOrEqual(bound)
  expect(cache.get(`long text ${3 * bound - 1}`)).toBe(3 * bound - 1)
})

test('a word that is set again counts once', () => {
  const cache = createWordCache<number>()
  const before = rememberedWords()
  for (let round = 0; round < 100; round++) cache.set('again', round)
  expect(rememberedWords() - before).toBe(1)
})
