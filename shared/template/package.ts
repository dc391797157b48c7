/**
 * A template opened for merging: the texts that may contain tags, the rules of its format, and a writer for the output.
 * `shared/office/package.ts` opens ZIP packages, `single.ts` opens plain files.
 */

import type { FormatId, Warning } from '../plugin/values.ts'
import type { PackageWriter } from './package-writer.ts'
import type { FormatRules } from './rules.ts'
import type { RenderScope } from './scope.ts'
import type { TemplatePart } from './template-part.ts'

/** An opened template. It is immutable, so that one package serves many renders at once. */
export interface TemplatePackage {
  readonly format: FormatId
  readonly rules: FormatRules
  /** The parts in package order. They are read once, by the compiler, which does not keep their texts. */
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

/** Where areas of a spreadsheet template are in the render. Charts that draw its cells look them up. */
export interface Addresses {
  /** Whether a cell of the area contains a tag, or may move. */
  changes(reference: string): boolean
  /**
   * The areas that an area became in the render of `scope`: one for each copy of its columns (or of its rows), with all
   * copies in the other direction. Empty if nothing is left of it; undefined if it is not a reference into this workbook.
   */
  follow(reference: string, scope: RenderScope, split: 'columns' | 'rows'): readonly string[] | undefined
}
