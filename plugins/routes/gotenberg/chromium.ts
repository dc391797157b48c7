/** POST /forms/chromium/…: pages by address, HTML and Markdown as PDF and as pictures. */
import { PluginError, type RouteHost, type RouteRequest, type RouteResponse } from 'platen/plugin'
import { withAssets } from './assets.ts'
import { engineStandards, finishPdf, readFinishing, split } from './finish.ts'
import { replyWith } from './reply.ts'
import { type Form, invalid, readForm } from './request.ts'

/** Fields that need scripts, cookies or a window, which pages do not have here. */
const unsupported = [
  'singlePage',
  'omitBackground',
  'waitForExpression',
  'waitForSelector',
  'emulatedMediaType',
  'emulatedMediaFeatures',
  'cookies',
  'userAgent',
  'extraHttpHeaders',
  'failOnHttpStatusCodes',
  'failOnResourceHttpStatusCodes',
  'failOnResourceLoadingFailed',
  'failOnConsoleExceptions',
  'deviceScaleFactor',
  'clip',
]

export type Source = 'url' | 'html' | 'markdown'
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export const convertRoute =
  (source: Source) =>
  async (request: RouteRequest, host: RouteHost): Promise<RouteResponse> => {
    const form = await readForm(request)
    form.refuse(unsupported)
    const options = printOptions(form)
    const finishing = await readFinishing(form, host)
    const standards = engineStandards(finishing)
    const html = await pageOf(source, form, host)
    const printed = await print(html, { ...options, ...standards }, host)
    const parts = await split(printed, form, host)
    const files: { name: string; bytes: Uint8Array }[] = []
    for (const [index, part] of parts.entries())
      files.push({ name: `index_${index}.pdf`, bytes: await finishPdf(part, finishing, host, standards) })
    return replyWith(files, request, host)
  }

export const screenshotRoute =
  (source: Source) =>
  async (request: RouteRequest, host: RouteHost): Promise<RouteResponse> => {
    const form = await readForm(request)
    form.refuse(unsupported.filter((name) => name !== 'omitBackground'))
    const format = form.choice('format', ['png', 'jpeg', 'webp']) ?? 'png'
    const width = form.number('width', 800, { min: 1, max: 10_000 })
    const quality = form.number('quality', 100, { min: 0, max: 100 })
    const html = await pageOf(source, form, host)
    const bytes = await host.convert({
      source: new TextEncoder().encode(html),
      from: 'html',
      to: format === 'jpeg' ? 'jpg' : format,
      options: {
        PixelWidth: width,
        ...(format === 'png' ? {} : { Quality: Math.max(1, quality) }),
        ...(format !== 'jpeg' && form.flag('omitBackground', false) && { Translucent: 1 }),
      },
      letter: 'C',
    })
    return replyWith([{ name: `screenshot.${format}`, bytes }], request, host)
  }

const print = (
  html: string,
  options: Readonly<Record<string, unknown>>,
  host: RouteHost,
): Promise<Uint8Array> =>
  host.convert({ source: new TextEncoder().encode(html), from: 'html', to: 'pdf', options, letter: 'C' })

/** Lengths of the form: a number is in inches. */
function length(form: Form, name: string, fallback: string): string {
  const text = form.text(name).trim() || fallback
  const [, number, unit = 'in'] = /^(\d{1,5}(?:\.\d{1,12})?)(in|cm|mm|pt|px|pc)?$/.exec(text) ?? []
  if (number === undefined) throw invalid(`form field '${name}' must be a length such as 8.5, 21cm or 210mm`)
  return unit === 'pc' ? `${Number(number) * 12}pt` : `${number}${unit}`
}

function printOptions(form: Form): Readonly<Record<string, unknown>> {
  const header = form.files.find(({ name }) => name === 'header.html')
  const footer = form.files.find(({ name }) => name === 'footer.html')
  const range = form.text('nativePageRanges').trim()
  return {
    PaperSize: `${length(form, 'paperWidth', '8.5')} ${length(form, 'paperHeight', '11')}`,
    MarginTop: length(form, 'marginTop', '0.39'),
    MarginBottom: length(form, 'marginBottom', '0.39'),
    MarginLeft: length(form, 'marginLeft', '0.39'),
    MarginRight: length(form, 'marginRight', '0.39'),
    Landscape: form.flag('landscape', false),
    Scale: form.number('scale', 1, { min: 0.1, max: 2 }),
    PrintBackground: form.flag('printBackground', false),
    ExportBookmarks: form.flag('generateDocumentOutline', false),
    UseTaggedPDF: form.flag('generateTaggedPdf', false),
    ...(header !== undefined && { HeaderTemplate: bodyOf(decode(header.bytes)) }),
    ...(footer !== undefined && { FooterTemplate: bodyOf(decode(footer.bytes)) }),
    ...(range !== '' && { PageRange: range }),
  }
}

async function pageOf(source: Source, form: Form, host: RouteHost): Promise<string> {
  if (source === 'url') return pageByAddress(form.required('url'), host)
  const html = withAssets(decode(form.file('index.html').bytes), form.files)
  return source === 'html' ? html : withMarkdown(html, form, host)
}

async function pageByAddress(url: string, host: RouteHost): Promise<string> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw invalid("form field 'url' must be an HTTP address")
  const { status, body } = await host.fetch(url)
  if (status >= 400) throw new PluginError('plugin.request', `The page answers with the status ${status}.`)
  const html = decode(body)
  const base = `<base href="${url.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}">`
  return /<base\b/i.test(html)
    ? html
    : /<head\b[^>]*>/i.test(html)
      ? html.replace(/<head\b[^>]*>/i, (head) => head + base)
      : base + html
}

const maxInclusions = 100

/** Replaces `{{ toHTML "file.md" }}` by the file as HTML. */
async function withMarkdown(html: string, form: Form, host: RouteHost): Promise<string> {
  const inclusion = /\{\{\s*toHTML\s+(?:"([^"]{1,200})"|'([^']{1,200})')\s*\}\}/g
  const names = new Set([...html.matchAll(inclusion)].map(([, double, single]) => double ?? single ?? ''))
  if (names.size > maxInclusions) throw invalid(`more than ${maxInclusions} Markdown files`)
  const made = new Map<string, string>()
  for (const name of names) {
    const bytes = await host.convert({ source: form.file(name).bytes, from: 'md', to: 'html' })
    made.set(name, bodyOf(decode(bytes)))
  }
  return html.replace(
    inclusion,
    (_, double?: string, single?: string) => made.get(double ?? single ?? '') ?? '',
  )
}

function bodyOf(html: string): string {
  const start = /<body\b[^>]*>/i.exec(html)
  if (start === null) return html
  const from = start.index + start[0].length
  const end = html.toLowerCase().lastIndexOf('</body')
  const styles = html.slice(0, start.index).match(/<style\b[^>]*>.*?<\/style\s*>/gis) ?? []
  return styles.join('') + html.slice(from, end < from ? undefined : end)
}
