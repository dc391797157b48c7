/** What a route of a plugin may change in a finished PDF, and what it may read from one, as plain data. */

/** Changes in the order in which they are made: what is drawn first is turned with its page. */
export interface PdfChanges {
  /** Draws form fields and annotations into the pages and removes them. Links stay. */
  readonly flatten?: boolean
  readonly overlays?: readonly PdfOverlay[]
  readonly rotation?: {
    readonly angle: 90 | 180 | 270 // clockwise, added to the rotation that a page has
    readonly pages?: string // '1-3,5'; absent: all
  }
  /** Replaces the bookmarks. */
  readonly outline?: readonly OutlineItem[]
  /**
   * Properties by their names in the document information (ISO 32000-2, table 349) or, for `Copyright`, `Marked` and
   * `PDFVersion`, in the metadata. Dates are those of ISO 8601. Others than these are custom properties of the information.
   */
  readonly properties?: Readonly<Record<string, PropertyValue>>
}

export type PropertyValue = string | number | boolean | readonly string[]

export interface PdfOverlay {
  readonly layer: 'behind' | 'above' // the contents of the page
  readonly pages?: string // '1-3,5'; absent: all
  readonly content: OverlayText | OverlayPage
}

/** Text with the properties of the option `Watermarks` of PDF output, unchecked. */
export interface OverlayText {
  readonly watermark: Readonly<Record<string, unknown>>
}

/** The first page of a PDF, in the middle of the page or at one of its edges. */
export interface OverlayPage {
  readonly pdf: Uint8Array
  readonly anchor?: string // 'center', 'topLeft' and so on, as for text
  readonly offsetX?: number // pt
  readonly offsetY?: number // pt, upward
  readonly rotation?: number // degrees, counter-clockwise
  /** The share of the page's width and height that it may take; absent: as large as it is, but not larger than the page. */
  readonly scale?: number
  readonly opacity?: number // 0 to 1
}

export interface OutlineItem {
  readonly title: string
  readonly page: number // from 1
  readonly children: readonly OutlineItem[]
}

export interface PdfDescription {
  readonly version: number // 1.7
  readonly pageCount: number
  /** The part of PDF/A that the file declares, 0 for none. */
  readonly archive: number
  /** As in `PdfChanges`. */
  readonly properties: Readonly<Record<string, PropertyValue>>
  /** Bookmarks that lead to a page of the file. */
  readonly outline: readonly OutlineItem[]
}
