import { chunksOf, streamOf } from '../../byte-reader.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorBody, toRenderError } from '../../errors/problem.ts'
import { zipStream } from '../../office/zip-stream.ts'
import { toHex } from '../../services/ids.ts'
import type { Services } from '../../services/services.ts'
import { sanitizeReportName } from '../steps/name-result.ts'
import { archiveFiles } from './archive.ts'
import { isItemFailure, itemError } from './item-error.ts'
import type { ItemOutcome } from './outcomes.ts'
import type { BatchRequest } from './split.ts'

/** The encoding of reports that are sent as they finish: parts of a MIME message (RFC 2046 5.1), or a zip. */
export type StreamKind = 'multipart' | 'zip'

export interface BatchStream {
  readonly mime: string
  /** Reads on demand: a report is not begun long before the consumer can take it. Cancelling the stream ends the batch. */
  readonly stream: ReadableStream<Uint8Array>
}

/** Receives each report as it is passed on. */
export type OnReport = (report: Extract<ItemOutcome, { report: unknown }>['report']) => Promise<void>

/**
 * Sends the reports of a batch as they finish, in the order of the items. Resolves when the first outcome is known, so that a
 * template that suits no item results in an error and not in a stream. Throws 'api.batch.item', 'api.batch.empty', and the
 * error of a source of items that fails at once. A later failure that ends the batch becomes the last part of a multipart
 * response; a zip is cut off.
 */
export async function streamBatch(
  services: Services,
  batch: BatchRequest,
  outcomes: AsyncGenerator<ItemOutcome, void, void>,
  { kind, onReport }: { readonly kind: StreamKind; readonly onReport?: OnReport | undefined },
): Promise<BatchStream> {
  const first = await outcomes.next()
  if (first.done === true) throw new AppError('api.batch.empty')
  const { value } = first
  if ('error' in value && endsBatch(batch, value)) {
    await outcomes.return()
    throw itemError(value.index, value.error)
  }
  const all = observed(value, outcomes, onReport)
  if (kind === 'zip') {
    const stream = zipStream(archiveFiles(batch, all), services.codec, services.clock.now())
    return { mime: 'application/zip', stream }
  }
  const boundary = `batch-${toHex(services.ids.random(16))}`
  return {
    mime: `multipart/mixed; boundary="${boundary}"`,
    stream: streamOf(multipart(services, batch, all, boundary)),
  }
}

async function* observed(
  first: ItemOutcome,
  rest: AsyncGenerator<ItemOutcome, void, void>,
  onReport: OnReport = async () => {},
): AsyncGenerator<ItemOutcome, void, void> {
  try {
    if ('report' in first) await onReport(first.report)
    yield first
    for await (const outcome of rest) {
      if ('report' in outcome) await onReport(outcome.report)
      yield outcome
    }
  } finally {
    await rest.return()
  }
}

function endsBatch({ onError }: BatchRequest, { error }: { readonly error: unknown }): boolean {
  return onError === 'fail' || !isItemFailure(error)
}

const lineEnd = '\r\n'

/** The header names of a part. `index` counts from 0; `status` is the status that a render of this item alone would have. */
const partHeaders = {
  index: 'service-batch-index',
  status: 'service-batch-status',
  /** 'failed' on the part that ends the batch before its last item. */
  end: 'service-batch-end',
} as const

async function* multipart(
  services: Services,
  batch: BatchRequest,
  outcomes: AsyncIterable<ItemOutcome>,
  boundary: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  let isInPart = false // while the bytes of a report are sent
  try {
    for await (const outcome of outcomes) {
      const { index } = outcome
      if ('error' in outcome) {
        const ends = endsBatch(batch, outcome)
        yield encoder.encode(failedPart(boundary, { index, error: outcome.error, ends }))
        if (ends) break
        continue
      }
      const { source, format, names, name } = outcome.report
      const [extension] = format.extensions
      const reportName = names['batchReportName'] ?? batch.reportName ?? name
      const fileName = encodeURIComponent(sanitizeReportName(reportName, extension).toWellFormed())
      yield encoder.encode(
        headOf(boundary, {
          'content-type': format.mime[0],
          'content-disposition': `attachment; filename="${fileName}.${extension}"`,
          'content-length': String(source.size),
          [partHeaders.index]: String(index),
          [partHeaders.status]: '200',
        }),
      )
      isInPart = true
      yield* chunksOf(source.stream())
      yield encoder.encode(lineEnd)
      isInPart = false
    }
  } catch (error) {
    // Within a part, an error could not be distinguished from the report, so the response is cut off.
    if (isInPart) throw error
    // The source of the items has failed, for instance a line that is too long.
    const { code } = toRenderError(error)
    services.log.debug('batch.ended', { code })
    yield encoder.encode(failedPart(boundary, { error, ends: true }))
  }
  yield encoder.encode(`--${boundary}--${lineEnd}`)
}

function failedPart(
  boundary: string,
  { index, error, ends }: { readonly index?: number; readonly error: unknown; readonly ends: boolean },
): string {
  // An item that fails alone is reported like a failed render of that item. An error that ends the batch names the item.
  const cause = toRenderError(ends && index !== undefined ? itemError(index, error) : error)
  const body = JSON.stringify(errorBody(cause))
  const head = headOf(boundary, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(new TextEncoder().encode(body).length),
    ...(index !== undefined && { [partHeaders.index]: String(index) }),
    [partHeaders.status]: String(cause.status),
    ...(ends && { [partHeaders.end]: 'failed' }),
  })
  return `${head}${body}${lineEnd}`
}

function headOf(boundary: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}${lineEnd}`)
  return `--${boundary}${lineEnd}${lines.join('')}${lineEnd}`
}
