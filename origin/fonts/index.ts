/**
 * Fonts of the machine for the instant engine: the folder of the service, the folders of the system, then the fonts that
 * ship with the engine. What a folder holds is read once, a few kilobytes a file, and remembered on disk; font files are
 * read when a document asks for them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledFonts } from '../../plugins/engines/instant/fonts/bundled.ts'
import { type FontSource, joinSources } from '../../plugins/engines/instant/fonts/font-source.ts'
import { nodeCodec } from '../codec.ts'
import { folderFonts, stateOfFolders } from './folder-fonts.ts'
import { loadHarfBuzz, loadSubsetter } from './harfbuzz.ts'
import { systemFontFolders } from './system-folders.ts'

export interface MachineFontsSettings {
  /** Its `fonts/` comes before that of `dataDir`, where it is another folder. */
  readonly workdir?: string
  /** `fonts/` in here wins over the fonts of the system; the index is kept in `cache/`. */
  readonly dataDir: string
  /** Absent: the folders of the operating system. */
  readonly systemFolders?: readonly string[]
}

/** How often the folder of the service is looked at, ms: a stat for each of its files. */
const lookEvery = 1000

/**
 * The fonts of the machine, asked again for each document: fonts that are put into `fonts/` or taken away count from the next second on.
 * Those of the system count from the start. What has not changed is the same object.
 */
export function machineFontsNow({
  dataDir,
  workdir = dataDir,
  systemFolders = systemFontFolders(),
  now = Date.now,
}: MachineFontsSettings & { readonly now?: () => number }): () => FontSource {
  const cache = (name: string) => join(dataDir, 'cache', `fonts-${name}.json`)
  const folders = [...new Set([workdir, dataDir])].map((folder) => join(folder, 'fonts'))
  const others = joinSources(folderFonts(systemFolders, cache('system')), shippedFonts())
  let state: string | undefined
  let looked = Number.NEGATIVE_INFINITY
  let fonts: FontSource | undefined
  return () => {
    if (fonts !== undefined && now() - looked < lookEvery) return fonts
    looked = now()
    const present = stateOfFolders(folders)
    if (fonts !== undefined && present === state) return fonts
    state = present
    const own = folderFonts(folders, cache('own'))
    fonts = { ...joinSources(own, others), complex: loadHarfBuzz, subsetter: loadSubsetter }
    return fonts
  }
}

const bundledFolder = new URL('../../plugins/engines/instant/assets/fonts/', import.meta.url)

/** The fonts that ship with the engine, read from its folder. */
export function shippedFonts(): FontSource {
  return bundledFonts({ read: (file) => readFileSync(new URL(file, bundledFolder)) }, nodeCodec)
}
