/** The markup rules that all OpenDocument formats share, for the template compiler. Source: ODF 1.3 part 3. */
import { inOneTag } from '../template/media/tokens.ts'
import type { FormatRules } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'
import { withoutAttribute } from '../xml/elements.ts'
import { enclosing, lineFeed } from './line-breaks.ts'
import { escapeOdfText } from './odf-blanks.ts'
import { expandColumns } from './odf-columns.ts'
import { bindCheckBoxes } from './odf-forms.ts'

/** Elements that draw a shape or frame. */
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

/** Ids for references and tracked changes, which must be unique in a document (ODF 1.3 part 3, 19). */
const transient: ReadonlySet<string> = new Set([
  'xml:id',
  'draw:id',
  'officeooo:rsid',
  'officeooo:paragraph-rsid',
])

/** The rules that texts, spreadsheets and presentations share. */
export const odfRules: FormatRules = {
  lineBreak: '<text:line-break/>',
  lineBreakAt: (tokens, parent, index) =>
    enclosing(tokens, parent, index, ['text:p', 'text:h']) < 0 ? lineFeed : ['<text:line-break/>'],
  escape: escapeOdfText,
  elements: {
    row: ['table:table-row'],
    col: ['table:table-cell'],
    // Word has no separate element for headings, so `p` refers to both.
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
  transient: (attribute) => transient.has(attribute),
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

/** Declares that the text contains `text:soft-page-break` elements. */
const softBreaks = 'text:use-soft-page-breaks'

/** The positions of page breaks in the template do not apply to the document. */
export function withoutSoftBreaks(tokens: readonly Token[]): Token[] {
  const result: Token[] = []
  for (const token of inOneTag(tokens, ['text:soft-page-break'])) {
    if (token.kind === 'void' && token.name === 'text:soft-page-break') continue
    const isMarked = token.kind === 'open' && token.raw.includes(` ${softBreaks}=`)
    result.push(isMarked ? { ...token, raw: withoutAttribute(token.raw, softBreaks) } : token)
  }
  return result
}

/** The rule for texts and slides, where a table is not a sheet. */
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
