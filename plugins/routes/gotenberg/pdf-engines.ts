/** POST /forms/pdfengines/…: operations on PDFs. */
import { PluginError, type RouteHost, type RouteRequest, type RouteResponse } from 'platen/plugin'
import { finished, finishingOptions, split } from './finish.ts'
import { type MadeFile, replyWith } from './reply.ts'
import { type Form, invalid, readForm } from './request.ts'

type Work = (form: Form, host: RouteHost) => Promise<readonly MadeFile[]>

const route =
  (work: Work) =>
  async (request: RouteRequest, host: RouteHost): Promise<RouteResponse> => {
    const form = await readForm(request)
    return replyWith(await work(form, host), request, host)
  }

const pdfs = (form: Form) => form.filesOf((extension) => extension === 'pdf')

/** Each file by itself, with the options of the form applied. */
const each: Work = async (form, host) => {
  const options = finishingOptions(form)
  const made: MadeFile[] = []
  for (const { name, bytes } of pdfs(form)) made.push({ name, bytes: await finished(bytes, options, host) })
  return made
}

export const mergeRoute = route(async (form, host) => {
  const options = finishingOptions(form)
  const merged = await host.join(pdfs(form).map(({ bytes }) => bytes))
  return [{ name: 'merged.pdf', bytes: await finished(merged, options, host) }]
})

export const splitRoute = route(async (form, host) => {
  form.required('splitMode')
  const options = finishingOptions(form)
  const made: MadeFile[] = []
  for (const { name, bytes } of pdfs(form)) {
    const parts = await split(bytes, form, host)
    for (const [index, part] of parts.entries())
      made.push({
        name: name.replace(/\.pdf$/i, `_${index}.pdf`),
        bytes: await finished(part, options, host),
      })
  }
  return made
})

export const convertPdfRoute = route((form, host) => {
  if (form.text('pdfa') === '' && form.text('pdfua') === '')
    throw invalid("either 'pdfa' or 'pdfua' form fields must be provided")
  return each(form, host)
})

export const encryptRoute = route((form, host) => {
  if (form.text('userPassword') === '' && form.text('ownerPassword') === '')
    throw invalid("either 'userPassword' or 'ownerPassword' form fields must be provided")
  return each(form, host)
})

/** What these routes of Gotenberg do is not done here: the answer says so instead of a file that is not changed. */
export const missingRoute = (what: string) => (): Promise<RouteResponse> =>
  Promise.reject(new PluginError('plugin.request', `This service does not ${what}.`))
