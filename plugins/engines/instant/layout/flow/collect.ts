import type { Inset } from '../../../../../shared/document/box.ts'
import type { Block, Paragraph } from '../../../../../shared/document/content.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Border, ParagraphBorders, TextFrame } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { LayoutContext, PrepareRequest } from '../context.ts'
import type { Pt } from '../frame.ts'
import { collectContent } from '../inline/content.ts'
import type { InlineContent } from '../inline/types.ts'
import { prepareTable } from '../table/prepare-table.ts'
import { breakLines } from './break-lines.ts'
import { dropLetters } from './drop-cap.ts'
import {
  type DroppedLetters,
  insetWidth,
  type PreparedBlock,
  type PreparedFloating,
  type PreparedFlow,
  type PreparedParagraph,
} from './types.ts'

/**
 * Prepares blocks for layout at one width: computes styles, resolves table columns and collects the
 * paragraphs of text frames.
 */
export function collectFlow(
  context: LayoutContext,
  blocks: readonly Block[],
  request: PrepareRequest,
): PreparedFlow {
  const prepared: PreparedBlock[] = []
  const styles = blocks.map((block) =>
    block.kind === 'paragraph' ? context.styler.paragraph(block.properties, request.format) : undefined,
  )
  const frames = framesOf(context, blocks, styles, request)
  const end = request.cell === true && endsEmpty(blocks) ? blocks.length - 1 : blocks.length
  const narrowed = requestsInside(request)
  for (let i = 0; i < end; i++) {
    const block = blocks[i]
    if (block === undefined) break
    const request = narrowed(block.inset)
    const frame = frames[i]
    const behindFrame = frame !== undefined && isLaidOutAsFrame(frame, request) ? frameEnd(frames, i) : i
    if (block.kind === 'table') {
      if (frame !== undefined && blocks.slice(i, behindFrame).some(({ kind }) => kind === 'paragraph')) {
        prepared.push(prepareFloating(context, blocks.slice(i, behindFrame), frame, request))
        i = behindFrame - 1
        continue
      }
      const table = prepareTable(context, block, request, i === 0)
      prepared.push(block.inset === undefined ? table : { ...table, within: block.inset })
      continue
    }
    // Automatic spacing is dropped at the end of a cell.
    const dropsSpaceAfter = request.cell === true && i === blocks.length - 1 && styles[i]!.spaceAfterAuto
    const style = dropsSpaceAfter ? { ...styles[i]!, spaceAfter: 0 } : styles[i]!
    if (isHidden(context, block, style, request)) continue
    if (frame !== undefined && behindFrame > i) {
      prepared.push(prepareFloating(context, blocks.slice(i, behindFrame), frame, request))
      i = behindFrame - 1
      continue
    }
    const before = borderNeighbour(blocks[i - 1], styles[i - 1], block)
    const after = borderNeighbour(blocks[i + 1], styles[i + 1], block)
    const paragraph = prepareParagraph(
      context,
      block,
      style,
      request,
      joins(before, style),
      joins(style, after),
    )
    prepared.push(opensSection(block, blocks[i - 1]) ? { ...paragraph, opensSection: true } : paragraph)
  }
  return { blocks: prepared, width: request.width }
}

/** Whether a text frame is placed beside the text; else its paragraphs are laid out like any others. */
const isLaidOutAsFrame = ({ dropCap }: TextFrame, { cell }: PrepareRequest): boolean =>
  !libreOffice.framesInCellsAreText || cell !== true || dropCap !== undefined

/** Returns the request for the blocks of a section with margins; one request object for each section. */
function requestsInside(request: PrepareRequest): (inset: Inset | undefined) => PrepareRequest {
  const cached = new Map<Inset, PrepareRequest>()
  return (inset) => {
    if (inset === undefined) return request
    let inside = cached.get(inset)
    if (inside === undefined) {
      const background = inset.background ?? request.background
      inside = {
        ...request,
        width: insetWidth(request.width, inset),
        ...(background !== undefined && { background }),
      }
      cached.set(inset, inside)
    }
    return inside
  }
}

/**
 * Whether a paragraph takes no height: all its text is hidden, or it is empty and its paragraph mark is
 * hidden.
 */
function isHidden(
  context: LayoutContext,
  { inlines, mark }: Paragraph,
  style: ComputedParagraph,
  { format }: PrepareRequest,
): boolean {
  const runs = context.styler.runs(style.style, format)
  let text = false
  for (const inline of inlines) {
    if (inline.kind === 'bookmark') continue
    if (inline.kind !== 'text' || !runs.run(inline.run).hidden) return false
    text = true
  }
  return text || runs.run(mark).hidden
}

/**
 * Whether the last paragraph takes no height: it is the empty one that must follow a table at the end of a
 * cell.
 */
