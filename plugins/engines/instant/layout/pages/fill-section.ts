import type { Section, SectionProperties } from '../../../../../shared/document/section.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import {
  type FillRequest,
  type FlowPosition,
  flowStart,
  insetWidth,
  type PreparedBlock,
  type PreparedFlow,
} from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { closePage } from './close-page.ts'
import { fillColumns } from './columns.ts'
import { openPage } from './open-page.ts'
import { columnsOf, type OpenPage, textWidth } from './page.ts'
import type { PageRun } from './page-run.ts'

/**
 * Fills the text of a section into pages, beginning on the open page. Each iteration fills the columns of one
 * page; `fillColumns` guarantees that the position advances, so the loop ends.
 */
export function fillSection(run: PageRun, { blocks, properties }: Section, index: number): void {
  const { context } = run
  if (blocks.length === 0) return
  const flowFor = flowsOf(run, blocks, properties)
  let page = run.page ?? openPage(run, index, { isFirst: false })
  const pagesOf = word.continuousSectionsChangePages ? index : page.sectionIndex
  let position: FlowPosition = flowStart
  let flow: PreparedFlow | undefined
  let top: FillRequest['top'] = page.y > page.bodyTop ? 'after' : topOfSection(index)
  for (;;) {
    context.budget.check()
    const active = page.sectionIndex === index && !page.firstOfSection ? page.section : properties
    const boxes = columnsInside(active, textWidth(page), properties.inset)
    const isShared = libreOffice.columnsStartTogether && boxes.length > 1 && active.columns.ofPage !== true
    let lead: Pt | undefined
    if (isShared && position.line === 0 && position.table === undefined) {
      lead = spaceAboveColumns(run, flowFor(boxes[0]!.width).blocks[position.block], page, top)
      top = 'natural'
    }
    const filled = fillColumns(run, page, {
      boxes,
      flowFor,
      position,
      flow,
      top,
      balanced: boxes.length > 1 && isBalanced(run, properties, index),
      lead,
      inset: properties.inset,
    })
    flow = filled.flow
    if (filled.next === undefined) return
    if (filled.next.block >= flow.blocks.length) {
      // A manual break after the last block belongs to the next section, which then begins a new page regardless of its type.
      if (filled.broke && index + 1 < run.sections.length) closePage(run)
      return
    }
    position = filled.next
    top = filled.broke ? 'forced' : 'natural'
    closePage(run)
    page = openPage(run, pagesOf, { isFirst: false })
  }
}

/** The kind of text above a section that begins a page. Automatic space is dropped only at the start of the document. */
const topOfSection = (index: number): FillRequest['top'] =>
  index > 0 && libreOffice.sectionsStartWithSpace ? 'forced' : 'start'

/** Returns the flow of a section for each column width, collected once. */
function flowsOf(
  { context }: PageRun,
  blocks: Section['blocks'],
  { grid, lineNumbers }: SectionProperties,
): (width: Pt) => PreparedFlow {
  const flows = new Map<Pt, PreparedFlow>()
  return (width) => {
    let flow = flows.get(width)
    if (flow === undefined) {
      flow = context.flows.prepare(blocks, {
        width,
        grid: grid?.linePitch,
        ...(lineNumbers !== undefined && lineNumbers.every > 0 && { lineNumbers }),
      })
      flows.set(width, flow)
    }
    return flow
  }
}

/** The space above a set of columns: that before their first paragraph. */
function spaceAboveColumns(
  { context }: PageRun,
  first: PreparedBlock | undefined,
  page: OpenPage,
  top: FillRequest['top'],
): Pt {
  const { settings } = context.document
  const style = first?.kind === 'paragraph' ? first.style : undefined
  const before = style?.spaceBefore ?? 0
  return top === 'after'
    ? word.spaceBetween(page.after, before, settings)
    : word.spaceAtTop(before, style?.spaceBeforeAuto === true, top, settings)
}

/** Whether columns are balanced: by declaration, or because more text follows on the same page. */
function isBalanced({ sections }: PageRun, { columns }: SectionProperties, index: number): boolean {
  return columns.balanced ?? sections[index + 1]?.properties.start === 'continuous'
}

/** The columns of a section, inside its margins if it has some. */
function columnsInside(
  section: SectionProperties,
  width: Pt,
  inset: SectionProperties['inset'],
): ReturnType<typeof columnsOf> {
  if (inset === undefined) return columnsOf(section, width)
  return columnsOf(section, insetWidth(width, inset)).map((box) => ({ ...box, x: box.x + inset.left }))
}
