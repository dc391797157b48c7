import type { Block } from '../../../document/content.ts'
import type { Border, ParagraphBorders } from '../../../document/properties.ts'
import type {
  HeaderFooterBox,
  PageSequence,
  PageVariants,
  SectionProperties,
} from '../../../document/section.ts'
import type { Writable } from '../../../document/writable.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { type AttributeGetter, backgroundColor, length } from '../values.ts'
import { backgroundOf, type Fills, noteBackgroundImage } from './background.ts'
import { readColumns } from './columns.ts'
import { counterFormat } from './counters.ts'
import { frameBox } from './frame-box.ts'
import { readBorders } from './text-properties.ts'

/**
 * A page layout; the heights of header and footer are kept apart until it is known whether a page style has
 * them.
 */
export interface PageLayout {
  readonly properties: SectionProperties
  readonly header: HeaderFooterStyle
  readonly footer: HeaderFooterStyle
}
interface HeaderFooterStyle {
  /** Minimum height of the area, which includes the distance to the text (observed in LibreOffice). */
  readonly minHeight: number
  /** Distance to the text, pt. */
  readonly gap: number
  /** The distance shrinks when the content is tall (style:dynamic-spacing, 20.272). */
  readonly dynamic: boolean
  readonly box?: HeaderFooterBox
}

/** A page style: its layout, the style of the next page, headers and footers. */
export interface MasterPage {
  readonly layout: string
  readonly next?: string
  readonly headers: PageVariants
  readonly footers: PageVariants
}

const noHeaderFooter: HeaderFooterStyle = { minHeight: 0, gap: 0, dynamic: false }

/** Reads style:page-layout (ODF 1.3 part 3, 16.5), on which the cursor stands. */
export function readPageLayout(cursor: XmlCursor, fills: Fills): PageLayout {
  let properties = defaultLayout
  let header: HeaderFooterStyle = noHeaderFooter
  let footer: HeaderFooterStyle = noHeaderFooter
  const usage = cursor.attribute('style:page-usage')
  cursor.each((name) => {
    if (name === 'style:page-layout-properties') properties = readProperties(cursor, fills)
    else if (name === 'style:header-style') header = readHeaderFooterStyle(cursor, 'fo:margin-bottom')
    else if (name === 'style:footer-style') footer = readHeaderFooterStyle(cursor, 'fo:margin-top')
  })
  const side = usage === 'right' || usage === 'left' ? usage : undefined
  properties = { ...properties, mirrored: usage === 'mirrored', ...(side !== undefined && { side }) }
  return { properties, header, footer }
}

/** The size of a page that declares none, in points: Letter, as Writer takes in the language of the service. */
const defaultSize = { width: 612, height: 792 }

/** The page of a document that declares none has margins of two centimetres. */
const defaultLayout: SectionProperties = {
  start: 'next-page',
  ...defaultSize,
  margins: { top: 56.7, right: 56.7, bottom: 56.7, left: 56.7, header: 56.7, footer: 56.7, gutter: 0 },
  columns: { count: 1, gap: 0, separator: false },
  titlePage: false,
  pageNumber: { format: 'decimal' },
  verticalAlign: 'top',
  rightToLeft: false,
}

