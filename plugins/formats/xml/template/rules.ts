import type { FormatRules } from '../../../../shared/template/rules.ts'

/** XML of no known vocabulary: no element means anything to the compiler. */
export const xmlRules: FormatRules = { elements: {}, paragraphs: [], noise: [] }
