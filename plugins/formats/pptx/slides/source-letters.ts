import type { GroupChild } from '../../../../shared/document/drawing.ts'
import {
  addLettersOfDrawing,
  createLetterCounts,
  type LetterCounts,
  missingLetters,
} from '../../../../shared/document/letters.ts'
import { addLettersOfElements, addLettersOfMarkup } from '../../../../shared/office/ooxml/text-letters.ts'
import { isOn } from '../../../../shared/office/ooxml/values.ts'
import { attributeOf, tagsIn, walkTags } from '../../../../shared/xml/elements.ts'

/**
 * How many letters of a slide are in none of its shapes. It shares no rule with the reader, so text that this passes over by
 * mistake shows up here. Most slides are settled by a count of all their text.
 */
export function unreadLetters(xml: string, shapes: readonly GroupChild[]): number {
  const read = createLetterCounts()
  for (const { drawing } of shapes) addLettersOfDrawing(read, drawing)
  const all = createLetterCounts()
  addLettersOfElements(all, xml, '<a:t')
  return missingLetters(all, read) === 0 ? 0 : missingLetters(drawnLetters(xml), read)
}

/**
 * The letters that a slide shows. Not shown are hidden shapes, cells that others cover, a second form of the same content
 * (mc:Fallback), extensions, and fields, which are computed anew.
 */
function drawnLetters(xml: string): LetterCounts {
  const shown = createLetterCounts()
  let skipped = '' // the name of the element that is passed over
  let depth = 0 // of elements of that name
  let isText = false
  walkTags(xml, {
    open(name, attributes, to) {
      if (skipped !== '') {
        if (name === skipped) depth++
      } else if (isSkipped(name, xml.slice(attributes, to)) || (shapes.has(name) && isHidden(xml, to))) {
        skipped = name
        depth = 1
      } else isText = name === 'a:t'
    },
    close(name) {
      isText = false
      if (name === skipped && --depth === 0) skipped = ''
    },
    text(from, to) {
      if (isText && skipped === '') addLettersOfMarkup(shown, xml, from, to)
    },
  })
  return shown
}

function isSkipped(name: string, tag: string): boolean {
  if (name === 'a:tc') return isOn(attributeOf(tag, 'hMerge')) || isOn(attributeOf(tag, 'vMerge'))
  return name === 'a:fld' || name === 'mc:Fallback' || name === 'p:extLst' || name === 'a:extLst'
}

const shapes: ReadonlySet<string> = new Set(['p:sp', 'p:grpSp', 'p:graphicFrame', 'p:cxnSp'])

/** The properties of a shape, which say whether it is hidden, are the first thing in it (19.3.1.12). */
const nearby = 2000

function isHidden(xml: string, from: number): boolean {
  const [properties = ''] = tagsIn(xml.slice(from, from + nearby), 'p:cNvPr')
  return isOn(attributeOf(properties, 'hidden'))
}
