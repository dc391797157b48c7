import { describe, expect, it } from 'vitest'
import { layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

/** The texts of the first page with the column of pixels and the line where they stand. */
const drawn = (styles: string, items: string, more = '') => {
  const { pages } = layPage(
    smallPage(`<div class=g>${items}</div>`, `.g { display: grid; ${styles} } ${more}`),
  )
  return textsOf(pages)[0]?.map(([text, x, y]) => [text, x, (y - 13) / 20])
}
const four = '<i>a</i><i>b</i><i>c</i><i>d</i>'

describe('grids', () => {
  it.each([
    [
      'fixed columns',
      'grid-template-columns: 50px 100px',
      [
        ['a', 0, 0],
        ['b', 50, 0],
        ['c', 0, 1],
        ['d', 50, 1],
      ],
    ],
    [
      'shares',
      'grid-template-columns: 1fr 2fr',
      [
        ['a', 0, 0],
        ['b', 100, 0],
        ['c', 0, 1],
        ['d', 100, 1],
      ],
    ],
    [
      'shares of what is left',
      'grid-template-columns: 60px repeat(2, 1fr) 40px',
      [
        ['a', 0, 0],
        ['b', 60, 0],
        ['c', 160, 0],
        ['d', 260, 0],
      ],
    ],
    [
      'limits',
      'grid-template-columns: minmax(0, 1fr) minmax(50px, 90px)',
      [
        ['a', 0, 0],
        ['b', 210, 0],
        ['c', 0, 1],
        ['d', 210, 1],
      ],
    ],
    [
      'as many as fit',
      'grid-template-columns: repeat(auto-fill, minmax(90px, 1fr))',
      [
        ['a', 0, 0],
        ['b', 100, 0],
        ['c', 200, 0],
        ['d', 0, 1],
      ],
    ],
    [
      'only those that are filled',
      'grid-template-columns: repeat(auto-fit, minmax(10px, 1fr))',
      [
        ['a', 0, 0],
        ['b', 75, 0],
        ['c', 150, 0],
        ['d', 225, 0],
      ],
    ],
    [
      'gaps',
      'grid-template-columns: 1fr 1fr; gap: 20px 100px',
      [
        ['a', 0, 0],
        ['b', 200, 0],
        ['c', 0, 2],
        ['d', 200, 2],
      ],
    ],
    [
      'names of lines',
      'grid-template-columns: [one] 50px [two end] 1fr',
      [
        ['a', 0, 0],
        ['b', 50, 0],
        ['c', 0, 1],
        ['d', 50, 1],
      ],
    ],
    [
      'one column of its own',
      '',
      [
        ['a', 0, 0],
        ['b', 0, 1],
        ['c', 0, 2],
        ['d', 0, 3],
      ],
    ],
    [
      'columns first',
      'grid-auto-flow: column; grid-template-rows: 20px 20px; grid-auto-columns: 50px',
      [
        ['a', 0, 0],
        ['b', 0, 1],
        ['c', 50, 0],
        ['d', 50, 1],
      ],
    ],
    [
      'rows of a height',
      'grid-template: 40px 60px / 1fr 1fr',
      [
        ['a', 0, 0],
        ['b', 150, 0],
        ['c', 0, 2],
        ['d', 150, 2],
      ],
    ],
    [
      'items in the middle',
      'grid-template-columns: 104px 106px; place-items: end',
      [
        ['a', 98, 0],
        ['b', 204, 0],
        ['c', 99, 1],
        ['d', 204, 1],
      ],
    ],
  ])('have %s', (_, styles, texts) => {
    expect(drawn(styles, four)?.toSorted()).toEqual(texts)
  })

  it.each([
    [
      'in areas',
      'grid-template-areas: "x x" "y z"; grid-template-columns: 100px 1fr',
      '.a { grid-area: z } .b { grid-area: x } .c { grid-area: y }',
      [
        ['a', 100, 1],
        ['b', 0, 0],
        ['c', 0, 1],
      ],
    ],
    [
      'between lines',
      'grid-template-columns: repeat(3, 100px)',
      '.a { grid-column: 2 / -1 } .b { grid-column: 1 } .c { grid-row: 1 }',
      [
        ['a', 100, 0],
        ['b', 0, 1],
        ['c', 0, 0],
      ],
    ],
    [
      'over several tracks',
      'grid-template-columns: repeat(3, 100px)',
      '.a { grid-column: span 2 } .b { grid-row: span 2 }',
      [
        ['a', 0, 0],
        ['b', 200, 0],
        ['c', 0, 1],
      ],
    ],
    [
      'between lines with names',
      'grid-template-columns: [all-start] 50px [main-start] 100px [main-end] 50px [all-end]',
      '.a { grid-column: main } .b { grid-column: all } .c { grid-column: main-end }',
      [
        ['a', 50, 0],
        ['b', 0, 1],
        ['c', 150, 2],
      ],
    ],
    [
      'in another order',
      'grid-template-columns: repeat(3, 100px)',
      '.a { order: 2 }',
      [
        ['b', 0, 0],
        ['c', 100, 0],
        ['a', 200, 0],
      ],
    ],
    [
      'in holes',
      'grid-template-columns: 100px 100px; grid-auto-flow: dense',
      '.b { grid-column: span 2 }',
      [
        ['a', 0, 0],
        ['c', 100, 0],
        ['b', 0, 1],
      ],
    ],
  ])('have items %s', (_, styles, more, texts) => {
    const found = drawn(styles, '<i class=a>a</i><i class=b>b</i><i class=c>c</i>', more)
    expect(found?.toSorted()).toEqual(texts.toSorted())
  })

  it('continue on the next page row by row', () => {
    const rows = '<i>a</i>'.repeat(50)
    const { pages, boxes } = layPage(
      smallPage(`<div class=g>${rows}</div>`, '.g { display: grid; grid-template-columns: 1fr 1fr }'),
    )
    expect(textsOf(pages).map((page) => page.length)).toEqual([30, 20])
    expect([...boxes.undrawn]).toEqual([])
  })

  it.each([
    ['a billion tracks', 'grid-template-columns: repeat(1000000000, 1fr)', ''],
    ['repeats in repeats', 'grid-template-columns: repeat(1000, repeat(1000, repeat(1000, 1px)))', ''],
    ['an item over a billion tracks', '', '.a { grid-area: 1 / 1 / 1000000000 / 1000000000 }'],
    ['items far away', '', 'i { grid-row: 999999999; grid-column: -999999999 }'],
  ])('of %s are laid out within a bound', (_, styles, more) => {
    const before = process.cpuUsage()
    const body = `<div class=g>${'<i class=a>a</i>'.repeat(200)}</div>`
    layPage(smallPage(body, `.g { display: grid; ${styles} } ${more}`), { pages: 2000 })
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  })

  it('with dense placement end when the budget is spent', () => {
    const body = `<div class=g>${'<i>a</i>'.repeat(3000)}</div>`
    const styles = '.g { display: grid; grid-auto-flow: dense; grid-template-columns: repeat(1000, 1px) }'
    expect(() => layPage(smallPage(body, styles), { maxSteps: 200_000 })).toThrow('too many steps')
  })
})