/** style:page-layout-properties (17.2). */
function readProperties(cursor: XmlCursor, fills: Fills): SectionProperties {
  const get = (name: string): number | undefined => length(cursor.attribute(name))
  const all = get('fo:margin')
  const side = (name: string): number => Math.max(0, get(`fo:margin-${name}`) ?? all ?? 56.7)
  const size = (name: string, otherwise: number): number =>
    Math.max(36, Math.min(14_400, get(name) ?? otherwise))
  const format = counterFormat(cursor, 'decimal')
  const background = backgroundColor(cursor.attribute('fo:background-color'))
  const borders = readPageBorders((name) => cursor.attribute(name))
  // The attributes must be read before the children are visited.
  const width = size('fo:page-width', defaultSize.width)
  const height = size('fo:page-height', defaultSize.height)
  // Borders and padding lie inside the margins and also enclose header and footer.
  const within = (name: PageSide): number => side(name) + borders.insets[name]
  const margins = {
    top: within('top'),
    right: within('right'),
    bottom: within('bottom'),
    left: within('left'),
    header: within('top'),
    footer: within('bottom'),
    gutter: 0,
  }
  let columns = defaultLayout.columns
  const attributes = new Map(cursor.attributes())
  const backdropInsets = {
    top: side('top'),
    right: side('right'),
    bottom: side('bottom'),
    left: side('left'),
  }
  cursor.each((name) => {
    if (name === 'style:columns') columns = { ...readColumns(cursor), ofPage: true }
    else if (name === 'style:background-image') noteBackgroundImage(cursor, attributes)
  })
  const backdrop = backgroundOf((name) => attributes.get(name), fills)
  return {
    ...defaultLayout,
    width,
    height,
    margins,
    columns,
    pageNumber: { format },
    background: background === 'none' ? undefined : background,
    ...(backdrop && { backdrop }),
    ...(backdrop && fills.withinMargins && { backdropInsets }),
    borders: borders.lines === undefined ? undefined : { ...borders.lines, from: 'text', show: 'all' },
  }
}

const sides = ['top', 'right', 'bottom', 'left'] as const
type PageSide = (typeof sides)[number]

/**
 * Reads the borders of the page, with `space` measured from the centre of the line, and the distance from
 * margin to text on each side, pt.
 */
function readPageBorders(get: AttributeGetter): {
  readonly lines: ParagraphBorders | undefined
  readonly insets: Readonly<Record<PageSide, number>>
} {
  const read = readBorders(get)
  const lines: { [Name in PageSide]?: Border } = {}
  const insets = { top: 0, right: 0, bottom: 0, left: 0 }
  for (const name of sides) {
    // Observed in LibreOffice: padding applies to sides without a border, too.
    insets[name] = Math.max(0, length(get(`fo:padding-${name}`) ?? get('fo:padding')) ?? 0)
    const border = read?.[name]
    if (border === undefined || border.style === 'none') continue
    const lineWidth = (border.style === 'double' ? 3 : 1) * border.width
    lines[name] = { ...border, space: insets[name] + lineWidth / 2 }
    insets[name] += lineWidth
  }
  return { lines: Object.keys(lines).length > 0 ? lines : undefined, insets }
}

/** style:header-style or style:footer-style (16.6, 16.7). `gapName` is the margin on the side of the text. */
function readHeaderFooterStyle(cursor: XmlCursor, gapName: string): HeaderFooterStyle {
  let style: HeaderFooterStyle = noHeaderFooter
  cursor.each(() => {
    style = {
      minHeight: length(cursor.attribute('fo:min-height') ?? cursor.attribute('svg:height')) ?? 0,
      gap: length(cursor.attribute(gapName)) ?? 0,
      dynamic: cursor.attribute('style:dynamic-spacing') === 'true',
    }
    style = {
      ...style,
      box: readHeaderFooterBox((name) => cursor.attribute(name), Math.max(0, style.minHeight - style.gap)),
    }
  })
  return style
}

/** Borders, padding and background of a header or footer; undefined when it has none. */
function readHeaderFooterBox(get: AttributeGetter, minHeight: number): HeaderFooterBox | undefined {
  const { boxed, insets } = frameBox(get)
  const fill = backgroundColor(get('fo:background-color'))
  const side = (name: string): number => Math.max(0, length(get(`fo:margin-${name}`)) ?? 0)
  const [left, right] = [side('left'), side('right')]
  const isUnboxed = boxed === undefined && Object.values(insets).every((inset) => inset === 0)
  if (isUnboxed && left === 0 && right === 0 && (fill === undefined || fill === 'none')) return undefined
  return {
    lines: boxed?.lines ?? {},
    insets,
    left,
    right,
    minHeight,
    ...(fill !== undefined && fill !== 'none' && { background: fill }),
  }
}

/**
 * Reads style:master-page (16.9). `readContent` reads the blocks of the header or footer that the cursor stands on.
 */
