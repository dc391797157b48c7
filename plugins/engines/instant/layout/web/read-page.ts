/** Parses a web page: its tree, its style sheets and its metadata. */
import type { Element, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { DocumentInformation } from '../../../../../shared/document/document.ts'

export interface WebSource {
  readonly root: Root
  /** All style sheets, concatenated. */
  readonly sheet: string
  /** The page has no document type, so it is laid out in quirks mode. */
  readonly quirks: boolean
  /** The page is laid out in quirks or limited-quirks mode, so line heights follow the text alone (Quirks Mode Standard, 3.3). */
  readonly quirkLines: boolean
  readonly scripts: boolean
  /** The page defines running elements for the margins of every page. */
  readonly running: boolean
  readonly language: string | undefined
  readonly information: DocumentInformation
}

const longest = 2000
/** Document types of limited-quirks mode (HTML Standard, 13.2.6.4.1), which is treated like standards mode. */
const limitedQuirks =
  /<!doctype\s+html\s+public\s+["']-\/\/w3c\/\/dtd (?:xhtml 1\.0 (?:transitional|frameset)\/\/|html 4\.01 (?:transitional|frameset)\/\/[^"'>]*["']\s*["'])/i

export function readPage(html: string): WebSource {
  const root = fromHtml(html)
  const sheets: string[] = []
  const named = new Map<string, string>()
  let [title, scripts, language]: [string, boolean, string | undefined] = ['', false, undefined]
  let running = false
  const waiting: (Root | Element)[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of node.children.toReversed()) if (child.type === 'element') waiting.push(child)
    if (node.type !== 'element') continue
    const text = () =>
      node.type === 'element'
        ? node.children.map((child) => (child.type === 'text' ? child.value : '')).join('')
        : ''
    const media = attributeOf(node, 'media')
    if ('dataPageHeader' in node.properties || 'dataPageFooter' in node.properties) running = true
    if (node.tagName === 'style') {
      // The `media` attribute of the element applies as an `@media` rule.
      sheets.push(
        media === undefined || media.trim() === ''
          ? text()
          : `@media ${media.replace(/[{}]/g, '')}{${text()}}`,
      )
    } else if (node.tagName === 'script') {
      const type = attributeOf(node, 'type') ?? ''
      if (type === '' || /javascript|module|ecmascript/i.test(type)) scripts = true
    } else if (node.tagName === 'title' && title === '') title = text().trim().slice(0, longest)
    else if (node.tagName === 'html') language = attributeOf(node, 'lang')
    else if (node.tagName === 'meta') {
      const name = attributeOf(node, 'name')?.toLowerCase()
      if (name !== undefined) named.set(name, (attributeOf(node, 'content') ?? '').slice(0, longest))
    }
  }
  const [author, subject, keywords] = [named.get('author'), named.get('description'), named.get('keywords')]
  return {
    root,
    sheet: sheets.join('\n'),
    quirks: root.data?.quirksMode === true && !limitedQuirks.test(html.slice(0, longest)),
    quirkLines: root.data?.quirksMode === true,
    scripts,
    running,
    language,
    information: {
      ...(title !== '' && { title }),
      ...(author && { author }),
      ...(subject && { subject }),
      ...(keywords && { keywords }),
      ...(language && { language }),
    },
  }
}