function endsEmpty(blocks: readonly Block[]): boolean {
  const last = blocks.at(-1)
  const before = blocks.at(-2)
  return (
    libreOffice.endOfCellIsHidden &&
    last?.kind === 'paragraph' &&
    last.inlines.length === 0 &&
    before?.kind === 'table' &&
    (before.properties.float === undefined || blocks.length === 2)
  )
}

/** The style of a neighbouring paragraph that may share a border box; frames and those of other sections do not. */
const borderNeighbour = (
  block: Block | undefined,
  style: ComputedParagraph | undefined,
  { section }: Paragraph,
): ComputedParagraph | undefined =>
  block?.kind === 'paragraph' && block.section === section && style?.frame === undefined ? style : undefined

/** Whether a paragraph is the first one of its text section, or follows a section inside it. */
const opensSection = ({ section }: Paragraph, before: Block | undefined): boolean =>
  section !== undefined && before?.section !== section

/**
 * Paragraphs with the same borders and indents share one box (ECMA-376-1 17.3.1.7), unless the upper one has a box of
 * its own.
 */
function joins(a: ComputedParagraph | undefined, b: ComputedParagraph | undefined): boolean {
  if (a?.borders === undefined || b?.borders === undefined) return false
  if (a.separateBox || (b.separateBox && !libreOffice.upperParagraphJoins)) return false
  if (Math.abs(edgeOf(a) - edgeOf(b)) > 0.01 || a.indentEnd !== b.indentEnd) return false
  return sameBorders(a.borders, b.borders)
}

/** Where the box of a paragraph begins, inside its borders: at the lines that begin first. */
const edgeOf = ({ indentStart, indentFirst }: ComputedParagraph): Pt => indentStart + Math.min(0, indentFirst)

function sameBorders(a: ParagraphBorders, b: ParagraphBorders): boolean {
  return (['top', 'bottom', 'left', 'right', 'between'] as const).every((side) =>
    sameBorder(a[side], b[side]),
  )
}
const sameBorder = (a: Border | undefined, b: Border | undefined): boolean =>
  a === b ||
  (a?.style === b?.style && a?.width === b?.width && a?.color === b?.color && a?.space === b?.space)

/**
 * A paragraph with its computed style. Its text is collected when it is first placed, see
 * `PreparedParagraph.content`.
 */
function prepareParagraph(
  context: LayoutContext,
  given: Paragraph,
  style: ComputedParagraph,
  request: PrepareRequest,
  joinsAbove: boolean,
  joinsBelow: boolean,
): PreparedParagraph {
  const source = word.drawingsBetweenParagraphs ? given : withoutDrawingsBefore(given)
  const anchors: Drawing[] = []
  for (const inline of source.inlines) {
    if (inline.kind === 'drawing' && inline.drawing.anchor !== undefined) anchors.push(inline.drawing)
  }
  let content: InlineContent | undefined
  let letters: DroppedLetters | undefined
  const { dropCap } = style
  const dropped = (width: Pt): DroppedLetters | undefined => {
    if (dropCap === undefined || letters !== undefined) return letters
    const undropped = { ...prepared, content: () => collectContent(context, source, style, request) }
    const runs = context.styler.runs(style.style, request.format)
    letters = dropLetters(context, source, dropCap, breakLines(context, undropped, width, 0, undefined), runs)
    // Computing the space above the paragraph may already have collected its text, with the letters of the drop cap still in
    // it.
    if (letters !== undefined) content = undefined
    return letters
  }
  const prepared: PreparedParagraph = {
    kind: 'paragraph',
    source,
    style,
    ...(dropCap !== undefined && !context.labels.paragraphs.has(source) && { dropped }),
    content: () => (content ??= collectContent(context, letters?.rest ?? source, style, request)),
    anchors,
    joinsAbove,
    joinsBelow,
    grid: style.snapToGrid ? request.grid : undefined,
    background: style.shading ?? request.background,
    bookmark: request.inner === true ? undefined : outlineBookmark(context, source, style),
    lineNumbers: countedBy(request, source, style),
    ...(source.inset !== undefined && { within: source.inset }),
  }
  return prepared
}

/** Returns the paragraph without the drawings that precede its text. */
function withoutDrawingsBefore(paragraph: Paragraph): Paragraph {
  const inlines = paragraph.inlines.filter((inline) => inline.kind !== 'drawing' || !inline.beforeParagraph)
  return inlines.length === paragraph.inlines.length ? paragraph : { ...paragraph, inlines }
}

