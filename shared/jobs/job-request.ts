import { chunksOf, createByteReader, gather } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import type { ByteSource, Trace } from '../plugin/values.ts'
import type { BufferedBody } from '../render/prepare/body.ts'
import type { TemplateChoice } from '../render/prepare/template.ts'
import { decryptStream, encryptStream } from '../services/encrypted-stream.ts'
import { fromHex } from '../services/ids.ts'
import type { Services } from '../services/services.ts'
import type { WebhookTarget } from '../webhook/target.ts'

/** An asynchronous render as requested. The body is that of the request, unchanged. */
export interface RenderJob {
  readonly account: string
  readonly major: 3 | 4 | 5
  readonly template: TemplateChoice
  readonly webhook: WebhookTarget | undefined // undefined: callers poll the job
  readonly test: boolean // requested with a test token
  readonly counted: boolean // whether a successful render costs credits
  /** The price. 0 where credits are not counted or the price is known only after the render. */
  readonly credits: number
  readonly egressAuthorization?: string
  readonly provenance?: true // requested by a header
  readonly trace?: Trace // of the request
  readonly body: BufferedBody
}

/** The part of a request that its encrypted file holds. The rest is in the row of the job. */
export type StoredRequest = Omit<RenderJob, 'account' | 'credits'>
type RequestHead = Omit<StoredRequest, 'body'>

/**
 * Returns the encrypted file of a request. Its content is the length of the head in four bytes (big-endian),
 * the head as JSON, and the body.
 */
export function encryptRequest(
  key: Uint8Array,
  { body, ...head }: StoredRequest,
): ReadableStream<Uint8Array> {
  return encryptStream(key, pack(head, body))
}

async function* pack(head: RequestHead, body: BufferedBody): AsyncGenerator<Uint8Array, void, undefined> {
  const text = new TextEncoder().encode(JSON.stringify(head))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, text.length)
  yield length
  yield text
  if (body.kind === 'bytes') yield body.bytes
  else yield* chunksOf(body.stream)
}

/**
 * Reads the file that `encryptRequest` made. A body that is too large for this host stays a stream if there is a
 * relay to send it to. `key` is in hexadecimal. Throws 'storage.damaged' and 'storage.blobs'.
 */
export async function openRequest(
  { relay }: Pick<Services, 'relay'>,
  key: string,
  source: ByteSource,
): Promise<StoredRequest> {
  const reader = createByteReader(decryptStream(fromHex(key), source.stream()))
  const length = await reader.take(4)
  const text = length && (await reader.take(new DataView(length.buffer, length.byteOffset).getUint32(0)))
  if (text === undefined) throw new AppError('storage.damaged')
  const head = JSON.parse(new TextDecoder().decode(text)) as RequestHead
  const stream = reader.rest()
  const isLarge = relay !== undefined && source.size > relay.aboveBytes
  return {
    ...head,
    body: isLarge ? { kind: 'stream', stream } : { kind: 'bytes', bytes: await gather(stream) },
  }
}
