/** One self-contained page of the documentation, ready to be served. */
export interface DocPage {
  readonly etag: string // with its quotes
  /** The Content-Security-Policy, with the hashes of the inline style and script of the page. */
  readonly policy: string
  readonly html: string
}

/** The documentation of a service on which it is enabled. */
export interface Docs {
  /**
   * Loads a page by its ID, such as 'index', 'api' or 'decisions-pdf-encryption'. Undefined when it does not
   * exist.
   */
  page(id: string): Promise<DocPage | undefined>
}

/** Whether the text may be the ID of a page, which becomes part of a file name or URL. */
export const isDocId = (id: string): boolean => /^[A-Za-z0-9-]{1,100}$/.test(id)
