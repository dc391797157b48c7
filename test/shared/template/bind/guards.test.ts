import { describe, expect, it } from 'vitest'
import { boundPart, codesOf, plainRules } from '../../../helpers/compile.ts'

/** What a condition governs, as markup, and the outcome that shows it. */
const cases: Readonly<Record<string, readonly [part: string, ...guards: string[]]>> = {
  'a block in a line': ['<p>a{d.v:showBegin}b{d.v:showEnd}c</p>', 'true: {d.v:showBegin}b{d.v:showEnd}'],
  'a block over elements takes those it would leave empty': [
    '<t><p>{d.v:hideBegin}</p><p>b</p><p>{d.v:hideEnd}</p></t>',
    'false: <p>{d.v:hideBegin}</p><p>b</p><p>{d.v:hideEnd}</p>',
  ],
  'a block that begins behind text leaves the element': [
    '<t><p>a{d.v:showBegin}</p><p>b</p><p>{d.v:showEnd}</p></t>',
    'true: {d.v:showBegin} … <p>b</p> … {d.v:showEnd}',
  ],
  'the element around a tag': [
    '<t><r><c>{d.v:drop(row)}</c></r></t>',
    'false: <r><c>{d.v:drop(row)}</c></r>',
  ],
  'several elements': [
    '<t><r>{d.v:keep(row, 2)}</r><r>b</r><r>c</r></t>',
    'true: <r>{d.v:keep(row,2)}</r><r>b</r>',
  ],
  'a column': [
    '<t><grid><col/><col/></grid><r><c>{d.v:drop(col)}</c><c>b</c></r><r><c>c</c><c>d</c></r></t>',
    'false: <col/> … <c>{d.v:drop(col)}</c> … <c>c</c>',
  ],
}

describe('guards', () => {
  for (const [name, [part, ...expected]] of Object.entries(cases))
    it(name, () => {
      const { context, guards } = boundPart(part)
      const shown = guards.map(({ keepsWhen: wanted, ranges }) => {
        const texts = ranges.map(({ start, stop }) =>
          context.tree.tokens
            .slice(start, stop)
            .map((token) => (token.kind === 'tag' ? `{${token.text}}` : 'raw' in token ? token.raw : ''))
            .join(''),
        )
        return `${wanted}: ${texts.join(' … ')}`
      })
      expect(shown).toEqual(expected)
    })

  it('a cell over a dropped column becomes narrower', () => {
    const { narrowed } = boundPart('<t><r><c span="2">x</c></r><r><c>{d.v:drop(col)}</c><c>b</c></r></t>')
    expect([...narrowed.values()]).toEqual([{ span: 2, dropped: [{ condition: 0, by: 1 }], grows: [] }])
  })

  it('adds an empty paragraph where a cell needs one', () => {
    const rules = { ...plainRules, emptyParagraph: { in: ['c'], markup: '<p/>' } }
    const standIns = (part: string) => boundPart(part, rules).guards.map(({ standIn }) => standIn?.markup)
    expect(standIns('<c><p>{d.v:drop(p)}</p></c>')).toEqual(['<p/>'])
    expect(standIns('<c><p>{d.v:drop(p)}</p><p>x</p></c>')).toEqual([undefined])
  })

  const wrong: Readonly<Record<string, string>> = {
    'template.tag.unclosed': '<p>{d.v:showBegin}</p>',
    'template.tag.unopened': '<p>{d.v:showEnd}</p>',
    'template.element.unknown': '<p>{d.v:drop(shape)}</p>',
    'template.element.missing': '<p>{d.v:drop(row)}</p>',
    'template.element.column': '<t><r><c>{d.l[i].n}{d.l[i].n:drop(col)}</c><c>{d.l[i+1].n}</c></r></t>',
    'template.block.overlap': '<t><r>{d.l[i].n}{d.v:showBegin}</r><r>{d.l[i+1]}</r><r>{d.v:showEnd}</r></t>',
  }
  it('a condition that is one for all items may drop the columns of a loop', () =>
    expect(
      codesOf(boundPart('<t><r><c>{d.l[i].n}{d.hide:drop(col)}</c><c>{d.l[i+1].n}</c></r></t>')),
    ).toEqual([]))

  for (const [code, part] of Object.entries(wrong))
    it(code, () => expect(codesOf(boundPart(part))).toContain(code))
})
