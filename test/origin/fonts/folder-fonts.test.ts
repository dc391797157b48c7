import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderFonts } from '../../../origin/fonts/folder-fonts.ts'
import { machineFontsNow, shippedFonts } from '../../../origin/fonts/index.ts'
import { systemFontFolders } from '../../../origin/fonts/system-folders.ts'
import { createFontBook } from '../../../plugins/engines/instant/fonts/font-book.ts'
import type { FontSource } from '../../../plugins/engines/instant/fonts/font-source.ts'
import instant from '../../../plugins/engines/instant/index.ts'
import { shape } from '../../../plugins/engines/instant/text/shape.ts'
import docx from '../../../plugins/formats/docx/index.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { docxOf } from '../../helpers/docx.ts'
import { testHost } from '../../helpers/host.ts'
import { pageOf, paint, shippedBytes } from '../../helpers/instant-fonts.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('fonts')
  mkdirSync(join(folder, 'fonts/deep/er'), { recursive: true })
  writeFileSync(join(folder, 'fonts/text.ttf'), shippedBytes('platen-text-regular.bin'))
  copyFileSync('test/fixtures/fonts/lohit-few.ttf', join(folder, 'fonts/deep/er/lohit.TTF'))
  writeFileSync(join(folder, 'fonts/broken.otf'), 'not a font')
  writeFileSync(join(folder, 'fonts/readme.txt'), 'not a font either')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The same source; `read` gives how many bytes of its files were read. */
function counted(source: FontSource): { readonly source: FontSource; read(): number } {
  let bytes = 0
  const counting: FontSource = {
    entries: source.entries,
    read(entry) {
      const complete = source.read(entry)
      bytes += complete?.byteLength ?? 0
      return complete
    },
    readAt(entry) {
      const readAt = source.readAt!(entry)!
      return (offset, length) => {
        const part = readAt(offset, length)
        bytes += part.byteLength
        return part
      }
    },
  }
  return { source: counting, read: () => bytes }
}

const families = (source: { entries: readonly { family: string }[] }) =>
  source.entries.map(({ family }) => family).sort()

