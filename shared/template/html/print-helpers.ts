/**
 * Elements of a page that say how it is printed: `<x-pdf-header>`, `<x-pdf-footer>` and `<x-pdf-options>`, with any prefix. They
 * are removed from the page and become options of its conversion to PDF. Source: template language 24.7.
 */

import type { Token } from 'parse5'
import type { PrintOptions } from '../../plugin/values.ts'
import { tokenizeHtml } from './tokenize.ts'

/** The print options and print content that the helper tags of a page declare. */
export interface PrintHelpers {
  readonly html: string // without them
  /** The options by their names in `formatOptions`. */
  readonly options: Readonly<Record<string, unknown>>
}

const helperName = /^(?:[a-z][\w.]*-)*pdf-(header|footer|options)$/
/** Cheap test that decides whether a page is tokenized at all. */
const mayHaveHelper = /pdf-(?:header|footer|options)/i

interface HelperTag {
  readonly name: string
  readonly kind: string // header, footer or options
  readonly isEnd: boolean
  /** The start tag is self-closing. */
  readonly isEmpty: boolean
  readonly attributes: readonly Token.Attribute[]
  readonly start: number
  readonly end: number
}

function helperTags(html: string): readonly HelperTag[] {
  const helpers: HelperTag[] = []
  const add = (isEnd: boolean) => (tag: Token.TagToken) => {
    const kind = helperName.exec(tag.tagName)?.[1]
    if (kind === undefined || tag.location === null) return
    const { startOffset: start, endOffset: end } = tag.location
    helpers.push({
      name: tag.tagName,
      kind,
      isEnd,
      isEmpty: tag.selfClosing,
      attributes: tag.attrs,
      start,
      end,
    })
  }
  tokenizeHtml(html, { onStartTag: add(false), onEndTag: add(true) })
  return helpers
}

/** The helper elements in document order, each with the first matching end tag after it. */
function helperElements(html: string): readonly (HelperTag & { readonly close: HelperTag | undefined })[] {
  const ends = new Map<string, HelperTag>()
  const elements: (HelperTag & { close: HelperTag | undefined })[] = []
  for (const tag of helperTags(html).toReversed()) {
    if (tag.isEnd) ends.set(tag.name, tag)
    else elements.push({ ...tag, close: tag.isEmpty ? undefined : ends.get(tag.name) })
  }
  return elements.reverse()
}

/** Returns undefined for a page without helper elements. */
export function takePrintHelpers(html: string): PrintHelpers | undefined {
  if (!mayHaveHelper.test(html)) return undefined
  let output = ''
  let from = 0
  const elements: { kind: string; attributes: readonly Token.Attribute[]; content: string }[] = []
  for (const { kind, attributes, close, isEmpty, start, end } of helperElements(html)) {
    if (start < from) continue
    // Options have no content, so their end tag may be missing.
    const runsToEnd = close === undefined && !isEmpty && kind !== 'options'
    const content = runsToEnd ? html.slice(end) : close === undefined ? '' : html.slice(end, close.start)
    elements.push({ kind, attributes, content: content.trim() })
    output += html.slice(from, start)
    from = runsToEnd ? html.length : (close?.end ?? end)
  }
  if (elements.length === 0) return undefined
  const last = (kind: string) => elements.findLast((element) => element.kind === kind)
  const options = last('options')
  const declared = valuesOf(options?.attributes ?? [])
  const shows = declared.get('display-header-footer') !== 'false'
  const header = shows ? last('header')?.content : undefined
  const footer = shows ? last('footer')?.content : undefined
  return {
    html: output + html.slice(from),
    options: {
      ...(options === undefined ? {} : optionsOf(declared)),
      ...(header === undefined ? {} : { HeaderTemplate: header }),
      ...(footer === undefined ? {} : { FooterTemplate: footer }),
    },
  }
}

/** An attribute without a value counts as set. */
const valuesOf = (attributes: readonly Token.Attribute[]): ReadonlyMap<string, string> =>
  new Map(
    attributes.map(({ name, value }) => [name, value === '' ? 'true' : value.trim().toLowerCase()] as const),
  )

const papers = new Set('letter legal tabloid ledger a0 a1 a2 a3 a4 a5 a6'.split(' '))
const defaultMargin = 0.5 // inches

function optionsOf(declared: ReadonlyMap<string, string>): Record<string, unknown> {
  const number = (name: string) => {
    const value = Number.parseFloat(declared.get(name) ?? '')
    return value >= 0 && value < 200 ? value : undefined
  }
  const margin = (side: string) => `${number(`margin-${side}`) ?? defaultMargin}in`
  const options: Record<string, unknown> = {
    MarginTop: margin('top'),
    MarginBottom: margin('bottom'),
    MarginLeft: margin('left'),
    MarginRight: margin('right'),
  }
  const size = declared.get('paper-size') ?? ''
  const [width, height] = [number('paper-width'), number('paper-height')]
  if (papers.has(size)) options['PaperSize'] = size
  else if (width !== undefined || height !== undefined)
    options['PaperSize'] = `${width ?? 8.27}in ${height ?? 11.7}in`
  if (declared.get('landscape') === 'true') options['Landscape'] = true
  if (declared.get('print-background') === 'false') options['PrintBackground'] = false
  if (declared.get('generate-tagged-pdf') === 'true') options['UseTaggedPDF'] = true
  const scale = number('scale')
  if (scale !== undefined) options['Scale'] = Math.min(Math.max(scale, 0.1), 2)
  const pages = declared.get('page-ranges') ?? ''
  if (/^[\d\s,-]+$/.test(pages)) options['PageRange'] = pages.replace(/\s/g, '')
  return options
}

/** Like `takePrintHelpers`, for the bytes of a page. */
export function takePrintOptions(bytes: Uint8Array): PrintOptions | undefined {
  if (!mentionsHelper(bytes)) return undefined
  const helpers = takePrintHelpers(new TextDecoder().decode(bytes))
  return helpers && { bytes: new TextEncoder().encode(helpers.html), options: helpers.options }
}

/** Whether the bytes have the beginning of the name of a helper. Most pages have not, and are not decoded for it. */
function mentionsHelper(bytes: Uint8Array): boolean {
  const [p, d, f, dash] = [0x70, 0x64, 0x66, 0x2d]
  const isLetter = (at: number, letter: number) => ((bytes[at] ?? 0) | 0x20) === letter // of either case
  for (let at = bytes.indexOf(dash); at !== -1; at = bytes.indexOf(dash, at + 1))
    if (isLetter(at - 1, f) && isLetter(at - 2, d) && isLetter(at - 3, p)) return true
  return false
}
