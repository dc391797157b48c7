import { describe, expect, it } from 'vitest'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

/** The columns of each page from left to right, as their left edges with the texts in them. */
function columnsOf(body: string, styles = ''): string[][] {
  const { pages } = layPage(smallPage(body, styles))
  return textsOf(pages).map((texts) => {
    const columns = new Map<number, string[]>()
    for (const [text, x] of texts) columns.set(x, [...(columns.get(x) ?? []), text])
    return [...columns].toSorted(([a], [b]) => a - b).map(([x, column]) => `${x}: ${column.join(' ')}`)
  })
}
const lines = (count: number, letter = '') =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`).join('<br>')
const paragraphs = (count: number) => Array.from({ length: count }, (_, index) => `<p>${index}`).join('')
/** A container of 300 by 300 pixels for 15 lines. The gap is 10 pixels. */
const container = (styles: string, content: string) =>
  `<div style="${styles}; column-gap: 10px">${content}</div>`

// The expected columns are those of Chromium's print output of the same pages.
describe('columns of a web page', () => {
  it.each([
    [
      'have equal shares of the content',
      container('columns: 2', paragraphs(6)),
      [['0: 0 1 2', '155: 3 4 5']],
    ],
    [
      'fill those on the left first',
      container('columns: 3', paragraphs(7)),
      [['0: 0 1 2', '103: 3 4 5', '207: 6']],
    ],
    [
      'are as many as their width allows',
      container('columns: 90px', paragraphs(6)),
      [['0: 0 1', '103: 2 3', '207: 4 5']],
    ],
    ['are no more than their number', container('columns: 2 40px', paragraphs(4)), [['0: 0 1', '155: 2 3']]],
    [
      'are followed by what stands below them',
      `${container('columns: 2', paragraphs(4))}<p style="margin-left: 9px">after`,
      [['0: 0 1', '9: after', '155: 2 3']],
    ],
    [
      'keep two lines of a paragraph on each side',
      container('columns: 2', lines(5)),
      [['0: 0 1 2', '155: 3 4']],
    ],
    [
      'do not divide what is kept together',
      container('columns: 2', `<p>a<div style="break-inside: avoid">${paragraphs(4)}</div>`),
      [['0: a', '155: 0 1 2 3']],
    ],
    [
      'begin at a break between columns',
      container('columns: 2', `<p>a<p style="break-before: column">b${paragraphs(2)}`),
      [['0: a', '155: b 0 1']],
    ],
    [
      'keep a heading with its text',
      container('columns: 2', `${paragraphs(3)}<h4 style="break-after: avoid">h</h4><p>a<p>b`),
      [['0: 0 1 2', '155: h a b']],
    ],
    [
      'leave out margins at their ends',
      container('columns: 2', '<p style="margin: 20px 0">a<p style="margin: 20px 0">b'),
      [['0: a', '155: b']],
    ],
    [
      'end above and begin below a block that spans them',
      container(
        'columns: 2',
        `${paragraphs(2)}<p style="column-span: all; margin-left: 9px">s</p>${paragraphs(4)}`,
      ),
      [['0: 0 0 1', '9: s', '155: 1 2 3']],
    ],
    [
      'fill a page before they continue on the next, where they are balanced',
      container('columns: 2', paragraphs(36)),
      [
        [
          `0: ${Array.from({ length: 15 }, (_, index) => index).join(' ')}`,
          `155: ${Array.from({ length: 15 }, (_, index) => index + 15).join(' ')}`,
        ],
        ['0: 30 31 32', '155: 33 34 35'],
      ],
    ],
    [
      'fill the rest of the page that they begin on',
      `<div style="height: 240px"></div>${container('columns: 2', paragraphs(8))}`,
      [
        ['0: 0 1 2', '155: 3 4 5'],
        ['0: 6', '155: 7'],
      ],
    ],
    [
      'begin on the next page if their first line does not fit',
      `<div style="height: 290px"></div>${container('columns: 2', paragraphs(2))}`,
      [[], ['0: 0', '155: 1']],
    ],
    [
      'fill a declared height one after the other if they are not balanced',
      container('columns: 2; height: 60px; column-fill: auto', paragraphs(4)),
      [['0: 0 1 2', '155: 3']],
    ],
    [
      'stand in columns',
      container('columns: 2', `${paragraphs(2)}${container('columns: 2', '<p>a<p>b')}<p>c`),
      [['0: 0 1', '155: a c', '233: b']],
    ],
    [
      'are one where they are nested deeper than three times',
      '<div style="columns: 2; column-gap: 0">'.repeat(12) + paragraphs(2),
      [['0: 0', '38: 1']],
    ],
  ])('%s', (_, body, expected) => {
    expect(columnsOf(body, 'h4 { font: inherit; margin: 0 }')).toEqual(expected)
  })
  it('have a rule of their height between them', () => {
    const { pages } = layPage(smallPage(container('columns: 2; column-rule: 2px solid #f00', paragraphs(4))))
    expect(fillsOf(pages[0]!)).toEqual([[149, 0, 2, 40, 'ff0000']])
  })
  it('continue a box with its background and without a border where it is cut', () => {
    const box = `<div style="background: #ff0; border: 10px solid #00f">${paragraphs(3)}</div>`
    const { pages } = layPage(smallPage(container('columns: 2', box)))
    const yellow = fillsOf(pages[0]!).filter(([, , , , colour]) => colour === 'ffff00')
    expect(yellow.map(([left, top, width, height]) => [left, top, width, height])).toEqual([
      [0, 0, 145, 50],
      [155, 0, 145, 30],
    ])
  })
  it.each([
    ['many nested ones', '<div style="columns: 2">'.repeat(100) + lines(500)],
    ['many narrow ones', `<div style="columns: 100000 1px; column-gap: 0">${'w '.repeat(5000)}</div>`],
    [
      'negative and huge lengths',
      `<div style="columns: -3px; column-gap: -9px; height: 1e30px">${'w '.repeat(500)}</div>`,
    ],
  ])('end within the budget: %s', (_, body) => {
    expect(layPage(smallPage(body), { maxSteps: 400_000 }).pages.length).toBeGreaterThan(0)
  })
})
