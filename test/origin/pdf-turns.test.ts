/** Whatever a caller has done to a PDF of many pages, the thread that serves everybody stays free. */
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MeasuredOrigin, startMeasuredOrigin } from '../helpers/measured-origin.ts'
import { signingFixture } from '../helpers/signing.ts'

const pageCount = 800
/** CPU time of the longest turn of the event loop. */
const maxTurnMs = 100

type Case = readonly [name: string, request: object]
const option = (options: object): Case => [
  JSON.stringify(options),
  { convertTo: { formatName: 'pdf', formatOptions: options } },
]

const cases: readonly Case[] = [
  ['nothing at all', { convertTo: 'pdf' }],
  option({ PageRange: '2-700' }),
  option({ Watermark: 'DRAFT' }),
  option({ Watermarks: [{ text: 'page {page} of {pages} – Ω漢', opacity: 0.5 }] }),
  option({ EncryptFile: true, DocumentOpenPassword: 'open' }),
  option({ RestrictPermissions: true, PermissionPassword: 'owner', Changes: 0 }),
  option({ HideViewerMenubar: true, InitialPage: 700, Magnification: 2 }),
  ...[1, 2, 3, 4, 17].map((SelectPdfVersion) => option({ SelectPdfVersion })),
  option({ PDFUACompliance: true }),
  option({ SelectPdfVersion: 2, PDFUACompliance: true, Watermark: 'DRAFT', PageRange: '-790' }),
  ['signed', { convertTo: 'pdf', sign: { key: signingFixture('rsa.pem'), visible: true } }],
  ['joined', { convertTo: 'pdf', data: [{}, {}, {}], batchSplitBy: 'd', batchOutput: 'pdf' }],
]

/** What a PDF is read for: its text, by positions and rulings, and pictures of its pages. */
const readings: readonly Case[] = [
  ...['txt', 'md'].map((convertTo): Case => [convertTo, { convertTo }]),
  ['png', { convertTo: { formatName: 'png', formatOptions: { PageRange: '1-3' } } }],
]

let origin: MeasuredOrigin
let template: string
beforeAll(async () => {
  origin = await startMeasuredOrigin({ measureDelay: true })
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  const field = document.getForm().createTextField('name')
  for (let number = 1; number <= pageCount; number++) {
    const page = document.addPage()
    for (let line = 0; line < 45; line++)
      page.drawText(`Page ${number}, line ${line}: (${number * line}).`, {
        x: 60,
        y: 780 - 16 * line,
        size: 11,
        font,
      })
    if (number <= 200) field.addToPage(page, { x: 300, y: 20, width: 100, height: 20 })
  }
  template = Buffer.from(await document.save()).toString('base64')
  // The first use of each kind of work imports its code.
  for (const [, request] of [...cases, ...readings]) await render(request, await smallPdf())
})
afterAll(() => origin.stop())

async function smallPdf(): Promise<string> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  for (let number = 0; number < 5; number++) document.addPage().drawText('Small', { font })
  return Buffer.from(await document.save()).toString('base64')
}

async function render(request: object, bytes = template): Promise<Uint8Array> {
  const response = await fetch(`${origin.url}/render/template?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ template: bytes, data: {}, ...request }),
  })
  const body = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200 && bytes === template) throw new Error(new TextDecoder().decode(body))
  return body
}

it.each(cases)('PDF to PDF, %s', async (_, request) => {
  await origin.figures()
  const made = await render(request)
  const { longestTurnMs } = await origin.figures()
  expect(new TextDecoder('latin1').decode(made.subarray(0, 5))).toBe('%PDF-')
  expect(longestTurnMs).toBeLessThan(maxTurnMs)
})

it.each(readings)('PDF to %s', async (to, request) => {
  await origin.figures()
  const made = await render(request)
  const { longestTurnMs } = await origin.figures()
  const beginning = new TextDecoder('latin1').decode(made.subarray(0, 2))
  if (to === 'png')
    expect(beginning).toBe('PK') // the pictures of several pages come in one archive
  else expect(new TextDecoder().decode(made)).toContain(`Page ${pageCount}, line 20`)
  expect(longestTurnMs).toBeLessThan(maxTurnMs)
})
