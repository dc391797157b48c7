import { createByteCollector } from '../byte-collector.ts'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { ByteSource, Trace } from '../plugin/values.ts'
import type { KeyedAnswer } from '../records/idempotency-keys.ts'
import type { StreamKind } from '../render/batch/stream-batch.ts'
import type { BufferedBody } from '../render/prepare/body.ts'
import { decodedBody } from './content-encoding.ts'

/**
 * A request in the form that all hosts provide: web standards only, header names in lower case, aliases
 * resolved.
 */
export interface Call {
  readonly method: string
  readonly path: string // as sent, still percent-encoded, slashes collapsed, without the query
  readonly query: URLSearchParams
  readonly headers: ReadonlyMap<string, string>
  readonly body: ReadableStream<Uint8Array> | undefined
  /** Aborts when the caller closes the connection. */
  readonly signal: AbortSignal
  /** Set by `api.ts`. */
  readonly trace?: Trace
  /** Set by `idempotency.ts` for a call with an idempotency key. */
  readonly key?: CallKey
  /** The network address of the caller, when it is known. */
  readonly client?: string
  /**
   * The origin of the URL that was requested, 'https://host', for documents that mention the address of the
   * service.
   */
  readonly origin: string
}

/** How a route records what it answers to a call with an idempotency key. */
export interface CallKey {
  /**
   * Makes the answer that the route keeps in the transaction in which it takes effect (`batchHolding`), so that a repeated call
   * finds it although the process has died.
   */
  answerOf(reply: Reply): Promise<KeyedAnswer>
  /**
   * Keeps a file that is the whole effect of the call. A route that must undo something when this fails calls it itself.
   * Throws 'api.key.running' when another call has taken the key, and 'storage.*'.
   */
  keepFile(reply: Reply): Promise<void>
}

/**
 * A response. The host calls `finished` once: with true when the last byte was passed to the connection, with
 * false when the connection was closed before.
 */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // lower-case names
  readonly body: ReplyBody
  readonly finished?: (complete: boolean) => Promise<void>
}
export type ReplyBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly source: ByteSource }
  /** Bytes that are made while they are sent, of a length that is not known yet. */
  | { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> }

/** A request as a host receives it: headers by their names as sent, and a body that may be compressed. */
export interface ReceivedCall extends Omit<Call, 'headers'> {
  readonly headers: Iterable<readonly [string, string]>
}

/** Resolves the aliases in the names of headers and decompresses the body, if it is compressed. */
export function createCall(received: ReceivedCall, aliases: readonly string[]): Call {
  const headers = readHeaders(received.headers, aliases)
  const coding = headers.get('content-encoding')
  const { body } = received
  return {
    ...received,
    headers,
    body: body === undefined || coding === undefined ? body : decodedBody(body, coding),
  }
}

/**
 * The request headers that clients may send with an alias instead of the prefix `service-` (specification
 * 4.1).
 */
const aliased =
  /^(version|webhook-url|webhook-header-.+|template-delete-after|egress-header-authorization|content-disposition)$/

/**
 * Returns the headers by lower-case name, with the values of repeated ones joined by commas.
 * `<alias>-version` is also available as `service-version`, unless the request has both. The rest of the code
 * uses only `service-`.
 */
export function readHeaders(
  entries: Iterable<readonly [string, string]>,
  aliases: readonly string[],
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  const renamed: [string, string][] = []
  for (const [field, value] of entries) {
    const name = field.toLowerCase()
    const earlier = headers.get(name)
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
    for (const alias of aliases) {
      if (!name.startsWith(`${alias}-`)) continue
      const suffix = name.slice(alias.length + 1)
      if (aliased.test(suffix)) renamed.push([`service-${suffix}`, value])
    }
  }
  for (const [name, value] of renamed) {
    if (!headers.has(name)) headers.set(name, value)
  }
  return headers
}

/** Replaces repeated slashes by one and removes one at the end, since some clients build such paths. */
export function collapsePath(path: string): string {
  const collapsed = path.replace(/\/{2,}/g, '/')
  return collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed
}

/**
 * Whether a content type names newline-delimited JSON. Such a body may be as long as its sender likes: it is read on demand
 * and answered while it arrives.
 */
export function isLineType(contentType: string | null | undefined): boolean {
  return /^\s*application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\s*(;|$)/i.test(contentType ?? '')
}

export function hasLineBody({ headers }: Pick<Call, 'headers'>): boolean {
  return isLineType(headers.get('content-type'))
}

/** The media type of a body of lines, each of them JSON. */
export const lineType = 'application/x-ndjson'

/** Whether the request is for the path that always answers with a stream. */
export function isStreamPath({ path }: Pick<Call, 'path'>): boolean {
  return /^\/render\/[^/]+\/stream$/.test(path)
}

/**
 * How the reports of a batch are sent while they are made; undefined when the answer waits for the last one. A body of
 * lines is always answered as it arrives, because its end is not known.
 */