/** How the lines of a paragraph are numbered: only body text is, not cells, headers, boxes and notes. */
function countedBy(
  { lineNumbers, cell, inner }: PrepareRequest,
  source: Paragraph,
  style: ComputedParagraph,
): PreparedParagraph['lineNumbers'] {
  if (lineNumbers === undefined || cell === true || inner === true || style.suppressLineNumbers)
    return undefined
  return lineNumbers.skipsEmpty === true && source.inlines.length === 0 ? undefined : lineNumbers
}

/**
 * The maximum number of headings in the outline of a PDF; a longer outline only costs bytes and viewer time.
 */
const maxHeadings = 5000

/**
 * Adds a heading to the outline of the PDF. Returns the id of the position it links to; undefined when the
 * paragraph is not a heading.
 */
function outlineBookmark(
  context: LayoutContext,
  source: Paragraph,
  style: ComputedParagraph,
): string | undefined {
  if (style.outlineLevel === undefined || context.outline.length >= maxHeadings) return undefined
  const label = context.labels.paragraphs.get(source)?.text ?? ''
  let title = label
  if (title !== '') title += ' '
  for (const inline of source.inlines) {
    if (inline.kind === 'text') title += inline.text
    else if (inline.kind === 'tab' || inline.kind === 'break') title += ' '
    if (title.length > 500) break
  }
  if (title.trim() === '') return undefined
  const bookmark = `heading-${context.outline.length + 1}`
  context.outline.push({
    title: title.trim(),
    level: style.outlineLevel + 1,
    bookmark: bookmark,
    ...(label !== '' && { label }),
  })
  return bookmark
}

/**
 * The frame that each block is in: that of a paragraph, and for a table that of its first paragraph.
 * @source w:framePr (ECMA-376-1 17.3.1.11): consecutive paragraphs with equal properties share one frame; observed in Word and
 *   LibreOffice for tables between them
 */
function framesOf(
  context: LayoutContext,
  blocks: readonly Block[],
  styles: readonly (ComputedParagraph | undefined)[],
  { format }: PrepareRequest,
): readonly (TextFrame | undefined)[] {
  const frames = styles.map((style) => style?.frame)
  if (frames.every((frame) => frame === undefined)) return frames
  return blocks.map((block, index) => {
    if (block.kind === 'paragraph') return frames[index]
    const first = block.rows[0]?.cells[0]?.blocks[0]
    return first?.kind === 'paragraph' ? context.styler.paragraph(first.properties, format).frame : undefined
  })
}

/** The index after the blocks that belong to the same frame as block `from`. */
function frameEnd(frames: readonly (TextFrame | undefined)[], from: number): number {
  const frame = JSON.stringify(frames[from])
  let end = from + 1
  while (end < frames.length && JSON.stringify(frames[end]) === frame) end++
  return end
}

/**
 * A text frame. Its blocks are copied without their frame and margins, so that they are laid out as
 * ordinary text. The copies have the labels of their originals.
 */
function prepareFloating(
  context: LayoutContext,
  blocks: readonly Block[],
  frame: TextFrame,
  request: PrepareRequest,
): PreparedFloating {
  const { paragraphs: labels } = context.labels
  const free = blocks.map((block): Block => {
    if (block.kind === 'table') return { ...block, inset: undefined }
    const copy = { ...block, properties: { ...block.properties, frame: undefined }, inset: undefined }
    const label = labels.get(block)
    if (label !== undefined) labels.set(copy, label)
    return copy
  })
  const wide = frame.width ?? request.width
  let flow = frameFlow(context, free, { ...request, width: wide })
  let width = wide
  if (frame.width === undefined) {
    // Without a declared width, the frame is as wide as its longest line.
    const natural = Math.min(request.width, naturalWidth(flow) + 0.1)
    width = Math.max(1, natural)
    flow = frameFlow(context, free, { ...request, width })
  }
  return { kind: 'floating', frame, flow, width, within: blocks[0]?.inset }
}

function frameFlow(context: LayoutContext, inside: readonly Block[], request: PrepareRequest): PreparedFlow {
  const blocks = inside.map((block, index): PreparedBlock => {
    if (block.kind === 'table') return prepareTable(context, block, request, index === 0)
    const { frame: _frame, ...style } = context.styler.paragraph(block.properties, request.format)
    return prepareParagraph(context, block, style, request, false, false)
  })
  return { blocks, width: request.width }
}

/** The width of the widest paragraph when none of its lines is broken, or of the widest table. */
function naturalWidth(flow: PreparedFlow): number {
  let widest = 0
  for (const block of flow.blocks) {
    if (block.kind === 'table') widest = Math.max(widest, block.width)
    if (block.kind !== 'paragraph') continue
    let width = block.style.indentStart + Math.max(0, block.style.indentFirst)
    for (const segment of block.content().segments) width += segment.width
    widest = Math.max(widest, width + block.style.indentEnd)
  }
  return widest
}
