import type { DocumentSettings } from '../../../../shared/document/document.ts'
import type { NoteSettings } from '../../../../shared/document/section.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { ThemeLanguages } from '../../../../shared/office/ooxml/theme.ts'
import { integer, isOn, onOff, twips, val } from '../../../../shared/office/ooxml/values.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** The layout rules of Word, and the defaults of ECMA-376-1 17.15 for settings that are not specified. */
export const wordSettings: DocumentSettings = {
  defaultTab: 36,
  tabsFromIndent: false,
  evenAndOddHeaders: false,
  paragraphGap: 'collapse',
  externalLeading: true,
  spaceAtPageTop: 'drop-after-natural-break',
  tableIndentFromText: true,
  spaceAtCellEnd: true,
  spaceEndsHeaders: true,
  justifyBrokenLines: true,
  blanksHaveNoHeight: true,
  togglesCancel: true,
  bordersInside: false,
  sharedCellMargins: true,
  bordersKeepCellWidth: true,
  cellsAlignDecimals: true,
  defaultStyleYieldsToTables: true,
  hyphenate: false,
  footnotes: { format: 'decimal', start: 1, restart: 'continuous', place: 'page' },
  endnotes: { format: 'lowerRoman', start: 1, restart: 'continuous', place: 'document' },
  mirrorMargins: false,
  floatsPushBlocks: true,
}

/**
 * Settings of a document without a settings part. Observed in LibreOffice: space after and space before are
 * then added.
 */
export const unsetSettings: DocumentSettings = { ...wordSettings, paragraphGap: 'add' }

/** Settings that affect how the other parts are read. */
export interface ReadingSettings {
  /** w:themeFontLang: languages that select the theme fonts for Asian and complex scripts. */
  readonly languages: ThemeLanguages
  /**
   * w:splitPgBreakAndParaMark (17.15.3): a paragraph mark directly after a page break is placed on the new
   * page.
   */
  readonly keepsEmpty: boolean
  /** w:gutterAtTop (17.15.1.49): the gutter is above the text rather than beside it. */
  readonly gutterAtTop: boolean
  /** w:revisionView (17.15.1.69): tracked changes are not shown, so that inserted text looks like other text. */
  readonly hidesChanges: boolean
}

/** Values for a document without settings. */
export const defaultReading: ReadingSettings = {
  languages: {},
  keepsEmpty: false,
  gutterAtTop: false,
  hidesChanges: false,
}

/** Reads the settings that are needed before styles and text can be read. `xml` is word/settings.xml. */
export function readReadingSettings(xml: string): ReadingSettings {
  const cursor = new XmlCursor(xml, wordVocabulary)
  let { languages, keepsEmpty, gutterAtTop, hidesChanges } = defaultReading
  if (!cursor.root()) return defaultReading
  cursor.each((name) => {
    if (name === 'w:themeFontLang') {
      languages = { eastAsia: cursor.attribute('w:eastAsia'), bidi: cursor.attribute('w:bidi') }
    } else if (name === 'w:gutterAtTop') gutterAtTop = onOff(cursor)
    else if (name === 'w:revisionView')
      hidesChanges = ['w:markup', 'w:insDel'].some((shown) => !isOn(cursor.attribute(shown) ?? '1'))
    else if (name === 'w:compat') {
      cursor.each((child) => {
        if (child === 'w:splitPgBreakAndParaMark') keepsEmpty = onOff(cursor)
      })
    }
  })
  return { languages, keepsEmpty, gutterAtTop, hidesChanges }
}

/** Reads the layout settings of word/settings.xml (ECMA-376-1 17.15). */
export function readSettings(xml: string): DocumentSettings {
  const cursor = new XmlCursor(xml, wordVocabulary)
  const s: Writable<DocumentSettings> = { ...wordSettings }
  if (!cursor.root()) return s
  cursor.each((name) => {
    switch (name) {
      case 'w:defaultTabStop': {
        const width = twips(val(cursor))
        if (width !== undefined && width > 0) s.defaultTab = width
        break
      }
      case 'w:evenAndOddHeaders':
        s.evenAndOddHeaders = onOff(cursor)
        break
      case 'w:displayBackgroundShape':
        s.showsBackground = onOff(cursor)
        break
      case 'w:mirrorMargins':
        s.mirrorMargins = onOff(cursor)
        break
      case 'w:bordersDoNotSurroundHeader':
        s.bordersSkipHeader = onOff(cursor)
        break
      case 'w:bordersDoNotSurroundFooter':
        s.bordersSkipFooter = onOff(cursor)
        break
      case 'w:autoHyphenation':
        s.hyphenate = onOff(cursor)
        break
      case 'w:consecutiveHyphenLimit':
        s.hyphenLadder = integer(val(cursor))
        break
      case 'w:doNotHyphenateCaps':
        s.hyphenateCapitals = !onOff(cursor)
        break
      case 'w:footnotePr':
        s.footnotes = { ...s.footnotes, ...readNoteSettings(cursor) }
        break
      case 'w:endnotePr':
        s.endnotes = { ...s.endnotes, ...readNoteSettings(cursor) }
        break
      case 'w:compat':
        cursor.each((child) => {
          if (child === 'w:doNotUseHTMLParagraphAutoSpacing' && onOff(cursor)) {
            s.paragraphGap = 'add'
            s.plainAutomaticSpace = true
          }
          if (child === 'w:doNotExpandShiftReturn' && onOff(cursor)) s.justifyBrokenLines = false
          if (child === 'w:noLeading' && onOff(cursor)) s.externalLeading = false
          if (child === 'w:compatSetting') readCompatibility(cursor, s)
        })
        break
    }
  })
  // Observed in LibreOffice: from compatibility mode 15 the indent positions the edge of a table rather than
  // its text. Files without a mode count as mode 12 (Word 2007).
  s.tableIndentFromText = (s.compatibility ?? 12) < 15
  return s
}

/** w:compatSetting ([MS-DOCX] 2.11): the mode, and whether the default paragraph style wins over table styles. */
function readCompatibility(cursor: XmlCursor, settings: Writable<DocumentSettings>): void {
  const name = cursor.attribute('w:name')
  if (name === 'compatibilityMode') settings.compatibility = integer(val(cursor))
  if (name === 'overrideTableStyleFontSizeAndJustification')
    settings.defaultStyleYieldsToTables = !isOn(val(cursor))
}

/** ST_FtnPos and ST_EdnPos (17.18.34, 17.18.22) to the document model. */
const notePositions: Readonly<Record<string, NoteSettings['place']>> = {
  pageBottom: 'page',
  beneathText: 'text',
  sectEnd: 'section',
  docEnd: 'document',
}

/**
 * Reads w:footnotePr or w:endnotePr (17.11). Only specified settings are returned, since a section overrides
 * those of the document.
 */
export function readNoteSettings(cursor: XmlCursor): Partial<NoteSettings> {
  const notes: Partial<Writable<NoteSettings>> = {}
  cursor.each((name) => {
    const text = val(cursor)
    if (name === 'w:numFmt' && text !== undefined) notes.format = text
    else if (name === 'w:numStart') notes.start = integer(text) ?? 1
    else if (name === 'w:numRestart') {
      notes.restart = text === 'eachPage' ? 'page' : text === 'eachSect' ? 'section' : 'continuous'
    } else if (name === 'w:pos') notes.place = entryOf(notePositions, text)
  })
  return notes
}
