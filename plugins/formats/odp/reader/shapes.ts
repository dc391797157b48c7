/** The shapes of a page: text boxes, pictures, tables, charts, equations and groups of them (ODF 1.3 part 3, 10). */

import { mathWords } from '../../../../shared/document/math.ts'
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import { chartBlocks } from '../../../../shared/flow/chart-table.ts'
import type { FlowBlock, FlowCell, FlowRow } from '../../../../shared/flow/flow.ts'
import { blocksOfLines, type SlideItem, type SlideLine } from '../../../../shared/flow/from-slides.ts'
import { latexOf } from '../../../../shared/flow/math-latex.ts'
import type { FlowBox } from '../../../../shared/flow/reading-order.ts'
import { objectContentName, readEmbedded } from '../../../../shared/office/opendocument/object.ts'
import { length } from '../../../../shared/office/opendocument/values.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { type OdpLines, type OdpText, readTextChild } from './text.ts'

/** The state of reading one page. */
export interface PageContext extends OdpText {
  readonly parts: ReadFile
  /** Blocks of embedded objects by the name of their content. */
  readonly objects: Map<string, readonly FlowBlock[]>
  /** Called with the text of a title, or of a subtitle, which only title slides have. */
  readonly onTitle: (lines: readonly SlideLine[]) => void
  readonly onSubtitle: () => void
}

/** Classes of frames that repeat on every page (presentation:class, 19.389). */
const footers = new Set(['footer', 'header', 'date-time', 'page-number', 'page'])
/** The maximum number of repetitions of a cell or row and of a span; larger numbers are mistakes. */
const maxSpan = 1000

/** Reads one child of draw:page or draw:g; undefined if it shows nothing. */
export function readShape(context: PageContext, name: string): SlideItem | undefined {
  const { cursor, budget } = context
  if (!name.startsWith('draw:') && !name.startsWith('dr3d:')) return undefined
  if (!budget.take()) return undefined
  if (name === 'draw:g' || name === 'draw:a') {
    const children = readChildren(context)
    return children.length === 0 ? undefined : { blocks: [], children, ...boxOf(children) }
  }
  const kind = cursor.attribute('presentation:class') ?? ''
  if (footers.has(kind)) return undefined
  // An empty placeholder shows its prompt only while the presentation is edited.
  if (cursor.attribute('presentation:placeholder') === 'true') return undefined
  const box = readBox(context)
  const draft: ShapeDraft = {
    text: { lines: [], size: 0 },
    blocks: [],
    href: undefined,
    object: false,
    description: '',
  }
  readContent(context, draft)
  if (kind === 'title') {
    context.onTitle(draft.text.lines)
    return undefined
  }
  if (kind === 'subtitle') context.onSubtitle()
  const blocks = [...draft.blocks, ...pictureOf(context, draft), ...blocksOfLines(draft.text.lines)]
  if (blocks.length === 0) return undefined
  return { box, blocks, ...(draft.text.size > 0 && { size: draft.text.size }) }
}

function readChildren(context: PageContext): SlideItem[] {
  const items: SlideItem[] = []
  context.cursor.each((name) => {
    const item = readShape(context, name)
    if (item !== undefined) items.push(item)
  })
  return items
}

/** The bounding box of items. The shapes of a group are in page coordinates. */
function boxOf(items: readonly SlideItem[]): { readonly box?: FlowBox } {
  const boxes = items.flatMap(({ box }) => box ?? [])
  if (boxes.length === 0) return {}
  const [x, y] = [minOf(boxes.map((box) => box.x)), minOf(boxes.map((box) => box.y))]
  const right = maxOf(boxes.map((box) => box.x + box.width))
  const bottom = maxOf(boxes.map((box) => box.y + box.height))
  return { box: { x, y, width: right - x, height: bottom - y } }
}

/** The box of the shape at the cursor. The position of a rotated shape is the translation of its transformation. */
function readBox({ cursor }: PageContext): FlowBox {
  const moved = /translate\s*\(\s*(\S+?)[\s,]+([^\s)]+)\s*\)/.exec(cursor.attribute('draw:transform') ?? '')
  return {
    x: length(cursor.attribute('svg:x') ?? moved?.[1]) ?? 0,
    y: length(cursor.attribute('svg:y') ?? moved?.[2]) ?? 0,
    width: length(cursor.attribute('svg:width')) ?? 0,
    height: length(cursor.attribute('svg:height')) ?? 0,
  }
}

