import type { ByteSource } from '../plugin/contract.ts'

/** A request as both sides hand it over: web standards only, header names in lower case, aliases already resolved. */
export interface Call {
  readonly method: string
  readonly path: string // as sent, still percent-encoded, slashes collapsed, without the query
  readonly query: URLSearchParams
  readonly headers: ReadonlyMap<string, string>
  readonly body: ReadableStream<Uint8Array> | undefined
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
  /** The caller's network address, as far as it is known. */
  readonly client?: string
  /** The address this service was called by, 'https://host': for documents that name it. */
  readonly origin: string
}

/** An answer. `finished` is called once: true when the last byte was handed to the connection, false when it was cut. */
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

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: { kind: 'text', text: JSON.stringify(value) },
  }
}

export function file(source: ByteSource, headers: Readonly<Record<string, string>>): Reply {
  return {
    status: 200,
    headers: { 'content-length': String(source.size), ...headers },
    body: { kind: 'bytes', source },
  }
}

export const nothing: ReplyBody = { kind: 'none' }
