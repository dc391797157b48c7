import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Document, DocumentSettings } from '../../../../../shared/document/document.ts'
import { drawingDocument, drawingSettings } from '../drawing/drawing-document.ts'

/** How text on slides is laid out: as other drawings, and with the tables and line spacing of LibreOffice's Impress. */
const settings: DocumentSettings = {
  ...drawingSettings,
  bordersKeepCellHeight: true,
  marksGiveHeight: true,
  lineSpaceAbove: true,
}

/** The surroundings of the text on slides: defaults, lists and rules, without any section. */
export function deckDocument({ run, numbering, defaultTab, media, information }: Deck): Document {
  return {
    ...drawingDocument({ run, media }),
    numbering,
    settings: { ...settings, defaultTab },
    information,
  }
}
