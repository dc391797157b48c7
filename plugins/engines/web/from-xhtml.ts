import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { entryOf } from '../../../shared/entry-of.ts'
import { escaped } from '../../../shared/flow/write-html.ts'
import { endOfDoctype, isDoctype } from '../../../shared/xml/prologue.ts'

/** The void elements of HTML (HTML Standard, 13.1.2). Every other element needs an end tag. */
const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Rewrites XHTML in the syntax of HTML, replacing constructs that only XML has. Never fails: HTML has no syntax errors. */
export function fromXhtml(text: string): string {
  const tree = fromHtml(htmlSyntax(text.replace(/^\ufeff/, '')))
  for (const node of tree.children) {
    if (node.type !== 'element' || node.tagName !== 'html') continue
    const { properties } = node
    properties['lang'] ??= properties['xmlLang']
    delete properties['xmlns']
    delete properties['xmlLang']
  }
  const children = tree.children.filter(({ type }) => type !== 'doctype')
  return `<!DOCTYPE html>\n${toHtml({ ...tree, children }, { allowDangerousCharacters: true })}\n`
}

const tag = /<([A-Za-z][\w.-]*)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y
/** Elements whose content is not markup in HTML, by name, with their end tags. */
const rawTextEnds: Readonly<Record<string, RegExp>> = {
  script: /<\/script\s*>/g,
  style: /<\/style\s*>/g,
}

/** What a construct of XML becomes in HTML, and the offset after the construct. */
interface Rewritten {
  readonly html: string
  readonly end: number
}

/**
 * Rewrites one construct after the other. The search ends at a construct that is never closed, and the remaining text is kept
 * unchanged; so every position is searched once.
 */
function htmlSyntax(text: string): string {
  let html = ''
  let at = 0
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', at)) {
    html += text.slice(at, open)
    at = open
    const rewritten = rewriteMarkup(text, open)
    if (rewritten === undefined) break
    html += rewritten.html
    at = rewritten.end
  }
  return html + text.slice(at)
}

/** Rewrites the construct that begins with the `<` at a position. Returns undefined if it is never closed. */
function rewriteMarkup(text: string, start: number): Rewritten | undefined {
  if (text.startsWith('<!--', start)) {
    const close = text.indexOf('-->', start + 4)
    return close < 0 ? undefined : { html: text.slice(start, close + 3), end: close + 3 }
  }
  if (text.startsWith(sectionStart, start)) {
    const close = text.indexOf(']]>', start)
    if (close < 0) return undefined
    return { html: escaped(text.slice(start + sectionStart.length, close)), end: close + 3 }
  }
  if (text.startsWith('<?', start)) {
    const close = text.indexOf('?>', start)
    return close < 0 ? undefined : { html: '', end: close + 2 }
  }
  if (isDoctype(text, start)) {
    const end = endOfDoctype(text, start)
    return end < 0 ? undefined : { html: '', end }
  }
  return rewriteStartTag(text, start)
}

const sectionStart = '<![CDATA['

/** Rewrites a start tag, with the content of scripts and styles. End tags and a single `<` are kept. */
function rewriteStartTag(text: string, start: number): Rewritten | undefined {
  tag.lastIndex = start
  const [markup, name = '', attributes = '', slash] = tag.exec(text) ?? []
  if (markup === undefined) return { html: '<', end: start + 1 }
  const end = start + markup.length
  const startTag = `<${name}${attributes}>`
  if (slash === '/') return { html: voidElements.has(name) ? startTag : `${startTag}</${name}>`, end }
  const endTag = entryOf(rawTextEnds, name)
  if (endTag === undefined) return { html: startTag, end }
  endTag.lastIndex = end
  const contentEnd = endTag.exec(text)?.index
  if (contentEnd === undefined) return undefined
  return { html: startTag + withoutSections(text.slice(end, contentEnd)), end: contentEnd }
}

/**
 * Removes the CDATA sections that hide scripts and styles from XML, and the comments that hide these sections
 * from scripts.
 */
const withoutSections = (inside: string): string =>
  inside.replace(/(?:\/\*\s*|\/\/\s*)?<!\[CDATA\[(?:\s*\*\/)?|(?:\/\*\s*|\/\/\s*)?\]\]>(?:\s*\*\/)?/g, '')
