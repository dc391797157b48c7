import type { Piece } from './content.ts'

/** The distance between text of different scripts, as a fraction of the font size of the text before. */
const distanceRatio = 1 / 5

/**
 * Adds space where East Asian and other letters meet. LibreOffice does so regardless of the document setting
 * (w:autoSpaceDE). Like other spaces it may hang over the end of a line. `isAsian` looks at one character of
 * a text.
 */
export function spaceScripts(
  pieces: readonly Piece[],
  isAsian: (text: string, at: number) => boolean,
): Piece[] {
  const spaced: Piece[] = []
  let before: Piece | undefined
  for (const piece of pieces) {
    if (piece.kind === 'mark') {
      spaced.push(piece)
      continue
    }
    if (before?.kind === 'text' && piece.kind === 'text' && before.text !== '' && piece.text !== '') {
      const end = before.text.length - 1
      const meets =
        isAsian(before.text, end) !== isAsian(piece.text, 0) &&
        letter.test(before.text[end]!) &&
        letter.test(piece.text[0]!)
      if (meets) {
        const { breakAfter } = before
        before.breakAfter = false
        spaced.push({
          ...before,
          kind: 'space',
          text: '',
          width: before.look.size * distanceRatio,
          breakAfter,
        })
      }
    }
    spaced.push(piece)
    before = piece
  }
  return spaced
}

const letter = /[\p{L}\p{N}]/u
