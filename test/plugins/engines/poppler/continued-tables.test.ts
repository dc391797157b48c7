import { describe, expect, test } from 'vitest'
import { continued } from '../../../../plugins/engines/poppler/text/continued-tables.ts'
import type { FlowBlock, FlowRow } from '../../../../shared/flow/flow.ts'

const row = (text: string): FlowRow => ({
  cells: [...text].map((word) => ({
    blocks: [{ kind: 'paragraph', inlines: [{ kind: 'text', text: word, style: {} }] }],
    columns: 1,
    rows: 1,
  })),
})
/** Rows of one letter a cell; those before the bar are the head. */
const table = (text: string, widths: readonly number[] = [100, 50]): FlowBlock => {
  const [head = '', body = ''] = text.split('|')
  const heads = head.split(' ').filter(Boolean)
  return {
    kind: 'table',
    rows: [...heads, ...body.split(' ').filter(Boolean)].map(row),
    headerRows: heads.length,
    widths,
  }
}
const written = (block: FlowBlock | undefined) =>
  block?.kind === 'table'
    ? block.rows.map(({ cells }) =>
        cells
          .map(({ blocks: [first] }) =>
            first?.kind === 'paragraph' && first.inlines[0]?.kind === 'text' ? first.inlines[0].text : '',
          )
          .join(''),
      )
    : undefined

describe('a table over two pages', () => {
  test.each<[string, FlowBlock, FlowBlock, string[] | undefined]>([
    ['its head comes again', table('ab|cd'), table('ab|ef gh'), ['ab', 'cd', 'ef', 'gh']],
    ['its head does not', table('ab|cd'), table('|ef'), ['ab', 'cd', 'ef']],
    ['without a head', table('|cd'), table('|ef'), ['cd', 'ef']],
    ['columns that were measured a little otherwise', table('|cd'), table('|ef', [98, 52]), ['cd', 'ef']],
    ['another head', table('ab|cd'), table('xy|ef'), undefined],
    ['a head where there was none', table('|cd'), table('xy|ef'), undefined],
    ['other columns', table('|cd'), table('|ef', [50, 100]), undefined],
    ['more columns', table('|cd'), table('|efg', [50, 50, 50]), undefined],
    ['a head and nothing else', table('ab|cd'), table('ab|'), undefined],
    ['a text behind it', table('ab|cd'), { kind: 'rule' }, undefined],
  ])('%s', (_, one, next, expected) => {
    expect(written(continued(one, next))).toEqual(expected)
  })
})
