import type { TemplateSupport } from '../plugin/contract.ts'
import type { FormatId } from '../plugin/values.ts'
import type { FormatRules } from './rules.ts'
import { openSingle } from './single.ts'

/** Lines repeat; nothing is escaped as markup. */
const rules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [], plain: true }

/** Template support for a format of plain text. */
export function textTemplate(format: FormatId): TemplateSupport {
  return { open: async (bytes) => openSingle(bytes, { format, syntax: 'text', rules }) }
}
