/**
 * Converts HTML trees into a flow. Elements that are not running text (forms, scripts, frames) are omitted.
 */

import type { Element, ElementContent, Root, RootContent } from 'hast'
import { entryOf } from '../entry-of.ts'
import { fromBase64 } from '../plugin/base64.ts'
import { pushAll } from '../push-all.ts'
import type {
  Flow,
  FlowAlign,
  FlowBlock,
  FlowCell,
  FlowInline,
  FlowItem,
  FlowPicture,
  FlowRow,
  FlowStyle,
} from './flow.ts'

type HastNode = RootContent | ElementContent

/** Maximum depth of recursion; deeper elements are reduced to their text. */
const maxDepth = 200
const pointsAPixel = 0.75
/**
 * Maximum nesting of notes. The reference of a deeper one, or of one that contains itself, is kept as text.
 */
const maxNoteDepth = 3
/**
 * Maximum total length of notes in characters. Every reference copies its note, so a small file could refer
 * to one note without end.
 */
const maxNoteLength = 10_000_000
const maxSpan = 1000

const left = new Set([
  'script',
  'style',
  'template',
  'head',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'select',
  'textarea',
  'button',
  'audio',
  'video',
  'canvas',
])
const blockNames = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'center',
  'dd',
  'details',
  'dialog',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hgroup',
  'hr',
  'html',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'summary',
  'table',
  'ul',
])
const styles: Readonly<Record<string, FlowStyle>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  var: { italic: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
  sup: { script: 'super' },
  sub: { script: 'sub' },
}

/** `about` supplies title and language that the tree does not contain. */
export function flowOf(
  root: Root,
  metadata: { readonly title?: string; readonly language?: string } = {},
): Flow {
  const reader = new HastReader(root)
  const blocks = reader.blocks(root.children, 0)
  const title = metadata.title ?? reader.title
  return { ...metadata, ...(title !== undefined && { title }), blocks, pictures: reader.pictures }
}

interface InlineFormat {
  readonly style: FlowStyle
  readonly link?: string
}

class HastReader {
  readonly pictures = new Map<string, FlowPicture>()
  title: string | undefined
  /** Notes at the end of the text, by the id that references use. */
  readonly #notes = new Map<string, Element>()
  /** Notes being read, since a note may refer to another and to itself. */
  readonly #open = new Set<Element>()
  readonly #sizes = new Map<Element, number>()
  #remainingNoteLength = maxNoteLength

  constructor(root: Root) {
    visit(root.children, 0, (element) => {
      if (element.tagName === 'title' && this.title === undefined) this.title = textOf(element).trim()
      if (element.tagName !== 'section' || element.properties['dataFootnotes'] === undefined) return
      visit(element.children, 0, (item) => {
        const id = item.properties['id']
        if (item.tagName === 'li' && typeof id === 'string') this.#notes.set(id, item)
      })
    })
  }

  /** Reads blocks; text between them becomes paragraphs. */
  blocks(nodes: readonly HastNode[], depth: number): FlowBlock[] {
    const blocks: FlowBlock[] = []
    let loose: HastNode[] = []
    const flush = () => {
      for (const block of this.#paragraph(loose, depth)) blocks.push(block)
      loose = []
    }
    for (const node of nodes) {
      if (!isBlock(node, depth)) {
        loose.push(node)
        continue
      }
      flush()
      for (const block of this.#block(node, depth + 1)) blocks.push(block)
    }
    flush()
    return blocks
  }

  #block(element: Element, depth: number): readonly FlowBlock[] {
    const { tagName, children, properties } = element
    const align = alignOf(element)
    switch (tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6': {
        const inlines = this.#inlines(children, depth)
        return inlines.length === 0
          ? []
          : [{ kind: 'heading', level: Number(tagName[1]), inlines, ...(align && { align }) }]
      }
      case 'ul':
      case 'ol':
        return [this.#list(element, depth)]
      case 'table':
        return this.#table(element, depth)
      case 'pre': {
        const code = children.find(
          (child): child is Element => child.type === 'element' && child.tagName === 'code',
        )
        const language = classOf(code)
          ?.find((name) => name.startsWith('language-'))
          ?.slice('language-'.length)
        return [{ kind: 'code', text: textOf(element), ...(language !== undefined && { language }) }]
      }
      case 'blockquote':
        return [{ kind: 'quote', blocks: this.blocks(children, depth) }]
      case 'hr':
        return [{ kind: 'rule' }]
      case 'dt':
        return this.#paragraph(children, depth, { bold: true })
      case 'dd':
        return this.blocks(children, depth).map((block) =>
          block.kind === 'paragraph' ? { ...block, indent: 18 } : block,
        )
      case 'section':
        return properties['dataFootnotes'] === undefined ? this.blocks(children, depth) : []
      default: {
        const blocks = this.blocks(children, depth)
        if (align === undefined) return blocks
        return blocks.map((block) =>
          block.kind === 'paragraph' && block.align === undefined ? { ...block, align } : block,
        )
      }
    }
  }

  #paragraph(nodes: readonly HastNode[], depth: number, style: FlowStyle = {}): readonly FlowBlock[] {
    const inlines = this.#inlines(nodes, depth, style)
    return inlines.length === 0 ? [] : [{ kind: 'paragraph', inlines }]
  }

