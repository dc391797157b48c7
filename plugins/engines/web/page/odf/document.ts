/**
 * Writes nodes as a flat OpenDocument text. The most frequent styles become the named ones, and deviations
 * from them automatic ones.
 */
import { namespaces, xml } from '../../../../../shared/flow/write-odf.ts'
import type {
  List,
  OdfAttributes,
  OdfColumns,
  OdfNode,
  OdfParagraph,
  OdfTable,
  ParagraphBase,
  TableCell,
} from './nodes.ts'
import { pt } from './nodes.ts'

export interface PageSetting {
  readonly width: number
  readonly height: number
  readonly margin: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>
  readonly background?: string
}

export interface OdfPage {
  readonly meta: Readonly<Record<string, string>> // elements of office:meta
  readonly language: string
  readonly setting: PageSetting
  readonly standard: { readonly layout: OdfAttributes; readonly text: OdfAttributes }
  readonly nodes: readonly OdfNode[]
  readonly header: readonly OdfNode[]
  readonly footer: readonly OdfNode[]
}

const named: readonly ParagraphBase[] = [
  'Text_20_body',
  'Heading_20_1',
  'Heading_20_2',
  'Heading_20_3',
  'Heading_20_4',
  'Heading_20_5',
  'Heading_20_6',
  'List_20_Contents',
  'Quotations',
  'Preformatted_20_Text',
  'Table_20_Contents',
  'Horizontal_20_Line',
]

export class PageOdfStyles {
  readonly #automatic = new Map<string, { readonly name: string; readonly xml: string }>()
  readonly fonts = new Set<string>()

  /** Returns the name of an automatic style. Equal styles share one name. */
  name(family: string, parent: string | undefined, properties: string): string {
    const key = `${family} ${parent} ${properties}`
    const existing = this.#automatic.get(key)
    if (existing !== undefined) return existing.name
    const name = `s${this.#automatic.size + 1}`
    const from = parent === undefined ? '' : ` style:parent-style-name="${parent}"`
    const definition =
      family === 'list'
        ? `<text:list-style style:name="${name}">${properties}</text:list-style>`
        : `<style:style style:name="${name}" style:family="${family}"${from}>${properties}</style:style>`
    this.#automatic.set(key, { name, xml: definition })
    return name
  }

  /** The style of text inside a paragraph; undefined when it does not differ from the paragraph. */
  span(textAttributes: OdfAttributes, paragraph: OdfAttributes): string | undefined {
    const differs = difference(textAttributes, paragraph)
    return differs.size === 0 ? undefined : this.name('text', undefined, this.textProperties(differs))
  }

  textProperties(values: OdfAttributes): string {
    if (values.size === 0) return ''
    const out: string[] = []
    for (const [name, value] of values) {
      if (name === 'style:font-name') this.fonts.add(value)
      out.push(` ${name}="${xml(value)}"`)
      const short = name.replace(/^(?:fo|style):/, '')
      if (['font-name', 'font-size', 'font-weight', 'font-style'].includes(short))
        for (const script of ['asian', 'complex']) out.push(` style:${short}-${script}="${xml(value)}"`)
      if (short === 'text-underline-style' && value !== 'none')
        out.push(' style:text-underline-width="auto" style:text-underline-color="font-color"')
    }
    return `<style:text-properties${out.join('')}/>`
  }

