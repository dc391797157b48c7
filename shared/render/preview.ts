/** Pictures of single pages of stored templates. They are cached by their content. */

import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import type { TemplateRow } from '../records/templates.ts'
import { fromHex, toHex } from '../services/ids.ts'
import type { Services } from '../services/services.ts'
import { digestOf } from '../services/stored-bytes.ts'
import { rowTemplate } from '../services/templates.ts'
import { render } from './pipeline.ts'
import { sampleRequest, unfilled } from './sample-request.ts'
import { forTestToken } from './test-tokens.ts'

export interface PreviewChoice {
  readonly format: 'png' | 'svg'
  /** From 1. */
  readonly page: number
  /** In pixels, of a PNG. */
  readonly width: number
  /** Whether the template is first merged with its sample. Otherwise its tags are visible. */
  readonly filled: boolean
  /** Whether the caller has a test token: the picture is one of the PDF with the test watermark. */
  readonly test: boolean
}

export interface Preview {
  readonly source: ByteSource
  /** The number of pages of the document. Absent if the engine that drew the page does not report it. */
  readonly pageCount?: number
}

/** The engine that both hosts have. Other engines draw the types that it does not support. */
const pageEngine = 'I'
/** The layout of a stored preview: SHA-256, then the number of pages (0: unknown), then the picture. Sizes in bytes. */
const [digestBytes, countBytes] = [32, 4]

/**
 * Names the content of a preview, so that equal names mean equal bytes. The name depends on the template, its sample, the
 * choice and the version of the service.
 */
export function previewName({ hasher, settings }: Services, row: TemplateRow, choice: PreviewChoice): string {
  const { format, page, width, filled, test } = choice
  const parts = [settings.version, row.contentHash, row.format, format, page, format === 'svg' ? 0 : width]
  const sample = filled ? (row.sampleBlob ?? '') : ''
  return digestOf(hasher, new TextEncoder().encode(JSON.stringify([...parts, filled, sample, test])))
}

/**
 * Draws a page of a stored template, or returns the stored picture. Throws 'api.sample.not-found', 'api.preview.format', 'api.test-token',
 * 'api.preview.page', 'api.query' for a page that is too long for the width, and what a render throws.
 */
export async function previewTemplate(
  services: Services,
  row: TemplateRow,
  choice: PreviewChoice,
  caller: AbortSignal,
): Promise<Preview> {
  const key = `${row.account}/previews/${previewName(services, row, choice)}.${choice.format}`
  const stored = await readStored(services, key)
  if (stored !== undefined) return stored
  const drawn = await draw(services, row, choice, caller)
  // A preview that cannot be stored is drawn again the next time.
  await services.blobs
    .put(key, fromBytes(framed(services, drawn)))
    .catch((error: unknown) => services.log.warn('preview.not-stored', { error }))
  const { bytes, pageCount } = drawn
  return { source: fromBytes(bytes), ...(pageCount !== undefined && { pageCount }) }
}

interface DrawnPage {
  readonly bytes: Uint8Array
  readonly pageCount?: number | undefined
}

async function draw(
  services: Services,
  row: TemplateRow,
  choice: PreviewChoice,
  caller: AbortSignal,
): Promise<DrawnPage> {
  const { converter } = services
  const { format, page, width, filled, test } = choice
  if (test) return drawWithWatermark(services, row, choice, caller)
  const engine = converter.can(row.format, format, pageEngine) ? pageEngine : undefined
  const refused = new AppError('api.preview.format', { from: row.format, to: format })
  if (engine === undefined && row.format !== format && !converter.can(row.format, format)) throw refused
  const sample = filled ? await sampleRequest(services, row) : unfilled
  const options = { PageRange: String(page), ...(format === 'png' && { PixelWidth: width }) }
  const request = { ...sample, convertTo: { name: format, options }, converter: engine }
  const bounds = { account: row.account }
  try {
    const rendered = await render(services, rowTemplate(services, row), request, caller, bounds)
    // An engine that cannot select a page returns an archive of all pages.
    if (rendered.format.id !== format) throw refused
    return { bytes: await bytesOf(rendered.source), pageCount: rendered.pageCount }
  } catch (error) {
    throw optionError(error, page)
  }
}

/** Draws a page of the PDF that a test token gets. A host that cannot draw pages of PDFs throws 'api.test-token'. */
async function drawWithWatermark(
  services: Services,
  row: TemplateRow,
  { format, page, width, filled }: PreviewChoice,
  caller: AbortSignal,
): Promise<DrawnPage> {
  const { converter, settings, clock } = services
  if (format !== 'png' || !converter.can('pdf', 'png')) throw new AppError('api.test-token')
  if (row.format !== 'pdf' && !converter.can(row.format, 'pdf'))
    throw new AppError('api.preview.format', { from: row.format, to: format })
  const sample = filled ? await sampleRequest(services, row) : unfilled
  const convertTo = { name: 'pdf', options: { PageRange: String(page) } }
  const request = forTestToken(services, { ...sample, convertTo }, row.format)
  try {
    const rendered = await render(services, rowTemplate(services, row), request, caller, {
      account: row.account,
    })
    const drawn = await converter.convert({
      source: rendered.source,
      from: 'pdf',
      to: 'png',
      options: { PixelWidth: width },
      deadline: clock.now() + settings.renderTimeoutMs,
      signal: caller,
    })
    return { bytes: await bytesOf(drawn.value) }
  } catch (error) {
    throw optionError(error, page)
  }
}

/** Converts the error for a page that does not exist, or whose picture would be too large, to an error about this request. */
function optionError(error: unknown, page: number): unknown {
  for (let cause = error; cause instanceof AppError; cause = cause.cause) {
    if (cause.code !== 'convert.options') continue
    const { option, rule } = cause.details
    if (option === 'PageRange') return new AppError('api.preview.page', { page }, { cause: error })
    if (option === 'PixelWidth')
      return new AppError('api.query', { issue: `"width" ${rule}` }, { cause: error })
  }
  return error
}

/** The bytes to store: the digest of everything after it, the number of pages, the picture. */
function framed({ hasher }: Services, { bytes, pageCount = 0 }: DrawnPage): Uint8Array {
  const frame = new Uint8Array(digestBytes + countBytes + bytes.length)
  new DataView(frame.buffer).setUint32(digestBytes, pageCount)
  frame.set(bytes, digestBytes + countBytes)
  frame.set(fromHex(digestOf(hasher, frame.subarray(digestBytes))))
  return frame
}

/** Reads a stored preview. Returns undefined if it is not stored, cannot be read, or was changed. */
async function readStored({ blobs, hasher, log }: Services, key: string): Promise<Preview | undefined> {
  try {
    const source = await blobs.get(key)
    if (source === undefined) return undefined
    const frame = await bytesOf(source)
    const content = frame.subarray(digestBytes)
    if (content.length <= countBytes || digestOf(hasher, content) !== toHex(frame.subarray(0, digestBytes))) {
      log.warn('preview.damaged', {})
      return undefined
    }
    const pageCount = new DataView(content.buffer, content.byteOffset).getUint32(0)
    return { source: fromBytes(content.subarray(countBytes)), ...(pageCount > 0 && { pageCount }) }
  } catch (error) {
    log.warn('preview.not-read', { error })
    return undefined
  }
}
