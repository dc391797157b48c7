/** One violation of a rule by an invoice. */
export interface InvoiceProblem {
  /** 'BR-02', 'BR-DE-15', or for problems without a business rule: 'SCHEMA', 'PROFILE', 'XML'. */
  readonly rule: string
  readonly severity: 'error' | 'warning'
  /** 'BT-1' or 'BG-25'; '' if the rule applies to an element. */
  readonly field: string
  /** The path of the element, or of the missing element. */
  readonly path: string
  /** What is required, with a suggestion; it never quotes the invoice. */
  readonly message: string
}
