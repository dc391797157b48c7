import type { Block } from '../../../../shared/document/document.ts'
import type { PageVariants, Section } from '../../../../shared/document/section.ts'

/**
 * Even and odd pages have headers together. Observed in LibreOffice: where a document has one for pages of one side
 * only, those of the other side keep the room of an empty paragraph, and so with footers. Even pages count when the
 * document tells them from odd ones.
 */
export function withBothSides(sections: readonly Section[], evenAndOdd: boolean): Section[] {
  const headers = { odd: false, even: false }
  const footers = { odd: false, even: false }
  return sections.map((section) => ({
    ...section,
    headers: paired(section.headers, headers, evenAndOdd),
    footers: paired(section.footers, footers, evenAndOdd),
  }))
}

/** `known`: which sides have had one up to here; what is missing comes from sections before. */
function paired(
  variants: PageVariants,
  known: { odd: boolean; even: boolean },
  evenAndOdd: boolean,
): PageVariants {
  known.odd ||= variants.default !== undefined
  known.even ||= variants.even !== undefined
  if (known.odd && !known.even && evenAndOdd) {
    known.even = true
    return { ...variants, even: nothing }
  }
  if (known.even && !known.odd) {
    known.odd = true
    return { ...variants, default: nothing }
  }
  return variants
}

const nothing: readonly Block[] = [{ kind: 'paragraph', properties: {}, mark: {}, inlines: [] }]
