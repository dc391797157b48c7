/** The last steps of all routes that produce PDFs: changes, PDF/A, embedded files, passwords. */
import type { AttachedFile, AttachedInvoice, PdfChanges, RouteHost } from 'platen/plugin'
import { drawsFiles, readChanges } from './changes.ts'
import { invalid } from './invalid.ts'
import type { Form } from './request.ts'

type Options = Readonly<Record<string, unknown>>

export interface Finishing {
  readonly changes: PdfChanges
  /** The options of PDF output for PDF/A and PDF/UA. */
  readonly standards: Options
  readonly attachments: readonly AttachedFile[]
  readonly invoice?: AttachedInvoice
  /** The options of PDF output for passwords, which are applied last. */
  readonly security: Options
}

const parts = { 'PDF/A-1b': 1, 'PDF/A-2b': 2, 'PDF/A-3b': 3 } as const

/** Reads the fields of all these steps. */
export async function readFinishing(form: Form, host: RouteHost): Promise<Finishing> {
  const changes = await readChanges(form, host)
  const invoice = invoiceOf(form)
  const archive = form.choice('pdfa', ['PDF/A-1b', 'PDF/A-2b', 'PDF/A-3b'])
  const attachments = [...embedsOf(form), ...(invoice === undefined ? [] : [invoice.file])]
  // Only PDF/A-3 may contain embedded files of any type. ISO 19005-3, 6.8.
  if (attachments.length > 0 && archive !== undefined && archive !== 'PDF/A-3b')
    throw invalid(`form field 'pdfa' must be PDF/A-3b where files are embedded`)
  const security = encryptionOptions(form)
  if (archive !== undefined && Object.keys(security).length > 0)
    throw invalid(`form field 'pdfa' cannot be combined with passwords, which PDF/A forbids`)
  if (invoice !== undefined && Object.keys(security).length > 0)
    throw invalid(`an electronic invoice cannot have passwords, which PDF/A forbids`)
  const part = invoice === undefined ? archive && parts[archive] : 3
  return {
    changes,
    standards: {
      ...(part !== undefined && { SelectPdfVersion: part }),
      ...(form.flag('pdfua', false) && { PDFUACompliance: true }),
    },
    attachments,
    ...(invoice !== undefined && { invoice: { profile: invoice.profile } }),
    security,
  }
}

/**
 * The options with which an engine makes the PDF. PDF/A and PDF/UA require the tags of the engine, but a file that is
 * drawn into the pages must be drawn before.
 */
export const engineStandards = ({ changes, standards }: Finishing): Options =>
  drawsFiles(changes) ? withTags(standards) : standards

const withTags = ({ PDFUACompliance }: Options): Options =>
  PDFUACompliance === true ? { UseTaggedPDF: true } : {}

/** Finishes a PDF. `made`: the options that the engine has already applied. */
export async function finishPdf(
  pdf: Uint8Array,
  { changes, standards, attachments, invoice, security }: Finishing,
  host: RouteHost,
  appliedOptions: Options = {},
): Promise<Uint8Array> {
  let file = Object.keys(changes).length === 0 ? pdf : await host.amend(pdf, changes)
  const missing = Object.entries(standards).filter(([name]) => !Object.hasOwn(appliedOptions, name))
  if (missing.length > 0 && !(await isInvoiceReady(file, { standards, invoice }, host)))
    file = await withOptions(file, Object.fromEntries(missing), host)
  if (attachments.length > 0) {
    const { archive } = await host.describe(file)
    if (archive === 1 || archive === 2)
      throw invalid(`a file of PDF/A-${archive} cannot embed files: ask for PDF/A-3b`)
    file = await host.attach(file, attachments, invoice)
  }
  return withOptions(file, security, host)
}

/** Whether a PDF is already PDF/A-3, and is therefore not converted before an invoice is embedded. */
async function isInvoiceReady(
  file: Uint8Array,
  { standards, invoice }: Pick<Finishing, 'standards' | 'invoice'>,
  host: RouteHost,
): Promise<boolean> {
  if (invoice === undefined || standards['PDFUACompliance'] === true) return false
  return (await host.describe(file)).archive === 3
}

