/** POST /forms/chromium/…: converts pages by address, HTML and Markdown to PDF and to pictures. */
import type { RouteHost, RouteRequest, RouteResponse } from 'platen/plugin'
import { withAssets } from './assets.ts'
import { engineStandards, finishPdf, readFinishing, split } from './finish.ts'
import { headersIn, invalid } from './invalid.ts'
import { replyWith, textReply } from './reply.ts'
import { type Form, readForm } from './request.ts'

/** Fields that require scripts or a window, which pages do not have here. */
const unsupported = [
  'omitBackground',
  'waitForExpression',
  'waitForSelector',
  'emulatedMediaFeatures',
  'userAgent',
  'failOnResourceHttpStatusCodes',
  'failOnResourceLoadingFailed',
  'failOnConsoleExceptions',
]

/** Fields of the request for a page, which do not apply to HTML in the form. */
const ofRequests = ['cookies', 'extraHttpHeaders', 'failOnHttpStatusCodes']

export type Source = 'url' | 'html' | 'markdown'
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

type Run = (request: RouteRequest, host: RouteHost) => Promise<RouteResponse>

/** Responds with 409, as Gotenberg does, if the status of a page is one that the caller excludes. */
const orConflict =
  (run: Run): Run =>
  async (request, host) => {
    try {
      return await run(request, host)
    } catch (error) {
      if (error instanceof PageStatus) return textReply(409, error.message, request)
      throw error
    }
  }

export const convertRoute = (source: Source): Run =>
  orConflict(async (request, host) => {
    const form = await readForm(request, host)
    form.refuse(unsupported)
    form.choice('emulatedMediaType', ['print'])
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
  })

export const screenshotRoute = (source: Source): Run =>
  orConflict(async (request, host) => {
    const form = await readForm(request, host)
    form.refuse(unsupported.filter((name) => name !== 'omitBackground'))
    form.choice('emulatedMediaType', ['screen'])
    if (form.number('deviceScaleFactor', 1, { min: 0.1, max: 10 }) !== 1) form.refuse(['deviceScaleFactor'])
    const format = form.choice('format', ['png', 'jpeg', 'webp']) ?? 'png'
    const width = form.number('width', 800, { min: 1, max: 10_000 })
    const height = form.number('height', 600, { min: 1, max: 10_000 })
    const quality = form.number('quality', 100, { min: 0, max: 100 })
    const html = await pageOf(source, form, host)
    const bytes = await host.convert({
      source: new TextEncoder().encode(html),
      from: 'html',
      to: format === 'jpeg' ? 'jpg' : format,
      options: {
        PixelWidth: width,
        ...(form.flag('clip', false) && { PixelHeight: height }),
        ...(format === 'png' ? {} : { Quality: Math.max(1, quality) }),
        ...(format !== 'jpeg' && form.flag('omitBackground', false) && { Translucent: 1 }),
      },
      letter: 'C',
    })
    return replyWith([{ name: `screenshot.${format}`, bytes }], request, host)
  })

const print = (
  html: string,
  options: Readonly<Record<string, unknown>>,
  host: RouteHost,
): Promise<Uint8Array> =>
  host.convert({ source: new TextEncoder().encode(html), from: 'html', to: 'pdf', options, letter: 'C' })

/** Reads a length of the form; a number is in inches. */
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
    ...(form.flag('singlePage', false) && { SinglePage: true }),
    ...(range !== '' && { PageRange: range }),
  }
}

async function pageOf(source: Source, form: Form, host: RouteHost): Promise<string> {
  if (source === 'url') return pageByAddress(form, host)
  form.refuse(ofRequests)
  const html = withAssets(decode(form.file('index.html').bytes), form.files)
  return source === 'html' ? html : withMarkdown(html, form, host)
}

/** The page responded with a status that the caller excludes. */
class PageStatus extends Error {}

/** Reads the excluded statuses: 499 stands for all from 400, 599 for all from 500. */
function failingStatuses(form: Form): readonly number[] {
  const value = form.json('failOnHttpStatusCodes') ?? [499, 599]
  if (!Array.isArray(value) || !value.every((code) => Number.isInteger(code)))
    throw invalid("form field 'failOnHttpStatusCodes' must be a list of statuses")
  return value
}

/** Headers and cookies of the request for the page; its files are requested without them. */
function requestHeaders(form: Form, url: URL): Readonly<Record<string, string>> {
  const headers = headersIn(form.json('extraHttpHeaders'), "form field 'extraHttpHeaders'")
  if (Object.values(headers).some((value) => /;\s*scope=/i.test(value)))
    throw invalid("'scope' in form field 'extraHttpHeaders' is not supported by this service")
  const cookies = form.json('cookies') ?? []
  if (!Array.isArray(cookies)) throw invalid("form field 'cookies' must be a list")
  const sent = cookies.flatMap((cookie) => cookieFor(cookie, url))
  return { ...headers, ...(sent.length > 0 && { cookie: sent.join('; ') }) }
}

/** Returns 'name=value' if the cookie belongs to the address. RFC 6265, 5.1.3, 5.1.4. */
function cookieFor(cookie: unknown, url: URL): readonly string[] {
  const { name, value, domain, path = '/', secure } = (cookie ?? {}) as Readonly<Record<string, unknown>>
  if (
    typeof name !== 'string' ||
    typeof value !== 'string' ||
    typeof domain !== 'string' ||
    typeof path !== 'string'
  )
    throw invalid("form field 'cookies' must be a list of cookies with 'name', 'value' and 'domain'")
  if (/[;=\s]/.test(name) || /[;\r\n]/.test(value))
    throw invalid("a cookie of form field 'cookies' is not one")
  const host = domain.replace(/^\./, '').toLowerCase()
  const isHost = url.hostname === host || url.hostname.endsWith(`.${host}`)
  const isPath =
    path === '/' || url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return isHost && isPath && (secure !== true || url.protocol === 'https:') ? [`${name}=${value}`] : []
}

async function pageByAddress(form: Form, host: RouteHost): Promise<string> {
  const url = form.required('url')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw invalid("form field 'url' must be an HTTP address")
  const { status, body } = await host.fetch(url, { headers: requestHeaders(form, new URL(url)) })
  if (
    failingStatuses(form).some(
      (code) => code === status || (code % 100 === 99 && Math.floor(code / 100) === Math.floor(status / 100)),
    )
  )
    throw new PageStatus(`Invalid HTTP status code from the main page: ${status}`)
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
  const htmlByName = new Map<string, string>()
  for (const name of names) {
    const bytes = await host.convert({ source: form.file(name).bytes, from: 'md', to: 'html' })
    htmlByName.set(name, bodyOf(decode(bytes)))
  }
  return html.replace(
    inclusion,
    (_, double?: string, single?: string) => htmlByName.get(double ?? single ?? '') ?? '',
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
