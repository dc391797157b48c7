import type { ByteSource, FormatId, Warning } from '../plugin/contract.ts'

/**
 * Another place where renders are made whose body is more than this one can hold: the origin of an edge. Bodies pass
 * through as streams.
 */
export interface RenderRelay {
  /** Bodies above this many bytes are handed over. */
  readonly aboveBytes: number
  /** Throws what the render throws there, and 'origin.down'. */
  render(job: RelayedRender, signal: AbortSignal): Promise<RelayedDocument>
}

export interface RelayedRender extends RelayedTerms {
  /** Absent: it comes in the body. */
  readonly template?: { readonly format: FormatId; readonly hash: string; readonly source: ByteSource }
  readonly body: ReadableStream<Uint8Array> // of the request, JSON
  readonly deadline: number // ms since the epoch
}

/** What a render is subject to besides its body. */
export interface RelayedTerms {
  readonly major: 3 | 4 | 5
  readonly test: boolean // with a test token
  readonly waits: boolean // the caller waits for its end
  readonly egressAuthorization?: string
}

export interface RelayedDocument {
  readonly source: ByteSource
  readonly format: FormatId
  readonly name: string // without extension
  readonly warnings: readonly Warning[]
  readonly credits: number // that its documents and their data amount to
}
