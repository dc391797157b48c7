import { expect, it } from 'vitest'
import { compareCells } from './cells.ts'
import type { Word } from './words.ts'

/** Words of 10 pt in a row; '|' is the gap between cells, and '/' begins the next line. */
function page(text: string): Word[] {
  let [left, top] = [0, 0]
  return text.split(' ').flatMap((word): Word[] => {
    if (word === '|') left += 20
    if (word === '/') [left, top] = [0, top + 12]
    if (word === '|' || word === '/') return []
    const made = { text: word, left, right: left + 5 * word.length, top, bottom: top + 10 }
    left = made.right + 3
    return [made]
  })
}

it.each([
  ['the same', 'a b | c', 'a b | c', 1, [], []],
  ['another break of lines', 'one two three | 5', 'one two / three | 5', 1, [], []],
  ['another format', 'Total | 1.50 | x | y', 'Total | 1.5 | x | y', 0.75, ['1.50'], ['1.5']],
  ['a text that is not printed', 'a | b | c | d', 'a | b | c', 0.75, ['d'], []],
  ['a text too many', 'a | b | c', 'a | b | c | ###', 0.75, [], ['###']],
  ['texts that touch', 'Customer Or Hamb | 5', 'Customer | Or | Hamb | 5', 1, [], []],
  ['a word in pieces', '$20,00 | 0 | An | nual', '$20,000 | Annual', 1, [], []],
  ['pieces with another letter', 'An | nuel | x | y', 'Annual | x | y', 0.5, ['An', 'nuel'], ['Annual']],
  ['letters of another order', 'ab | cd | x | y', 'cdab | x | y', 0.5, ['ab', 'cd'], ['cdab']],
  ['a word of a text', 'due 3 May | x', 'due 4 May | x', 0.5, ['due 3 May'], ['due 4 May']],
])('%s', (_, theirs, mine, equal, onlyInReference, onlyInOurs) => {
  expect(compareCells([page(theirs)], [page(mine)])).toEqual({ equal, onlyInReference, onlyInOurs })
})

it('a text on another page is not equal', () => {
  expect(compareCells([page('a'), page('b')], [page('a b')]).equal).toBe(0)
})

it('letters of turned text are read along it', () => {
  const letter = (text: string, top: number): Word => ({ text, left: 5, right: 15, top, bottom: top + 6 })
  const turned = [letter('c', 0), letter('b', 6), letter('a', 12)]
  expect(compareCells([turned], [[{ text: 'abc', left: 5, right: 15, top: 0, bottom: 18 }]]).equal).toBe(1)
})
