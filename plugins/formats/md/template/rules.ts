import { pageRules } from '../../../../shared/template/html/page-rules.ts'
import { bindMarkdown } from '../../../../shared/template/media/web.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

/** Markdown: lines repeat, line breaks inside one are HTML. Blocks of HTML follow the rules of HTML. */
export const mdRules: FormatRules = {
  ...pageRules,
  paragraphs: ['line', ...pageRules.paragraphs],
  noise: [],
  plain: true,
  prepare: (_part, tokens) => bindMarkdown(tokens),
}
