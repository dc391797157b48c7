import type { RouteHost } from 'platen/plugin'
import { type Form, invalid } from './request.ts'

type Options = Readonly<Record<string, unknown>>

/** Fields of every route that makes PDFs which ask for what this service does not do here. */
const unsupported = [
  'metadata',
  'flatten',
  'embeds',
  'embedsMetadata',
  'downloadFrom',
  'watermarkSource',
  'stampSource',
  'rotateAngle',
  'bookmarks',
  'facturxXml',
]

const parts = { 'PDF/A-1b': 1, 'PDF/A-2b': 2, 'PDF/A-3b': 3 } as const

/** The options of PDF output that these fields stand for, at the end of a route. */
export function finishingOptions(form: Form): Options {
  form.refuse(unsupported)
  const archive = form.choice('pdfa', ['PDF/A-1b', 'PDF/A-2b', 'PDF/A-3b'])
  return {
    ...(archive !== undefined && { SelectPdfVersion: parts[archive] }),
    ...(form.flag('pdfua', false) && { PDFUACompliance: true }),
    ...encryptionOptions(form),
  }
}

function encryptionOptions(form: Form): Options {
  const [user, owner] = [form.text('userPassword'), form.text('ownerPassword')]
  return {
    ...(user !== '' && { EncryptFile: true, DocumentOpenPassword: user }),
    ...(owner !== '' && { RestrictPermissions: true, PermissionPassword: owner, ...permissions(form) }),
  }
}

/** What readers may do without the password of the owner: all that a field does not forbid. */
function permissions(form: Form): Options {
  const may = (name: string) => form.flag(name, true)
  const changes = may('allowModifying')
    ? 4
    : may('allowAnnotating')
      ? 3
      : may('allowFillingForms')
        ? 2
        : may('allowAssembling')
          ? 1
          : 0
  return {
    Printing: may('allowPrinting') ? 2 : 0,
    EnableCopyingOfContent: may('allowCopying'),
    Changes: changes,
  }
}

/** Applies options to a finished PDF. */
export async function finished(pdf: Uint8Array, options: Options, host: RouteHost): Promise<Uint8Array> {
  if (Object.keys(options).length === 0) return pdf
  return host.convert({ source: pdf, from: 'pdf', to: 'pdf', options })
}

const maxParts = 1000

/** Splits a PDF by the fields splitMode, splitSpan and splitUnify; one file where there is no splitMode. */
export async function split(pdf: Uint8Array, form: Form, host: RouteHost): Promise<readonly Uint8Array[]> {
  const mode = form.choice('splitMode', ['intervals', 'pages'])
  if (mode === undefined) return [pdf]
  const span = form.required('splitSpan').trim()
  const part = (range: string) =>
    host.convert({ source: pdf, from: 'pdf', to: 'pdf', options: { PageRange: range } })
  const count = await host.pageCount(pdf)
  if (mode === 'pages') {
    if (!/^\d+(?:-\d*)?(?:,\d+(?:-\d*)?)*$/.test(span.replace(/\s/g, '')))
      throw invalid("form field 'splitSpan' must be page ranges such as 1-3,5")
    if (form.flag('splitUnify', false)) return [await part(span)]
    return partsOf(pagesOf(span, count).map(String), part)
  }
  const length = form.number('splitSpan', 1, { min: 1, max: 100_000 })
  const starts = Array.from({ length: Math.ceil(count / length) }, (_, index) => index * length + 1)
  return partsOf(
    starts.map((start) => `${start}-${Math.min(count, start + length - 1)}`),
    part,
  )
}

async function partsOf(
  ranges: readonly string[],
  part: (range: string) => Promise<Uint8Array>,
): Promise<readonly Uint8Array[]> {
  if (ranges.length > maxParts) throw invalid(`more than ${maxParts} parts`)
  const made: Uint8Array[] = []
  for (const range of ranges) made.push(await part(range))
  return made
}

function pagesOf(span: string, count: number): readonly number[] {
  return span.split(',').flatMap((range) => {
    const [from = 1, to] = range.split('-').map((text) => (text.trim() === '' ? count : Number(text)))
    const last = Math.min(count, to ?? from)
    return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  })
}
