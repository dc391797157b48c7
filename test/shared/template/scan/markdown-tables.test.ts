/** Tables of Markdown by rows, columns and both. Source: template language 11.5, 12.5, 24.7. */
import { describe, it } from 'vitest'
import { check } from '../../../helpers/merge.ts'

const data = {
  cols: [{ h: 'Q1' }, { h: 'Q2' }, { h: 'a|b' }],
  rows: [
    { n: 'x', c: [1, 2, 3] },
    { n: 'y', c: [4, 5, 6] },
  ],
  l: [
    { n: 'x', q: 1 },
    { n: 'y', q: 2 },
  ],
  hide: true,
}
const text = (...lines: readonly string[]) => lines.join('\n')

const cases: readonly (readonly [name: string, template: string, expected: string])[] = [
  [
    'rows and columns at once: the line of dashes follows',
    text(
      'before',
      '',
      '| n | {d.cols[i].h} | {d.cols[i+1].h} |',
      '|---|:-:|---|',
      '| {d.rows[i].n} | {d.rows[i].c[i]} | {d.rows[i].c[i+1]} |',
      '| | {d.rows[i+1]} | |',
      '',
      'behind',
    ),
    text(
      'before',
      '',
      '| n | Q1 | Q2 | a\\|b |',
      '|---|:-:|:-:|:-:|',
      '| x | 1 | 2 | 3 |',
      '| y | 4 | 5 | 6 |',
      '',
      'behind',
    ),
  ],
  [
    'columns between others, a bar that is text',
    text(
      '| n | {d.cols[i].h} | {d.cols[i+1].h} | t \\| u |',
      '|---|---|---|--:|',
      '| m | {d.rows[0].c[i]} | {d.rows[0].c[i+1]} | z |',
    ),
    text('| n | Q1 | Q2 | a\\|b | t \\| u |', '|---|---|---|---|--:|', '| m | 1 | 2 | 3 | z |'),
  ],
  [
    'no bars at the ends of lines',
    text('| n | {d.cols[i].h} | {d.cols[i+1].h}', '|---|---|---'),
    text('| n | Q1 | Q2 | a\\|b ', '|---|---|---|---'),
  ],
  [
    'a column goes, beside a list',
    text(
      '| n | q{d.hide:drop(col)} | z |\r',
      '|---|:-:|--:|\r',
      '| {d.l[i].n} | {d.l[i].q} | z |\r',
      '| {d.l[i+1]} | | |\r',
      'end',
    ),
    text('| n | z |\r', '|---|--:|\r', '| x | z |\r', '| y | z |\r', 'end'),
  ],
  ['a row goes', text('| a |', '|---|', '| 1{d.hide:drop(row)} |', '| 2 |'), text('| a |', '|---|', '| 2 |')],
  [
    'rows of a list go',
    text('| a |', '|---|', '| {d.l[i].n}{d.l[i].q:ifEQ(1):drop(row)} |', '| {d.l[i+1]} |', ''),
    text('| a |', '|---|', '| y |', ''),
  ],
  [
    'a table goes',
    text('x', '', '| a{d.hide:drop(table)} |', '|---|', '| 2 |', '', 'y'),
    text('x', '', '', 'y'),
  ],
  ['lines with bars that are no table', text('| {d.l[i].n} | {d.l[i+1].n}', 'x'), text('| x | y | ', 'x')],
]

describe('tables of Markdown', () => {
  it.each(cases)('%s', async (_, template, expected) => {
    await check(template, data, expected, { format: 'md' })
  })
})
