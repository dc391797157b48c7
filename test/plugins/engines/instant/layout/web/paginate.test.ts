import { describe, expect, it } from 'vitest'
import { layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

/** The texts of each page with their lines, counted from 0. */
const linesByPage = (body: string, styles = '') =>
  textsOf(layPage(smallPage(body, styles)).pages).map((page) =>
    page.map(([text, , y]) => `${text} ${Math.round(((y - 13) / 20) * 10) / 10}`),
  )
const rows = (count: number, cell = (index: number) => String(index)) =>
  Array.from({ length: count }, (_, index) => `<tr><td>${cell(index)}`).join('')

// The expected positions are those of Chromium's print output of the same pages.
describe('margins after a forced break', () => {
  const margins = 'h1 { font: inherit; margin: 20px 0 } table { border-spacing: 0 } td { padding: 0 }'
  it.each([
    ['are kept', '<p>a<h1 style="break-before: page">b</h1>c', ['b 1', 'c 3']],
    ['behind a page that is full', `${'a<br>'.repeat(14)}a<h1 style="break-before: page">b</h1>`, ['b 1']],
    ['without those above it', '<p style="margin: 60px 0; break-after: page">a</p><h1>b</h1>', ['b 1']],
    [
      'of the first box in another one',
      '<p>a<section style="margin-top: 10px"><h1 style="break-before: page">b</h1></section>',
      ['b 1'],
    ],
    ['of a table', '<p>a<table style="break-before: page; margin-top: 40px"><tr><td>b</table>', ['b 2']],
    [
      'of an item of a flex column',
      '<main style="display: flex; flex-direction: column"><p>a<h1 style="break-before: page">b</h1></main>',
      ['b 1'],
    ],
    ['but not at other breaks', `${'<p>a</p>'.repeat(14)}<h1>b</h1>`, ['b 0']],
  ])('%s', (_, body, expected) => {
    expect(linesByPage(body, margins)[1]).toEqual(expected)
  })
  it('are kept between columns', () => {
    const body =
      '<div style="columns: 2; column-fill: auto; height: 100px"><p>a<p style="break-before: column; margin-top: 40px">b</div>'
    expect(linesByPage(body)).toEqual([['a 0', 'b 2']])
  })
})

describe('the footer rows of a table', () => {
  const styles =
    'table { border-spacing: 0 } td { padding: 10px 0; vertical-align: top } tfoot td, thead td { padding: 0 }'
  const footed = (count: number) => `<table><tfoot><tr><td>f</tfoot>${rows(count)}</table>`
  it.each([
    ['are repeated below the rows of each page', footed(9), ['7 0.5', '8 2.5', 'f 4']],
    ['follow the last row', footed(3), undefined],
    [
      'are not repeated if they take a quarter of a page',
      `<table><tfoot><tr><td>f<br>f<br>f<br>f</tfoot>${rows(9)}</table>`,
      ['7 0.5', '8 2.5', 'f 4', 'f 5', 'f 6', 'f 7'],
    ],
  ])('%s', (_, body, expected) => {
    expect(linesByPage(body, styles)[1]).toEqual(expected)
  })
  it('stand above the end of a page, below the header', () => {
    const table = `<table><thead><tr><td>h</thead><tfoot><tr><td>f</tfoot>${rows(9)}</table>`
    expect(linesByPage(table, styles)[0]).toEqual([
      'h 0',
      '0 1.5',
      '1 3.5',
      '2 5.5',
      '3 7.5',
      '4 9.5',
      '5 11.5',
      'f 13',
    ])
  })
  it('stand at the end of the page where a row continues on the next one', () => {
    const table = `<table><tfoot><tr><td>f</tfoot><tr><td style="padding: 0">${'a<br>'.repeat(20)}</table>`
    const [first, second] = linesByPage(table, styles)
    expect([first?.length, first?.includes('f 14'), second?.at(-2), second?.at(-1)]).toEqual([
      15,
      true,
      'a 5',
      'f 6',
    ])
  })
})

describe('a row whose bottom padding does not fit on the page', () => {
  const styles = 'table { border-spacing: 0 } td { padding: 10px 0 }'
  it.each([
    ['moves to the next page', `a<table>${rows(8)}</table>`, ['7 0.5']],
    [
      'moves also with many lines',
      `<p style="height: 25px"></p><table>${rows(2, () => 'a')}<tr><td>${'b<br>'.repeat(9)}</table>`,
      Array.from({ length: 9 }, (_, index) => `b ${index + 0.5}`),
    ],
    [
      'stays where it fills its page',
      `<table><tr><td style="padding-top: 0">${'b<br>'.repeat(15)}<tr><td>c</table>`,
      ['c 1'],
    ],
    [
      'moves in a row of flex items',
      `a<div>${'<div style="display: flex; padding: 10px 0"><p>b</div>'.repeat(8)}</div>`,
      ['b 0.5'],
    ],
  ])('%s', (_, body, expected) => {
    expect(linesByPage(body, styles)[1]).toEqual(expected)
  })
})

it('a margin after a box that ends with its page is not on the next one', () => {
  const { pages } = layPage(smallPage('<div style="height: 100vh"></div><p style="margin: 20px 0">a</p>b'))
  expect(textsOf(pages)).toEqual([
    [],
    [
      ['a', 0, 13],
      ['b', 0, 53],
    ],
  ])
})
