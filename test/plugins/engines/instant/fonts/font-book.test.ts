import { describe, expect, test } from 'vitest'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import { createFontCache } from '../../../../../plugins/engines/instant/fonts/font-cache.ts'
import { type FontSource, joinSources } from '../../../../../plugins/engines/instant/fonts/font-source.ts'
import { describeBytes } from '../../../../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { measure, shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { shippedBook, shippedBytes, shippedFont, shippedSource } from '../../../../helpers/instant-fonts.ts'

/** What each name is set in, where only the shipped fonts exist. */
const substitutes: readonly [family: string, used: string, scaleX: number][] = [
  ['Arial', 'Platen Sans', 1],
  ['HELVETICA', 'Platen Sans', 1],
  ['Liberation Sans', 'Platen Sans', 1],
  ['Times New Roman', 'Platen Serif', 1],
  ['Georgia', 'Platen Text', 1],
  ['Bitstream Vera Serif', 'Platen Serif', 1],
  ['Book Antiqua', 'Platen Serif', 1],
  ['Luxi Mono', 'Platen Mono', 1],
  ['Courier New', 'Platen Mono', 1],
  ['Consolas', 'Platen Mono', 1],
  ['Calibri', 'Platen Humanist', 1],
  ['Calibri Light', 'Platen Humanist', 1],
  ['Aptos', 'Platen Humanist', 1],
  ['Cambria', 'Platen Text', 1],
  ['Tahoma', 'Platen Sans', 1],
  ['Arial Narrow', 'Platen Sans', 0.82],
  ['Never Heard Of', 'Platen Sans', 1],
  ['', 'Platen Sans', 1],
]
test.each([
  ['serif', 'Platen Serif'],
  ['mono', 'Platen Mono'],
  ['sans', 'Platen Sans'],
] as const)('a missing family that the document calls %s is set in %s', (kind, used) => {
  const generic = new Map([['never heard of', kind] as const, ['arial', kind] as const])
  const fonts = shippedBook.forDocument({ generic })
  expect(fonts.face('Never Heard Of', false, false).family).toBe(used)
  expect(fonts.report().substituted).toEqual([{ family: 'Never Heard Of', by: used }])
  // What is known of a family is better than what a document says.
  expect(fonts.face('Arial', false, false).family).toBe('Platen Sans')
})

test.each(substitutes)('%s is set in %s', (family, used, scaleX) => {
  const face = shippedBook.forDocument().face(family, false, false)
  expect(face.family).toBe(used)
  expect(face.synthetic).toEqual({ bold: false, slant: false, scaleX })
})

/** (ascent + descent + gap) of the em: what a line of LibreOffice 7.4 measures. */
test.each([
  ['Arial', 1.15],
  ['Times New Roman', 1.15],
  ['Calibri', 1.221],
  ['Cambria', 1.15],
  ['Courier New', 1.133],
])('a line of %s is %d high', (family, height) => {
  const { ascent, descent, lineGap } = shippedBook.forDocument().face(family, false, false)
  expect(ascent + descent + lineGap).toBeCloseTo(height, 2)
})

/** Middle and thickness of the lines LibreOffice 7.4 draws at 40 pt. */
test.each([
  ['Arial', 3.3, 2.1, 11.5],
  ['Calibri', 3.9, 2.5, 11.2],
])('lines of %s stand %d under and are %d thick', (family, under, thick, strike) => {
  const face = shippedBook.forDocument().face(family, false, false)
  expect(40 * face.underlineOffset).toBeCloseTo(under, 1)
  expect(Math.abs(40 * face.underlineThickness - thick)).toBeLessThan(0.06)
  expect(Math.abs(40 * face.strikeOffset - strike)).toBeLessThan(0.1)
})

describe('styles', () => {
  test('come from the family where it has them', () => {
    const face = shippedBook.forDocument().face('Arial', true, true)
    expect(face).toMatchObject({ bold: true, italic: true, synthetic: { bold: false, slant: false } })
  })
  test('are imitated where it has not', () => {
    const plain = shippedSource.entries.filter(({ key }) => key === 'platen-sans-regular.bin')
    const book = createFontBook({ entries: plain, read: shippedSource.read })
    const face = book.forDocument().face('Arial', true, true)
    expect(face).toMatchObject({ bold: true, italic: true, synthetic: { bold: true, slant: true } })
  })
  test('equal faces are one object', () => {
    const face = () => shippedBook.forDocument().face('Arial', false, false)
    expect(face()).toBe(face())
  })
})

