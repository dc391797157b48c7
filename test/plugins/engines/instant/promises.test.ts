/**
 * PDF/A and PDF/UA by engine I, held against the clauses of the standards (`test/helpers/conformance`), which reads the
 * files with qpdf; and what poppler reads of their structure.
 */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import type { EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { wordFile } from '../../../cases/reference/word.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { testHost } from '../../../helpers/host.ts'
import { shippedSource } from '../../../helpers/instant-fonts.ts'
import { createPdfMaker } from '../libreoffice/pdf-files.ts'

const { converter, make } = createPdfMaker(instant as EnginePlugin, {
  ...testHost(formats),
  codec: nodeCodec,
  fonts: () => shippedSource,
})
afterAll(() => converter.stop())

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
const sources = [
  ['a letter', 'docx', 'templates/letter/template.docx'],
  ['an invoice', 'docx', 'templates/invoice/template.docx'],
  ['a report with pictures', 'docx', 'corpus/evotecit__word-business-delivery-summary.docx'],
  ['tables', 'docx', 'corpus/docling-project__word_tables.docx'],
  ['lists', 'docx', 'corpus/gyselroth__policy_with_bullets.docx'],
  ['an older text with pictures', 'odt', 'corpus/docling-project__text_document_03.odt'],
] as const
/** What only an author can give: told in a warning where it is missing, or a matter of the text. */
const ofAuthors = /^7\.1: no title|^7\.2: no language|^7\.3: Figure/

describe.each(sources)('%s', (_, from, path) => {
  it.each([
    [{ SelectPdfVersion: 2 }, 2],
    [{ SelectPdfVersion: 3, PageRange: '1' }, 3],
    [{ SelectPdfVersion: 4, UseTaggedPDF: true }, 4],
  ] as const)('%j', async (options, part) => {
    const file = await make(fixture(path), from, options)
    expect(archiveProblems(file.bytes, part)).toEqual([])
    expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
  })

  it.each([{ PDFUACompliance: true }, { PDFUACompliance: true, SelectPdfVersion: 2 }])(
    '%j',
    async (options) => {
      const file = await make(fixture(path), from, options)
      const problems = accessibleProblems(file.bytes)
      expect(problems.filter((problem) => !ofAuthors.test(problem))).toEqual([])
      if ('SelectPdfVersion' in options) expect(archiveProblems(file.bytes, 2)).toEqual([])
      // Nothing is left for the stage behind to guess.
      expect(file.warnings.filter((warning) => warning.includes('became paragraphs'))).toEqual([])
      expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
    },
  )

  it('the structure leaves the pages as they are', async () => {
    const [plain, tagged] = [
      await make(fixture(path), from, {}),
      await make(fixture(path), from, { UseTaggedPDF: true }),
    ]
    expect(tagged.ask('pdftotext', '-bbox', '-')).toBe(plain.ask('pdftotext', '-bbox', '-'))
    expect(plain.text).not.toContain('StructTreeRoot')
  })
})

it('headings, tables, lists and links are told apart; headers are none of the text', async () => {
  const p = (content: string, look = '') => `<w:p><w:pPr>${look}</w:pPr>${content}</w:p>`
  const r = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const cell = (text: string) => `<w:tc>${p(r(text))}</w:tc>`
  const file = await make(
    await wordFile({
      header: p(r('letterhead')),
      numbering:
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
      body:
        p(r('Title'), '<w:outlineLvl w:val="2"/>') +
        p(
          `${r('see ')}<w:hyperlink w:anchor="there">${r('there')}</w:hyperlink><w:bookmarkStart w:id="1" w:name="there"/><w:bookmarkEnd w:id="1"/>`,
        ) +
        p(r('item'), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
        `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('head')}${cell('')}</w:tr><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>${p(r('end'))}`,
    }),
    'docx',
    { PDFUACompliance: true },
  )
  const said = file
    .ask('pdfinfo', '-struct-text')
    .replace(/ \(\w+\)|:$|^ *\/.*\n/gm, '')
    .replace(/\s+/g, ' ')
  expect(said).toContain('H1 "Title"')
  expect(said).toMatch(/P "see " Link (Object \d+ \d+ )?"there"/)
  expect(said).toMatch(/LI Lbl "1\." LBody P "item"/)
  expect(said).toContain('TR TH P "head" TH TR TD P "a" TD P "b"')
  expect(said).not.toContain('letterhead')
  expect(accessibleProblems(file.bytes).filter((problem) => !ofAuthors.test(problem))).toEqual([])
})

it('PDF/A-1, without anything transparent', async () => {
  const opaque = await make(await wordFile({ body: '<w:p><w:r><w:t>text</w:t></w:r></w:p>' }), 'docx', {
    SelectPdfVersion: 1,
  })
  expect(archiveProblems(opaque.bytes, 1)).toEqual([])
})
