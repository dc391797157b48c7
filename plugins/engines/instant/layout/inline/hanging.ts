import { lineEndRulesOf } from '../../text/east-asian-line-ends.ts'
import { measure } from '../../text/shape.ts'
import type { Pt } from '../frame.ts'
import { isEastAsian } from './character-kind.ts'
import { shapingOf } from './text-style.ts'
import type { TextSegment } from './types.ts'

/**
 * The width of the mark at the end of segment `at` that may stand in the margin after a line, which is one of East Asian
 * punctuation; 0 when there is none, or when the line cannot end there.
 */
export function hangingWidth(segments: readonly TextSegment[], at: number): Pt {
  const segment = segments[at]!
  const { kind, text, textStyle, face, level, breakAfter, width } = segment
  if (kind !== 'text' || (!breakAfter && at < segments.length - 1)) return 0
  const last = text.length - 1
  const isHanging = lineEndRulesOf(textStyle.run.eastAsiaLanguage)?.hanging.has(text[last] ?? '') === true
  if (!isHanging || !isAmongEastAsian(segments, at)) return 0
  return last === 0 ? width : width - measure(text.slice(0, last), shapingOf(textStyle, face, level))
}

/** Whether the mark at the end of segment `at` is East Asian, or the character before it. */
function isAmongEastAsian(segments: readonly TextSegment[], at: number): boolean {
  const { text } = segments[at]!
  const last = text.length - 1
  if (isEastAsian(text, last)) return true
  if (last > 0) return isEastAsian(text, last - 1)
  const before = segments[at - 1]?.text ?? ''
  return isEastAsian(before, before.length - 1)
}
