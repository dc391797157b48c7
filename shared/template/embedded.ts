/**
 * Embedded objects, such as an embedded document or a chart with its workbook. An object belongs to one token of a part.
 * Each time that token is written, a copy of the object is merged with the current items of the loops around it.
 * Source: template language 1, 22.3.
 */

import { entryOf } from '../entry-of.ts'
import type { Limits } from '../limits.ts'
import type { FormatId } from '../plugin/values.ts'
import type { PackageWriter } from './package-writer.ts'
import type { FormatRules } from './rules.ts'
import type { RenderScope } from './scope.ts'
import type { TemplatePart } from './template-part.ts'

/** A package inside an embedded object. */
export interface EmbeddedPackage {
  readonly format: FormatId
  readonly rules: FormatRules
  readonly parts: readonly TemplatePart[]
  /** The file whose parts these are, for messages: 'word/embeddings/Sheet1.xlsx'. */
  readonly within?: string
}

/** Writes the parts with tags of one embedded package. Each copy is given a render scope of its own. */
export type FillPackage = (writer: PackageWriter, scope: RenderScope) => void

/** The embedded object that a computed token writes. */
export interface EmbeddedObject {
  readonly packages: readonly EmbeddedPackage[]
  /** Called for each copy, with one function for each package. Returns the markup to write at the position of the object. */
  write(scope: RenderScope, fills: readonly FillPackage[]): string
}

const formatOf: Readonly<Record<string, FormatId>> = {
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  docx: 'docx',
  docm: 'docx',
  pptx: 'pptx',
  ppsx: 'pptx',
  sldx: 'pptx',
  ods: 'ods',
  odt: 'odt',
  odp: 'odp',
}

/** The format of an embedded file by its name, such as 'word/embeddings/Microsoft_Excel_Sheet1.xlsx'. */
export function embeddedFormat(name: string): FormatId | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return entryOf(formatOf, extension)
}

/** The limits of one embedded file: a fraction of those of the whole template. */
export function embeddedLimits(limits: Limits): Limits {
  return {
    ...limits,
    zipEntries: Math.ceil(limits.zipEntries / 10),
    inflatedBytes: Math.ceil(limits.inflatedBytes / 8),
    tags: Math.ceil(limits.tags / 10),
    outputBytes: Math.min(limits.outputBytes, 268_435_456),
  }
}