  all(): string {
    return [...this.#automatic.values()].map((style) => style.xml).join('')
  }
}

export function writeOdfPage(page: OdfPage, styles: PageOdfStyles): string {
  const writer = new OdfContentWriter(page, styles)
  const body = writer.nodes(page.nodes)
  const running = (name: string, nodes: readonly OdfNode[]) =>
    nodes.length === 0 ? '' : `<style:${name}>${writer.nodes(nodes)}</style:${name}>`
  const master = `<style:master-page style:name="Standard" style:page-layout-name="page">${running('header', page.header)}${running('footer', page.footer)}</style:master-page>`
  const namedStyles = writer.namedStyles()
  const meta = Object.entries(page.meta)
    .map(([name, value]) => `<${name}>${xml(value)}</${name}>`)
    .join('')
  const fonts = [...styles.fonts]
    .map((name) => `<style:font-face style:name="${xml(name)}" svg:font-family="'${xml(name)}'"/>`)
    .join('')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">`,
    `<office:meta>${meta}<meta:generator>platen</meta:generator></office:meta>`,
    `<office:font-face-decls>${fonts}</office:font-face-decls><office:styles>${namedStyles}</office:styles>`,
    `<office:automatic-styles>${styles.all()}${layoutOf(page)}</office:automatic-styles>`,
    `<office:master-styles>${master}</office:master-styles>`,
    `<office:body><office:text>${body}</office:text></office:body></office:document>`,
  ].join('')
}

function layoutOf({ setting, header, footer }: OdfPage): string {
  const { width, height, margin, background } = setting
  const has = { top: header.length > 0, bottom: footer.length > 0 }
  // Repeated content needs space inside the page margin, which the text loses.
  const outer = (side: 'top' | 'bottom') => (has[side] ? Math.min(margin[side], 28.35) : margin[side])
  const running = (side: 'top' | 'bottom', name: string) =>
    has[side]
      ? `<style:${name}-style><style:header-footer-properties fo:min-height="${pt(Math.max(margin[side] - outer(side), 12))}" fo:margin-${side === 'top' ? 'bottom' : 'top'}="6pt"/></style:${name}-style>`
      : ''
  return `<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${pt(width)}" fo:page-height="${pt(height)}" style:print-orientation="${width > height ? 'landscape' : 'portrait'}" fo:margin-top="${pt(outer('top'))}" fo:margin-right="${pt(margin.right)}" fo:margin-bottom="${pt(outer('bottom'))}" fo:margin-left="${pt(margin.left)}"${background === undefined ? '' : ` fo:background-color="#${background}"`}/>${running('top', 'header')}${running('bottom', 'footer')}</style:page-layout>`
}

class OdfContentWriter {
  readonly #styles: PageOdfStyles
  readonly #page: OdfPage
  readonly #common: ReadonlyMap<ParagraphBase, OdfParagraph>
  readonly #names = new Map<string, string>()
  #tables = 0

  constructor(page: OdfPage, styles: PageOdfStyles) {
    this.#page = page
    this.#styles = styles
    this.#common = commonFormats([...page.nodes, ...page.header, ...page.footer])
  }

  nodes(nodes: readonly OdfNode[]): string {
    return nodes.map((node) => this.#node(node)).join('')
  }

  namedStyles(): string {
    const { standard, language } = this.#page
    const [code = 'en', country = 'none'] = language.split('-')
    const locale = ` fo:language="${/^[a-z]{2,3}$/i.test(code) ? code.toLowerCase() : 'en'}" fo:country="${/^[a-z]{2}$/i.test(country) ? country.toUpperCase() : 'none'}"`
    const base = this.#styles.textProperties(standard.text).replace(/\/>$/, `${locale}/>`)
    const paragraphs = named.map((name) => {
      const common = this.#common.get(name)
      const heading = /\d$/.exec(name)?.[0]
      const more =
        heading === undefined
          ? ''
          : ` style:default-outline-level="${heading}" style:next-style-name="Text_20_body"`
      const layout =
        common === undefined
          ? ''
          : paragraphProperties(difference(spacedLayout(common), spacedLayout(standard)))
      const text =
        common === undefined ? '' : this.#styles.textProperties(difference(common.text, standard.text))
      return `<style:style style:name="${name}" style:display-name="${name.replaceAll('_20_', ' ')}" style:family="paragraph" style:parent-style-name="Standard"${more}>${layout}${text}</style:style>`
    })
    return `<style:default-style style:family="paragraph"><style:paragraph-properties style:tab-stop-distance="36pt"/>${base}</style:default-style><style:default-style style:family="table"><style:table-properties table:border-model="collapsing"/></style:default-style><style:style style:name="Standard" style:family="paragraph">${paragraphProperties(spacedLayout(standard))}</style:style>${paragraphs.join('')}<style:style style:name="Internet_20_link" style:display-name="Internet link" style:family="text"/>`
  }

  #node(node: OdfNode): string {
    switch (node.kind) {
      case 'paragraph':
        return this.#paragraph(node)
      case 'list':
        return this.#list(node)
      case 'table':
        return this.#table(node)
      case 'columns':
        return this.#columns(node)
      default:
        return node satisfies never
    }
  }