describe('fallback', () => {
  const fonts = () => shippedBook.forDocument()
  const runs = (family: string, text: string) => {
    const document = fonts()
    return document
      .runs(text, document.face(family, false, false))
      .map(({ start, end, face }) => `${face.family}: ${text.slice(start, end)}`)
  }
  test('is not needed where the face has everything', () => {
    expect(runs('Arial', 'plain — Ωμέγα Привет\u00ad\u200b')).toHaveLength(1)
  })
  test('falls back to a face of the same kind', () => {
    expect(runs('Cambria', 'a Ж b')).toEqual(['Platen Text: a ', 'Platen Serif: Ж', 'Platen Text:  b'])
  })
  test('keeps combining marks with their letter', () => {
    expect(runs('Calibri', 'ax\u0301b')).toEqual([
      'Platen Humanist: a',
      'Platen Sans: x\u0301',
      'Platen Humanist: b',
    ])
  })
  test('reads each file once for any number of characters, and keeps faces in use', () => {
    let reads = 0
    const source: FontSource = {
      entries: shippedSource.entries.map((entry) => ({ ...entry, unicodeRanges: [0, 0, 0, 0] as const })),
      read: (entry) => {
        reads++
        return shippedSource.read(entry)
      },
    }
    const document = createFontBook(source, { faces: 3 }).forDocument()
    const face = document.face('Arial', false, false)
    for (let code = 0x4e00; code < 0x4f00; code++) document.runs(String.fromCharCode(code), face)
    expect(document.report().missing).toHaveLength(100)
    expect(reads).toBeLessThan(2 * source.entries.length + 5)
  })
  test('finds a face by what it has, not by what it claims', () => {
    const plain = shippedSource.entries.filter(
      ({ key }) => key === 'platen-text-regular.bin' || key === 'platen-mono-regular.bin',
    )
    const entries = plain.map((entry) => ({
      ...entry,
      unicodeRanges: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff] as const,
    }))
    const document = createFontBook({ entries, read: shippedSource.read }).forDocument()
    const [run] = document.runs('Ж', document.face('Cambria', false, false))
    expect(run!.face.family).toBe('Platen Mono')
  })
  test('reports what no font has', () => {
    const document = fonts()
    const face = document.face('Arial', false, false)
    expect(document.runs('a漢b', face)).toHaveLength(1)
    expect(document.report().missing).toEqual([{ character: 'U+6F22', family: 'Platen Sans' }])
  })
})

test('the report has the requested fonts and those used', () => {
  const document = shippedBook.forDocument()
  document.face('Arial', true, false)
  document.face('Platen Text', false, false)
  document.face('Arial Narrow', false, false)
  expect(document.report()).toEqual({
    requested: [
      { family: 'Arial', bold: true, italic: false, used: 'Platen Sans', imitated: [] },
      { family: 'Platen Text', bold: false, italic: false, used: 'Platen Text', imitated: [] },
      { family: 'Arial Narrow', bold: false, italic: false, used: 'Platen Sans', imitated: ['width'] },
    ],
    used: ['Platen Sans', 'Platen Text'],
    substituted: [
      { family: 'Arial', by: 'Platen Sans' },
      { family: 'Arial Narrow', by: 'Platen Sans' },
    ],
    missing: [],
    versions: { 'Platen Sans': 'Version 1.000', 'Platen Text': 'Version 1.000' },
  })
})

