import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode } from 'jpeg-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { jpegOrientation, loadJpeg, orientJpeg } from '../../../shared/images/exif-orientation.ts'
import { measureImage } from '../../../shared/images/measure.ts'
import { bodyOf, docxOf } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { dataUri, drawing, fixture, wordParts } from '../../helpers/pictures.ts'
import { unlessMissing } from '../../helpers/programs.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const memory = 200_000_000
let folder = ''
beforeAll(async () => {
  await loadJpeg()
  folder = temporaryFolder('platen-upright')
})

/** Four areas of 24 x 16 pixels: red, green / blue, white. */
function quarters(width = 48, height = 32): Uint8Array {
  const pixels = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [right, low] = [x >= width / 2, y >= height / 2]
      const color = low ? (right ? [255, 255, 255] : [0, 0, 255]) : right ? [0, 255, 0] : [255, 0, 0]
      pixels.set([...color, 255], (y * width + x) * 4)
    }
  return encode({ data: pixels, width, height }, 90).data
}

/** The file with an EXIF segment that declares its orientation. */
function turned(orientation: number, little = false): Uint8Array {
  const word = (number: number) => (little ? [number & 255, number >> 8] : [number >> 8, number & 255])
  const long = (number: number) => (little ? [...word(number), 0, 0] : [0, 0, ...word(number)])
  const tiff = [
    ...(little ? [0x49, 0x49] : [0x4d, 0x4d]),
    ...word(42),
    ...long(8),
    ...word(1),
    ...word(274),
    ...word(3),
    ...long(1),
    ...word(orientation),
    0,
    0,
    ...long(0),
  ]
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  const plain = quarters()
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, body.length + 2, ...body, ...plain.subarray(2)])
}

/** Colours of the four corners, row by row. */
function corners(bytes: Uint8Array): string {
  const { data, width, height } = decode(bytes, { useTArray: true })
  const at = (x: number, y: number) => {
    const [r, g] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)
    return r! > 128 ? (g! > 128 ? 'white' : 'red') : g! > 128 ? 'green' : 'blue'
  }
  return `${width}x${height} ${at(4, 4)} ${at(width - 5, 4)} ${at(4, height - 5)} ${at(width - 5, height - 5)}`
}

describe('orientations', () => {
  it.each([
    [2, '48x32 green red white blue'],
    [3, '48x32 white blue green red'],
    [4, '48x32 blue white red green'],
    [5, '32x48 red blue green white'],
    [6, '32x48 blue red white green'],
    [7, '32x48 white green blue red'],
    [8, '32x48 green white red blue'],
  ])('%i', (orientation, expected) => {
    expect([jpegOrientation(turned(orientation)), jpegOrientation(turned(orientation, true))]).toEqual([
      orientation,
      orientation,
    ])
    const upright = orientJpeg(turned(orientation), memory)!
    expect(corners(upright)).toBe(expected)
    expect(jpegOrientation(upright)).toBe(1)
  })
  it.each([
    ['upright', turned(1)],
    ['no EXIF', quarters()],
    ['no such orientation', turned(9)],
    ['PNG', fixture('rgb.png')],
    ['cut off', turned(6).subarray(0, 20)],
    ['nothing', new Uint8Array(0)],
    ['pixels cut off', turned(6).subarray(0, 60)],
    ['lengths that lie', Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, 0, 0xff, 0xe1, 0, 0])],
  ])('%s stays', (_name, bytes) => expect(orientJpeg(bytes, memory)).toBeUndefined())
  it('what would need too much memory stays unchanged', () =>
    expect(orientJpeg(turned(6), 10_000)).toBeUndefined())
})

it('other programs read the result, and it is close to the source', () => {
  const bytes = orientJpeg(turned(6), memory)!
  expect(measureImage(bytes)).toEqual({ kind: 'jpeg', width: 32, height: 48 })
  const file = join(folder, 'quarters.jpg')
  writeFileSync(file, bytes)
  // zbarimg fails on pictures that its reader (libjpeg by way of ImageMagick) finds broken; 4: no barcode inside.
  let status = 0
  try {
    execFileSync('zbarimg', ['--nodbus', '-q', file], { stdio: 'ignore' })
  } catch (error) {
    status = (unlessMissing(error) as { status: number }).status
  }
  expect(status).toBe(4)
  const before = decode(turned(6), { useTArray: true })
  const after = decode(bytes, { useTArray: true })
  let maxDistance = 0
  for (let y = 0; y < after.height; y += 1)
    for (let x = 0; x < after.width; x += 1)
      for (let sample = 0; sample < 3; sample += 1) {
        const source = before.data[((after.width - 1 - x) * before.width + y) * 4 + sample]!
        maxDistance = Math.max(
          maxDistance,
          Math.abs(source - after.data[(y * after.width + x) * 4 + sample]!),
        )
      }
  expect(maxDistance).toBeLessThan(24)
})

it('leaves no Buffer behind where the host has none', () => {
  const globals = globalThis as { Buffer?: unknown }
  const { Buffer: original } = globals
  const photo = turned(3)
  try {
    delete globals.Buffer
    const bytes = orientJpeg(photo, memory)
    expect('Buffer' in globals).toBe(false)
    globals.Buffer = original
    expect(corners(bytes!)).toBe('48x32 white blue green red')
  } finally {
    globals.Buffer = original
  }
})

it('in a document: sizes follow the picture as it is shown, sources turn once', async () => {
  const tags = ['{d.x:autoOrient:imageFit(contain)}', '{d.x:autoOrient}', '{d.x}', '{d.y:autoOrient}']
  const body = `<w:p>${tags.map((tag, n) => drawing(tag, n + 1)).join('')}</w:p>`
  const data = { x: dataUri(turned(6), 'image/jpeg'), y: dataUri(fixture('rgb.png'), 'image/png') }
  const { value, warnings } = await mergeBytes(await docxOf(body, wordParts()), 'docx', data)
  const out = await bodyOf(new Uint8Array(await value.document.arrayBuffer()))
  const sizes = [...out.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)".*?r:embed="(\w+)"/g)].map(
    ([, cx, cy, id]) => `${cx} ${cy} ${id}`,
  )
  expect(sizes).toEqual([
    '609600 914400 rIdm1',
    '1828800 2743200 rIdm1',
    '1828800 1219200 rIdm2',
    '1828800 914400 rIdm3',
  ])
  expect(warnings).toEqual([])
})
