/**
 * Writes the pages as a flat OpenDocument text: one empty paragraph for each page, to which all items of the
 * page are anchored at their positions. Text frames stay text, and threaded ones a chain; everything between
 * two of them becomes one drawing.
 */

import type { Matrix } from '../../../shared/document/geometry.ts'
import { entryOf } from '../../../shared/entry-of.ts'
import { namespaces } from '../../../shared/flow/write-odf.ts'
import { toBase64 } from '../../../shared/plugin/base64.ts'
import { escapeAttribute } from '../../../shared/xml/markup.ts'
import { type Element, first } from '../../../shared/xml/read-tree.ts'
import { type Art, type ArtCounts, artOf, svgOf } from './art.ts'
import { colorOfEdge, type EdgeName, edgeWeight, insetOfCell } from './cells.ts'
import type { Idml } from './document.ts'
import { apply, aroundAll, type Bounds, boxOf, moved, pathsOf, short } from './geometry.ts'
import { maxFrameDepth } from './growth.ts'
import { IdmlNumbering } from './numbering.ts'
import { IdmlOdfStyles } from './odf-styles.ts'
import { type IdmlPage, isText, type PageItem } from './pages.ts'
import { type IdmlProperties, propertiesOf } from './properties.ts'
import {
  blocksOf,
  type StoryBlock,
  type StoryCell,
  type StoryInline,
  type StoryParagraph,
  type StoryTable,
} from './story.ts'
import { numberOf, pageNumberMark } from './tree.ts'

const pt = (value: number): string => `${short(value)}pt`
/** LibreOffice paints a frame without a background white when it covers another one. */
const clear =
  'fo:background-color="#ffffff" style:background-transparency="100%" draw:fill="solid" draw:fill-color="#ffffff" draw:opacity="0%"'
/** Notes of a story, which are placed at its end. */
interface StoryNotes {
  count: number
  readonly blocks: StoryBlock[]
}

/** An item rotated by less than this many radians counts as straight. */
const straight = 0.002
const emptyParagraph = '<text:p text:style-name="Frame_20_contents"/>'

export function writePages(document: Idml, pages: readonly IdmlPage[], notes: ArtCounts): string {
  return new PageWriter(document, notes).write(pages)
}

class PageWriter {
  readonly #document: Idml
  readonly #notes: ArtCounts
  readonly #styles: IdmlOdfStyles
  readonly #layouts = new Map<string, string>()
  readonly #begins: string[] = [] // styles of the first paragraphs of pages
  readonly #written = new Set<string>() // stories that are in a frame already
  #order = 0
  #serial = 0
  #pageName = ''
  #depth = 0 // nesting of frames in the text of frames

  constructor(document: Idml, notes: ArtCounts) {
    this.#document = document
    this.#notes = notes
    this.#styles = new IdmlOdfStyles(document)
  }

