/** OpenDocument text for the template compiler. Source: ODF 1.3 part 3. */
import type { FormatRules } from '../../../../shared/template/rules.ts'

export const odtRules: FormatRules = {
  lineBreak: '<text:line-break/>',
  elements: {
    row: ['table:table-row'],
    col: ['table:table-cell'],
    p: ['text:p'],
    h: ['text:h'],
    table: ['table:table'],
    img: ['draw:frame'],
    chart: ['draw:frame'],
    shape: [
      'draw:custom-shape',
      'draw:frame',
      'draw:rect',
      'draw:ellipse',
      'draw:line',
      'draw:g',
      'draw:path',
    ],
    item: ['text:list-item'],
  },
  paragraphs: ['text:p', 'text:h'],
  noise: ['text:soft-page-break', 'text:s', 'text:tab'],
  runs: { 'text:span': { text: ['text:span'], properties: [] } },
  unique: [
    {
      elements: ['draw:frame', 'draw:custom-shape', 'draw:rect', 'draw:g'],
      attribute: 'draw:name',
      space: 'draw',
      takes: 'new',
      kind: 'name',
    },
    { elements: ['table:table'], attribute: 'table:name', space: 'table', takes: 'new', kind: 'name' },
    { elements: ['text:section'], attribute: 'text:name', space: 'section', takes: 'new', kind: 'name' },
    {
      elements: ['text:bookmark-start', 'text:bookmark'],
      attribute: 'text:name',
      space: 'bookmark',
      takes: 'new',
      kind: 'name',
    },
    {
      elements: ['text:bookmark-end'],
      attribute: 'text:name',
      space: 'bookmark',
      takes: 'same',
      kind: 'name',
    },
  ],
  transient: / (?:xml:id|draw:id|officeooo:rsid|officeooo:paragraph-rsid)="[^"]*"/g,
  grid: { row: 'table:table-row', cell: 'table:table-cell', holder: '', column: 'table:table-column' },
  emptyParagraph: { in: ['table:table-cell', 'draw:text-box'], markup: '<text:p/>' },
  addresses: /^xlink:href$/,
  prepare: (_part, pieces) =>
    pieces.filter((piece) => piece.kind !== 'void' || piece.name !== 'text:soft-page-break'),
}
