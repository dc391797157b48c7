import type { Trace } from '../plugin/trace.ts'
import type { ByteSource, FormatId, Warning } from '../plugin/values.ts'

/**
 * Sends renders whose body is too large for this host to another one: an edge sends them to its origin.
 * Bodies are streamed through.
 */
export interface RenderRelay {
  /** Bodies of more bytes than this are sent to the other host. */
  readonly aboveBytes: number
  /** Throws what the render throws on the other host, and 'origin.down'. */
  render(job: RelayedRender, signal: AbortSignal): Promise<RelayedDocument>
}

export interface RelayedRender extends RelayedTerms {
  /** The stored template. Absent: the template is in the body. */
  readonly template?: { readonly format: FormatId; readonly hash: string; readonly source: ByteSource }
  readonly body: ReadableStream<Uint8Array> // the JSON body of the request
  readonly deadline: number // ms since the epoch
}

/** The properties of a request, besides its body, that change how it is rendered. */
export interface RelayedTerms {
  readonly major: 3 | 4 | 5 // version of the API
  readonly test: boolean // requested with a test token
  readonly waits: boolean // whether the caller waits for the document instead of a webhook
  readonly egressAuthorization?: string
  readonly trace?: Trace
}

export interface RelayedDocument {
  readonly source: ByteSource
  readonly format: FormatId
  readonly name: string // without extension
  readonly warnings: readonly Warning[]
  readonly credits: number // price of the render, by its documents and their data
}
