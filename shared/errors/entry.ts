/** One row of the error catalogue; see `catalogue.ts`. */
export interface CatalogueEntry {
  readonly status: number
  readonly blame: 'caller' | 'document' | 'engine' | 'us'
  readonly message: string
  readonly hint?: string
  readonly wire?: string
}
