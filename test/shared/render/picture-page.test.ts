import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { composePdf } from '../../../shared/pdf/join/compose.ts'
import { picturePage } from '../../../shared/render/picture-page.ts'
import { spoilers } from '../../helpers/bad-files.ts'
import { ask, inkOf, officePdf, repeatableRandom } from '../../helpers/pdf.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const place = useTemporary()
const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/images/${name}`, import.meta.url)))

/** The JPEG with an EXIF segment that declares an orientation. */
function turned(bytes: Uint8Array, orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const body = [...new TextEncoder().encode('Exif\0\0'), ...tiff, 0, 0, 0, 0]
  return Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, body.length + 2, ...body, ...bytes.subarray(2))
}

describe('a picture as a page', () => {
  it.each(['rgb.jpg', 'grey.jpg', 'cmyk.jpg', 'progressive.jpg'])('%s', async (name) => {
    const pdf = await picturePage(fixture(name))
    expect(await ask(place(), pdf!, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
    const ink = inkOf(place(), pdf!, 1)!
    expect([ink.width, ink.height].sort((a, b) => a - b)).toEqual([596, 842])
    // In the middle of the paper.
    expect(Math.abs(ink.left + ink.right - ink.width)).toBeLessThan(ink.width / 10)
    expect(await picturePage(fixture(name))).toEqual(pdf)
  })

  it('a JPEG stays as it is', async () => {
    const bytes = fixture('rgb.jpg')
    const pdf = await picturePage(bytes)
    expect(Buffer.from(pdf!).includes(Buffer.from(bytes))).toBe(true)
  })

  it('follows the EXIF orientation', async () => {
    const rotation = async (orientation: number) => {
      const pdf = await picturePage(turned(fixture('rgb.jpg'), orientation))
      return /rot: +(\d+)/.exec(await ask(place(), pdf!, 'pdfinfo', '@'))?.[1]
    }
    expect([await rotation(1), await rotation(3), await rotation(6), await rotation(8)]).toEqual([
      '0',
      '180',
      '90',
      '270',
    ])
  })

  it('is joined to a PDF', async () => {
    const pdf = await picturePage(fixture('rgb.jpg'))
    const { value } = await composePdf(
      officePdf('page-orientation'),
      { before: [], after: [pdf!], attachments: [] },
      { codec: nodeCodec, random: repeatableRandom(), signal: new AbortController().signal, now: 0 },
    )
    expect(await ask(place(), value.bytes, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding')
    expect(await ask(place(), value.bytes, 'pdfimages', '-list', '@')).toMatch(/^ +\d+ +\d+ image/m)
  })

  it('is not made of anything else', async () => {
    for (const name of ['plain.gif', 'rgb.bmp', 'lossy.webp', 'rgb.png'])
      expect(await picturePage(fixture(name))).toBeUndefined()
    expect(await picturePage(new Uint8Array())).toBeUndefined()
  })

  it('a spoilt JPEG is a page or nothing', async () => {
    for (const [, spoil] of spoilers) {
      const pdf = await picturePage(spoil(fixture('rgb.jpg')))
      if (pdf !== undefined) expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
    }
  })
})