  write(pages: readonly IdmlPage[]): string {
    const body = pages.map((page) => this.#page(page)).join('')
    const layouts = [...this.#layouts]
    const { name } = this.#document
    return [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      `<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">`,
      `<office:meta>${name === undefined ? '' : `<dc:title>${escapeAttribute(name)}</dc:title>`}<meta:generator>platen</meta:generator></office:meta>`,
      `<office:styles>${fixedStyles}</office:styles>`,
      `<office:automatic-styles>${layouts.map(([size, id]) => layoutOf(id, size)).join('')}${this.#styles.xml()}${this.#begins.join('')}</office:automatic-styles>`,
      `<office:master-styles>${layouts.map(([, id]) => `<style:master-page style:name="${id}" style:page-layout-name="${id}"/>`).join('')}</office:master-styles>`,
      `<office:body><office:text>${body}</office:text></office:body></office:document>`,
    ].join('')
  }

  #page(page: IdmlPage): string {
    const size = `${pt(page.width)} ${pt(page.height)}`
    const layout = this.#layouts.get(size) ?? `Page${this.#layouts.size + 1}`
    this.#layouts.set(size, layout)
    this.#pageName = page.name
    const pageBounds = { left: 0, top: 0, right: page.width, bottom: page.height }
    const markup: string[] = []
    let art: Art[] = []
    const flush = () => {
      markup.push(this.#drawing(art, pageBounds))
      art = []
    }
    for (const pageItem of page.items) {
      const drawn = artOf(pageItem, this.#document, this.#notes)
      if (drawn !== undefined) art.push(drawn)
      if (!isText(pageItem.item)) continue
      flush()
      markup.push(this.#textFrame(pageItem))
    }
    flush()
    const style = this.#styles.style(
      'paragraph',
      '<style:paragraph-properties fo:line-height="1pt" fo:margin-top="0pt" fo:margin-bottom="0pt"/><style:text-properties fo:font-size="1pt"/>',
    )
    // Every page begins with a break, also between pages of equal size.
    const begins = this.#begin(style, layout)
    return `<text:p text:style-name="${begins}">${markup.join('')}</text:p>`
  }

  #begin(parent: string, layout: string): string {
    const name = `Begin${++this.#serial}`
    this.#begins.push(
      `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}" style:master-page-name="${layout}"/>`,
    )
    return name
  }

  #drawing(art: readonly Art[], page: Bounds): string {
    if (art.length === 0) return ''
    const all = aroundAll(art.map((item) => item.box))
    const box = {
      left: Math.max(page.left, all.left),
      top: Math.max(page.top, all.top),
      right: Math.min(page.right, all.right),
      bottom: Math.min(page.bottom, all.bottom),
    }
    if (box.right <= box.left || box.bottom <= box.top) return ''
    const data = this.#encoded(svgOf(art, box))
    return `<draw:frame ${this.#frameAttributes(box)} draw:style-name="${this.#graphic('Graphics', '')}" draw:name="Art${++this.#serial}"><draw:image draw:mime-type="image/svg+xml"><office:binary-data>${data}</office:binary-data></draw:image></draw:frame>`
  }