describe('sources', () => {
  test('the first that has a family wins', () => {
    const own = describeBytes('own', shippedBytes('platen-mono-regular.bin')).map((entry) => ({
      ...entry,
      family: 'Platen Sans',
      names: ['platen sans'],
    }))
    const source = joinSources(
      { entries: own, read: () => shippedBytes('platen-mono-regular.bin') },
      shippedSource,
    )
    expect(createFontBook(source).forDocument().face('Platen Sans', false, false).family).toBe('Platen Mono')
  })
  test('a font in the document wins over all, for that document only', () => {
    const embedded = [shippedBytes('platen-text-regular.bin'), new Uint8Array([1, 2, 3])]
    const bare = shippedSource.entries.filter(({ family }) => family === 'Platen Sans')
    const book = createFontBook({ entries: bare, read: shippedSource.read })
    expect(book.forDocument({ embedded }).face('Platen Text', false, false).family).toBe('Platen Text')
    expect(book.forDocument().face('Platen Text', false, false).family).toBe('Platen Sans')
  })
  test('an embedded font whose licence forbids its use is replaced with a warning', () => {
    const bytes = shippedBytes('platen-text-regular.bin').slice()
    const at = tableOffset(bytes, 'OS/2') + 8
    bytes[at + 1] = 2 // restricted
    const document = shippedBook.forDocument({ embedded: [bytes, new Uint8Array([1])] })
    expect(document.warnings).toMatchObject([
      { code: 'font.embedded', message: expect.stringContaining('2') },
    ])
    expect(shippedBook.forDocument({ embedded: [] }).warnings).toEqual([])
  })
  test('a damaged font in the document costs nothing but itself', () => {
    const whole = shippedBytes('platen-text-regular.bin')
    let state = 7
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % below
    }
    for (let round = 0; round < 60; round++) {
      const bytes = round % 10 === 0 ? whole.slice(0, random(whole.length)) : whole.slice()
      // False sizes and offsets are in the directory and the headers of the tables.
      for (let i = 0; i < 12; i++) bytes[random(round % 2 === 0 ? 400 : bytes.length)] = random(256)
      const document = shippedBook.forDocument({ embedded: [bytes] })
      const face = document.face('Platen Text', false, false)
      expect(shape('AVA ffi é', { face, size: 10 }).width).toBeGreaterThanOrEqual(0)
    }
  })
  test('a file that cannot be used leaves its place to the next one', async () => {
    const [broken] = describeBytes('broken', shippedBytes('platen-text-regular.bin'))
    const source: FontSource = {
      entries: [{ ...broken!, family: 'House', names: ['house'] }, ...shippedSource.entries],
      read: () => undefined,
      fetch: async (entry) => (entry.key === 'broken' ? new Uint8Array(9) : shippedSource.read(entry)),
    }
    const document = createFontBook(source).forDocument()
    await document.prepare([{ family: 'House', bold: false, italic: false, text: 'a' }])
    expect(document.face('House', false, false).family).toBe('Platen Sans')
  })
  test('that answer later are asked by prepare', async () => {
    const asked: string[] = []
    const source: FontSource = {
      entries: shippedSource.entries,
      read: () => undefined,
      fetch: async (entry) => {
        asked.push(entry.key)
        return shippedSource.read(entry)
      },
    }
    const document = createFontBook(source).forDocument()
    expect(() => document.face('Arial', false, false)).toThrow(AppError)
    await document.prepare([{ family: 'Cambria', bold: false, italic: false, text: 'aЖ' }])
    expect(document.face('Cambria', false, false).family).toBe('Platen Text')
    expect(asked[0]).toBe('platen-text-regular.bin')
    expect(asked.length).toBeLessThan(12)
    expect(document.runs('aЖ', document.face('Cambria', false, false))).toHaveLength(2)
  })
  test('that answer later are asked for what a symbol font shows, not for its own characters', async () => {
    const asked: string[] = []
    const source: FontSource = {
      entries: shippedSource.entries.map((entry) => ({ ...entry, unicodeRanges: [0, 0, 0, 0] as const })),
      read: () => undefined,
      fetch: async (entry) => {
        asked.push(entry.key)
        return shippedSource.read(entry)
      },
    }
    const document = createFontBook(source).forDocument()
    await document.prepare([{ family: 'Symbol', bold: false, italic: false, text: '\uf0b7' }])
    expect(asked).toEqual(['platen-sans-regular.bin'])
  })
  test.each([
    ['', []],
    [' that brings a font along', [shippedBytes('platen-mono-bold.bin')]],
  ])(
    'a document seen before%s reads no file, not even for characters that no font has',
    async (_, embedded) => {
      let reads = 0
      const entries = shippedSource.entries.map((entry) => ({
        ...entry,
        unicodeRanges: [0, 0, 0, 0] as const,
      }))
      const read: FontSource['read'] = (entry) => {
        reads++
        return shippedSource.read(entry)
      }
      const source = joinSources({ entries, read }, { entries: [], read: () => undefined })
      const book = createFontBook(source, { faces: 3 })
      const layOut = async (): Promise<number> => {
        const before = reads
        const document = book.forDocument({ embedded })
        const text = 'a漢\uf0b7\u{1f600}'
        await document.prepare([{ family: 'Arial', bold: false, italic: false, text }])
        document.runs(text, document.face('Arial', false, false))
        document.runs('\uf0b7', document.face('Symbol', false, false))
        return reads - before
      }
      expect(await layOut()).toBeGreaterThan(0)
      expect(await layOut()).toBe(0)
    },
  )
  test('without any font there is an error', () => {
    const book = createFontBook({ entries: [], read: () => undefined })
    expect(() => book.forDocument().face('Arial', false, false)).toThrow(
      expect.objectContaining({ code: 'font.none' }),
    )
  })
  test('a damaged file is passed over', () => {
    const source: FontSource = {
      entries: shippedSource.entries,
      read: (entry) => (entry.family === 'Platen Sans' ? new Uint8Array(100) : shippedSource.read(entry)),
    }
    expect(createFontBook(source).forDocument().face('Arial', false, false).family).toBe('Platen Serif')
  })
})

