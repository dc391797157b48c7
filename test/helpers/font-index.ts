import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { folderFonts } from '../../origin/fonts/folder-fonts.ts'
import { systemFontFolders } from '../../origin/fonts/system-folders.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Names the index of the fonts of this machine, where a run has one. */
const variable = 'PLATEN_TEST_FONT_INDEX'

/**
 * Makes that index once for the run: each origin has a data folder of its own, and would read all fonts again. Where every
 * process waited until it needs one, all that begin with the run would make it at the same time.
 */
export default function shareFontIndex(): () => void {
  if (process.env[variable] !== undefined) return () => undefined // by another project of the run
  const folder = temporaryFolder('platen-font-index')
  const index = join(folder, 'fonts-system.json')
  process.env[variable] = index
  void folderFonts(systemFontFolders(), index).entries
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Puts the index into a data folder that is new. An origin still compares the size and time of each file. */
export function putFontIndex(dataDir: string): void {
  const index = process.env[variable]
  if (index === undefined) return
  if (!existsSync(index)) void folderFonts(systemFontFolders(), index).entries
  const cache = join(dataDir, 'cache')
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  copyFileSync(index, join(cache, 'fonts-system.json'))
}
