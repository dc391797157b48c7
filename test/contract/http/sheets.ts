import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { archiveProblems } from '../../helpers/conformance/archive.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { type SheetSpec, xlsxOf } from '../../helpers/xlsx.ts'
import { base64, type Client } from './client.ts'

/** A rule whose formula calls an unknown function. */
const conditional =
  '<conditionalFormatting sqref="A1"><cfRule type="expression" dxfId="0" priority="1"><formula>SECRET(A1)</formula></cfRule></conditionalFormatting>'
const link = {
  id: 'rId1',
  type: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink',
  target: 'https://example.com/a?b=1" TargetMode="External',
}
const linked = {
  after: `<hyperlinks><hyperlink ref="A1" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="${link.id}"/></hyperlinks>`,
  relationships: [link],
}

/** Workbooks to PDF by the engine that both hosts have. */
export function sheetCases(client: () => Client): void {
  const place = useTemporary()
  const ask = async (body: object) => {
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ converter: 'I', convertTo: 'pdf', ...body }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const header = (name: string) => answer.headers.get(`service-${name}`)
    return { status: answer.status, bytes, engine: header('converter'), warnings: header('warning') }
  }
  const sheet = async (spec: Partial<SheetSpec> & Pick<SheetSpec, 'cells'>) =>
    base64(await xlsxOf({ sheets: [{ name: 'One', ...spec }] }))
  const textOf = (bytes: Uint8Array): string => {
    const path = place()
    writeFileSync(path, bytes)
    return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
  }
  const drawn = async (body: object) => {
    const { status, bytes, ...rest } = await ask(body)
    expect([status, new TextDecoder().decode(bytes.subarray(0, 5))]).toEqual([200, '%PDF-'])
    return { bytes, text: textOf(bytes), ...rest }
  }

  it('a price list is filled and drawn', async () => {
    const template = await sheet({
      cells: { A1: 'Item', B1: 'Price', A2: '{d.l[i].n}', B2: '{d.l[i].p:formatN}', A3: '{d.l[i+1].n}' },
    })
    const data = {
      l: [
        { n: 'Lamp', p: 12.5 },
        { n: 'Straße', p: 7 },
      ],
    }
    const { text, engine, warnings } = await drawn({ template, data })
    expect([engine, warnings]).toEqual(['I', null])
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/)),
    ).toEqual([
      ['Item', 'Price'],
      ['Lamp', '12.5'],
      ['Straße', '7'],
    ])
  })

  it('OpenDocument spreadsheets and separated values are filled and drawn', async () => {
    const data = { l: [{ n: 'Lamp' }, { n: 'Straße' }] }
    const csv = await drawn({
      template: base64(new TextEncoder().encode('Item,Price\n{d.l[0].n},1.5\n')),
      data,
    })
    expect([csv.engine, csv.warnings]).toEqual(['I', null])
    expect(csv.text).toMatch(/Item\s+Price\s+Lamp\s+1\.5/)
    const urn = 'urn:oasis:names:tc:opendocument:xmlns'
    const cell = (text: string) =>
      `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`
    const fods = `<?xml version="1.0"?><office:document xmlns:office="${urn}:office:1.0" xmlns:table="${urn}:table:1.0" xmlns:text="${urn}:text:1.0" office:mimetype="application/vnd.oasis.opendocument.spreadsheet" office:version="1.3"><office:body><office:spreadsheet><table:table table:name="List">${cell('{d.l[i].n}')}${cell('{d.l[i+1].n}')}</table:table></office:spreadsheet></office:body></office:document>`
    const ods = await drawn({ template: base64(new TextEncoder().encode(fods)), data })
    expect([ods.engine, ods.warnings]).toEqual(['I', null])
    expect(ods.text).toMatch(/List\s+Lamp\s+Straße\s+Page 1/)
  })

  it('charts and conditional formats are drawn under auto as well', async () => {
    const template = await sheet({
      cells: { A1: 7, A2: 3 },
      after:
        '<conditionalFormatting sqref="A1:A2"><cfRule type="top10" dxfId="0" rank="1" priority="1"/></conditionalFormatting>',
    })
    const { engine, warnings } = await drawn({ template, converter: 'auto' })
    expect([engine, warnings]).toEqual(['I', null])
  })

  it('links of cells are links of the PDF', async () => {
    const { bytes } = await drawn({ template: await sheet({ cells: { A1: 'Here' }, ...linked }) })
    const [page] = (await PDFDocument.load(bytes)).getPages()
    const action = page?.node.Annots()?.lookup(0, PDFDict).lookup(PDFName.of('A'), PDFDict)
    expect(action?.get(PDFName.of('URI'))?.toString()).toBe('(https://example.com/a?b=1)')
  })

  it('page ranges, watermarks and PDF/A work as for documents', async () => {
    const cells = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`A${at + 1}`, `row ${at + 1}`]))
    const template = await sheet({ cells })
    const formatOptions = {
      SelectPdfVersion: 2,
      PageRange: '2',
      Watermarks: [{ text: 'DRAFT', rotation: 0 }],
    }
    const { bytes, text } = await drawn({ template, convertTo: { formatName: 'pdf', formatOptions } })
    expect(archiveProblems(bytes, 2)).toEqual([])
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(1)
    // A watermark is slanted, so its letters are on lines of their own.
    for (const letter of 'DRAFT') expect(text).toContain(letter)
    expect(text).not.toMatch(/\brow 1\b/)
  })

  it('formulas that merging moved have results', async () => {
    const cells = {
      A1: '{d.l[i].q:formatN}',
      B1: '<f>A1*2</f>',
      A2: '{d.l[i+1].q}',
      A3: '<f>SUM(A1:A2)</f>',
      B3: '<f>IF(A3&gt;5,"many","few")</f>',
    }
    const data = { l: [{ q: 2 }, { q: 5 }] }
    const { text, warnings } = await drawn({ template: await sheet({ cells }), data })
    expect(warnings).toBeNull()
    expect(text.trim().split(/\s+/)).toEqual(['2', '4', '5', '10', '7', 'many'])
  })

  describe('what is not drawn', () => {
    it.each([
      ['conditional formats', { cells: { A1: 1 }, after: conditional }, 'layout.conditional-format'],
      [
        'formulas that are not worked out',
        { cells: { A1: 1, A2: '<f>XIRR(A1)</f>' } },
        'read.formula-without-value',
      ],
    ] as const)('%s', async (_, spec, code) => {
      const { engine, warnings } = await drawn({ template: await sheet(spec) })
      expect([engine, warnings]).toEqual(['I', code])
    })
  })

  it('are tagged, and PDF/UA', async () => {
    const template = await sheet({ cells: { A1: 'A' } })
    for (const formatOptions of [{ PDFUACompliance: true }, { UseTaggedPDF: true }]) {
      const made = await ask({ template, convertTo: { formatName: 'pdf', formatOptions } })
      expect(made.status).toBe(200)
      // Nothing was ignored, and nothing was left to be tagged without knowing what it is.
      expect(made.warnings ?? '').not.toMatch(/option-ignored|tagged-late/)
    }
  })

  it('converter auto uses I for what it can draw', async () => {
    const clean = await drawn({ template: await sheet({ cells: { A1: 'A' } }), converter: 'auto' })
    expect(clean.engine).toBe('I')
    const other = await drawn({
      template: await sheet({ cells: { A1: 'A' }, after: conditional }),
      converter: 'auto',
    })
    expect(other.engine).toBe('L')
  })
}