  #paragraph(paragraph: OdfParagraph): string {
    const { base, content, breakBefore } = paragraph
    const key = `${base} ${formatKey(paragraph)} ${breakBefore}`
    const style = this.#names.get(key) ?? this.#nameOf(paragraph)
    this.#names.set(key, style)
    const level = /^Heading_20_(\d)$/.exec(base)?.[1]
    return level === undefined
      ? `<text:p text:style-name="${style}">${content}</text:p>`
      : `<text:h text:style-name="${style}" text:outline-level="${level}">${content}</text:h>`
  }

  #nameOf({ base, text, breakBefore, tabs = [], ...paragraph }: OdfParagraph): string {
    const common = this.#common.get(base)
    const none: OdfAttributes = new Map()
    const properties =
      paragraphProperties(
        difference(spacedLayout(paragraph), common ? spacedLayout(common) : none),
        breakBefore,
        tabs,
      ) + this.#styles.textProperties(difference(text, common?.text ?? none))
    return properties === '' ? base : this.#styles.name('paragraph', base, properties)
  }

  #list({ style, items }: List): string {
    const inner = items.map(({ start, continued, nodes }) => {
      const tag = continued ? 'text:list-header' : 'text:list-item'
      return `<${tag}${start === undefined || continued ? '' : ` text:start-value="${start}"`}>${this.nodes(nodes)}</${tag}>`
    })
    return `<text:list text:style-name="${style}">${inner.join('')}</text:list>`
  }

  #table({ layout, columns, rows, headerRows, breakBefore }: OdfTable): string {
    const name = `Table${++this.#tables}`
    const style = this.#styles.name(
      'table',
      undefined,
      `<style:table-properties${attributes(layout)}${breakBefore ? ' fo:break-before="page"' : ''}/>`,
    )
    const cols = columns.map((width) => {
      const of = this.#styles.name(
        'table-column',
        undefined,
        `<style:table-column-properties style:column-width="${pt(width)}"/>`,
      )
      return `<table:table-column table:style-name="${of}"/>`
    })
    const lines = rows.map((row) => {
      const of = this.#styles.name(
        'table-row',
        undefined,
        `<style:table-row-properties${attributes(row.layout)}/>`,
      )
      return `<table:table-row table:style-name="${of}">${row.cells.map((cell) => this.#cell(cell)).join('')}</table:table-row>`
    })
    const head =
      headerRows === 0
        ? ''
        : `<table:table-header-rows>${lines.slice(0, headerRows).join('')}</table:table-header-rows>`
    return `<table:table table:name="${name}" table:style-name="${style}">${cols.join('')}${head}${lines.slice(headerRows).join('')}</table:table>`
  }

  #cell(cell: TableCell | 'covered'): string {
    if (cell === 'covered') return '<table:covered-table-cell/>'
    const style = this.#styles.name(
      'table-cell',
      undefined,
      `<style:table-cell-properties${attributes(cell.layout)}/>`,
    )
    const spans = `${cell.columns > 1 ? ` table:number-columns-spanned="${cell.columns}"` : ''}${cell.rows > 1 ? ` table:number-rows-spanned="${cell.rows}"` : ''}`
    return `<table:table-cell table:style-name="${style}" office:value-type="string"${spans}>${this.nodes(cell.nodes)}</table:table-cell>`
  }

  #columns({ count, gap, left, right, nodes }: OdfColumns): string {
    const style = this.#styles.name(
      'section',
      undefined,
      `<style:section-properties fo:margin-left="${pt(left)}" fo:margin-right="${pt(right)}" text:dont-balance-text-columns="false"><style:columns fo:column-count="${count}" fo:column-gap="${pt(gap)}"/></style:section-properties>`,
    )
    return `<text:section text:style-name="${style}" text:name="Columns${++this.#tables}">${this.nodes(nodes)}</text:section>`
  }
}

