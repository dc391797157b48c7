/** Turns the text of a part into tokens, by the syntax of the part. */

import type { Limits } from '../../limits.ts'
import { lexXml } from '../../xml/scan.ts'
import type { FormatRules } from '../rules.ts'
import type { TemplatePart } from '../template-part.ts'
import { lexHtml } from './html.ts'
import { scanLines } from './lines.ts'
import { scanMarkdown } from './markdown.ts'
import { findTags } from './tags.ts'
import type { Token } from './tokens.ts'

/** Scans the text of one part by its syntax. */
export function scan({ name, syntax, text }: TemplatePart, rules: FormatRules, limits: Limits): Token[] {
  switch (syntax) {
    case 'xml':
      return findTags({
        text,
        part: name,
        lexemes: lexXml(text, name, limits),
        rules,
        limits,
        context: 'text',
      })
    case 'html':
      return findTags({
        text,
        part: name,
        lexemes: lexHtml(text, name, limits),
        rules,
        limits,
        context: 'text',
      })
    case 'markdown':
      return scanMarkdown(text, name, rules, limits)
    case 'csv':
      return scanLines(text, limits, 'csv')
    case 'json':
      return scanLines(text, limits, 'json')
    case 'text':
      return scanLines(text, limits, 'plain')
    default:
      return syntax satisfies never
  }
}
