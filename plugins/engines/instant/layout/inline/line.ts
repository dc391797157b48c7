import type { LineSpacing } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import { finishLine } from './finish.ts'
import { LineFiller } from './line-filler.ts'
import { measureLine } from './line-height.ts'
import type { LineBox, LineRequest, TextSegment } from './types.ts'

const single: LineSpacing = { rule: 'multiple', value: 1 }

/**
 * Fills one line from the text segment `from` on. Consumes at least one segment unless none is left or it
 * yields.
 */
export function fillLine(context: LayoutContext, request: LineRequest): LineBox {
  const { content, style, from } = request
  const { segments } = content
  const filler = new LineFiller(context, request)
  let at = from
  while (at < segments.length) {
    const result = filler.take(at)
    if (result === 'full') break
    at++
    if (result === 'break') break
  }
  const { to, broke } = filler.end(at)
  // Leading separates lines; above the first line it is part of the space before the paragraph.
  const spacing = style.line.rule === 'leading' && from === 0 ? single : style.line
  const metrics = measureLine(context, content, from, to, spacing, request.grid)
  const notes: string[] = []
  for (let i = from; i < to; i++) {
    const { note } = segments[i]!
    if (note !== undefined && note !== notes.at(-1)) notes.push(note)
  }
  const { settings } = context.document
  const justified = broke === 'line' && word.brokenLinesAreJustified(settings)
  const last = to >= segments.length || (broke !== undefined && !justified)
  const keepsBlanks =
    (libreOffice.blanksCountBeforeBreak && broke === 'line') ||
    (to >= segments.length && word.blanksEndParagraphs(settings))
  const { width, interval, background } = request
  const parts = filler.parts(to)
  const line = {
    content,
    style,
    width,
    interval,
    background,
    parts,
    last,
    keepsBlanks,
    metrics,
  }
  const items = finishLine(context, line)
  const hyphenated = to > from && segments[to - 1]!.kind === 'soft-hyphen'
  const clear = broke === 'line' ? segments[to - 1]?.clear : undefined
  const { height, ascent, slack = 0, spaceAbove = slack } = metrics
  const changed = holdsChange(segments, from, to)
  return {
    items,
    height,
    ascent,
    slack,
    spaceAbove,
    from,
    to,
    broke,
    ...(clear !== undefined && { clear }),
    notes,
    hyphenated,
    changed,
  }
}

/** Whether any segment of the line belongs to a tracked change. */
function holdsChange(segments: readonly TextSegment[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (segments[i]!.textStyle.run.changed) return true
  return false
}
