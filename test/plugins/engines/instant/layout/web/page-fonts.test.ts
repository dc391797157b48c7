import { readFileSync } from 'node:fs'
import { brotliCompressSync, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import {
  paintWebPage,
  readWebPage,
  webFontRequests,
  webPageFonts,
} from '../../../../../../plugins/engines/instant/web-pipeline.ts'
import { shippedBook, shippedBytes } from '../../../../../helpers/instant-fonts.ts'

const file = shippedBytes('platen-mono-regular.bin')
const address = (bytes: Uint8Array, type = 'font/ttf') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const limits = { deadline: 60_000, now: () => 0 }

async function drawn(sheet: string) {
  const html = `<!DOCTYPE html><style>${sheet} p { font-family: Own, Arial }</style><p>text`
  const page = readWebPage(html, limits)
  const fonts = shippedBook.forDocument(webPageFonts(page, nodeCodec))
  await fonts.prepare(webFontRequests(page, fonts))
  const { pages, warnings } = paintWebPage({ page, fonts, codec: nodeCodec, ...limits })
  const [width] =
    pages[0]?.frame.items.flatMap(({ item }) => (item.kind === 'glyphs' ? [item.run.width] : [])) ?? []
  return { width, warnings: warnings.map(({ message }) => message) }
}

/** A font in the container of WOFF 1.0 with one table after the other. */
function woff(font: Uint8Array): Uint8Array {
  const view = Buffer.from(font)
  const count = view.readUInt16BE(4)
  const head = Buffer.alloc(44 + 20 * count)
  head.write('wOFF', 0, 'latin1')
  view.copy(head, 4, 0, 4)
  head.writeUInt16BE(count, 12)
  const bodies: Buffer[] = []
  let at = head.length
  for (let index = 0; index < count; index++) {
    const entry = 12 + 16 * index
    const [start, length] = [view.readUInt32BE(entry + 8), view.readUInt32BE(entry + 12)]
    const packed = deflateSync(view.subarray(start, start + length))
    const body = packed.length < length ? packed : view.subarray(start, start + length)
    view.copy(head, 44 + 20 * index, entry, entry + 4)
    head.writeUInt32BE(at, 48 + 20 * index)
    head.writeUInt32BE(body.length, 52 + 20 * index)
    head.writeUInt32BE(length, 56 + 20 * index)
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    bodies.push(padded)
    at += padded.length
  }
  return Buffer.concat([head, ...bodies])
}

const mono = 28.8
describe('fonts of a page', () => {
  it.each([
    ['as they are', address(file)],
    ['of a general type', address(file, 'application/octet-stream')],
    ['packed', address(woff(file), 'font/woff')],
  ])('are used %s', async (_, url) => {
    const { width, warnings } = await drawn(`@font-face { font-family: "Own"; src: url(${url}) format("x") }`)
    expect(width).toBeCloseTo(mono, 1)
    expect(warnings).toEqual([])
  })
  it('are read from WOFF 2', () => {
    const packed = readFileSync(
      new URL('../../../../../fixtures/fonts/inter-vietnamese.woff2', import.meta.url),
    )
    const page = readWebPage(
      `<style>@font-face { font-family: Own; src: url(${address(packed)}) }</style>`,
      limits,
    )
    const [font] = webPageFonts(page, nodeCodec).named
    expect(font?.bytes.subarray(0, 4)).toEqual(new Uint8Array([0, 1, 0, 0]))
    expect(page.boxes.undrawn.size).toBe(0)
  })
  it('are chosen by weight', async () => {
    const { width } = await drawn(
      `@font-face { font-family: Own; font-weight: 400; src: url("${address(file)}") } p { font-weight: 400 }`,
    )
    expect(width).toBeCloseTo(mono, 1)
  })
  it('end with their page', async () => {
    await drawn(`@font-face { font-family: Own; src: url(${address(file)}) }`)
    expect((await drawn('')).width).toBeLessThan(mono - 5)
  })
  it.each([
    ['elsewhere', 'https://example.com/a.woff2'],
    ['no fonts', address(new Uint8Array(1000))],
    ['cut off', address(file.subarray(0, 5000))],
    [
      'of a container that lies',
      address(
        woff(file).map((byte, at) => (at > 60 && at < 90 ? 255 : byte)),
        'font/woff',
      ),
    ],
    [
      'packed wrongly',
      address(new Uint8Array([...Buffer.from('wOF2'), ...brotliCompressSync(file).subarray(0, 900)])),
    ],
  ])('that are %s are left out and reported', async (_, url) => {
    const { width, warnings } = await drawn(`@font-face { font-family: Own; src: url(${url}) }`)
    expect(width).toBeLessThan(mono - 5)
    expect(warnings.join()).toMatch(/fonts of the page|^$/)
  })
  it('are bounded in number', () => {
    const page = readWebPage(
      `<style>${`@font-face { font-family: Own; src: url(${address(file.subarray(0, 100))}) }`.repeat(500)}</style>`,
      limits,
    )
    expect(webPageFonts(page, nodeCodec).named.length).toBe(40)
  })
})
