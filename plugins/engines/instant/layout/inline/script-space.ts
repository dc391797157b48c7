import type { Piece } from './content.ts'

/** What text of one script keeps from that of another, as a share of the size of the text before. */
const share = 1 / 5

/**
 * Room between letters of Asian scripts and of others that touch, as LibreOffice keeps it whatever the document says of
 * it (w:autoSpaceDE). It hangs over the end of a line as blanks do. `isAsian`: of a piece.
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
        spaced.push({ ...before, kind: 'space', text: '', width: before.look.size * share, breakAfter })
      }
    }
    spaced.push(piece)
    before = piece
  }
  return spaced
}

const letter = /[\p{L}\p{N}]/u