export function streamKindOf(call: Pick<Call, 'path' | 'headers'>): StreamKind | undefined {
  if (/(^|,)\s*multipart\/mixed\s*(;|,|$)/i.test(call.headers.get('accept') ?? '')) return 'multipart'
  return isStreamPath(call) || hasLineBody(call) ? 'zip' : undefined
}

/** Whether the body is declared as JSON. */
export function hasJsonBody({ headers }: Call): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}

/**
 * `true`, `1` and a parameter without a value (`?name`) are true; everything else is false (specification
 * 4.1).
 */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value === '' || value === '1' || value?.toLowerCase() === 'true'
}

export type SizeError = Extract<
  ErrorCode,
  'api.json.too-large' | 'api.upload.too-large' | 'api.template.too-large' | 'api.fields.too-large'
>

export interface BodyLimit {
  readonly bytes: number
  readonly tooLarge: SizeError
}

/**
 * Reads the whole body into memory. Throws AppError `tooLarge`: before it reads anything when
 * `Content-Length` exceeds the limit, else as soon as the received bytes do.
 */
export async function readBody(call: Call, limit: BodyLimit): Promise<Uint8Array> {
  const received = await holdBody(call, limit)
  if (received.kind === 'bytes') return received.bytes
  throw new AppError(limit.tooLarge, { limit: limit.bytes })
}

export interface BufferOptions {
  /** The maximum number of bytes to buffer. A larger body is returned as a stream. Absent: no maximum. */
  readonly maxBuffered?: number | undefined
  /** Allocates the memory for a buffered body. */
  readonly allocate?: ((size: number) => Uint8Array) | undefined
}

/**
 * Returns a body of up to `maxBuffered` bytes in memory, and a larger one as a stream from its first byte. The
 * stream fails with AppError `tooLarge` when it exceeds the limit. Throws the same error when
 * `Content-Length` exceeds it.
 */
export async function holdBody(
  call: Call,
  limit: BodyLimit,
  { maxBuffered = Number.POSITIVE_INFINITY, allocate }: BufferOptions = {},
): Promise<BufferedBody> {
  if (call.body === undefined) return { kind: 'bytes', bytes: new Uint8Array(0) }
  const tooLarge = () => new AppError(limit.tooLarge, { limit: limit.bytes })
  const declared = Number(call.headers.get('content-length') ?? Number.NaN)
  if (declared > limit.bytes) throw tooLarge()
  const reader = call.body.getReader()
  const received = createByteCollector()
  try {
    while (!(declared > maxBuffered) && received.size <= maxBuffered) {
      const { value, done } = await reader.read()
      if (done) return { kind: 'bytes', bytes: await received.joined(allocate) }
      received.add(value)
      if (received.size > limit.bytes) throw tooLarge()
    }
  } finally {
    reader.releaseLock()
  }
  return {
    kind: 'stream',
    stream: resume([...received.chunks()], received.size, call.body, limit.bytes, tooLarge),
  }
}

/**
 * A stream of the `chunks` that were read already, `start` bytes in total, and then of the rest of `body`.
 */
function resume(
  chunks: Uint8Array[],
  start: number,
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  tooLarge: () => AppError,
): ReadableStream<Uint8Array> {
  let size = start
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const first = chunks.shift()
      if (first !== undefined) return controller.enqueue(first)
      const { value, done } = await reader.read()
      if (done) return controller.close()
      size += value.length
      if (size > maxBytes) {
        reader.releaseLock()
        return controller.error(tooLarge())
      }
      controller.enqueue(value)
    },
    cancel: () => reader.releaseLock(),
  })
}

/** A JSON response. Headers that are passed override the default ones. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return jsonText(status, JSON.stringify(value), headers)
}

/** A response of JSON that is text already. */
export function jsonText(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: { kind: 'text', text },
  }
}

/** A 200 response with the bytes of a file. `headers` must contain the content type. */
export function file(source: ByteSource, headers: Readonly<Record<string, string>>): Reply {
  return {
    status: 200,
    headers: { 'content-length': String(source.size), ...headers },
    body: { kind: 'bytes', source },
  }
}

export const nothing: ReplyBody = { kind: 'none' }

/**
 * The Content-Disposition header of a file. The name is percent-encoded ASCII in quotes, so that the value
 * contains exactly one '=', on which several published clients split it. `rfc6266` adds `filename*`, for
 * clients that request it.
 */
export function contentDisposition(
  kind: 'inline' | 'attachment',
  name: string,
  extension: string,
  rfc6266 = false,
): string {
  const encoded = `${encodeName(name)}.${extension}`
  return `${kind}; filename="${encoded}"${rfc6266 ? `; filename*=UTF-8''${encoded}` : ''}`
}

/**
 * encodeURIComponent, which also encodes the punctuation that it leaves unchanged and that some clients
 * misread.
 */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
