import type { FormatId, Warning } from './values.ts'

/** A document of a caller that an office is to open, as it is posted to the thread that reads it before. */
export interface IncomingDocument {
  readonly bytes: Uint8Array
  readonly from: FormatId
  /** The pictures of the document that were fetched, by address. Absent: nothing has been fetched yet. */
  readonly pictures?: ReadonlyMap<string, FetchedPicture>
}

/** A file with its media type, or why it could not be fetched, without its address. */
export type FetchedPicture =
  | { readonly failed: string }
  | { readonly type: string; readonly bytes: Uint8Array }

/**
 * 'pictures': these addresses are to be fetched first. 'refused': it cannot be read, so it is unknown what it would load.
 * 'scanned': `bytes` are absent where nothing was changed; with `leavesTraces` the office that opens it must not open the
 * document of anybody else afterwards.
 */
export type IncomingScan =
  | { readonly kind: 'pictures'; readonly urls: readonly string[] }
  | { readonly kind: 'refused'; readonly because: string }
  | {
      readonly kind: 'scanned'
      readonly bytes?: Uint8Array
      readonly warnings: readonly Warning[]
      readonly leavesTraces: boolean
    }
