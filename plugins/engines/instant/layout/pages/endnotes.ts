import type { Section, SectionProperties } from '../../../../../shared/document/section.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { type FlowPosition, flowStart } from '../flow/types.ts'
import { closePage } from './close-page.ts'
import { fillColumns } from './columns.ts'
import { openPage } from './open-page.ts'
import { textWidth } from './page.ts'
import type { PageRun } from './page-run.ts'

/**
 * Places the endnotes on pages of their own. The inner loop ends because
 * `fillColumns` moves the position on whenever it is given an empty page.
 */
export function placeEndnotes(run: PageRun): void {
  const { context, sections } = run
  const index = sections.length - 1
  const replacement = context.document.endnotePage ?? endnotePage(sections[index]!.properties)
  closePage(run)
  let page = openPage(run, index, { isFirst: false, replacement })
  const width = textWidth(page)
  for (const key of new Set(run.endnotes)) {
    const blocks = context.document.notes.get(key)?.blocks ?? []
    const flow = context.flows.prepare(blocks, { width, note: key, inner: true })
    let position: FlowPosition | undefined = flowStart
    while (position !== undefined) {
      context.budget.check()
      const filled = fillColumns(run, page, {
        boxes: [{ x: 0, width }],
        flowFor: () => flow,
        position,
        top: 'after',
        balanced: false,
      })
      position = filled.next
      if (position === undefined) break
      closePage(run)
      page = openPage(run, index, { isFirst: false, replacement })
    }
  }
}

/**
 * The page set-up for endnotes: the paper of the last section with equal margins and no headers.
 */
function endnotePage(section: SectionProperties): Section {
  const margin = libreOffice.endnoteMargin
  const margins = {
    top: margin,
    right: margin,
    bottom: margin,
    left: margin,
    header: margin,
    footer: margin,
    gutter: 0,
  }
  const columns = { count: 1, gap: 0, separator: false }
  return {
    properties: { ...section, margins, columns, borders: undefined, grid: undefined },
    headers: { default: [], first: [], even: [] },
    footers: { default: [], first: [], even: [] },
    blocks: [],
  }
}
