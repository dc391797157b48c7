import { describe, expect, it } from 'vitest'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const plain = 'table { border-spacing: 0 } td { padding: 0 }'
const laid = (body: string, styles = '') =>
  textsOf(layPage(smallPage(body, `${plain} ${styles}`)).pages)[0]?.map(([text, x, y]) => [text, x, y - 13])

// The expected positions are those of Chromium's print output of the same pages.
describe('rows of a table', () => {
  it.each([
    [
      'share the height of a cell over them in proportion to their heights',
      `<table><tr><td rowspan=3 width=50>${'x<br>'.repeat(9)}<td>1<tr><td>2<br>2<tr><td>3</table>`,
      [
        ['1', 13],
        ['2', 70],
        ['2', 90],
        ['3', 148],
      ],
    ],
    [
      'keep the height that they declare',
      `<table><tr><td rowspan=2 width=50>${'x<br>'.repeat(9)}<td style="height: 40px">1<tr><td>2</table>`,
      [
        ['1', 10],
        ['2', 100],
      ],
    ],
    [
      'share the heights of shorter spans first',
      `<table><tr><td rowspan=2 width=50>${'x<br>'.repeat(4)}<td>1<td rowspan=3>${'x<br>'.repeat(9)}<tr><td>2<tr><td>3<td>4</table>`,
      [
        ['1', 26],
        ['2', 98],
        ['3', 152],
        ['4', 152],
      ],
    ],
  ])('%s', (_, body, expected) => {
    const texts = laid(body)?.filter(([text]) => text !== 'x')
    expect(texts?.map(([text, , y]) => [text, y])).toEqual(expected)
  })
})

describe('cells of a table', () => {
  it('have their height without padding and borders, except in quirks mode', () => {
    const body = '<table><tr><td style="height: 60px; padding: 10px">a</table>b'
    const quirks = smallPage(body, plain).replace('<!DOCTYPE html>', '')
    expect(laid(body)).toEqual([
      ['a', 10, 30],
      ['b', 0, 80],
    ])
    expect(textsOf(layPage(quirks).pages)[0]?.map(([text, , y]) => [text, y - 13])).toContainEqual(['b', 60])
  })
  it('are not aligned at their baselines on paper', () => {
    const cells = '<td style="font-size: 30px; line-height: 40px" width=50>a<td width=50>b<td>c<p>d'
    expect(
      laid(`<table style="width: 200px"><tr>${cells}</table>`, 'td { vertical-align: baseline }')?.map(
        ([text, , y]) => [text, y],
      ),
    ).toEqual([
      ['a', 17],
      ['b', 0],
      ['c', 0],
      ['d', 20],
    ])
  })
  it('add their padding to a percentage of a fixed table', () => {
    const cells = '<td style="width: 20%; padding: 0 10px">a<td>b<td>c'
    const table = (more = '') =>
      `<table style="table-layout: fixed; width: 300px; ${more}"><tr>${cells}</table>`
    expect(laid(table())?.map(([, x]) => x)).toEqual([10, 80, 190])
    expect(laid(table(), 'td { box-sizing: border-box }')?.map(([, x]) => x)).toEqual([10, 60, 180])
  })
})

describe('borders of a table that collapse', () => {
  it.each([
    ['of a row group', 'tbody { border: 4px solid #00f }', ['0000ff']],
    ['of a row', 'tr { border-left: 4px solid #0f0 }', ['00ff00']],
    ['of a column', 'col:first-child { border-right: 4px solid #f00 }', ['ff0000']],
    [
      'of a cell where that is wider',
      'tbody { border: 1px solid #00f } td { border: 4px solid #f00 }',
      ['ff0000'],
    ],
  ])('are those %s', (_, styles, colours) => {
    const body = '<table style="border-collapse: collapse"><col><col><tbody><tr><td>a<td>b</table>'
    const [page] = layPage(smallPage(body, `${plain} ${styles}`)).pages
    expect([...new Set(fillsOf(page!).map((fill) => fill[4]))]).toEqual(colours)
  })
})

it('a table in a line stands on the bottom of the content of its first row', () => {
  const table = '<table style="display: inline-table"><tr><td>b<tr><td>c</table>'
  expect(laid(`a ${table}`)).toEqual([
    ['a', 0, 7],
    ['b', 8, 0],
    ['c', 8, 20],
  ])
})

it('a table is as wide as the longest word of its caption', () => {
  const [page] = layPage(
    smallPage('<table><caption>aaaaaaaaaa b</caption><tr><td>x</table>', `${plain} td { background: #f00 }`),
  ).pages
  expect(fillsOf(page!)[0]?.[2]).toBe(56)
})
