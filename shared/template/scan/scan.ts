/** Part text -> pieces, by the syntax of the part. */
import type { Limits } from '../limits.ts'
import type { TemplatePart } from '../package.ts'
import type { FormatRules } from '../rules.ts'
import { tokeniseHtml } from './html.ts'
import { joinTags } from './join.ts'
import { scanLines } from './lines.ts'
import { scanMarkdown } from './markdown.ts'
import type { Piece } from './pieces.ts'
import { tokeniseXml } from './xml.ts'

export function scan({ name, syntax, text }: TemplatePart, rules: FormatRules, limits: Limits): Piece[] {
  switch (syntax) {
    case 'xml':
      return joinTags({
        text,
        part: name,
        tokens: tokeniseXml(text, name, limits),
        rules,
        limits,
        context: 'text',
      })
    case 'html':
      return joinTags({
        text,
        part: name,
        tokens: tokeniseHtml(text, name, limits),
        rules,
        limits,
        context: 'text',
      })
    case 'markdown':
      return scanMarkdown(text, name, rules, limits)
    case 'csv':
      return scanLines(text, limits, 'csv')
    case 'text':
      return scanLines(text, limits, 'plain')
    default:
      return syntax satisfies never
  }
}
