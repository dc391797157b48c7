/** Slides on which a rule of layout shows: the XML of their shapes. */
import { paragraphOf, shapeOf } from '../../helpers/deck-layout.ts'

const words = 'Some words that take more than a line of this narrow box and go on in the next. '

export const deckSamples: Readonly<Record<string, string>> = {
  lines: shapeOf({ paragraphs: paragraphOf(words, { run: 'sz="2000"' }) }),
  'line spacing': shapeOf({
    paragraphs: paragraphOf(words, { properties: '<a:lnSpc><a:spcPct val="150000"/></a:lnSpc>' }),
  }),
  'text that shrinks': shapeOf({
    box: [0, 0, 300, 58],
    body: '<a:bodyPr><a:normAutofit/></a:bodyPr>',
    paragraphs: paragraphOf(words.repeat(2)),
  }),
}
