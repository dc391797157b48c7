import { bindMarkdown } from '../../../../shared/template/media/web.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

/** Markdown: lines repeat, line breaks inside one are HTML. */
export const mdRules: FormatRules = {
  lineBreak: '<br>',
  elements: {},
  paragraphs: ['line'],
  noise: [],
  plain: true,
  prepare: (_part, pieces) => bindMarkdown(pieces),
}
