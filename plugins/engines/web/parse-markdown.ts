import type { Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { entryOf } from '../../../shared/entry-of.ts'
import { pushAll } from '../../../shared/push-all.ts'

/** The time of the parser grows with the square of the text. Longer texts are parsed in parts. */
const partLength = 12_000 // characters

const parse = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

/**
 * Returns the same tree as for the complete text, which is parsed in parts that end between blocks. `pause`
 * is called between them: it yields to other work and throws when the deadline has passed.
 */
export async function parseMarkdown(text: string, pause: () => Promise<void>): Promise<Root> {
  const parts = partsOf(text)
  if (parts.length === 1) return parse(text)
  const definitions = definitionsOf(text)
  const children: RootContent[] = []
  for (const part of parts) {
    await pause()
    const prepended = definitionsFor(part, definitions)
    const tree = parse(prepended + part)
    const nodes = prepended === '' ? tree.children : tree.children.filter((node) => !isPrepended(node))
    pushAll(children, nodes)
  }
  return { type: 'root', children }
}

/** Blocks that continue over blank lines until this pattern ends them. CommonMark 0.31, 4.5, 4.6. */
const fence = /^([\s>*+\d.)-]*)(`{3,}(?=[^`]*$)|~{3,})/
const html = /^([\s>*+\d.)-]*)<(!--|\?|!\[CDATA\[|![a-z]|(?:pre|script|style|textarea)(?=[\s>]|$))/i
const htmlEnds: Readonly<Record<string, RegExp>> = { '!--': /-->/, '?': /\?>/, '![cdata[': /\]\]>/ }
const listItem = /^( *)(?:[*+-]|\d{1,9}[.)])(?: {1,4}|$)/

/**
 * Splits the text before lines that begin a block at the margin after a blank line, where every list, quote
 * and note has ended. Never splits inside fences and HTML that continue over blank lines.
 */
export function partsOf(text: string): readonly string[] {
  if (text.length <= partLength) return [text]
  const parts: string[] = []
  let begun = 0
  let open: { readonly end: RegExp; readonly contained: boolean } | undefined
  let itemIndent = Number.POSITIVE_INFINITY // indentation of the content in the outermost item of the list that may be open
  let blank = true
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end + 1
    const line = text.slice(at, next).replace(/[\r\n]+$/, '')
    const atMargin = /^[^\s>]/.test(line)
    // A fence inside a list or a quote ends with that list or quote.
    if (open?.contained && atMargin) open = undefined
    if (open !== undefined) {
      if (open.end.test(line)) open = undefined
    } else {
      if (blank && at - begun >= partLength && /^[\p{L}#|]/u.test(line)) {
        parts.push(text.slice(begun, at))
        begun = at
      }
      const item = listItem.exec(line)
      if (item !== null) itemIndent = Math.min(itemIndent, item[0].length)
      else if (blank && atMargin) itemIndent = Number.POSITIVE_INFINITY
      open = opened(line, itemIndent)
    }
    blank = /^\s*$/.test(line)
    at = next
  }
  parts.push(text.slice(begun))
  return parts
}

function opened(
  line: string,
  itemIndent: number,
): { readonly end: RegExp; readonly contained: boolean } | undefined {
  const contained = (before: string) => /\S/.test(before) || before.length >= itemIndent
  const [, indent = '', opening] = fence.exec(line) ?? []
  if (opening !== undefined) {
    const end = new RegExp(`^[\\s>]*\\${opening[0]}{${opening.length},}\\s*$`)
    return { end, contained: contained(indent) }
  }
  const [, before = '', kind] = html.exec(line) ?? []
  if (kind === undefined) return undefined
  const end =
    entryOf(htmlEnds, kind.toLowerCase()) ?? (kind.startsWith('!') ? />/ : /<\/(pre|script|style|textarea)>/i)
  const rest = line.slice(line.indexOf('<') + 1 + kind.length)
  return end.test(rest) ? undefined : { end, contained: contained(before) }
}

/** The definitions of link references and notes that other parts may refer to. */
function definitionsOf(text: string): ReadonlySet<string> {
  const labels = text.matchAll(/^[ >]*\[((?:[^[\]\\]|\\.){1,999})\]:/gm)
  return new Set([...labels].map(([, label = '']) => identifierOf(label)))
}

/** Normalizes a name: case and white space do not matter. CommonMark 0.31, 4.7. */
const identifierOf = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase()

/**
 * These definitions only make the parser recognize references. The real ones are found when the tree is
 * walked.
 */
const placeholder = 'platen:prepended'

function definitionsFor(part: string, definitions: ReadonlySet<string>): string {
  if (definitions.size === 0) return ''
  const ownDefinitions = definitionsOf(part)
  const missing = new Set<string>()
  for (const [, label = ''] of part.matchAll(/\[((?:[^[\]\\]|\\.){1,999})\]/g)) {
    const name = identifierOf(label)
    if (definitions.has(name) && !ownDefinitions.has(name)) missing.add(label.replace(/\s+/g, ' '))
  }
  // A note would include the indented text that follows it; a link definition does not.
  const last = missing.size === 0 ? [] : ['platen prepended']
  return [...missing, ...last].map((label) => `[${label}]: ${placeholder}\n\n`).join('')
}

function isPrepended(node: RootContent): boolean {
  if (node.type === 'definition') return node.url === placeholder
  if (node.type !== 'footnoteDefinition') return false
  const [first] = node.children
  const [word] = first?.type === 'paragraph' ? first.children : []
  return node.children.length === 1 && word?.type === 'text' && word.value === placeholder
}
