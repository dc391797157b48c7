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
  const heading = /^#\s+(.+?)\s*#*\s*$/m.exec(text)?.[1]?.replace(/[*_`]/g, '')
  const title = about['title'] ?? heading
  const language = about['lang'] ?? about['language']
  return { tree, ...(title !== undefined && { title }), ...(language !== undefined && { language }) }
}

/** A head of `name: value` lines between two lines of dashes, as site generators have it. */
function withoutFrontMatter(text: string): {
  readonly text: string
  readonly about: Readonly<Record<string, string>>
} {
  const found =
    /^---[ \t]*\r?\n((?:[\w-]+[ \t]*:.*\r?\n|[ \t-].*\r?\n|\r?\n)*?)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
      text,
    )
  if (found === null) return { text, about: {} }
  const about: Record<string, string> = {}
  for (const line of (found[1] ?? '').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name !== undefined && value) about[name.toLowerCase()] = value.replace(/^(["'])(.*)\1$/, '$2')
  }
  return { text: text.slice(found[0].length), about }
}
