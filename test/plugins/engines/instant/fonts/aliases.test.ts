import { describe, expect, test } from 'vitest'
import { fontAliases } from '../../../../../plugins/engines/instant/fonts/aliases.ts'

const first = (family: string): string | undefined =>
  fontAliases.find((alias) => alias.family === family)?.to[0]

describe('the fonts of PostScript by the names that they had before', () => {
  test.each([
    ['Nimbus Roman No9 L', 'Nimbus Roman'],
    ['Nimbus Sans L', 'Nimbus Sans'],
    ['Nimbus Mono L', 'Nimbus Mono PS'],
    ['URW Palladio L', 'P052'],
    ['Century Schoolbook L', 'C059'],
  ])('%s is %s', (family, now) => expect(first(family)).toBe(now))
})

test('no family is listed twice', () => {
  const families = fontAliases.map(({ family }) => family.toLowerCase())
  expect(families.filter((family, index) => families.indexOf(family) !== index)).toEqual([])
})