  #encoded(svg: string): string {
    return this.#document.growth.written(toBase64(new TextEncoder().encode(svg)))
  }

  #frameAttributes({ left, top, right, bottom }: Bounds): string {
    return `text:anchor-type="paragraph" draw:z-index="${this.#order++}" svg:x="${pt(left)}" svg:y="${pt(top)}" svg:width="${pt(right - left)}" svg:height="${pt(bottom - top)}"`
  }

  /** The style of an item at its position on the page. */
  #graphic(parent: string | undefined, attributes: string, inside = ''): string {
    return this.#styles.style(
      'graphic',
      `<style:graphic-properties style:horizontal-pos="from-left" style:horizontal-rel="page" style:vertical-pos="from-top" style:vertical-rel="page" style:wrap="run-through" style:run-through="foreground" style:number-wrapped-paragraphs="no-limit" style:flow-with-text="false" fo:border="none" ${clear} draw:stroke="none" ${attributes}>${inside}</style:graphic-properties>`,
      parent,
    )
  }

  #textFrame(pageItem: PageItem): string {
    const { item, matrix, master } = pageItem
    const paths = pathsOf(item)
    if (paths.length === 0) return ''
    const [a, b] = matrix
    const angle = Math.atan2(b, a)
    const bounds = boxOf(paths)
    const scale = Math.hypot(a, b) || 1
    const preference = frameOf(pageItem)
    const id = item.attributes.get('ParentStory') ?? ''
    const story = this.#document.stories.get(id)
    if (Math.abs(angle) > straight)
      return this.#rotatedText(pageItem, bounds, matrix, angle, scale, preference, story)
    const name = master
      ? `${item.attributes.get('Self')} on ${this.#pageName}`
      : (item.attributes.get('Self') ?? '')
    const next = item.attributes.get('NextTextFrame')
    const begins = (item.attributes.get('PreviousTextFrame') ?? 'n') === 'n'
    const isFirst = story !== undefined && (master ? begins : begins && !this.#written.has(id))
    if (isFirst && !master) this.#written.add(id)
    const chain =
      !master && next !== undefined && next !== 'n' ? ` draw:chain-next-name="${escapeAttribute(next)}"` : ''
    const content = isFirst ? this.#blocks(blocksOf(story, this.#document), master) : ''
    const style = this.#graphic(
      'Frame',
      `${padding(preference)} ${vertical(preference)}`,
      columnsOf(preference, bounds.right - bounds.left),
    )
    return `<draw:frame ${this.#frameAttributes(boxOf(paths, matrix))} draw:style-name="${style}" draw:name="${escapeAttribute(name)}"><draw:text-box${chain}>${content || emptyParagraph}</draw:text-box></draw:frame>`
  }

  /** Text frames cannot be rotated, but a shape that contains the text can. */
  #rotatedText(
    pageItem: PageItem,
    bounds: Bounds,
    matrix: Matrix,
    angle: number,
    scale: number,
    preference: IdmlProperties,
    story: Element | undefined,
  ): string {
    const content =
      story === undefined ? '' : this.#blocks(flatten(blocksOf(story, this.#document)), pageItem.master)
    const [x, y] = apply(matrix, [bounds.left, bounds.top])
    const style = this.#graphic(
      undefined,
      `${padding(preference)} ${vertical(preference)} draw:auto-grow-height="false" draw:auto-grow-width="false" fo:wrap-option="wrap" draw:textarea-horizontal-align="justify"`,
    )
    const size = `svg:width="${pt((bounds.right - bounds.left) * scale)}" svg:height="${pt((bounds.bottom - bounds.top) * scale)}"`
    return `<draw:custom-shape text:anchor-type="paragraph" draw:z-index="${this.#order++}" draw:style-name="${style}" ${size} draw:transform="rotate (${short(-angle)}) translate (${pt(x)} ${pt(y)})">${content}<draw:enhanced-geometry svg:viewBox="0 0 21600 21600" draw:type="rectangle" draw:enhanced-path="M 0 0 L 21600 0 21600 21600 0 21600 0 0 Z N"/></draw:custom-shape>`
  }

  #blocks(blocks: readonly StoryBlock[], master: boolean): string {
    const numbering = new IdmlNumbering()
    const notes: StoryNotes = { count: 0, blocks: [] }
    const text = blocks.map((block) => this.#block(block, numbering, master, notes)).join('')
    // Text in frames cannot have footnotes, so they are placed at the end of the story.
    const more = notes.blocks
      .map((block) => this.#block(block, numbering, master, { count: 0, blocks: [] }))
      .join('')
    // A table must be followed by a paragraph.
    return text + more + (blocks.at(-1)?.kind === 'table' && more === '' ? emptyParagraph : '')
  }

  #block(block: StoryBlock, numbering: IdmlNumbering, master: boolean, notes: StoryNotes): string {
    if (block.kind === 'table') return this.#table(block, master, notes)
    const label = numbering.next(block.formatting)
    const inlines = block.inlines.map((inline) => this.#writeInline(inline, master, notes)).join('')
    const prefix = label === undefined ? '' : `${escapeAttribute(label)}<text:tab/>`
    const style = this.#styles.paragraph(block, label !== undefined)
    return this.#document.growth.written(`<text:p text:style-name="${style}">${prefix}${inlines}</text:p>`)
  }

  #writeInline(inline: StoryInline, master: boolean, notes: StoryNotes): string {
    switch (inline.kind) {
      case 'break':
        return '<text:line-break/>'
      case 'object':
        return this.#inline(inline.item)
      case 'note': {
        const number = ++notes.count
        for (const block of numbered(inline.blocks, number)) notes.blocks.push(block)
        return `<text:span text:style-name="Note_20_number">${number}</text:span>`
      }
      default: {
        const text = characters(inline.text, master ? this.#pageName : undefined)
        const span = inline.hasOverrides
          ? `<text:span text:style-name="${this.#styles.text(inline.formatting)}">${text}</text:span>`
          : text
        return inline.link === undefined
          ? span
          : `<text:a xlink:type="simple" xlink:href="${escapeAttribute(inline.link)}">${span}</text:a>`
      }
    }
  }

  /** An item inside the text, like a character. */
  #inline(item: Element): string {
    const paths = pathsOf(item)
    const box = boxOf(paths)
    const [width, height] = [box.right - box.left, box.bottom - box.top]
    if (!(width > 0 && height > 0)) return ''
    const properties = new Map([
      ...this.#document.objects.get(item.attributes.get('AppliedObjectStyle')),
      ...propertiesOf(item),
    ])
    const pageItem: PageItem = {
      item,
      properties,
      matrix: moved(-box.left, -box.top),
      box,
      master: false,
    }
    const story = isText(item)
      ? this.#document.stories.get(item.attributes.get('ParentStory') ?? '')
      : undefined
    const size = `text:anchor-type="as-char" svg:width="${pt(width)}" svg:height="${pt(height)}" draw:z-index="${this.#order++}"`
    const style = this.#styles.style(
      'graphic',
      `<style:graphic-properties style:vertical-pos="top" style:vertical-rel="baseline" fo:border="none" fo:padding="0pt" ${clear}/>`,
      story === undefined ? 'Graphics' : 'Frame',
    )
    if (story !== undefined) {
      if (this.#depth >= maxFrameDepth) return ''
      this.#depth++
      const text = this.#blocks(blocksOf(story, this.#document), false)
      this.#depth--
      return `<draw:frame ${size} draw:style-name="${style}" draw:name="In${++this.#serial}"><draw:text-box>${text || emptyParagraph}</draw:text-box></draw:frame>`
    }
    const drawn = artOf(pageItem, this.#document, this.#notes)
    if (drawn === undefined) return ''
    const svg = svgOf([drawn], { left: 0, top: 0, right: width, bottom: height })
    return `<draw:frame ${size} draw:style-name="${style}" draw:name="In${++this.#serial}"><draw:image draw:mime-type="image/svg+xml"><office:binary-data>${this.#encoded(svg)}</office:binary-data></draw:image></draw:frame>`
  }

  #table({ widths, heights, cells, headerRows }: StoryTable, master: boolean, notes: StoryNotes): string {
    this.#document.growth.step(widths.length * heights.length)
    const total = widths.reduce((sum, width) => sum + width, 0)
    const style = this.#styles.style(
      'table',
      `<style:table-properties style:width="${pt(total)}" table:align="left" fo:margin-top="0pt" fo:margin-bottom="0pt" table:border-model="collapsing"/>`,
    )
    const columns = widths.map(
      (width) =>
        `<table:table-column table:style-name="${this.#styles.style('table-column', `<style:table-column-properties style:column-width="${pt(width)}"/>`)}"/>`,
    )
    const at = new Map(cells.map((cell) => [`${cell.column}:${cell.row}`, cell]))
    const covered = new Set<string>()
    for (const { column, row, columns: wide, rows: high } of cells) {
      this.#document.growth.step(Math.min(wide, widths.length) * Math.min(high, heights.length))
      for (let x = column; x < Math.min(column + wide, widths.length); x++)
        for (let y = row; y < Math.min(row + high, heights.length); y++)
          if (x !== column || y !== row) covered.add(`${x}:${y}`)
    }
    const rows = heights.map((height, y) => {
      const row = this.#styles.style(
        'table-row',
        `<style:table-row-properties style:min-row-height="${pt(height)}"/>`,
      )
      const inside = widths.map((_, x) => {
        if (covered.has(`${x}:${y}`)) return '<table:covered-table-cell/>'
        return this.#cell(at.get(`${x}:${y}`), master, notes)
      })
      return `<table:table-row table:style-name="${row}">${inside.join('')}</table:table-row>`
    })
    const head = rows.slice(0, headerRows)
    const top = head.length === 0 ? '' : `<table:table-header-rows>${head.join('')}</table:table-header-rows>`
    return `<table:table table:name="Table${++this.#serial}" table:style-name="${style}">${columns.join('')}${top}${rows.slice(headerRows).join('')}</table:table>`
  }

  #cell(cell: StoryCell | undefined, master: boolean, notes: StoryNotes): string {
    if (cell === undefined) return `<table:table-cell>${emptyParagraph}</table:table-cell>`
    const { properties, columns, rows } = cell
    const fill = this.#document.swatches.color(
      properties.get('FillColor'),
      numberOf(properties.get('FillTint'), -1),
    )
    const edge = (name: EdgeName) => {
      const weight = edgeWeight(properties, name)
      const color = colorOfEdge(properties, name, this.#document.swatches)
      return `fo:border-${name.toLowerCase()}="${weight > 0 && color !== undefined ? `${pt(weight)} solid #${color}` : 'none'}" fo:padding-${name.toLowerCase()}="${pt(insetOfCell(properties, name))}"`
    }
    const insets = (['Top', 'Left', 'Bottom', 'Right'] as const).map(edge)
    const align = entryOf(
      { CenterAlign: 'middle', BottomAlign: 'bottom' },
      properties.get('VerticalJustification') ?? '',
    )
    const style = this.#styles.style(
      'table-cell',
      `<style:table-cell-properties ${insets.join(' ')} ${fill === undefined ? '' : `fo:background-color="#${fill}"`} ${align === undefined ? '' : `style:vertical-align="${align}"`}/>`,
    )
    const spans = `${columns > 1 ? ` table:number-columns-spanned="${columns}"` : ''}${rows > 1 ? ` table:number-rows-spanned="${rows}"` : ''}`
    const numbering = new IdmlNumbering()
    const content = cell.blocks.map((block) => this.#block(block, numbering, master, notes)).join('')
    return `<table:table-cell table:style-name="${style}"${spans}>${content || emptyParagraph}</table:table-cell>`
  }
}

