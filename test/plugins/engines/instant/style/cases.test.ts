import type { CellTextFormat } from '../../../../../plugins/engines/instant/style/computed.ts'
import { countLabels } from '../../../../../plugins/engines/instant/style/labels.ts'
import { createStyler } from '../../../../../plugins/engines/instant/style/styler.ts'
import { computeCell, createTableStyler } from '../../../../../plugins/engines/instant/style/table-style.ts'
import type { Block, Paragraph } from '../../../../../shared/document/content.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import type { Table } from '../../../../../shared/document/table.ts'
import { caseFolders, outline } from '../../../../helpers/case-folders.ts'
import { readWord, type WordParts } from '../../../../helpers/laid-out.ts'

/**
 * `body.xml`, and in `parts.json` the styles and lists of the file; expected: the computed style of each paragraph and of its
 * runs, as far as it differs from that of an empty document, and the label of a list.
 */
caseFolders('style', ({ text, json }) => {
  const parts = { ...json<Partial<WordParts>>('parts.json'), body: text('body.xml') ?? '' }
  const document = readWord(parts)
  return { 'expected.txt': outline(document.sections.flatMap(({ blocks }) => stylesOf(document, blocks))) }
})

function stylesOf(document: Document, all: readonly Block[]): unknown[] {
  const styler = createStyler(document)
  const labels = countLabels(document, styler)
  const tableOf = createTableStyler(document.styles)
  const plain = createStyler(readWord({ body: '' }))
  const plainParagraph = plain.paragraph({}, undefined)
  const plainRun = plain.runs(plainParagraph.style, undefined).run({})

  const paragraphOf = (paragraph: Paragraph, cell?: CellTextFormat): unknown => {
    const style = styler.paragraph(paragraph.properties, cell)
    const runs = styler.runs(style.style, cell)
    const texts = paragraph.inlines.filter((inline) => inline.kind === 'text')
    return {
      ...differing(style, plainParagraph),
      label: labels.paragraphs.get(paragraph)?.text,
      runs: texts.map(({ text, run }) => ({ text, ...differing(runs.run(run), plainRun) })),
    }
  }
  const rowsOf = (table: Table): unknown[] => {
    const style = tableOf(table)
    const columns = Math.max(...table.rows.map(({ cells }) => cells.length))
    return table.rows.map(({ cells }, row) =>
      cells.map((cell, column) => {
        const place = { row, rows: table.rows.length, column, span: 1, columns }
        const format = style.format(place)
        return { ...computeCell(cell, format), blocks: blocksOf(cell.blocks, format.text) }
      }),
    )
  }
  const blocksOf = (blocks: readonly Block[], cell?: CellTextFormat): unknown[] =>
    blocks.map((block) => (block.kind === 'paragraph' ? paragraphOf(block, cell) : rowsOf(block)))
  return blocksOf(all)
}

function differing(style: object, plain: object): object {
  const usual = new Map(Object.entries(plain).map(([key, value]) => [key, JSON.stringify(value)]))
  return Object.fromEntries(
    Object.entries(style).filter(([key, value]) => JSON.stringify(value) !== usual.get(key)),
  )
}
