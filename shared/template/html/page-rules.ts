/**
 * The rules of HTML for the template compiler: for entire pages, and for HTML inside Markdown. Source: template language
 * 12.5, 24.7.
 */
import type { FormatRules } from '../rules.ts'

/** Elements that contain only text. */
const textAlone = ['title', 'textarea', 'option', 'script', 'style', 'noscript', 'iframe']

export const pageRules: FormatRules = {
  lineBreak: '<br>',
  lineBreakAt: (tokens, parent, index) => {
    const open = tokens[parent[index] ?? 0]
    return open?.kind === 'open' && textAlone.includes(open.name.toLowerCase()) ? ['\n'] : ['<br>']
  },
  elements: {
    row: ['tr'],
    col: ['td', 'th'],
    p: ['p'],
    table: ['table'],
    div: ['div'],
    span: ['span'],
    item: ['li'],
    list: ['ul', 'ol'],
    h: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    img: ['picture', 'img', 'svg'],
    section: ['section'],
  },
  paragraphs: ['p', 'li', 'td', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'title', 'option'],
  noise: [],
  unique: [],
  filled: { tr: { skip: [] }, li: { skip: [] } },
  spans: { table: 'table', row: 'tr', cells: ['td', 'th'], attribute: 'rowspan' },
  grid: {
    row: 'tr',
    cell: 'td',
    holder: 'colgroup',
    column: 'col',
    otherCells: ['th'],
    groups: ['thead', 'tbody', 'tfoot'],
    span: { attribute: 'colspan' },
  },
  addresses: /^(?:href|src|action|formaction|cite|poster|data|background|codebase|manifest|xlink:href)$/i,
  scripted: true,
}
