/**
 * Renders the documentation as web pages: each Markdown file becomes one self-contained HTML file with its style,
 * script and pictures. `source.ts` lists the files; `thread.ts` and `write.ts` render all pages at once.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import type { DocPage } from '../../shared/ports/docs.ts'
import { type DocSource, docSources, idOf, pathOfPicture } from './source.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8')

/** All pages by their id. */
export function renderDocs(): Readonly<Record<string, DocPage>> {
  const sources = docSources()
  const style = read('page.css')
  const script = read('page.js')
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const bodies = sources.map((source) => renderBody(source))
  const index = escapeJson(
    JSON.stringify(bodies.flatMap((body, sourceIndex) => entriesOf(sources[sourceIndex]!, body))),
  )
  const pages = sources.map((source, sourceIndex): [string, DocPage] => {
    const html = pageHtml({ source, sources, body: bodies[sourceIndex]!, style, script, index })
    const etag = `"${createHash('sha256').update(html).digest('hex').slice(0, 32)}"`
    return [source.id, { etag, policy, html }]
  })
  return Object.fromEntries(pages)
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

interface Body {
  readonly html: string
  readonly headings: readonly Heading[]
}
interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

function renderBody(source: DocSource): Body {
  const mdast = fromMarkdown(source.markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const tree = toHast(mdast) as Root // raw HTML is dropped: pages contain only HTML comments
  const headings: Heading[] = []
  const usedIds = new Set<string>()
  const visit = (node: Nodes): void => {
    if (!('children' in node)) return
    node.children.forEach((child, index) => {
      if (child.type !== 'element') return
      visit(child)
      const level = /^h([1-6])$/.exec(child.tagName)?.[1]
      if (level !== undefined) headings.push(addAnchor(child, Number(level), usedIds))
      if (child.tagName === 'a') redirect(source, child)
      if (child.tagName === 'img')
        child.properties['src'] = pictureOf(source, String(child.properties['src'] ?? ''))
      if (child.tagName === 'table') node.children[index] = scrolling(child)
    })
  }
  visit(tree)
  return { html: toHtml(tree), headings }
}

function addAnchor(heading: Element, level: number, usedIds: Set<string>): Heading {
  const text = textOf(heading)
  const slug = slugOf(text)
  let id = slug
  for (let count = 1; usedIds.has(id); count++) id = `${slug}-${count}`
  usedIds.add(id)
  heading.properties['id'] = id
  return { level, id, text }
}

/** The anchor of a heading, in the form that GitHub generates. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** Links are redirected to other pages; a link to a file that is not served becomes text. */
function redirect(source: DocSource, link: Element): void {
  const href = linkOf(source, String(link.properties['href'] ?? ''))
  if (href === undefined) {
    link.tagName = 'span'
    delete link.properties['href']
  } else link.properties['href'] = href
}

function linkOf({ path }: DocSource, href: string): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
  const [file = '', anchor] = href.split('#')
  const id = idOf(posix.normalize(posix.join(posix.dirname(path), file)))
  if (id === undefined) return undefined
  return `/docs${id === 'index' ? '' : `/${id}`}${anchor === undefined ? '' : `#${anchor}`}`
}

function pictureOf({ path }: DocSource, src: string): string {
  const bytes = readFileSync(pathOfPicture(posix.join(posix.dirname(path), src)))
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** Wide tables scroll horizontally, so that the page itself never does on a phone. */
function scrolling(table: Element): ElementContent {
  const properties = { className: ['table'], tabIndex: 0 }
  return { type: 'element', tagName: 'div', properties, children: [table] }
}

/** The entries of the search on every page: titles and headings, with their addresses. */
function entriesOf({ id, title }: DocSource, { headings }: Body): readonly (readonly [string, string])[] {
  const address = id === 'index' ? '/docs' : `/docs/${id}`
  const searched = id.startsWith('decisions-')
    ? headings.slice(0, 1)
    : headings.filter(({ level }) => level <= 3)
  return searched.map(({ level, id: anchor, text }) =>
    level === 1 ? [text, address] : [`${title} › ${text}`, `${address}#${anchor}`],
  )
}

/** Text inside a script element must not contain its end tag. */
const escapeJson = (json: string) => json.replaceAll('<', '\\u003c')
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function pageHtml(parts: {
  readonly source: DocSource
  readonly sources: readonly DocSource[]
  readonly body: Body
  readonly style: string
  readonly script: string
  readonly index: string
}): string {
  const { source, sources, body, style, script, index } = parts
  const link = ({ id, title }: DocSource) =>
    `<li><a href="/docs${id === 'index' ? '' : `/${id}`}"${id === source.id ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`
  const listed = sources.filter(({ id }) => !id.startsWith('decisions-')).map(link)
  const sections = body.headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
  const contents =
    sections.length > 2
      ? `<details class="contents"><summary>On this page</summary><ul>${sections.join('')}</ul></details>`
      : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(source.title)} · platen</title>
<style>${style}</style>
</head>
<body>
<header>
<a class="home" href="/docs">platen</a>
<label class="search">Search <input type="search" id="search" autocomplete="off" aria-controls="results"></label>
</header>
<nav aria-label="Search results"><ul id="results" hidden></ul></nav>
<div class="columns">
<nav class="pages" aria-label="Pages"><details open><summary>Pages</summary><ul>${listed.join('')}</ul></details></nav>
<main id="main">${contents}${body.html}</main>
</div>
<script type="application/json" id="index">${index}</script>
<script>${script}</script>
</body>
</html>
`
}
