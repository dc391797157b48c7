/**
 * The file operations of a template on the PDF of its render: they join files and other templates to it, attach files,
 * and find the positions of signatures. Source: template language 22.11, 22.12; limits in 27.
 */
import { decodeBase64 } from '../base64.ts'
import { AppError } from '../errors/app-error.ts'
import { isInvoiceFile } from '../invoice/profiles.ts'
import { downloadLimits } from '../net/downloads.ts'
import type { Attachment } from '../pdf/join/attach.ts'
import type { PdfComposition } from '../pdf/join/compose.ts'
import type { MarkerPosition } from '../pdf/join/link-targets.ts'
import { pdfLimits } from '../pdf/model/limits.ts'
import { isStageOption } from '../pdf/stage/options.ts'
import { pagesOf, parsePageRange } from '../pdf/stage/page-range.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, Warning } from '../plugin/values.ts'
import type { FetchedFile, FileOperation } from '../ports/merger.ts'
import type { Services } from '../services/services.ts'
import { markPrefix } from '../template/formatters/sign.ts'
import { type FetchAccess, fetchFiles } from './merge/fetch-files.ts'
import { picturePage } from './picture-page.ts'
import type { FormatOptions } from './request.ts'

/** The format that the operations apply to. */
export const assembledFormat = 'pdf'

/** The maximum number of uses of one file in a render. */
const maxUses = 5

type Operation<Kind extends FileOperation['kind']> = Extract<FileOperation, { readonly kind: Kind }>

/** The position of a signature in the PDF, with the data of its tag. */
export interface Signature extends MarkerPosition {
  readonly data: unknown
}

/**
 * Splits the options of the output into those for the engine (`engine`) and those for the assembled PDF (`assembled`). An
 * electronic invoice becomes a PDF/A-3 unless the caller requests another version.
 */
export function splitOptions(
  options: FormatOptions | undefined,
  operations: readonly FileOperation[],
  mustBeInvoice = false,
): { readonly engine: FormatOptions; readonly assembled: FormatOptions } {
  const entries = Object.entries(options ?? {})
  const isInvoice =
    mustBeInvoice ||
    operations.some((operation) => operation.kind === 'attach' && isInvoiceFile(operation.name))
  return {
    engine: {
      ...(isInvoice && options?.['SelectPdfVersion'] === undefined ? { SelectPdfVersion: 3 } : {}),
      ...Object.fromEntries(entries.filter(([name, value]) => !isStageOption(name, value))),
    },
    assembled: Object.fromEntries(entries.filter(([name, value]) => isStageOption(name, value))),
  }
}

export interface GatherAccess extends FetchAccess {
  /** Renders another template to a PDF. */
  readonly renderTemplate: (operation: Operation<'template'>) => Promise<Uint8Array>
}

/**
 * Fetches and renders the files that the operations name. Throws 'template.files.failed', the signal's reason, and what
 * rendering a template throws.
 */
export async function gatherParts(
  access: GatherAccess,
  operations: readonly FileOperation[],
  signal: AbortSignal,
): Promise<PdfComposition> {
  const files = operations.filter((operation) => operation.kind === 'append' || operation.kind === 'attach')
  const useCounts = new Map<string, number>()
  for (const { kind, source } of files) {
    const useCount = (useCounts.get(source) ?? 0) + 1
    if (useCount > maxUses) fail(kind, `the same file may be used ${maxUses} times`)
    useCounts.set(source, useCount)
  }
  const urls = [...useCounts.keys()].filter((source) => isUrl.test(source))
  const fetched = await fetchFiles(access, urls, signal)
  const contents = new Map<string, Uint8Array>()
  const { totalBytes } = downloadLimits(access.outbound)
  let bytesLeft = totalBytes
  const bytesFor = ({ kind, source }: Operation<'append'> | Operation<'attach'>): Uint8Array => {
    let bytes = contents.get(source)
    if (bytes !== undefined) return bytes
    bytes = contentOf(kind, source, fetched.get(source))
    bytesLeft -= bytes.length
    if (bytesLeft < 0) fail(kind, `the files of a render together are larger than ${totalBytes} bytes`)
    contents.set(source, bytes)
    return bytes
  }
  const picturePages = new Map<string, Uint8Array>()
  const pagesOf = async (operation: Operation<'append'>): Promise<Uint8Array> => {
    const bytes = bytesFor(operation)
    if (isPdf(bytes)) return bytes
    const pages = picturePages.get(operation.source) ?? (await picturePage(bytes))
    if (pages === undefined) return fail('append', 'it is neither a PDF nor a JPEG')
    picturePages.set(operation.source, pages)
    return pages
  }
  const leadingFiles: Uint8Array[] = []
  const trailingFiles: Uint8Array[] = []
  const attachments: Attachment[] = []
  for (const operation of operations) {
    if (operation.kind === 'attach') {
      const { name, relationship } = operation
      attachments.push({ name, relationship, bytes: bytesFor(operation) })
    } else if (operation.kind === 'append') {
      const pages = await pagesOf(operation)
      ;(operation.where === 'start' ? leadingFiles : trailingFiles).push(pages)
    } else if (operation.kind === 'template') {
      const bytes = await access.renderTemplate(operation)
      ;(operation.where === 'start' ? leadingFiles : trailingFiles).push(bytes)
    }
  }
  const hasSignatures = operations.some(({ kind }) => kind === 'sign')
  return {
    before: leadingFiles,
    after: trailingFiles,
    attachments,
    ...(hasSignatures ? { markerPrefix: markPrefix } : {}),
  }
}