  #list({ tagName, properties, children }: Element, depth: number): FlowBlock {
    const items: FlowItem[] = []
    for (const child of children) {
      if (child.type !== 'element' || left.has(child.tagName)) continue
      if (child.tagName === 'li') items.push(this.#item(child, depth))
      // A list directly inside a list becomes an item of its own.
      else items.push({ blocks: this.blocks([child], depth) })
    }
    const start = Number(properties['start'] ?? 1)
    return {
      kind: 'list',
      ordered: tagName === 'ol',
      start: Number.isSafeInteger(start) && start >= 0 ? start : 1,
      items,
    }
  }

  #item(item: Element, depth: number): FlowItem {
    const box = checkboxOf(item)
    const blocks = this.blocks(item.children, depth + 1)
    return { blocks, ...(box !== undefined && { checked: box.properties['checked'] === true }) }
  }

  #table(table: Element, depth: number): readonly FlowBlock[] {
    const rows: FlowRow[] = []
    const caption: FlowBlock[] = []
    let headerRows = 0
    const addRow = (row: Element, head: boolean) => {
      const cells: FlowCell[] = []
      for (const cell of row.children) {
        if (cell.type !== 'element' || (cell.tagName !== 'td' && cell.tagName !== 'th')) continue
        const align = alignOf(cell)
        const blocks = this.blocks(cell.children, depth + 1).map((block) =>
          block.kind === 'paragraph' && align !== undefined && block.align === undefined
            ? { ...block, align }
            : block,
        )
        cells.push({
          blocks,
          columns: spanOf(cell, 'colSpan'),
          rows: spanOf(cell, 'rowSpan'),
          ...(cell.tagName === 'th' && { header: true }),
        })
      }
      const all = cells.length > 0 && cells.every((cell) => cell.header === true)
      if ((head || all) && headerRows === rows.length && cells.every((cell) => cell.rows === 1)) headerRows++
      rows.push({ cells })
    }
    for (const child of table.children) {
      if (child.type !== 'element') continue
      if (child.tagName === 'caption')
        pushAll(caption, this.#paragraph(child.children, depth, { italic: true }))
      else if (child.tagName === 'tr') addRow(child, false)
      else if (['thead', 'tbody', 'tfoot'].includes(child.tagName))
        for (const row of child.children)
          if (row.type === 'element' && row.tagName === 'tr') addRow(row, child.tagName === 'thead')
    }
    const some = rows.some((row) => row.cells.length > 0)
    return some
      ? [
          ...caption,
          {
            kind: 'table',
            rows,
            headerRows: headerRows === rows.length ? Math.min(1, headerRows - 1) : headerRows,
          },
        ]
      : caption
  }

  #inlines(nodes: readonly HastNode[], depth: number, style: FlowStyle = {}): readonly FlowInline[] {
    const inlines: FlowInline[] = []
    for (const node of nodes) this.#inline(node, { style }, depth, inlines)
    return collapsed(inlines)
  }

  #inline(node: HastNode, format: InlineFormat, depth: number, into: FlowInline[]): void {
    if (node.type === 'text') {
      into.push({ kind: 'text', text: node.value, ...format })
      return
    }
    if (node.type !== 'element' || left.has(node.tagName)) return
    const { tagName, properties, children } = node
    if (tagName === 'br') into.push({ kind: 'break' })
    else if (tagName === 'img') this.#picture(node, format, into)
    else if (properties['dataFootnoteRef'] !== undefined) this.#note(node, depth, into)
    else if (properties['dataFootnoteBackref'] === undefined && depth < maxDepth) {
      const href = properties['href']
      const inner: InlineFormat = {
        style: { ...format.style, ...entryOf(styles, tagName) },
        ...(format.link !== undefined && { link: format.link }),
        ...(tagName === 'a' && typeof href === 'string' && href !== '' && { link: href }),
      }
      // An element that only wraps a note reference is not formatted, because the number is generated.
      for (const child of children)
        this.#inline(child, isNoteReference(node) ? format : inner, depth + 1, into)
    } else if (properties['dataFootnoteBackref'] === undefined)
      into.push({ kind: 'text', text: textOf(node), ...format })
  }

  #note(reference: Element, depth: number, into: FlowInline[]): void {
    const href = String(reference.properties['href'] ?? '').replace(/^#/, '')
    const item = this.#notes.get(href) ?? this.#notes.get(decoded(href))
    if (item === undefined || depth >= maxDepth) return
    const size = this.#sizes.get(item) ?? textOf(item).length + 100
    this.#sizes.set(item, size)
    if (this.#open.has(item) || this.#open.size >= maxNoteDepth || size > this.#remainingNoteLength) {
      into.push({ kind: 'text', text: textOf(reference), style: { script: 'super' } })
      return
    }
    this.#remainingNoteLength -= size
    this.#open.add(item)
    into.push({ kind: 'note', blocks: this.blocks(item.children, maxDepth - 20) })
    this.#open.delete(item)
  }

  #picture({ properties }: Element, format: InlineFormat, into: FlowInline[]): void {
    const source = String(properties['src'] ?? '')
    const text = String(properties['alt'] ?? '')
    const data = /^data:(image\/[\w.+-]+)(?:;[\w=.-]+)*;base64,/i.exec(source)
    const bytes = data === null ? undefined : fromBase64(decoded(source.slice(data[0].length)))
    if (data !== null && bytes !== undefined) {
      const name = `picture${this.pictures.size + 1}`
      this.pictures.set(name, { bytes, mime: data[1] as string })
      const side = (value: unknown) => (Number(value) > 0 ? Number(value) * pointsAPixel : undefined)
      const [width, height] = [side(properties['width']), side(properties['height'])]
      into.push({ kind: 'picture', picture: name, text, ...(width && { width }), ...(height && { height }) })
    } else if (/^https?:/i.test(source)) {
      // Remote pictures are not fetched; a link to them remains.
      into.push({ kind: 'text', text: text || source, style: format.style, link: format.link ?? source })
    } else if (text !== '') into.push({ kind: 'text', text, ...format })
  }
}

