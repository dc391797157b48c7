import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import { describeBytes } from '../../../../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { readFont } from '../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { inspect, pageOf, paint, shippedBytes, shippedSource } from '../../../../helpers/instant-fonts.ts'
import { processorTime } from '../../../../helpers/processor-time.ts'

/** Numbers that look random and are the same every time. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state % below
  }
}

/** Reads, shapes and paints with the font. Returns what happened; anything but an AppError is a failure. */
function survive(bytes: Uint8Array): 'set' | 'refused' {
  const begun = process.cpuUsage()
  try {
    readFont(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('font.damaged')
  }
  const fonts = createFontBook(shippedSource).forDocument({ embedded: [bytes] })
  const names = safely(() => describeBytes('x', bytes)) ?? []
  const face = fonts.face(names[0]?.family ?? 'Arial', false, false)
  const text = 'Affinity x\u0301é To 日 سلام'
  const items = fonts.runs(text, face).map(({ start: from, end, face: used }) => {
    const run = shape(text.slice(from, end), { face: used, size: 12 })
    return { x: 0, y: 20, item: { kind: 'glyphs', run, colour: 0 } as const }
  })
  paint([pageOf(items)])
  expect(processorTime(begun)).toBeLessThan(2_000)
  return face.family.startsWith('Platen') ? 'refused' : 'set'
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return undefined
  }
}

const specimens = {
  'cantarell-few.otf': readFileSync('test/fixtures/fonts/cantarell-few.otf'),
  'noto-cjk-few.otf': readFileSync('test/fixtures/fonts/noto-cjk-few.otf'),
  'lohit-few.ttf': readFileSync('test/fixtures/fonts/lohit-few.ttf'),
  'dejavu-arabic-few.ttf': readFileSync('test/fixtures/fonts/dejavu-arabic-few.ttf'),
  'platen-text-italic': shippedBytes('platen-text-italic.bin'),
}

describe.each(Object.entries(specimens))('%s', (name, original) => {
  test('is sound to begin with', () =>
    expect(survive(original)).toBe(name.startsWith('platen') ? 'refused' : 'set'))
  test('cut anywhere', () => {
    for (let part = 0; part <= 24; part++)
      survive(original.subarray(0, Math.floor((original.length * part) / 25)))
  })
  test('with bytes changed', () => {
    const random = generator(name.length)
    for (let round = 0; round < 40; round++) {
      const bytes = Uint8Array.from(original)
      for (let change = 0; change < 12; change++) bytes[random(bytes.length)] = random(256)
      survive(bytes)
    }
  })
  test('with lengths and offsets in the directory that lie', () => {
    const random = generator(7 + name.length)
    const count = new DataView(original.buffer, original.byteOffset).getUint16(4)
    for (let round = 0; round < 3 * count; round++) {
      const bytes = Uint8Array.from(original)
      const record = 12 + 16 * (round % count)
      const lies = [0, 1, 0xffffffff, 0x7fffffff, random(0xffff)]
      new DataView(bytes.buffer).setUint32(record + (round % 2 ? 8 : 12), lies[random(lies.length)]!)
      survive(bytes)
    }
  })
  test('with a table full of ones', () => {
    const view = new DataView(original.buffer, original.byteOffset)
    for (let table = 0; table < view.getUint16(4); table++) {
      const bytes = Uint8Array.from(original)
      const start = view.getUint32(12 + 16 * table + 8)
      bytes.fill(0xff, start + 4, Math.min(bytes.length, start + view.getUint32(12 + 16 * table + 12)))
      survive(bytes)
    }
  })
})

/** A font of the shipped ones with one table replaced. */
function withTable(tag: string, change: (view: DataView) => void): Uint8Array {
  const bytes = Uint8Array.from(shippedBytes('platen-sans-regular.bin'))
  const view = new DataView(bytes.buffer)
  for (let table = 0; table < view.getUint16(4); table++) {
    const at = 12 + 16 * table
    const name = String.fromCharCode(...bytes.subarray(at, at + 4))
    if (name === tag) change(new DataView(bytes.buffer, view.getUint32(at + 8), view.getUint32(at + 12)))
  }
  return bytes
}

test('composites that hold themselves are drawn as nothing', () => {
  const font = readFont(shippedBytes('platen-sans-regular.bin'))
  const glyph = font.characters.glyphOf(0xe9)
  const start =
    font.table('loca')!.byteLength > 2 * (font.glyphCount + 1)
      ? font.table('loca')!.getUint32(4 * glyph)
      : 2 * font.table('loca')!.getUint16(2 * glyph)
  const cyclic = withTable('glyf', (view) => view.setUint16(start + 12, glyph))
  const face = createFontBook({ entries: [], read: () => undefined })
    .forDocument({ embedded: [cyclic] })
    .face('x', false, false)
  const run = shape('é', { face, size: 12 })
  const pdf = paint([pageOf([{ x: 9, y: 20, item: { kind: 'glyphs', run, colour: 0 } }])])
  expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax')
  expect(inspect(pdf, 'pdftotext', ['{}', '-']).trim()).toBe('é')
})

test('a character map of overlapping segments costs no more than its characters', () => {
  const bytes = withTable('cmap', (view) => {
    for (let at = 60; at + 2 < view.byteLength; at += 2) view.setUint16(at, at % 4 === 0 ? 0xffff : 0)
  })
  expect(survive(bytes)).toBe('refused')
})

test.each([
  ['nothing', new Uint8Array(0)],
  ['text', new TextEncoder().encode('this is no font at all')],
  [
    'a collection of itself',
    Uint8Array.from([0x74, 0x74, 0x63, 0x66, 0, 1, 0, 0, 0, 0, 1, 0, ...new Array<number>(1024).fill(0)]),
  ],
  ['only a head', Uint8Array.from([0, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0])],
])('%s is refused', (_name, bytes) => {
  expect(() => readFont(bytes)).toThrow(expect.objectContaining({ code: 'font.damaged' }))
  survive(bytes)
})
