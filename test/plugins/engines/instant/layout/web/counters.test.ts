import { expect, it } from 'vitest'
import { layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const textOf = (body: string, styles: string) =>
  textsOf(layPage(smallPage(body, styles)).pages)
    .flat()
    .map(([text]) => text)
    .join(' ')

const counted = 'body { counter-reset: a } p::before { counter-increment: a; content: counter(a) }'
it.each([
  ['count elements in their order', '<p>x<p>x<p>x', counted, '1 x 2 x 3 x'],
  [
    'begin anew where they are reset',
    '<p>x<div></div><p>x',
    `${counted} div { counter-reset: a 7 }`,
    '1 x 8 x',
  ],
  [
    'end with the element that has made them',
    '<p>x<div><b></b><p>x</div><p>x',
    `${counted} b { counter-reset: a 7 }`,
    '1 x 8 x 2 x',
  ],
  [
    'are joined from the outside to the inside',
    '<ol><li>x<ol><li>x<li>x</ol><li>x</ol>',
    'ol { counter-reset: i; list-style: none; padding: 0 } li { counter-increment: i } li::before { content: counters(i, ".", upper-roman) ")" }',
    'I) x I.I) x I.II) x II) x',
  ],
  ['have styles', '<p>x<p>x', `${counted} p::before { content: counter(a, lower-alpha) ". " }`, 'a. x b. x'],
  [
    'are set and count by other numbers',
    '<p>x',
    'p { counter-set: a 5 } p::before { counter-increment: a -2; content: counter(a) }',
    '3 x',
  ],
  ['do not count what is not displayed', '<p>x<p hidden>x<p>x', counted, '1 x 2 x'],
  [
    'count rows and cells of tables',
    '<table><tr><td>x<td>x<tr><td>x</table>',
    'table { counter-reset: r } tr { counter-increment: r; counter-reset: c } td { counter-increment: c } td::before { content: counter(r) counter(c) }',
    '11 x 12 x 21 x',
  ],
  [
    'stay within the integers of browsers',
    '<p>x',
    'p { counter-reset: a 1000000000000 } p::before { content: counter(a) }',
    '2147483647 x',
  ],
])('counters %s', (_, body, styles, text) => {
  expect(textOf(body, styles).replaceAll(/ +/g, ' ')).toBe(text)
})

it('counters of many names and depths are bounded in work', () => {
  const names = Array.from({ length: 5000 }, (_, at) => `n${at}`).join(' ')
  const styles = `div { counter-reset: ${names.slice(0, 1500)} } div::before { content: ${'counters(n1, "-") '.repeat(50)} }`
  const before = process.cpuUsage()
  expect(layPage(smallPage('<div>'.repeat(150), styles), { pages: 2000 }).pages.length).toBeGreaterThan(0)
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})
