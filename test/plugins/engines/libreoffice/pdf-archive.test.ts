/**
 * PDF/A and PDF/UA. No validator can be had from Debian or npm, so the clauses that can be read off the file are: what a
 * file says of itself, that nothing it needs is left outside, that nothing forbidden is in it.
 */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { createPdfMaker, type PdfFile } from './pdf-files.ts'

const { converter, make } = createPdfMaker()
afterAll(() => converter.stop())

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
const sources = [
  ['a letter', 'docx', 'templates/letter/template.docx'],
  ['an invoice', 'docx', 'templates/invoice/template.docx'],
  ['a report with pictures', 'docx', 'corpus/evotecit__word-business-delivery-summary.docx'],
  ['a sheet', 'xlsx', 'real/aspose-cells__FinancialPlan.xlsx'],
  ['slides', 'pptx', 'real/unstructured-io__sample-presentation.pptx'],
] as const

/** Clauses of all parts: ISO 19005-1 and -2, 6.1.3, 6.1.6, 6.2.2 (6.2.3), 6.3.4 (6.2.11.4), 6.6 (6.5), 6.7 (6.6). */
function checkArchive(file: PdfFile, part: number): void {
  const { text: all } = file
  const metadata = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(all)?.[0] ?? ''
  expect(metadata, 'names its part').toMatch(new RegExp(`pdfaid:part(>|=")${part}[<"]`))
  expect(all, 'has an output intent').toMatch(/\/OutputIntents \[/)
  expect(all, 'with a profile').toMatch(/\/DestOutputProfile \d+ 0 R/)
  expect(all, 'of PDF/A').toMatch(/\/S \/GTS_PDFA1/)
  const fonts = file
    .ask('pdffonts')
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
  expect(fonts.length).toBeGreaterThan(0)
  for (const line of fonts)
    expect(line, 'every font is embedded').toMatch(/ yes (yes|no) +(yes|no) +\d+ +\d+ *$/)
  for (const forbidden of [
    '/Encrypt',
    '/JavaScript',
    '/Launch',
    '/Sound',
    '/Movie',
    '/LZWDecode',
    '/NeedAppearances true',
  ])
    expect(all, forbidden).not.toContain(`${forbidden} `)
  const trailer = Buffer.from(file.bytes).toString('latin1')
  expect(trailer, 'has an identifier').toMatch(/\/ID\s*\[/)
  const annotations = [...all.matchAll(/\/Subtype \/Link[\s\S]*?>>\nendobj/g)]
  for (const [annotation] of annotations) expect(annotation, 'links are printed').toMatch(/\/F 4/)
}

describe.each(sources)('%s', (_, from, path) => {
  it.each([1, 2, 3, 4])('as PDF/A-%i', async (part) => {
    const file = await make(fixture(path), from, { SelectPdfVersion: part })
    checkArchive(file, part)
    expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
    const head = Buffer.from(file.bytes.subarray(0, 8)).toString()
    // 19005-1 6.1.2, -2 6.1.2, -4 6.1.2.
    expect(head).toMatch(
      { 1: /^%PDF-1\.4/, 2: /^%PDF-1\.[4-7]/, 3: /^%PDF-1\.[4-7]/, 4: /^%PDF-2\.0/ }[part] ?? /never/,
    )
    if (part === 1) {
      // 6.4: no transparency.
      expect(file.text).not.toMatch(/\/SMask \d|\/S \/Transparency|\/(ca|CA) 0?\.\d/)
    }
    if (part === 4) {
      // 6.7.3: no level, the year; 6.1.3: no properties beside the metadata.
      expect(file.text).toMatch(/<pdfaid:rev>2020<\/pdfaid:rev>/)
      expect(file.text).not.toMatch(/pdfaid:conformance/)
      expect(file.text).not.toMatch(/^ {2}\/Info /m)
    }
  })

  it('as PDF/UA, alone and with PDF/A-2', async () => {
    for (const options of [{ PDFUACompliance: true }, { PDFUACompliance: true, SelectPdfVersion: 2 }]) {
      const file = await make(fixture(path), from, options)
      const { text: all } = file
      // ISO 14289-1: 5 the mark; 7.1 tagged, titled; 7.2 language; 7.18.3 tab order.
      expect(all).toMatch(/pdfuaid:part(>|=")1/)
      expect(all).toMatch(/\/Marked true/)
      expect(all).toMatch(/\/StructTreeRoot \d+ 0 R/)
      expect(all).toMatch(/\/DisplayDocTitle true/)
      expect(all).toMatch(/\/Lang \(/)
      // A title is the author's: where there is none the caller is told.
      expect(file.warnings.some((warning) => warning.startsWith('PDF/UA wants a title'))).toBe(
        !/<dc:title>/.test(all),
      )
      const pages = Number(/^Pages: +(\d+)/m.exec(file.ask('pdfinfo'))?.[1])
      expect([...all.matchAll(/\/Tabs \/S/g)].length).toBeGreaterThanOrEqual(pages)
      if ('SelectPdfVersion' in options) checkArchive(file, 2)
    }
  })
})

it.each([
  [{ SelectPdfVersion: 4, PDFUACompliance: true }, 'SelectPdfVersion'],
  [{ SelectPdfVersion: 4, EncryptFile: true, DocumentOpenPassword: 's' }, 'EncryptFile'],
  [{ SelectPdfVersion: 2, Watermarks: [{ text: 'x' }] }, 'Watermarks'],
])('%j is refused', async (options, name) => {
  await expect(make('x', 'txt', options)).rejects.toSatisfy(
    (error) => error instanceof AppError && error.message.startsWith(`Invalid option ${name}: cannot be`),
  )
})
