import type { Chart } from '../../../../shared/document/chart.ts'
import type { Block, Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { Anchor, Drawing, GroupChild } from '../../../../shared/document/drawing.ts'
import { mathWords } from '../../../../shared/document/math.ts'
import type { ParagraphProperties } from '../../../../shared/document/properties.ts'
import type { Section } from '../../../../shared/document/section.ts'
import type { Table } from '../../../../shared/document/table.ts'
import type { RowProperties } from '../../../../shared/document/table-properties.ts'
import { minOf } from '../../../../shared/extremes.ts'
import { styleChain } from '../style/merge.ts'

/** Text of which engines disagree where it stands. `confidence.ts` says how often they do. */
export type DoubtReason =
  | 'bordered-paragraph'
  | 'cell-spacing'
  | 'chart'
  | 'columns'
  | 'drop-cap'
  | 'equation'
  | 'equation-picture'
  | 'floating-table'
  | 'form-box'
  | 'indented-label'
  | 'justified-arabic'
  | 'label-without-number'
  | 'loose-group'
  | 'nested-drawing'
  | 'nested-table'
  | 'noted-columns'
  | 'raised-text'
  | 'relative-text-box'
  | 'ruby'
  | 'skipped-columns'
  | 'text-box'
  | 'turned-drawing'
  | 'vertical-text'
  | 'word-art'

/** Lengths of text are in UTF-16 code units. */
export interface DoubtfulText {
  /** All text of the document, with that of charts and pictures as far as it can be estimated. */
  length: number
  /** How much of it each reason concerns. */
  readonly concerned: Map<DoubtReason, number>
}

interface Search {
  readonly document: Document
  readonly text: DoubtfulText
  /** The reasons that hold at the current position. */
  readonly reasons: readonly DoubtReason[]
  readonly tableDepth: number
  /** The character styles that raise or lower their text. */
  readonly raising: ReadonlySet<string>
  /** Whether the current position is in the text of a drawing. */
  readonly isInDrawing: boolean
}

/** Measures the text of a document, without laying it out. */
export function findDoubtfulText(document: Document): DoubtfulText {
  const text: DoubtfulText = { length: 0, concerned: new Map() }
  const raising = raisingStyles(document.styles)
  const search: Search = { document, text, reasons: [], tableDepth: 0, raising, isInDrawing: false }
  for (const section of document.sections) addSection(search, section)
  for (const { blocks } of document.notes.values()) addBlocks(search, blocks)
  for (const drawing of document.onSheets ?? []) addDrawing(search, drawing)
  return text
}

function addSection(outer: Search, { blocks, headers, footers, properties }: Section): void {
  addBlocks(because(outer, properties.columns.count > 1 && 'columns'), blocks)
  for (const { default: others, first, even } of [headers, footers])
    for (const variant of [others, first, even]) addBlocks(outer, variant ?? [])
}

/** LibreOffice also makes the text of such a style smaller; engine I keeps its size, as Word does. */
function raisingStyles(all: Document['styles']): ReadonlySet<string> {
  const raising = new Set<string>()
  if (![...all.styles.values()].some(({ run }) => isSet(run.raise))) return raising
  for (const [id, { kind }] of all.styles) {
    if (kind !== 'run') continue
    const nearest = styleChain(all, id, 'run').findLast(({ run }) => run.raise !== undefined)
    if (isSet(nearest?.run.raise)) raising.add(id)
  }
  return raising
}

/** The search with another reason, if there is one. */
function because(search: Search, reason: DoubtReason | false): Search {
  if (reason === false || search.reasons.includes(reason)) return search
  return { ...search, reasons: [...search.reasons, reason] }
}

function add({ text, reasons }: Search, length: number): void {
  text.length += length
  for (const reason of reasons) text.concerned.set(reason, (text.concerned.get(reason) ?? 0) + length)
}

function addBlocks(search: Search, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'paragraph') addParagraph(search, block)
    else addTable(search, block)
  }
}

function addTable(outer: Search, { properties, rows }: Table): void {
  const deeper = { ...outer, tableDepth: outer.tableDepth + 1 }
  let search = because(deeper, deeper.tableDepth > 1 && 'nested-table')
  search = because(search, properties.float !== undefined && 'floating-table')
  for (const row of rows) {
    let inRow = because(
      search,
      (isSet(properties.cellSpacing) || hasSpacing(row.properties)) && 'cell-spacing',
    )
    const { gridBefore, gridAfter } = row.properties
    inRow = because(inRow, (isSet(gridBefore) || isSet(gridAfter)) && 'skipped-columns')
    for (const cell of row.cells)
      addBlocks(because(inRow, isVertical(cell.properties.direction) && 'vertical-text'), cell.blocks)
  }
}

const isSet = (value: number | undefined): boolean => value !== undefined && value !== 0
const hasSpacing = ({ cellSpacing, exceptions }: RowProperties): boolean =>
  isSet(cellSpacing) || isSet(exceptions?.cellSpacing)
const isVertical = (direction: 'horizontal' | 'up' | 'down' | undefined): boolean =>
  direction === 'up' || direction === 'down'

