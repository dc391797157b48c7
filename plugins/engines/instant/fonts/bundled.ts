import type { Codec } from '../../../../shared/plugin/values.ts'
import type { FontEntry, FontSource } from './font-source.ts'

/**
 * The fonts in `assets/fonts/`: enough for Latin, Greek and Cyrillic when nothing is installed, as in a
 * Worker. Built by `test/run/build-bundled-fonts.ts`, raw-deflated. They have names of their own, as their
 * licences require, and are found by the names of the fonts from which they were made.
 */
export interface BundledFace {
  readonly file: string
  readonly original: string
  readonly family: string
  readonly alias: string
  readonly style: 'Regular' | 'Bold' | 'Italic' | 'Bold Italic'
}

const families = [
  ['Platen Sans', 'Liberation Sans'],
  ['Platen Serif', 'Liberation Serif'],
  ['Platen Mono', 'Liberation Mono'],
  ['Platen Humanist', 'Carlito'],
  ['Platen Text', 'Caladea'],
] as const
const styles = ['Regular', 'Bold', 'Italic', 'Bold Italic'] as const

export const bundledFaces: readonly BundledFace[] = families.flatMap(([family, alias]) =>
  styles.map((style) => {
    const suffix = style.replace(' ', '')
    return {
      file: `${family.toLowerCase().replace(' ', '-')}-${suffix.toLowerCase()}.bin`,
      original: `${alias.replace(' ', '')}-${suffix}`,
      family,
      alias,
      style,
    }
  }),
)

/** Unicode blocks that the faces cover, as bits of ulUnicodeRange. */
const coveredBits = [0, 1, 2, 3, 5, 6, 7, 9, 29, 31, 32, 33, 35, 36, 37, 38, 39, 43, 44, 45, 46, 47, 62, 69]
const unicodeRanges = [0, 1, 2, 3].map((word) =>
  coveredBits.reduce((bits, bit) => (bit >> 5 === word ? bits | (1 << (bit & 31)) : bits), 0),
) as [number, number, number, number]

/** Buffer for the largest face, 170 KB, with some reserve. */
const maxFaceBytes = 1_000_000

/** How a host provides the files: `read` when they are available at once, `fetch` when they arrive later. */
export interface BundledFiles {
  read?(file: string): Uint8Array | undefined
  fetch?(file: string): Promise<Uint8Array | undefined>
}

export function bundledFonts(files: BundledFiles, codec: Codec): FontSource {
  const unpack = (bytes: Uint8Array | undefined) => bytes && codec.inflateRaw(bytes, maxFaceBytes)
  return {
    entries: bundledFaces.map(toEntry),
    read: (entry) => unpack(files.read?.(entry.key)),
    fetch: files.fetch === undefined ? undefined : async (entry) => unpack(await files.fetch!(entry.key)),
  }
}

function toEntry({ file, family, alias, style }: BundledFace): FontEntry {
  return {
    key: file,
    index: 0,
    family,
    names: [family.toLowerCase(), alias.toLowerCase()],
    weight: style.startsWith('Bold') ? 700 : 400,
    width: 5,
    italic: style.endsWith('Italic'),
    unicodeRanges,
    version: 1,
  }
}
