/**
 * Looks at finished pages as their reader will: is all text of the document there, can it be seen, and is none drawn over
 * other text? It shares no rule with the layout that made the pages, so that a fault there shows here. What it finds is a
 * warning each; an engine that judges its own work sends such documents to another one.
 */
import type { Document, Inline } from '../../../../../shared/document/document.ts'
import type { Warning } from '../../../../../shared/plugin/contract.ts'
import type { Styler } from '../../style/styler.ts'
import type { Page } from '../frame.ts'
import { createRuns, type DrawnRuns, listText } from './drawn-text.ts'
import { countOverlaps } from './overlap.ts'
import type { LayoutRecord } from './record.ts'
import { type DrawnParagraph, findLostText } from './source-text.ts'

export interface AuditRequest {
  readonly document: Document
  readonly pages: readonly Page[]
  readonly record: LayoutRecord
  readonly styler: Styler
}

export interface Finding {
  /**
   * 'lost': paragraphs of which text is on no page. 'clipped': letters outside of their page or of the box that cuts them.
   * 'overlap': runs of text drawn over the text of another line.
   */
  readonly kind: 'lost' | 'clipped' | 'overlap'
  readonly count: number
  /** The first page concerned, from 1. */
  readonly page: number
}

/** At most one finding of each kind. */
export function auditLayout({ document, pages, record, styler }: AuditRequest): Finding[] {
  const drawn = new Map<readonly Inline[], DrawnParagraph>()
  const clipped = { count: 0, page: 0 }
  const overlap = { count: 0, page: 0 }
  const runs = createRuns()
  pages.forEach((page, index) => {
    listText(page, record.overlaid, runs)
    add(clipped, countText(runs, index + 1, drawn), index + 1)
    add(overlap, countOverlaps(runs), index + 1)
  })
  const lost = findLostText({ document, styler, record }, drawn)
  const findings: Finding[] = [
    { kind: 'lost', count: lost.paragraphs, page: lost.page },
    { kind: 'clipped', ...clipped },
    { kind: 'overlap', ...overlap },
  ]
  return findings.filter(({ count }) => count > 0)
}

/** Adds what a page shows of each paragraph; returns how many letters cannot be seen. */
function countText(
  { count, inlines, letters, seen }: DrawnRuns,
  page: number,
  drawn: Map<readonly Inline[], DrawnParagraph>,
): number {
  let hidden = 0
  let paragraph: DrawnParagraph | undefined
  for (let run = 0; run < count; run++) {
    const key = inlines[run]!
    if (paragraph === undefined || key !== inlines[run - 1]) paragraph = drawn.get(key)
    if (paragraph === undefined) drawn.set(key, (paragraph = { letters: 0, page }))
    paragraph.letters += letters[run]!
    paragraph.page = page
    hidden += letters[run]! - seen[run]!
  }
  return hidden
}

function add(total: { count: number; page: number }, count: number, page: number): void {
  if (total.count === 0 && count > 0) total.page = page
  total.count += count
}

/** Says what was found, without a word of the document. */
export function auditWarning({ kind, count, page }: Finding): Warning {
  const many = (one: string, more: string): string => (count === 1 ? `1 ${one}` : `${count} ${more}`)
  switch (kind) {
    case 'lost':
      return {
        code: 'layout.lost',
        message: `Text of ${many('paragraph', 'paragraphs')} is on no page, first at page ${page}.`,
      }
    case 'clipped':
      return {
        code: 'layout.clipped',
        message: `${many('letter stands', 'letters stand')} outside the page or a box that cuts off text, first on page ${page}.`,
      }
    case 'overlap':
      return {
        code: 'layout.overlap',
        message: `${many('line is', 'lines are')} drawn over other text, first on page ${page}.`,
      }
    default:
      return kind satisfies never
  }
}
