import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import type { Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { paintWebPage, readWebPage } from '../../../../../../plugins/engines/instant/web-pipeline.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'
import { smallPage } from '../../../../../helpers/web-layout.ts'

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const limits = { deadline: 60_000, now: () => 0 }

/** Where pictures are on the first page, in pixels: left, top, width, height; tiles with the strip that they fill. */
function drawn(background: string, more = '') {
  const html = smallPage(
    '<div>a</div>',
    `div { width: 100px; height: 50px; background: ${background}; ${more} }`,
  )
  const page = readWebPage(html, limits)
  const { pages, warnings } = paintWebPage({
    page,
    fonts: shippedBook.forDocument(),
    codec: nodeCodec,
    ...limits,
  })
  const visit = (items: readonly Placed[], left: number, top: number): (readonly (number | string)[])[] =>
    items.flatMap(({ x, y, item }) => {
      const at = [left + x, top + y] as const
      if (item.kind === 'group') return visit(item.frame.items, ...at)
      if (item.kind === 'image')
        return [[...at, item.width, item.height].map((one) => Math.round(one / 0.75))]
      if (item.kind !== 'shape' || item.path.fill?.kind !== 'tiles') return []
      const { tile, x: dx, y: dy } = item.path.fill
      const [strip] = item.path.commands
      const box = strip?.[0] === 'R' ? [strip[3], strip[4]] : []
      return [
        ['tiles', ...[...at, ...box, tile.width, tile.height, dx, dy].map((one) => Math.round(one / 0.75))],
      ]
    })
  return {
    pictures: visit(pages[0]?.frame.items ?? [], 0, 0),
    warnings: warnings.map(({ message }) => message),
  }
}

describe('pictures behind boxes', () => {
  it.each([
    [`url(${dot}) no-repeat`, '', [[0, 0, 1, 1]]],
    [`#eee url("${dot}") no-repeat right bottom`, '', [[99, 49, 1, 1]]],
    [`url(${dot}) no-repeat center / 20px 10px`, '', [[40, 20, 20, 10]]],
    [`url(${dot}) no-repeat 10px 25%/auto 10px`, '', [[10, 10, 10, 10]]],
    [`url(${dot}) no-repeat center/contain`, '', [[25, 0, 50, 50]]],
    [`url(${dot}) no-repeat center/cover`, '', [[0, -25, 100, 100]]],
    [`url(${dot})`, 'background-size: 10px', [['tiles', 0, 0, 100, 50, 10, 10, 0, 0]]],
    [`url(${dot}) repeat-x bottom / 10px`, '', [['tiles', 0, 40, 100, 10, 10, 10, 45, 0]]],
    [
      `url(${dot}) repeat-y`,
      'background-size: 10px; border: 5px solid',
      [['tiles', 5, 5, 10, 50, 10, 10, 0, 0]],
    ],
    ['none', '', []],
  ])('%s', (background, more, pictures) => {
    expect(drawn(background, more)).toEqual({ pictures, warnings: [] })
  })
  it.each([['url(https://example.com/a.png)'], [`url(${dot}), url(${dot})`], [`url(${dot}) space`]])(
    'that cannot be drawn are reported',
    (background) => {
      const { pictures, warnings } = drawn(background)
      expect(pictures).toEqual([])
      expect(warnings.join()).toContain('background pictures')
    },
  )
})
