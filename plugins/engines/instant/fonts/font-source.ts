import type { WasmLoader } from '../text/complex-shaper.ts'
import type { ReadAt } from './sfnt/container.ts'
import type { FaceRecord } from './sfnt/face-record.ts'

/**
 * A source of fonts: a system folder, the fonts that ship with the engine, a bucket, or the document itself.
 * Its entries are known at once, the bytes of a face on demand.
 */
export interface FontSource {
  readonly entries: readonly FontEntry[]
  /** Whether programs of this machine find the same fonts, so that no other engine has a character that these lack. */
  readonly ofMachine?: boolean
  /** The complete file, when it is available at once. */
  read(entry: FontEntry): Uint8Array | undefined
  /**
   * How to read ranges of the file; undefined where it is only available as a whole. The ranges are those of the
   * file that `entry.record` describes: reading throws AppError 'font.damaged' once it is another one.
   */
  readAt?(entry: FontEntry): ReadAt | undefined
  /** For sources that answer later; `FontBook.prepare` calls this before layout. */
  fetch?(entry: FontEntry): Promise<Uint8Array | undefined>
  /**
   * Determines which scripts the entries have, when listing them did not reveal that. Called when a character
   * is missing.
   */
  survey?(): Promise<void>
  /** How the host of the fonts loads HarfBuzz, for scripts that need it. */
  readonly complex?: WasmLoader
  /**
   * How it loads HarfBuzz's subsetter, for variable fonts; without it they are used with their default axes.
   */
  readonly subsetter?: WasmLoader
}

/** A position on the axes of a variable font. Axes that are not named keep their default. */
export type VariationCoordinates = readonly { readonly axis: string; readonly value: number }[]

/** One face of one file, described without parsing it. */
export interface FontEntry {
  readonly key: string // identifies the file within its source
  readonly index: number // face of a collection
  readonly family: string
  readonly names: readonly string[] // lower case; family and full names in every language
  readonly weight: number
  readonly width: number // 1..9, 5 is normal
  readonly italic: boolean
  readonly unicodeRanges: readonly [number, number, number, number]
  readonly version: number // head.fontRevision: of two files of one face the newest is used
  /** For a variable font: the position of this face on its axes. Stored in indexes of fonts under this name. */
  readonly place?: VariationCoordinates
  /** The record of the face in an index; for a variable font, that of its default axes. */
  readonly record?: FaceRecord
}

/**
 * Combines sources: the first that has a family provides it. The result answers later only when one of them does:
 * otherwise everything can be looked up during layout, and nothing has to be searched for in advance.
 */
export function joinSources(...sources: readonly FontSource[]): FontSource {
  const owner = new Map<FontEntry, FontSource>()
  const entries: FontEntry[] = []
  for (const source of sources) {
    for (const entry of source.entries) {
      owner.set(entry, source)
      entries.push(entry)
    }
  }
  const isFetching = sources.some((source) => source.fetch !== undefined)
  return {
    entries,
    read: (entry) => owner.get(entry)?.read(entry),
    readAt: (entry) => owner.get(entry)?.readAt?.(entry),
    ...(isFetching && {
      fetch: async (entry: FontEntry) => owner.get(entry)?.fetch?.(entry),
      survey: async () => {
        await Promise.all(sources.map((source) => source.survey?.()))
      },
    }),
    complex: sources.find(({ complex }) => complex !== undefined)?.complex,
    subsetter: sources.find(({ subsetter }) => subsetter !== undefined)?.subsetter,
  }
}
