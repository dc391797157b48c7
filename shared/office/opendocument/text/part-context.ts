import type { Inset } from '../../../document/box.ts'
import type { Block, DocumentComment, Inline, Note } from '../../../document/content.ts'
import type { ContentsTable } from '../../../document/contents.ts'
import type { Drawing } from '../../../document/drawing.ts'
import type { FormField } from '../../../document/form-field.ts'
import type { Numbering } from '../../../document/numbering.ts'
import type { Link, RunProperties } from '../../../document/properties.ts'
import type { Warning } from '../../../plugin/values.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import type { ReadFile } from '../../package.ts'
import type { SpanRecord } from './paragraph-mark.ts'
import type { OpenStyles } from './styles.ts'

/** The part being read: content.xml (scope 'c'), or styles.xml with the headers and footers (scope 's'). */
export interface OdfPartContext {
  readonly cursor: XmlCursor
  readonly scope: 'c' | 's'
  readonly styles: OpenStyles
  readonly shared: Shared
}

/** State shared by all parts of a document while it is read. */
export interface Shared {
  readonly parts: ReadFile
  readonly media: Map<string, Uint8Array>
  readonly lists: Map<string, Numbering>
  /** Id of the last list of each list style, which text:continue-numbering continues. */
  readonly lastList: Map<string, string>
  /** Id of each list by its xml:id, which text:continue-list refers to. */
  readonly byListId: Map<string, string>
  readonly notes: Map<string, Note>
  readonly comments: Map<string, DocumentComment>
  readonly warnings: Map<string, Warning>
  /** Paragraphs that may still be read. */
  readonly budget: { blocks: number }
  /**
   * Reads the blocks inside the current element (`readBlocks` in blocks.ts), passed in because drawings,
   * notes and tables contain blocks themselves.
   */
  readonly readBlocks: (part: OdfPartContext, other?: (name: string) => boolean) => Block[]
  /** Whether the file is a template. A document created from it has current dates and no saved author. */
  readonly template: boolean
  /** Shapes are moved so that they lie completely on the page. */
  readonly movesShapesOntoPage: boolean
  readonly changes: Changes
  /** Whether the text has marks that a table of contents may list (8.1). */
  readonly hasContentsEntries: boolean
  readonly controls: Map<string, FormControl>
  /** Presentations: a span without text gives an empty paragraph its formatting. */
  readonly emptySpansCount: boolean
  /** Texts: the last span at the end of a paragraph formats its mark (LibreOffice's ApplyParagraphMarkFormatToNumbering). */
  readonly spansEndParagraphs: boolean
  /**
   * Presentations: what the fields of headers and footers show on the page that is being read, by the names of their
   * elements (ODF 1.3 part 3, 9.10.3).
   */
  readonly pageFields?: ReadonlyMap<string, PageField>
  /** Drawings anchored to a page number. */
  readonly onSheets: Drawing[]
  tableDepth: number
  /** Indents and background of the text section around the current position. */
  inset?: Inset
  /** The number of that section. */
  section?: number | undefined
  /** How many sections have begun so far. */
  sectionCount: number
  /** The table of contents or index whose entries are being read. */
  contents?: ContentsTable | undefined
  /** The table of contents or index whose title is being read. */
  contentsAfter?: ContentsTable | undefined
}

/** State while the inlines of a paragraph are read. White space is collapsed across elements. */
export interface OdfInlineState {
  readonly part: OdfPartContext
  readonly inlines: Inline[]
  run: RunProperties
  link?: Link
  /** Inserts deleted text at the current position, which may divide the paragraph. */
  readonly splice?: (state: OdfInlineState) => void
  /** Set by a field that hides the whole paragraph. */
  hidden?: boolean
  /** The formatting of a span without text, which an empty paragraph of a presentation has the height of. */
  emptyRun?: RunProperties
  /** What the spans so far say of the paragraph's mark. */
  readonly spans: SpanRecord
  spaced: boolean // the previous character is a space, or there is none yet
}

/** The text of a field of headers and footers, or a date with the name of its format. */
export type PageField = { readonly text: string } | { readonly dateStyle: string }

/** Records a warning; the same code and message is kept only once. */
export function warn(shared: Shared, code: string, message: string): void {
  shared.warnings.set(`${code} ${message}`, { code, message })
}

/** Adds the pictures of backgrounds and fills in use to those of the text, and reports what fills are simplified. */
export function finishFills(shared: Shared, { pictures, simplifiedInUse }: OpenStyles): void {
  for (const name of pictures) mediaOf(shared, name)
  if (simplifiedInUse.size > 0)
    warn(shared, 'read.gradient', 'Ellipsoid, square and rectangular gradients are drawn as radial ones.')
}

/**
 * Adds a picture of the package to Document.media and returns its name; '' with a warning when it is missing.
 */
export function mediaOf(shared: Shared, href: string | undefined): string {
  const name = href?.replace(/^\.\//, '') ?? ''
  if (shared.media.has(name)) return name
  const bytes = name === '' || /^[a-z]+:/i.test(name) ? undefined : shared.parts(name)
  if (bytes === undefined) {
    warn(shared, 'read.picture-missing', 'A picture is missing from the file and is not drawn.')
    return ''
  }
  shared.media.set(name, bytes)
  return name
}

/** Tracked changes by their ids, which the text refers to. */
export interface Changes {
  readonly deleted: Map<string, readonly Block[]>
  /** Insertions with the index of their author. */
  readonly inserted: Map<string, number>
  /** Insertions that are open at the current position, with the index of their author. */
  readonly open: Map<string, number>
  readonly authors: Map<string, number>
  /** Whether changes are shown, which is the default. */
  readonly shown: boolean
  /** Whether deleted text is being read, which may end in the middle of a line. */
  reading: boolean
}

/** A form control as it is printed: with its label or value (ODF 1.3 part 3, 13.5). */
export interface FormControl {
  readonly kind: 'button' | 'field' | 'lines' | 'choice' | 'label'
  readonly text: string
  /** Absent where readers of a PDF cannot fill the control: buttons that do something, labels, frames. */
  readonly field?: FormField
}

/** A link as it is seen from the document. In the document a package counts as a folder. OpenDocument 1.3, part 2, 3.7. */
export const addressOf = (href: string): string => href.replace(/^\.\.\//, '')
