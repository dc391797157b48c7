/**
 * Where a document is beyond this engine. Each of its warnings names something that looks different from what the document
 * says, so one is enough. Source of the warnings: `layout/`, `paint/`, `pipeline.ts` and the readers.
 */
import type { Warning } from '../../../shared/plugin/contract.ts'

/** What would look different, in words; undefined when nothing would. */
export function beyondLimits(warnings: readonly Warning[]): string | undefined {
  const [first, ...others] = warnings
  if (first === undefined) return undefined
  const said = first.message.replace(/\.$/, '')
  const sentence = said[0]!.toLowerCase() + said.slice(1)
  return others.length === 0 ? sentence : `${sentence}, and ${others.length} more`
}
