import { endOfDoctype, isDoctype } from '../../../shared/xml/prologue.ts'

/** XML of an unknown vocabulary: checks that it is well-formed and indents it for readers. */

/** A token of XML 1.0 (fifth edition), 2. */
const token =
  /<!--([\s\S]*?)-->|<\?([\s\S]*?)\?>|<!\[CDATA\[[\s\S]*?\]\]>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s<>=/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y

const name = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u
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
  const top: MarkupNode = { markup: '', children: [], mixed: false }
  const open: MarkupNode[] = [top]
  let root: string | undefined
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const wrong = (reason: string): Checked => ({ ok: false, because: `line ${lineAt(text, at)}: ${reason}` })
    const doctype = isDoctype(text, at) ? endOfDoctype(text, at) : -1
    if (doctype >= 0 && open.length === 1 && root === undefined) {
      top.children?.push({ markup: text.slice(at, doctype), children: undefined, mixed: false })
      token.lastIndex = doctype
      continue
    }
    const match = token.exec(text)
    if (match === null) return wrong('a tag is not well-formed')
    const [markup, , , closed, opened, attributes = '', empty] = match
    const parent = open.at(-1) as MarkupNode
    if (closed !== undefined) {
      if (open.length === 1) return wrong(`</${closed}> closes nothing`)
      if (parent.name !== closed) return wrong(`</${closed}> where </${parent.name}> should be`)
      open.pop()
    } else if (opened !== undefined) {
      if (!name.test(opened)) return wrong(`<${opened.slice(0, 40)}> is not a valid element name`)
      if (open.length === 1 && root !== undefined) return wrong('there is a second root element')
      const twice = repeated(attributes)
      if (twice !== undefined) return wrong(`the attribute ${twice} appears twice`)
      root ??= opened
      const keepsSpace = /\sxml:space\s*=\s*["']preserve/.test(attributes) || parent.mixed
      const node: MarkupNode = {
        markup,
        children: empty === '/' ? undefined : [],
        name: opened,
        mixed: keepsSpace,
      }
      parent.children?.push(node)
      if (empty !== '/') open.push(node)
      if (open.length > maxDepth) return wrong('its elements are nested too deeply')
    } else if (markup.startsWith('<')) {
      if (markup.startsWith('<![CDATA[')) parent.mixed = true
      parent.children?.push({ markup, children: undefined, mixed: false })
    } else {
      const reference = /&(?!(?:#\d+|#x[\da-f]+|[\p{L}_][\p{L}\p{N}_.-]*);)/iu.exec(markup)
      if (reference !== null) return wrong('an & does not begin a reference')
      if (/\S/.test(markup)) {
        if (open.length === 1) return wrong('text outside of the document element')
        parent.mixed = true
      }
      parent.children?.push({ markup, children: undefined, mixed: false })
    }
  }
  const last = open.at(-1) as MarkupNode
  if (open.length > 1)
    return { ok: false, because: `line ${lineAt(text, text.length)}: <${last.name}> is not closed` }
  if (root === undefined) return { ok: false, because: 'line 1: there is no element' }
  const all: string[] = []
  for (const node of top.children ?? []) addLines(node, 0, all)
  return { ok: true, text: all.join('\n'), root }
}

function repeated(attributes: string): string | undefined {
  const seen = new Set<string>()
  for (const [, attribute = ''] of attributes.matchAll(/([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g)) {
    if (seen.has(attribute)) return attribute
    seen.add(attribute)
  }
  return undefined
}

function addLines(node: MarkupNode, depth: number, to: string[]): void {
  const indent = '  '.repeat(Math.min(depth, maxIndent))
  if (node.name === undefined && node.markup.trim() === '') return
  if (node.children === undefined) to.push(indent + node.markup.trim())
  else if (node.mixed) to.push(indent + markupOf(node))
  else {
    const before = to.push(indent + node.markup)
    for (const child of node.children) addLines(child, depth + 1, to)
    if (to.length === before) to[before - 1] += `</${node.name}>`
    else to.push(`${indent}</${node.name}>`)
  }
}

function markupOf(node: MarkupNode): string {
  if (node.children === undefined) return node.markup
  return `${node.markup}${node.children.map(markupOf).join('')}</${node.name}>`
}

function lineAt(text: string, at: number): number {
  let line = 1
  for (
    let newline = text.indexOf('\n');
    newline >= 0 && newline < at;
    newline = text.indexOf('\n', newline + 1)
  )
    line++
  return line
}
