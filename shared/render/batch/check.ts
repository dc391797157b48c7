import { AppError } from '../../errors/app-error.ts'
import { toRenderError } from '../../errors/problem.ts'
import { pdfStageOptions } from '../../pdf/stage/options.ts'
import type { JsonInput } from '../../ports/index.ts'
import type { Services } from '../../services/services.ts'
import type { FormatOptions } from '../request.ts'
import { splitOptions } from './options.ts'
import { type BatchRequest, splitBatch } from './split.ts'

/**
 * Checks a batch before any of it is rendered (specification 4.10). `waits` means that the caller waits for the end of the
 * batch. Throws 'api.body.invalid', 'api.json.invalid', and as the documented 500 'api.render.batch-off', 'api.batch.many',
 * 'api.batch.waiting'.
 */
export async function checkBatch(
  services: Services,
  batch: BatchRequest,
  convertTo: { readonly name: string; readonly options?: FormatOptions } | undefined,
  waits: boolean,
): Promise<void> {
  try {
    const { count } = await splitBatch(services, batch)
    const limit = services.settings.maxWaitingBatchReports ?? Number.POSITIVE_INFINITY
    if (waits && count > limit) throw new AppError('api.batch.waiting', { limit })
    checkSecurity(splitOptions(batch, convertTo?.options).joined)
  } catch (error) {
    throw toRenderError(error)
  }
  if (batch.output !== 'pdf') return
  const format = convertTo === undefined ? undefined : services.registry.formatByExtension(convertTo.name)
  if (format?.id !== 'pdf') throw invalid('"batchOutput" "pdf" needs "convertTo" "pdf"')
  if (batch.onError === 'report') throw invalid('"batchOnError" "report" needs "batchOutput" "zip"')
}

/**
 * Checks a batch whose reports are sent as they are made. Throws 'api.render.batch-off', 'api.stream.pdf', and
 * 'api.body.invalid' for options that no report could have.
 */
export function checkStream({ settings }: Pick<Services, 'settings'>, batch: BatchRequest): void {
  if (settings.maxBatchReports === 0) throw toRenderError(new AppError('api.render.batch-off'))
  if (batch.output === 'pdf') throw new AppError('api.stream.pdf')
}

/** The size in bytes of the data of each document of a request: one number, or one for each item of a batch. */
export async function documentSizes(
  services: Services,
  { batch, data }: { readonly batch?: BatchRequest; readonly data?: JsonInput },
): Promise<readonly number[]> {
  if (batch !== undefined) return (await splitBatch(services, batch)).sizes
  return [data === undefined ? 0 : sizeOf(data)]
}

function sizeOf(data: JsonInput): number {
  const text = 'text' in data ? data.text : JSON.stringify(data.value)
  return typeof text === 'string' ? new TextEncoder().encode(text).length : text.length
}

/** The options of the joined PDF are applied after all reports are made, so they are checked before the first. */
function checkSecurity(options: FormatOptions | undefined): void {
  const checked = pdfStageOptions.parse(options ?? {})
  if (checked.ok) return
  const [issue] = checked.issues
  throw new AppError('convert.options', { option: issue?.path ?? '', rule: issue?.rule ?? '' })
}

function invalid(issue: string): AppError {
  return new AppError('api.body.invalid', { issue })
}
