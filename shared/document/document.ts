/**
 * The format-neutral document model: what the readers make of DOCX and ODT bytes and what the instant engine lays out.
 * Plain data; lengths are in points. Read `properties.ts` next for what runs and paragraphs may say about themselves.
 */
import type { Drawing, MathContent } from './drawing.ts'
import { type MathNode, mathWords } from './math.ts'
import type { Numbering } from './numbering.ts'
import type { Color, ParagraphProperties, RunProperties, TabStop } from './properties.ts'
import type { Section } from './section.ts'
import type { StyleSheet } from './styles.ts'
import type { Table } from './table.ts'

export interface Document {
  readonly styles: StyleSheet
  /** List definitions by the id that paragraphs name. */
  readonly numbering: ReadonlyMap<string, Numbering>
  readonly sections: readonly Section[]
  readonly notes: ReadonlyMap<string, Note> // by 'footnote:2', 'endnote:1'
  /** ODF: the page set-up, headers and footers of the end notes, without text; absent: the paper of the text. */
  readonly endnotePage?: Section
  /** ODF: drawings that stand on sheets of the document rather than at places in the text. */
  readonly onSheets?: readonly Drawing[]
  /** Font files that the document carries. */
  readonly fonts?: readonly Uint8Array[]
  /** Pictures by the name drawings use: bytes as they are stored. */
  readonly media: ReadonlyMap<string, Uint8Array>
  readonly settings: DocumentSettings
  readonly information: DocumentInformation
}

/** What a producer means by its numbers: each switch changes a rule of layout. */
export interface DocumentSettings {
  readonly defaultTab: number
  readonly evenAndOddHeaders: boolean
  /** Word's compatibility mode (11-15); undefined for files that are not Word's. */
  readonly compatibility?: number
  /** Default tab stops count from the indent of the paragraph rather than from the margin (ODF). */
  readonly tabsFromIndent: boolean
  /** 'collapse': the larger of after and before counts (Word). 'add': both do. */
  readonly paragraphGap: 'collapse' | 'add'
  /** Whether the line gap of the face is part of a line's height. */
  readonly externalLeading: boolean
  /** What a multiple of the line adds is space between paragraphs, of which the larger counts (ODF, older documents). */
  readonly sharedLineSpace?: boolean
  /** False: lines of less than their height leave the first of a paragraph as it is (ODF, older documents). */
  readonly firstLinesShrink?: boolean
  /** Where the extra height of a proportional line spacing goes. */
  readonly proportionalSpacing: 'below' | 'above'
  /** Space before at the top of a page: dropped always, or unless the page is the first or was broken by hand. */
  readonly spaceAtPageTop: 'drop' | 'drop-after-natural-break'
  readonly tableIndentFromText: boolean
  /** Space after the last paragraph of a cell makes the cell taller. */
  readonly spaceAtCellEnd: boolean
  /** With it: what a multiple of the line adds to the last line does, too, unless this is false. */
  readonly lineSpaceAtCellEnd?: boolean
  /** The space below its last paragraph, and what a multiple of the line adds there, makes a header or footer taller. */
  readonly spaceEndsBands: boolean
  /** Bold and the like in a run style and its paragraph's style cancel each other out (Word); else the nearest counts. */
  readonly togglesCancel: boolean
  /** Borders and padding of paragraphs lie inside their margins and narrow the text (ODF). */
  readonly bordersInside: boolean
  /** What floats in headers and footers keeps their own text away rather than that of the page (ODF, older documents). */
  readonly headersGoAround?: boolean
  /** The distance to borders also counts where no line is drawn (ODF). */
  readonly paddingWithoutBorders?: boolean
  /** Right, centred and decimal stops behind the end of the line stand at it (ODF). */
  readonly tabsInsideMargin?: boolean
  /** Paragraphs pushed below what floats take the space above along, tables come below pictures (Word). */
  readonly floatsPushBlocks?: boolean
  /** Size of small capitals, as a share of the text; absent: 0.8. */
  readonly smallCapitals?: number
  /** All cells of a row keep the largest margins above and below that any of them has (Word). */
  readonly sharedCellMargins: boolean
  /** Lines that end by a break made by hand are justified like others. */
  readonly justifyBrokenLines: boolean
  /** Spaces at the end of a paragraph count where its last line is aligned (ODF). */
  readonly blanksEndParagraphs?: boolean
  /** Spaces and tabs do not make a line taller (Word). */
  readonly blanksHaveNoHeight: boolean
  /** Paragraphs may ask for hyphenation: each one does unless it says otherwise (Word), or those that say so (ODF). */
  readonly hyphenate: boolean
  readonly hyphenLadder?: number
  readonly hyphenateCapitals?: boolean
  readonly footnotes: NoteSettings
  readonly endnotes: NoteSettings
  readonly mirrorMargins: boolean
  /** Borders of pages that are placed by the text leave out headers or footers (Word). */
  readonly bordersSkipHeader?: boolean
  readonly bordersSkipFooter?: boolean
  readonly background?: string
  /** Whether the background of the document is more than a setting of its editor (Word). */
  readonly showsBackground?: boolean
}

