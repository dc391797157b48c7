import type { Block } from '../../../../../shared/document/content.ts'
import type { HeaderFooterBox } from '../../../../../shared/document/section.ts'
import type { LayoutContext } from '../context.ts'
import type { PageGeometry } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { type LaidHeaderFooter, layHeaderFooter } from './header.ts'

/**
 * Headers and footers laid out before, by blocks and page geometry. One without page number fields is laid out
 * once and shared by all pages of the same geometry.
 */
export class HeaderFooterCache {
  readonly #context: LayoutContext
  readonly #laid = new Map<readonly Block[], Map<string, LaidHeaderFooter>>()

  constructor(context: LayoutContext) {
    this.#context = context
  }

  /** A header or footer with its top at `y` on the page, in points; undefined when it has no blocks. */
  lay(
    blocks: readonly Block[],
    geometry: PageGeometry,
    y: Pt,
    box: HeaderFooterBox | undefined,
  ): LaidHeaderFooter | undefined {
    if (blocks.length === 0) return undefined
    const key = `${geometry.pageWidth} ${geometry.pageHeight} ${geometry.marginLeft} ${geometry.marginRight} ${y}`
    const cached = this.#laid.get(blocks)?.get(key)
    if (cached !== undefined) return cached
    const { used } = this.#context.values
    const before = { ...used }
    used.page = false
    used.pages = false
    const laid = layHeaderFooter(this.#context, blocks, geometry, y, box)
    if (laid !== undefined && !used.page && !used.pages) {
      let list = this.#laid.get(blocks)
      if (list === undefined) this.#laid.set(blocks, (list = new Map()))
      list.set(key, laid)
    }
    // Headers are drawn when all pages are known, so their fields require no further layout pass.
    used.page = before.page
    used.pages = before.pages
    return laid
  }
}
