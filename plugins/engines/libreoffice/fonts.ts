/**
 * The fonts of the office: those of the system, those of the operator, and aliases that are the same as in the
 * instant engine, so that both set a document in the same face.
 */
import { constants } from 'node:fs'
import { copyFile, cp, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const aliases = fileURLToPath(new URL('fonts.conf', import.meta.url))
const systemFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/System/Library/Fonts',
  '/Library/Fonts',
]

export interface FontConfig {
  readonly path: string
  readonly folders: readonly string[] // where fonts are
}

/** Writes `<folder>/fonts.conf` for an office. `index` is a folder for its font index. */
export async function writeFontConfig(
  folder: string,
  fontsDir: string | undefined,
  index: string,
): Promise<FontConfig> {
  const folders = [
    ...(fontsDir === undefined ? [] : [await readableCopy(fontsDir, join(folder, 'fonts'))]),
    ...systemFolders,
    join(homedir(), '.fonts'),
    join(homedir(), '.local/share/fonts'),
  ]
  const path = join(folder, 'fonts.conf')
  // The user of the office may not be able to enter the folder that the service is installed in.
  const included = join(folder, 'aliases.conf')
  await copyFile(aliases, included)
  // The aliases are repeated after the rules of the system, which name other substitutes (Nimbus Roman for Times),
  // because the last rule has precedence. A file is read only once, so the rules are copied.
  const again = /<fontconfig>([\s\S]*)<\/fontconfig>/.exec(await readFile(aliases, 'utf8'))?.[1] ?? ''
  await writeFile(
    path,
    [
      '<?xml version="1.0"?>',
      '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
      '<fontconfig>',
      ...folders.map((one) => `<dir>${escaped(one)}</dir>`),
      // The index of the system is read; fonts that it lacks are indexed in a separate folder.
      '<cachedir>/var/cache/fontconfig</cachedir>',
      `<cachedir>${escaped(join(index, 'font-index'))}</cachedir>`,
      `<include>${escaped(included)}</include>`,
      '<include ignore_missing="yes">/etc/fonts/conf.d</include>',
      again,
      '</fontconfig>',
      '',
    ].join('\n'),
  )
  return { path, folders }
}

/**
 * The folder itself where the user of the office can read it, else a copy at `target`: an office that root started runs
 * as another user, who cannot enter a folder below /root.
 */
async function readableCopy(folder: string, target: string): Promise<string> {
  if (process.getuid?.() !== 0 || (await isReadableByOthers(folder))) return folder
  await cp(folder, target, { recursive: true, dereference: true, mode: constants.COPYFILE_FICLONE })
  return target
}

async function isReadableByOthers(folder: string): Promise<boolean> {
  const readAndEnter = 0o005
  const enter = 0o001
  if (((await stat(folder)).mode & readAndEnter) !== readAndEnter) return false
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above))
    if (((await stat(above)).mode & enter) === 0) return false
  return true
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