export function readMasterPage(cursor: XmlCursor, readContent: () => readonly Block[]): MasterPage {
  const layout = cursor.attribute('style:page-layout-name') ?? ''
  const next = cursor.attribute('style:next-style-name')
  const headers: Writable<PageVariants> = {}
  const footers: Writable<PageVariants> = {}
  cursor.each((name) => {
    if (cursor.attribute('style:display') === 'false') return
    // LibreOffice wrote those of first pages in a namespace of its own before ODF 1.3 had them.
    switch (name.replace(/^loext:/, 'style:')) {
      case 'style:header':
        headers.default = readContent()
        break
      case 'style:footer':
        footers.default = readContent()
        break
      case 'style:header-left':
        headers.even = readContent()
        break
      case 'style:footer-left':
        footers.even = readContent()
        break
      case 'style:header-first':
        headers.first = readContent()
        break
      case 'style:footer-first':
        footers.first = readContent()
        break
    }
  })
  return { layout, next, headers, footers }
}

/**
 * Builds a section from a page style: its layout with the height of header and footer, and the set-up of the
 * following pages, if the style names a different next one.
 */
export function sectionOf(
  layouts: ReadonlyMap<string, PageLayout>,
  master: MasterPage | undefined,
  next: MasterPage | undefined,
): { properties: SectionProperties; headers: PageVariants; footers: PageVariants } {
  const changes = next !== undefined && next !== master
  const variants = (current: PageVariants | undefined, later: PageVariants | undefined): PageVariants => {
    const base = {
      default: current?.default ?? [],
      even: current?.even ?? current?.default ?? [],
      first: current?.first,
    }
    if (!changes) return base
    return {
      first: current?.first ?? current?.default ?? [],
      default: later?.default ?? [],
      even: later?.even ?? later?.default ?? [],
    }
  }
  const titlePage = changes || master?.headers.first !== undefined || master?.footers.first !== undefined
  return {
    properties: {
      ...propertiesOf(layouts, master),
      titlePage,
      following: changes ? { ...propertiesOf(layouts, next), titlePage } : undefined,
    },
    headers: variants(master?.headers, next?.headers),
    footers: variants(master?.footers, next?.footers),
  }
}

/**
 * Follows the chain of next page styles. Undefined when it consists of at most a first page and one style for
 * all others, which `sectionOf` handles.
 */
export function pageSequenceOf(
  layouts: ReadonlyMap<string, PageLayout>,
  masters: ReadonlyMap<string, MasterPage>,
  first: MasterPage | undefined,
): PageSequence | undefined {
  const chain: MasterPage[] = []
  let at = first
  while (at !== undefined && !chain.includes(at) && chain.length < maxPageStyles) {
    chain.push(at)
    at = at.next === undefined ? at : (masters.get(at.next) ?? at)
  }
  const repeatFrom = at === undefined ? -1 : chain.indexOf(at)
  if (repeatFrom < 0 || (chain.length <= 2 && repeatFrom === chain.length - 1)) return undefined
  const sets = chain.map((master) => ({ ...sectionOf(layouts, master, undefined), blocks: [] }))
  return { sets, repeatFrom }
}

/** Maximum number of page styles in such a chain. */
const maxPageStyles = 50

/** Properties of a page style's layout; headers and footers take their height only if they have content. */
function propertiesOf(
  layouts: ReadonlyMap<string, PageLayout>,
  master: MasterPage | undefined,
): SectionProperties {
  const layout = layouts.get(master?.layout ?? '')
  const { properties, header, footer } = layout ?? {
    properties: defaultLayout,
    header: noHeaderFooter,
    footer: noHeaderFooter,
  }
  const has = (variants: PageVariants | undefined): boolean =>
    (variants?.default?.length ?? 0) + (variants?.first?.length ?? 0) > 0
  const { margins } = properties
  const footed = has(master?.footers)
  return {
    ...properties,
    margins: {
      ...margins,
      top: margins.top + (has(master?.headers) ? header.minHeight : 0),
      bottom: margins.bottom + (footed ? footer.minHeight : 0),
      headerGap: header.dynamic ? 0 : header.gap,
      footerGap: footer.dynamic ? 0 : footer.gap,
      footerSpacing: footed ? footer.gap : undefined,
    },
    ...((header.box !== undefined || footer.box !== undefined) && {
      headerBoxes: { ...(header.box && { header: header.box }), ...(footer.box && { footer: footer.box }) },
    }),
  }
}
