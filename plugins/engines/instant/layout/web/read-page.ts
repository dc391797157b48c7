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

/** The maximum number of characters of a title or of another piece of metadata. */
const maxMetadataLength = 2000
/** Document types of limited-quirks mode (HTML Standard, 13.2.6.4.1), which is treated like standards mode. */
const limitedQuirks =
  /<!doctype\s+html\s+public\s+["']-\/\/w3c\/\/dtd (?:xhtml 1\.0 (?:transitional|frameset)\/\/|html 4\.01 (?:transitional|frameset)\/\/[^"'>]*["']\s*["'])/i

export function readPage(html: string): WebSource {
  const root = fromHtml(html)
  const head: PageHead = {
    sheets: [],
    metadata: new Map(),
    title: '',
    scripts: false,
    running: false,
    language: undefined,
  }
  const waiting: (Root | Element)[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of node.children.toReversed()) if (child.type === 'element') waiting.push(child)
    if (node.type === 'element') readElement(node, head)
  }
  const { sheets, metadata, title, scripts, running, language } = head
  const [author, subject, keywords] = ['author', 'description', 'keywords'].map((name) => metadata.get(name))
  return {
    root,
    sheet: sheets.join('\n'),
    quirks: root.data?.quirksMode === true && !limitedQuirks.test(html.slice(0, maxMetadataLength)),
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

/** What the elements of a page declare for the page, as far as they have been read. */
interface PageHead {
  readonly sheets: string[]
  /** The contents of `meta` elements by their name in lower case. */
  readonly metadata: Map<string, string>
  title: string
  scripts: boolean
  running: boolean
  language: string | undefined
}

function readElement(element: Element, head: PageHead): void {
  if ('dataPageHeader' in element.properties || 'dataPageFooter' in element.properties) head.running = true
  switch (element.tagName) {
    case 'style':
      head.sheets.push(styleSheetOf(element))
      return
    case 'script': {
      const type = attributeOf(element, 'type') ?? ''
      if (type === '' || /javascript|module|ecmascript/i.test(type)) head.scripts = true
      return
    }
    case 'title':
      if (head.title === '') head.title = textOf(element).trim().slice(0, maxMetadataLength)
      return
    case 'html':
      head.language = attributeOf(element, 'lang')
      return
    case 'meta': {
      const name = attributeOf(element, 'name')?.toLowerCase()
      const content = attributeOf(element, 'content') ?? ''
      if (name !== undefined) head.metadata.set(name, content.slice(0, maxMetadataLength))
      return
    }
    default:
  }
}

/** The `media` attribute of a `style` element applies as an `@media` rule. */
function styleSheetOf(element: Element): string {
  const media = attributeOf(element, 'media') ?? ''
  const rules = textOf(element)
  return media.trim() === '' ? rules : `@media ${media.replace(/[{}]/g, '')}{${rules}}`
}

const textOf = ({ children }: Element): string =>
  children.map((child) => (child.type === 'text' ? child.value : '')).join('')
