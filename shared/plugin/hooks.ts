/**
 * The kinds of plugins that change how an origin handles requests: where it keeps files, what runs around each
 * request, and which keys verify tokens. The edge and the command line do not run them.
 *
 * A hook gets the request and its response, then the arguments below. It returns its result or a promise of
 * it, or calls the callback that follows its arguments: `(error, value)`. It must end within
 * `SERVICE_HOOK_TIMEOUT`. An error with a `statusCode` from 400 to 499, or a `PluginError`, is shown to the
 * caller; any other is a 500 whose cause is in the log.
 */

/** A finished document as described to `afterRender`. */
export interface FinishedRender {
  readonly renderId?: string // absent: the document is sent to the caller and not stored
  readonly templateId?: string // as requested; absent: the template came with the request
  readonly name: string // without extension
  readonly extension: string
  readonly contentType: string
  readonly size: number // bytes
}

/** The part of Node's `http.IncomingMessage` that hooks need. Work in the background has empty headers. */
export interface HookRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The part of Node's `http.ServerResponse` that hooks need. Work in the background ignores all of it. */
export interface HookResponse {
  statusCode: number
  readonly headersSent: boolean
  setHeader(name: string, value: string | number | readonly string[]): unknown
  getHeader(name: string): unknown
  removeHeader(name: string): void
  end(body?: string | Uint8Array): unknown
}

export type HookCallback<T> = (error?: unknown, value?: T) => void
/** A hook that takes `Args` and results in a `T`, by returning it or by the callback. */
export type Hook<Args extends readonly unknown[], T> = (
  request: HookRequest,
  response: HookResponse,
  ...argumentsAndCallback: [...Args, HookCallback<T>]
) => T | undefined | Promise<T | undefined>

/** Bytes as a hook may supply them: the path of a file, an array, or a stream of at most 256 MiB. */
export type HookBytes =
  | string
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>
  | undefined

/** Keeps templates and documents elsewhere. All functions are optional, but one must be there. */
export interface StoragePlugin {
  readonly kind: 'storage'
  readonly contract: 1
  readonly id: string
  /** Stores the template that the file at `path` contains. The file is removed afterwards. */
  writeTemplate?: Hook<[templateId: string, path: string], void>
  /** Undefined, or the path of a missing file, when there is no such template. */
  readTemplate?: Hook<[templateId: string], HookBytes>
  deleteTemplate?: Hook<[templateId: string], void>
  /** May return another body for the render. `templateId` is undefined for a template in the request. */
  beforeRender?: Hook<
    [templateId: string | undefined, body: Record<string, unknown>],
    Record<string, unknown> | undefined
  >
  /** Stores the document that the file at `path` contains. The file is removed afterwards. */
  afterRender?: Hook<[render: FinishedRender, path: string], void>
  /** With this function, the service itself keeps no documents. */
  readRender?: Hook<[renderId: string], HookBytes>
}

/** Runs functions before each request is processed, and after each response was sent, in order. */
export interface MiddlewarePlugin {
  readonly kind: 'middleware'
  readonly contract: 1
  readonly id: string
  /** The first of them that ends the response ends the request. */
  readonly before?: readonly Hook<[], void>[]
  /** Their errors are only logged. */
  readonly after?: readonly Hook<[], void>[]
}

/** Provides the public keys of token issuers in place of `config/key.pub`. */
export interface KeysPlugin {
  readonly kind: 'keys'
  readonly contract: 1
  readonly id: string
  /**
   * Returns the keys for the claims of a token as PEM. An issuer without a key is refused for a minute
   * without another call.
   */
  getPublicKey: Hook<[claims: Readonly<Record<string, unknown>>], string | Uint8Array>
}

export type HookPlugin = StoragePlugin | MiddlewarePlugin | KeysPlugin

export const storageHookNames = [
  'writeTemplate',
  'readTemplate',
  'deleteTemplate',
  'beforeRender',
  'afterRender',
  'readRender',
] as const satisfies readonly (keyof StoragePlugin)[]

/** Each returns its argument unchanged and only infers its types. */
export const defineStorage = (plugin: StoragePlugin): StoragePlugin => plugin
export const defineMiddleware = (plugin: MiddlewarePlugin): MiddlewarePlugin => plugin
export const defineKeys = (plugin: KeysPlugin): KeysPlugin => plugin
