/**
 * The built-in layout engine: DOCX, ODT, XLSX, ODS, CSV, PPTX, ODP and HTML to PDF and pictures in TypeScript, on the origin and at the
 * edge. The format plugins read bytes into the document model; `pipeline.ts` continues from there and is the file to read
 * next. Web pages have a layout of their own (`web-pipeline.ts`); Markdown comes as one.
 */
import { type Conversion, defineEngine } from '../../../shared/plugin/contract.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { optionsOfPicture, optionsSchema, pictureFormats } from './options.ts'
import { settingsSchema } from './settings.ts'

const sheets = ['xlsx', 'ods', 'fods', 'csv'] as const

/** Options of PDFs of layouts that insert no blank pages. */
const pdfOptions = {
  options: ['SelectPdfVersion', 'UseTaggedPDF', 'PDFUACompliance'],
  lacks: ['IsSkipEmptyPages'],
} as const

/** Tables of web pages that become sheets are not sheets to draw, so `first` is set. */
const sheetToPdf = (from: string) =>
  ({ from, to: 'pdf', fidelity: 'basic', cost: 10, first: true, ...pdfOptions }) as const

const slides = ['pptx', 'odp', 'fodp', 'otp'] as const

const slidesToPdf = (from: string) =>
  ({ from, to: 'pdf', fidelity: 'basic', cost: 10, ...pdfOptions }) as const

/** Sources that are web pages or become one without loss; others have a layout that a page would lose. */
const pages = ['html', 'xhtml', 'md', 'xml', 'docbook'] as const

/** Pictures of the pages, a file for each. */
function picturesOf(from: string): Conversion[] {
  return pictureFormats.map((to) => ({
    ...{ from, to, fidelity: 'basic', cost: to === 'webp' ? 100 : 40 },
    options: optionsOfPicture(to),
    ...(sheets.some((sheet) => sheet === from) && { first: true }),
    ...(from === 'html' && { origins: pages }),
    last: true,
  }))
}

export default defineEngine({
  kind: 'engine',
  contract: 1,
  id: 'instant',
  letter: 'I',
  title: 'Instant layout engine',
  selfAssessing: true,
  drawsText: true,
  sides: ['edge', 'origin'],
  conversions: [
    { from: 'docx', to: 'pdf', fidelity: 'basic', cost: 10 },
    { from: 'odt', to: 'pdf', fidelity: 'basic', cost: 10 },
    ...sheets.map(sheetToPdf),
    ...slides.map(slidesToPdf),
    // A browser has the whole of CSS, so it comes first where there is one.
    {
      from: 'html',
      to: 'pdf',
      fidelity: 'basic',
      cost: 20,
      origins: pages,
      last: true,
      ...pdfOptions,
    },
    ...['docx', 'odt', ...sheets, ...slides, 'html'].flatMap(picturesOf),
  ],
  settings: settingsSchema,
  options: optionsSchema,
  create: lazyEngine(async () => (await import('./engine.ts')).createInstantEngine),
  // A web page refers to files, which are fetched before the layout, because that runs without a network.
  async prepare({ source, from, egressAuthorization }, { outbound }, signal) {
    if (from !== 'html') return { value: source, warnings: [] }
    const { embedRemoteFiles } = await import('../../../shared/net/remote-files.ts')
    return embedRemoteFiles(source, { outbound, authorization: egressAuthorization, signal })
  },
})
