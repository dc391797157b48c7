import type { Block, Inline, Inset, Link, Note } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { Numbering } from '../../../../shared/document/numbering.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import type { Warning } from '../../../../shared/plugin/contract.ts'
import type { Changes } from './changes.ts'
import type { Control } from './forms.ts'
import type { OpenStyles } from './styles.ts'

/** Returns the bytes of a package entry by name; undefined when it is missing. */
export type Parts = (name: string) => Uint8Array | undefined

/** The part being read: content.xml (scope 'c'), or styles.xml with the headers and footers (scope 's'). */
export interface Story {
  readonly cursor: XmlCursor
  readonly scope: 'c' | 's'
  readonly styles: OpenStyles
  readonly shared: Shared
}

/** State shared by all parts of a document while it is read. */
export interface Shared {
  readonly parts: Parts
  readonly media: Map<string, Uint8Array>
  readonly lists: Map<string, Numbering>
  /** Id of the last list of each list style, which text:continue-numbering continues. */
  readonly lastList: Map<string, string>
  /** Id of each list by its xml:id, which text:continue-list refers to. */
  readonly byListId: Map<string, string>
  readonly notes: Map<string, Note>
  readonly warnings: Map<string, Warning>
  /** Paragraphs that may still be read. */
  readonly budget: { blocks: number }
  /**
   * Reads the blocks inside the current element (`readBlocks` in blocks.ts), passed in because drawings,
   * notes and tables contain blocks in turn.
   */
  readonly readBlocks: (story: Story, other?: (name: string) => boolean) => Block[]
  /** Whether the file is a template. A document created from it has current dates and no saved author. */
  readonly template: boolean
  /** Shapes are moved so that they lie completely on the page. */
  readonly keepsShapes: boolean
  readonly changes: Changes
  readonly controls: Map<string, Control>
  /** Drawings anchored to a page number. */
  readonly onSheets: Drawing[]
  tableDepth: number
  /** Indents and background of the text section around the current position. */
  inset?: Inset
}

/** State while the inlines of a paragraph are read. White space is collapsed across elements. */
export interface InlineState {
  readonly story: Story
  readonly inlines: Inline[]
  run: RunProperties
  link?: Link
  /** Inserts deleted text at the current position, which may divide the paragraph. */
  readonly splice?: (state: InlineState) => void
  /** Set by a field that hides the whole paragraph. */
  hidden?: boolean
  spaced: boolean // the previous character is a space, or there is none yet
}

/** Records a warning; the same code and message is kept only once. */
export function warn(shared: Shared, code: string, message: string): void {
  shared.warnings.set(`${code} ${message}`, { code, message })
}

/**
 * Adds a picture of the package to Document.media and returns its name; '' with a warning when it is missing.
 */
export function mediaOf(shared: Shared, href: string | undefined): string {
  const name = href?.replace(/^\.\//, '') ?? ''
  if (shared.media.has(name)) return name
  const bytes = name === '' || /^[a-z]+:/i.test(name) ? undefined : shared.parts(name)
  if (bytes === undefined) {
    warn(shared, 'read.picture-missing', 'A picture is not stored in the file.')
    return ''
  }
  shared.media.set(name, bytes)
  return name
}
