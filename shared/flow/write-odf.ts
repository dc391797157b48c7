/**
 * Writes a flow as a flat OpenDocument text (ODF 1.3, part 3), with named styles for headings, lists, tables,
 * code and quotes.
 */
import { measureImage } from '../images/measure.ts'
import { toBase64 } from '../plugin/base64.ts'
import { widthsByContent } from './column-widths.ts'
import type { Flow, FlowAlign, FlowBlock, FlowInline, FlowPage, FlowStyle, FlowTable } from './flow.ts'
import { columnsOf, gridOf } from './grid.ts'
import { flowStyles, flowStylesOfPage } from './odf-styles.ts'

/** A4 with margins of two centimetres. */
const defaultPage: FlowPage = {
  width: 595.3,
  height: 841.9,
  margin: { top: 56.7, right: 56.7, bottom: 56.7, left: 56.7 },
}
/** Pictures without a size are shown at 96 pixels per inch. */
const pointsAPixel = 0.75
const maxDepth = 9
/** Indent of each level of quotes, pt; the style has that of the first. */
const quoteStep = 18

/** Returns the XML of the document. List levels deeper than nine are merged into the ninth. */
export function writeOdf(flow: Flow): string {
  const page = flow.page ?? defaultPage
  const writer = new OdfWriter(flow, page)
  const body = writer.blocks(flow.blocks, { style: 'Text_20_body', list: 0 })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">`,
    `<office:meta>${flow.title ? `<dc:title>${xml(flow.title)}</dc:title>` : ''}<meta:generator>platen</meta:generator></office:meta>`,
    flowStyles(flow.language),
    `<office:automatic-styles>${writer.automaticStyles()}${flowStylesOfPage(page)}</office:automatic-styles>`,
    '<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="page"/></office:master-styles>',
    `<office:body><office:text>${body}</office:text></office:body></office:document>`,
  ].join('')
}