const relationships = ['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified'] as const

function embedsOf(form: Form): readonly AttachedFile[] {
  const value = form.json('embedsMetadata') ?? {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid("form field 'embedsMetadata' must be an object")
  const metadata = new Map(Object.entries(value))
  return form.filesIn('embeds').map(({ name, bytes }) => {
    const { mimeType, relationship = 'Unspecified' } = (metadata.get(name) ?? {}) as Readonly<
      Record<string, unknown>
    >
    const valid = relationships.find((name) => name === relationship)
    if (valid === undefined)
      throw invalid(`'relationship' in 'embedsMetadata' must be one of ${relationships.join(', ')}`)
    if (
      mimeType !== undefined &&
      (typeof mimeType !== 'string' || !/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(mimeType))
    )
      throw invalid("'mimeType' in 'embedsMetadata' must be a media type such as text/xml")
    return { name, bytes, relationship: valid, ...(mimeType !== undefined && { mimeType }) }
  })
}

const levels = ['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG'] as const

/** The XML of Factur-X, under the name that its profile requires. */
function invoiceOf(form: Form): { readonly file: AttachedFile; readonly profile: string } | undefined {
  const [xml] = form.filesIn('facturxXml')
  const profile = form.choice('facturxConformanceLevel', levels)
  if (xml === undefined && profile === undefined) return undefined
  if (xml === undefined) throw invalid("form file 'facturxXml' is required")
  if (profile === undefined) throw invalid("form field 'facturxConformanceLevel' is required")
  if (
    (form.choice('facturxDocumentType', ['INVOICE', 'ORDER', 'ORDER_RESPONSE', 'ORDER_CHANGE']) ??
      'INVOICE') !== 'INVOICE'
  )
    throw invalid("form field 'facturxDocumentType' must be INVOICE: this service makes no orders")
  form.choice('facturxVersion', ['1.0', '2.0', '2.1', '2.2', '2.3', '3.0'])
  form.choice('pdfa', ['PDF/A-3b'])
  return {
    profile,
    file: {
      name: profile === 'XRECHNUNG' ? 'xrechnung.xml' : 'factur-x.xml',
      bytes: xml.bytes,
      mimeType: 'text/xml',
      // In these profiles, the XML does not contain the complete invoice. Factur-X 1.0, 6.2.2.
      relationship: profile === 'MINIMUM' || profile === 'BASIC WL' ? 'Data' : 'Alternative',
    },
  }
}

function encryptionOptions(form: Form): Options {
  const [user, owner] = [form.text('userPassword'), form.text('ownerPassword')]
  return {
    ...(user !== '' && { EncryptFile: true, DocumentOpenPassword: user }),
    ...(owner !== '' && { RestrictPermissions: true, PermissionPassword: owner, ...permissions(form) }),
  }
}

/** The permissions of readers without the owner password: everything that a field does not forbid. */
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

/** Applies options of PDF output to a finished PDF. */
export async function withOptions(pdf: Uint8Array, options: Options, host: RouteHost): Promise<Uint8Array> {
  if (Object.keys(options).length === 0) return pdf
  return host.convert({ source: pdf, from: 'pdf', to: 'pdf', options })
}

const maxParts = 1000

/** Splits a PDF by the fields splitMode, splitSpan and splitUnify; returns one file without splitMode. */
export async function split(pdf: Uint8Array, form: Form, host: RouteHost): Promise<readonly Uint8Array[]> {
  const mode = form.choice('splitMode', ['intervals', 'pages'])
  if (mode === undefined) return [pdf]
  const span = form.required('splitSpan').trim()
  const part = (range: string) =>
    host.convert({ source: pdf, from: 'pdf', to: 'pdf', options: { PageRange: range } })
  const { pageCount: count } = await host.describe(pdf)
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
  const outputs: Uint8Array[] = []
  for (const range of ranges) outputs.push(await part(range))
  return outputs
}

function pagesOf(span: string, count: number): readonly number[] {
  return span.split(',').flatMap((range) => {
    const [from = 1, to] = range.split('-').map((text) => (text.trim() === '' ? count : Number(text)))
    const last = Math.min(count, to ?? from)
    return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  })
}
