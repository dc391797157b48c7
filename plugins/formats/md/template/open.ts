import { pageRules } from '../../../../shared/template/html/page-rules.ts'
import { bindMarkdown } from '../../../../shared/template/media/web.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import { openSingle } from '../../../../shared/template/single.ts'

/**
 * Markdown: lines repeat, line breaks inside one are HTML. Blocks of HTML follow the rules of HTML; elsewhere a paragraph, a
 * heading and an item are the line of the tag.
 */
const mdRules: FormatRules = {
  ...pageRules,
  elements: {
    ...pageRules.elements,
    p: [...(pageRules.elements['p'] ?? []), 'line'],
    h: [...(pageRules.elements['h'] ?? []), 'line'],
    item: [...(pageRules.elements['item'] ?? []), 'line'],
  },
  paragraphs: ['line', ...pageRules.paragraphs],
  noise: [],
  plain: true,
  prepare: (_part, tokens) => bindMarkdown(tokens),
}

export function openMarkdown(bytes: Uint8Array): TemplatePackage {
  return openSingle(bytes, { format: 'md', syntax: 'markdown', rules: mdRules })
}
