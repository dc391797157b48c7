import type { OutlineEntry, Placed } from '../frame.ts'

/** The headings of a page among those of the document. */
export interface PageHeadings {
  readonly from: number
  readonly to: number
  /** A heading is the first thing on the page. */
  readonly opens: boolean
}

/** Gathers the headings page by page, for the fields that name the chapter a page is in. */
export class Chapters {
  readonly #headings: OutlineEntry[] = []

  add(items: readonly Placed[], outline: readonly OutlineEntry[]): PageHeadings {
    const from = this.#headings.length
    const byMark = new Map(outline.map((entry) => [entry.mark, entry]))
    let opens = false
    let text = false
    for (const { item } of items) {
      const heading = item.kind === 'mark' && item.id !== '' ? byMark.get(item.id) : undefined
      if (heading !== undefined) {
        opens ||= !text
        this.#headings.push(heading)
      } else if (item.kind !== 'mark' && item.kind !== 'paragraph') text = true
    }
    return { from, to: this.#headings.length, opens }
  }

  /**
   * The heading down to `level` that a header stands under, or a footer. Observed in LibreOffice: the first text of the
   * page counts for headers, the last one for footers; before all headings it is the first one if that is on the page. Above
   * deeper headings only one of the level itself counts.
   */
  of({ from, to, opens }: PageHeadings, band: 'header' | 'footer', level: number): OutlineEntry | undefined {
    let at = (band === 'footer' ? to : from + (opens ? 1 : 0)) - 1
    if (at < 0) return to > from ? this.#headings[from] : undefined
    const nearest = this.#headings[at]!
    if (nearest.level <= level) return nearest
    while (at >= 0 && this.#headings[at]!.level > level) at--
    return this.#headings[at]?.level === level ? this.#headings[at] : undefined
  }
}
