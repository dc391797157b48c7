/**
 * Documents inside a document: a chart, the workbook behind it, an embedded file. They belong to one place of a part and
 * are filled anew each time this place is written, with the items of the loops around it. Source: template language 1,
 * 22.3.
 */
import type { FormatId } from '../plugin/contract.ts'
import type { PackageWriter, TemplatePart } from './package.ts'
import type { FormatRules } from './rules.ts'
import type { Notes } from './scan/pieces.ts'

export interface InnerPackage {
  readonly format: FormatId
  readonly rules: FormatRules
  readonly parts: readonly TemplatePart[]
}

/** Writes the parts with tags of one inner package. `notes` are new for each copy. */
export type Fill = (writer: PackageWriter, notes: Notes) => void

export interface Inner {
  readonly packages: readonly InnerPackage[]
  /** Called for each copy, with one `Fill` for each package; gives what stands at the place. */
  write(notes: Notes, fills: readonly Fill[]): string
}
