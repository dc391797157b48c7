import type { Document, DocumentSettings } from '../../../../../shared/document/document.ts'
import type { NoteSettings } from '../../../../../shared/document/section.ts'

/** Notes do not occur in drawings. */
const notes: NoteSettings = { format: 'decimal', start: 1, restart: 'continuous' }

/** Document settings for the text of drawings outside of text documents. Observed in LibreOffice. */
export const drawingSettings: DocumentSettings = {
  defaultTab: 72,
  evenAndOddHeaders: false,
  tabsFromIndent: false,
  blanksEndParagraphs: true,
  paragraphGap: 'add',
  externalLeading: false,
  spaceAtPageTop: 'drop',
  tableIndentFromText: false,
  spaceAtCellEnd: false,
  spaceEndsHeaders: false,
  togglesCancel: false,
  bordersInside: false,
  sharedCellMargins: false,
  justifyBrokenLines: false,
  blanksHaveNoHeight: false,
  bordersKeepCellWidth: true,
  hyphenate: false,
  footnotes: notes,
  endnotes: notes,
  mirrorMargins: false,
}

/**
 * A document without sections that provides the context for the text of drawings. `run` is the formatting of runs that
 * specify none.
 */
export function drawingDocument({
  run,
  media,
}: {
  readonly run: Document['styles']['defaults']['run']
  readonly media: Document['media']
}): Document {
  return {
    styles: { styles: new Map(), defaults: { paragraph: {}, run } },
    numbering: new Map(),
    sections: [],
    notes: new Map(),
    media,
    settings: drawingSettings,
    information: {},
  }
}
