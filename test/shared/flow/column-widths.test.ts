/** Widths of tables that have none: by what is in their columns. */
import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../../../plugins/engines/web/read-markdown.ts'
import { widthsByContent } from '../../../shared/flow/column-widths.ts'
import type { FlowRow } from '../../../shared/flow/flow.ts'
import { flowOf } from '../../../shared/flow/from-hast.ts'

const page = 500 // points
const pause = async () => {}

async function widthsOf(markdown: string): Promise<readonly number[]> {
  const { tree } = await readMarkdown(markdown, pause)
  const table = flowOf(tree).blocks.find((block) => block.kind === 'table')
  const rows: readonly FlowRow[] = table?.kind === 'table' ? table.rows : []
  return widthsByContent(rows, rows[0]?.cells.length ?? 0, page)
}

const sum = (widths: readonly number[]) => widths.reduce((total, one) => total + one, 0)

describe('columns by their content', () => {
  it('a short table is as wide as its lines', async () => {
    const widths = await widthsOf('| a | b |\n| - | - |\n| 1 | two words |\n')
    expect(sum(widths)).toBeLessThan(page / 3)
    expect(widths[1]).toBeGreaterThan(2 * widths[0]!)
  })
  it('long text gets the available width, and short columns do not break words', async () => {
    const text = 'A long description of what this article is for. '.repeat(8)
    const widths = await widthsOf(`| No | Article | Price |\n| - | - | -: |\n| 1 | ${text} | 1,299.00 |\n`)
    expect(sum(widths)).toBeCloseTo(page)
    expect(widths[1]).toBeGreaterThan(page * 0.7)
    expect(widths[2]).toBeGreaterThan('1,299.00'.length * 5)
  })
  it('words that do not fit share the page', async () => {
    const word = 'x'.repeat(80)
    const widths = await widthsOf(`| a | b |\n| - | - |\n| ${word} | ${word}${word} |\n`)
    expect(sum(widths)).toBeCloseTo(page)
    expect(widths[1]! / widths[0]!).toBeGreaterThan(1.7)
  })
  it('lines of Chinese break anywhere', async () => {
    const widths = await widthsOf(`| a | b |\n| - | - |\n| ${'汉'.repeat(90)} | word |\n`)
    expect(widths[0]).toBeGreaterThan(page * 0.85)
  })
})