/** The insets of a text frame, completed by those of its style. */
function frameOf({ item, properties }: PageItem): IdmlProperties {
  const textPreference = first(item, 'TextFramePreference')
  return textPreference === undefined ? properties : new Map([...properties, ...propertiesOf(textPreference)])
}

function padding(preference: IdmlProperties): string {
  const [top = 0, left = top, bottom = top, right = left] = (preference.get('InsetSpacing') ?? '0')
    .split(/\s+/)
    .map((value) => numberOf(value, 0))
  return `fo:padding-top="${pt(top)}" fo:padding-left="${pt(left)}" fo:padding-bottom="${pt(bottom)}" fo:padding-right="${pt(right)}"`
}

const verticals: Readonly<Record<string, string>> = {
  CenterAlign: 'middle',
  BottomAlign: 'bottom',
}

function vertical(preference: IdmlProperties): string {
  return `draw:textarea-vertical-align="${entryOf(verticals, preference.get('VerticalJustification')) ?? 'top'}"`
}

function columnsOf(preference: IdmlProperties, width: number): string {
  const count = numberOf(preference.get('TextColumnCount'), 1)
  if (count < 2 || count > 40) return ''
  const gap = Math.min(numberOf(preference.get('TextColumnGutter'), 12), width / count)
  return `<style:columns fo:column-count="${count}" fo:column-gap="${pt(gap)}"/>`
}