describe('a folder of fonts', () => {
  test('is searched recursively; other files are ignored', () => {
    expect(families(folderFonts([join(folder, 'fonts')]))).toEqual(['Lohit Devanagari', 'Platen Text'])
  })
  test('is described without opening more than the head of each file', () => {
    const [entry] = folderFonts([join(folder, 'fonts')]).entries.filter(
      ({ family }) => family === 'Platen Text',
    )
    expect(entry).toMatchObject({ index: 0, weight: 400, width: 5, italic: false, names: ['platen text'] })
  })
  test('returns the bytes of a file, and undefined once it is removed', () => {
    const source = folderFonts([join(folder, 'fonts')])
    const entry = source.entries.find(({ family }) => family === 'Platen Text')!
    expect(source.read(entry)).toHaveLength(shippedBytes('platen-text-regular.bin').length)
    rmSync(join(folder, 'fonts/text.ttf'))
    expect(source.read(entry)).toBeUndefined()
  })
  test('that does not exist counts as empty', () => {
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
  test('avoids reading files that have not changed', () => {
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
  test('follows added, changed and removed files', () => {
    folderFonts([join(folder, 'fonts')], index()).entries
    rmSync(join(folder, 'fonts/text.ttf'))
    copyFileSync('test/fixtures/fonts/cantarell-few.otf', join(folder, 'fonts/new.otf'))
    expect(families(folderFonts([join(folder, 'fonts')], index()))).toEqual(['Cantarell', 'Lohit Devanagari'])
    expect(JSON.parse(readFileSync(index(), 'utf8').split('\n')[1]!)).toHaveLength(3)
  })
  test.each(['', 'no json', '{"version":2}', '{"version":0,"files":[]}'])(
    'that contains %j is rebuilt',
    (text) => {
      mkdirSync(join(folder, 'cache'))
      writeFileSync(index(), text)
      expect(folderFonts([join(folder, 'fonts')], index()).entries).toHaveLength(2)
    },
  )
  test('is readable by its user only, and rebuilt when a byte is wrong', () => {
    const before = folderFonts([join(folder, 'fonts')], index()).entries
    expect(statSync(index()).mode & 0o777).toBe(0o600)
    const bytes = readFileSync(index())
    const at = bytes.indexOf('"unitsPerEm":') + 13
    bytes[at] = bytes[at] === 0x39 ? 0x38 : 0x39 // still JSON, but not what was written
    writeFileSync(index(), bytes)
    expect(folderFonts([join(folder, 'fonts')], index()).entries).toEqual(before)
    expect(readFileSync(index())).not.toEqual(bytes)
  })
  test('knows characters and measures, so that choosing and measuring a face reads nothing', () => {
    folderFonts([join(folder, 'fonts')], index()).entries
    const { source, read } = counted(folderFonts([join(folder, 'fonts')], index()))
    const fonts = createFontBook(source).forDocument()
    const face = fonts.face('Platen Text', true, false)
    expect(face).toMatchObject({ family: 'Platen Text', unitsPerEm: 1000, bold: true })
    expect(face.ascent).toBeGreaterThan(0.5)
    // The first letter is of another face; no glyph of either is drawn yet.
    expect(fonts.runs('कa\u2603', face).map((run) => run.face.family)).toEqual([
      'Lohit Devanagari',
      'Platen Text',
    ])
    expect(fonts.report().missing).toEqual([{ character: 'U+2603', family: 'Platen Text' }])
    expect(read()).toBe(0)
  })
  test('reads only the faces that are drawn, once', () => {
    const path = join(folder, 'fonts/text.ttf')
    const { source, read } = counted(folderFonts([join(folder, 'fonts')], index()))
    const book = createFontBook(source)
    const draw = () => {
      const face = book.forDocument().face('Platen Text', false, false)
      const run = shape('Affinity \u0416', { face, size: 12 })
      return paint([pageOf([{ x: 20, y: 40, item: { kind: 'glyphs', run, colour: 0 } }])])
    }
    const complete = createFontBook({ ...source, readAt: undefined as never }).forDocument()
    const wholeFace = complete.face('Platen Text', false, false)
    const shaped = shape('Affinity \u0416', { face: wholeFace, size: 12 })
    const expected = paint([pageOf([{ x: 20, y: 40, item: { kind: 'glyphs', run: shaped, colour: 0 } }])])
    const whole = read()
    expect(whole).toBe(statSync(path).size)
    expect(draw()).toEqual(expected)
    const once = read()
    expect(once - whole).toBeGreaterThan(0)
    expect(once - whole).toBeLessThan(0.8 * whole)
    expect(draw()).toEqual(expected)
    expect(read()).toBe(once)
  })
  test('ignores faces that cannot be used', () => {
    writeFileSync(
      join(folder, 'fonts/cut.otf'),
      readFileSync('test/fixtures/fonts/cantarell-few.otf').subarray(0, 1500),
    )
    expect(families(folderFonts([join(folder, 'fonts')], index()))).toEqual([
      'Lohit Devanagari',
      'Platen Text',
    ])
  })
  test('holds no font that a document embeds', () => {
    const source = folderFonts([join(folder, 'fonts')], index())
    const book = createFontBook(source)
    const embedded = [readFileSync('test/fixtures/fonts/cantarell-few.otf')]
    expect(book.forDocument({ embedded }).face('Cantarell', false, false).family).toBe('Cantarell')
    expect(book.forDocument().has('Cantarell')).toBe(false)
    expect(book.forDocument().face('Cantarell', false, false).family).toBe('Lohit Devanagari')
    expect(families(source)).not.toContain('Cantarell')
    expect(readFileSync(index(), 'utf8')).not.toContain('Cantarell')
  })
  test('is rebuilt when a file turns out to be another one', () => {
    const path = join(folder, 'fonts/text.ttf')
    const fonts = machineFontsNow({ dataDir: join(folder, 'data'), systemFolders: [join(folder, 'fonts')] })
    const source = fonts()
    const face = createFontBook(source).forDocument().face('Platen Text', false, false)
    writeFileSync(path, readFileSync('test/fixtures/fonts/cantarell-few.otf'))
    expect(() => shape('a', { face, size: 12 })).toThrow(expect.objectContaining({ code: 'font.damaged' }))
    expect(fonts()).not.toBe(source)
    expect(createFontBook(fonts()).forDocument().has('Cantarell')).toBe(true)
  })
  test('that cannot be written is not needed', () => {
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
  test('are those of its other programs, so a missing character does not choose another engine', async () => {
    const fonts = machineFontsNow({ dataDir: folder, systemFolders: [] })
    const strict = async (source: () => FontSource) => {
      const host = { ...testHost([docx]), fonts: source }
      const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host)
      const file = fromBytes(await docxOf('<w:p><w:r><w:t>a&#x12000;</w:t></w:r></w:p>'))
      const job = {
        source: file,
        from: 'docx',
        to: 'pdf',
        options: {},
        deadline: Date.now() + 200_000,
        strict: true,
      }
      return engine.convert(job, new AbortController().signal)
    }
    expect((await strict(fonts)).warnings).toMatchObject([{ code: 'font.missing-glyphs' }])
    await expect(strict(shippedFonts)).rejects.toMatchObject({ code: 'convert.beyond' })
  })
  test('may be beside the data folder or below it', () => {
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
