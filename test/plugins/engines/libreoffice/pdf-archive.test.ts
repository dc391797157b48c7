/**
 * PDF/A and PDF/UA of real documents, held against the clauses of the standards (`test/helpers/conformance`), which reads
 * the files with qpdf. No validator can be had from Debian or npm.
 */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { createPdfMaker } from './pdf-files.ts'
import { flat, flatText } from './samples.ts'

const { converter, make } = createPdfMaker()
afterAll(() => converter.stop())

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
const sources = [
  ['a letter', 'docx', 'templates/letter/template.docx'],
  ['an invoice', 'docx', 'templates/invoice/template.docx'],
  ['a report with pictures', 'docx', 'corpus/evotecit__word-business-delivery-summary.docx'],
  ['an older text with pictures', 'odt', 'corpus/docling-project__text_document_03.odt'],
  ['a sheet', 'xlsx', 'real/aspose-cells__FinancialPlan.xlsx'],
  ['slides', 'pptx', 'real/unstructured-io__sample-presentation.pptx'],
] as const
/** What only an author can provide: a warning reports it where it is missing. */
const ofAuthors = /^7\.1: no title|^7\.3: Figure|^7\.4\.2: a heading/

describe.each(sources)('%s', (_, from, path) => {
  it.each([
    [{ SelectPdfVersion: 1 }, 1],
    [{ SelectPdfVersion: 2 }, 2],
    [{ SelectPdfVersion: 3 }, 3],
    [{ SelectPdfVersion: 4 }, 4],
    [{ SelectPdfVersion: 1, Watermark: 'Draft', PageLayout: 1 }, 1],
    [{ SelectPdfVersion: 2, UseTaggedPDF: true, PageRange: '1', InitialView: 1 }, 2],
  ] as const)('%j', async (options, part) => {
    const file = await make(fixture(path), from, options)
    expect(archiveProblems(file.bytes, part)).toEqual([])
    expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
    expect(file.warnings).toEqual([])
  })

  it.each([{ PDFUACompliance: true }, { PDFUACompliance: true, SelectPdfVersion: 2, Watermark: 'Draft' }])(
    '%j',
    async (options) => {
      const file = await make(fixture(path), from, options)
      const problems = accessibleProblems(file.bytes)
      expect(problems.filter((problem) => !ofAuthors.test(problem))).toEqual([])
      if ('SelectPdfVersion' in options) expect(archiveProblems(file.bytes, 2)).toEqual([])
      const reported = (words: string) => file.warnings.some((warning) => warning.includes(words))
      expect(reported('requires a title')).toBe(problems.includes('7.1: no title'))
      expect(reported('requires the language')).toBe(problems.includes('7.2: no language'))
      expect(reported('requires an alternative text')).toBe(
        problems.some((problem) => problem.includes('Figure')),
      )
      // The office gives the cells of a sheet no structure at all.
      expect(reported('was tagged as paragraphs')).toBe(from === 'xlsx')
      expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
    },
  )
})

