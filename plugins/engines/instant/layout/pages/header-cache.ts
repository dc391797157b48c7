import type { Block } from '../../../../../shared/document/content.ts'
import type { HeaderFooterBox } from '../../../../../shared/document/section.ts'
import type { LayoutContext, PageValues } from '../context.ts'
import type { PageGeometry } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { type LaidHeaderFooter, layHeaderFooter } from './header.ts'

/** The layouts of one header or footer, by the key of what each depends on. */
interface CachedLayouts {
  readonly byKey: Map<string, LaidHeaderFooter>
  /** The last layout that shows a number of pages. Those of earlier layout passes and pages do not occur again. */
  last?: { readonly key: string; readonly laid: LaidHeaderFooter }
}

/**
 * Headers and footers laid out before, by blocks and page geometry. A layout is shared by all pages that it fits: those of any
 * number if it has no page number fields, and any position on the page if it has no floats.
 */
export class HeaderFooterCache {
  readonly #context: LayoutContext
  readonly #layouts = new Map<readonly Block[], CachedLayouts>()

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
    let layouts = this.#layouts.get(blocks)
    if (layouts === undefined) this.#layouts.set(blocks, (layouts = { byKey: new Map() }))
    const { values } = this.#context
    const keys = keysOf(values, geometry, y)
    const cached = cachedLayout(layouts, keys)
    if (cached !== undefined) return cached
    const { used } = values
    const before = { ...used }
    used.page = false
    used.pages = false
    used.chapter = false
    const laid = layHeaderFooter(this.#context, blocks, geometry, y, box)
    if (laid !== undefined && !used.chapter) {
      const fields = used.pages ? 'pages' : used.page ? 'page' : 'none'
      const key = keys[laid.hasFloats ? 'placed' : 'anywhere'][fields]
      if (used.pages) layouts.last = { key, laid }
      else layouts.byKey.set(key, laid)
    }
    // Headers are drawn when all pages are known, so their fields require no further layout pass.
    used.page = before.page
    used.pages = before.pages
    used.chapter = before.chapter
    return laid
  }
}

/** The keys of a layout by the fields that it has: none, those of its page, or also those that count pages. */
interface FieldKeys {
  readonly none: string
  readonly page: string
  readonly pages: string
}

/** Keys of layouts without floats, which fit at any height of the page, and of others. */
interface LayoutKeys {
  readonly anywhere: FieldKeys
  readonly placed: FieldKeys
}

function keysOf(values: PageValues, geometry: PageGeometry, y: Pt): LayoutKeys {
  const anywhere = `${geometry.pageWidth} ${geometry.pageHeight} ${geometry.marginLeft} ${geometry.marginRight}`
  const page = `${values.page} ${values.pageFormat} ${values.section}`
  const pages = `${page} ${values.pages} ${values.sectionPages}`
  const withFields = (none: string): FieldKeys => ({
    none,
    page: `${none}, page ${page}`,
    pages: `${none}, pages ${pages}`,
  })
  return { anywhere: withFields(anywhere), placed: withFields(`${anywhere} at ${y}`) }
}

function cachedLayout({ byKey, last }: CachedLayouts, keys: LayoutKeys): LaidHeaderFooter | undefined {
  for (const { none, page, pages } of [keys.anywhere, keys.placed]) {
    const cached = byKey.get(none) ?? byKey.get(page)
    if (cached !== undefined) return cached
    if (last?.key === pages) return last.laid
  }
  return undefined
}
