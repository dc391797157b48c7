/**
 * The kind of plugins that answer HTTP requests of their own on an origin, by what the service can do: conversions within its
 * limits, operations on PDFs, outbound calls under its policy. The service authenticates, limits and logs these requests
 * as its own.
 */
import type { Blame } from '../errors/app-error.ts'
import type { PdfChanges, PdfDescription } from './pdf-changes.ts'
import type { FormatId } from './values.ts'

export interface RoutesPlugin {
  readonly kind: 'routes'
  readonly contract: 1
  readonly id: string
  readonly routes: readonly PluginRoute[]
}

export interface PluginRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string // '/forms/merge', without parameters
  /** 'open': for everybody; 'account': only with a token while authentication is on. */
  readonly scope: 'open' | 'account'
  run(request: RouteRequest, host: RouteHost): Promise<RouteResponse>
  /** The answer to a failure. Absent: the service answers with its own JSON. */
  refuse?(failure: RouteFailure, request: RouteRequest): RouteResponse
}

export interface RouteRequest {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  /** The ID of the request in the log. */
  readonly id: string
  /** Reads the body as multipart/form-data, within the limit of a body. Can be called once. */
  form(): Promise<RouteForm>
}

export interface RouteForm {
  /** The last value of each field. */
  readonly fields: ReadonlyMap<string, string>
  readonly files: readonly RouteFile[]
}

export interface RouteFile {
  readonly field: string
  readonly name: string
  readonly bytes: Uint8Array
}

export interface RouteResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // lower-case names
  readonly body: string | Uint8Array
}

/** A failure as the service describes it to callers. */
export interface RouteFailure {
  readonly code: string
  readonly status: number
  readonly blame: Blame
  readonly message: string
}

/** What a route may use. All of it stops at the deadline of the request, and when its caller leaves. */
export interface RouteHost {
  readonly version: string
  /** The format of an extension without its dot; undefined for one that the service does not know. */
  formatOf(extension: string): FormatId | undefined
  /** Converts a file; `options` are those of the output. Throws what a render throws. */
  convert(conversion: RouteConversion): Promise<Uint8Array>
  /** Joins PDFs in their order. */
  join(files: readonly Uint8Array[]): Promise<Uint8Array>
  /** Changes a finished PDF. */
  amend(pdf: Uint8Array, changes: PdfChanges): Promise<Uint8Array>
  describe(pdf: Uint8Array): Promise<PdfDescription>
  /** Embeds files in a PDF, as associated files of it; an electronic invoice among them is declared and checked. */
  attach(pdf: Uint8Array, files: readonly AttachedFile[], invoice?: AttachedInvoice): Promise<Uint8Array>
  /** Whether each engine works. */
  health(): Promise<readonly { readonly id: string; readonly ok: boolean }[]>
  /** Packs files with unique names. */
  zip(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<Uint8Array>
  /**
   * Calls an address under the policy of the operator. All answers of one request together have the size that the operator
   * allows for downloads. Throws for a call that is refused or fails.
   */
  fetch(url: string, call?: RouteCall): Promise<RouteAnswer>
  /** Whether the policy refuses an address by its text. */
  refuses(url: string): boolean
  /**
   * Runs work after the answer, with a deadline of its own, as long as the process lives. Its failures are logged only.
   * Throws where too much of it is under way.
   */
  later(work: (host: RouteHost) => Promise<void>): void
  /** A failure of what this host does, as the service describes it to callers. */
  failureOf(error: unknown): RouteFailure
}

export interface RouteCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface RouteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // lower-case names
  readonly body: Uint8Array
}

export interface AttachedFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** Absent: by the extension of the name. */
  readonly mimeType?: string
  readonly relationship: 'Source' | 'Data' | 'Alternative' | 'Supplement' | 'Unspecified'
}

/** The file named `factur-x.xml` or `xrechnung.xml` is the invoice. The PDF must be PDF/A-3. */
export interface AttachedInvoice {
  /** 'EN 16931', 'BASIC' and so on. */
  readonly profile: string
}

export interface RouteConversion {
  readonly source: Uint8Array
  readonly from: FormatId
  readonly to: FormatId
  readonly options?: Readonly<Record<string, unknown>>
  /** The letter of an engine. Absent: the default one. */
  readonly letter?: string
}

/** Returns its argument unchanged and only infers its type. */
export const defineRoutes = (plugin: RoutesPlugin): RoutesPlugin => plugin