/** The properties of a shape read so far. */
interface ShapeDraft {
  readonly text: OdpLines
  readonly blocks: FlowBlock[]
  href: string | undefined // of its picture
  /** An object was read, so its replacement picture is not needed. */
  object: boolean
  description: string
}

function readContent(context: PageContext, draft: ShapeDraft): void {
  const { cursor } = context
  cursor.each((name) => {
    if (readTextChild(context, name, draft.text)) return
    if (name === 'draw:text-box') readContent(context, draft)
    else if (name === 'svg:desc' || (name === 'svg:title' && draft.description === ''))
      draft.description = cursor.text().trim() || draft.description
    else if (name === 'table:table') {
      draft.object = true
      draft.blocks.push(readTable(context))
    } else if (name === 'draw:object') {
      const blocks = readObject(context, cursor.attribute('xlink:href'))
      pushAll(draft.blocks, blocks)
      draft.object = draft.object || blocks.length > 0
    } else if (name === 'draw:image') draft.href ??= cursor.attribute('xlink:href')
  })
}

function pictureOf(
  { parts, budget }: PageContext,
  { href, object, description }: ShapeDraft,
): readonly FlowBlock[] {
  if (object || href === undefined) return []
  const name = href.replace(/^\.\//, '')
  return budget.picture(name, parts(name), description)
}

/** draw:object: a chart as a table of its data, or an equation; nothing for other objects. */
function readObject(context: PageContext, href: string | undefined): readonly FlowBlock[] {
  const { parts, objects, budget } = context
  const name = objectContentName(href)
  const bytes = name === '' ? undefined : parts(name)
  if (bytes === undefined) return []
  const blocks = objects.get(name) ?? objectBlocks(bytes)
  objects.set(name, blocks)
  const cells = (block: FlowBlock) =>
    block.kind === 'table' ? block.rows.length * (block.rows[0]?.cells.length ?? 0) : 1
  return budget.take(blocks.reduce((sum, block) => sum + cells(block), 0)) ? blocks : []
}

function objectBlocks(bytes: Uint8Array): readonly FlowBlock[] {
  const content = readEmbedded(bytes)?.content
  if (content === undefined) return []
  if (content.kind === 'chart') return chartBlocks(content.chart, '')
  const equation = { latex: latexOf(content.math), display: content.display }
  const text = mathWords(content.math)
  return [{ kind: 'paragraph', inlines: [{ kind: 'text', text, style: { italic: true }, equation }] }]
}

/** table:table (9.1.2). */
function readTable(context: PageContext): FlowBlock {
  const { cursor, budget } = context
  const rows: FlowRow[] = []
  let headerRows = 0
  const visit = (name: string): void => {
    if (name === 'table:table-row') {
      const copies = countOf(context, 'table:number-rows-repeated')
      const row = readRow(context)
      for (let copy = 0; copy < copies && budget.take(row.cells.length + 1); copy++) rows.push(row)
    } else if (name === 'table:table-header-rows') {
      cursor.each(visit)
      headerRows = rows.length
    } else if (name === 'table:table-rows' || name === 'table:table-row-group') cursor.each(visit)
  }
  cursor.each(visit)
  // A Markdown table always has a header row. If there is none, the first row becomes one instead of an empty row.
  return { kind: 'table', rows, headerRows: headerRows > 0 ? headerRows : rows.length > 1 ? 1 : 0 }
}

function readRow(context: PageContext): FlowRow {
  const { cursor, budget } = context
  const cells: FlowCell[] = []
  cursor.each((name) => {
    // Covered cells (table:covered-table-cell) are not written.
    if (name !== 'table:table-cell') return
    const copies = countOf(context, 'table:number-columns-repeated')
    const columns = countOf(context, 'table:number-columns-spanned')
    const rows = countOf(context, 'table:number-rows-spanned')
    const text: OdpLines = { lines: [], size: 0 }
    cursor.each((child) => void readTextChild(context, child, text))
    const cell: FlowCell = { blocks: blocksOfLines(text.lines), columns, rows }
    for (let copy = 0; copy < copies && budget.take(); copy++) cells.push(cell)
  })
  return { cells }
}

const countOf = ({ cursor }: PageContext, attribute: string): number =>
  Math.min(maxSpan, Math.max(1, Math.trunc(Number(cursor.attribute(attribute) ?? 1)) || 1))