describe('parsed faces', () => {
  const entries = shippedSource.entries
  const font = shippedFont('platen-text-regular.bin')
  test('are kept up to a number, the oldest leaving first', () => {
    const cache = createFontCache(2, 1e9)
    for (const entry of entries.slice(0, 2)) cache.set(entry, font)
    cache.get(entries[0]!)
    cache.set(entries[2]!, font)
    expect([0, 1, 2].map((index) => cache.get(entries[index]!) !== undefined)).toEqual([true, false, true])
  })
  test('and up to a weight, though the newest always stays', () => {
    const cache = createFontCache(24, 10)
    cache.set(entries[0]!, font)
    cache.set(entries[1]!, font)
    expect(cache.size).toBe(1)
    expect(cache.get(entries[1]!)).toBe(font)
  })
})

describe('symbol fonts', () => {
  test.each([
    ['Symbol', '\uf0b7', '•'],
    ['Symbol', '·', '•'],
    ['Symbol', '\uf061\uf0a3\uf0de', 'α≤⇒'],
    ['Symbol', '\uf0fe', '⎭'],
    ['Wingdings', '\uf0a7\uf0d8\uf0fc\uf0fe\uf06c\uf071\uf076', '▪➢✓☑●❑❖'],
    ['Wingdings', '§ü', '▪✓'],
    ['wingdings', '\uf081\uf08a\uf08c\uf0e0\uf0f0', '①⑩❶→⇨'],
    ['Wingdings 2', '\uf050', '✓'],
    ['Wingdings 3', '\uf075', '▶'],
    ['Wingdings', '\uf0ff', '•'],
    ['Arial', '\uf0b7', '\uf0b7'],
  ])('%s %j shows %s', (family, text, expected) => {
    const document = shippedBook.forDocument()
    const runs = document.runs(text, document.face(family, false, false))
    const shown = runs.map(({ start, end, face }) => shape(text.slice(start, end), { face, size: 10 }).text)
    expect(shown.join('')).toBe(expected)
  })
  test('are measured as what they show', () => {
    const document = shippedBook.forDocument()
    const face = document.face('Symbol', false, false)
    expect(measure('\uf0b7', { face, size: 10 })).toBe(
      measure('•', { face: document.face('Arial', false, false), size: 10 }),
    )
    expect(document.report().missing).toEqual([])
  })
  test('keep their text where the font is there', () => {
    const entries = shippedSource.entries.map((entry) => ({ ...entry, names: [...entry.names, 'symbol'] }))
    const document = createFontBook({ entries, read: shippedSource.read }).forDocument()
    expect(shape('\uf0b7', { face: document.face('Symbol', false, false), size: 10 }).text).toBe('\uf0b7')
  })
  test('what no font has is drawn as something like it, and not reported', () => {
    const document = shippedBook.forDocument()
    const face = document.face('Arial', false, false)
    expect(document.runs('✓❑', face)).toHaveLength(1)
    expect(document.report().missing).toEqual([])
    expect(Array.from(shape('✓', { face, size: 10 }).glyphs)).toEqual(
      Array.from(shape('√', { face, size: 10 }).glyphs),
    )
  })
})

function tableOffset(bytes: Uint8Array, tag: string): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 12; ; at += 16)
    if (new TextDecoder().decode(bytes.subarray(at, at + 4)) === tag) return view.getUint32(at + 8)
}