function addParagraph(outer: Search, { properties, inlines }: Paragraph): void {
  const style = outer.document.styles.styles.get(properties.style ?? '')?.paragraph
  const frame = properties.frame ?? style?.frame
  const isDropped = frame !== undefined && frame !== 'none' && frame.dropCap !== undefined
  let search = because(outer, (isDropped || properties.dropCap !== undefined) && 'drop-cap')
  search = because(search, properties.borders !== undefined && 'bordered-paragraph')
  const isStretched = inlines.some(isArabic) && isJustified(outer.document, properties)
  search = because(search, isStretched && 'justified-arabic')
  const list = properties.list ?? style?.list
  const level = list && outer.document.numbering.get(list.list)?.levels[list.level]
  search = because(search, level?.format === 'none' && 'label-without-number')
  search = because(search, level?.addsIndent === true && 'indented-label')
  for (const inline of inlines) addInline(search, inline)
}

/** Whether the lines of a paragraph are as wide as its column, by its own properties or the nearest of its styles. */
function isJustified({ styles }: Document, { align, style }: ParagraphProperties): boolean {
  const chain = styleChain(styles, style ?? styles.defaultParagraph, 'paragraph')
  const declared = align ?? chain.findLast(({ paragraph }) => paragraph.align !== undefined)?.paragraph.align
  return declared === 'justify' || declared === 'distribute'
}

/** Office programs lengthen the strokes between the letters of Arabic text, where engine I widens its spaces. */
const isArabic = (inline: Inline): boolean => inline.kind === 'text' && /[\u0620-\u06ff]/.test(inline.text)

function addInline(search: Search, inline: Inline): void {
  if (inline.kind === 'drawing') addDrawing(search, inline.drawing)
  else if (inline.kind === 'note') {
    if (search.reasons.includes('columns')) mark(search, 'noted-columns')
  } else if (inline.kind === 'field') add(search, inline.field.text.length)
  else if (inline.kind === 'text') {
    const { text, run } = inline
    const marked = because(search, run.isFormBox === true && 'form-box')
    const isRaised = isSet(run.raise ?? (search.raising.has(run.style ?? '') ? 1 : 0))
    add(because(marked, isRaised && 'raised-text'), text.length)
  }
}

function addDrawing(around: Search, drawing: Drawing): void {
  const { content, anchor, rotation } = drawing
  if (isSet(rotation) && anchor !== undefined && pushesText(anchor)) mark(around, 'turned-drawing')
  const isRelative = anchor?.relativeWidth !== undefined || anchor?.relativeHeight !== undefined
  const isNested = around.isInDrawing && anchor !== undefined && countsFromPage(anchor)
  const outer = because(because(around, isRelative && 'relative-text-box'), isNested && 'nested-drawing')
  switch (content.kind) {
    case 'shape':
      if (content.wordArt !== undefined) add(because(outer, 'word-art'), content.wordArt.text.length)
      if (content.text !== undefined) {
        const inside = { ...because(outer, 'text-box'), isInDrawing: true }
        addBlocks(because(inside, isVertical(content.text.direction) && 'vertical-text'), content.text.blocks)
      }
      break
    case 'group':
      for (const child of content.children)
        addDrawing(because(outer, isLoose(drawing, content.children) && 'loose-group'), child.drawing)
      break
    case 'chart':
      add(because(outer, 'chart'), lengthOfChart(content.chart))
      break
    case 'math':
      add(because(outer, 'equation'), mathWords(content.math).length)
      break
    case 'ruby':
      add(because(outer, 'ruby'), content.base.length + content.above.length)
      break
    case 'picture':
      if (content.isEquation === true) add(because(outer, 'equation-picture'), lengthOfEquation)
  }
}

/** Notes a reason that concerns the text around the current position rather than text of its own. */
function mark({ text }: Search, reason: DoubtReason): void {
  text.concerned.set(reason, text.concerned.get(reason) ?? 0)
}

const pushesText = ({ wrap }: Anchor): boolean => wrap !== 'none' && wrap !== 'through'

/** The letters of an equation of an earlier editor, whose picture is a metafile with text. */
const lengthOfEquation = 40

/** Engine I places a drawing in the text of another one from that one, office programs from the page. */
const countsFromPage = ({ x, y }: Anchor): boolean => x.from === 'page' || y.from === 'page'

/**
 * Whether the members of a group leave its top or left side free, or reach beyond it, as those of a drawing canvas do. LibreOffice
 * makes such a group as large as its members, and moves them to where it begins; Word and engine I leave them where they are.
 */
function isLoose({ width, height }: Drawing, children: readonly GroupChild[]): boolean {
  if (children.length === 0) return false
  const sideOf = (at: (child: GroupChild) => number): number => minOf(children.map(at))
  const [left, top] = [sideOf(({ x }) => x), sideOf(({ y }) => y)]
  const right = -sideOf(({ x, drawing }) => -x - drawing.width)
  const bottom = -sideOf(({ y, drawing }) => -y - drawing.height)
  const isFree = Math.abs(left) > tolerance || Math.abs(top) > tolerance
  return isFree || right > width + tolerance || bottom > height + tolerance
}

/** In points: less does not move a word out of its place. */
const tolerance = 2

/** The labels of a chart: about ten on each axis, and one for each series. */
const lengthOfChart = ({ plots }: Chart): number =>
  60 + 10 * plots.reduce((count, { series }) => count + series.length, 0)
