import { describe, expect, it } from 'vitest'
import { arraysOf, flatten, keyOf, ownerOf, PathAboveRoot } from '../../../../shared/template/bind/paths.ts'
import { pathOf } from '../../../../shared/template/parse/path.ts'

const flat = (text: string) => flatten(pathOf(text), undefined)

describe('flat paths', () => {
  const keys: Readonly<Record<string, string>> = {
    'd.a.b': 'd.a.b',
    'd.a.b..c': 'd.a.c',
    'd.l[i].n': 'd.l[].n',
    'd.l[city, i+1].n': 'd.l[].n',
    'd.l[].n': 'd.l[].n',
    'c.l[2].n': 'c.l{"iterators":[],"filters":[],"index":2}.n',
  }
  for (const [path, key] of Object.entries(keys))
    it(`${path} has the key ${key}`, () => expect(keyOf(flat(path).flat)).toBe(key))

  it('list the arrays that they go through with an iterator, and which of them end', () =>
    expect(flat('d.g[i].k[i+1].v').iterated.map(({ key, array, next }) => [key, array, next])).toEqual([
      ['d.g', 'g', false],
      ['d.g[].k', 'k', true],
    ]))

  it('a filter in brackets before an iterator belongs to the loop', () =>
    expect(flat('d.l[q>1][i].n').iterated.map(({ key, selector }) => [key, selector.filters.length])).toEqual(
      [['d.l', 1]],
    ))

  it('relative ones start from their owner', () => {
    const owner = ownerOf(flat('d.a.b').flat)
    expect(keyOf(flatten(pathOf('.c'), owner).flat)).toBe('d.a.c')
    expect(keyOf(flatten(pathOf('..c'), owner).flat)).toBe('d.c')
  })

  it('may not climb above their root', () => {
    expect(() => flat('d..a')).toThrow(PathAboveRoot)
    expect(() => flatten(pathOf('.a'), undefined)).toThrow(PathAboveRoot)
  })

  it('name the arrays of which all items are meant', () =>
    expect(arraysOf(flat('d.g[i].k[].v').flat).map(({ key }) => key)).toEqual(['d.g', 'd.g[].k']))
})
