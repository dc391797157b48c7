import { expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import type { PrintOptions } from '../../../../plugins/engines/instant/layout/web/paper.ts'
import { paintWebPage, readWebPage } from '../../../../plugins/engines/instant/web-pipeline.ts'
import { shippedBook } from '../../../helpers/instant-fonts.ts'
import { fillsOf } from '../../../helpers/web-layout.ts'

const limits = { deadline: 60_000, now: () => 0 }
const pagesOf = (html: string, print: PrintOptions) => {
  const page = readWebPage(`<!DOCTYPE html>${html}`, limits, print)
  return paintWebPage({ page, print, fonts: shippedBook.forDocument(), codec: nodeCodec, ...limits }).pages
}

it('prints larger what is laid out on smaller paper', () => {
  const [page] = pagesOf('<p>a', { scale: 2 })
  const [group] = page?.frame.items ?? []
  expect(group?.item.kind === 'group' && group.item.transform?.[0]).toBeCloseTo(2)
})
it.each([
  [true, 1],
  [false, 0],
])('draws backgrounds on request: %s', (background, count) => {
  const [page] = pagesOf('<div style="background: #ff0; height: 20px"></div>', { background })
  expect(page && fillsOf(page).length).toBe(count)
})

it('refuses a page that is too long, before its elements are made', () => {
  const length = 8_000_001
  expect(() => pagesOf('a'.repeat(length), {})).toThrow('it has more than 8 million characters')
})
