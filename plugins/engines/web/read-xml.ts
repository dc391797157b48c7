import { endOfDoctype, isDoctype } from '../../../shared/xml/prologue.ts'

/** XML of an unknown vocabulary: checks that it is well-formed and indents it for readers. */

/** A token of XML 1.0 (fifth edition), 2. */
const token =
  /<!--([\s\S]*?)-->|<\?([\s\S]*?)\?>|<!\[CDATA\[[\s\S]*?\]\]>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s<>=/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y

/** The production Name (2.3), with classes of Unicode in the place of its ranges of characters. */
const validName = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u
const maxDepth = 512
/** Maximum indentation. Without it each level would make all lines below it longer. */
const maxIndent = 24

interface MarkupNode {
  readonly markup: string // of the tag, or the complete text of other tokens
  readonly children: MarkupNode[] | undefined // absent for tokens that are not elements and for empty elements
  readonly name?: string
  /** Whether there is text between its tags, where white space may not be added. */
  mixed: boolean
}

export type Checked =
  | { readonly ok: true; readonly text: string; readonly root: string }
  | { readonly ok: false; readonly because: string }

/**
 * Returns the document with one line for each element, indented by its depth; mixed content is unchanged. If the
 * document is not well-formed, returns the line and the reason.
 */
export function readXml(source: string): Checked {
  const text = source.replace(/^\ufeff/, '')
  const tree = new TreeBuilder()
  const faultAt = (offset: number, reason: string): Checked => ({
    ok: false,
    because: `line ${lineAt(text, offset)}: ${reason}`,
  })
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const offset = token.lastIndex
    const doctypeEnd = tree.isInProlog && isDoctype(text, offset) ? endOfDoctype(text, offset) : -1
    if (doctypeEnd >= 0) {
      tree.addMarkup(text.slice(offset, doctypeEnd))
      token.lastIndex = doctypeEnd
      continue
    }
    const match = token.exec(text)
    const fault = match === null ? 'a tag is not well-formed' : tree.addToken(match)
    if (fault !== undefined) return faultAt(offset, fault)
  }
  if (tree.openName !== undefined) return faultAt(text.length, `<${tree.openName}> is not closed`)
  if (tree.root === undefined) return faultAt(0, 'there is no element')
  const lines: string[] = []
  for (const node of tree.nodes) addLines(node, 0, lines)
  return { ok: true, text: lines.join('\n'), root: tree.root }
}

/** Builds the tree from tokens. What it returns, if anything, is the reason why the document is not well-formed. */
class TreeBuilder {
  /** The nodes outside of all elements and the root element, in order. */
  readonly nodes: MarkupNode[] = []
  /** The name of the root element, as soon as it has begun. */
  root: string | undefined
  /** The open elements, outermost first, below a node for the document. */
  readonly #open: MarkupNode[] = [{ markup: '', children: this.nodes, mixed: false }]

  /** Whether the root element has not begun, so that a document type declaration may follow. */
  get isInProlog(): boolean {
    return this.root === undefined
  }

  /** The name of the innermost open element. */
  get openName(): string | undefined {
    return this.#parent.name
  }

  get #parent(): MarkupNode {
    return this.#open.at(-1) as MarkupNode
  }

  addToken([markup, , , closed, opened, attributes = '', empty]: RegExpExecArray): string | undefined {
    if (closed !== undefined) return this.#close(closed)
    if (opened !== undefined) return this.#openElement(markup, opened, attributes, empty === '/')
    if (!markup.startsWith('<')) return this.#addText(markup)
    if (markup.startsWith('<![CDATA[')) this.#parent.mixed = true
    this.addMarkup(markup)
    return undefined
  }

  /** Adds a token that is not an element. */
  addMarkup(markup: string): void {
    this.#parent.children?.push({ markup, children: undefined, mixed: false })
  }

  #close(name: string): string | undefined {
    const { openName } = this
    if (openName === undefined) return `</${name}> closes nothing`
    if (openName !== name) return `</${name}> where </${openName}> should be`
    this.#open.pop()
    return undefined
  }

  #openElement(markup: string, name: string, attributes: string, isEmpty: boolean): string | undefined {
    if (!validName.test(name)) return `<${name.slice(0, 40)}> is not a valid element name`
    if (this.openName === undefined && this.root !== undefined) return 'there is a second root element'
    const repeated = repeatedAttribute(attributes)
    if (repeated !== undefined) return `the attribute ${repeated} appears twice`
    this.root ??= name
    const keepsSpace = /\sxml:space\s*=\s*["']preserve/.test(attributes) || this.#parent.mixed
    const node: MarkupNode = { markup, children: isEmpty ? undefined : [], name, mixed: keepsSpace }
    this.#parent.children?.push(node)
    if (!isEmpty) this.#open.push(node)
    return this.#open.length > maxDepth ? 'its elements are nested too deeply' : undefined
  }

  #addText(text: string): string | undefined {
    const unescaped = /&(?!(?:#\d+|#x[\da-f]+|[\p{L}_][\p{L}\p{N}_.-]*);)/iu.exec(text)
    if (unescaped !== null) return 'an & does not begin a reference'
    if (/\S/.test(text)) {
      if (this.openName === undefined) return 'text outside of the document element'
      this.#parent.mixed = true
    }
    this.addMarkup(text)
    return undefined
  }
}

/** The name of an attribute that appears twice, which XML forbids (3.1). */
function repeatedAttribute(attributes: string): string | undefined {
  const names = new Set<string>()
  for (const [, attribute = ''] of attributes.matchAll(/([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g)) {
    if (names.has(attribute)) return attribute
    names.add(attribute)
  }
  return undefined
}

/** Appends the lines of a node. White space between the tags of unmixed content is dropped. */
function addLines(node: MarkupNode, depth: number, lines: string[]): void {
  const indent = '  '.repeat(Math.min(depth, maxIndent))
  if (node.name === undefined && node.markup.trim() === '') return
  if (node.children === undefined) lines.push(indent + node.markup.trim())
  else if (node.mixed) lines.push(indent + markupOf(node))
  else {
    const lineOfTag = lines.push(indent + node.markup)
    for (const child of node.children) addLines(child, depth + 1, lines)
    if (lines.length === lineOfTag) lines[lineOfTag - 1] += `</${node.name}>`
    else lines.push(`${indent}</${node.name}>`)
  }
}

function markupOf(node: MarkupNode): string {
  if (node.children === undefined) return node.markup
  return `${node.markup}${node.children.map(markupOf).join('')}</${node.name}>`
}

/** The number of the line that holds an offset; the first line is 1. */
function lineAt(text: string, offset: number): number {
  let line = 1
  for (
    let newline = text.indexOf('\n');
    newline >= 0 && newline < offset;
    newline = text.indexOf('\n', newline + 1)
  )
    line++
  return line
}
