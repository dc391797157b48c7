import { libreOffice } from '../../compat/libreoffice.ts'
import type { OutlineEntry, Placed } from '../frame.ts'

/** The headings of one page, as a range from `from` up to `to` of the headings of the document. */
export interface PageHeadings {
  readonly from: number
  readonly to: number
  /** A heading is the first text of the page. */
  readonly opens: boolean
}

/** Collects the headings page by page, for the fields that show the current chapter. */
export class Chapters {
  readonly #headings: OutlineEntry[] = []

  /** Adds the headings among the items of a page. */
  add(items: readonly Placed[], outline: readonly OutlineEntry[]): PageHeadings {
    const from = this.#headings.length
    const byBookmark = new Map(outline.map((entry) => [entry.bookmark, entry]))
    let opens = false
    let text = false
    for (const { item } of items) {
      const heading = item.kind === 'mark' && item.id !== '' ? byBookmark.get(item.id) : undefined
      if (heading !== undefined) {
        opens ||= !text
        this.#headings.push(heading)
      } else if (item.kind !== 'mark' && item.kind !== 'paragraph') text = true
    }
    return { from, to: this.#headings.length, opens }
  }

  /**
   * The chapter heading, down to outline level `level`, that applies to a header or footer. On a page before all
   * headings it is the first heading of that page, if there is one. When the nearest heading is deeper than
   * `level`, only a heading of exactly that level counts.
   */
  of({ from, to, opens }: PageHeadings, kind: 'header' | 'footer', level: number): OutlineEntry | undefined {
    let at = libreOffice.chapterIndex(kind, from, to, opens)
    if (at < 0) return to > from ? this.#headings[from] : undefined
    const nearest = this.#headings[at]!
    if (nearest.level <= level) return nearest
    while (at >= 0 && this.#headings[at]!.level > level) at--
    return this.#headings[at]?.level === level ? this.#headings[at] : undefined
  }
}
