import { describe, expect, test } from 'vitest'
import { declarationsOf, lookupsIn, parse } from './table-lookups.ts'

/** Each case: the source of a file, and the look-ups that are refused in it. */
const sources: Readonly<Record<string, readonly [source: string, refused: readonly string[]]>> = {
  'a table of the file': ['const sides: Record<string, number> = { a: 1 }\nsides[name]', ['sides[name]']],
  'a table that cannot be written': ['const a: Readonly<Record<string, number>> = {}\na[b]', ['a[b]']],
  'a literal key': ["const a: Record<string, number> = {}\na['b']", []],
  'keys that a type lists': ["const a: Record<'x' | 'y', number> = { x: 1, y: 2 }\na[b]", []],
  'an array': ['const a: number[] = []\na[b]', []],
  'an alias of text as key': ['type Id = string\nconst a: Record<Id, number> = {}\na[b]', ['a[b]']],
  'an alias of the table': [
    'type T = Readonly<Record<string, 1>>\nfunction f(a: T) { return a[b] }',
    ['a[b]'],
  ],
  'an interface with an index': ['interface T { [key: string]: 1 }\nlet a: T\na[b]', ['a[b]']],
  'a property': ['interface T { readonly names: Record<string, 1> }\nt.names[b]', ['t.names[b]']],
  'a property that is a list elsewhere': [
    'interface T { names: Record<string, 1> }\ninterface U { names: string[] }\nt.names[b]',
    [],
  ],
  'a destructured property': ['interface T { n: Record<string, 1> }\nconst { n } = t\nn[b]', ['n[b]']],
  'a conversion of the type': ['(x as Record<string, unknown>)[b]', ['(x as Record<string, unknown>)[b]']],
  'a type that keeps its keys': ["const a = { b: 1 } satisfies Record<string, 1>\na[b as 'b']", []],
  'a name that a parameter hides': [
    'const a: Record<string, 1> = {}\nfunction f(a: number[]) { return a[b] }',
    [],
  ],
  'a write': ['const a: Record<string, 1> = {}\na[b] = 1', ['a[b]']],
  'a deletion': ['const a: Record<string, 1> = {}\ndelete a[b]', []],
}

describe('look-ups by key', () => {
  for (const [name, [text, refused]] of Object.entries(sources))
    test(name, () => {
      const source = parse('file.ts', text)
      const lookups = lookupsIn(source, declarationsOf([source]))
      expect(lookups.map((lookup) => lookup.text)).toEqual(refused)
    })

  test('a table that another file exports', () => {
    const table = parse('table.ts', 'export const units: Record<string, number> = {}')
    const user = parse('user.ts', "import { units as all } from './table.ts'\nall[unit]")
    const lookups = lookupsIn(user, declarationsOf([table, user]))
    expect(lookups).toEqual([{ line: 2, text: 'all[unit]' }])
  })
})
