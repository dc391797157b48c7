import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import plugin from '../../../../plugins/engines/poppler/index.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { engineContract } from '../../../contract/engine.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { ask, finishPdf, latin1, officePdf, pdfOf, stream } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const folder = temporaryFolder('poppler-test')

/** Pages of these sizes in points, each filled with a colour of its own. */
function coloured(...sizes: readonly (readonly [number, number])[]): Uint8Array {
  const colours = ['1 0 0', '0 1 0', '0 0 1', '1 1 0']
  const kids = sizes.map((_, index) => `${3 + 2 * index} 0 R`).join(' ')
  const pages = sizes.flatMap(([width, height], index) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${4 + 2 * index} 0 R>>`,
    stream(`${colours[index % 4]} rg 0 0 ${width} ${height / 2} re f`),
  ])
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${sizes.length}/Kids[${kids}]>>`,
    ...pages,
  ])
}

const a4 = [595, 842] as const
const three = coloured(a4, [842, 595], a4)
const { convert, engine } = engineUnder(plugin, originHost())

engineContract({
  plugin,
  settings: {},
  host: originHost(),
  sample: async () => officePdf('letter-tagged'),
  varies: 'EPS files hold the time they were made at',
  slow: { from: 'pdf', to: 'webp', source: () => coloured(...Array.from({ length: 300 }, () => a4)) },
})

async function look(picture: Uint8Array): Promise<string> {
  const { width, height, format } = await sharp(picture).metadata()
  return `${format} ${width} x ${height}`
}
async function colourAt(picture: Uint8Array, left: number, top: number): Promise<string> {
  const pixel = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  return pixel.toString('hex').slice(0, 6)
}
const viewsOf = (made: Awaited<ReturnType<typeof convert>>) =>
  (made.pages ?? []).map((page) => page.view as Uint8Array)

describe('pages as pictures', () => {
  test('one file a page, in order, as large as its page', async () => {
    const pages = viewsOf(await convert(three, 'pdf', 'png'))
    expect(await Promise.all(pages.map(look))).toEqual([
      'png 1240 x 1755',
      'png 1755 x 1240',
      'png 1240 x 1755',
    ])
    expect(await Promise.all(pages.map((page) => colourAt(page, 100, 1200)))).toEqual([
      'ff0000',
      '00ff00',
      '0000ff',
    ])
    expect(await colourAt(pages[0]!, 100, 100)).toBe('ffffff')
  })

  test.each([
    [{ PageRange: '3,1' }, ['0000ff', 'ff0000']],
    [{ PageRange: '2-' }, ['00ff00', '0000ff']],
  ])('selects pages in the requested order: %j', async (options, colours) => {
    const pages = viewsOf(
      await convert(three, 'pdf', 'png', { options: { ...options, PixelWidth: 100, PixelHeight: 100 } }),
    )
    expect(await Promise.all(pages.map((page) => colourAt(page, 50, 90)))).toEqual(colours)
  })

  test.each([
    ['png', { PixelWidth: 300 }, 'png 300 x 424'],
    ['jpg', { PixelHeight: 200 }, 'jpeg 141 x 200'],
    ['webp', { PixelWidth: 50, PixelHeight: 60 }, 'webp 50 x 60'],
    ['tiff', { PixelWidth: 40 }, 'tiff 40 x 57'],
    ['gif', { PixelWidth: 40 }, 'gif 40 x 57'],
  ])('%s %j', async (to, options, expected) => {
    const [first] = viewsOf(await convert(three, 'pdf', to, { options: { PageRange: '1', ...options } }))
    const [format, width, , height] = (await look(first!)).split(' ')
    const [, wantedWidth, , wantedHeight] = expected.split(' ')
    expect(format).toBe(expected.split(' ')[0])
    expect(Math.abs(Number(width) - Number(wantedWidth))).toBeLessThanOrEqual(1)
    expect(Math.abs(Number(height) - Number(wantedHeight))).toBeLessThanOrEqual(1)
  })

  test('grey, interlaced, transparent, quality', async () => {
    const one = async (to: string, options: object) =>
      viewsOf(
        await convert(three, 'pdf', to, { options: { PageRange: '1', PixelWidth: 200, ...options } }),
      )[0]!
    expect(await colourAt(await one('png', { ColorMode: 1 }), 50, 200)).toMatch(/^(..)\1\1$/)
    expect((await sharp(await one('png', { Interlaced: 1 })).metadata()).isProgressive).toBe(true)
    expect((await sharp(await one('png', { Translucent: 1 })).metadata()).hasAlpha).toBe(true)
    expect((await one('png', { Compression: 0 })).length).toBeGreaterThan(200 * 283 * 3)
    expect((await one('jpg', { Quality: 1 })).length).toBeLessThan(
      (await one('jpg', { Quality: 100 })).length,
    )
  })

  test('bmp is written as programs read it', async () => {
    const [first] = viewsOf(
      await convert(three, 'pdf', 'bmp', { options: { PageRange: '1', PixelWidth: 30 } }),
    )
    const view = new DataView(first!.buffer, first!.byteOffset)
    expect([view.getInt32(18, true), view.getUint16(28, true)]).toEqual([30, 24])
    // Rows come from below, colours as blue, green, red; rows are padded to 92 bytes.
    const row = 54 + 92 * 5
    expect([...first!.subarray(row + 30, row + 33)]).toEqual([0, 0, 255])
  })
})

