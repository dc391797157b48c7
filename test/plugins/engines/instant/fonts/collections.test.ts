import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import type { FontEntry, FontSource } from '../../../../../plugins/engines/instant/fonts/font-source.ts'
import { describeBytes } from '../../../../../plugins/engines/instant/fonts/sfnt/describe.ts'
import type { FontFile } from '../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { inspect, pageOf, paint, shippedBytes } from '../../../../helpers/instant-fonts.ts'

/** Several fonts in one file, each with its own tables. OpenType 1.9, "Font Collections". */
function collectionOf(fonts: readonly Uint8Array[]): Uint8Array {
  const head = 12 + 4 * fonts.length
  const bytes = new Uint8Array(head + fonts.reduce((sum, font) => sum + font.length, 0))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x74746366)
  view.setUint32(4, 0x00010000)
  view.setUint32(8, fonts.length)
  let at = head
  for (const [index, font] of fonts.entries()) {
    view.setUint32(12 + 4 * index, at)
    bytes.set(font, at)
    const count = view.getUint16(at + 4)
    for (let table = 0; table < count; table++) {
      const record = at + 12 + 16 * table + 8
      view.setUint32(record, view.getUint32(record) + at)
    }
    at += font.length
  }
  return bytes
}

test('faces of a collection are found, set, embedded and copied', () => {
  const bytes = collectionOf(['platen-text-regular.bin', 'platen-mono-bold.bin'].map(shippedBytes))
  const entries = describeBytes('two.ttc', bytes)
  expect(entries.map(({ family, index, weight }) => [family, index, weight])).toEqual([
    ['Platen Text', 0, 400],
    ['Platen Mono', 1, 700],
  ])
  const fonts = createFontBook({ entries, read: () => bytes }).forDocument()
  const items = ['Platen Text', 'Platen Mono'].map((family, index) => {
    const run = shape('Affinity', { face: fonts.face(family, index === 1, false), size: 20 })
    return { x: 20, y: 40 + 40 * index, item: { kind: 'glyphs', run, colour: 0 } as const }
  })
  const pdf = paint([pageOf(items)])
  expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax')
  expect(inspect(pdf, 'pdftotext', ['{}', '-']).match(/Affinity/g)).toHaveLength(2)
  expect(inspect(pdf, 'pdffonts', ['{}'])).toMatch(/PlatenText[\s\S]*PlatenMono-Bold/)
  expect(fonts.report().substituted).toEqual([])
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('no more faces stay in memory than the book may keep', async () => {
  const original = shippedBytes('platen-text-regular.bin')
  const [described] = describeBytes('x', original)
  const entries: FontEntry[] = Array.from({ length: 40 }, (_, index) => ({
    ...described!,
    key: `copy ${index}`,
    family: `Copy ${index}`,
    names: [`copy ${index}`],
  }))
  const source: FontSource = { entries, read: () => original.slice() }
  const book = createFontBook(source, { faces: 3 })
  const files: WeakRef<FontFile>[] = []
  for (const { family } of entries) {
    const face = book.forDocument().face(family, false, false)
    const run = shape('Some words to shape', { face, size: 12 })
    paint([pageOf([{ x: 20, y: 40, item: { kind: 'glyphs', run, colour: 0 } }])])
    files.push(new WeakRef(face.file))
  }
  // What a turn of the loop has looked at stays until the next one.
  await new Promise((done) => setTimeout(done, 0))
  collectGarbage()
  const alive = files.filter((file) => file.deref() !== undefined).length
  expect(alive).toBeGreaterThanOrEqual(1)
  expect(alive).toBeLessThanOrEqual(3)
})
