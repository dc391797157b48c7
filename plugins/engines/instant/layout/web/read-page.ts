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
  /** The page has style sheets on servers, which are not fetched. */
  readonly outsideSheets: boolean
  readonly language: string | undefined
  readonly information: DocumentInformation
}

/** The maximum number of characters of a title or of another piece of metadata. */
const maxMetadataLength = 2000
/** Document types of limited-quirks mode (HTML Standard, 13.2.6.4.1), which is treated like standards mode. */
const limitedQuirks =
  /<!doctype\s+html\s+public\s+["']-\/\/w3c\/\/dtd (?:xhtml 1\.0 (?:transitional|frameset)\/\/|html 4\.01 (?:transitional|frameset)\/\/[^"'>]*["']\s*["'])/i

export function readPage(html: string): WebSource {
  const root = fromHtml(withAbsoluteSizes(html))
  const head: PageHead = {
    sheets: [],
    metadata: new Map(),
    title: '',
    scripts: false,
    running: false,
    outsideSheets: false,
    language: undefined,
  }
  const waiting: (Root | Element)[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of node.children.toReversed()) if (child.type === 'element') waiting.push(child)
    if (node.type === 'element') readElement(node, head)
  }
  const { sheets, metadata, title, scripts, running, outsideSheets, language } = head
  const [author, subject, keywords] = ['author', 'description', 'keywords'].map((name) => metadata.get(name))
  return {
    root,
    sheet: sheets.join('\n'),
    quirks: root.data?.quirksMode === true && !limitedQuirks.test(html.slice(0, maxMetadataLength)),
    quirkLines: root.data?.quirksMode === true,
    scripts,
    running,
    outsideSheets,
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

/** The parser reads the sizes of `font` as numbers, without the sign of those that are relative to size 3. */
const withAbsoluteSizes = (html: string): string =>
  html.replace(
    /(<font\b[^<>]{0,200}?\ssize\s*=\s*["']?)\+(\d)/gi,
    (_, before: string, by: string) => `${before}${Math.min(7, 3 + Number(by))}`,
  )

/** What the elements of a page declare for the page, as far as they have been read. */
interface PageHead {
  readonly sheets: string[]
  /** The contents of `meta` elements by their name in lower case. */
  readonly metadata: Map<string, string>
  title: string
  scripts: boolean
  running: boolean
  outsideSheets: boolean
  language: string | undefined
}

function readElement(element: Element, head: PageHead): void {
  if ('dataPageHeader' in element.properties || 'dataPageFooter' in element.properties) head.running = true
  switch (element.tagName) {
    case 'link':
      readLink(element, head)
      return
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

/** A style sheet in a data address is read. One on a server is not fetched; other addresses lead nowhere in any engine. */
function readLink(element: Element, head: PageHead): void {
  const isSheet = /(?:^|\s)stylesheet(?:\s|$)/i.test(attributeOf(element, 'rel') ?? '')
  const address = attributeOf(element, 'href') ?? ''
  const media = attributeOf(element, 'media') ?? ''
  if (!isSheet || /^\s*screen\s*$/i.test(media)) return
  const data = /^data:text\/css([^,]*),([\s\S]*)$/i.exec(address.trim())
  if (data === null) {
    if (/^(?:https?:)?\/\//i.test(address.trim())) head.outsideSheets = true
    return
  }
  const [, type = '', content = ''] = data
  const rules = /;\s*base64\s*$/i.test(type) ? decodedBase64(content) : decodedUri(content)
  head.sheets.push(inMedia(media, rules))
}

const decodedUri = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
const decodedBase64 = (text: string): string => {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(decodedUri(text)), (sign) => sign.charCodeAt(0)))
  } catch {
    return ''
  }
}

/** The `media` attribute of a `style` element applies as an `@media` rule. */
function styleSheetOf(element: Element): string {
  return inMedia(attributeOf(element, 'media') ?? '', textOf(element))
}

const inMedia = (media: string, rules: string): string =>
  media.trim() === '' ? rules : `@media ${media.replace(/[{}]/g, '')}{${rules}}`

const textOf = ({ children }: Element): string =>
  children.map((child) => (child.type === 'text' ? child.value : '')).join('')
