import { expect, it } from 'vitest'
import { createMerger } from '../../edge/merger.ts'
import { encodeJpeg } from '../../shared/images/jpeg-encode.ts'

/** What is loaded only when a template asks for it is there in the isolate too. */
const merger = createMerger(1_000_000)
async function merged(template: string, format: string, data: unknown): Promise<string> {
  const { value, warnings } = await merger.merge(
    {
      template: { hash: '', bytes: new TextEncoder().encode(template), format },
      data: { value: data },
      options: { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5 },
    },
    new AbortController().signal,
  )
  expect(warnings).toEqual([])
  return new TextDecoder().decode(await value.document.arrayBuffer())
}

it('barcodes', async () => {
  const html = await merged('<img src="{d.v:barcode(qrcode)}"><img src="{d.v:barcode(ean13)}">', 'html', {
    v: '9520123456788',
  })
  const [first, second] = [...html.matchAll(/data:image\/svg\+xml;base64,([\w+/=]+)/g)].map(([, data]) =>
    atob(data!),
  )
  expect(first).toMatch(/^<svg .*<\/svg>$/s)
  expect(second).not.toBe(first)
})

it('photos turned upright are decoded and written', async () => {
  const pixels = new Uint8Array(16 * 8 * 4).fill(200)
  const plain = encodeJpeg(pixels, 16, 8, 90)
  const exif = [
    0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0,
    0, 0, 0,
  ]
  const { loadJpeg, uprightJpeg } = await import('../../shared/images/upright.ts')
  await loadJpeg()
  const turned = uprightJpeg(
    Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...plain.subarray(2)]),
    1_000_000,
  )
  // The sizes in the frame header: height, width.
  const at = turned!.findIndex((byte, n) => byte === 0xff && turned![n + 1] === 0xc0)
  expect([...turned!.subarray(at + 5, at + 9)]).toEqual([0, 16, 0, 8])
})