const ids = new WeakMap<object, number>()
let lastId = 0

/** Returns a number that identifies an object. */
export function idOf(object: object): number {
  const existing = ids.get(object)
  if (existing !== undefined) return existing
  ids.set(object, ++lastId)
  return lastId
}

type Spaced = Pick<OdfParagraph, 'layout' | 'above' | 'below'>

function formatKey({ layout, text, above = 0, below = 0, tabs = [] }: OdfParagraph): string {
  return `${idOf(layout)} ${idOf(text)} ${pt(above)} ${pt(below)} ${tabs.join(' ')}`
}

function spacedLayout({ layout, above = 0, below = 0 }: Spaced): OdfAttributes {
  return new Map([...layout, ['fo:margin-top', pt(above)], ['fo:margin-bottom', pt(below)]])
}

/** For each named style, the paragraph formatting that occurs most often. */
function commonFormats(nodes: readonly OdfNode[]): ReadonlyMap<ParagraphBase, OdfParagraph> {
  const counts = new Map<ParagraphBase, Map<string, { count: number; readonly paragraph: OdfParagraph }>>()
  const see = (node: OdfNode): void => {
    switch (node.kind) {
      case 'paragraph': {
        const formats = counts.get(node.base) ?? new Map()
        counts.set(node.base, formats)
        const key = formatKey(node)
        const existing = formats.get(key)
        if (existing === undefined) formats.set(key, { count: 1, paragraph: node })
        else existing.count++
        return
      }
      case 'list':
        for (const item of node.items) item.nodes.forEach(see)
        return
      case 'table':
        for (const row of node.rows)
          for (const cell of row.cells) if (cell !== 'covered') cell.nodes.forEach(see)
        return
      case 'columns':
        node.nodes.forEach(see)
        return
      default:
        node satisfies never
    }
  }
  nodes.forEach(see)
  return new Map(
    [...counts].map(([base, formats]) => {
      const [first, ...rest] = formats.values()
      const commonest = rest.reduce(
        (best, candidate) => (candidate.count > (best?.count ?? 0) ? candidate : best),
        first,
      )
      return [base, (commonest as { paragraph: OdfParagraph }).paragraph]
    }),
  )
}

/**
 * Offices evaluate these attributes together, so one alone would reset the others to the values of the named
 * style.
 */
const groups: readonly (readonly string[])[] = [
  ['fo:margin-top', 'fo:margin-bottom'],
  ['fo:margin-left', 'fo:margin-right', 'fo:text-indent'],
  ['top', 'right', 'bottom', 'left'].flatMap((side) => [`fo:border-${side}`, `fo:padding-${side}`]),
]

const same: OdfAttributes = new Map()

function difference(values: OdfAttributes, from: OdfAttributes): OdfAttributes {
  if (values === from) return same
  const differs = new Set([...values].flatMap(([name, value]) => (from.get(name) === value ? [] : [name])))
  for (const group of groups)
    if (group.some((name) => differs.has(name))) for (const name of group) differs.add(name)
  return new Map([...values].filter(([name]) => differs.has(name)))
}

function paragraphProperties(
  values: OdfAttributes,
  breakBefore = false,
  tabs: readonly number[] = [],
): string {
  if (values.size === 0 && !breakBefore && tabs.length === 0) return ''
  const written = `${attributes(values)}${breakBefore ? ' fo:break-before="page"' : ''}`
  if (tabs.length === 0) return `<style:paragraph-properties${written}/>`
  const stops = tabs.map((tab) => `<style:tab-stop style:position="${pt(tab)}"/>`).join('')
  return `<style:paragraph-properties${written}><style:tab-stops>${stops}</style:tab-stops></style:paragraph-properties>`
}

function attributes(values: OdfAttributes): string {
  return [...values].map(([name, value]) => ` ${name}="${xml(value)}"`).join('')
}
