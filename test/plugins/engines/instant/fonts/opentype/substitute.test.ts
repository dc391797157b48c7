import { expect, it } from 'vitest'
import { createSubstitution } from '../../../../../../plugins/engines/instant/fonts/opentype/substitute.ts'
import { readGlyphClasses } from '../../../../../../plugins/engines/instant/fonts/opentype/tables.ts'
import type { FontFile } from '../../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { processorTime } from '../../../../../helpers/processor-time.ts'

const table = (...values: readonly number[]): DataView => {
  const view = new DataView(new ArrayBuffer(2 * values.length))
  for (const [at, value] of values.entries()) view.setUint16(2 * at, value)
  return view
}
/** A GSUB table of one lookup, a context (format 3) of glyph 1 that applies the lookup itself as often as asked. */
const contextOfItself = (count: number): DataView =>
  table(
    ...[1, 0, 0, 0, 10], // version, no scripts and features, offset of the lookups
    ...[1, 4], // one lookup
    ...[5, 0, 1, 8], // type, flags, one subtable
    ...[3, 1, count, 8 + 4 * count, ...Array.from({ length: count }, () => [0, 0]).flat()],
    ...[1, 1, 1], // coverage of glyph 1
  )

it('a context that applies itself hundreds of times ends soon', () => {
  const gsub = contextOfItself(500)
  const font = { table: () => gsub, glyphCount: 2 } as unknown as FontFile
  const begun = process.cpuUsage()
  const buffer = {
    glyphs: new Array<number>(1_000).fill(1),
    clusters: Array.from({ length: 1_000 }, (_, at) => at),
  }
  createSubstitution(font, readGlyphClasses(undefined)).apply(buffer, [0])
  expect(processorTime(begun)).toBeLessThan(2_000)
  expect(buffer.glyphs).toHaveLength(1_000)
})
