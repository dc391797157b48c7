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
  '/usr/share/texmf/fonts/opentype',
  '/System/Library/Fonts',
  '/Library/Fonts',
]

export interface FontConfig {
  readonly path: string
  readonly folders: readonly string[] // where fonts are
}

/** An office, and the location of its font configuration. */
export interface FontConfigParts {
  readonly program: string // path of soffice.bin, or of soffice where there is no other
  readonly folder: string // of the configuration
  readonly fontsDir: string | undefined // the fonts of the operator
  readonly index: string // a folder for its font index
}

/** Writes `<folder>/fonts.conf` for an office. */
export async function writeFontConfig({
  program,
  folder,
  fontsDir,
  index,
}: FontConfigParts): Promise<FontConfig> {
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
  const aliasRules = /<fontconfig>([\s\S]*)<\/fontconfig>/.exec(await readFile(aliases, 'utf8'))?.[1] ?? ''
  await writeFile(
    path,
    [
      '<?xml version="1.0"?>',
      '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
      '<fontconfig>',
      ...folders.map((folder) => `<dir>${escaped(folder)}</dir>`),
      // The index of the system is read; fonts that it lacks are indexed in a separate folder.
      '<cachedir>/var/cache/fontconfig</cachedir>',
      `<cachedir>${escaped(join(index, 'font-index'))}</cachedir>`,
      `<include>${escaped(included)}</include>`,
      '<include ignore_missing="yes">/etc/fonts/conf.d</include>',
      aliasRules,
      ...((await printsColour(program)) ? [] : [withoutColour]),
      '</fontconfig>',
      '',
    ].join('\n'),
  )
  return { path, folders }
}

/**
 * Whether an office prints glyphs that are bitmaps or coloured: LibreOffice does since 7.5; earlier versions omit
 * them (observed in 7.4). An unknown version is treated as new.
 */
async function printsColour(program: string): Promise<boolean> {
  const bootstrap = await readFile(join(dirname(program), 'bootstraprc'), 'utf8').catch(() => '')
  const [, major, minor] = /^ProductKey=\D*(\d+)\.(\d+)/m.exec(bootstrap) ?? []
  return major === undefined || Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 5)
}

/** Other fonts have emoji as outlines. */
const withoutColour =
  '<selectfont><rejectfont><pattern><patelt name="family"><string>Noto Color Emoji</string></patelt></pattern></rejectfont></selectfont>'

/**
 * Returns the folder itself if the user of the office can read it, otherwise a copy at `target`: an office that root
 * started runs as another user, who cannot enter a folder below /root.
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
