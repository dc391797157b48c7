/**
 * Converts a web page into a flat OpenDocument text, from which an office makes every other format. In: HTML.
 * Out: the document that the page shows, in named styles. Order: the tree (`tree.ts`) with the cascade of its
 * sheets (`css/cascade.ts`), then its blocks (`blocks.ts`) as nodes of a document (`odf/nodes.ts`), then
 * these as XML (`odf/document.ts`). Pure: no address in the page is fetched.
 */
import type { Element, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../shared/css/selector.ts'
import type { Outcome, Warning } from '../../../../shared/plugin/values.ts'
import type { BlockContext } from './block-tools.ts'
import { BlockWriter } from './blocks.ts'
import {
  alignOf,
  boxValues,
  inheritedByContent,
  lineHeight,
  noBox,
  textAttributes,
} from './odf/attributes.ts'
import { PageOdfStyles, writeOdfPage } from './odf/document.ts'
import type { OdfNode } from './odf/nodes.ts'
import { paperOf } from './paper.ts'
import { Pictures } from './pictures.ts'
import { Tree } from './tree.ts'
import { Widths } from './widths.ts'

const tooMuch: Warning = {
  code: 'web.styles-left-out',
  message:
    'The style sheets of the page take too much work, so some of their rules were not applied. Use fewer or simpler rules.',
}

/** Converts the text of a page to the text of the document. Elements nested deeper than 200 are dropped. */
export function documentOfPage(html: string): Outcome<string> {
  const root = fromHtml(html)
  const facts = factsOf(root)
  const tree = new Tree(facts.sheets.join('\n'), root.data?.quirksMode === true)
  const top = root.children.find(
    (child): child is Element => child.type === 'element' && child.tagName === 'html',
  )
  const styles = new PageOdfStyles()
  const pictures = new Pictures()
  const widths = new Widths(tree, (styled) => pictures.of(styled)?.width ?? styled.style.length('width') ?? 0)
  const running = new Map<'header' | 'footer', Element>()
  for (const element of facts.running)
    running.set(attributeOf(element, 'data-page-header') !== undefined ? 'header' : 'footer', element)
  const writer = new BlockWriter({ tree, styles, widths, pictures }, facts.linked, new Set(running.values()))
  if (top === undefined) throw new Error('A page has a root.')
  const rootElement = tree.root(top)
  const body = tree.elements(rootElement).find((element) => element.element.tagName === 'body') ?? rootElement
  const setting = paperOf(tree.cascade.page, body.style)
  const context: BlockContext = {
    width: setting.width - setting.margin.left - setting.margin.right,
    left: 0,
    right: 0,
    base: 'Text_20_body',
    inherited: inheritedByContent(body.style, {}),
    cell: false,
    lists: 0,
  }
  const { background: _, ...inherited } = context.inherited
  const outer: BlockContext = { ...context, inherited }
  const aside = (kind: 'header' | 'footer'): readonly OdfNode[] => {
    const element = running.get(kind)
    const styled = element && find(tree, body, element)
    return styled === undefined ? [] : writer.running(styled, outer)
  }
  const [header, footer] = [aside('header'), aside('footer')]
  const nodes = writer.inside(() => writer.children(body, tree.children(body), outer))
  const value = writeOdfPage(
    {
      meta: metaOf(facts),
      language:
        attributeOf(rootElement.element, 'lang') ?? attributeOf(rootElement.element, 'xmllang') ?? 'en',
      setting,
      standard: { layout: standardLayout(body), text: textAttributes(body.style, {}) },
      nodes: nodes.length === 0 ? [writer.empty(body.style, outer)] : nodes,
      header,
      footer,
    },
    styles,
  )
  return {
    value,
    warnings: tree.cascade.gaveUp ? [tooMuch] : [],
  }
}

function standardLayout({ style }: StyledElement): Map<string, string> {
  return new Map<string, string>([
    ['fo:margin-left', '0pt'],
    ['fo:margin-right', '0pt'],
    ['fo:text-indent', '0pt'],
    ['fo:text-align', alignOf(style)],
    ['fo:line-height', lineHeight(style)],
    ...boxValues(noBox),
    ['style:writing-mode', style.word('direction') === 'rtl' ? 'rl-tb' : 'lr-tb'],
    ['fo:keep-with-next', 'auto'],
    ['fo:keep-together', 'auto'],
  ])
}

interface Facts {
  readonly sheets: string[]
  readonly linked: Set<string>
  readonly running: Element[]
  readonly information: Map<string, string>
  title: string
}

function factsOf(root: Root): Facts {
  const facts: Facts = {
    sheets: [],
    linked: new Set(),
    running: [],
    information: new Map(),
    title: '',
  }
  const waiting: (Root | Element)[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of node.children.toReversed()) if (child.type === 'element') waiting.push(child)
    if (node.type === 'element') inspectElement(node, facts)
  }
  return facts
}

const informationNames = ['author', 'description', 'keywords']

function inspectElement(element: Element, facts: Facts): void {
  const { tagName, properties, children } = element
  const text = () => children.map((child) => (child.type === 'text' ? child.value : '')).join('')
  if (tagName === 'style') facts.sheets.push(text())
  else if (tagName === 'title' && facts.title === '') facts.title = text().trim().slice(0, 2000)
  else if (tagName === 'meta') {
    const name = String(properties['name'] ?? '').toLowerCase()
    if (informationNames.includes(name))
      facts.information.set(name, String(properties['content'] ?? '').slice(0, 2000))
  }
  const href = properties['href']
  if (tagName === 'a' && typeof href === 'string' && href.startsWith('#') && href.length > 1)
    facts.linked.add(decoded(href.slice(1)))
  for (const name of ['data-page-header', 'data-page-footer'])
    if (
      attributeOf(element, name) !== undefined &&
      !facts.running.some((element) => attributeOf(element, name) !== undefined)
    )
      facts.running.push(element)
}

function metaOf({ title, information }: Facts): Readonly<Record<string, string>> {
  const { author, description, keywords } = Object.fromEntries(information)
  return {
    ...(title !== '' && { 'dc:title': title }),
    ...(description && { 'dc:description': description }),
    ...(keywords && { 'meta:keyword': keywords }),
    ...(author && { 'meta:initial-creator': author, 'dc:creator': author }),
  }
}

function find(tree: Tree, from: StyledElement, element: Element): StyledElement | undefined {
  for (const child of tree.elements(from)) {
    const facts = child.element === element ? child : find(tree, child, element)
    if (facts !== undefined) return facts
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
