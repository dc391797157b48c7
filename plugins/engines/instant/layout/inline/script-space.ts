import { libreOffice } from '../../compat/libreoffice.ts'
import type { TextSegment } from './types.ts'

/**
 * Adds space where East Asian and other letters meet. Like other spaces it may hang over the end of a line.
 * `isAsian` tests the character at one index of a text.
 */
export function spaceScripts(
  segments: readonly TextSegment[],
  isAsian: (text: string, at: number) => boolean,
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
        letter.test(segment.text[0]!)
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
