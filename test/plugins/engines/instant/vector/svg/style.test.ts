import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../../../../../plugins/engines/instant/vector/svg/style.ts'

const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly unknown[] = [],
) => ({ name, attributes: new Map(Object.entries(attributes)), children }) as never
const fillOf = (css: string, attributes: Readonly<Record<string, string>>) =>
  sheetOf(element('svg', {}, [element('style', {}, [css])]))
    .properties(element('path', attributes), new Map())
    .get('fill')

describe('rules of a style sheet', () => {
  it.each([
    ['an element', 'path{fill:red}', {}, 'red'],
    ['a class before an element', 'path{fill:red}.a{fill:blue}', { class: 'a' }, 'blue'],
    ['an id before a class', '#b{fill:green}.a{fill:blue}', { class: 'a', id: 'b' }, 'green'],
    ['several selectors', 'rect, path , .x { fill : red }', {}, 'red'],
    ['inside of a condition', '@media print { path { fill: red } }', {}, 'red'],
    ['comments', '/* path{fill:blue} */ path{/* x */fill:red}', {}, 'red'],
    ['a rule that is not closed', 'path{fill:red} path{fill:blue', {}, 'red'],
    ['a comment that is not closed', 'path{fill:red} /* path{fill:blue}', {}, 'red'],
    ['no selector', '{fill:red}', {}, undefined],
  ])('%s', (_, css, attributes, fill) => {
    expect(fillOf(css, attributes)).toBe(fill)
  })

  it.each([
    ['text without braces', 'a'.repeat(1_000_000)],
    ['comments without end', '/*'.repeat(500_000)],
    ['braces without end', 'a{'.repeat(500_000)],
    ['ends without beginning', '}'.repeat(1_000_000)],
  ])('%s is read in proportion to its length', (_, css) => {
    const begun = process.cpuUsage()
    fillOf(css, {})
    expect(process.cpuUsage(begun).user / 1000, 'ms').toBeLessThan(4000)
  })
})
