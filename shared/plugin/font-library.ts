/** Fonts as a side offers them to engines that set text themselves: what exists at once, bytes on demand. */
export interface FontLibrary {
  readonly entries: readonly LibraryFont[]
  /** The whole file, when it can be had at once. */
  read(font: LibraryFont): Uint8Array | undefined
  /** For sides whose files come later: asked before text is laid out. */
  fetch?(font: LibraryFont): Promise<Uint8Array | undefined>
}

/** One face of one file, described without parsing it. */
export interface LibraryFont {
  readonly key: string // names the file
  readonly index: number // face of a collection
  readonly family: string
  readonly names: readonly string[] // lower case; family and full names in every language
  readonly weight: number
  readonly width: number // 1..9, 5 is normal
  readonly italic: boolean
  readonly unicodeRanges: readonly [number, number, number, number]
  readonly version: number
}
