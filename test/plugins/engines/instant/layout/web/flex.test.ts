import { describe, expect, it } from 'vitest'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

/** The yellow boxes of the first page in pixels: left, top, width, height. */
const boxes = (body: string) =>
  fillsOf(layPage(smallPage(body, '.i { background: #ff0 }')).pages[0]!)
    .filter(([, , , , colour]) => colour === 'ffff00')
    .map(([x, y, width, height]) => [x, y, width, height])
const item = (style: string, text = '') => `<div class="i" style="${style}">${text}</div>`
const flex = (style: string, ...items: string[]) =>
  `<div style="display: flex; ${style}">${items.join('')}</div>`
const a = item('width: 50px; height: 20px')

describe('items of a row', () => {
  it.each([
    [
      'stand beside each other',
      flex('', a, a),
      [
        [0, 0, 50, 20],
        [50, 0, 50, 20],
      ],
    ],
    [
      'have gaps between them',
      flex('gap: 10px', a, a),
      [
        [0, 0, 50, 20],
        [60, 0, 50, 20],
      ],
    ],
    [
      'share what is left',
      flex('', item('flex: 1; height: 20px'), item('flex: 2; height: 20px')),
      [
        [0, 0, 100, 20],
        [100, 0, 200, 20],
      ],
    ],
    [
      'grow from their widths',
      flex(
        '',
        item('flex: 1 1 auto; width: 100px; height: 20px'),
        item('flex: 1 1 auto; width: 50px; height: 20px'),
      ),
      [
        [0, 0, 175, 20],
        [175, 0, 125, 20],
      ],
    ],
    [
      'shrink by their widths',
      flex('', item('width: 400px; height: 20px'), item('width: 200px; height: 20px')),
      [
        [0, 0, 200, 20],
        [200, 0, 100, 20],
      ],
    ],
    [
      'do not shrink where they say so',
      flex(
        'width: 200px',
        item('flex: none; width: 150px; height: 20px'),
        item('width: 100px; height: 20px'),
      ),
      [
        [0, 0, 150, 20],
        [150, 0, 50, 20],
      ],
    ],
    [
      'keep their limits',
      flex('', item('flex: 1; max-width: 40px; height: 20px'), item('flex: 1; height: 20px')),
      [
        [0, 0, 40, 20],
        [40, 0, 260, 20],
      ],
    ],
    [
      'are as high as the highest',
      flex('', item('width: 50px'), item('width: 50px; height: 60px')),
      [
        [0, 0, 50, 60],
        [50, 0, 50, 60],
      ],
    ],
    [
      'are centred',
      flex('justify-content: center; align-items: center; height: 100px', a),
      [[125, 40, 50, 20]],
    ],
    [
      'stand at the end',
      flex('justify-content: flex-end; align-items: flex-end; height: 100px', a),
      [[250, 80, 50, 20]],
    ],
    [
      'have space between them',
      flex('justify-content: space-between', a, a, a),
      [
        [0, 0, 50, 20],
        [125, 0, 50, 20],
        [250, 0, 50, 20],
      ],
    ],
    [
      'have space around them',
      flex('justify-content: space-around', a, a),
      [
        [50, 0, 50, 20],
        [200, 0, 50, 20],
      ],
    ],
    [
      'are pushed by a margin',
      flex('', a, item('width: 50px; height: 20px; margin-left: auto')),
      [
        [0, 0, 50, 20],
        [250, 0, 50, 20],
      ],
    ],
    [
      'go on in the next line',
      flex(
        'flex-wrap: wrap; gap: 5px 10px',
        item('width: 200px; height: 20px'),
        item('width: 150px; height: 30px'),
        a,
      ),
      [
        [0, 0, 200, 20],
        [0, 25, 150, 30],
        [160, 25, 50, 20],
      ],
    ],
    [
      'follow their order',
      flex('', item('width: 20px; height: 20px; order: 2'), item('width: 30px; height: 20px')),
      [
        [0, 0, 30, 20],
        [30, 0, 20, 20],
      ],
    ],
    [
      'are reversed',
      flex(
        'flex-direction: row-reverse',
        item('width: 20px; height: 20px'),
        item('width: 30px; height: 20px'),
      ),
      [
        [250, 0, 30, 20],
        [280, 0, 20, 20],
      ],
    ],
  ])('%s', (_, body, expected) => {
    expect(boxes(body)).toEqual(expected)
  })
})

describe('items of a column', () => {
  const column = (style: string, ...items: string[]) => flex(`flex-direction: column; ${style}`, ...items)
  it.each([
    [
      'stand below each other, as wide as the container',
      column('gap: 5px', item('height: 20px'), item('height: 10px')),
      [
        [0, 0, 300, 20],
        [0, 25, 300, 10],
      ],
    ],
    [
      'share what is left of the height',
      column('height: 100px', item('height: 20px'), item('flex: 1 1 auto')),
      [
        [0, 0, 300, 20],
        [0, 20, 300, 80],
      ],
    ],
    ['are centred', column('align-items: center', a), [[125, 0, 50, 20]]],
  ])('%s', (_, body, expected) => {
    expect(boxes(body)).toEqual(expected)
  })
})

describe('text in containers', () => {
  it('is an item by itself, and inline elements are items', () => {
    const [page] = textsOf(
      layPage(smallPage(flex('justify-content: space-between', 'a', '<span>b</span>'))).pages,
    )
    expect(page).toEqual([
      ['a', 0, 13],
      ['b', 294, 13],
    ])
  })
  it('continues on the next page', () => {
    const { pages } = layPage(smallPage(flex('', item('flex: 1', '<p>x'.repeat(20)), item('flex: 1', 'y'))))
    expect(textsOf(pages).map((page) => page.length)).toEqual([16, 5])
  })
  it('ends within the budget in containers in containers', () => {
    const deep = `${'<div style="display: flex"><div>'.repeat(90)}a`
    expect(layPage(smallPage(deep), { maxSteps: 2_000_000 }).pages.length).toBe(1)
  })
})

it('the work does not double with every container in a container', () => {
  const deep = (depth: number): string =>
    depth === 0
      ? 'a'
      : flex('min-height: 50px', item(`height: ${20 * depth + 100}px; width: 1px`), deep(depth - 1))
  const [small, large] = [8, 16].map((depth) => layPage(smallPage(deep(depth))).steps())
  expect((large ?? 0) / (small ?? 1)).toBeLessThan(40)
})
