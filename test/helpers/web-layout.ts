/** Web pages laid out with the fonts that the product ships, for the tests of `layout/web/`. */
import type { Frame, Page } from '../../plugins/engines/instant/layout/frame.ts'
import { boxPage, layoutPage } from '../../plugins/engines/instant/layout/web/layout-page.ts'
import { readPage } from '../../plugins/engines/instant/layout/web/read-page.ts'
import { vectorsOf } from '../../plugins/engines/instant/pipeline.ts'
import { runsOf } from './deck-layout.ts'
import { shippedBook } from './instant-fonts.ts'

/** Lays a page out. `maxSteps`: what the budget allows; beyond it, an error is thrown. */
export function layPage(
  html: string,
  { maxSteps = Infinity, pages = 100 }: { readonly maxSteps?: number; readonly pages?: number } = {},
) {
  let steps = 0
  const check = (done = 1): void => {
    steps += done
    if (steps > maxSteps) throw new Error('too many steps')
  }
  const source = readPage(html)
  const boxes = boxPage(source, check)
  const fonts = shippedBook.forDocument()
  const laid = layoutPage({
    page: boxes,
    fonts,
    budget: { pages, check },
    image: () => undefined,
    vector: vectorsOf(boxes.media, { fonts, check: () => check() }, () => undefined),
  })
  return { source, boxes, pages: laid, steps: () => steps }
}

/** A page of 300 pixels by 300 pixels without margins, whose lines are 20 pixels high. */
export const smallPage = (body: string, styles = ''): string =>
  `<!DOCTYPE html><style>@page { size: 225pt 225pt; margin: 0 } body { margin: 0; font: 10px/20px Arial } p { margin: 0 } ${styles}</style>${body}`

/** The texts of each page as they are drawn, with the left and the baseline in pixels. */
export const textsOf = (pages: readonly Page[]): (readonly [text: string, x: number, y: number])[][] =>
  pages.map((page) =>
    runsOf(page).map(({ text, x, y }) => [text.trim(), Math.round(x / 0.75), Math.round(y / 0.75)] as const),
  )

/** The filled boxes of a page in pixels: left, top, width, height, colour. */
export function fillsOf({ frame }: Page): (readonly [number, number, number, number, string])[] {
  const visit = (
    { items }: Frame,
    left: number,
    top: number,
  ): (readonly [number, number, number, number, string])[] =>
    items.flatMap(({ x, y, item }) => {
      if (item.kind === 'group') return visit(item.frame, left + x, top + y)
      const [first] = item.kind === 'shape' ? item.path.commands : []
      if (item.kind !== 'shape' || item.path.fill?.kind !== 'solid' || first?.[0] !== 'R') return []
      const pixels = [left + x, top + y, first[3], first[4]].map((one) => Math.round(one / 0.75))
      const colour = item.path.fill.colour.toString(16).padStart(6, '0')
      return [[pixels[0] ?? 0, pixels[1] ?? 0, pixels[2] ?? 0, pixels[3] ?? 0, colour] as const]
    })
  return visit(frame, 0, 0)
}
