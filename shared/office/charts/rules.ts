/** DrawingML charts for the template compiler. Source: ECMA-376-1, clause 21.2. */
import type { FormatRules } from '../../template/rules.ts'
import type { Piece } from '../../template/scan/pieces.ts'
import { numberOf } from '../sheet/typed.ts'

export const chartRules: FormatRules = {
  elements: { p: ['a:p'], chart: ['c:ser'] },
  paragraphs: ['a:p', 'c:pt', 'pt'],
  noise: [],
  runs: { 'a:r': { text: ['a:t'], properties: ['a:rPr'] } },
  emptyParagraph: { in: ['c:rich', 'c:txPr'], markup: '<a:p><a:endParaRPr/></a:p>' },
  prepare: (_part, pieces) => numbersInCaches(pieces),
}

/** Tags among cached numbers are numbers, without the look that `:formatN` would give them. */
function numbersInCaches(pieces: readonly Piece[]): readonly Piece[] {
  let inside = 0
  return pieces.map((piece) => {
    if ((piece.kind === 'open' || piece.kind === 'close') && /(?:^|:)numCache$/.test(piece.name))
      inside += piece.kind === 'open' ? 1 : -1
    if (piece.kind !== 'tag' || inside === 0) return piece
    return { ...piece, absorbs: 'formatN', output: (value) => String(numberOf(value) ?? '') }
  })
}
