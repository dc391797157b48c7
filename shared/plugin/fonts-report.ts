/** What became of the fonts a document asked for; sent to clients that ask with the `service-fonts` header. */
export interface FontsReport {
  readonly requested: readonly RequestedFont[]
  readonly used: readonly string[] // families, sorted
  readonly substituted: readonly { readonly family: string; readonly by: string }[]
  readonly missing: readonly MissingGlyph[]
}
export interface RequestedFont {
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
  readonly used: string // family set in its place, or the same
  readonly imitated: readonly ('bold' | 'italic' | 'width')[]
}
/** A character no font has: drawn as a box. */
export interface MissingGlyph {
  readonly character: string // 'U+1F600'
  readonly family: string
}
