import { expect, it } from 'vitest'
import { readTree } from '../../../../../../plugins/engines/instant/vector/svg/element.ts'

const shapes = (count: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg"><!-- a < b -->${'<rect width="1"/>'.repeat(count)}</svg>`

it('a tree holds as many elements as an isolate has memory for', () => {
  expect(readTree(shapes(99_000))?.children).toHaveLength(99_000)
  expect(readTree(shapes(100_000))).toBeUndefined()
})
