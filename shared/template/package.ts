/**
 * A template opened for merging: the texts that may carry tags, the rules of its format, and a writer for the output.
 * `shared/office/package.ts` opens ZIP packages, `single.ts` opens plain files.
 */

import type { StaticTable } from '../office/statics.ts'
import type { ByteSource, FormatId, Warning } from '../plugin/contract.ts'
import type { FormatRules } from './rules.ts'
import { type RenderScope, scopeKey } from './scope.ts'

/** The syntax of a part: which scanner reads it, how values are escaped and where a line ends. */
export type Syntax = 'xml' | 'html' | 'markdown' | 'csv' | 'text'

/** One text of a template that may carry tags. */
export interface TemplatePart {
  readonly name: string // 'word/document.xml'; for a single-file format the format id
  readonly syntax: Syntax
  readonly text: string
}

/** An opened template. It is immutable, so that one package serves many renders at once. */
export interface TemplatePackage {
  readonly format: FormatId
  readonly rules: FormatRules
  /** In package order. They are read once, by the compiler, which does not keep their texts. */
  readonly parts: readonly TemplatePart[]
  /** Bytes that the package keeps in memory. */
  readonly weight: number
  /** Warnings of opening the package. */
  readonly warnings?: readonly Warning[]
  /** Present for spreadsheets. */
  readonly addresses?: Addresses
  /** Starts one output. Entries that are not written are copied as they are stored, without inflating them. */
  begin(): PackageWriter
}

/** What areas of a spreadsheet template become in a render. Charts that draw its cells ask for it. */
export interface Addresses {
  /** Whether a cell of the area holds a tag, or may move. */
  changes(reference: string): boolean
  /**
   * The areas that an area became in the render of `scope`: one for each copy of its columns (or of its rows), with all copies
   * of the other direction. Empty when nothing is left of it; undefined when it is no reference into this workbook.
   */
  follow(reference: string, scope: RenderScope, split: 'columns' | 'rows'): readonly string[] | undefined
}

/** Writes one output package. Parts are written one at a time; each is compressed as it grows. */
export interface PackageWriter {
  /** Replaces a part, or adds one. `statics` are the static segments that its writer may name. */
  part(name: string, statics: StaticTable): PartWriter
  add(name: string, bytes: Uint8Array): void // a new entry (picture, relationship part)
  remove(name: string): void
  /** Stores an entry of the template once more. */
  copy(from: string, to: string): void
  finish(): ByteSource
  /** Stops writing and frees the memory in use. */
  abandon(): void
}

export interface PartWriter {
  /** Writes static segment `id` of the table given to `part`. */
  static(id: number): void
  text(chunk: string): void
  readonly size: number // bytes so far, uncompressed
  end(): void
}

/** The writer of a render, for computed tokens that write parts beside their own. */
export const packageWriter = scopeKey<PackageWriter>('package writer')
