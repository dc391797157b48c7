/**
 * Decides which warnings mean that the engine should decline a document. Each warning names something that
 * looks different from what the document asks for, so one is enough, unless an office program does not draw
 * it better. Warnings come from `layout/`, `paint/`, `pipeline.ts` and the readers.
 */
import type { Warning } from '../../../shared/plugin/values.ts'

/**
 * Warnings that are reported but do not decline a job: an office program would not draw these better, so
 * trying it only takes longer.
 */
const unsupportedEverywhere = new Set([
  'layout.contents-empty',
  'read.chapter-number',
  'read.embedded-text',
  'read.mirrored-indents',
  'read.page-background',
  'read.table-style',
  'read.text-effect',
  'read.text-fit',
])

/**
 * Describes what would be drawn differently, as a clause for a message; undefined when no other engine would draw it
 * better. With the fonts of a machine (`FontSource.ofMachine`), none has the glyphs that these lack.
 */
export function unsupportedBy(
  warnings: readonly Warning[],
  { ofMachine = false }: { readonly ofMachine?: boolean } = {},
): string | undefined {
  const [first, ...rest] = warnings.filter(
    ({ code }) => !unsupportedEverywhere.has(code) && !(ofMachine && code === 'font.missing-glyphs'),
  )
  if (first === undefined) return undefined
  const text = first.message.replace(/\.$/, '')
  const sentence = text[0]!.toLowerCase() + text.slice(1)
  return rest.length === 0 ? sentence : `${sentence}, and ${rest.length} more`
}
