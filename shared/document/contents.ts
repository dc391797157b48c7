import type { TabStop } from './properties.ts'

/**
 * A table of contents as its document declares it: TOC in DOCX (ECMA-376-1 17.16.5.68),
 * `text:table-of-content` in ODF (1.3 part 3, 8.3). Paragraphs carry the table they are entries of, so the
 * table can be made anew from the headings of the document. All paragraphs of a table share one object.
 */
export interface ContentsTable {
  /** Outline levels whose paragraphs are listed, counted from 1; absent: levels do not matter. */
  readonly outline?: LevelRange
  /** DOCX: levels whose built-in heading styles are listed ("heading 1" has level 1). */
  readonly headings?: LevelRange
  /** Paragraph styles that are listed: names in lower case, with the level of their entries. */
  readonly styles: ReadonlyMap<string, number>
  /** How the entries of each level are composed; levels without a pattern have the one of Word. */
  readonly patterns: ReadonlyMap<number, EntryPattern>
  /** The entries link to their headings. */
  readonly links: boolean
  /** Levels whose entries have no page number. */
  readonly withoutPage?: LevelRange
  /** Replaces the tab before page numbers. */
  readonly separator?: string
  /**
   * Set for a table whose entries cannot be worked out from the headings, such as a list of figures or an
   * index. It keeps its entries, and page numbers in them that are references become new ones.
   */
  readonly fixed?: 'figures' | 'index' | 'marks' | 'part'
}

export interface LevelRange {
  readonly first: number
  readonly last: number
}

/** The composition of an entry (ODF 1.3 part 3, 8.14). */
export interface EntryPattern {
  /** Id of the paragraph style of the entry. */
  readonly style?: string
  readonly parts: readonly EntryPart[]
}

export type EntryPart =
  | { readonly kind: 'number' | 'text' | 'page' }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'tab'; readonly right: boolean; readonly leader: TabStop['leader'] }

/** The warning of every engine about tables of contents that were made anew and have no entry. */
export const contentsEmpty = {
  code: 'layout.contents-empty',
  message:
    'A table of contents is empty, because no heading has a style or an outline level that it lists. Format the headings with these styles.',
} as const
