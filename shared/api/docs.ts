/** One page of the documentation as it is served, self-contained. */
export interface DocPage {
  readonly etag: string // with its quotes
  /** Content-Security-Policy: the hashes of the style and the script inside the page. */
  readonly policy: string
  readonly html: string
}

/** The documentation of a service that has it switched on. */
export interface Docs {
  /** `id`: 'index', 'api', 'decisions-pdf-encryption'. Undefined for a page that does not exist. */
  page(id: string): Promise<DocPage | undefined>
}

export const isDocId = (id: string): boolean => /^[A-Za-z0-9-]{1,100}$/.test(id)
