import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Document, DocumentSettings } from '../../../../../shared/document/document.ts'
import { drawingDocument, drawingSettings } from '../drawing/drawing-document.ts'

/**
 * Document settings for the text on slides: those of other drawings, with the table and line spacing rules of LibreOffice
 * Impress.
 */
const settings: DocumentSettings = {
  ...drawingSettings,
  bordersKeepCellHeight: true,
  marksGiveHeight: true,
  lineSpaceAbove: true,
  labelsKeepLineHeight: true,
  scriptsMeetAnywhere: true,
  roundsTextSize: true,
}

/** A document without sections that provides the context for the text on slides: defaults, lists and rules. */
export function deckDocument(deck: Deck): Document {
  const { run, numbering, defaultTab, media, information, paragraphGap = 'add' } = deck
  return {
    ...drawingDocument({ run, media }),
    numbering,
    settings: { ...settings, defaultTab, paragraphGap },
    information,
  }
}
