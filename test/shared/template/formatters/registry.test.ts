import { expect, test } from 'vitest'
import { formatters, suggest } from '../../../../shared/template/formatters/registry.ts'
import { readFormatterDocs } from '../../../helpers/formatter-docs.ts'
import { titled } from '../../../helpers/titled.ts'

test('the registry has every formatter that the files of the families define, in alphabetical order', () => {
  const defined = [...readFormatterDocs().keys()]
  expect(defined.length).toBeGreaterThan(100)
  expect([...formatters.keys()]).toEqual(defined.toSorted())
})

test.each(
  titled([
    ['upercase', 'upperCase'],
    ['formtN', 'formatN'],
    ['ifeq', 'ifEQ'],
    ['agSum', 'aggSum'],
    ['formatd', 'formatD'],
    ['pritn', 'print'],
    ['neutral', undefined],
    ['xyzzy', undefined],
    ['a'.repeat(20_000), undefined],
  ] as [string, string | undefined][]),
)('a suggestion for %s', (_title, name, expected) => {
  expect(suggest(name)).toBe(expected)
})
