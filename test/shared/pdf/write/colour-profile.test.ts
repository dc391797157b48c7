import { expect, it } from 'vitest'
import { srgbProfile } from '../../../../shared/pdf/write/colour-profile.ts'
import { textOf } from '../../../helpers/pdf.ts'

const profile = srgbProfile()
const view = new DataView(profile.buffer)
const signature = (at: number) => textOf(profile.subarray(at, at + 4))
const tags = new Map(
  Array.from({ length: view.getUint32(128) }, (_, index) => {
    const at = 132 + 12 * index
    return [signature(at), { at: view.getUint32(at + 4), length: view.getUint32(at + 8) }] as const
  }),
)

it('the header is that of an ICC profile of a screen, and the tags that such a one needs lie inside, each at a multiple of four', () => {
  expect([view.getUint32(0), signature(12), signature(16), signature(20), signature(36)]).toEqual([
    profile.length,
    'mntr',
    'RGB ',
    'XYZ ',
    'acsp',
  ])
  const needed = ['desc', 'cprt', 'wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC']
  expect([...tags.keys()]).toEqual(needed)
  for (const [name, { at, length }] of tags) {
    expect([name, at % 4, at + length <= profile.length, signature(at) !== '\0\0\0\0']).toEqual([
      name,
      0,
      true,
      true,
    ])
  }
})

it('white is the sum of the three primaries, and the white of the profile connection space', () => {
  const point = (name: string) =>
    [0, 1, 2].map((at) => view.getInt32((tags.get(name)?.at ?? 0) + 8 + 4 * at) / 65_536)
  const [red, green, blue] = [point('rXYZ'), point('gXYZ'), point('bXYZ')]
  for (const at of [0, 1, 2]) {
    const sum = (red[at] ?? 0) + (green[at] ?? 0) + (blue[at] ?? 0)
    expect(sum).toBeCloseTo(point('wtpt')[at] ?? 0, 3)
  }
})

it.each([
  [0, 0],
  [0.03, 0.03 / 12.92],
  [0.3, 0.07324],
  [0.5, 0.21404],
  [1, 1],
])('the curve gives %s the light %s', (value, light) => {
  const at = tags.get('gTRC')?.at ?? 0
  const steps = view.getUint32(at + 8)
  expect(view.getUint16(at + 12 + 2 * Math.round(value * (steps - 1))) / 65_535).toBeCloseTo(light, 2)
})
