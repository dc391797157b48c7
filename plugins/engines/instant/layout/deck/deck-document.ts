import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Document, DocumentSettings } from '../../../../../shared/document/document.ts'
import type { NoteSettings } from '../../../../../shared/document/section.ts'

/** Notes do not occur on slides. */
const notes: NoteSettings = { format: 'decimal', start: 1, restart: 'continuous' }

/** How text on slides is laid out: as by LibreOffice's Impress. */
const settings: DocumentSettings = {
  defaultTab: 72,
  evenAndOddHeaders: false,
  tabsFromIndent: false,
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
  bordersKeepCellHeight: true,
  marksGiveHeight: true,
  lineSpaceAbove: true,
  hyphenate: false,
  footnotes: notes,
  endnotes: notes,
  mirrorMargins: false,
}

/** The surroundings of the text on slides: defaults, lists and rules, without any section. */
export function deckDocument({ run, numbering, defaultTab, media, information }: Deck): Document {
  return {
    styles: { styles: new Map(), defaults: { paragraph: {}, run } },
    numbering,
    sections: [],
    notes: new Map(),
    media,
    settings: { ...settings, defaultTab },
    information,
  }
}
