/** HTML for the template compiler. Source: template language 12.5 and 24.7. */
import { bindOwnColors } from '../../../../shared/template/media/bound-colors.ts'
import { bindSvgUpdates } from '../../../../shared/template/media/svg-updates.ts'
import { bindAddresses } from '../../../../shared/template/media/web.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import { bindColors } from './colors.ts'

export const htmlRules: FormatRules = {
  lineBreak: '<br>',
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
  spans: { table: 'table', row: 'tr', cells: ['td', 'th'], attribute: 'rowspan' },
  grid: { row: 'tr', cell: 'td', holder: 'colgroup', column: 'col' },
  addresses: /^(?:href|src|action|cite|poster|data)$/i,
  prepare: (_part, pieces) => bindSvgUpdates(bindColors(bindOwnColors(bindAddresses(pieces)))),
}
