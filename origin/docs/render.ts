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
import { type DocSource, docSections, docSources, idOf, pathOfPicture } from './source.ts'

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
    JSON.stringify(sources.map((source, sourceIndex) => searchEntry(source, bodies[sourceIndex]!))),
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
  readonly rows: readonly Row[]
}
/** A row of a table that explains a name: a code, a setting, an option, an endpoint. */
interface Row {
  readonly id: string
  readonly text: string
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
  const tables: Element[] = []
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
      if (child.tagName === 'table') {
        tables.push(child)
        node.children[index] = scrolling(child)
      }
    })
  }
  visit(tree)
  // After all headings, whose anchors other pages and sites link to.
  const rows = tables.flatMap((table) => addRowAnchors(table, usedIds))
  return { html: toHtml(tree), headings, rows }
}

function addAnchor(heading: Element, level: number, usedIds: Set<string>): Heading {
  const text = textOf(heading)
  const id = unusedId(slugOf(text), usedIds)
  heading.properties['id'] = id
  return { level, id, text }
}

function unusedId(slug: string, usedIds: Set<string>): string {
  let id = slug
  for (let count = 1; usedIds.has(id); count++) id = `${slug}-${count}`
  usedIds.add(id)
  return id
}

/** Rows that begin with code get an address, so that the search leads to them. Examples, whose code is a template, do not. */
function addRowAnchors(table: Element, usedIds: Set<string>): readonly Row[] {
  const [head, ...rows] = elementsOf(table).flatMap(elementsOf)
  if (head === undefined || textOf(elementsOf(head)[0] ?? head) === 'template') return []
  return rows.flatMap((row) => {
    const [cell] = elementsOf(row)
    if (cell?.children[0]?.type !== 'element' || cell.children[0].tagName !== 'code') return []
    const id = unusedId(slugOf(textOf(cell)), usedIds)
    row.properties['id'] = id
    // The second cell holds another name of the same thing, such as the environment variable of a setting.
    const names = elementsOf(row)
      .slice(0, 2)
      .filter(({ children }) => children.every(isCodeOrBlank))
    return [{ id, text: names.length === 0 ? textOf(cell) : names.map(textOf).join(' ') }]
  })
}

const isCodeOrBlank = (node: ElementContent): boolean =>
  node.type === 'element' ? node.tagName === 'code' : node.type === 'text' && /^[\s,]*$/.test(node.value)

const elementsOf = ({ children }: Element): readonly Element[] =>
  children.filter((child) => child.type === 'element')

/** The anchor of a heading, in the form that GitHub generates. */
const slugOf = (heading: string): string =>
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

/** What the search of every page knows of one page: its id, its title, and the text and anchor of its headings and rows. */
type SearchEntry = readonly [
  id: string,
  title: string,
  targets: readonly (readonly [text: string, anchor: string])[],
]

function searchEntry({ id, title }: DocSource, { headings, rows }: Body): SearchEntry {
  if (id.startsWith('decisions-')) return [id, title, []]
  const targets = [...headings.filter(({ level }) => level === 2 || level === 3), ...rows]
  return [id, title, targets.map(({ id: anchor, text }) => [text, anchor])]
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
  const listed = docSections().map(({ heading, ids }) => {
    const links = ids.flatMap((id) => sources.find((page) => page.id === id) ?? []).map(link)
    return `${heading === '' ? '' : `<p>${escapeHtml(heading)}</p>`}<ul>${links.join('')}</ul>`
  })
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
<nav class="pages" aria-label="Pages"><details open><summary>Pages</summary>${listed.join('')}</details></nav>
<main id="main">${contents}${body.html}</main>
</div>
<script type="application/json" id="index">${index}</script>
<script>${script}</script>
</body>
</html>
`
}
