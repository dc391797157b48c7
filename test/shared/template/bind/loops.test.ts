import { describe, expect, it } from 'vitest'
import { boundPart, codesOf } from '../../../helpers/compile.ts'

/** What a loop repeats and what its marker takes with it, as markup. */
const cases: Readonly<Record<string, readonly [part: string, ...loops: string[]]>> = {
  rows: ['<t><r>{d.l[i].n}</r><r>{d.l[i+1].n}</r></t>', 'd.l: <r>{d.l[i].n}</r> | <r>{d.l[i+1].n}</r>'],
  'text in one element': ['<p>{d.l[i].n}, {d.l[i+1].n}</p>', 'd.l: {d.l[i].n}, | {d.l[i+1].n}'],
  'what stands between belongs to the block': [
    '<t><r>{d.l[i].n}</r><s/><r>{d.l[i+1]}</r></t>',
    'd.l: <r>{d.l[i].n}</r><s/> | <r>{d.l[i+1]}</r>',
  ],
  'a marker deeper than the first tag': [
    '<t><r>{d.l[i].n}</r><q><z>{d.l[i+1]}</z></q></t>',
    'd.l: <r>{d.l[i].n}</r> | <q><z>{d.l[i+1]}</z></q>',
  ],
  nested: [
    '<t><g>{d.g[i].h}<r>{d.g[i].k[i].v}</r><r>{d.g[i].k[i+1]}</r></g><g>{d.g[i+1]}</g></t>',
    'd.g: <g>{d.g[i].h}<r>{d.g[i].k[i].v}</r><r>{d.g[i].k[i+1]}</r></g> | <g>{d.g[i+1]}</g>',
    'd.g[].k in 0: <r>{d.g[i].k[i].v}</r> | <r>{d.g[i].k[i+1]}</r>',
  ],
  'two loops that end in one marker': [
    '<t><r>{d.g[i].k[i].v}</r><r>{d.g[i+1].k[i+1].v}</r></t>',
    'd.g: <r>{d.g[i].k[i].v}</r> | <r>{d.g[i+1].k[i+1].v}</r>',
    'd.g[].k in 0: <r>{d.g[i].k[i].v}</r> | <r>{d.g[i+1].k[i+1].v}</r>',
  ],
  'in an attribute': ['<a b="{d.l[i].n},{d.l[i+1].n}"/>', 'd.l: {d.l[i].n}, | {d.l[i+1].n}'],
}

describe('loops', () => {
  for (const [name, [part, ...expected]] of Object.entries(cases))
    it(name, () => {
      const { context, loops } = boundPart(part)
      const text = (start: number, stop: number) =>
        context.tree.tokens
          .slice(start, stop)
          .map((token) => (token.kind === 'tag' ? `{${token.text}}` : 'raw' in token ? token.raw : ''))
          .join('')
          .trim()
      expect(
        loops.map(
          ({ key, parent, start, stop, marker }) =>
            `${key}${parent === undefined ? '' : ` in ${parent.index}`}: ${text(start, stop)} | ${text(marker.start, marker.stop)}`,
        ),
      ).toEqual(expected)
    })

  const wrong: Readonly<Record<string, string>> = {
    'template.loop.unclosed': '<t><r>{d.l[i].n}</r></t>',
    'template.loop.unopened': '<t><r>{d.l[i+1].n}</r></t>',
    'template.loop.sample-removed':
      '<t><r>{d.l[i].n}</r><r>{d.l[i+1].n}{d.m[i].n}</r><r>{d.m[i+1].n}</r></t>',
    'template.loop.region': '<a b="{d.l[i].n}"><c>{d.l[i+1].n}</c></a>',
    'template.loop.crossed': '<t><r>{d.a[i].n}{d.b[i].n}</r><r>{d.a[i+1]}{d.b[i+1]}</r></t>',
    'template.loop.interleaved':
      '<t><r>{d.a[i].n}</r><r>{d.b[i].n}</r><r>{d.a[i+1].n}</r><r>{d.b[i+1].n}</r></t>',
  }
  for (const [code, part] of Object.entries(wrong))
    it(code, () => expect(codesOf(boundPart(part))).toContain(code))

  const crossed: Readonly<Record<string, readonly [part: string, codes: readonly string[]]>> = {
    'lists of the complement and of the data': [
      '<t><r>{d.a[i].n}{c.b[i].n}</r><r>{d.a[i+1]}{c.b[i+1]}</r></t>',
      ['template.loop.crossed'],
    ],
    'two lists of one item': [
      '<t><r>{d.g[i].k[i].n}{d.g[i].m[i].n}</r><r>{d.g[i+1].k[i+1]}{d.g[i+1].m[i+1]}</r></t>',
      ['template.loop.crossed'],
    ],
    'cells side by side': [
      '<r><c>{d.a[i].n}{d.b[i].n}</c><c>{d.a[i+1]}{d.b[i+1]}</c></r>',
      ['template.loop.crossed'],
    ],
    'a list of the items of the other': ['<t><r>{d.a[i].b[i].n}</r><r>{d.a[i+1].b[i+1]}</r></t>', []],
    'a list of lists': ['<t><r>{d.a[i][i]}</r><r>{d.a[i+1][i+1]}</r></t>', []],
    'a list of items of the root': ['<t><r>{d[i].b[i].n}</r><r>{d[i+1].b[i+1]}</r></t>', []],
    'one inside the other in the document': [
      '<t><r>{d.a[i].n}</r><r>{d.b[i].n}</r><r>{d.b[i+1]}</r><r>{d.a[i+1]}</r></t>',
      [],
    ],
  }
  for (const [name, [part, codes]] of Object.entries(crossed))
    it(`two lists: ${name}`, () => expect(codesOf(boundPart(part))).toEqual(codes))

  it('an aggregate over [i] needs no end', () =>
    expect(codesOf(boundPart('<p>{d.l[i].n:aggSum}</p>'))).toEqual([]))

  it('slots and innermost loops are known for each token', () => {
    const { loops, loopOf } = boundPart('<t><r>{d.l[i].n}</r><r>{d.l[i+1]}</r></t>')
    expect([loops.map(({ slot }) => slot), [...loopOf]]).toEqual([[0], [-1, 0, 0, 0, -1, -1, -1, -1]])
  })
})
