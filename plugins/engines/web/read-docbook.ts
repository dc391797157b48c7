/** Reads DocBook 4 and 5 into the flow model. Source: DocBook 5.2, the elements of articles and books. */

import { entryOf } from '../../../shared/entry-of.ts'
import type { Flow, FlowBlock, FlowInline, FlowRow, FlowStyle } from '../../../shared/flow/flow.ts'
import type { Vocabulary } from '../../../shared/xml/cursor.ts'
import { prologueOf } from '../../../shared/xml/prologue.ts'
import { type Element, elements, first, parseTree, textOf } from '../../../shared/xml/read-tree.ts'

/** The namespace of links in DocBook 5; its elements are known by their local names, with which version 4 has them. */
const links: Vocabulary = {
  prefixes: new Map([['http://www.w3.org/1999/xlink', 'xlink']]),
  understood: new Set(),
}

const sections = new Set(
  `book part chapter appendix preface article section sect1 sect2 sect3 sect4 sect5 simplesect refsection refsect1
  refsect2 glossary bibliography dedication colophon acknowledgements reference refentry topic`.split(/\s+/),
)
const unread = new Set(
  'info articleinfo bookinfo chapterinfo sectioninfo sect1info title subtitle titleabbrev indexterm remark toc index'.split(
    ' ',
  ),
)
const code = new Set(['programlisting', 'screen', 'literallayout', 'synopsis', 'address'])
const boxes = new Set(['note', 'tip', 'warning', 'caution', 'important', 'blockquote', 'epigraph', 'sidebar'])
const styles: Readonly<Record<string, FlowStyle>> = {
  emphasis: { italic: true },
  citetitle: { italic: true },
  firstterm: { italic: true },
  foreignphrase: { italic: true },
  replaceable: { italic: true },
  superscript: { script: 'super' },
  subscript: { script: 'sub' },
  ...Object.fromEntries(
    `code literal command filename function varname option parameter classname constant computeroutput userinput
    methodname property envar tag sgmltag systemitem type keycap`
      .split(/\s+/)
      .map((name) => [name, { code: true }]),
  ),
}

const maxSpan = 1000

/** Throws XmlFault. */
export function readDocbook(text: string): Flow {
  // Version 4 begins with a document type, which is skipped.
  const withoutPrologue = text.slice(prologueOf(text)?.end ?? 0)
  const root = withoutPrefix(parseTree(withoutPrologue, { vocabulary: links }))
  const name = titleOf(root)
  const language = root.attributes.get('xml:lang') ?? root.attributes.get('lang')
  return {
    ...(name !== '' && { title: name }),
    ...(language !== undefined && { language }),
    blocks: section(root, 1),
    pictures: new Map(),
  }
}

/** Removes prefixes that a file uses for the vocabulary. Attributes keep those of XLink and XML. */
function withoutPrefix(element: Element): Element {
  return {
    name: element.name.replace(/^.*:/, ''),
    attributes: element.attributes,
    children: element.children.map((child) => (typeof child === 'string' ? child : withoutPrefix(child))),
  }
}

function titleElement(parent: Element): Element | undefined {
  const direct = first(parent, 'title')
  if (direct !== undefined) return direct
  for (const child of elements(parent))
    if (child.name.endsWith('info')) {
      const inside = first(child, 'title')
      if (inside !== undefined) return inside
    }
  return undefined
}

const titleOf = (parent: Element): string => squeezed(textOf(titleElement(parent))).trim()

function section(parent: Element, level: number): readonly FlowBlock[] {
  const heading = titleElement(parent)
  const id = parent.attributes.get('xml:id') ?? parent.attributes.get('id')
  const head: readonly FlowBlock[] =
    heading === undefined
      ? []
      : [
          {
            kind: 'heading',
            level: Math.min(level, 6),
            inlines: trimmed(inlinesOf(heading, {})),
            ...(id !== undefined && { anchors: [id] }),
          },
        ]
  return [...head, ...blocksOf(parent, level)]
}

function blocksOf(parent: Element, level: number): readonly FlowBlock[] {
  const blocks: FlowBlock[] = []
  let loose: FlowInline[] = []
  const flush = () => {
    const inlines = trimmed(loose)
    if (inlines.length > 0) blocks.push({ kind: 'paragraph', inlines })
    loose = []
  }
  for (const child of parent.children) {
    if (typeof child !== 'string' && isBlock(child)) {
      flush()
      for (const block of blockOf(child, level)) blocks.push(block)
    } else for (const inline of inlineOf(child, {})) loose.push(inline)
  }
  flush()
  return blocks
}

const containers = new Set(
  'para simpara formalpara itemizedlist orderedlist variablelist simplelist procedure table informaltable figure informalfigure example informalexample mediaobject qandaset bridgehead abstract legalnotice refnamediv refsynopsisdiv'.split(
    ' ',
  ),
)

function isBlock({ name }: Element): boolean {
  return sections.has(name) || unread.has(name) || code.has(name) || boxes.has(name) || containers.has(name)
}

function blockOf(element: Element, level: number): readonly FlowBlock[] {
  const { name } = element
  if (unread.has(name)) return []
  if (sections.has(name)) return section(element, level + 1)
  if (code.has(name)) {
    const language = element.attributes.get('language')
    const text = textOf(element).replace(/^\n/, '').trimEnd()
    return [{ kind: 'code', text, ...(language !== undefined && { language }) }]
  }
  if (boxes.has(name))
    return [{ kind: 'quote', blocks: [...captionOf(element), ...blocksOf(element, level)] }]
  switch (name) {
    case 'itemizedlist':
    case 'orderedlist':
    case 'procedure':
    case 'simplelist':
      return [...captionOf(element), listOf(element, level)]
    case 'variablelist':
      return [...captionOf(element), ...variables(element, level)]
    case 'table':
    case 'informaltable':
      return [...captionOf(element), tableOf(element, level)]
    case 'bridgehead':
      return [{ kind: 'heading', level: Math.min(level + 1, 6), inlines: trimmed(inlinesOf(element, {})) }]
    default:
      return [...captionOf(element), ...blocksOf(element, level)]
  }
}

