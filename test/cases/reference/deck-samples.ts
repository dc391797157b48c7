/** Slides on which a rule of layout shows: the XML of their shapes. */
import { pptxTable } from '../../helpers/pptx.ts'
import { paragraphOf, shapeOf } from '../../helpers/deck-layout.ts'

const words = 'Some words that take more than a line of this narrow box and go on in the next. '

export const deckSamples: Readonly<Record<string, string>> = {
  lines: shapeOf({ paragraphs: paragraphOf(words, { run: 'sz="2000"' }) }),
  'line after a last break': shapeOf({
    body: '<a:bodyPr anchor="b"/>',
    paragraphs: '<a:p><a:r><a:rPr sz="2800"/><a:t>Text</a:t></a:r><a:br><a:rPr sz="2800"/></a:br></a:p>',
  }),
  'table with lines': pptxTable(2, ['one'], ['two'])
    .replace('<a:tblPr/>', '<a:tblPr><a:tableStyleId>{5940675A-B579-460E-94D1-54222C63F5DA}</a:tableStyleId></a:tblPr>'),
  'line spacing': shapeOf({
    paragraphs: paragraphOf(words, { properties: '<a:lnSpc><a:spcPct val="150000"/></a:lnSpc>' }),
  }),
  'east-asian-beside-latin': shapeOf({ paragraphs: paragraphOf('\u3001ABC\u3000DEF') }),
  'full line': shapeOf({ box: [0, 0, 700, 100], paragraphs: paragraphOf(words, { properties: 'algn="r"', run: 'sz="2000"' }) }),
  labels: shapeOf({
    paragraphs: paragraphOf('one', { properties: '<a:buSzPct val="300000"/><a:buChar char="\u2022"/>' }).repeat(2),
  }),
  'text that shrinks': shapeOf({
    box: [0, 0, 300, 58],
    names: '<p:nvPr><p:ph type="body"/></p:nvPr>',
    body: '<a:bodyPr><a:normAutofit/></a:bodyPr>',
    paragraphs: paragraphOf(words.repeat(2)),
  }),
}
