import { AppError } from '../../../shared/errors/app-error.ts'
import { type Paper, readLength, readPaper } from '../../../shared/plugin/paper.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import { title } from './conversions.ts'
import type { BrowserOptions } from './options.ts'
import type { BrowserPage } from './page.ts'
import type { PageFacts, RunningElement } from './page-facts.ts'

/** 1 cm, the default of the browser. */
const defaultMargin = 1 / 2.54
const pixelsPerInch = 96
const a4: Paper = { width: 210 / 25.4, height: 297 / 25.4 }
const chunkBytes = 4 * 2 ** 20
/**
 * Minimum and maximum size of a drawing: the smallest that readers show, and the largest page (200 inches; PDF
 * 32000-1, annex C).
 */
const drawingInches = { min: 3 / 72, max: 200 }

/**
 * The window of a page that is printed as a single one: as wide as the text on its paper, so that its height can be measured.
 * Undefined for other pages.
 */
export function singlePageWindow(
  options: BrowserOptions,
): { readonly width: number; readonly height: number } | undefined {
  if (options.SinglePage !== true) return undefined
  const { paperWidth, paperHeight, landscape, scale, marginLeft, marginRight } = ofText({}, options)
  const width = ((landscape ? paperHeight : paperWidth) - marginLeft - marginRight) / scale
  return { width: Math.max(1, Math.round(width * pixelsPerInch)), height: 1 }
}

/** Prints the page. Returns a PDF. */
export async function printPage(
  page: BrowserPage,
  facts: PageFacts,
  options: BrowserOptions,
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly Warning[] }> {
  const single =
    options.SinglePage === true && facts.drawing === undefined
      ? await ofSinglePage(page, facts, options)
      : undefined
  const paperOptions =
    single?.paper ?? (facts.drawing === undefined ? ofText(facts, options) : ofDrawing(facts.drawing))
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
  return { bytes: await readStream(page, stream), warnings: single?.warnings ?? [] }
}

/**
 * Paper that is as high as the content of the page. The breaks and the paper of its style sheets are turned off. Content beyond
 * the largest page goes on over further pages, with a warning.
 */
async function ofSinglePage(page: BrowserPage, facts: PageFacts, options: BrowserOptions) {
  const { landscape, paperWidth, paperHeight, ...text } = ofText(facts, options)
  const { marginTop, marginRight, marginBottom, marginLeft, scale } = text
  const margins = [marginTop, marginRight, marginBottom, marginLeft].map((margin) => `${margin}in`).join(' ')
  await page.addStyle(
    `@page{margin:${margins}!important}*,*::before,*::after{break-before:auto!important;break-after:auto!important}`,
  )
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics')
  // A pixel more, because the browser rounds the paper to points.
  const height = ((cssContentSize.height + 1) * scale) / pixelsPerInch + marginTop + marginBottom
  const warnings: Warning[] = []
  if (height > drawingInches.max)
    warnings.push({
      code: 'web.single-page',
      message: `The content is higher than the largest page of a PDF (${drawingInches.max} inches) and goes on over further pages.`,
    })
  const paper = {
    ...text,
    landscape: false,
    paperWidth: landscape ? paperHeight : paperWidth,
    paperHeight: Math.min(Math.max(height, drawingInches.min), drawingInches.max),
    preferCSSPageSize: false,
  }
  return { paper, warnings }
}

function ofText(facts: Pick<PageFacts, 'header' | 'footer'>, options: BrowserOptions) {
  const { width, height } = (options.PaperSize && readPaper(options.PaperSize)) || a4
  const margin = (text: string | undefined) => (text === undefined ? undefined : readLength(text))
  const left = margin(options.MarginLeft) ?? defaultMargin
  const right = margin(options.MarginRight) ?? defaultMargin
  const header = template(options.HeaderTemplate, facts.header, left, right)
  const footer = template(options.FooterTemplate, facts.footer, left, right)
  // A header is drawn in the margin. Without an option the margin is as high as the header needs.
  const marginFor = (element: RunningElement | undefined) =>
    element === undefined ? defaultMargin : element.height / pixelsPerInch + 1.5 * defaultMargin
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
    Math.min(Math.max(pixels / pixelsPerInch, drawingInches.min), drawingInches.max)
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
