import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Nodes, Root, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** The Markdown pages of the repository, parsed with the same library as the pages at `/docs`. */

export const root = new URL('../../', import.meta.url).pathname

export interface Page {
  readonly path: string // from the root of the repository
  readonly source: string
  readonly tree: Root
}

const pages = new Map<string, Page>()

/** Each page is parsed once: another page may link to it a hundred times. */
export function readPage(path: string): Page {
  const known = pages.get(path)
  if (known !== undefined) return known
  const source = readFileSync(join(root, path), 'utf8')
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const page = { path, source, tree }
  pages.set(path, page)
  return page
}

/** README.md and every page below docs/. */
export function docPages(): readonly Page[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  return ['README.md', ...below.toSorted()].map(readPage)
}

/** All nodes of one type, in the order of the page. */
export function nodesOf<Type extends Nodes['type']>(
  tree: Nodes,
  type: Type,
): Extract<Nodes, { type: Type }>[] {
  const found: Extract<Nodes, { type: Type }>[] = []
  const visit = (node: Nodes): void => {
    if (node.type === type) found.push(node as Extract<Nodes, { type: Type }>)
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(tree)
  return found
}

export function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** The anchor that GitHub, and the pages at `/docs`, give a heading. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const anchorsByTree = new WeakMap<Root, ReadonlySet<string>>()

/** Anchors of a page: equal headings are numbered from the second one on. */
export function anchorsOf(tree: Root): ReadonlySet<string> {
  const anchors = anchorsByTree.get(tree) ?? findAnchors(tree)
  anchorsByTree.set(tree, anchors)
  return anchors
}

function findAnchors(tree: Root): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const heading of nodesOf(tree, 'heading')) {
    const slug = slugOf(textOf(heading))
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  for (const { value } of nodesOf(tree, 'html'))
    for (const [, id = ''] of value.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(id)
  return anchors
}

/** The cells of a table as text, the first row being its head. */
export const rowsOf = (table: Table): readonly (readonly string[])[] =>
  table.children.map((row) => row.children.map(textOf))
