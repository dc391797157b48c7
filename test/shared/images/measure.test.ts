import { describe, expect, it } from 'vitest'
import { measureImage } from '../../../shared/images/measure.ts'
import { missingImagePng } from '../../../shared/images/missing-image.ts'
import { fixture, svg } from '../../helpers/pictures.ts'

const text = (value: string) => new TextEncoder().encode(value)
/** TIFF with one directory: width as SHORT, height as LONG. */
const tiff = (little: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(38))
  view.setUint16(0, little ? 0x4949 : 0x4d4d)
  view.setUint16(2, 42, little)
  view.setUint32(4, 8, little)
  view.setUint16(8, 2, little)
  for (const [n, tag, type, value] of [
    [0, 256, 3, 640],
    [1, 257, 4, 480],
  ] as const) {
    const at = 10 + n * 12
    view.setUint16(at, tag, little)
    view.setUint16(at + 2, type, little)
    view.setUint32(at + 4, 1, little)
    if (type === 3) view.setUint16(at + 8, value, little)
    else view.setUint32(at + 8, value, little)
  }
  return new Uint8Array(view.buffer)
}
const changed = (name: string, at: number, ...bytes: number[]) => {
  const copy = fixture(name)
  copy.set(bytes, at)
  return copy
}

describe('size of a picture', () => {
  const rows: [string, Uint8Array, string | undefined][] = [
    ['PNG', fixture('rgb.png'), 'png 16 8'],
    ['JPEG', fixture('rgb.jpg'), 'jpeg 16 8'],
    ['progressive JPEG', fixture('progressive.jpg'), 'jpeg 16 8'],
    ['GIF', fixture('plain.gif'), 'gif 16 8'],
    ['BMP', fixture('rgb.bmp'), 'bmp 16 8'],
    ['WebP', fixture('lossy.webp'), 'webp 16 8'],
    ['WebP, lossless', fixture('lossless.webp'), 'webp 16 8'],
    ['TIFF, Intel', tiff(true), 'tiff 640 480'],
    ['TIFF, Motorola', tiff(false), 'tiff 640 480'],
    ['SVG', text(svg(200, 100)), 'svg 200 100'],
    ['SVG, view box alone', text('<svg viewBox="0 0 30 20"/>'), 'svg 30 20'],
    ['SVG, width and view box', text('<svg width="60mm" viewBox="0,0,30,20"/>'), 'svg 226.77 151.18'],
    ['SVG in percent', text('<svg width="100%" height="100%" viewBox="0 0 5 4"></svg>'), 'svg 5 4'],
    ['SVG that says nothing', text('<svg>'), 'svg 300 150'],
    ['SVG with a document type', text('<!DOCTYPE svg PUBLIC "x" "y"><svg width="2" height="1"/>'), 'svg 2 1'],
    ['HTML', text('<!DOCTYPE html><html><svg width="1" height="1"/></html>'), undefined],
    ['HTML that names itself SVG', text('<html>svg</html>'), undefined],
    ['text', text('hello'), undefined],
    ['nothing', new Uint8Array(0), undefined],
    ['PNG that is cut off', fixture('rgb.png').subarray(0, 17), undefined],
    ['PNG without width', changed('rgb.png', 16, 0, 0, 0, 0), undefined],
    ['PNG that lies', changed('rgb.png', 16, 0xff, 0xff, 0xff, 0xff), undefined],
    ['JPEG without a frame', fixture('rgb.jpg').subarray(0, 40), undefined],
    ['SVG of negative size', text('<svg width="-5" height="5"/>'), 'svg 300 5'],
    ['SVG whose comment never ends', text(`<svg width="1" height="1"/>`.padStart(9000, '<!-- ')), undefined],
    ['the stand-in', missingImagePng(2), 'png 320 160'],
    ['the stand-in of a thin box', missingImagePng(1e-9), 'png 16 320'],
    ['the stand-in of no box', missingImagePng(Number.NaN), 'png 320 320'],
  ]
  it.each(rows)('%s', (_name, bytes, expected) => {
    const found = measureImage(bytes)
    const short = (value: number) => Number(value.toFixed(2))
    expect(found && `${found.kind} ${short(found.width)} ${short(found.height)}`).toBe(expected)
  })
})
