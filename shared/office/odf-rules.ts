/** What the OpenDocument formats have in common for the template compiler. Source: ODF 1.3 part 3. */
import type { FormatRules } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'
import { around, lineFeed } from './line-breaks.ts'
import { escapeOdfText } from './odf-blanks.ts'
import { expandColumns } from './odf-columns.ts'
import { bindCheckBoxes } from './odf-forms.ts'

export const odfShapes = [
  'draw:custom-shape',
  'draw:frame',
  'draw:rect',
  'draw:ellipse',
  'draw:circle',
  'draw:line',
  'draw:connector',
  'draw:polygon',
  'draw:polyline',
  'draw:g',
  'draw:path',
] as const

export const odfRules: FormatRules = {
  lineBreak: '<text:line-break/>',
  lineBreakAt: (tokens, parent, at) =>
    around(tokens, parent, at, ['text:p', 'text:h']) < 0 ? lineFeed : ['<text:line-break/>'],
  escape: escapeOdfText,
  elements: {
    row: ['table:table-row'],
    col: ['table:table-cell'],
    // A heading is a paragraph to who writes a template in Word.
    p: ['text:p', 'text:h'],
    h: ['text:h'],
    table: ['table:table'],
    img: ['draw:frame'],
    chart: ['draw:frame'],
    shape: odfShapes,
    item: ['text:list-item'],
    list: ['text:list'],
    comment: ['office:annotation'],
  },
  paragraphs: ['text:p', 'text:h'],
  noise: ['text:soft-page-break', 'text:s', 'text:tab'],
  deleted: ['text:tracked-changes'],
  runs: { 'text:span': { text: ['text:span'], properties: [] } },
  unique: [
    { elements: odfShapes, attribute: 'draw:name', space: 'draw', takes: 'new', kind: 'name' },
    { elements: ['table:table'], attribute: 'table:name', space: 'table', takes: 'new', kind: 'name' },
    { elements: ['draw:page'], attribute: 'draw:name', space: 'page', takes: 'new', kind: 'name' },
  ],
  transient: / (?:xml:id|draw:id|officeooo:rsid|officeooo:paragraph-rsid)="[^"]*"/g,
  grid: {
    row: 'table:table-row',
    cell: 'table:table-cell',
    holder: '',
    column: 'table:table-column',
    otherCells: ['table:covered-table-cell'],
    groups: ['table:table-header-rows', 'table:table-rows', 'table:table-row-group'],
    span: { attribute: 'table:number-columns-spanned', listed: true },
  },
  spans: {
    table: 'table:table',
    row: 'table:table-row',
    cells: ['table:table-cell'],
    attribute: 'table:number-rows-spanned',
  },
  filled: { 'draw:text-box': { skip: [], instead: '<text:p/>' } },
  addresses: /^xlink:href$/,
  prepare: (_part, tokens) => bindCheckBoxes(expandColumns(withoutSoftBreaks(tokens))),
}

/** Where pages broke in the template says nothing about the document. */
export function withoutSoftBreaks(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (const token of tokens) {
    if (token.kind === 'void' && token.name === 'text:soft-page-break') continue
    const marked = token.kind === 'open' && token.raw.includes(' text:use-soft-page-breaks=')
    out.push(marked ? { ...token, raw: token.raw.replace(/ text:use-soft-page-breaks="[^"]*"/, '') } : token)
  }
  return out
}

/** Of texts and slides, where a table is no sheet. */
export const odfTextFilled: NonNullable<FormatRules['filled']> = {
  ...odfRules.filled,
  'table:table-cell': { skip: [], instead: '<text:p/>' },
  'table:table': {
    skip: [
      'table:table-column',
      'table:table-columns',
      'table:table-header-columns',
      'table:title',
      'table:desc',
    ],
  },
  'table:table-row': { skip: [] },
  'text:list': { skip: ['text:list-header'] },
}
