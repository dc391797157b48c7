import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Chromiumly,
  HtmlConverter,
  HtmlScreenshot,
  LibreOffice,
  MarkdownConverter,
  PDFEngines,
  System,
} from 'chromiumly'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../origin/server.ts'
import { archiveProblems } from '../helpers/conformance/archive.ts'
import { docxOf, paragraph } from '../helpers/docx.ts'
import { attachedFiles, look } from '../helpers/look.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { inkOf, pdfOf } from '../helpers/pdf.ts'
import { plainPng } from '../helpers/png.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const plugin = new URL('../../plugins/routes/gotenberg', import.meta.url).pathname
const html = (text: string) =>
  Buffer.from(
    `<!doctype html><html><head><title>T</title><link rel="stylesheet" href="style.css"></head><body>${text}</body></html>`,
  )
const textOf = async (pdf: Uint8Array) => (await look(pdf, 'pdftotext', '@', '-')).replace(/\s+/g, ' ').trim()
const pagesOf = async (pdf: Uint8Array) => Number(/Pages:\s+(\d+)/.exec(await look(pdf, 'pdfinfo', '@'))?.[1])
const sizeOf = async (pdf: Uint8Array) =>
  /Page size:\s+([\d.]+ x [\d.]+)/.exec(await look(pdf, 'pdfinfo', '@'))?.[1]

