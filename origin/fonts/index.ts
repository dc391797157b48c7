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
import { folderFonts } from './folder-fonts.ts'
import { loadHarfBuzz } from './harfbuzz.ts'
import { systemFontFolders } from './system-folders.ts'

export interface MachineFontsSettings {
  /** `fonts/` in here wins over everything; the index is kept in `cache/`. */
  readonly dataDir: string
  /** Absent: the folders of the operating system. */
  readonly systemFolders?: readonly string[]
}

export function machineFonts({
  dataDir,
  systemFolders = systemFontFolders(),
}: MachineFontsSettings): FontSource {
  const cache = (name: string) => join(dataDir, 'cache', `fonts-${name}.json`)
  const fonts = joinSources(
    folderFonts([join(dataDir, 'fonts')], cache('own')),
    folderFonts(systemFolders, cache('system')),
    shippedFonts(),
  )
  return { ...fonts, complex: loadHarfBuzz }
}

const bundledFolder = new URL('../../plugins/engines/instant/assets/fonts/', import.meta.url)

/** The fonts that ship with the engine, read from its folder. */
export function shippedFonts(): FontSource {
  return bundledFonts({ read: (file) => readFileSync(new URL(file, bundledFolder)) }, nodeCodec)
}
