import type { WasmLoader } from '../text/complex-shaper.ts'

/**
 * Where fonts come from. What exists is known at once, the bytes of a face on demand: a folder of the system, the pack
 * that ships with the engine, a bucket, the document itself.
 */
export interface FontSource {
  readonly entries: readonly FontEntry[]
  /** The whole file, when it can be had at once. */
  read(entry: FontEntry): Uint8Array | undefined
  /** For sources that answer later; `FontBook.prepare` asks here before text is laid out. */
  fetch?(entry: FontEntry): Promise<Uint8Array | undefined>
  /** Finds out which scripts the entries have, where listing them did not tell: asked once a character is missing. */
  survey?(): Promise<void>
  /** How the side the fonts are on loads HarfBuzz, for scripts that need it. */
  readonly complex?: WasmLoader
  /** How it loads HarfBuzz's subsetter, for variable fonts; without it they are set as they stand by default. */
  readonly subsetter?: WasmLoader
}

/** A place on the axes of a variable font. Axes that are not named stay at their default. */
export type FontPlace = readonly { readonly axis: string; readonly value: number }[]

/** One face of one file, described without parsing it. */
export interface FontEntry {
  readonly key: string // names the file within its source
  readonly index: number // face of a collection
  readonly family: string
  readonly names: readonly string[] // lower case; family and full names in every language
  readonly weight: number
  readonly width: number // 1..9, 5 is normal
  readonly italic: boolean
  readonly unicodeRanges: readonly [number, number, number, number]
  readonly version: number // head.fontRevision: the newest of two files of one face is taken
  /** Of a variable font: where on its axes this face is. */
  readonly place?: FontPlace
}

/** The sources asked one after another: the first that has a family sets it. */
export function joinSources(...sources: readonly FontSource[]): FontSource {
  const owner = new Map<FontEntry, FontSource>()
  const entries: FontEntry[] = []
  for (const source of sources) {
    for (const entry of source.entries) {
      owner.set(entry, source)
      entries.push(entry)
    }
  }
  return {
    entries,
    read: (entry) => owner.get(entry)?.read(entry),
    fetch: async (entry) => owner.get(entry)?.fetch?.(entry),
    survey: async () => {
      await Promise.all(sources.map((source) => source.survey?.()))
    },
    complex: sources.find(({ complex }) => complex !== undefined)?.complex,
    subsetter: sources.find(({ subsetter }) => subsetter !== undefined)?.subsetter,
  }
}
