import type { Root } from 'hast'
import { raw } from 'hast-util-raw'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { toHast } from 'mdast-util-to-hast'
import { withAlerts } from './alerts.ts'
import { parseMarkdown } from './parse-markdown.ts'

/** GitHub's own rules for what Markdown may bring along, and pictures that stand in the text itself. */
export const allowed: Schema = {
  ...defaultSchema,
  // Names need no mark of their own where a page stands alone and runs no script.
  clobberPrefix: '',
  // What is not allowed goes with all it holds, where that is no text for readers.
  strip: ['script', 'style', 'title', 'iframe', 'object', 'noscript', 'template', 'textarea', 'select'],
  protocols: { ...defaultSchema.protocols, src: [...(defaultSchema.protocols?.['src'] ?? []), 'data'] },
  tagNames: [...(defaultSchema.tagNames ?? []), 'mark', 'figure', 'figcaption'],
  attributes: {
    ...defaultSchema.attributes,
    blockquote: [...(defaultSchema.attributes?.['blockquote'] ?? []), ['className', /^markdown-alert/]],
    p: [...(defaultSchema.attributes?.['p'] ?? []), ['className', 'markdown-alert-title']],
    section: [...(defaultSchema.attributes?.['section'] ?? []), 'dataFootnotes'],
  },
}

export interface MarkdownPage {
  readonly tree: Root
  readonly title?: string
  readonly language?: string
}

/** GitHub's flavour of Markdown, HTML inside it included, as a clean tree. `pause`: see `parseMarkdown`. */
export async function readMarkdown(source: string, pause: () => Promise<void>): Promise<MarkdownPage> {
  const { text, about } = withoutFrontMatter(source.replace(/^\ufeff/, ''))
  const markdown = withAlerts(await parseMarkdown(text, pause))
  const tree = sanitize(
    raw(toHast(markdown, { allowDangerousHtml: true, clobberPrefix: '' })),
    allowed,
  ) as Root
  const title = about['title'] ?? headingOf(text)
  const language = about['lang'] ?? about['language']
  return { tree, ...(title !== undefined && { title }), ...(language !== undefined && { language }) }
}

/** A head of `name: value` lines between two lines of dashes, as site generators have it. */
function withoutFrontMatter(text: string): {
  readonly text: string
  readonly about: Readonly<Record<string, string>>
} {
  const about: Record<string, string> = {}
  let at = 0
  for (let first = true; at < text.length; first = false) {
    const next = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at) + 1
    const line = text.slice(at, next).trimEnd()
    at = next
    if (first ? line !== '---' : line === '---' || line === '...') {
      if (first) break
      return { text: text.slice(at), about }
    }
    if (first) continue
    const [, name, value = ''] = /^([\w-]+)[ \t]*:(.*)/.exec(line) ?? []
    if (name === undefined && !/^(?:[ \t-]|$)/.test(line)) break
    if (name !== undefined && value.trim() !== '')
      about[name.toLowerCase()] = value.trim().replace(/^(["'])(.*)\1$/, '$2')
  }
  return { text, about: {} }
}

/** The words of the first heading of the first level, without the marks at its end (CommonMark 0.31, 4.2). */
function headingOf(text: string): string | undefined {
  const line = /^#[ \t]+(.*)/m.exec(text)?.[1]?.trim() ?? ''
  let end = line.length
  while (line[end - 1] === '#') end--
  const closed = end < line.length && (end === 0 || /\s/.test(line[end - 1] ?? ''))
  const words = (closed ? line.slice(0, end) : line).trim().replace(/[*_`]/g, '')
  return words === '' ? undefined : words
}
