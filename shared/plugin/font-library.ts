/**
 * The fonts that a host offers to engines that lay out text themselves. The list is complete from the start;
 * the bytes are loaded on demand.
 */
export interface FontLibrary {
  readonly entries: readonly LibraryFont[]
  /** Returns the whole file when it can be read synchronously. */
  read(font: LibraryFont): Uint8Array | undefined
  /** Loads the whole file, on hosts that cannot read it synchronously. Called before text is laid out. */
  fetch?(font: LibraryFont): Promise<Uint8Array | undefined>
}

/** One face of one file, described without parsing it. */
export interface LibraryFont {
  readonly key: string // identifies the file
  readonly index: number // of the face in a font collection, else 0
  readonly family: string
  readonly names: readonly string[] // lower case; family and full names in every language
  readonly weight: number // usWeightClass of OpenType: 400 is regular, 700 bold
  readonly width: number // usWidthClass of OpenType: 1 to 9, 5 is normal
  readonly italic: boolean
  readonly unicodeRanges: readonly [number, number, number, number] // ulUnicodeRange1 to 4 of OpenType
  readonly version: number
}
