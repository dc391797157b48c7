import type { ByteSource } from '../plugin/contract.ts'

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
  /** The network address of the caller, when it is known. */
  readonly client?: string
  /**
   * The origin of the URL that was requested, 'https://host', for documents that mention the address of the
   * service.
   */
  readonly origin: string
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

/** A JSON response. Headers that are passed override the default ones. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: { kind: 'text', text: JSON.stringify(value) },
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
