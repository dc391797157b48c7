/** Scans one part of a template with all that is embedded in it. */

import type { Limits } from '../../limits.ts'
import type { FormatId } from '../../plugin/values.ts'
import type { EmbeddedPackage } from '../embedded.ts'
import type { FormatRules } from '../rules.ts'
import type { TemplatePart } from '../template-part.ts'
import { followRowSpans } from './row-spans.ts'
import { scan } from './scan.ts'
import { splitRuns } from './split-runs.ts'
import type { Token } from './tokens.ts'

/** A part as tokens, with the packages embedded in it. */
export interface ScannedPart {
  readonly name: string
  /** The file inside the file that the part belongs to. */
  readonly within?: string
  readonly format: FormatId
  readonly rules: FormatRules
  readonly tokens: readonly Token[]
  /** Token -> the scanned parts of each package that belongs there. */
  readonly embedded: ReadonlyMap<number, readonly (readonly ScannedPart[])[]>
}

/**
 * Scans a part. Returns undefined when it has no tags, because such a part is copied as it is stored; it is scanned all
 * the same, so that markup errors in it are reported. With `allParts`, a part without tags is returned as well.
 */
export function scanPart(
  part: TemplatePart,
  source: Pick<EmbeddedPackage, 'format' | 'rules' | 'within'>,
  limits: Limits,
  allParts = false,
): ScannedPart | undefined {
  const { format, rules, within } = source
  const scanned = followRowSpans(splitRuns(scan(part, rules, limits), rules), rules)
  const tokens = rules.prepare === undefined ? scanned : rules.prepare(part.name, scanned)
  if (!allParts && !tokens.some(({ kind }) => kind === 'tag' || kind === 'computed')) return undefined
  const embedded = new Map<number, readonly (readonly ScannedPart[])[]>()
  tokens.forEach((token, index) => {
    if (token.kind !== 'computed' || token.embedded === undefined) return
    const scanAll = (pack: EmbeddedPackage) =>
      pack.parts.flatMap((embeddedPart) => scanPart(embeddedPart, pack, limits) ?? [])
    embedded.set(index, token.embedded.packages.map(scanAll))
  })
  return { name: part.name, format, rules, tokens, embedded, ...(within === undefined ? {} : { within }) }
}