describe('bad input', () => {
  test.each([
    ['empty', new Uint8Array()],
    ['no PDF', latin1('hello '.repeat(500))],
    ['cut off', three.slice(0, 300)],
    ['no pages', pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 0/Kids[]>>'])],
  ])('%s', async (_name, bytes) => {
    await expect(convert(bytes, 'pdf', 'png')).rejects.toMatchObject({ code: 'convert.document' })
    expect((await convert(three, 'pdf', 'png', { options: { PageRange: '1' } })).pages).toHaveLength(1)
  })

  test('a locked file asks for its password', async () => {
    const locked = await finishPdf(three, { EncryptFile: true, DocumentOpenPassword: 'secret' })
    await expect(convert(locked.value, 'pdf', 'png')).rejects.toMatchObject({ code: 'convert.password' })
    const restricted = await finishPdf(three, { RestrictPermissions: true, PermissionPassword: 'owner' })
    expect((await convert(restricted.value, 'pdf', 'png')).pages).toHaveLength(3)
  })

  test('a page of 500 megapixels is drawn at a lower resolution with a warning', async () => {
    const { pages, warnings } = await convert(coloured([14_000, 14_000]), 'pdf', 'jpg')
    expect(warnings.map(({ code }) => code)).toEqual(['convert.picture-reduced'])
    expect(await look(pages?.[0]?.view as Uint8Array)).toMatch(/^jpeg 9\d{3} x 9\d{3}$/)
  })

  test.each([
    [{ PixelWidth: 20_000, PixelHeight: 20_000 }, 'PixelWidth'],
    [{ PageRange: '9-' }, 'PageRange'],
  ])('options that make no picture are named: %j', async (options, option) => {
    await expect(convert(three, 'pdf', 'png', { options })).rejects.toMatchObject({
      code: 'convert.options',
      details: { option },
    })
  })

  test('a deadline ends the work', async () => {
    const many = coloured(...Array.from({ length: 200 }, () => a4))
    await expect(convert(many, 'pdf', 'webp', { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'convert.timeout',
    })
  })

  test('a slow machine is not reported to lack Poppler', async () => {
    const late = () => Promise.reject(new AppError('convert.timeout', { doing: 'looking for Poppler' }))
    const { engine: slow } = engineUnder(plugin, { ...originHost(), runProgram: late })
    expect(await slow.health?.()).toEqual({ ok: false, because: 'Timeout while looking for Poppler.' })
  })

  test('reports missing Poppler', async () => {
    const path = process.env['PATH']
    process.env['PATH'] = '/nowhere'
    try {
      expect(await engine.health?.()).toEqual({
        ok: false,
        because: 'Poppler (poppler-utils) is not installed',
      })
      await expect(convert(three, 'pdf', 'png')).rejects.toMatchObject({ code: 'convert.engine-off' })
    } finally {
      process.env['PATH'] = path
    }
    expect(await ask(join(folder, 'x'), three, 'pdfinfo', '@')).toContain('Pages')
  })
})
