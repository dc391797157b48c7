/** The values that plugins and the service exchange, named by the contract and by everything below it. */

/** Canonical extension: 'docx', 'odt', 'pdf'. */
export type FormatId = string

/** Bytes that need not be in memory, such as a Blob, a file on disk or an object in a bucket. */
export interface ByteSource {
  readonly size: number // bytes
  slice(start: number, end: number): ByteSource
  stream(): ReadableStream<Uint8Array>
  arrayBuffer(): Promise<ArrayBuffer>
  /**
   * The bytes themselves, set when they are already in memory, so that readers need no copy. Must not be
   * written to.
   */
  readonly view?: Uint8Array
  /**
   * Writes all bytes into `target`, a buffer of at least `size` bytes that the caller allocated. Hosts that
   * can do this avoid an intermediate copy.
   */
  readInto?(target: Uint8Array): Promise<void>
}

/**
 * The id of a request, for finding what every host logged about it, and its place in a distributed trace (W3C Trace
 * Context, level 1). Both are sent on with the calls that the request causes.
 */
export interface Trace {
  readonly requestId: string
  readonly traceparent: string
  /** The id of the span that caused the request, where the caller sent one. */
  readonly parent?: string
}

/** For whom work is done. Where work waits, accounts take turns. */
export interface Client {
  readonly account: string
  /** No caller waits for the result: a webhook reports it. */
  readonly background?: boolean
  /** The request that caused the work. It is sent on to other hosts and logged. */
  readonly trace?: Trace | undefined
}

/** A condition to report that did not stop the work. Codes are listed in `../errors/catalogue`. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly where?: string
}

export interface Outcome<T> {
  readonly value: T
  readonly warnings: readonly Warning[]
}

/** A parser for untrusted input, with the JSON Schema (2020-12) that the OpenAPI document shows for it. */
export interface Schema<T> {
  readonly json: Readonly<Record<string, unknown>>
  parse(input: unknown): Parsed<T>
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly path: string // 'formatOptions.Watermarks[1].size'
  readonly rule: string // 'must be a number between 1 and 2000'
}

export type FormatFamily =
  | 'document'
  | 'spreadsheet'
  | 'presentation'
  | 'graphics'
  | 'web'
  | 'text'
  | 'image'
  | 'data'

export interface PrintOptions {
  readonly bytes: Uint8Array // the page without the declared options
  readonly options: Readonly<Record<string, unknown>>
}

/** Raw DEFLATE (RFC 1951), provided by the host: native on the origin, pure JavaScript at the edge. */
export interface Codec {
  /** Throws AppError 'package.too-large' as soon as more than `maxBytes` come out. */
  inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array
  /** `fast` takes about half the time for a few percent more bytes, on hosts that offer the choice. */
  deflateRaw(bytes: Uint8Array, effort?: 'fast'): Uint8Array
  /** The same as a zlib stream (RFC 1950), on hosts that work out its checksum quicker than JavaScript does. */
  readonly zlib?: (bytes: Uint8Array, effort?: 'fast') => Uint8Array<ArrayBuffer>
  crc32(bytes: Uint8Array, seed?: number): number
  /** Unpacks Brotli, on hosts that have it. Throws when more than `maxBytes` come out. */
  readonly brotli?: (bytes: Uint8Array, maxBytes: number) => Uint8Array
  /**
   * Synchronous AES-CBC with padding and SHA-2, on hosts that have them. WebCrypto hands every call to
   * another thread, which is slow for the many small calls of a PDF password hash.
   */
  readonly ciphers?: Ciphers
}

/** Bytes in a buffer that is not shared with another thread, as WebCrypto and `Response` require. */
export type OwnedBytes = Uint8Array<ArrayBuffer>

export interface Ciphers {
  encryptCbc(key: OwnedBytes, iv: OwnedBytes, data: OwnedBytes): OwnedBytes | Promise<OwnedBytes>
  digest(algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512', data: OwnedBytes): OwnedBytes | Promise<OwnedBytes>
}

export interface Log {
  debug(event: string, details?: Readonly<Record<string, unknown>>): void
  info(event: string, details?: Readonly<Record<string, unknown>>): void
  warn(event: string, details?: Readonly<Record<string, unknown>>): void
  error(event: string, details?: Readonly<Record<string, unknown>>): void
}
