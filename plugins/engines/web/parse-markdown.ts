import type { Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** The parser takes time by the square of the text: beyond this it is given parts. */
const partLength = 12_000 // characters

const parse = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

/**
 * A tree as of the whole text, parsed in parts that end between blocks. `pause` is called between them: it lets others
 * work and throws when the time is over.
 */
export async function parseMarkdown(text: string, pause: () => Promise<void>): Promise<Root> {
  const parts = partsOf(text)
  if (parts.length === 1) return parse(text)
  const known = definitionsOf(text)
  const children: RootContent[] = []
  for (const part of parts) {
    await pause()
    const lent = lentTo(part, known)
    const tree = parse(lent + part)
    const own = lent === '' ? tree.children : tree.children.filter((node) => !isLent(node))
    children.push(...own)
  }
  return { type: 'root', children }
}

/** Blocks that go on over blank lines until this ends them. CommonMark 0.31, 4.5, 4.6. */
const fence = /^([\s>*+\d.)-]*)(`{3,}(?=[^`]*$)|~{3,})/
const html = /^([\s>*+\d.)-]*)<(!--|\?|!\[CDATA\[|![a-z]|(?:pre|script|style|textarea)(?=[\s>]|$))/i
const htmlEnds: Readonly<Record<string, RegExp>> = { '!--': /-->/, '?': /\?>/, '![cdata[': /\]\]>/ }
const listItem = /^( *)(?:[*+-]|\d{1,9}[.)])(?: {1,4}|$)/

/**
 * Cuts before lines that begin a block at the margin after a blank one: there every list, quote and note has ended. Never
 * inside of fences and of HTML that goes on over blank lines.
 */
export function partsOf(text: string): readonly string[] {
  if (text.length <= partLength) return [text]
  const parts: string[] = []
  let begun = 0
  let open: { readonly end: RegExp; readonly contained: boolean } | undefined
  let itemIndent = Number.POSITIVE_INFINITY // of what stands in the outermost item of the list that may be open
  let blank = true
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end + 1
    const line = text.slice(at, next).replace(/[\r\n]+$/, '')
    const atMargin = /^[^\s>]/.test(line)
    // What stands in a list or a quote ends with it.
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
  const [, indent = '', mark] = fence.exec(line) ?? []
  if (mark !== undefined) {
    const end = new RegExp(`^[\\s>]*\\${mark[0]}{${mark.length},}\\s*$`)
    return { end, contained: contained(indent) }
  }
  const [, before = '', kind] = html.exec(line) ?? []
  if (kind === undefined) return undefined
  const end =
    htmlEnds[kind.toLowerCase()] ?? (kind.startsWith('!') ? />/ : /<\/(pre|script|style|textarea)>/i)
  const rest = line.slice(line.indexOf('<') + 1 + kind.length)
  return end.test(rest) ? undefined : { end, contained: contained(before) }
}

/** What a part may name that stands in another: links by name, and notes. */
function definitionsOf(text: string): ReadonlySet<string> {
  const found = text.matchAll(/^[ >]*\[((?:[^[\]\\]|\\.){1,999})\]:/gm)
  return new Set([...found].map(([, label]) => identifierOf(label!)))
}

/** Names are the same in any case and spacing. CommonMark 0.31, 4.7. */
const identifierOf = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase()

/** Only told to the parser, so that it takes names for names; the real ones are found by whoever walks the tree. */
const lender = 'platen:lent'

function lentTo(part: string, known: ReadonlySet<string>): string {
  if (known.size === 0) return ''
  const own = definitionsOf(part)
  const lent = new Set<string>()
  for (const [, label] of part.matchAll(/\[((?:[^[\]\\]|\\.){1,999})\]/g)) {
    const name = identifierOf(label!)
    if (known.has(name) && !own.has(name)) lent.add(label!.replace(/\s+/g, ' '))
  }
  // A note would take what follows indented; a link does not.
  const last = lent.size === 0 ? [] : ['platen lent']
  return [...lent, ...last].map((label) => `[${label}]: ${lender}\n\n`).join('')
}

function isLent(node: RootContent): boolean {
  if (node.type === 'definition') return node.url === lender
  if (node.type !== 'footnoteDefinition') return false
  const [first] = node.children
  const [word] = first?.type === 'paragraph' ? first.children : []
  return node.children.length === 1 && word?.type === 'text' && word.value === lender
}
