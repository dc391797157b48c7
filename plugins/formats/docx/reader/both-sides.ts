import type { Block } from '../../../../shared/document/content.ts'
import type { PageVariants, Section } from '../../../../shared/document/section.ts'

/**
 * Adds empty headers and footers so that odd and even pages both have one. Observed in LibreOffice: where a
 * document has a header for one side only, the pages of the other side keep the height of an empty paragraph;
 * footers likewise. Even pages matter only when the document distinguishes them (w:evenAndOddHeaders,
 * ECMA-376-1 17.10.1).
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

/**
 * `known` records which sides have had a header or footer in this or an earlier section, since a missing one
 * is inherited. It is updated here.
 */
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

/** An empty paragraph, as Word writes for an empty header. */
const nothing: readonly Block[] = [{ kind: 'paragraph', properties: {}, mark: {}, inlines: [] }]
