/** Replies to a batch that are sent while the batch is rendered, and bodies with an item on each line. */
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import { downloadLimits } from '../net/downloads.ts'
import { checkStream } from '../render/batch/check.ts'
import { linesOf, withPatience } from '../render/batch/lines.ts'
import type { StreamKind } from '../render/batch/stream-batch.ts'
import { reasonOf } from '../render/merge/fetch-files.ts'
import { renderStream } from '../render/pipeline.ts'
import type { PreparedRender } from '../render/prepare/prepare-render.ts'
import { charge, creditsFor, refund, settle } from '../services/accounts.ts'
import { renderEventOf } from '../services/results.ts'
import type { Services } from '../services/services.ts'
import { timedStream } from '../timed-stream.ts'
import { type Call, lineType, type Reply } from './call.ts'
import type { Input } from './route.ts'

/** The errors of a batch that is sent as it is made, in addition to those of a render. */
export const streamErrors = [
  'api.stream.waits',
  'api.stream.single',
  'api.stream.url',
  'api.batch.url',
  'api.stream.pdf',
  'api.batch.empty',
  'api.batch.line',
  'api.batch.stalled',
  'api.batch.large',
] as const satisfies readonly ErrorCode[]

/** The maximum size of an item on a line. Several are in memory at once. */
const maxItemBytes = 16 * 1024 * 1024
const defaultPatienceMs = 300_000

/**
 * Reads the first line of a body, with the options of the render, and returns the items on the others. Throws
 * 'api.batch.empty', 'api.batch.line', 'api.batch.stalled', and the errors of the body.
 */
export async function readLines(
  { settings }: Pick<Services, 'settings'>,
  { body }: Pick<Call, 'body'>,
): Promise<{ readonly options: Uint8Array; readonly items: AsyncIterable<Uint8Array> }> {
  if (body === undefined) throw new AppError('api.batch.empty')
  const { maxDataBytes } = settings
  const items = patientLines(settings, body, (line) =>
    line === 1 ? maxDataBytes : Math.min(maxDataBytes, maxItemBytes),
  )
  const options = await items.next()
  if (options.done === true) throw new AppError('api.batch.empty')
  return { options: options.value, items }
}

function patientLines(
  { requestTimeoutMs = defaultPatienceMs }: Services['settings'],
  stream: ReadableStream<Uint8Array>,
  maxBytes: (line: number) => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tooLong = (line: number, limit: number) => new AppError('api.batch.line', { line, limit })
  const stalled = () => new AppError('api.batch.stalled', { seconds: Math.round(requestTimeoutMs / 1000) })
  // A sender that falls silent is given up, so that its connection is closed. One that goes on without an end of line is late.
  const timed = timedStream(stream, { idleMs: requestTimeoutMs }, stalled)
  return withPatience(linesOf(timed, { maxBytes, tooLong }), requestTimeoutMs, stalled)
}

/** Opens the items at a URL, under the egress policy. Throws 'api.batch.url'. */
async function linesFrom(
  { outbound, settings }: Pick<Services, 'outbound' | 'settings'>,
  url: string,
  { authorization, signal }: { readonly authorization: string | undefined; readonly signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const { timeoutMs } = downloadLimits(outbound)
  const headers = { accept: lineType, ...(authorization !== undefined && { authorization }) }
  try {
    const { status, body } = await outbound.open({ url, headers, timeoutMs, signal })
    if (status >= 200 && status < 300)
      return patientLines(settings, body, () => Math.min(settings.maxDataBytes, maxItemBytes))
    await body.cancel()
    throw new AppError('api.batch.url', { because: `the server answered with status ${status}` })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError && error.code === 'api.batch.url') throw error
    throw new AppError('api.batch.url', { because: reasonOf(error, timeoutMs) }, { cause: error })
  }
}

export interface StreamedRender {
  readonly prepared: PreparedRender
  readonly kind: StreamKind
  readonly counted: boolean // whether each item costs credits
  readonly templateId: string | undefined
}

/** Begins a batch and replies with its reports as they are made. Throws what is wrong before the first of them is sent. */
export async function streamReply(
  services: Services,
  { account }: Input,
  call: Call,
  { prepared: { template, request }, kind, counted, templateId }: StreamedRender,
): Promise<Reply> {
  const { batch } = request
  if (batch === undefined) throw new AppError('api.stream.single')
  checkStream(services, batch)
  const { dataUrl } = batch
  // Closes the connection to the items when the batch does not begin.
  const refused = new AbortController()
  const signal = AbortSignal.any([call.signal, refused.signal])
  const access = { authorization: request.egressAuthorization, signal }
  const lines = dataUrl === undefined ? undefined : await linesFrom(services, dataUrl, access)
  const streamed = { ...request, batch: { ...batch, ...(lines !== undefined && { lines }) } }
  const pay = async (dataBytes: number) => {
    const charged = await charge(services, account, creditsFor([dataBytes]))
    return { settle: () => settle(services, charged), refund: () => refund(services, charged) }
  }
  const begun = renderStream(services, template, streamed, call.signal, {
    kind,
    account,
    client: { account, trace: call.trace },
    charge: counted ? pay : undefined,
    onReport: async (report) => {
      await services.hooks?.afterRender?.(renderEventOf({ ...report, templateId }), report.source)
    },
  })
  const { mime, stream } = await begun.catch((error: unknown) => {
    refused.abort()
    throw error
  })
  return {
    status: 200,
    headers: { 'content-type': mime, 'cache-control': 'no-store' },
    body: { kind: 'stream', stream },
  }
}