/** The routes of the plugin, as a published client of Gotenberg uses them, with the real engines. */
describe('a published client of Gotenberg', () => {
  let server: RunningServer
  let remove: () => Promise<void>
  let two: Buffer

  beforeAll(async () => {
    const made = await testConfig({ plugins: [plugin] })
    remove = made.remove
    server = await startServer(made.config)
    Chromiumly.configure({ endpoint: server.url })
    two = await new HtmlConverter().convert({ html: html('<p>one</p><p style="break-before:page">two</p>') })
  })
  afterAll(async () => {
    await server.stop()
    await remove()
  })

  it('HTML with its files becomes a PDF of US Letter or the requested paper', async () => {
    expect([await pagesOf(two), await sizeOf(two)]).toEqual([2, '612 x 792'])
    const made = await new HtmlConverter().convert({
      html: html('<p class="a">styled</p>'),
      assets: [{ file: Buffer.from('.a::after{content:" sheet"}'), name: 'style.css' }],
      header: Buffer.from('<html><body><p>Header of it</p></body></html>'),
      properties: { size: { width: 5, height: 5 }, margins: { top: 1, bottom: 1, left: 1, right: 1 } },
    })
    expect(await sizeOf(made)).toBe('360 x 360')
    expect(await textOf(made)).toBe('Header of it styled sheet')
  })

  it('Markdown stands where the page names it', async () => {
    const made = await new MarkdownConverter().convert({
      html: Buffer.from('<!doctype html><html><body>{{ toHTML "file.md" }}</body></html>'),
      markdown: Buffer.from('# Title\n\n* item'),
    })
    expect(await textOf(made)).toBe('Title item')
  })

  it('a screenshot has the width of the window', async () => {
    const made = await new HtmlScreenshot().capture({
      html: html('<p>seen</p>'),
      properties: { format: 'png', width: 321 },
    })
    expect(made.readUInt32BE(16)).toBe(321)
  })

  it('PDFs are merged, split, made PDF/A and encrypted', async () => {
    expect(await pagesOf(await PDFEngines.merge({ files: [two, two] }))).toBe(4)
    const zip = await PDFEngines.split({ files: [two], options: { mode: 'intervals', span: 1 } })
    expect(zip.subarray(0, 2).toString()).toBe('PK')
    const unified = await PDFEngines.split({
      files: [two],
      options: { mode: 'pages', span: '2', unify: true },
    })
    expect(await textOf(unified)).toBe('two')
    expect(archiveProblems(await PDFEngines.convert({ files: [two], pdfa: 'PDF/A-2b' }), 2)).toEqual([])
    const locked = await PDFEngines.encrypt({ files: [two], options: { userPassword: 'open sesame' } })
    expect(await look(locked, 'pdftotext', '-upw', 'open sesame', '@', '-')).toContain('one')
    await expect(look(locked, 'pdfinfo', '@')).rejects.toThrow(/password/i)
  })

  it('metadata are written and read', async () => {
    const metadata = {
      Author: 'Ada',
      Title: 'Über',
      Keywords: ['one', 'two'],
      CreateDate: '2026:09:18 16:27:50Z',
      Marked: true,
    }
    const made = await PDFEngines.writeMetadata({ files: [two], metadata })
    expect(await look(made, 'pdfinfo', '@')).toMatch(/Keywords: +one, two\nAuthor: +Ada/)
    const read = JSON.parse((await PDFEngines.readMetadata({ files: [made] })).toString())
    expect(Object.values(read)).toEqual([
      expect.objectContaining({ ...metadata, PageCount: 2, MIMEType: 'application/pdf' }),
    ])
    const merged = await PDFEngines.merge({ files: [two, two], metadata: { Title: 'Both' } })
    expect(await look(merged, 'pdfinfo', '@')).toMatch(/Title: +Both/)
    const archive = await PDFEngines.merge({ files: [two], metadata, pdfa: 'PDF/A-2b' })
    expect(archiveProblems(archive, 2)).toEqual([])
  })

  it('bookmarks are written and read, also of files that are merged', async () => {
    const bookmarks = [{ title: 'First', page: 1, children: [{ title: 'Second', page: 2 }] }]
    const withChildren = [{ title: 'First', page: 1, children: [{ title: 'Second', page: 2, children: [] }] }]
    const made = await PDFEngines.writeBookmarks({ files: [two], bookmarks })
    const read = async (file: Buffer) =>
      Object.values(JSON.parse((await PDFEngines.readBookmarks([file])).toString()))
    expect(await read(made)).toEqual([withChildren])
    const merged = await PDFEngines.merge({ files: [made, made], autoIndexBookmarks: true })
    expect(await read(merged)).toMatchObject([[{ page: 1 }, { page: 3, children: [{ page: 4 }] }]])
    expect(await read(await PDFEngines.merge({ files: [made, made], bookmarks }))).toEqual([withChildren])
  })

  it('pages are rotated, watermarked and stamped', async () => {
    const turned = await PDFEngines.rotate({ files: [two], angle: 90, pages: '2' })
    expect((await look(turned, 'pdfinfo', '-l', '2', '@')).match(/rot: +\d+/g)).toEqual([
      'rot:   0',
      'rot:   90',
    ])
    const marked = await PDFEngines.watermark({
      files: [two],
      watermark: {
        source: 'text',
        expression: 'DRAFT',
        pages: '1',
        options: { font: 'Helvetica', points: 48, color: '#808080', rotation: 0, opacity: 0.15 },
      },
    })
    expect((await look(marked, 'pdftotext', '-raw', '@', '-')).replace(/\s+/g, ' ')).toBe('DRAFT one two ')
    const letterhead = await new HtmlConverter().convert({ html: html('<p>LETTERHEAD</p>') })
    const stamp = { source: 'pdf' as const, expression: 'stamp', file: letterhead }
    const stamped = await PDFEngines.stamp({ files: [two], stamp })
    expect(await textOf(stamped)).toMatch(/one.*LETTERHEAD.*two.*LETTERHEAD|LETTERHEAD.*one.*LETTERHEAD.*two/)
    const converted = await new HtmlConverter().convert({
      html: html('<p>one</p>'),
      stamp,
      pdfFormat: 'PDF/A-2b',
    })
    expect([await textOf(converted), archiveProblems(converted, 2)]).toEqual([
      expect.stringContaining('LETTERHEAD'),
      [],
    ])
  })

  it('a picture is stamped into a corner of a page', async () => {
    const stamped = await PDFEngines.stamp({
      files: [two],
      stamp: {
        source: 'image',
        expression: 'stamp',
        file: Buffer.from(plainPng(200, 100)),
        pages: '2',
        options: { scale: '0.25 rel', position: 'br' },
      },
    })
    const list = (await look(stamped, 'pdfimages', '-list', '@')).trim().split('\n').slice(2)
    expect(list).toEqual([expect.stringMatching(/^ +2 +0 image +200 +100 .* 94 +94 /)])
    expect(inkOf(join(temporaryFolder('stamped-picture'), 'stamped'), stamped, 2)).toMatchObject({
      right: 612,
      bottom: 0,
    })
  })

  it('files are embedded with their metadata', async () => {
    const made = await PDFEngines.embed({
      files: [two],
      embeds: [Buffer.from('<a/>')],
      embedsMetadata: { file1: { mimeType: 'text/xml', relationship: 'Data' } },
    })
    expect(await attachedFiles(made)).toEqual([{ name: 'file1', text: '<a/>' }])
    const plain = Buffer.from(made).toString('latin1')
    expect([plain.includes('/AFRelationship/Data'), plain.includes('/Subtype/text#2fxml')]).toEqual([
      true,
      true,
    ])
  })

  it('an invoice becomes Factur-X, and one that breaks a rule does not', async () => {
    const xml = readFileSync(new URL('../fixtures/invoices/en16931.xml', import.meta.url))
    const facturx = { facturxXml: xml, facturxConformanceLevel: 'EN 16931' as const }
    const made = await PDFEngines.facturX({ files: [two], facturx })
    expect([(await attachedFiles(made))[0]?.name, archiveProblems(made, 3)]).toEqual(['factur-x.xml', []])
    expect(await look(made, 'pdfinfo', '-meta', '@')).toContain(
      '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    )
    const converted = await new HtmlConverter().convert({ html: html('<p>Invoice</p>'), facturx })
    expect(archiveProblems(converted, 3)).toEqual([])
    const broken = Buffer.from(
      xml.toString().replace('<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>', ''),
    )
    await expect(
      PDFEngines.facturX({ files: [two], facturx: { ...facturx, facturxXml: broken } }),
    ).rejects.toThrow(/400/)
  })

  it('forms are flattened', async () => {
    const form = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DA(/Helv 12 Tf 0 g)>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>',
      '<</Type/Annot/Subtype/Widget/Rect[20 20 200 40]/FT/Tx/T(name)/V(Ada Lovelace)>>',
    ])
    const made = await PDFEngines.flatten([Buffer.from(form)])
    expect([await textOf(made), /Form: +none/.test(await look(made, 'pdfinfo', '@'))]).toEqual([
      'Ada Lovelace',
      true,
    ])
  })

  it('returns its version and its health', async () => {
    expect((await System.getVersion()).toString()).toMatch(/^8\./)
    expect(JSON.parse((await System.getHealth()).toString())).toMatchObject({ status: 'up' })
  })

  it('office documents become PDFs', async () => {
    const data = Buffer.from(await docxOf(paragraph('alone')))
    expect(await textOf(await LibreOffice.convert({ files: [{ data, ext: 'docx' }] }))).toBe('alone')
    const viewed = await LibreOffice.convert({
      files: [{ data, ext: 'docx' }],
      pageLayout: 2,
      hideViewerMenubar: true,
      nativeWatermarkText: 'DRAFT',
      metadata: { Author: 'Ada' },
    })
    const catalogue = await look(viewed, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect([/\/PageLayout \/OneColumn/.test(catalogue), /\/HideMenubar true/.test(catalogue)]).toEqual([
      true,
      true,
    ])
    expect(await look(viewed, 'pdfinfo', '@')).toMatch(/Author: +Ada/)
    expect((await textOf(viewed)).replace(/\s/g, '')).toContain('DRAFT')
  })
})
