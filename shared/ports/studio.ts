/** A built file of the template studio (docs/decisions/studio.md). */
export interface StudioFile {
  readonly type: string // media type
  readonly etag: string // with its quotes
  readonly text: string
}

/** The template studio of a service on which it is enabled. */
export interface Studio {
  readonly files: Readonly<Record<string, StudioFile>> // by name: 'page.html', 'element.js'
  /**
   * Whether the `Authorization` header of a request is correct. Takes the same time for every incorrect one.
   */
  admits(authorization: string | undefined): Promise<boolean>
}
