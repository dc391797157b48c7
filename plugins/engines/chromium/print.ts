import type { Protocol } from 'puppeteer-core'
import { AppError } from '../../../shared/errors/app-error.ts'
import { type Paper, readLength, readPaper } from '../../../shared/plugin/paper.ts'
import { title } from './conversions.ts'
import type { BrowserOptions } from './options.ts'
import type { BrowserPage } from './page.ts'
import type { PageFacts, RunningElement } from './page-facts.ts'

/** 1 cm, the default of the browser. */
const defaultMargin = 1 / 2.54
const pixelsAnInch = 96
const a4: Paper = { width: 210 / 25.4, height: 297 / 25.4 }
const chunkBytes = 4 * 2 ** 20
/**
 * Minimum and maximum size of a drawing: the smallest that readers show, and the largest page (200 inches; PDF
 * 32000-1, annex C).
 */
const drawingInches = { min: 3 / 72, max: 200 }

/** Prints the page. Returns a PDF. */
export async function printPage(
  page: BrowserPage,
  facts: PageFacts,
  options: BrowserOptions,
): Promise<Uint8Array> {
  const paperOptions = facts.drawing === undefined ? ofText(facts, options) : ofDrawing(facts.drawing)
  // The browser finds the headings for bookmarks while it writes the structure tree.
  const bookmarks = facts.headings && options.ExportBookmarks !== false
  const printing = page.session.send('Page.printToPDF', {
    ...paperOptions,
    printBackground: options.PrintBackground ?? true,
    generateTaggedPDF: options.UseTaggedPDF === true || bookmarks,
    generateDocumentOutline: bookmarks,
    transferMode: 'ReturnAsStream',
  })
  const { stream } = await printing.catch((error: unknown) => {
    // The only message when the process that lays out the pages, or the one that joins them, has ended.
    if (/Printing failed/.test(String(error))) throw new AppError('convert.crashed', { engine: title })
    throw error
  })
  if (stream === undefined) throw new Error('The browser returned no PDF.')
  return readStream(page, stream)
}

function ofText(facts: PageFacts, options: BrowserOptions): Protocol.Page.PrintToPDFRequest {
  const { width, height } = (options.PaperSize && readPaper(options.PaperSize)) || a4
  const margin = (text: string | undefined) => (text === undefined ? undefined : readLength(text))
  const left = margin(options.MarginLeft) ?? defaultMargin
  const right = margin(options.MarginRight) ?? defaultMargin
  const header = template(options.HeaderTemplate, facts.header, left, right)
  const footer = template(options.FooterTemplate, facts.footer, left, right)
  // A header is drawn in the margin. Without an option the margin is as high as the header needs.
  const marginFor = (element: RunningElement | undefined) =>
    element === undefined ? defaultMargin : element.height / pixelsAnInch + 1.5 * defaultMargin
  return {
    paperWidth: width,
    paperHeight: height,
    landscape: options.Landscape ?? false,
    scale: options.Scale ?? 1,
    preferCSSPageSize: true,
    marginTop: margin(options.MarginTop) ?? marginFor(facts.header),
    marginBottom: margin(options.MarginBottom) ?? marginFor(facts.footer),
    marginLeft: left,
    marginRight: right,
    displayHeaderFooter: header !== undefined || footer !== undefined,
    headerTemplate: header ?? '<span></span>',
    footerTemplate: footer ?? '<span></span>',
  }
}

/** The browser sets these in a separate page with tiny text. This restores the font size and the side margins. */
function template(
  given: string | undefined,
  element: RunningElement | undefined,
  left: number,
  right: number,
): string | undefined {
  const html = given ?? element?.html
  if (html === undefined) return undefined
  return `<div style="box-sizing:border-box;width:100%;font-size:10pt;padding:0 ${right}in 0 ${left}in;-webkit-print-color-adjust:exact">${html}</div>`
}

function ofDrawing({ width, height }: { readonly width: number; readonly height: number }) {
  const inches = (pixels: number) =>
    Math.min(Math.max(pixels / pixelsAnInch, drawingInches.min), drawingInches.max)
  return {
    paperWidth: inches(width),
    paperHeight: inches(height),
    marginTop: 0,
    marginRight: 0,
    marginBottom: 0,
    marginLeft: 0,
  }
}

async function readStream(page: BrowserPage, handle: string): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for (;;) {
    const read = page.session.send('IO.read', { handle, size: chunkBytes })
    const { data, base64Encoded, eof } = await read.catch((error: unknown) => {
      // The browser writes the PDF to a file first, and the disk was full.
      throw /Read failed/.test(String(error))
        ? new AppError('convert.disk', { engine: title }, { cause: error })
        : error
    })
    chunks.push(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'))
    if (eof) break
  }
  page.session.send('IO.close', { handle }).catch(() => undefined)
  return Buffer.concat(chunks)
}
