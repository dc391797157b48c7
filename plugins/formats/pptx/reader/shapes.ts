/** The shapes of a slide: text, pictures, tables, charts, SmartArt and groups of them (ECMA-376-1 19.3.1). */
import { entryOf } from '../../../../shared/entry-of.ts'
import { chartBlocks } from '../../../../shared/flow/chart-table.ts'
import type { FlowBlock, FlowCell, FlowRow } from '../../../../shared/flow/flow.ts'
import { blocksOfLines, type SlideItem, type SlideLine } from '../../../../shared/flow/from-slides.ts'
import type { FlowBox } from '../../../../shared/flow/reading-order.ts'
import { readChart } from '../../../../shared/office/ooxml/chart/chart.ts'
import { diagramDrawing } from '../../../../shared/office/ooxml/diagram.ts'
import { emptyTheme } from '../../../../shared/office/ooxml/theme.ts'
import { emu, integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { isTitle, type PlaceholderName, readPlaceholderName } from '../placeholder.ts'
import { type Inherited, readBox, type SlideLayouts } from './layouts.ts'
import { readLink, readTextBody, type SlideText, type SlideTextBody } from './text.ts'
import { openSlidePart, orUndefined } from './vocabulary.ts'

/** The state of reading one slide. */
export interface SlideContext extends SlideText {
  readonly parts: ReadFile
  readonly layouts: SlideLayouts
  readonly layout: string | undefined // part name
  /** The tables of charts by part, since several slides can show the same chart. */
  readonly charts: Map<string, readonly FlowBlock[]>
  /** Called with the text of a title placeholder. */
  readonly onTitle: (lines: readonly SlideLine[], type: string) => void
}

/** Footer placeholders, which repeat on every slide. */
const footers = new Set(['dt', 'ftr', 'sldNum', 'hdr'])
/** The maximum span of a table cell; larger ones are mistakes. */
const maxSpan = 1000

/** Reads the shapes of p:spTree, of a group or of a tree of a diagram. */
export function readShapes(context: SlideContext): SlideItem[] {
  const { cursor, budget } = context
  const items: SlideItem[] = []
  cursor.each((name) => {
    const read = entryOf(readers, name)
    const item = read !== undefined && budget.take() ? read(context) : undefined
    if (item !== undefined) items.push(item)
  })
  return items
}

const readers: Readonly<Record<string, (context: SlideContext) => SlideItem | undefined>> = {
  'p:sp': readShape,
  'p:pic': readPicture,
  'p:graphicFrame': readFrame,
  'p:grpSp': readGroup,
}

/** p:cNvPr and p:nvPr of any shape (20.1.2.2.8, 19.3.1.33). */
interface ShapeNames {
  description: string
  hidden: boolean
  decorative: boolean
  link?: string | undefined
  placeholder?: PlaceholderName
}

/** Reads p:nvSpPr, p:nvPicPr and the like, at which the cursor stands. */
function readNames(context: SlideContext): ShapeNames {
  const { cursor } = context
  const names: ShapeNames = { description: '', hidden: false, decorative: false }
  const visit = (name: string): void => {
    if (name === 'p:cNvPr') {
      names.description = (cursor.attribute('descr') || cursor.attribute('title') || '').trim()
      names.hidden = isOn(cursor.attribute('hidden'))
      cursor.each(visit)
    } else if (name === 'p:ph') names.placeholder = readPlaceholderName(cursor)
    else if (name === 'a:hlinkClick') names.link = readLink(context)
    else if (name === 'adec:decorative') names.decorative = isOn(cursor.attribute('val'))
    else if (name === 'p:nvPr' || name === 'a:extLst' || name === 'a:ext') cursor.each(visit)
  }
  cursor.each(visit)
  return names
}

/** p:sp (19.3.1.43). A title is reported to the slide, and footers are omitted. */
function readShape(context: SlideContext): SlideItem | undefined {
  const { cursor, layouts, layout } = context
  let names: ShapeNames | undefined
  let inherited: Inherited | undefined
  let box: FlowBox | undefined
  let text: SlideTextBody = { lines: [] }
  let picture: readonly FlowBlock[] = []
  cursor.each((name) => {
    if (name === 'p:nvSpPr') {
      names = readNames(context)
      if (names.placeholder !== undefined) inherited = layouts.inherited(layout, names.placeholder)
    } else if (name === 'p:spPr')
      cursor.each((child) => {
        if (child === 'a:xfrm') box = readBox(cursor)
        else if (child === 'a:blipFill') picture = readFill(context, names)
      })
    else if (name === 'p:txBody') text = readTextBody(context, inherited?.bullets ?? [], names?.link)
  })
  const type = inherited?.type ?? ''
  if (names?.hidden === true || footers.has(type)) return undefined
  if (isTitle(type)) {
    context.onTitle(text.lines, type)
    return undefined
  }
  const blocks = [...picture, ...blocksOfLines(text.lines)]
  if (blocks.length === 0) return undefined
  return { box: box ?? inherited?.box, blocks, ...(text.size !== undefined && { size: text.size }) }
}

/** The picture that fills a shape. A picture without a description is decoration. */
function readFill(context: SlideContext, names: ShapeNames | undefined): readonly FlowBlock[] {
  if (names === undefined || names.description === '' || names.decorative) return []
  return readBlip(context, names.description)
}

/** p:blipFill or a:blipFill at the cursor. */
function readBlip(
  { cursor, relationships, parts, budget }: SlideContext,
  description: string,
): readonly FlowBlock[] {
  let blocks: readonly FlowBlock[] = []
  cursor.each((name) => {
    if (name !== 'a:blip') return
    const target = relationships.get(cursor.attribute('r:embed') ?? '')
    const bytes = target === undefined || target.external ? undefined : parts(target.target)
    blocks = budget.picture(target?.target ?? '', bytes, description)
  })
  return blocks
}

/** p:pic (19.3.1.37). */
function readPicture(context: SlideContext): SlideItem | undefined {
  const { cursor, layouts, layout } = context
  let names: ShapeNames | undefined
  let box: FlowBox | undefined
  let blocks: readonly FlowBlock[] = []
  cursor.each((name) => {
    if (name === 'p:nvPicPr') names = readNames(context)
    else if (name === 'p:blipFill' && names?.hidden !== true && names?.decorative !== true)
      blocks = readBlip(context, names?.description ?? '')
    else if (name === 'p:spPr')
      cursor.each((child) => {
        if (child === 'a:xfrm') box = readBox(cursor)
      })
  })
  if (blocks.length === 0) return undefined
  const placeholder = names?.placeholder
  return { box: box ?? (placeholder && layouts.inherited(layout, placeholder).box), blocks }
}

/** p:grpSp (19.3.1.22). Its shapes are ordered among themselves, in the coordinates of the group. */
function readGroup(context: SlideContext): SlideItem | undefined {
  const { cursor } = context
  let names: ShapeNames | undefined
  let box: FlowBox | undefined
  const children: SlideItem[] = []
  cursor.each((name) => {
    if (name === 'p:nvGrpSpPr') names = readNames(context)
    else if (name === 'p:grpSpPr')
      cursor.each((child) => {
        if (child === 'a:xfrm') box = readBox(cursor)
      })
    else {
      const read = entryOf(readers, name)
      const item = read !== undefined && context.budget.take() ? read(context) : undefined
      if (item !== undefined) children.push(item)
    }
  })
  return names?.hidden === true || children.length === 0 ? undefined : { box, blocks: [], children }
}

/** p:graphicFrame (19.3.1.21): a table, chart, diagram or embedded object. */
function readFrame(context: SlideContext): SlideItem | undefined {
  const { cursor, budget } = context
  let names: ShapeNames | undefined
  let box: FlowBox | undefined
  let blocks: readonly FlowBlock[] = []
  let isSupported = false
  const visit = (name: string): void => {
    const read = entryOf(graphics, name)
    if (read !== undefined) {
      isSupported = true
      blocks = read(context, names?.description ?? '')
    } else if (name === 'p:pic') {
      isSupported = true
      blocks = readPicture(context)?.blocks ?? []
    } else if (name === 'p:nvGraphicFramePr') names = readNames(context)
    else if (name === 'p:xfrm') box = readBox(cursor)
    else if (name === 'a:graphic' || name === 'a:graphicData' || name === 'p:oleObj') cursor.each(visit)
  }
  cursor.each(visit)
  if (names?.hidden === true) return undefined
  if (!isSupported) {
    budget.lose('objects')
    blocks = budget.described(names?.description ?? '')
  }
  const placeholder = names?.placeholder
  const position = box ?? (placeholder && context.layouts.inherited(context.layout, placeholder).box)
  return blocks.length === 0 ? undefined : { box: position, blocks }
}

const graphics: Readonly<
  Record<string, (context: SlideContext, description: string) => readonly FlowBlock[]>
> = {
  'a:tbl': (context) => [readTable(context)],
  'c:chart': readChartTable,
  'dgm:relIds': readDiagram,
}

/** a:tbl (21.1.3.13). */
function readTable(context: SlideContext): FlowBlock {
  const { cursor, budget } = context
  const widths: number[] = []
  const rows: FlowRow[] = []
  let hasHeader = false
  cursor.each((name) => {
    if (name === 'a:tblPr') hasHeader = isOn(cursor.attribute('firstRow'))
    else if (name === 'a:tblGrid')
      cursor.each(() => void (widths.length < maxSpan && widths.push(emu(cursor.attribute('w')) ?? 0)))
    else if (name === 'a:tr' && budget.take()) rows.push(readRow(context))
  })
  // A Markdown table always has a header row. If there is none, the first row becomes one instead of an empty row.
  const headerRows = hasHeader || rows.length > 1 ? 1 : 0
  return { kind: 'table', rows, headerRows, ...(widths.length > 0 && { widths }) }
}

function readRow(context: SlideContext): FlowRow {
  const { cursor, budget } = context
  const cells: FlowCell[] = []
  cursor.each((name) => {
    if (name !== 'a:tc' || !budget.take()) return
    // Covered cells are stored but have no position of their own.
    if (isOn(cursor.attribute('hMerge')) || isOn(cursor.attribute('vMerge'))) return
    const span = (attribute: string) =>
      Math.min(maxSpan, Math.max(1, integer(cursor.attribute(attribute)) ?? 1))
    const [columns, rows] = [span('gridSpan'), span('rowSpan')]
    let blocks: readonly FlowBlock[] = []
    cursor.each((child) => {
      if (child === 'a:txBody') blocks = blocksOfLines(readTextBody(context, []).lines)
    })
    cells.push({ blocks, columns, rows })
  })
  return { cells }
}

/** c:chart: the data of the chart as a table. */
function readChartTable(context: SlideContext, description: string): readonly FlowBlock[] {
  const { cursor, relationships, parts, charts, budget } = context
  const part = relationships.get(cursor.attribute('r:id') ?? '')?.target ?? ''
  const cached = charts.get(part)
  const blocks = cached ?? chartOf(parts(part), description)
  charts.set(part, blocks)
  const size = blocks.reduce(
    (sum, block) =>
      sum + (block.kind === 'table' ? block.rows.length * (block.rows[0]?.cells.length ?? 0) : 1),
    0,
  )
  if (blocks.length === 0) budget.lose('charts')
  return blocks.length > 0 && budget.take(size) ? blocks : budget.described(description)
}

function chartOf(bytes: Uint8Array | undefined, description: string): readonly FlowBlock[] {
  const chart = bytes && orUndefined(() => readChart(bytes, emptyTheme).chart)
  return chart === undefined ? [] : chartBlocks(chart, description)
}

/** dgm:relIds: the texts of a SmartArt as a list, from the drawing that PowerPoint saves with it, otherwise from its data. */
function readDiagram(context: SlideContext, description: string): readonly FlowBlock[] {
  const { cursor, relationships, parts, budget } = context
  const data = cursor.attribute('r:dm')
  const drawing = diagramDrawing(relationships, data)
  const read = (part: string | undefined): readonly SlideLine[] =>
    (part && orUndefined(() => readDiagramLines(context, parts(part)))) || []
  const drawn = read(drawing)
  const lines = drawn.length > 0 ? drawn : read(relationships.get(data ?? '')?.target)
  if (lines.length === 0) budget.lose('diagrams')
  return lines.length === 0 ? budget.described(description) : blocksOfLines(lines)
}

/**
 * The texts of the shapes of a drawing, or of the points of its data (21.4.3.5): the first line of each, with further lines
 * below it.
 */
function readDiagramLines(context: SlideContext, bytes: Uint8Array | undefined): readonly SlideLine[] {
  const cursor = openSlidePart(bytes)
  if (cursor === undefined) return []
  const inner: SlideText = { ...context, cursor, relationships: new Map() }
  const lines: SlideLine[] = []
  const visit = (name: string): void => {
    if (name === 'wps:txBody' || name === 'dgm:t') {
      const filled = readTextBody(inner, []).lines.filter(({ inlines }) => inlines.length > 0)
      for (const [at, line] of filled.entries())
        lines.push({ ...line, list: 'bullets', level: at === 0 ? 0 : 1 })
    } else if (/^(?:wps:(?:spTree|sp|grpSp)|dgm:(?:ptLst|pt))$/.test(name)) cursor.each(visit)
  }
  cursor.each(visit)
  return lines
}
