import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderFonts } from '../../../origin/fonts/folder-fonts.ts'
import { machineFontsNow, shippedFonts } from '../../../origin/fonts/index.ts'
import { systemFontFolders } from '../../../origin/fonts/system-folders.ts'
import { createFontBook } from '../../../plugins/engines/instant/fonts/font-book.ts'
import { shippedBytes } from '../../helpers/instant-fonts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonts-'))
  mkdirSync(join(folder, 'fonts/deep/er'), { recursive: true })
  writeFileSync(join(folder, 'fonts/text.ttf'), shippedBytes('platen-text-regular.bin'))
  copyFileSync('test/fixtures/fonts/lohit-few.ttf', join(folder, 'fonts/deep/er/lohit.TTF'))
  writeFileSync(join(folder, 'fonts/broken.otf'), 'not a font')
  writeFileSync(join(folder, 'fonts/readme.txt'), 'not a font either')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const families = (source: { entries: readonly { family: string }[] }) =>
  source.entries.map(({ family }) => family).sort()

describe('a folder of fonts', () => {
  test('is searched to its depths; what is no font is passed over', () => {
    expect(families(folderFonts([join(folder, 'fonts')]))).toEqual(['Lohit Devanagari', 'Platen Text'])
  })
  test('is described without opening more than the head of each file', () => {
    const [entry] = folderFonts([join(folder, 'fonts')]).entries.filter(
      ({ family }) => family === 'Platen Text',
    )
    expect(entry).toMatchObject({ index: 0, weight: 400, width: 5, italic: false, names: ['platen text'] })
  })
  test('gives the bytes of a file, and nothing once it is gone', () => {
    const source = folderFonts([join(folder, 'fonts')])
    const entry = source.entries.find(({ family }) => family === 'Platen Text')!
    expect(source.read(entry)).toHaveLength(shippedBytes('platen-text-regular.bin').length)
    rmSync(join(folder, 'fonts/text.ttf'))
    expect(source.read(entry)).toBeUndefined()
  })
  test('that is not there is an empty one', () => {
    expect(folderFonts([join(folder, 'nowhere')]).entries).toEqual([])
  })
  test('with links that run in a circle ends', () => {
    symlinkSync(join(folder, 'fonts'), join(folder, 'fonts/deep/loop'))
    expect(families(folderFonts([join(folder, 'fonts')])).length).toBeLessThan(40)
  })
  test('has the newest version of a family first', () => {
    const old = Uint8Array.from(shippedBytes('platen-text-regular.bin'))
    const view = new DataView(old.buffer)
    for (let table = 0; table < view.getUint16(4); table++) {
      if (view.getUint32(12 + 16 * table) === 0x68656164)
        view.setInt32(view.getUint32(12 + 16 * table + 8) + 4, 1)
    }
    writeFileSync(join(folder, 'fonts/a-old.ttf'), old)
    const keys = folderFonts([join(folder, 'fonts')])
      .entries.filter(({ family }) => family === 'Platen Text')
      .map(({ key }) => key)
    expect(keys.map((key) => key.slice(folder.length))).toEqual(['/fonts/text.ttf', '/fonts/a-old.ttf'])
  })
})

