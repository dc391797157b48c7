/**
 * Which fonts a document requested, which were used, and which were substituted. Returned in the
 * `service-fonts` header to clients that send one.
 */
export interface FontsReport {
  readonly requested: readonly RequestedFont[]
  readonly used: readonly string[] // families, sorted
  /** The versions of those fonts, by family, as their name tables call them. */
  readonly versions: Readonly<Record<string, string>>
  readonly substituted: readonly { readonly family: string; readonly by: string }[]
  readonly missing: readonly MissingGlyph[]
}
export interface RequestedFont {
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
  readonly used: string // the family that was used, equal to `family` unless it was substituted
  readonly imitated: readonly ('bold' | 'italic' | 'width')[] // attributes that were synthesized from another face
}
/** A character that no font contains. It is drawn as a box. */
export interface MissingGlyph {
  readonly character: string // 'U+1F600'
  readonly family: string
}
