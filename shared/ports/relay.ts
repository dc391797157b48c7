import type { ByteSource, FormatId, Trace, Warning } from '../plugin/values.ts'
import type { Manifest } from '../provenance/manifest.ts'

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
  readonly template?: StoredTemplate & { readonly source: ByteSource }
  readonly body: ReadableStream<Uint8Array> // the JSON body of the request
  readonly deadline: number // ms since the epoch
}

/** A stored template and its ids. */
export interface StoredTemplate {
  readonly format: FormatId
  readonly hash: string // SHA-256 in lower-case hex
  readonly stored?: { readonly id?: string; readonly versionId: string }
}

/** The properties of a request, besides its body, that change how it is rendered. */
export interface RelayedTerms {
  readonly major: 3 | 4 | 5 // version of the API
  readonly test: boolean // requested with a test token
  readonly waits: boolean // whether the caller waits for the document instead of a webhook
  readonly egressAuthorization?: string
  readonly provenance?: true // requested by a header
  readonly trace?: Trace
}

export interface RelayedDocument {
  readonly source: ByteSource
  readonly format: FormatId
  readonly name: string // without extension
  readonly warnings: readonly Warning[]
  readonly manifest?: Manifest
  readonly credits: number // price of the render, by its documents and their data
}