export interface Assembled {
  readonly source: ByteSource
  readonly signatures: readonly Signature[]
  readonly pageCount: number
  readonly warnings: readonly Warning[]
}

/**
 * Assembles the PDF with its parts. Returns it unchanged where this host has no post-processing of PDFs. Throws 'pdf.*'.
 */
export async function assemble(
  services: Pick<Services, 'converter' | 'clock'>,
  source: ByteSource,
  composition: PdfComposition,
  operations: readonly FileOperation[],
  signal: AbortSignal,
): Promise<Assembled> {
  const { compose } = services.converter
  if (compose === undefined) return { source, signatures: [], pageCount: 0, warnings: [] }
  const { value, warnings } = await compose(await bytesOf(source), composition, {
    signal,
    now: services.clock.now(),
  })
  const signatures = operations.flatMap((operation) => {
    const target = operation.kind === 'sign' ? value.markers.get(operation.mark) : undefined
    return operation.kind === 'sign' && target !== undefined ? [{ ...target, data: operation.data }] : []
  })
  return { source: fromBytes(value.bytes), signatures, pageCount: value.pageCount, warnings }
}

/** The signatures on the pages that the option `PageRange` keeps, with the numbers that these pages then have. */
export function onSelectedPages(
  signatures: readonly Signature[],
  range: unknown,
  pageCount: number,
): readonly Signature[] {
  const ranges = typeof range === 'string' ? parsePageRange(range) : undefined
  if (ranges === undefined) return signatures
  const selected = pagesOf(ranges, pageCount, pdfLimits.pages)
  return signatures.flatMap((signature) => {
    const page = selected.indexOf(signature.page) + 1
    return page === 0 ? [] : [{ ...signature, page }]
  })
}

/** The warning for operations on an output that is not a PDF. Empty when there are no operations. */
export function ignoredOperations(operations: readonly FileOperation[]): readonly Warning[] {
  if (operations.length === 0) return []
  const names = [...new Set(operations.map(({ kind }) => formatterOf[kind]))].join(', ')
  return [{ code: 'template.files.ignored', message: `Only a PDF can have ${names}, so they were ignored.` }]
}

const formatterOf: Readonly<Record<FileOperation['kind'], string>> = {
  append: 'appendFile',
  attach: 'attachFile',
  template: 'appendTemplate',
  sign: 'sign',
}

const isUrl = /^https?:\/\//i

function contentOf(kind: 'append' | 'attach', source: string, fetched: FetchedFile | undefined): Uint8Array {
  if (isUrl.test(source)) {
    if (fetched !== undefined && 'bytes' in fetched) return fetched.bytes
    return fail(kind, fetched?.failed ?? 'it could not be fetched')
  }
  if (/^data:/i.test(source)) {
    const bytes = decodeBase64(new TextEncoder().encode(source))
    return bytes ?? fail(kind, 'its data URI cannot be read')
  }
  if (kind === 'attach' && source.startsWith('<')) return new TextEncoder().encode(source)
  return fail(kind, 'it is neither an address nor a data URI')
}

function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-')
}

function fail(kind: 'append' | 'attach', because: string): never {
  throw new AppError('template.files.failed', { formatter: formatterOf[kind], because })
}