/** Shapes cannot contain tables, so the cells are written line by line. */
function flatten(blocks: readonly StoryBlock[]): readonly StoryParagraph[] {
  return blocks.flatMap((block) =>
    block.kind === 'paragraph' ? [block] : block.cells.flatMap((cell) => flatten(cell.blocks)),
  )
}

function numbered(blocks: readonly StoryBlock[], number: number): readonly StoryBlock[] {
  const [head, ...rest] = flatten(blocks)
  if (head === undefined) return []
  const label: StoryInline = {
    kind: 'text',
    text: `${number} `,
    formatting: head.formatting,
    hasOverrides: false,
  }
  return [{ ...head, inlines: [label, ...head.inlines] }, ...rest]
}

/**
 * Writes blanks in the way ODF preserves them. `page` replaces the page number; without it a field is
 * written.
 */
function characters(text: string, page: string | undefined): string {
  return escapeAttribute(text)
    .replace(/ {2,}/g, (blanks) => ` <text:s text:c="${blanks.length - 1}"/>`)
    .replace(/^ | $/g, '<text:s/>')
    .replaceAll('\t', '<text:tab/>')
    .replaceAll(
      pageNumberMark,
      page === undefined
        ? '<text:page-number text:select-page="current">1</text:page-number>'
        : escapeAttribute(page),
    )
}

function layoutOf(id: string, size: string): string {
  const [width, height] = size.split(' ')
  return `<style:page-layout style:name="${id}"><style:page-layout-properties fo:page-width="${width}" fo:page-height="${height}" fo:margin="0pt"/></style:page-layout>`
}

const fixedStyles =
  '<style:style style:name="Frame" style:family="graphic"/><style:style style:name="Graphics" style:family="graphic"/><style:default-style style:family="paragraph"><style:paragraph-properties style:tab-stop-distance="36pt"/><style:text-properties fo:font-size="12pt" fo:language="none" fo:country="none"/></style:default-style><style:style style:name="Frame_20_contents" style:display-name="Frame contents" style:family="paragraph"/><style:style style:name="Note_20_number" style:display-name="Note number" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>'
