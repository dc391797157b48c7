/** One departure of an invoice from a rule. */
export interface InvoiceProblem {
  /** 'BR-02', 'BR-DE-15', or for what no business rule says: 'SCHEMA', 'PROFILE', 'XML'. */
  readonly rule: string
  readonly severity: 'error' | 'warning'
  /** 'BT-1' or 'BG-25'; '' where the rule is about an element. */
  readonly field: string
  /** The element, or where it would be. */
  readonly path: string
  /** What is required, with what to do; it never quotes the invoice. */
  readonly message: string
}
