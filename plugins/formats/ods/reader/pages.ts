import type {
  CellFont,
  HeaderLine,
  HeaderRun,
  HeaderText,
  PrintScale,
  SheetHeader,
  SheetHeaders,
  SheetPage,
} from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf, setEntry } from '../../../../shared/entry-of.ts'
import { exactLength, percent } from '../../../../shared/office/opendocument/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { formatOf, type SheetStyles, spanFont } from './styles.ts'

/** The page layouts and master pages by name (ODF 1.3 part 3, 16.5, 16.9). */
export interface PageStyles {
  readonly layouts: Map<string, PageLayout>
  readonly masters: Map<string, MasterPage>
}
interface PageLayout {
  readonly page: ReadonlyMap<string, string>
  readonly header: ReadonlyMap<string, string>
  readonly footer: ReadonlyMap<string, string>
}
interface MasterPage {
  readonly layout: string
  readonly header?: SheetHeaders
  readonly footer?: SheetHeaders
}

export const newPageStyles = (): PageStyles => ({ layouts: new Map(), masters: new Map() })

const maxPages = 10_000
const inch = 72
const letter = [8.5 * inch, 11 * inch] as const
/** The margin of pages that specify none, in pt. Observed in LibreOffice. */
const defaultMargin = 56.7

/** Reads style:page-layout at the cursor. */
export function readPageLayout(cursor: XmlCursor, { layouts }: PageStyles): void {
  const name = cursor.attribute('style:name') ?? ''
  let page = new Map<string, string>()
  let [header, footer] = [new Map<string, string>(), new Map<string, string>()]
  const inner = (): Map<string, string> => {
    let attributes = new Map<string, string>()
    cursor.each((child) => {
      if (child === 'style:header-footer-properties') attributes = new Map(cursor.attributes())
    })
    return attributes
  }
  cursor.each((child) => {
    if (child === 'style:page-layout-properties') page = new Map(cursor.attributes())
    else if (child === 'style:header-style') header = inner()
    else if (child === 'style:footer-style') footer = inner()
  })
  if (layouts.size < maxPages) layouts.set(name, { page, header, footer })
}

/** Reads style:master-page at the cursor. */
export function readMasterPage(cursor: XmlCursor, { masters }: PageStyles, styles: SheetStyles): void {
  const name = cursor.attribute('style:name') ?? ''
  const layout = cursor.attribute('style:page-layout-name') ?? ''
  const headersByElement: Record<string, SheetHeader> = {}
  cursor.each((child) => {
    if (cursor.attribute('style:display') !== 'false' && /^style:(?:header|footer)/.test(child))
      setEntry(headersByElement, child, readHeader(cursor, styles))
  })
  const headers = (kind: 'header' | 'footer'): SheetHeaders | undefined => {
    const all = entryOf(headersByElement, `style:${kind}`)
    const [first, even] = [
      entryOf(headersByElement, `style:${kind}-first`),
      entryOf(headersByElement, `style:${kind}-left`),
    ]
    return all && { all, ...(first !== undefined && { first }), ...(even !== undefined && { even }) }
  }
  const [header, footer] = [headers('header'), headers('footer')]
  if (masters.size < maxPages)
    masters.set(name, {
      layout,
      ...(header !== undefined && { header }),
      ...(footer !== undefined && { footer }),
    })
}

/** Reads the text of a header: one centred paragraph, or regions. */
function readHeader(cursor: XmlCursor, styles: SheetStyles): SheetHeader {
  const header: Record<'left' | 'center' | 'right', HeaderLine[]> = { left: [], center: [], right: [] }
  const font = formatOf(styles, undefined).font
  const paragraphs = (region: keyof typeof header) => (child: string) => {
    if (child === 'text:p' && header[region].length < 100) header[region].push(readLine(cursor, styles, font))
  }
  cursor.each((child) => {
    const region = /^style:region-(left|center|right)$/.exec(child)?.[1] as keyof typeof header | undefined
    if (region === undefined) paragraphs('center')(child)
    else cursor.each(paragraphs(region))
  })
  return header
}

const maxRuns = 200

function readLine(cursor: XmlCursor, styles: SheetStyles, inherited: CellFont): HeaderLine {
  const runs: HeaderRun[] = []
  const add = (font: CellFont, text: HeaderText): void => {
    if (runs.length < maxRuns) runs.push({ font, text })
  }
  const visit = (font: CellFont): void =>
    cursor.each(
      (name) => {
        if (name === 'text:span') visit(spanFont(styles, cursor.attribute('text:style-name'), font))
        else if (name === 'text:s') add(font, { kind: 'text', text: ' ' })
        else if (name === 'text:tab') add(font, { kind: 'text', text: '\t' })
        else {
          const field = entryOf(fields, name)
          if (field !== undefined) add(font, field)
          else add(font, { kind: 'text', text: cursor.text() })
        }
      },
      (text) => {
        if (text !== '') add(font, { kind: 'text', text: text.replace(/\s+/g, ' ') })
      },
    )
  visit(inherited)
  return runs
}
const fields: Readonly<Record<string, HeaderText>> = {
  'text:page-number': { kind: 'page', add: 0 },
  'text:page-count': { kind: 'pages' },
  'text:sheet-name': { kind: 'sheet' },
  'text:file-name': { kind: 'file' },
  'text:date': { kind: 'date' },
  'text:time': { kind: 'time' },
}