it('a sheet keeps every word where it was, and has each in its structure', async () => {
  const sheet = fixture('real/aspose-cells__FinancialPlan.xlsx')
  const [plain, tagged] = [
    await make(sheet, 'xlsx', {}),
    await make(sheet, 'xlsx', { PDFUACompliance: true }),
  ]
  expect(tagged.ask('pdftotext', '-layout', '-')).toBe(plain.ask('pdftotext', '-layout', '-'))
  const words = (text: string) => text.split(/\s+/).filter(Boolean).sort()
  expect(
    words(tagged.ask('pdfinfo', '-struct-text').replace(/^ *[A-Z]\w* ?(\(.*\))?:?$|"/gm, ' ')).length,
  ).toBeGreaterThan(words(plain.ask('pdftotext', '-')).length / 2)
})

it('properties with signs say the same in both places', async () => {
  const properties = `<office:meta><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">A &amp; B &lt;c&gt; "d" 'e' &amp;amp;</dc:title><meta:initial-creator xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0">Sons &amp; Co</meta:initial-creator></office:meta>`
  for (const part of [1, 2, 3, 4] as const) {
    const file = await make(flat('text', 'text', '<text:p>x</text:p>', properties), 'fodt', {
      SelectPdfVersion: part,
    })
    expect(archiveProblems(file.bytes, part)).toEqual([])
    const said = file.ask('pdfinfo', '-meta')
    expect(said).toContain('>Sons &amp; Co<')
    expect(said).toMatch(/>A &amp; B &lt;c(&gt;|>) (&quot;|")d(&quot;|") (&apos;|')e(&apos;|') &amp;amp;</)
  }
})

it.each([
  [{ SelectPdfVersion: 4, PDFUACompliance: true }, 'SelectPdfVersion'],
  [{ SelectPdfVersion: 4, EncryptFile: true, DocumentOpenPassword: 's' }, 'EncryptFile'],
  [{ SelectPdfVersion: 2, RestrictPermissions: true, PermissionPassword: 's' }, 'RestrictPermissions'],
  [{ SelectPdfVersion: 2, Watermarks: [{ text: 'x' }] }, 'Watermarks'],
  [{ PDFUACompliance: true, Watermarks: [{ text: 'x' }] }, 'Watermarks'],
])('%j is refused', async (options, name) => {
  await expect(make('x', 'txt', options)).rejects.toSatisfy(
    (error) => error instanceof AppError && error.message.startsWith(`Invalid option ${name}: cannot be`),
  )
})

describe('the checks see what is wrong', () => {
  it.each<[string, RegExp, string, string]>([
    ['a later header', /%PDF-1\.\d/, '%PDF-2.0', '6.1.2'],
    ['no output intent', /\/OutputIntents/, '/OutputInterns', '6.2.3'],
    ['another kind of intent', /\/GTS_PDFA1/, '/GTS_PDFX1', '6.2.3'],
    ['a profile with other components', /\/N 3\b/, '/N 4', '6.2.3'],
    ['a font that is left out', /\/FontFile2/, '/FontFileX', '6.2.11.4'],
    ['widths that are not those of the font', /(\/Widths \[\s+\d+\s+)\d+/, '$17', '6.2.11.5'],
    ['another part', /<pdfaid:part>2/, '<pdfaid:part>3', '6.6.4'],
    ['a level that does not exist', /<pdfaid:conformance>B/, '<pdfaid:conformance>X', '6.6.4'],
    ['a title of its own', /x-default">My/, 'x-default">Your', '6.6.3'],
    ['metadata that is no XML', /<\/dc:title>/, '</dc:titel>', '6.6.2.1'],
    [
      'a namespace without description',
      /xmlns:pdf="http:\/\/ns.adobe.com\/pdf\/1.3\/"/,
      'xmlns:pdf="http://example.org/pdf"',
      '6.6.2.3',
    ],
    [
      'an action when it opens',
      /\/OpenAction \[[^\]]*\]/,
      '/OpenAction << /S /JavaScript /JS (1) >>',
      '6.5.1',
    ],
    ['a link that is not printed', /\/F 4\b/, '/F 2', '6.3.2'],
    ['an operator that nobody knows', /\n0\.1 w\n/, '\n0.1 ww\n', '6.2.2'],
    ['a colour without a profile', /\n0\.1 w\n/, '\n0 0 0 1 k 0.1 w\n', '6.2.4.3'],
    ['a state that is not given back', /\n0\.1 w\n/, '\nq 0.1 w\n', '6.2.2'],
  ])('%s', async (_, from, to, clause) => {
    const text = `<text:p>x <text:a xlink:type="simple" xlink:href="https://example.org">go</text:a></text:p>`
    const titled =
      '<office:meta><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">My year</dc:title></office:meta>'
    const { text: plain } = await make(flat('text', 'text', text, titled), 'fodt', { SelectPdfVersion: 2 })
    expect(archiveProblems(Buffer.from(plain, 'latin1'), 2)).toEqual([])
    const bent = plain.replace(from, to)
    expect(bent).not.toBe(plain)
    const problems = archiveProblems(Buffer.from(bent, 'latin1'), 2)
    expect(problems.map((problem) => problem.split(':')[0])).toContain(clause)
  })

  it.each<[string, RegExp, string, string]>([
    ['content outside of the structure', /\/\w+ ?<<\s*\/MCID 0\s*>>\s*BDC/, '/Span BMC', '7.1'],
    ['no language', /\/Lang \(/, '/Land (', '7.2'],
    ['no title in the window', /\/DisplayDocTitle true/, '/DisplayDocTitle null', '7.1'],
    ['no order of tabs', /\/Tabs \/S/, '/Tabs /R', '7.18.3'],
    ['a type that is none', /\/S \/Standard\b/, '/S /Nothing', '7.1'],
    ['no mark', /pdfuaid:part/, 'pdfuaid:pert', '5'],
    ['a link outside of the structure', /\/Type \/OBJR/, '/Type /OBJR /Obj null', '7.18.1'],
  ])('%s', async (_, from, to, clause) => {
    const body = `<text:p>x <text:a xlink:type="simple" xlink:href="https://example.org">go</text:a></text:p>`
    const titled =
      '<office:meta><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">My year</dc:title></office:meta>'
    const { text: plain } = await make(flat('text', 'text', body, titled), 'fodt', { PDFUACompliance: true })
    expect(accessibleProblems(Buffer.from(plain, 'latin1'))).toEqual([])
    const bent = plain.replace(from, to)
    expect(bent).not.toBe(plain)
    const problems = accessibleProblems(Buffer.from(bent, 'latin1'))
    expect(problems.map((problem) => problem.split(':')[0])).toContain(clause)
  })

  it('a plain file is neither', async () => {
    const { bytes } = await make(flatText, 'fodt', {})
    expect(archiveProblems(bytes, 2)).toEqual(
      expect.arrayContaining(['6.2.3: no output intent', '6.6.2.1: no metadata']),
    )
    expect(accessibleProblems(bytes)).toEqual(expect.arrayContaining(['6.7.3: no structure', '5: no mark']))
  })
})
