import {
  addLetters,
  createLetterCounts,
  type LetterCounts,
  missingLetters,
} from '../../../document/letters.ts'
import { attributeOf, tagsIn, walkTags } from '../../../xml/elements.ts'
import { decodeEntities } from '../../../xml/scan.ts'

/**
 * How many letters of an element of a part are not among those that were read of it. The element must be the only one of
 * its name. The walk shares no rule with the readers, so text that these pass over by mistake shows up here.
 */
export function unreadLetters(xml: string, element: string, read: LetterCounts): number {
  const start = xml.indexOf(`<${element}`)
  if (start < 0) return 0
  const end = xml.indexOf(`</${element}`, start)
  return missingLetters(drawnLetters(end < 0 ? xml.slice(start) : xml.slice(start, end)), read)
}

/**
 * Elements whose text is not drawn, or not as it is written: comments, deletions, the parts of indexes that describe
 * them, the second form of an object, numbers, and fields that are hidden or computed anew (ODF 1.3 part 3).
 */
const skippedElements = new Set([
  'draw:object',
  'field:fieldmark',
  'office:annotation',
  'office:binary-data',
  'office:event-listeners',
  'office:forms',
  'officeooo:annotation',
  'presentation:date-time',
  'presentation:footer',
  'presentation:header',
  'presentation:notes',
  'svg:desc',
  'svg:title',
  'table:covered-table-cell',
  'table:tracked-changes',
  'text:alphabetical-index-source',
  'text:bibliography-source',
  'text:database-next',
  'text:database-row-select',
  'text:hidden-paragraph',
  'text:illustration-index-source',
  'text:note-citation',
  'text:number',
  'text:object-index-source',
  'text:page-variable-set',
  'text:script',
  'text:table-index-source',
  'text:table-of-content-source',
  'text:tracked-changes',
  'text:user-index-source',
])

/** The letters of paragraphs that a page shows. */
function drawnLetters(xml: string): LetterCounts {
  const shown = createLetterCounts()
  let skipped = '' // the name of the element that is passed over
  let depth = 0 // of elements of that name
  let paragraphs = 0
  const hidesParagraphs = xml.includes('<text:hidden-paragraph')
  walkTags(xml, {
    open(name, attributes, to) {
      if (skipped !== '') {
        if (name === skipped) depth++
        return
      }
      const isParagraph = name === 'text:p' || name === 'text:h'
      if (isParagraph) paragraphs++
      const isHidden =
        isParagraph && hidesParagraphs
          ? isHiddenParagraph(name, xml, to)
          : isSkipped(name, xml.slice(attributes, to))
      if (!isHidden) return
      skipped = name
      depth = 1
    },
    close(name) {
      if (skipped !== '' && (name !== skipped || --depth > 0)) return
      skipped = ''
      if (name === 'text:p' || name === 'text:h') paragraphs--
    },
    text(from, to) {
      if (skipped === '' && paragraphs > 0) addLetters(shown, decodeEntities(xml.slice(from, to)))
    },
  })
  return shown
}

/** Whether a field in a paragraph, whose start tag ends at `from`, hides all of it (7.7.11). */
function isHiddenParagraph(name: string, xml: string, from: number): boolean {
  const [field] = tagsIn(xml.slice(from, xml.indexOf(`</${name}>`, from)), 'text:hidden-paragraph')
  return field !== undefined && attributeOf(field, 'text:is-hidden') === 'true'
}

function isSkipped(name: string, tag: string): boolean {
  if (skippedElements.has(name) || name.startsWith('text:sender-') || name.startsWith('text:author-'))
    return true
  if (!tag.includes(':display="')) return name === 'text:hidden-text' && tag.includes('text:is-hidden="true"')
  const isConditional = name === 'text:section' && tag.includes('text:display="condition"')
  return isConditional || tag.includes('style:display="false"') || tag.includes('text:display="none"')
}
