import { expect, test } from 'vitest'
import type { Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { withChangeBars } from '../../../../../../plugins/engines/instant/layout/pages/change-bars.ts'
import { readWord } from '../../../../../helpers/laid-out.ts'

const line = (x: number, y: number, changed?: number): Placed => ({
  x,
  y,
  item: { kind: 'mark', id: '', ...(changed !== undefined && { changed }) },
})

test('a bar is left of the text of the page, wherever its line is', () => {
  const items = withChangeBars([line(72, 100, 12), line(300, 200), line(300, 300, 14)], 72)
  expect(items.map(({ item }) => item.kind)).toEqual(['shape', 'mark', 'shape'])
  expect(items.map(({ x, y }) => [x, y])).toEqual([
    [64.9, 100],
    [300, 200],
    [64.9, 300],
  ])
})
test('a page without changes is unchanged', () => {
  const items = [line(72, 100)]
  expect(withChangeBars(items, 72)).toBe(items)
})

const changed = (body: string): unknown[] =>
  readWord({ body }).sections[0]!.blocks.map((block) => block.kind === 'paragraph' && block.changed)

test('paragraphs know what was changed about them', () => {
  const paragraph = (properties: string): string =>
    `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>a</w:t></w:r></w:p>`
  expect(
    changed(
      paragraph('<w:pPrChange w:author="A"><w:pPr/></w:pPrChange>') +
        paragraph('<w:rPr><w:ins w:author="A"/></w:rPr>') +
        paragraph('<w:rPr><w:b/></w:rPr>'),
    ),
  ).toEqual(['whole', 'end', undefined])
})
