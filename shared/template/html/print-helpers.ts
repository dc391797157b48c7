/**
 * Elements of a page that say how it is printed: `<x-pdf-header>`, `<x-pdf-footer>` and `<x-pdf-options>`, with any prefix. They
 * are removed from the page and become options of its conversion to PDF. Source: template language 24.7.
 */

import type { PrintOptions } from '../../plugin/contract.ts'

export interface PrintHelpers {
  readonly html: string // without them
  /** As `formatOptions` names them. */
  readonly options: Readonly<Record<string, unknown>>
}

const helper = /<((?:[a-z][\w.]*-)*pdf-(header|footer|options))(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/gi

/** Undefined for a page without such elements. */
export function takePrintHelpers(html: string): PrintHelpers | undefined {
  let out = ''
  let from = 0
  const elements: { kind: string; attributes: string; content: string }[] = []
  helper.lastIndex = 0
  for (let found = helper.exec(html); found !== null; found = helper.exec(html)) {
    const [whole, name = '', kind = '', attributes = ''] = found
    let end = found.index + whole.length
    let content = ''
    if (!attributes.endsWith('/')) {
      const close = new RegExp(`</${name.replaceAll('.', '\\.')}\\s*>`, 'gi')
      close.lastIndex = end
      const closing = close.exec(html)
      // Options have no content, so their end tag may be missing.
      if (closing !== null) {
        content = html.slice(end, closing.index)
        end = closing.index + closing[0].length
      } else if (kind.toLowerCase() !== 'options') {
        content = html.slice(end)
        end = html.length
      }
    }
    elements.push({ kind: kind.toLowerCase(), attributes, content: content.trim() })
    out += html.slice(from, found.index)
    from = end
    helper.lastIndex = end
  }
  if (elements.length === 0) return undefined
  const last = (kind: string) => elements.findLast((element) => element.kind === kind)
  const asked = last('options')
  const said = attributesOf(asked?.attributes ?? '')
  const shows = said.get('display-header-footer') !== 'false'
  const header = shows ? last('header')?.content : undefined
  const footer = shows ? last('footer')?.content : undefined
  return {
    html: out + html.slice(from),
    options: {
      ...(asked === undefined ? {} : optionsOf(said)),
      ...(header === undefined ? {} : { HeaderTemplate: header }),
      ...(footer === undefined ? {} : { FooterTemplate: footer }),
    },
  }
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+)))?/g)
  return new Map(
    [...found].map(([, name = '', a, b, c]) => [
      name.toLowerCase(),
      (a ?? b ?? c ?? 'true').trim().toLowerCase(),
    ]),
  )
}

const papers = new Set('letter legal tabloid ledger a0 a1 a2 a3 a4 a5 a6'.split(' '))
const usualMargin = 0.5 // inches

function optionsOf(said: ReadonlyMap<string, string>): Record<string, unknown> {
  const number = (name: string) => {
    const value = Number.parseFloat(said.get(name) ?? '')
    return value >= 0 && value < 200 ? value : undefined
  }
  const margin = (side: string) => `${number(`margin-${side}`) ?? usualMargin}in`
  const options: Record<string, unknown> = {
    MarginTop: margin('top'),
    MarginBottom: margin('bottom'),
    MarginLeft: margin('left'),
    MarginRight: margin('right'),
  }
  const size = said.get('paper-size') ?? ''
  const [width, height] = [number('paper-width'), number('paper-height')]
  if (papers.has(size)) options['PaperSize'] = size
  else if (width !== undefined || height !== undefined)
    options['PaperSize'] = `${width ?? 8.27}in ${height ?? 11.7}in`
  if (said.get('landscape') === 'true') options['Landscape'] = true
  if (said.get('print-background') === 'false') options['PrintBackground'] = false
  if (said.get('generate-tagged-pdf') === 'true') options['UseTaggedPDF'] = true
  const scale = number('scale')
  if (scale !== undefined) options['Scale'] = Math.min(Math.max(scale, 0.1), 2)
  const pages = said.get('page-ranges') ?? ''
  if (/^[\d\s,-]+$/.test(pages)) options['PageRange'] = pages.replace(/\s/g, '')
  return options
}

/** The same for the bytes of a page. */
export function takePrintOptions(bytes: Uint8Array): PrintOptions | undefined {
  const found = takePrintHelpers(new TextDecoder().decode(bytes))
  return found && { bytes: new TextEncoder().encode(found.html), options: found.options }
}
