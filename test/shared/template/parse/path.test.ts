import { describe, expect, it } from 'vitest'
import type { SelectorNode } from '../../../../shared/template/parse/ast.ts'
import { isProbablyPath, pathOf, splitOutside } from '../../../../shared/template/parse/path.ts'

const selector = (text: string): SelectorNode => {
  const step = pathOf(`d.l[${text}]`).steps.at(-1)
  return step?.kind === 'select' ? step.selector : { iterators: [], filters: [] }
}
const none = { iterators: [], filters: [] }

describe('selectors', () => {
  const cases: Readonly<Record<string, SelectorNode>> = {
    '': none,
    '2': { ...none, index: 2 },
    '-1': { iterators: [], filters: [{ left: ['i'], operator: '=', right: { text: '-1', quoted: false } }] },
    i: { iterators: [{ keys: ['i'], next: false }], filters: [] },
    'i+1': { iterators: [{ keys: ['i'], next: true }], filters: [] },
    'i++': { iterators: [{ keys: ['i'], next: true }], filters: [] },
    'i+1*a.b': { iterators: [{ keys: ['i'], next: true, times: ['a', 'b'] }], filters: [] },
    'a.b,i': {
      iterators: [
        { keys: ['a', 'b'], next: false },
        { keys: ['i'], next: false },
      ],
      filters: [],
    },
    '..i': { ...none, parallel: 2 },
    "a!='x,y'": {
      iterators: [],
      filters: [{ left: ['a'], operator: '!=', right: { text: 'x,y', quoted: true } }],
    },
  }
  for (const [text, expected] of Object.entries(cases))
    it(`[${text}]`, () => expect(selector(text)).toEqual(expected))
})

describe('texts', () => {
  it('that look like paths', () =>
    expect(['d.a', 'c[0]', '.a', '..a', '.5', 'do', 'd', '..', '.5a'].filter(isProbablyPath)).toEqual([
      'd.a',
      'c[0]',
      '.a',
      '..a',
      '.5a',
    ]))
  it('are split outside quotes and brackets', () =>
    expect(splitOutside("a,[b,c],'d,e'", ',')).toEqual(['a', '[b,c]', "'d,e'"]))
})