/** Namespace declarations of the document. */
export const namespaces = [
  ...['office', 'text', 'table', 'style', 'meta', 'number'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
].join(' ')

interface OdfBlockContext {
  readonly style: string // style of paragraphs
  readonly list: number // number of lists around
  readonly quotes?: number // number of quotes around
}

class OdfWriter {
  readonly #flow: Flow
  readonly #width: number
  readonly #styles = new Map<string, { readonly name: string; readonly xml: string }>()
  /** A page break applies to the next paragraph or table. */
  #pageBreak = false
  #notes = 0
  #tables = 0

  constructor(flow: Flow, page: FlowPage) {
    this.#flow = flow
    this.#width = page.width - page.margin.left - page.margin.right
  }

  automaticStyles(): string {
    return [...this.#styles.values()].map((style) => style.xml).join('')
  }

  blocks(blocks: readonly FlowBlock[], context: OdfBlockContext): string {
    return blocks
      .map((block, at) => {
        // Adjacent boxes would be merged, by LibreOffice and Word alike.
        const gap =
          block.kind === 'code' && blocks[at - 1]?.kind === 'code'
            ? '<text:p text:style-name="Code_20_Gap"/>'
            : ''
        return gap + this.#block(block, context)
      })
      .join('')
  }

  #block(block: FlowBlock, context: OdfBlockContext): string {
    switch (block.kind) {
      case 'heading': {
        const level = Math.min(Math.max(block.level, 1), 6)
        const style = this.#paragraphStyle(`Heading_20_${level}`, block)
        return `<text:h text:style-name="${style}" text:outline-level="${level}">${this.#inlines(block.inlines)}</text:h>`
      }
      case 'paragraph': {
        const deeper = context.style === 'Quotations' && (context.quotes ?? 1) > 1
        const indent = deeper ? (context.quotes ?? 1) * quoteStep : undefined
        const style = this.#paragraphStyle(context.style, {
          ...(indent !== undefined && { indent }),
          ...block,
        })
        return `<text:p text:style-name="${style}">${this.#inlines(block.inlines)}</text:p>`
      }
      case 'list':
        return this.#list(block, context)
      case 'table':
        return this.#table(block, context)
      case 'code':
        return `<text:p text:style-name="${this.#paragraphStyle('Preformatted_20_Text', {})}">${preformatted(block.text.replace(/\n$/, ''))}</text:p>`
      case 'quote':
        return this.blocks(block.blocks, {
          ...context,
          style: 'Quotations',
          quotes: (context.quotes ?? 0) + 1,
        })
      case 'rule':
        return `<text:p text:style-name="${this.#paragraphStyle('Horizontal_20_Line', {})}"/>`
      case 'page-break':
        this.#pageBreak = true
        return ''
      default:
        return block satisfies never
    }
  }

  #list(block: Extract<FlowBlock, { kind: 'list' }>, context: OdfBlockContext): string {
    const depth = context.list + 1
    const inner: OdfBlockContext = { ...context, list: depth }
    const tasks = block.items.length > 0 && block.items.every((item) => item.checked !== undefined)
    const items = block.items.map((item, index) => {
      // Ballot boxes replace the bullets.
      const boxed = item.checked === undefined || tasks || block.ordered ? '' : ' text:style-override="Tasks"'
      const start =
        index === 0 && block.ordered && block.start !== 1 ? ` text:start-value="${block.start}"` : ''
      const box = item.checked === undefined ? '' : item.checked ? '\u2611 ' : '\u2610 '
      const blocks = box === '' ? item.blocks : withPrefix(item.blocks, box)
      const content = this.blocks(blocks, { ...inner, style: 'List_20_Contents' })
      return depth > maxDepth ? content : `<text:list-item${start}${boxed}>${content}</text:list-item>`
    })
    if (depth > maxDepth) return items.join('')
    const name = block.ordered ? 'Numbering' : tasks ? 'Tasks' : 'Bullets'
    return `<text:list text:style-name="${name}">${items.join('')}</text:list>`
  }

  #table({ rows, headerRows, widths, direction }: FlowTable, context: OdfBlockContext): string {
    const columns = columnsOf(rows)
    if (columns === 0) return ''
    const hasWidths = widths !== undefined && widths.length === columns
    const columnWidths = hasWidths ? widths : widthsByContent(rows, columns, this.#width)
    const totalWidth = columnWidths.reduce((sum, columnWidth) => sum + columnWidth, 0)
    const total = Math.min(totalWidth, this.#width)
    const name = `Table${++this.#tables}`
    const breaks = this.#takeBreak()
    const table = this.#style(
      'table',
      '',
      `<style:table-properties style:width="${pt(total)}" table:align="${direction === undefined ? 'left' : 'right'}" fo:margin-top="4pt" fo:margin-bottom="8pt"${direction === undefined ? '' : ' style:writing-mode="rl-tb"'}${breaks}/>`,
    )
    const cols = Array.from({ length: columns }, (_, at) => {
      const width = ((columnWidths[at] ?? 1) / totalWidth) * total
      const style = this.#style(
        'table-column',
        '',
        `<style:table-column-properties style:column-width="${pt(width)}"/>`,
      )
      return `<table:table-column table:style-name="${style}"/>`
    }).join('')
    const lines = gridOf(rows, columns).map((row, at) => {
      const cells = row.map((cell) => {
        if (cell === 'covered') return '<table:covered-table-cell/>'
        if (cell === 'empty')
          return '<table:table-cell table:style-name="cell" office:value-type="string"><text:p text:style-name="Table_20_Contents"/></table:table-cell>'
        const header = cell.header === true || at < headerRows
        const spans = `${cell.columns > 1 ? ` table:number-columns-spanned="${cell.columns}"` : ''}${cell.rows > 1 ? ` table:number-rows-spanned="${cell.rows}"` : ''}`
        const style = header ? 'Table_20_Heading' : 'Table_20_Contents'
        const content =
          this.blocks(cell.blocks, { ...context, list: 0, style }) || `<text:p text:style-name="${style}"/>`
        return `<table:table-cell table:style-name="${header ? 'head' : 'cell'}" office:value-type="string"${spans}>${content}</table:table-cell>`
      })
      return `<table:table-row>${cells.join('')}</table:table-row>`
    })
    const heads = Math.min(headerRows, lines.length)
    const head =
      heads === 0
        ? ''
        : `<table:table-header-rows>${lines.slice(0, heads).join('')}</table:table-header-rows>`
    return `<table:table table:name="${name}" table:style-name="${table}">${cols}${head}${lines.slice(heads).join('')}</table:table>`
  }

  #inlines(inlines: readonly FlowInline[]): string {
    return inlines.map((inline) => this.#inline(inline)).join('')
  }

  #inline(inline: FlowInline): string {
    switch (inline.kind) {
      case 'text': {
        const style = this.#textStyle(inline.style, inline.link !== undefined)
        const text = spaced(inline.text)
        const span = style === undefined ? text : `<text:span text:style-name="${style}">${text}</text:span>`
        if (inline.link === undefined) return span
        return `<text:a xlink:type="simple" xlink:href="${xml(inline.link)}" text:style-name="Internet_20_link">${span}</text:a>`
      }
      case 'break':
        return '<text:line-break/>'
      case 'picture':
        return this.#picture(inline)
      case 'note': {
        const number = ++this.#notes
        const blocks = this.blocks(inline.blocks, { style: 'Footnote', list: 0 })
        return `<text:note text:id="note${number}" text:note-class="footnote"><text:note-citation>${number}</text:note-citation><text:note-body>${blocks}</text:note-body></text:note>`
      }
      default:
        return inline satisfies never
    }
  }

  #picture({ picture, text, width, height }: Extract<FlowInline, { kind: 'picture' }>): string {
    const image = this.#flow.pictures.get(picture)
    if (image === undefined) return text === '' ? '' : spaced(`[${text}]`)
    const naturalSize = measureImage(image.bytes)
    const declaredWidth = naturalSize === undefined ? 150 : naturalSize.width * pointsAPixel
    const declaredHeight = naturalSize === undefined ? 100 : naturalSize.height * pointsAPixel
    let wide = width ?? (height === undefined ? declaredWidth : (height * declaredWidth) / declaredHeight)
    let high = height ?? (wide * declaredHeight) / declaredWidth
    if (wide > this.#width) {
      high *= this.#width / wide
      wide = this.#width
    }
    // The description becomes the alternative text, which screen readers use.
    const title = text === '' ? '' : `<svg:desc>${xml(text)}</svg:desc>`
    return `<draw:frame draw:style-name="picture" text:anchor-type="as-char" svg:width="${pt(wide)}" svg:height="${pt(high)}"><draw:image draw:mime-type="${xml(image.mime)}"><office:binary-data>${toBase64(image.bytes)}</office:binary-data></draw:image>${title}</draw:frame>`
  }

  #paragraphStyle(
    parent: string,
    {
      align,
      indent,
      spaceBefore,
      direction,
    }: {
      readonly align?: FlowAlign
      readonly indent?: number
      readonly spaceBefore?: number
      readonly direction?: 'rtl'
    },
  ): string {
    const breaks = this.#takeBreak()
    const values = [
      align === undefined
        ? direction === undefined
          ? ''
          : ' fo:text-align="right"' // LibreOffice treats "start" as the left side even in right-to-left text
        : ` fo:text-align="${{ left: 'start', center: 'center', right: 'end', justify: 'justify' }[align]}"`,
      indent === undefined || indent <= 0 ? '' : ` fo:margin-left="${pt(indent)}"`,
      spaceBefore === undefined ? '' : ` fo:margin-top="${pt(spaceBefore)}"`,
      direction === undefined ? '' : ' style:writing-mode="rl-tb"',
      breaks,
    ].join('')
    if (values === '') return parent
    return this.#style('paragraph', parent, `<style:paragraph-properties${values}/>`)
  }

  #textStyle(style: FlowStyle, link: boolean): string | undefined {
    const { bold, italic, underline, strike, code, script, size, color, font } = style
    const values = [
      bold ? ' fo:font-weight="bold" style:font-weight-asian="bold" style:font-weight-complex="bold"' : '',
      italic
        ? ' fo:font-style="italic" style:font-style-asian="italic" style:font-style-complex="italic"'
        : '',
      underline && !link ? ' style:text-underline-style="solid" style:text-underline-width="auto"' : '',
      strike ? ' style:text-line-through-style="solid"' : '',
      script === undefined ? '' : ` style:text-position="${script} 58%"`,
      size === undefined
        ? ''
        : ` fo:font-size="${pt(size)}" style:font-size-asian="${pt(size)}" style:font-size-complex="${pt(size)}"`,
      color === undefined || link ? '' : ` fo:color="#${color}"`,
      font === undefined ? '' : ` fo:font-family="${xml(font)}"`,
    ].join('')
    const parent = code ? 'Source_20_Text' : ''
    if (values === '') return code ? parent : undefined
    return this.#style('text', parent, `<style:text-properties${values}/>`)
  }

  #takeBreak(): string {
    if (!this.#pageBreak) return ''
    this.#pageBreak = false
    return ' fo:break-before="page"'
  }

  #style(family: string, parent: string, properties: string): string {
    const key = `${family} ${parent} ${properties}`
    const existing = this.#styles.get(key)
    if (existing !== undefined) return existing.name
    const name = `s${this.#styles.size + 1}`
    const from = parent === '' ? '' : ` style:parent-style-name="${parent}"`
    this.#styles.set(key, {
      name,
      xml: `<style:style style:name="${name}" style:family="${family}"${from}>${properties}</style:style>`,
    })
    return name
  }
}

function withPrefix(blocks: readonly FlowBlock[], prefix: string): readonly FlowBlock[] {
  const [first, ...rest] = blocks
  const inline: FlowInline = { kind: 'text', text: prefix, style: {} }
  if (first?.kind !== 'paragraph') return [{ kind: 'paragraph', inlines: [inline] }, ...blocks]
  return [{ ...first, inlines: [inline, ...first.inlines] }, ...rest]
}

/** Escapes text. Tabs and consecutive spaces are written as elements (ODF 1.3 part 3, 6.1.2). */
export function spaced(text: string): string {
  return xml(text)
    .replace(/\t/g, '<text:tab/>')
    .replace(/\n/g, '<text:line-break/>')
    .replace(/ {2,}/g, (run) => ` <text:s text:c="${run.length - 1}"/>`)
    .replace(/^ /, '<text:s/>')
}

function preformatted(text: string): string {
  return text
    .split('\n')
    .map((line) => spaced(line.replace(/\t/g, '    ')))
    .join('<text:line-break/>')
}

function pt(value: number): string {
  return `${Math.round(value * 100) / 100}pt`
}

/** Escapes text and attribute values; characters that XML 1.0 does not allow are dropped. */
export function xml(text: string): string {
  return text
    .replace(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
