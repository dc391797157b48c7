import type { Root } from 'hast'
import { raw } from 'hast-util-raw'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { toHast } from 'mdast-util-to-hast'
import { followedSchemes } from '../../../shared/document/followed-link.ts'
import { setEntry } from '../../../shared/entry-of.ts'
import { withAlerts } from './alerts.ts'
import { parseMarkdown } from './parse-markdown.ts'

/** GitHub's rules for HTML in Markdown, with embedded pictures and links of more schemes allowed as well. */
const allowed: Schema = {
  ...defaultSchema,
  // Ids need no prefix, because the page is a document of its own and runs no scripts.
  clobberPrefix: '',
  // Elements that are removed with their content, because that is not text for readers.
  strip: ['script', 'style', 'title', 'iframe', 'object', 'noscript', 'template', 'textarea', 'select'],
  protocols: {
    ...defaultSchema.protocols,
    href: [...(defaultSchema.protocols?.['href'] ?? []), ...followedSchemes],
    src: [...(defaultSchema.protocols?.['src'] ?? []), 'data'],
  },
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

/**
 * Parses GitHub Flavored Markdown with the HTML inside it into a sanitized tree. `pause`: see
 * `parseMarkdown`.
 */
export async function readMarkdown(source: string, pause: () => Promise<void>): Promise<MarkdownPage> {
  const { text, metadata } = withoutFrontMatter(source.replace(/^\ufeff/, ''))
  const markdown = withAlerts(await parseMarkdown(text, pause))
  const tree = sanitize(
    raw(toHast(markdown, { allowDangerousHtml: true, clobberPrefix: '' })),
    allowed,
  ) as Root
  const title = metadata['title'] ?? headingOf(text)
  const language = metadata['lang'] ?? metadata['language']
  return { tree, ...(title !== undefined && { title }), ...(language !== undefined && { language }) }
}

/** A front matter of `name: value` lines between two lines of dashes, as site generators write it. */
function withoutFrontMatter(text: string): {
  readonly text: string
  readonly metadata: Readonly<Record<string, string>>
} {
  const metadata: Record<string, string> = {}
  let at = 0
  for (let first = true; at < text.length; first = false) {
    const next = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at) + 1
    const line = text.slice(at, next).trimEnd()
    at = next
    if (first ? line !== '---' : line === '---' || line === '...') {
      if (first) break
      return { text: text.slice(at), metadata }
    }
    if (first) continue
    const [, name, value = ''] = /^([\w-]+)[ \t]*:(.*)/.exec(line) ?? []
    if (name === undefined && !/^(?:[ \t-]|$)/.test(line)) break
    if (name !== undefined && value.trim() !== '')
      setEntry(metadata, name.toLowerCase(), value.trim().replace(/^(["'])(.*)\1$/, '$2'))
  }
  return { text, metadata: {} }
}

/** The text of the first heading of level 1, without the closing sequence (CommonMark 0.31, 4.2). */
function headingOf(text: string): string | undefined {
  const line = /^#[ \t]+(.*)/m.exec(text)?.[1]?.trim() ?? ''
  let end = line.length
  while (line[end - 1] === '#') end--
  const closed = end < line.length && (end === 0 || /\s/.test(line[end - 1] ?? ''))
  const words = (closed ? line.slice(0, end) : line).trim().replace(/[*_`]/g, '')
  return words === '' ? undefined : words
}
