import { describe, expect, it } from 'vitest'
import { FloatArea } from '../../../../../../plugins/engines/instant/layout/web/floats.ts'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const box = (style: string, text = '') =>
  `<div style="background: #ff0; width: 100px; height: 40px; ${style}">${text}</div>`
/** The first page as texts with their left in pixels and their lines. */
const lines = (body: string) =>
  textsOf(layPage(smallPage(body)).pages)[0]?.map(([text, x, y]) => [text, x, (y - 13) / 20])
const yellow = (body: string) =>
  layPage(smallPage(body)).pages.map((page) =>
    fillsOf(page)
      .filter(([, , , , colour]) => colour === 'ffff00')
      .map(([x, y]) => [x, y]),
  )

describe('floats', () => {
  it.each([
    [
      'make the lines beside them shorter and begin them further to the right',
      `${box('float: left')}<p>${'word '.repeat(20)}`,
      [
        ['word word word word word word word word', 100, 0],
        ['word word word word word word word word', 100, 1],
        ['word word word word', 0, 2],
      ],
    ],
    [
      'stand beside each other',
      `${box('float: left', 'a')}${box('float: left', 'b')}${box('float: right', 'c')}d`,
      [
        ['a', 0, 0],
        ['b', 100, 0],
        ['c', 200, 0],
        ['d', 0, 2],
      ],
    ],
    [
      'begin below where they have no space',
      `${box('float: left; width: 200px', 'a')}${box('float: left; width: 150px', 'b')}`,
      [
        ['a', 0, 0],
        ['b', 0, 2],
      ],
    ],
    [
      'are as wide as their content',
      '<div style="float: left">aaa</div>b',
      [
        ['aaa', 0, 0],
        ['b', 17, 0],
      ],
    ],
    [
      'in a text begin in the line in which they stand',
      '<p>one <span style="float: right">two</span> three',
      [
        ['one', 0, 0],
        ['three', 19, 0],
        ['two', 284, 0],
      ],
    ],
    [
      'are cleared',
      `${box('float: left', 'a')}<p style="clear: both">b`,
      [
        ['b', 0, 2],
        ['a', 0, 0],
      ],
    ],
    [
      'stand beside a block with a formatting context of its own',
      `${box('float: left')}<div style="overflow: hidden">${'word '.repeat(20)}</div>`,
      [
        ['word word word word word word word word', 100, 0],
        ['word word word word word word word word', 100, 1],
        ['word word word word', 100, 2],
      ],
    ],
    [
      'make the box that contains them higher where it has a formatting context of its own',
      `<div style="overflow: hidden">${box('float: left')}</div><p>b`,
      [['b', 0, 2]],
    ],
  ])('%s', (_, body, expected) => {
    const drawn = lines(body)?.filter(([text]) => text !== '')
    expect(drawn?.toSorted()).toEqual(expected.toSorted())
  })

  it('move to the next page where they do not fit', () => {
    expect(yellow(`<div style="height: 280px"></div>${box('float: left')}`)).toEqual([[], [[0, 0]]])
  })

  it('leave their space in an area', () => {
    const area = new FloatArea()
    const sides = { left: 0, right: 100 }
    expect(area.place('left', { width: 60, height: 10 }, 0, sides)).toEqual({ x: 0, y: 0 })
    expect(area.place('right', { width: 60, height: 10 }, 0, sides)).toEqual({ x: 40, y: 10 })
    expect(area.interval(5, 10, sides)).toEqual({ left: 60, right: 60 })
    expect(area.interval(10, 5, sides)).toEqual({ left: 0, right: 40 })
    expect([area.nextEdge(0), area.nextEdge(10), area.nextEdge(20)]).toEqual([10, 20, undefined])
    expect([area.below('left', 0), area.below('both', 0)]).toEqual([10, 20])
  })
})

describe('positioned boxes', () => {
  const inBox = (style: string) =>
    yellow(`<div style="position: relative; margin: 50px; width: 200px; height: 150px">${box(style)}</div>`)
  it.each([
    ['at the top right', 'position: absolute; top: 0; right: 0', [150, 50]],
    ['at the bottom left', 'position: absolute; bottom: 0; left: 10px', [60, 160]],
    ['where the flow has come to', 'position: absolute', [50, 50]],
    ['at a share of the size', 'position: absolute; left: 50%; top: 20%', [150, 80]],
    ['moved from their place', 'position: relative; left: 5px; top: 7px', [55, 57]],
    ['on the page', 'position: fixed; right: 0; bottom: 0', [200, 260]],
  ])('stand %s', (_, style, expected) => {
    expect(inBox(style)).toEqual([[expected]])
  })
  it('that are fixed are on every page', () => {
    const pages = yellow(`${box('position: fixed; top: 20px; left: 0')}<div style="height: 400px"></div><p>a`)
    expect(pages).toEqual([[[0, 20]], [[0, 20]]])
  })
  it('take no space', () => {
    expect(lines(`<p>a${box('position: absolute')}<p>b`)).toEqual([
      ['a', 0, 0],
      ['b', 0, 1],
    ])
  })
})
