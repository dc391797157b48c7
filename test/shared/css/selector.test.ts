import type { Element } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { describe, expect, test } from 'vitest'
import { type ElementPosition, matches, selectorsOf } from '../../../shared/css/selector.ts'

const page = `<!doctype html><html lang="en-GB"><body><div id="a" class="one two">
<p class="x" data-kind="big red">1</p><p title="Hello">2</p><span>3</span><p lang="de">4</p><em></em>
<ul><li>a</li><li class="x">b</li><li>c</li><li>d</li></ul><a href="#a">l</a><a>m</a>
<input type="CHECKBOX" checked><input disabled></div></body></html>`

const places: ElementPosition[] = []
const walk = (
  element: Element,
  parent: ElementPosition | undefined,
  siblings: readonly Element[],
  index: number,
) => {
  const place: ElementPosition = { element, parent, siblings, index }
  places.push(place)
  const children = element.children.filter((child): child is Element => child.type === 'element')
  for (const [at, child] of children.entries()) walk(child, place, children, at)
}
const top = fromHtml(page).children.find((child): child is Element => child.type === 'element') as Element
walk(top, undefined, [top], 0)

/** What a selector finds: names of elements, with their text. */
const found = (text: string) => {
  const selectors = selectorsOf(text)
  return places
    .filter((place) => selectors.some((one) => matches(one, place, { left: 1_000_000 })))
    .map(({ element }) => {
      const [first] = element.children
      return `${element.tagName}${first?.type === 'text' ? first.value.trim() : ''}`
    })
    .join(' ')
}

describe('selectors', () => {
  test.each([
    ['p', 'p1 p2 p4'],
    ['p:has(+ span)', 'p2'],
    ['p:has(~ em)', 'p1 p2 p4'],
    ['ul:has(> .x) > .x', 'lib'],
    ['body:has(li.x) span', 'span3'],
    ['ul:has(.y)', ''],
    ['input:enabled', 'input'],
    ['p:enabled', ''],
    ['p:hover', ''],
    ['p:not(:hover, :focus-visible)', 'p1 p2 p4'],
    ['p:lang(en)', 'p1 p2'],
    ['p:lang("de", fr)', 'p4'],
    ['li:nth-child(1 of .x)', 'lib'],
    ['li:nth-last-child(2n + 1 of :not(.x))', 'lia lid'],
    ['li:not(:is(.x, :nth-child(2n + 1)))', 'lid'],
    ['P.x', 'p1'],
    ['.x', 'p1 lib'],
    ['#a', 'div'],
    ['div#a.one.two', 'div'],
    ['.one.three', ''],
    ['div > p', 'p1 p2 p4'],
    ['body > p', ''],
    ['body p + span', 'span3'],
    ['p ~ p', 'p2 p4'],
    ['p + p', 'p2'],
    ['div li', 'lia lib lic lid'],
    ['li:first-child', 'lia'],
    ['li:last-child, span', 'span3 lid'],
    ['li:nth-child(odd)', 'lia lic'],
    ['li:nth-child(2n)', 'lib lid'],
    ['li:nth-child(n+3)', 'lic lid'],
    ['li:nth-child(-n + 2)', 'lia lib'],
    ['li:nth-child(3)', 'lic'],
    ['li:nth-last-child(2)', 'lic'],
    ['p:nth-of-type(2)', 'p2'],
    ['p:last-of-type', 'p4'],
    ['span:only-of-type', 'span3'],
    ['li:not(.x):not(:first-child)', 'lic lid'],
    [':is(span, em)', 'span3 em'],
    ['em:empty', 'em'],
    [':root', 'html'],
    ['[title]', 'p2'],
    ['[title=Hello]', 'p2'],
    ['[title="hello" i]', 'p2'],
    ['[title="hello"]', ''],
    ['[data-kind~=red]', 'p1'],
    ['[data-kind^="big"]', 'p1'],
    ['[data-kind$="red"]', 'p1'],
    ['[data-kind*="g r"]', 'p1'],
    ['[lang|=en]', 'html'],
    ['a:link', 'al'],
    ['a[href^="#"]', 'al'],
    ['input:checked', 'input'],
    ['li>*', ''],
    ['p:hover', ''],
    ['p::first-line', ''],
    ['p:unknown(2)', ''],
    ['::', ''],
    ['>', ''],
    ['p,', 'p1 p2 p4'],
  ])('%s', (selector, expected) => {
    expect(found(selector)).toBe(expected)
  })

  test.each([
    ['*', 0],
    ['p', 1],
    ['.x', 100],
    ['#a', 10_000],
    ['div#a > p.x:not(.y)', 10_302 - 100],
    [':where(#a) p', 1],
    ['p::before', 1],
  ])('%s weighs %s', (selector, weight) => {
    const [one] = selectorsOf(selector)
    // An element of a pseudo-class counts with what it holds.
    expect(one?.weight).toBe(selector.includes('not') ? 10_000 + 1 + 1 + 100 + 100 : weight)
  })

  test('a selector that needs too many comparisons is ignored', () => {
    const effort = { left: 10_000 }
    const [deep] = selectorsOf(`${'* '.repeat(40)}b`)
    for (const place of places) if (deep !== undefined) matches(deep, place, effort)
    expect(effort.left).toBeLessThan(10_000)
    expect(selectorsOf('a'.repeat(2000))).toEqual([])
  })
})
