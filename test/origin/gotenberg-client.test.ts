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
import { look } from '../helpers/look.ts'
import { testConfig } from '../helpers/origin-config.ts'

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

  it('HTML with its files becomes a PDF of US Letter, or of the paper that was asked for', async () => {
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

  it('says its version and its health', async () => {
    expect((await System.getVersion()).toString()).toMatch(/^8\./)
    expect(JSON.parse((await System.getHealth()).toString())).toMatchObject({ status: 'up' })
  })

  it('office documents become PDFs', async () => {
    const data = Buffer.from(await docxOf(paragraph('alone')))
    expect(await textOf(await LibreOffice.convert({ files: [{ data, ext: 'docx' }] }))).toBe('alone')
  })
})
