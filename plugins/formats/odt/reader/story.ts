import type { Block, Inline, Inset, Link, Note } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { Numbering } from '../../../../shared/document/numbering.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import type { Warning } from '../../../../shared/plugin/contract.ts'
import type { Changes } from './changes.ts'
import type { Control } from './forms.ts'
import type { OpenStyles } from './styles.ts'

export type Parts = (name: string) => Uint8Array | undefined

/** One text being read: the body or the headers. */
export interface Story {
  readonly cursor: XmlCursor
  readonly scope: 'c' | 's'
  readonly styles: OpenStyles
  readonly shared: Shared
}

/** What the texts of one document share. */
export interface Shared {
  readonly parts: Parts
  readonly media: Map<string, Uint8Array>
  readonly lists: Map<string, Numbering>
  /** The last list of each style, which one that continues goes on with. */
  readonly lastList: Map<string, string>
  readonly byListId: Map<string, string>
  readonly notes: Map<string, Note>
  readonly warnings: Map<string, Warning>
  readonly budget: { blocks: number }
  readonly readBlocks: (story: Story, other?: (name: string) => boolean) => Block[]
  /** Whether the file is a template: what it makes is a new document of today. */
  readonly template: boolean
  /** Shapes stay on the sheet whatever place they are told. */
  readonly keepsShapes: boolean
  readonly changes: Changes
  readonly controls: Map<string, Control>
  /** Drawings on sheets that they name. */
  readonly onSheets: Drawing[]
  tableDepth: number
  /** Of the section that is read: what its blocks keep from the margins. */
  inset?: Inset
}

/** A paragraph while its inlines are gathered. White space is collapsed across elements. */
export interface InlineState {
  readonly story: Story
  readonly inlines: Inline[]
  run: RunProperties
  link?: Link
  /** Takes what was deleted at this place: parts of paragraphs end and begin there. */
  readonly splice?: (state: InlineState) => void
  /** A field hides the whole paragraph. */
  hidden?: boolean
  spaced: boolean // the last character was white space, or there was none yet
}

export function warn(shared: Shared, code: string, message: string): void {
  shared.warnings.set(`${code} ${message}`, { code, message })
}

/** The picture behind an address inside the package; '' when it cannot be had. */
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
