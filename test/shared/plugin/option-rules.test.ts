import { expect, test } from 'vitest'
import { optionInteger, optionsSchema, optionText } from '../../../shared/plugin/option-rules.ts'

const schema = optionsSchema({
  Text: optionText(4),
  Length: optionText(20, { accepts: (text) => text.endsWith('px'), says: 'a length', unit: 'px' }),
  Count: optionInteger(1, 9),
})

test.each([
  ['a number as the text of its digits', { Text: 76 }, { Text: '76' }],
  ['a number as a length of the usual unit', { Length: 20.5 }, { Length: '20.5px' }],
  ['text as it is', { Text: 'ab', Length: '3px' }, { Text: 'ab', Length: '3px' }],
])('options of text take %s', (_, given, taken) => {
  expect(schema.parse(given)).toEqual({ ok: true, value: { given: taken, unknown: [] } })
})

test.each([
  [{ Text: 12345 }, 'must be at most 4 characters long'],
  [{ Text: true }, 'must be a string'],
  [{ Length: '3' }, 'must be a length'],
  [{ Count: '3' }, 'must be an integer from 1 to 9'],
])('%j is refused', (given, rule) => {
  expect(schema.parse(given)).toEqual({ ok: false, issues: [{ path: Object.keys(given)[0], rule }] })
})
