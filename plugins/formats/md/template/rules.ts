import type { FormatRules } from '../../../../shared/template/rules.ts'

/** Markdown: lines repeat, line breaks inside one are HTML. */
export const mdRules: FormatRules = {
  lineBreak: '<br>',
  elements: {},
  paragraphs: ['line'],
  noise: [],
  plain: true,
}
