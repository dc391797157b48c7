import { expect, it } from 'vitest'
import { createMerger } from '../../edge/merger.ts'

/** 16 by 8 pixels of grey. */
const greyJpeg =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU' +
  'FRUVDA8XGBYUGBIUFRQBAwQEBQQFCQUFCRQNCw0UFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU' +
  'FBQUFP/AABEIAAgAEAMBEQACEQEDEQH/xAGiAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsQAAIBAwMCBAMFBQQEAAABfQEC' +
  'AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm' +
  'Z2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq' +
  '8fLz9PX29/j5+gEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoLEQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIy' +
  'gQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZGiYnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SF' +
  'hoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/2gAMAwEA' +
  'AhEDEQA/APsCgAoA/wD/2Q=='

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

it('photographs with an EXIF orientation are decoded, rotated and written', async () => {
  const plain = Uint8Array.from(atob(greyJpeg), (letter) => letter.charCodeAt(0))
  const exif = [
    0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0,
    0, 0, 0,
  ]
  const { loadJpeg, orientJpeg } = await import('../../shared/images/exif-orientation.ts')
  await loadJpeg()
  // The test runner adds what deployed Workers lack, and other files need it again.
  const added = Object.getOwnPropertyDescriptor(globalThis, 'Buffer')
  expect(Reflect.deleteProperty(globalThis, 'Buffer')).toBe(true)
  const rotated = Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...plain.subarray(2)])
  const turned = orientJpeg(rotated, 1_000_000)
  if (added !== undefined) Object.defineProperty(globalThis, 'Buffer', added)
  // The sizes in the frame header: height, width.
  const at = turned!.findIndex((byte, n) => byte === 0xff && turned![n + 1] === 0xc0)
  expect([...turned!.subarray(at + 5, at + 9)]).toEqual([0, 16, 0, 8])
})
