/**
 * Checks finished pages the way a reader would see them: is all text of the document there, is it visible, and
 * is none of it drawn over other text? The audit shares no rule with the layout that made the pages, so a
 * defect of the layout shows up here. Each kind of defect becomes one warning; a self-assessing engine declines
 * such a document so that another engine can try.
 */

import type { Inline } from '../../../../../shared/document/content.ts'
import type { Document, UnreadText } from '../../../../../shared/document/document.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
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

export interface LayoutDefect {
  /**
   * 'lost': paragraphs with text that is on no page. 'clipped': letters outside their page or outside the box
   * that clips them. 'overlap': runs drawn over the text of another line.
   */
  readonly kind: 'lost' | 'clipped' | 'overlap'
  readonly count: number
  /** The number of the first page with the defect, from 1. */
  readonly page: number
}

/** Letters that the reader did not find in a part of the file. */
export interface ReadingDefect extends UnreadText {
  readonly kind: 'unread'
}

/** Returns at most one defect of each kind, and what was not read of each part. */
export function auditLayout({
  document,
  pages,
  record,
  styler,
}: AuditRequest): (LayoutDefect | ReadingDefect)[] {
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
  const defects: LayoutDefect[] = [
    { kind: 'lost', count: lost.paragraphs, page: lost.page },
    { kind: 'clipped', ...clipped },
    { kind: 'overlap', ...overlap },
  ]
  const unread = document.unread ?? []
  return [
    ...unread.map((text) => ({ kind: 'unread', ...text }) as const),
    ...defects.filter(({ count }) => count > 0),
  ]
}

/** Adds up what a page shows of each paragraph. Returns how many letters cannot be seen. */
function countText(
  { count, inlines, letters, visible: seen }: DrawnRuns,
  page: number,
  drawn: Map<readonly Inline[], DrawnParagraph>,
): number {
  let hidden = 0
  let paragraph: DrawnParagraph | undefined
  for (let run = 0; run < count; run++) {
    const key = inlines[run]
    if (key === undefined) break
    if (paragraph === undefined || key !== inlines[run - 1]) paragraph = drawn.get(key)
    if (paragraph === undefined) drawn.set(key, (paragraph = { letters: 0, page }))
    paragraph.letters += letters[run] ?? 0
    paragraph.page = page
    hidden += (letters[run] ?? 0) - (seen[run] ?? 0)
  }
  return hidden
}

function add(total: { count: number; page: number }, count: number, page: number): void {
  if (total.count === 0 && count > 0) total.page = page
  total.count += count
}

/** Describes a defect without quoting the document, since warnings end up in logs. */
export function auditWarning(defect: LayoutDefect | ReadingDefect): Warning {
  const many = (count: number, singular: string, plural: string): string =>
    count === 1 ? `1 ${singular}` : `${count} ${plural}`
  switch (defect.kind) {
    case 'unread': {
      const letters = many(defect.letters, 'letter', 'letters')
      return { code: 'layout.lost', message: `Text of ${letters} in ${defect.part} is on no page.` }
    }
    case 'lost': {
      const paragraphs = many(defect.count, 'paragraph', 'paragraphs')
      const message = `Text of ${paragraphs} is on no page, first at page ${defect.page}.`
      return { code: 'layout.lost', message }
    }
    case 'clipped': {
      const letters = many(defect.count, 'letter is', 'letters are')
      const message = `${letters} outside the page or cut off by a box, first on page ${defect.page}.`
      return { code: 'layout.clipped', message }
    }
    case 'overlap': {
      const lines = many(defect.count, 'line is', 'lines are')
      return {
        code: 'layout.overlap',
        message: `${lines} drawn over other text, first on page ${defect.page}.`,
      }
    }
    default:
      return defect satisfies never
  }
}
