import type { Block } from '../../../../shared/document/content.ts'
import type { UnreadText } from '../../../../shared/document/document.ts'
import {
  addCounts,
  addLettersOf,
  createLetterCounts,
  type LetterCounts,
  missingLetters,
} from '../../../../shared/document/letters.ts'
import { addLettersOfElements, addLettersOfMarkup } from '../../../../shared/office/ooxml/text-letters.ts'
import { attributeOf, walkTags } from '../../../../shared/xml/elements.ts'

/** A part with text, and the blocks that were made of it. */
export interface TextPart {
  readonly part: string
  readonly xml: string
  readonly blocks: readonly Block[]
}

/**
 * Finds parts of which letters are in no block. It shares no rule with the readers, so text that these pass over by mistake
 * shows up here. Most parts are settled by a count of all their text; only where that has more letters than the blocks is
 * each element looked at.
 */
export function findUnread(textParts: Iterable<TextPart>): UnreadText[] {
  const unread: UnreadText[] = []
  for (const { part, xml, blocks } of textParts) {
    const read = createLetterCounts()
    addLettersOf(read, blocks)
    if (missingLetters(allLetters(xml), read) === 0) continue
    const letters = missingLetters(drawnLetters(xml), read)
    if (letters > 0) unread.push({ part, letters })
  }
  return unread
}

/** The letters of all w:t (ECMA-376-1, 17.3.3.31), and of deleted text, which readers keep. */
function allLetters(xml: string): LetterCounts {
  const counts = createLetterCounts()
  addLettersOfElements(counts, xml, '<w:t')
  if (xml.includes('<w:delText')) addLettersOfElements(counts, xml, '<w:delText')
  return counts
}

/** Fields whose result is computed anew while reading (17.16.5); all others are shown as they are saved. */
const computed = /^\s*(?:COMMENTS|DOCPROPERTY|KEYWORDS|REF|SEQ|SUBJECT|TITLE)\b/i

/** A field of which the end has not been reached, and the letters since its beginning. */
interface WalkedField {
  instruction: string
  isResult: boolean
  readonly letters: LetterCounts
}

/**
 * The letters that a page shows of a part. Not shown are a second form of the same content (mc:Fallback), notes that are
 * separators, controls whose text comes from data, and instructions and results of fields that are computed. A field that
 * never ends hides nothing.
 */
function drawnLetters(xml: string): LetterCounts {
  const shown = createLetterCounts()
  const fields: WalkedField[] = []
  let skipped = '' // the name of the element that is passed over
  let depth = 0 // of elements of that name
  let control = { isBound: false, isText: false }
  let isText = false
  let isInstruction = false
  const skip = (name: string): void => {
    skipped = name
    depth = 1
  }
  const begin = (instruction: string, isResult: boolean): void => {
    fields.push({ instruction, isResult, letters: createLetterCounts() })
  }
  const end = (): void => {
    const field = fields.pop()
    if (field === undefined || !field.isResult || computed.test(field.instruction)) return
    addCounts(fields.at(-1)?.letters ?? shown, field.letters)
  }
  const fieldCharacter = (tag: string): void => {
    const type = attributeOf(tag, 'w:fldCharType')
    const field = fields.at(-1)
    if (type === 'begin' && fields.length < maxFields) begin('', false)
    else if (type === 'separate' && field !== undefined) {
      field.isResult = true
      field.letters.fill(0)
    } else if (type === 'end') end()
  }
  walkTags(xml, {
    open(name, attributes, to) {
      if (skipped !== '') {
        if (name === skipped) depth++
        return
      }
      switch (name) {
        case 'w:t':
        case 'w:delText':
          isText = true
          break
        case 'w:instrText':
        case 'w:delInstrText':
          isInstruction = true
          break
        case 'w:fldChar':
          fieldCharacter(xml.slice(attributes, to))
          break
        case 'w:fldSimple':
          begin(attributeOf(xml.slice(attributes, to), 'w:instr') ?? '', true)
          break
        case 'w:sdtPr':
          control = { isBound: false, isText: false }
          break
        case 'w:dataBinding':
          control.isBound = true
          break
        case 'w:text':
          control.isText = true
          break
        case 'w:sdtContent':
          // A control of plain text that is bound to data shows what the data holds (17.5.2.6).
          if (control.isBound && control.isText) skip(name)
          control = { isBound: false, isText: false }
          break
        case 'w:footnote':
        case 'w:endnote':
          if (/^(?!normal$)./.test(attributeOf(xml.slice(attributes, to), 'w:type') ?? '')) skip(name)
          break
        case 'mc:Fallback':
          skip(name)
      }
    },
    close(name) {
      if (skipped !== '') {
        if (name === skipped && --depth === 0) skipped = ''
        return
      }
      if (name === 'w:fldSimple') end()
      isText = false
      isInstruction = false
    },
    text(from, to) {
      if (skipped !== '') return
      const field = fields.at(-1)
      if (isText) addLettersOfMarkup(field?.letters ?? shown, xml, from, to)
      else if (isInstruction && field?.isResult === false) field.instruction += xml.slice(from, to)
    },
  })
  for (const { letters } of fields) addCounts(shown, letters)
  return shown
}

/** Fields that are open at once; those beyond are looked at as if they were text. */
const maxFields = 64