/** Titles of elements that are not sections become bold paragraphs. */
function captionOf(element: Element): readonly FlowBlock[] {
  const caption = first(element, 'title')
  if (caption === undefined) return []
  return [{ kind: 'paragraph', inlines: trimmed(inlinesOf(caption, { bold: true })) }]
}

function listOf(element: Element, level: number): FlowBlock {
  const items = [...elements(element)]
    .filter(({ name }) => name === 'listitem' || name === 'step' || name === 'member')
    .map((item) => ({ blocks: blocksOf(item, level) }))
  const start = Number(element.attributes.get('startingnumber') ?? 1)
  const ordered = element.name === 'orderedlist' || element.name === 'procedure'
  return { kind: 'list', ordered, start: Number.isFinite(start) ? start : 1, items }
}

function variables(element: Element, level: number): readonly FlowBlock[] {
  return [...elements(element, 'varlistentry')].flatMap((entry) => [
    ...[...elements(entry, 'term')].map(
      (term): FlowBlock => ({ kind: 'paragraph', inlines: trimmed(inlinesOf(term, { bold: true })) }),
    ),
    ...[...elements(entry, 'listitem')].map(
      (item): FlowBlock => ({ kind: 'quote', blocks: blocksOf(item, level) }),
    ),
  ])
}

/** Reads tables in the CALS form (`tgroup`) and in that of HTML. */
function tableOf(element: Element, level: number): FlowBlock {
  const group = first(element, 'tgroup') ?? element
  const columns = new Map(
    [...elements(group, 'colspec')].map(({ attributes }, at) => [attributes.get('colname'), at]),
  )
  const rowsOf = (part: Element | undefined): readonly FlowRow[] =>
    [...elements(part)]
      .filter(({ name }) => name === 'row' || name === 'tr')
      .map((row) => ({
        cells: [...elements(row)].map((cell) => {
          const { attributes } = cell
          const [from, to] = [attributes.get('namest'), attributes.get('nameend')].map((name) =>
            name === undefined ? undefined : columns.get(name),
          )
          const named = from !== undefined && to !== undefined && to > from ? to - from + 1 : 1
          return {
            blocks: blocksOf(cell, level),
            columns: span(Math.max(named, Number(attributes.get('colspan')) || 1)),
            rows: span(
              attributes.has('morerows')
                ? 1 + (Number(attributes.get('morerows')) || 0)
                : Number(attributes.get('rowspan')) || 1,
            ),
          }
        }),
      }))
  const head = rowsOf(first(group, 'thead'))
  const bodies = [...elements(group, 'tbody')].flatMap(rowsOf)
  return {
    kind: 'table',
    headerRows: head.length,
    rows: [...head, ...bodies, ...rowsOf(group), ...rowsOf(first(group, 'tfoot'))],
  }
}

const span = (count: number): number => Math.max(1, Math.min(maxSpan, Math.floor(count)))

function stylesOf({ name, attributes }: Element): FlowStyle {
  const role = attributes.get('role')
  if (name === 'emphasis' && (role === 'bold' || role === 'strong')) return { bold: true }
  return entryOf(styles, name) ?? {}
}

function inlinesOf(element: Element, style: FlowStyle, link?: string): readonly FlowInline[] {
  return element.children.flatMap((child) => inlineOf(child, style, link))
}

function inlineOf(child: Element | string, style: FlowStyle, link?: string): readonly FlowInline[] {
  if (typeof child === 'string') return textInline(child, style, link)
  const { attributes, name } = child
  if (unread.has(name) || name === 'anchor') return []
  if (name === 'footnote') return [{ kind: 'note', blocks: blocksOf(child, 1) }]
  if (name === 'quote')
    return [
      ...textInline('“', style, link),
      ...inlinesOf(child, style, link),
      ...textInline('”', style, link),
    ]
  const target = attributes.get('xlink:href') ?? attributes.get('url')
  const within = attributes.get('linkend')
  const address = target ?? (within === undefined ? link : `#${within}`)
  const inside = inlinesOf(child, { ...style, ...stylesOf(child) }, address)
  // A link without text shows its address.
  return inside.length === 0 && target !== undefined ? textInline(target, style, target) : inside
}

function textInline(text: string, style: FlowStyle, link?: string): readonly FlowInline[] {
  const squeezedText = squeezed(text)
  return squeezedText === ''
    ? []
    : [{ kind: 'text', text: squeezedText, style, ...(link !== undefined && { link }) }]
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ')

/** Removes blanks at the ends. */
function trimmed(inlines: readonly FlowInline[]): readonly FlowInline[] {
  let begins = 0
  while (isBlank(inlines[begins])) begins++
  const list = inlines.slice(begins)
  const [head] = list
  if (head?.kind === 'text') list[0] = { ...head, text: head.text.trimStart() }
  while (isBlank(list.at(-1))) list.pop()
  const last = list.at(-1)
  if (last?.kind === 'text') list[list.length - 1] = { ...last, text: last.text.trimEnd() }
  return list
}

const isBlank = (inline: FlowInline | undefined): boolean =>
  inline?.kind === 'text' && inline.text.trim() === ''
