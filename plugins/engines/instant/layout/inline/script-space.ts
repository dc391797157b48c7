import { libreOffice } from '../../compat/libreoffice.ts'
import type { TextSegment } from './types.ts'

/**
 * Adds space where East Asian and other letters meet. Like other spaces it may hang over the end of a line.
 * `isAsian` tests the character at one index of a text, and `isSetApart` whether space belongs beside another character.
 */
export function spaceLetters(
  segments: readonly TextSegment[],
  isAsian: (text: string, at: number) => boolean,
  isSetApart: (other: string) => boolean,
): TextSegment[] {
  const spaced: TextSegment[] = []
  let before: TextSegment | undefined
  for (const segment of segments) {
    if (segment.kind === 'mark') {
      spaced.push(segment)
      continue
    }
    if (before?.kind === 'text' && segment.kind === 'text' && before.text !== '' && segment.text !== '') {
      const end = before.text.length - 1
      const meets =
        isAsian(before.text, end) !== isAsian(segment.text, 0) &&
        letter.test(before.text[end]!) &&
        letter.test(segment.text[0]!) &&
        isSetApart(isAsian(segment.text, 0) ? before.text[end]! : segment.text[0]!)
      if (meets) {
        const { breakAfter } = before
        before.breakAfter = false
        spaced.push({
          ...before,
          kind: 'space',
          text: '',
          width: before.textStyle.size * libreOffice.scriptSpace,
          breakAfter,
        })
      }
    }
    spaced.push(segment)
    before = segment
  }
  return spaced
}

const letter = /[\p{L}\p{N}]/u

/**
 * Adds space wherever East Asian and other characters meet, also punctuation, as a fraction of the height of the text
 * before it. Blanks belong to the characters before them.
 */
export function spaceCharacters(
  segments: readonly TextSegment[],
  isAsian: (text: string, at: number) => boolean,
  isSetApart: (other: string) => boolean,
): TextSegment[] {
  const spaced: TextSegment[] = []
  // Numbers in circles count as East Asian.
  const isWide = (text: string, at: number): boolean =>
    isAsian(text, at) || /[\u2460-\u24ff]/.test(text[at] ?? '')
  let before: { readonly segment: TextSegment; readonly asian: boolean } | undefined
  const meetsOther = (left: NonNullable<typeof before>, right: TextSegment): boolean =>
    isSetApart(left.asian ? right.text[0]! : left.segment.text.at(-1)!)
  for (const segment of segments) {
    const hasText = (segment.kind === 'text' || segment.kind === 'space') && segment.text !== ''
    const isBlank = hasText && /^[ \u00a0]*$/.test(segment.text)
    if (hasText && !isBlank) {
      if (before !== undefined && before.asian !== isWide(segment.text, 0) && meetsOther(before, segment)) {
        const { textStyle } = before.segment
        const height = (textStyle.face.ascent + textStyle.face.descent) * textStyle.size
        const last = spaced.at(-1)
        const breakAfter = last?.breakAfter ?? false
        if (last !== undefined) last.breakAfter = false
        spaced.push({
          ...before.segment,
          kind: 'space',
          text: '',
          width: height * libreOffice.scriptSpace,
          breakAfter,
        })
      }
      before = { segment, asian: isWide(segment.text, segment.text.length - 1) }
    } else if (segment.kind === 'tab' || segment.kind === 'break' || segment.kind === 'object')
      before = undefined
    spaced.push(segment)
  }
  return spaced
}
