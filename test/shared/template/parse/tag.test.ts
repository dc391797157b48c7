import { describe, expect, it } from 'vitest'
import { parseTag } from '../../../../shared/template/parse/tag.ts'

/** A tag's text, and its tree as JSON without what is empty. */
const cases: Readonly<Record<string, unknown>> = {
  'd.a.b': { kind: 'value', path: 'd .a .b', calls: [] },
  'c.now:formatD(L)': { kind: 'value', path: 'c .now', calls: ["formatD('L')"] },
  "d.v:show('a, b',c)": { kind: 'value', path: 'd .v', calls: ["show('a, b','c')"] },
  'd.v:add(.w*2)': { kind: 'value', path: 'd .v', calls: ['add(sum)'] },
  'd.v:add(d.x)': { kind: 'value', path: 'd .v', calls: ['add(d .x)'] },
  'd.v:show({t(yes)}!)': { kind: 'value', path: 'd .v', calls: ['show(translated)'] },
  "d.'a.b'.c": { kind: 'value', path: 'd .a.b .c', calls: [] },
  't(Dear (you))': { kind: 'translate', key: 'Dear (you)' },
  'o.lang=de': { kind: 'option', name: 'lang', value: 'de' },
  'o.flag': { kind: 'option', name: 'flag', value: 'true' },
  'bindColor(ff0000,#hexa)=d.c': { kind: 'bind', name: 'bindColor' },
}

function shown(text: string): unknown {
  const node = parseTag(text)
  if (node.kind !== 'value') return node
  const path = (each: typeof node.path) =>
    [each.root, ...each.steps.map((step) => (step.kind === 'key' ? `.${step.name}` : step.kind))].join(' ')
  const calls = node.calls.map(({ name, args }) => {
    const list = args.map((arg) =>
      arg.kind === 'text' ? `'${arg.text}'` : arg.kind === 'path' ? path(arg.path) : arg.kind,
    )
    return `${name}(${list.join(',')})`
  })
  return { kind: 'value', path: path(node.path), calls }
}

describe('tags', () => {
  for (const [text, tree] of Object.entries(cases)) it(text, () => expect(shown(text)).toEqual(tree))

  const wrong: Readonly<Record<string, string>> = {
    'd.a[': 'a bracket is not closed',
    'd.a]': 'a bracket is closed that was not opened',
    'd.a.': 'there is no name after a dot',
    'd.a:': 'there is no formatter name after a colon',
    'd.a:show(': 'the parenthesis of "show" is not closed',
    'd.a:show({d.b})': 'it holds another brace',
    'd.a:add(1+)': 'the arithmetic cannot be read',
    d: 'it names no value',
    't(x': 'the parenthesis of "t" is not closed',
  }
  for (const [text, because] of Object.entries(wrong))
    it(`${text}: ${because}`, () => expect(() => parseTag(text)).toThrow(because))
})
