/**
 * Fonts for the instant engine: first those in the folders of the service, then those of the system, then
 * those that ship with the engine. Folders are indexed once, which reads names, metrics and character maps, and
 * the index is cached on disk. Of font files, documents read the tables and glyphs that they use.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledFonts } from '../../plugins/engines/instant/fonts/bundled.ts'
import { type FontSource, joinSources } from '../../plugins/engines/instant/fonts/font-source.ts'
import { nodeCodec } from '../codec.ts'
import { type FolderFonts, folderFonts, stateOfFolders } from './folder-fonts.ts'
import { loadHarfBuzz, loadSubsetter } from './harfbuzz.ts'
import { systemFontFolders } from './system-folders.ts'

export interface MachineFontsSettings {
  /** Its folder `fonts/` takes precedence over that of `dataDir`. */
  readonly workdir?: string
  /**
   * Its folder `fonts/` takes precedence over the fonts of the system. The index is in its folder `cache/`.
   */
  readonly dataDir: string
  /** Absent: the folders of the operating system. */
  readonly systemFolders?: readonly string[]
}

/**
 * How often the folders of the service are checked, in milliseconds. A check calls `stat` for each of their
 * files.
 */
const checkEveryMs = 1000

/**
 * Returns a function that returns the current fonts, to be called for each document. Changes in `fonts/` take effect
 * after at most `checkEveryMs`; the fonts of the system are indexed once, and again when one of their files has
 * changed. While nothing has changed, the same object is returned.
 */
export function machineFontsNow({
  dataDir,
  workdir = dataDir,
  systemFolders = systemFontFolders(),
  now = Date.now,
}: MachineFontsSettings & { readonly now?: () => number }): () => FontSource {
  const cache = (name: string) => join(dataDir, 'cache', `fonts-${name}.json`)
  const folders = [...new Set([workdir, dataDir])].map((folder) => join(folder, 'fonts'))
  const shipped = shippedFonts()
  let system = folderFonts(systemFolders, cache('system'))
  let operatorFonts: FolderFonts | undefined
  let state: string | undefined
  let checked = Number.NEGATIVE_INFINITY
  let fonts: FontSource | undefined
  return () => {
    const isStale = system.stale || operatorFonts?.stale === true
    if (fonts !== undefined && !isStale && now() - checked < checkEveryMs) return fonts
    checked = now()
    const present = stateOfFolders(folders)
    if (fonts !== undefined && !isStale && present === state) return fonts
    state = present
    if (system.stale) system = folderFonts(systemFolders, cache('system'))
    operatorFonts = folderFonts(folders, cache('own'))
    fonts = {
      ...joinSources(operatorFonts, system, shipped),
      ofMachine: true,
      complex: loadHarfBuzz,
      subsetter: loadSubsetter,
    }
    return fonts
  }
}

const bundledFolder = new URL('../../plugins/engines/instant/assets/fonts/', import.meta.url)

/** The fonts that ship with the engine, read from its folder. */
export function shippedFonts(): FontSource {
  return bundledFonts({ read: (file) => readFileSync(new URL(file, bundledFolder)) }, nodeCodec)
}
