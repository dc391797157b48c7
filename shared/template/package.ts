/**
 * A template opened for merging: the texts that may carry tags, the rules of its markup, and how an output is made.
 * `shared/office/package.ts` opens ZIP packages, `single.ts` plain files.
 */

import type { StaticTable } from '../office/statics.ts'
import type { ByteSource, FormatId, Warning } from '../plugin/contract.ts'
import type { FormatRules } from './rules.ts'
import { type RenderScope, scopeKey } from './scope.ts'

/** How values are escaped and where a line ends: the only thing the compiler knows about a part's markup. */
export type Syntax = 'xml' | 'html' | 'markdown' | 'csv' | 'text'

/** One text of a template that may carry tags. */
export interface TemplatePart {
  readonly name: string // 'word/document.xml'; for a single-file format the format id
  readonly syntax: Syntax
  readonly text: string
}

/** A container opened for merging. Immutable: one opened package serves many renders at once. */
export interface TemplatePackage {
  readonly format: FormatId
  readonly rules: FormatRules
  /** In package order. Texts are let go once compiled: `parts` is read once. */
  readonly parts: readonly TemplatePart[]
  /** Bytes kept in memory for as long as the package lives. */
  readonly weight: number
  /** What opening has to tell. */
  readonly warnings?: readonly Warning[]
  /** Spreadsheets only. */
  readonly addresses?: Addresses
  /** Starts one output. Entries that are not written are copied as they are stored, without inflating them. */
  begin(): PackageWriter
}

/** What the addresses of a spreadsheet template come to: asked by charts that draw its cells. */
export interface Addresses {
  /** Whether a cell of the area holds a tag, or may move. */
  changes(reference: string): boolean
  /**
   * The areas that an area became in the render of `notes`: one for each copy of its columns (or of its rows), with all
   * copies of the other direction. Empty when nothing is left; undefined when it is no address of this workbook.
   */
  follow(reference: string, scope: RenderScope, split: 'columns' | 'rows'): readonly string[] | undefined
}

/** Writes one output package. Parts are written one at a time; each is compressed as it grows. */
export interface PackageWriter {
  /** Replaces a part, or adds one. `statics` are the unchanging stretches its writer may name. */
  part(name: string, statics: StaticTable): PartWriter
  add(name: string, bytes: Uint8Array): void // a new entry (picture, relationship part)
  remove(name: string): void
  /** Stores an entry of the template once more. */
  copy(from: string, to: string): void
  finish(): ByteSource
  /** Gives up; lets go of working memory. */
  abandon(): void
}

export interface PartWriter {
  /** Stretch `id` of the table given to `part`. */
  static(id: number): void
  text(chunk: string): void
  readonly size: number // bytes so far, uncompressed
  end(): void
}

/** The writer of a render, for computed tokens that write parts beside their own. */
export const packageWriter = scopeKey<PackageWriter>('package writer')
