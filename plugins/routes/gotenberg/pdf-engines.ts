/** POST /forms/pdfengines/…: operations on PDFs. */
import type { PdfDescription, RouteHost, RouteRequest, RouteResponse } from 'platen/plugin'
import { bookmarksOf } from './changes.ts'
import { finishPdf, readFinishing, split } from './finish.ts'
import { invalid } from './invalid.ts'
import { jsonReply, type OutputFile, replyWith } from './reply.ts'
import { type Form, readForm } from './request.ts'

type Work = (form: Form, host: RouteHost) => Promise<readonly OutputFile[]>
type Run = (request: RouteRequest, host: RouteHost) => Promise<RouteResponse>

const route =
  (work: Work): Run =>
  async (request, host) => {
    const form = await readForm(request, host)
    return replyWith(await work(form, host), request, host)
  }

/** The PDFs to process, without those that are drawn into them. */
function pdfs(form: Form) {
  const drawn = ['watermark', 'stamp'].flatMap((kind) =>
    form.text(`${kind}Source`) === 'pdf' && form.filesIn(kind).length === 0
      ? [form.text(`${kind}Expression`)]
      : [],
  )
  return form.filesOf((extension, name) => extension === 'pdf' && !drawn.includes(name))
}

/** Processes each file separately, by the fields that all routes share. */
const each: Work = async (form, host) => {
  const finishing = await readFinishing(form, host)
  const outputs: OutputFile[] = []
  for (const { name, bytes } of pdfs(form))
    outputs.push({ name, bytes: await finishPdf(bytes, finishing, host) })
  return outputs
}

/** Creates a route with the steps of all routes that requires one of these fields. */
const asking = (...fields: readonly string[]): Run =>
  route((form, host) => {
    if (fields.every((field) => form.text(field) === '' && form.filesIn(field).length === 0))
      throw invalid(
        fields.length === 1
          ? `form field '${fields[0]}' is required`
          : `either ${fields.map((field) => `'${field}'`).join(' or ')} form fields must be provided`,
      )
    return each(form, host)
  })

export const convertPdfRoute = asking('pdfa', 'pdfua')
export const encryptRoute = asking('userPassword', 'ownerPassword')
export const watermarkRoute = asking('watermarkSource')
export const stampRoute = asking('stampSource')
export const rotateRoute = asking('rotateAngle')
export const embedRoute = asking('embeds')
export const facturxRoute = asking('facturxXml')
export const writeMetadataRoute = asking('metadata')

export const flattenRoute = route(async (form, host) => {
  const finishing = await readFinishing(form, host)
  const changes = { ...finishing.changes, flatten: true }
  const outputs: OutputFile[] = []
  for (const { name, bytes } of pdfs(form))
    outputs.push({ name, bytes: await finishPdf(bytes, { ...finishing, changes }, host) })
  return outputs
})

export const mergeRoute = route(async (form, host) => {
  const finishing = await readFinishing(form, host)
  const bookmarks = bookmarksOf(form)
  const files: Uint8Array[] = []
  for (const { name, bytes } of pdfs(form)) {
    const outline = typeof bookmarks === 'function' ? bookmarks(name) : undefined
    files.push(outline === undefined ? bytes : await host.amend(bytes, { outline }))
  }
  const merged = await host.join(files)
  const outline = typeof bookmarks === 'function' ? undefined : bookmarks
  const changes = { ...finishing.changes, ...(outline !== undefined && { outline }) }
  return [{ name: 'merged.pdf', bytes: await finishPdf(merged, { ...finishing, changes }, host) }]
})

export const splitRoute = route(async (form, host) => {
  form.required('splitMode')
  const finishing = await readFinishing(form, host)
  const outputs: OutputFile[] = []
  for (const { name, bytes } of pdfs(form)) {
    const parts = await split(bytes, form, host)
    for (const [index, part] of parts.entries())
      outputs.push({
        name: name.replace(/\.pdf$/i, `_${index}.pdf`),
        bytes: await finishPdf(part, finishing, host),
      })
  }
  return outputs
})

export const writeBookmarksRoute = route(async (form, host) => {
  const bookmarks = bookmarksOf(form)
  if (bookmarks === undefined) throw invalid("form field 'bookmarks' is required")
  const outputs: OutputFile[] = []
  for (const { name, bytes } of pdfs(form)) {
    const outline = typeof bookmarks === 'function' ? bookmarks(name) : bookmarks
    outputs.push({ name, bytes: outline === undefined ? bytes : await host.amend(bytes, { outline }) })
  }
  return outputs
})

/** Creates a route that responds with a JSON object of the metadata of each file, by its name. */
const reading =
  (describe: (description: PdfDescription) => unknown): Run =>
  async (request, host) => {
    const form = await readForm(request, host)
    const entries: [string, unknown][] = []
    for (const { name, bytes } of pdfs(form)) entries.push([name, describe(await host.describe(bytes))])
    return jsonReply(Object.fromEntries(entries), request)
  }

export const readBookmarksRoute = reading(({ outline }) => outline)

/** Uses the names of Gotenberg's metadata program. */
export const readMetadataRoute = reading(({ version, pageCount, properties }) => {
  const { CreationDate, ModDate, Keywords, ...others } = properties
  const list = typeof Keywords === 'string' && Keywords.includes(', ') ? Keywords.split(', ') : Keywords
  return {
    FileType: 'PDF',
    MIMEType: 'application/pdf',
    PDFVersion: version,
    PageCount: pageCount,
    ...others,
    ...(list !== undefined && { Keywords: list }),
    ...(CreationDate !== undefined && { CreateDate: exifDate(CreationDate) }),
    ...(ModDate !== undefined && { ModifyDate: exifDate(ModDate) }),
  }
})

/** 2026-09-18T16:27:50Z as 2026:09:18 16:27:50Z. */
const exifDate = (date: unknown): string => String(date).replace(/^(\d{4})-(\d\d)-(\d\d)T/, '$1:$2:$3 ')
