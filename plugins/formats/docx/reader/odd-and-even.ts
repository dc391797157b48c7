import type { Block } from '../../../../shared/document/content.ts'
import type { PageVariants, Section } from '../../../../shared/document/section.ts'

/**
 * Adds empty headers and footers so that odd and even pages both have one. Observed in LibreOffice: where a
 * document has a header for one side only, the pages of the other side keep the height of an empty paragraph;
 * footers likewise. Even pages matter only when the document distinguishes them (w:evenAndOddHeaders,
 * ECMA-376-1 17.10.1).
 */
export function withOddAndEven(sections: readonly Section[], evenAndOdd: boolean): Section[] {
  const headers = { odd: false, even: false }
  const footers = { odd: false, even: false }
  return sections.map((section) => ({
    ...section,
    headers: paired(section.headers, headers, evenAndOdd),
    footers: paired(section.footers, footers, evenAndOdd),
  }))
}

/**
 * `seen` records which sides have had a header or footer in this or an earlier section, since a missing one
 * is inherited. It is updated here.
 */
function paired(
  variants: PageVariants,
  seen: { odd: boolean; even: boolean },
  evenAndOdd: boolean,
): PageVariants {
  seen.odd ||= variants.default !== undefined
  seen.even ||= variants.even !== undefined
  if (seen.odd && !seen.even && evenAndOdd) {
    seen.even = true
    return { ...variants, even: emptyHeader }
  }
  if (seen.even && !seen.odd) {
    seen.odd = true
    return { ...variants, default: emptyHeader }
  }
  return variants
}

/** An empty paragraph, as Word writes for an empty header. */
const emptyHeader: readonly Block[] = [{ kind: 'paragraph', properties: {}, mark: {}, inlines: [] }]
