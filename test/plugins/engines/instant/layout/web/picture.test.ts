import { expect, it } from 'vitest'
import type { Frame } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { layPage, smallPage } from '../../../../../helpers/web-layout.ts'

/** The groups that clip on a page: width and height, whether by a path, and where their first item is, all in pixels. */
function clipsOf({ items }: Frame): unknown[] {
  return items.flatMap(({ item }) => {
    if (item.kind !== 'group') return []
    const [first] = item.frame.items
    const { width, height } = item.frame
    const own = item.clip
      ? [
          [width, height, first?.x ?? 0, first?.y ?? 0]
            .map((one) => Math.round(one / 0.75))
            .concat(item.clipPath ? 1 : 0),
        ]
      : []
    return [...own, ...clipsOf(item.frame)]
  })
}
/** A drawing of 100 by 50 pixels. */
const source = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><rect width="100" height="50"/></svg>')}`
const clips = (styles: string, body = `<img src="${source}">`) => {
  const { pages, boxes } = layPage(smallPage(body, `img { display: block; ${styles} }`))
  return { clips: clipsOf(pages[0]!.frame), undrawn: [...boxes.undrawn] }
}

it.each([
  ['fills it', 'width: 100px; height: 100px', undefined],
  ['covers it', 'width: 100px; height: 100px; object-fit: cover', [100, 100, -50, 0, 0]],
  ['is contained in it', 'width: 100px; height: 100px; object-fit: contain', [100, 100, 0, 25, 0]],
  [
    'is at a place in it',
    'width: 200px; height: 100px; object-fit: none; object-position: right top',
    [200, 100, 100, 0, 0],
  ],
  ['is no larger than it is', 'width: 40px; height: 40px; object-fit: scale-down', [40, 40, 0, 10, 0]],
  ['has its round corners', 'border-radius: 50%', [100, 50, 0, 0, 1]],
])('a picture in a box %s', (_, styles, expected) => {
  const drawn = clips(styles)
  expect(drawn.undrawn).toEqual([])
  if (expected === undefined) expect(drawn.clips).not.toContainEqual(expect.arrayContaining([-50]))
  else expect(drawn.clips).toContainEqual(expected)
})

it('a box with round corners clips its content at them', () => {
  const body = '<div style="overflow: hidden; border-radius: 9px; width: 40px; height: 20px"><p>a</div>'
  expect(clips('', body).clips).toContainEqual([40, 20, 0, 13, 1])
})
