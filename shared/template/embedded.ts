/**
 * Documents inside a document: a chart, the workbook behind it, an embedded file. They belong to one place of a part and
 * are filled anew each time this place is written, with the items of the loops around it. Source: template language 1,
 * 22.3.
 */

import type { FormatId } from '../plugin/contract.ts'
import type { Limits } from './limits.ts'
import type { PackageWriter, TemplatePart } from './package.ts'
import type { FormatRules } from './rules.ts'
import type { RenderScope } from './scope.ts'

export interface EmbeddedPackage {
  readonly format: FormatId
  readonly rules: FormatRules
  readonly parts: readonly TemplatePart[]
  /** The file whose parts these are, for messages: 'word/embeddings/Sheet1.xlsx'. */
  readonly within?: string
}

/** Writes the parts with tags of one inner package. `notes` are new for each copy. */
export type FillPackage = (writer: PackageWriter, scope: RenderScope) => void

export interface EmbeddedObject {
  readonly packages: readonly EmbeddedPackage[]
  /** Called for each copy, with one `Fill` for each package; gives what stands at the place. */
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

/** The format of a file inside, by its name: 'word/embeddings/Microsoft_Excel_Sheet1.xlsx'. */
export function embeddedFormat(name: string): FormatId | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(formatOf, extension) ? formatOf[extension] : undefined
}

/** What is allowed to one file inside: a share of what is allowed to the whole. */
export function embeddedLimits(limits: Limits): Limits {
  return {
    ...limits,
    zipEntries: Math.ceil(limits.zipEntries / 10),
    inflatedBytes: Math.ceil(limits.inflatedBytes / 8),
    tags: Math.ceil(limits.tags / 10),
    outputBytes: Math.min(limits.outputBytes, 268_435_456),
  }
}
