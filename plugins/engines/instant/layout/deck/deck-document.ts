import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Document, DocumentSettings } from '../../../../../shared/document/document.ts'
import { drawingDocument, drawingSettings } from '../drawing/drawing-document.ts'

/** How text on slides is laid out: as other drawings, and with the tables and line spacing of LibreOffice's Impress. */
const settings: DocumentSettings = {
  ...drawingSettings,
  bordersKeepCellHeight: true,
  marksGiveHeight: true,
  lineSpaceAbove: true,
  labelsKeepLineHeight: true,
  scriptsMeetAnywhere: true,
  roundsTextSize: true,
}

/** The surroundings of the text on slides: defaults, lists and rules, without any section. */
export function deckDocument(deck: Deck): Document {
  const { run, numbering, defaultTab, media, information, paragraphGap = 'add' } = deck
  return {
    ...drawingDocument({ run, media }),
    numbering,
    settings: { ...settings, defaultTab, paragraphGap },
    information,
  }
}
