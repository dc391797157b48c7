import { describe, expect, test } from 'vitest'
import { batchLists, readBatchFile } from '../../../../shared/studio/model/batches.ts'

describe('lists that a batch can be split by', () => {
  test.each([
    ['the data themselves', [{ a: 1 }, { a: 2 }], [{ splitBy: 'd', count: 2 }]],
    [
      'each list of objects in the data',
      { title: 'x', people: [{ n: 1 }], tags: ['a'], none: [], rooms: [{}, {}] },
      [
        { splitBy: 'd.people', count: 1 },
        { splitBy: 'd.rooms', count: 2 },
      ],
    ],
    ['none in data without a list', { a: { b: [{ c: 1 }] } }, []],
    ['none without data', undefined, []],
    ['none in a list of texts', ['a'], []],
  ])('%s', (_, data, expected) => expect(batchLists(data)).toEqual(expected))
})

describe('a file of data', () => {
  test.each([
    ['JSON', '[{"a":1}]', [{ a: 1 }]],
    ['JSON over several lines', '{\n  "l": [{ "a": 1 }]\n}\n', { l: [{ a: 1 }] }],
    ['an object on each line', '{"a":1}\r\n\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ])('%s', (_, text, expected) => expect(readBatchFile(text)).toEqual(expected))
  test.each([
    ['{"a":1}\n{"a":}\n', /^Line 2, column 6: /],
    ['[{"a":1},\n{"a":}]', /^Line 2, column 6: /],
    ['name,town', /^Line 1, column 1: /],
  ])('%j is refused with the place of its error', (text, message) =>
    expect(() => readBatchFile(text)).toThrow(message),
  )
})
