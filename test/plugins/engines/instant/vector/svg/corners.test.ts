import { expect, it } from 'vitest'
import type { Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { readVector } from '../../../../../../plugins/engines/instant/vector/read-vector.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'

const tools = { fonts: shippedBook.forDocument(), check: () => undefined }
const zigzag = (corners: number) => `M0 0${'L9 9L0 0'.repeat(corners / 2)}`

function read(content: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`
  const picture = readVector(new TextEncoder().encode(svg), tools)
  return { corners: cornersOf(picture?.items ?? []), ignored: [...(picture?.ignored ?? [])] }
}

const cornersOf = (items: readonly Placed[]): number =>
  items.reduce((sum, { item }) => {
    if (item.kind === 'group') return sum + cornersOf(item.frame.items)
    return item.kind === 'shape' ? sum + item.path.commands.length : sum
  }, 0)

// Each of them has some thousand corners in the file, and would have 40 million or more in the drawing.
it.each([
  [
    'markers',
    `<marker id="m"><path d="${zigzag(20_000)}" stroke="#000"/></marker><path d="${zigzag(20_000)}" marker-mid="url(#m)"/>`,
  ],
  ['uses', `<path id="p" d="${zigzag(20_000)}"/>${'<use href="#p"/>'.repeat(20_000)}`],
])('the corners that %s draw again and again are bounded, and what is missing is reported', (_, content) => {
  const { corners, ignored } = read(content)
  expect(corners).toBeGreaterThan(250_000)
  expect(corners).toBeLessThan(330_000)
  expect(ignored).toEqual(['depth'])
})

it('a clip path of many corners does not clip shapes without end', () => {
  const clip = `<clipPath id="c"><path d="${zigzag(20_000)}"/></clipPath>`
  const { ignored } = read(`${clip}${'<rect width="9" height="9" clip-path="url(#c)"/>'.repeat(2_000)}`)
  expect(ignored).toEqual(['depth'])
})

it('a map of half a million corners is drawn completely', () => {
  expect(read(`<path d="${zigzag(500_000)}"/>`)).toEqual({ corners: 500_001, ignored: [] })
})
