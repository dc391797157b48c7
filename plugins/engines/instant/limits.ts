/**
 * Where a document is beyond this engine. Each of its warnings names something that looks different from what the document
 * says, so one is enough unless the office draws it no better. Source of the warnings: `layout/`, `paint/`, `pipeline.ts`
 * and the readers.
 */
import type { Warning } from '../../../shared/plugin/contract.ts'

/** Told all the same, but the office would draw it no better: asking it would only take longer. */
const nobodyDraws = new Set([
  'read.chapter-number',
  'read.embedded-text',
  'read.mirrored-indents',
  'read.page-background',
  'read.text-effect',
  'read.text-fit',
])

/** What would look different, in words; undefined when nothing would that another engine draws. */
export function beyondLimits(warnings: readonly Warning[]): string | undefined {
  const [first, ...others] = warnings.filter(({ code }) => !nobodyDraws.has(code))
  if (first === undefined) return undefined
  const said = first.message.replace(/\.$/, '')
  const sentence = said[0]!.toLowerCase() + said.slice(1)
  return others.length === 0 ? sentence : `${sentence}, and ${others.length} more`
}
