import { pageRules } from '../../../../shared/template/html/page-rules.ts'
import { bindMarkdown } from '../../../../shared/template/media/web.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import { openSingle } from '../../../../shared/template/single.ts'

/** Markdown: lines repeat, line breaks inside one are HTML. Blocks of HTML follow the rules of HTML. */
const mdRules: FormatRules = {
  ...pageRules,
  paragraphs: ['line', ...pageRules.paragraphs],
  noise: [],
  plain: true,
  prepare: (_part, tokens) => bindMarkdown(tokens),
}

export function openMarkdown(bytes: Uint8Array): TemplatePackage {
  return openSingle(bytes, { format: 'md', syntax: 'markdown', rules: mdRules })
}
