import { describe, it } from 'vitest'
import { check } from '../../../helpers/merge.ts'

const data = { l: [{ a: '1|<' }, { a: '2' }], x: 'a & b', s: false, h: '<b>x</b>' }

describe('HTML in Markdown', () => {
  const rows: [string, string, string][] = [
    [
      'rows over several lines repeat as elements',
      '# T\n\n<table>\n<tr>\n<td>{d.l[i].a}</td>\n</tr>\n<tr>\n<td>{d.l[i+1].a}</td>\n</tr>\n</table>\n\nend {d.x}\n',
      '# T\n\n<table>\n<tr>\n<td>1|&lt;</td>\n</tr>\n<tr>\n<td>2</td>\n</tr>\n</table>\n\nend a & b\n',
    ],
    [
      'elements are dropped',
      '<div>\n<p>{d.s:ifEQ(false):drop(p)}gone</p>\n<p title="{d.x}">kept</p>\n</div>\n',
      '<div>\n<p title="a &amp; b">kept</p>\n</div>\n',
    ],
    [
      'in code it is text',
      '```\n<div>\n{d.x}\n</div>\n```\n<div>{d.x}</div>',
      '```\n<div>\na & b\n</div>\n```\n<div>a &amp; b</div>',
    ],
    [
      'elements in a line are part of it',
      'a <b>{d.x}</b>\n<span>{d.x}</span>\n',
      'a <b>a & b</b>\n<span>a & b</span>\n',
    ],
    ['a block ends at an empty line', '<div>{d.x}</div>\n\n{d.x}', '<div>a &amp; b</div>\n\na & b'],
    [
      'markup from data',
      '{d.h:html} and {d.h}\n\n<div>{d.h:html}</div>',
      '<b>x</b> and <b>x</b>\n\n<div><b>x</b></div>',
    ],
    [
      'rows of a table and items of a list',
      '| {d.l[i].a} |\n| {d.l[i+1].a} |\n\n- {d.l[i].a}\n- {d.l[i+1].a}\n',
      '| 1\\|< |\n| 2 |\n\n- 1|<\n- 2\n',
    ],
  ]
  it.each(rows)('%s', (_name, template, expected) => check(template, data, expected, { format: 'md' }))
})