describe('the index on disk', () => {
  const index = () => join(folder, 'cache/fonts.json')
  test('spares reading files that have not changed', () => {
    const path = join(folder, 'fonts/text.ttf')
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    expect(folderFonts([join(folder, 'fonts')], index()).entries).toHaveLength(2)
    // The same size and time, other content: only the index can still know the name.
    writeFileSync(path, new Uint8Array(statSync(path).size))
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    expect(families(folderFonts([join(folder, 'fonts')], index()))).toEqual([
      'Lohit Devanagari',
      'Platen Text',
    ])
    expect(families(folderFonts([join(folder, 'fonts')]))).toEqual(['Lohit Devanagari'])
  })
  test('follows files that come, change and go', () => {
    folderFonts([join(folder, 'fonts')], index()).entries
    rmSync(join(folder, 'fonts/text.ttf'))
    copyFileSync('test/fixtures/fonts/cantarell-few.otf', join(folder, 'fonts/new.otf'))
    expect(families(folderFonts([join(folder, 'fonts')], index()))).toEqual(['Cantarell', 'Lohit Devanagari'])
    expect(JSON.parse(readFileSync(index(), 'utf8')).files).toHaveLength(3)
  })
  test.each(['', 'no json', '{"version":2}', '{"version":0,"files":[]}'])(
    'that reads %j is made anew',
    (text) => {
      mkdirSync(join(folder, 'cache'))
      writeFileSync(index(), text)
      expect(folderFonts([join(folder, 'fonts')], index()).entries).toHaveLength(2)
    },
  )
  test('that cannot be written is done without', () => {
    writeFileSync(join(folder, 'cache'), 'a file where the folder should be')
    expect(folderFonts([join(folder, 'fonts')], index()).entries).toHaveLength(2)
  })
})

describe('the fonts of the machine', () => {
  test('follow the folder of the service while it runs', () => {
    let now = 0
    const fonts = machineFontsNow({ dataDir: folder, systemFolders: [], now: () => now })
    const set = (family: string) => createFontBook(fonts()).forDocument().face(family, false, false).family
    expect(set('Cantarell')).toBe('Platen Sans')
    copyFileSync('test/fixtures/fonts/cantarell-few.otf', join(folder, 'fonts/new.otf'))
    expect(set('Cantarell')).toBe('Platen Sans') // looked at once a second
    now += 1000
    expect(set('Cantarell')).toBe('Cantarell')
    const before = fonts()
    now += 1000
    expect(fonts()).toBe(before)
    rmSync(join(folder, 'fonts'), { recursive: true })
    now += 1000
    expect(set('Cantarell')).toBe('Platen Sans')
    mkdirSync(join(folder, 'fonts'))
    copyFileSync('test/fixtures/fonts/inter-vietnamese.woff2', join(folder, 'fonts/web.woff2'))
    now += 1000
    expect(set('Inter')).toBe('Inter')
  })
  test('are those of the service, then the system, then the shipped ones', () => {
    const source = machineFontsNow({ dataDir: folder, systemFolders: [] })()
    expect(source.entries).toHaveLength(2 + shippedFonts().entries.length)
    expect(source.entries[0]!.key).toContain(folder)
    expect(createFontBook(source).forDocument().face('Lohit Devanagari', false, false).family).toBe(
      'Lohit Devanagari',
    )
    expect(createFontBook(source).forDocument().face('Arial', false, false).family).toBe('Platen Sans')
  })
  test('lie beside the data or below it', () => {
    const dataDir = join(folder, '.data')
    const set = () =>
      createFontBook(machineFontsNow({ workdir: folder, dataDir, systemFolders: [] })()).forDocument()
    expect(set().face('Lohit Devanagari', false, false).family).toBe('Lohit Devanagari')
    mkdirSync(join(dataDir, 'fonts'), { recursive: true })
    copyFileSync('test/fixtures/fonts/cantarell-few.otf', join(dataDir, 'fonts/new.otf'))
    expect(set().face('Cantarell', false, false).family).toBe('Cantarell')
    expect(set().face('Lohit Devanagari', false, false).family).toBe('Lohit Devanagari')
  })
  test('every shipped face can be read and has the name it is listed under', () => {
    const source = shippedFonts()
    for (const entry of source.entries) {
      const book = createFontBook({ entries: [entry], read: source.read })
      expect(book.forDocument().face(entry.family, entry.weight > 500, entry.italic)).toMatchObject({
        family: entry.family,
        synthetic: { bold: false, slant: false, scaleX: 1 },
      })
    }
  })
  test.each(['linux', 'darwin', 'win32'] as const)('on %s have folders', (platform) => {
    expect(systemFontFolders(platform, '/home/me').length).toBeGreaterThan(1)
  })
})