export interface NoteSettings {
  readonly format: string // as in Level.format
  readonly start: number
  readonly restart: 'continuous' | 'section' | 'page'
  readonly place?: 'page' | 'text' | 'section' | 'document'
}

export interface DocumentInformation {
  readonly title?: string
  readonly author?: string
  readonly subject?: string
  readonly keywords?: string
  readonly description?: string
  readonly language?: string
}

export type Block = Paragraph | Table

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly properties: ParagraphProperties
  /** How the paragraph mark is formatted: an empty paragraph is as tall as it, a list label looks like it. */
  readonly mark: RunProperties
  readonly inlines: readonly Inline[]
  /** Under tracked changes: its formatting was changed, or what parts it from the paragraph behind it. */
  readonly changed?: 'whole' | 'end'
  readonly inset?: Inset
}

/** ODF: the section of the text that a block stands in keeps it from the margins. Equal ones are one object. */
export interface Inset {
  readonly left: number
  readonly right: number
  readonly ground?: string // six hexadecimal digits
}

export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'tab'; readonly run: RunProperties; readonly link?: Link; readonly to?: PositionedTab }
  | {
      readonly kind: 'break'
      readonly at: 'line' | 'page' | 'column'
      readonly run: RunProperties
      /** A line break may also ask to start below what floats at either side. */
      readonly clear?: 'left' | 'right' | 'all'
    }
  | { readonly kind: 'drawing'; readonly drawing: Drawing; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'field'; readonly field: Field; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'note'; readonly note: string; readonly run: RunProperties; readonly mark?: string }
  | {
      readonly kind: 'note-mark'
      readonly run: RunProperties
      /** Around a number that was counted (ODF). */
      readonly prefix?: string
      readonly suffix?: string
      /** In a hanging paragraph it reaches to the text by itself: the first tab is in place of that room. */
      readonly replacesTab?: boolean
    }
  | { readonly kind: 'bookmark'; readonly name: string }
  | { readonly kind: 'soft-hyphen'; readonly run: RunProperties }

/** Text with small text over it, a phonetic guide: one box in the line. */
export function rubyOf(base: string, above: string, run: RunProperties, link?: Link): Inline {
  const drawing: Drawing = {
    width: 0,
    height: 0,
    rotation: 0,
    content: { kind: 'ruby', base, above },
    description: above === '' ? base : `${base} (${above})`,
  }
  return { kind: 'drawing', drawing, run, ...(link !== undefined && { link }) }
}

/** An equation in the line; `size` and `color` where they are not those of the text around. */
export function mathInline(
  math: MathNode,
  look: {
    readonly run: RunProperties
    readonly link?: Link | undefined
    readonly display?: boolean
    readonly size?: number | undefined
    readonly color?: Color | undefined
  },
): Inline {
  const { run, link, display = false, size, color } = look
  const content: MathContent = {
    kind: 'math',
    math,
    display,
    ...(size !== undefined && { size }),
    ...(color !== undefined && color !== 'auto' && { color }),
  }
  const drawing: Drawing = { width: 0, height: 0, rotation: 0, content, description: mathWords(math) }
  return { kind: 'drawing', drawing, run, link }
}

/** w:ptab: a tab that stops at a place of the page rather than at a stop of the paragraph. */
export interface PositionedTab {
  readonly align: 'left' | 'center' | 'right'
  readonly from: 'margin' | 'indent'
  readonly leader?: TabStop['leader']
}

export interface Link {
  readonly href?: string // absolute address
  readonly anchor?: string // name of a bookmark
}

/** A value that depends on the layout or on the day; `text` is what the file last saw there. */
export interface Field {
  /** 'moment' is the present time. */
  readonly name:
    | 'moment'
    | 'page'
    | 'pages'
    | 'section-pages'
    | 'page-of'
    | 'section'
    | 'number' // a counted `value`
    | 'label-of' // the list label of the paragraph of a bookmark
    | 'note-of' // the mark of the note in a bookmark
    | 'chapter' // the heading that a header or footer stands under
  readonly of?: string // the bookmark that is asked
  readonly value?: number
  readonly format?: string // as in Level.format
  readonly text: string
  readonly offset?: number // pages before or after (ODF)
  /** Of a chapter: the deepest level of its heading, from 1, and what of it is shown. */
  readonly level?: number
  readonly parts?: 'number' | 'name' | 'both'
  /** Of a moment: letters as in Unicode's date patterns, the language of names, milliseconds added. */
  readonly pattern?: string
  readonly time?: boolean // without a pattern: the time rather than the date
  readonly language?: string
  readonly shift?: number
}

export interface Note {
  readonly kind: 'footnote' | 'endnote'
  readonly blocks: readonly Block[]
}
