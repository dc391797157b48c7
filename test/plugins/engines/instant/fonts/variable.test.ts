import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadSubsetter } from '../../../../../origin/fonts/harfbuzz.ts'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import type { FontSource } from '../../../../../plugins/engines/instant/fonts/font-source.ts'
import { joinSources } from '../../../../../plugins/engines/instant/fonts/font-source.ts'
import { describeBytes } from '../../../../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { readFont } from '../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { createInstancer } from '../../../../../plugins/engines/instant/fonts/variation/instancer.ts'
import { measure, shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { inspect, pageOf, paint, shippedSource } from '../../../../helpers/instant-fonts.ts'

const fixture = (name: string) => Uint8Array.from(readFileSync(`test/fixtures/fonts/${name}`))

function sourceOf(name: string, loadable = true): FontSource {
  const bytes = fixture(name)
  const own: FontSource = { entries: describeBytes(name, bytes), read: () => bytes }
  return { ...joinSources(own, shippedSource), ...(loadable && { subsetter: loadSubsetter }) }
}

async function opened(name: string, family: string, loadable = true) {
  const fonts = createFontBook(sourceOf(name, loadable)).forDocument()
  await fonts.prepare([{ family, bold: false, italic: false }])
  return fonts
}

test('the styles of a variable font are faces of its family', () => {
  const entries = describeBytes('x', fixture('inter-variable-few.ttf'))
  expect(entries.map(({ family, weight }) => `${family} ${weight}`)).toEqual(
    [100, 200, 300, 400, 500, 600, 700, 800, 900].map((weight) => `Inter ${weight}`),
  )
  expect(entries[2]!.names).toEqual(['inter', 'inter light'])
})

describe.each([
  ['outlines of TrueType', 'inter-variable-few.ttf', 'Inter'],
  ['outlines of CFF2', 'source-code-variable-few.otf', 'SourceCodeVF'],
])('%s', (_kind, file, family) => {
  test('regular and bold are drawn from the axis of weight, not imitated', async () => {
    const fonts = await opened(file, family)
    const [regular, bold] = [fonts.face(family, false, false), fonts.face(family, true, false)]
    expect([regular.synthetic.bold, bold.synthetic.bold]).toEqual([false, false])
    expect([regular.file.style.weight, bold.file.style.weight]).toEqual([400, 700])
    expect(bold.key).not.toBe(regular.key)
    expect(fonts.report().substituted).toEqual([])
  })
  test('can be embedded, copied and drawn', async () => {
    const fonts = await opened(file, family)
    const items = [false, true].map((bold, index) => {
      const run = shape('Hamburg', { face: fonts.face(family, bold, false), size: 30 })
      return { x: 20, y: 60 + 60 * index, item: { kind: 'glyphs', run, colour: 0 } as const }
    })
    const pdf = paint([pageOf(items)])
    expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax')
    expect(inspect(pdf, 'pdftotext', ['{}', '-']).split(/\s+/).filter(Boolean)).toEqual([
      'Hamburg',
      'Hamburg',
    ])
    expect(inspect(pdf, 'pdffonts', ['{}']).match(/yes yes yes/g)).toHaveLength(2)
  })
  test('a style is found by its name', async () => {
    const name = `${family} Light`
    const fonts = await opened(file, name)
    const face = fonts.face(name, false, false)
    expect(face.file.style.weight).toBe(300)
    expect(fonts.report()).toMatchObject({ used: [family], substituted: [] })
  })
})

test('weights differ in width where the font defines it', async () => {
  const fonts = await opened('inter-variable-few.ttf', 'Inter')
  const width = (bold: boolean) => measure('Hamburg', { face: fonts.face('Inter', bold, false), size: 100 })
  // Widths of Inter 4 at weights 400 and 700 as HarfBuzz gives them with --variations.
  expect(width(false)).toBeCloseTo(433.95, 0)
  expect(width(true)).toBeCloseTo(451.17, 0)
})

test('where no instance can be made, the default one is used and bold is imitated', async () => {
  const fonts = await opened('inter-variable-few.ttf', 'Inter', false)
  expect(fonts.face('Inter', true, false)).toMatchObject({ family: 'Inter', synthetic: { bold: true } })
  const cff = await opened('source-code-variable-few.otf', 'SourceCodeVF', false)
  expect(cff.face('SourceCodeVF', true, false).family).toBe('Platen Sans')
  expect(cff.report().substituted).toEqual([{ family: 'SourceCodeVF', by: 'Platen Sans' }])
})

test('axes and instances that lie cost the styles, not the font', () => {
  const original = fixture('inter-variable-few.ttf')
  const view = new DataView(original.buffer)
  for (let table = 0; table < view.getUint16(4); table++) {
    const at = 12 + 16 * table
    if (String.fromCharCode(...original.subarray(at, at + 4)) !== 'fvar') continue
    const start = view.getUint32(at + 8)
    for (const [offset, value] of [
      [4, 0xffff],
      [8, 0xffff],
      [10, 0],
      [12, 0xffff],
      [14, 0],
    ] as const) {
      const bytes = original.slice()
      new DataView(bytes.buffer).setUint16(start + offset, value)
      const entries = describeBytes('x', bytes)
      expect(entries.length).toBeGreaterThan(0)
      expect(entries.length).toBeLessThan(503)
      const fonts = createFontBook(shippedSource).forDocument({ embedded: [bytes] })
      expect(fonts.face('Inter', true, false).family).toBe('Inter')
    }
  }
})

describe.each(['inter-variable-few.ttf', 'source-code-variable-few.otf'])('damaged %s', (name) => {
  const original = fixture(name)
  const place = [{ axis: 'wght', value: 650 }]
  test('is made plain or not, and the maker goes on', async () => {
    const instancer = createInstancer(await loadSubsetter({}))
    let state = 4711
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return (state >> 8) % below
    }
    for (let round = 0; round < 300; round++) {
      const bytes = original.slice(0, round % 10 === 0 ? random(original.length) : original.length)
      for (let change = 0; change < 8 && bytes.length > 0; change++) bytes[random(bytes.length)] = random(256)
      const plain = instancer.instantiate(bytes, round % 7 === 0 ? 3 : 0, place)
      if (plain === undefined) continue
      try {
        readFont(plain)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }
    expect(readFont(instancer.instantiate(original, 0, place)!).style.weight).toBe(650)
  })
  test('brought by a document costs a warning at most', async () => {
    for (let cut = 1; cut < 12; cut++) {
      const bytes = original.slice()
      bytes.fill(255, Math.floor((bytes.length * cut) / 12))
      const fonts = createFontBook(sourceOf(name)).forDocument({ embedded: [bytes] })
      await fonts.prepare([{ family: 'Inter', bold: true, italic: false, text: 'Hamburg' }])
      const run = shape('Hamburg', { face: fonts.face('Inter', true, false), size: 10 })
      expect(
        paint([pageOf([{ x: 9, y: 20, item: { kind: 'glyphs', run, colour: 0 } }])]).length,
      ).toBeGreaterThan(500)
    }
  })
})
