import type { Protocol } from 'puppeteer-core'
import { AppError } from '../../../shared/errors/app-error.ts'
import { title } from './conversions.ts'
import type { BrowserOptions } from './options.ts'
import type { Page } from './page.ts'
import type { PageFacts, RunningElement } from './page-facts.ts'
import { type Paper, readLength, readPaper } from './paper.ts'

/** 1 cm: what the browser itself leaves. */
const usualMargin = 1 / 2.54
const pixelsAnInch = 96
const a4: Paper = { width: 210 / 25.4, height: 297 / 25.4 }
const chunkBytes = 4 * 2 ** 20
/** A drawing can be no larger than a page can be (200 inches) and no smaller than a reader shows (PDF 32000-1, annex C). */
const drawingInches = { min: 3 / 72, max: 200 }

/** Prints what the page shows. Returns a PDF. */
export async function printPage(page: Page, facts: PageFacts, options: BrowserOptions): Promise<Uint8Array> {
  const wanted = facts.drawing === undefined ? ofText(facts, options) : ofDrawing(facts.drawing)
  // The browser finds headings for bookmarks while it marks the structure of the page.
  const bookmarks = facts.headings && options.ExportBookmarks !== false
  const printing = page.session.send('Page.printToPDF', {
    ...wanted,
    printBackground: options.PrintBackground ?? true,
    generateTaggedPDF: options.UseTaggedPDF === true || bookmarks,
    generateDocumentOutline: bookmarks,
    transferMode: 'ReturnAsStream',
  })
  const { stream } = await printing.catch((error: unknown) => {
    // All that is heard where the process that lays the pages out, or the one that puts them together, has gone.
    if (/Printing failed/.test(String(error))) throw new AppError('convert.crashed', { engine: title })
    throw error
  })
  if (stream === undefined) throw new Error('The browser gave no PDF.')
  return readStream(page, stream)
}

function ofText(facts: PageFacts, options: BrowserOptions): Protocol.Page.PrintToPDFRequest {
  const { width, height } = (options.PaperSize && readPaper(options.PaperSize)) || a4
  const margin = (text: string | undefined) => (text === undefined ? undefined : readLength(text))
  const left = margin(options.MarginLeft) ?? usualMargin
  const right = margin(options.MarginRight) ?? usualMargin
  const header = template(options.HeaderTemplate, facts.header, left, right)
  const footer = template(options.FooterTemplate, facts.footer, left, right)
  // A header stands in the margin: without a word about it the margin is as high as it needs.
  const room = (element: RunningElement | undefined) =>
    element === undefined ? usualMargin : element.height / pixelsAnInch + 1.5 * usualMargin
  return {
    paperWidth: width,
    paperHeight: height,
    landscape: options.Landscape ?? false,
    scale: options.Scale ?? 1,
    preferCSSPageSize: true,
    marginTop: margin(options.MarginTop) ?? room(facts.header),
    marginBottom: margin(options.MarginBottom) ?? room(facts.footer),
    marginLeft: left,
    marginRight: right,
    displayHeaderFooter: header !== undefined || footer !== undefined,
    headerTemplate: header ?? '<span></span>',
    footerTemplate: footer ?? '<span></span>',
  }
}

/** The browser sets these in a page of their own whose text is nearly invisible: size and sides are given back here. */
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

async function readStream(page: Page, handle: string): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for (;;) {
    const read = page.session.send('IO.read', { handle, size: chunkBytes })
    const { data, base64Encoded, eof } = await read.catch((error: unknown) => {
      // It was written to a file of the browser's first, for which there was no room.
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