function isBlock(node: HastNode, depth: number): node is Element {
  if (node.type !== 'element' || depth >= maxDepth) return false
  if (blockNames.has(node.tagName)) return true
  // Inline elements may contain blocks nevertheless.
  return (
    !left.has(node.tagName) &&
    !(node.tagName in styles) &&
    node.tagName !== 'a' &&
    node.children.some((child) => isBlock(child, depth + 1))
  )
}

function isNoteReference({ tagName, children }: Element): boolean {
  return (
    tagName === 'sup' &&
    children.some((child) => child.type === 'element' && child.properties['dataFootnoteRef'] !== undefined)
  )
}

/** The checkbox of a task item, directly or in its first paragraph. */
function checkboxOf(item: Element): Element | undefined {
  const first = item.children.find((child) => child.type === 'element')
  if (first?.type !== 'element') return undefined
  if (first.tagName === 'input' && first.properties['type'] === 'checkbox') return first
  return first.tagName === 'p' ? checkboxOf(first) : undefined
}

/**
 * Collapses white space as HTML does: runs become one space, and none remains at the ends of a block or
 * beside a break.
 */
function collapsed(inlines: readonly FlowInline[]): readonly FlowInline[] {
  const out: FlowInline[] = []
  let blank = true
  for (const inline of inlines) {
    if (inline.kind !== 'text') {
      if (inline.kind === 'break') trimEnd(out)
      out.push(inline)
      blank = inline.kind === 'break'
      continue
    }
    let text = inline.text.replace(/[ \t\r\n\f]+/g, ' ')
    if (blank) text = text.replace(/^ /, '')
    if (text === '') continue
    blank = text.endsWith(' ')
    out.push({ ...inline, text })
  }
  trimEnd(out)
  return out
}

function trimEnd(out: FlowInline[]): void {
  const last = out.at(-1)
  if (last?.kind !== 'text' || !last.text.endsWith(' ')) return
  const text = last.text.slice(0, -1)
  if (text === '') out.pop()
  else out[out.length - 1] = { ...last, text }
}

function alignOf({ properties }: Element): FlowAlign | undefined {
  const named = properties['align'] ?? /text-align\s*:\s*(\w+)/i.exec(String(properties['style'] ?? ''))?.[1]
  const align = typeof named === 'string' ? named.toLowerCase() : undefined
  return align === 'left' || align === 'center' || align === 'right' || align === 'justify'
    ? align
    : undefined
}

function spanOf({ properties }: Element, name: 'colSpan' | 'rowSpan'): number {
  const span = Number(properties[name] ?? 1)
  return Number.isSafeInteger(span) && span > 0 ? Math.min(span, maxSpan) : 1
}

function classOf(element: Element | undefined): readonly string[] | undefined {
  const names = element?.properties['className']
  return Array.isArray(names) ? names.map(String) : undefined
}

function textOf(element: Element | Root): string {
  let text = ''
  const walk = (nodes: readonly HastNode[], depth: number) => {
    for (const node of nodes) {
      if (node.type === 'text') text += node.value
      else if (node.type === 'element' && depth < maxDepth) {
        if (node.tagName === 'br') text += '\n'
        walk(node.children, depth + 1)
      }
    }
  }
  walk(element.children, 0)
  return text
}

function visit(nodes: readonly HastNode[], depth: number, see: (element: Element) => void): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue
    see(node)
    if (depth < maxDepth) visit(node.children, depth + 1, see)
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
