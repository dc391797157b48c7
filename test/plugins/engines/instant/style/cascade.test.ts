import { describe, expect, test } from 'vitest'
import type { ComputedParagraph, ComputedRun } from '../../../../../plugins/engines/instant/style/computed.ts'
import { createStyler } from '../../../../../plugins/engines/instant/style/styler.ts'
import { p, readWord, type WordParts } from '../../../../helpers/laid-out.ts'

const paragraphStyle = (id: string, basedOn: string, properties: string, run = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/><w:pPr>${properties}</w:pPr><w:rPr>${run}</w:rPr></w:style>`
const runStyle = (id: string, run: string): string =>
  `<w:style w:type="character" w:styleId="${id}"><w:name w:val="${id}"/><w:rPr>${run}</w:rPr></w:style>`

/** What the first run of the first paragraph comes to. */
function checkRun(parts: WordParts, expected: Partial<ComputedRun>): void {
  const document = readWord(parts)
  const block = document.sections[0]!.blocks[0]!
  if (block.kind !== 'paragraph') throw new Error('the first block is no paragraph')
  const styler = createStyler(document)
  const style = styler.paragraph(block.properties, undefined).style
  const inline = block.inlines.find((entry) => entry.kind === 'text')!
  if (inline.kind !== 'text') throw new Error('there is no text')
  expect(styler.runs(style, undefined).run(inline.run)).toMatchObject(expected)
}
function checkParagraph(parts: WordParts, expected: Partial<ComputedParagraph>): void {
  const document = readWord(parts)
  const block = document.sections[0]!.blocks[0]!
  if (block.kind !== 'paragraph') throw new Error('the first block is no paragraph')
  expect(createStyler(document).paragraph(block.properties, undefined)).toMatchObject(expected)
}

describe('runs', () => {
  const styles =
    paragraphStyle('Base', '', '', '<w:b/><w:sz w:val="30"/>') +
    paragraphStyle('Child', 'Base', '', '<w:color w:val="FF0000"/>') +
    runStyle('Strong', '<w:b/>') +
    runStyle('Big', '<w:sz w:val="60"/>')
  const text = (style: string, run: string): string => p('text', `<w:pStyle w:val="${style}"/>`, run)
  test('the chain of paragraph styles adds up', () =>
    checkRun({ body: text('Child', ''), styles }, { bold: true, size: 15, color: 'FF0000', family: 'Arial' }))
  test('a run style wins over the paragraph style', () =>
    checkRun({ body: text('Child', '<w:rStyle w:val="Big"/>'), styles }, { size: 30, color: 'FF0000' }))
  test('direct properties win over all', () =>
    checkRun(
      { body: text('Child', '<w:rStyle w:val="Big"/><w:sz w:val="10"/><w:b w:val="0"/>'), styles },
      { size: 5, bold: false },
    ))
  test('a toggle in two styles cancels out', () =>
    checkRun({ body: text('Base', '<w:rStyle w:val="Strong"/>'), styles }, { bold: false }))
  test('a direct toggle is absolute', () =>
    checkRun({ body: text('Base', '<w:b/>'), styles }, { bold: true }))
  test('without defaults text is Times New Roman in ten points, kerned', () =>
    checkRun({ body: p('text'), defaults: '', styles: '' }, { family: 'Times New Roman', size: 10 }))
  test('kerning starts at the size that is given', () => {
    checkRun({ body: p('text', '', '<w:kern w:val="24"/><w:sz w:val="22"/>') }, { kerning: false })
    checkRun({ body: p('text', '', '<w:kern w:val="24"/><w:sz w:val="24"/>') }, { kerning: true })
  })
})

describe('paragraphs', () => {
  test('indents are merged side by side', () =>
    checkParagraph(
      {
        body: p('a', '<w:pStyle w:val="S"/><w:ind w:right="200"/>'),
        styles: paragraphStyle('S', '', '<w:ind w:left="400" w:right="100"/>'),
      },
      { indentStart: 20, indentEnd: 10 },
    ))
  test('a cleared tab stop is removed, others stay', () => {
    const stop = (pos: number, kind: string): string => `<w:tab w:val="${kind}" w:pos="${pos}"/>`
    checkParagraph(
      {
        body: p('a', `<w:pStyle w:val="S"/><w:tabs>${stop(1000, 'clear')}${stop(3000, 'right')}</w:tabs>`),
        styles: paragraphStyle('S', '', `<w:tabs>${stop(1000, 'left')}${stop(2000, 'left')}</w:tabs>`),
      },
      {
        tabs: [
          { at: 100, align: 'left', leader: 'none' },
          { at: 150, align: 'right', leader: 'none' },
        ],
      },
    )
  })
  const numbering =
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
  const listed = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
  test('a list given directly indents over the style', () =>
    checkParagraph(
      {
        body: p('a', `<w:pStyle w:val="S"/>${listed}`),
        styles: paragraphStyle('S', '', '<w:ind w:left="200"/>'),
        numbering,
      },
      { indentStart: 36, indentFirst: -18 },
    ))
  test('the indent of the style that brings the list wins over the level', () =>
    checkParagraph(
      {
        body: p('a', '<w:pStyle w:val="S"/>'),
        styles: paragraphStyle('S', '', `${listed}<w:ind w:left="200"/>`),
        numbering,
      },
      { indentStart: 10, indentFirst: -18 },
    ))
  test('list number 0 takes a paragraph out of the list of its style, indent included', () =>
    checkParagraph(
      {
        body: p('a', '<w:pStyle w:val="S"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
        styles: paragraphStyle('S', '', listed),
        numbering,
      },
      { indentStart: 0, list: undefined },
    ))
  test('automatic spacing is fourteen points until a later value replaces it', () => {
    const styles = paragraphStyle('Web', '', '<w:spacing w:before="100" w:beforeAutospacing="1"/>')
    checkParagraph({ body: p('a', '<w:pStyle w:val="Web"/>'), styles }, { spaceBefore: 14 })
    checkParagraph(
      { body: p('a', '<w:pStyle w:val="Web"/><w:spacing w:before="120"/>'), styles },
      { spaceBefore: 6 },
    )
  })
})