const defaultFont: CellFont = { family: 'Liberation Sans', size: 10 }
const defaultHeader = (...texts: readonly HeaderText[]): SheetHeaders => ({
  all: { left: [], center: [texts.map((text) => ({ font: defaultFont, text }))], right: [] },
})
/**
 * The page set-up of sheets without any: a header with the sheet name and a footer with the page number. Observed in
 * LibreOffice.
 */
const defaultMaster: MasterPage = {
  layout: '',
  header: defaultHeader({ kind: 'sheet' }),
  footer: defaultHeader({ kind: 'text', text: 'Page ' }, { kind: 'page', add: 0 }),
}
/** The height of the header of such sheets including the space below it, and this space, in pt. */
const defaultHeaderHeight = 21.25
const defaultSpacing = 7.1

/** The print settings of a table besides its master page. */
export interface TablePrinting
  extends Pick<SheetPage, 'areas' | 'repeatRows' | 'repeatColumns' | 'rowBreaks' | 'columnBreaks'> {}

/** Resolves the page set-up of a sheet. */
export function pageOf(
  { layouts, masters }: PageStyles,
  master: string | undefined,
  printing: TablePrinting,
): SheetPage {
  const masterPage =
    masters.get(master ?? '') ?? masters.get('Default') ?? [...masters.values()][0] ?? defaultMaster
  const layout = layouts.get(masterPage.layout)
  const of = (name: string): string | undefined => layout?.page.get(name)
  const isWide = of('style:print-orientation') === 'landscape'
  const [width = isWide ? letter[1] : letter[0], height = isWide ? letter[0] : letter[1]] = [
    sizeOf(of('fo:page-width')),
    sizeOf(of('fo:page-height')),
  ]
  const margin = (side: string): number =>
    Math.max(0, exactLength(of(`fo:margin-${side}`)) ?? exactLength(of('fo:margin')) ?? defaultMargin)
  const [top, bottom] = [margin('top'), margin('bottom')]
  const centering = of('style:table-centering') ?? 'none'
  const first = Number(of('style:first-page-number'))
  const printed = new Set((of('style:print') ?? '').split(/\s+/))
  const page: Writable<SheetPage> = {
    ...printing,
    width,
    height,
    margins: {
      left: margin('left'),
      right: margin('right'),
      top: top + (masterPage.header === undefined ? 0 : extentOf(layout?.header)),
      bottom: bottom + (masterPage.footer === undefined ? 0 : extentOf(layout?.footer)),
      header: top,
      footer: bottom,
    },
    scale: scaleOf(of),
    order: of('style:print-page-order') === 'ltr' ? 'across' : 'down',
    centerAcross: centering === 'both' || centering === 'horizontal',
    centerDown: centering === 'both' || centering === 'vertical',
    gridLines: printed.has('grid'),
    headings: printed.has('headers'),
    ...(isWide && of('fo:page-width') === undefined && { turnsPaper: true }),
  }
  if (first >= 1) page.firstPage = Math.min(1_000_000, Math.floor(first))
  const spacing = (properties: ReadonlyMap<string, string> | undefined, side: 'top' | 'bottom'): number =>
    Math.max(0, exactLength(properties?.get(`fo:margin-${side}`)) ?? defaultSpacing)
  if (masterPage.header !== undefined)
    page.header = { ...masterPage.header, spacing: spacing(layout?.header, 'bottom') }
  if (masterPage.footer !== undefined)
    page.footer = { ...masterPage.footer, spacing: spacing(layout?.footer, 'top') }
  return page
}

const sizeOf = (text: string | undefined): number | undefined => {
  const size = exactLength(text)
  return size !== undefined && size >= 20 ? Math.min(14_400, size) : undefined
}

/** The height of a header including the space between it and the cells, in pt. */
function extentOf(properties: ReadonlyMap<string, string> | undefined): number {
  const size = exactLength(properties?.get('svg:height')) ?? exactLength(properties?.get('fo:min-height'))
  return Math.max(0, size ?? defaultHeaderHeight)
}

function scaleOf(of: (name: string) => string | undefined): PrintScale {
  // LibreOffice writes some of these attributes with the prefix of its extensions.
  const count = (name: string): number => {
    const value = Number(of(`style:${name}`) ?? of(`loext:${name}`))
    return value > 0 ? Math.min(1_000, Math.floor(value)) : 0
  }
  const [wide, tall] = [count('scale-to-X'), count('scale-to-Y')]
  if (wide > 0 || tall > 0) return { pagesWide: wide, pagesTall: tall }
  const pages = count('scale-to-pages')
  if (pages > 0) return { pagesAll: pages }
  const factor = percent(of('style:scale-to'))
  return { factor: factor === undefined || factor <= 0 ? 1 : Math.min(4, Math.max(0.1, factor)) }
}
