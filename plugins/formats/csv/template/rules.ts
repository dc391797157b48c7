import type { FormatRules } from '../../../../shared/template/rules.ts'

/** Lines repeat; nothing is escaped as markup. */
export const csvRules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [], plain: true }
