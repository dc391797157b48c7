import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { useServices } from '../helpers/origin-services.ts'
import { flat, flatSheet } from '../plugins/engines/libreoffice/samples.ts'

const services = useServices()

/** An eighth of A4, because most of the work is for each pixel. What options do is the same on any page. */
const smallPage =
  '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="10cm" fo:page-height="7cm" fo:margin="0.5cm"/></style:page-layout>'
const master = (name: string) =>
  `<office:master-styles><style:master-page style:name="${name}" style:page-layout-name="L"/></office:master-styles>`
const coloured = flat(
  'text',
  'text',
  '<text:p text:style-name="C">red</text:p>',
  `<office:automatic-styles>${smallPage}<style:style style:name="C" style:family="paragraph"><style:text-properties fo:color="#ff0000" fo:font-size="60pt"/></style:style></office:automatic-styles>${master('Standard')}`,
)
const red = (kind: string, body: string) =>
  flat(
    kind,
    body,
    '<draw:page draw:name="One" draw:master-page-name="M"><draw:rect draw:style-name="R" svg:x="1cm" svg:y="1cm" svg:width="5cm" svg:height="3cm"/></draw:page>',
    `<office:automatic-styles>${smallPage}<style:style style:name="R" style:family="graphic"><style:graphic-properties draw:fill="solid" draw:fill-color="#ff0000"/></style:style></office:automatic-styles>${master('M')}`,
  )
const sources = {
  fodt: coloured,
  fodp: red('presentation', 'presentation'),
  fodg: red('graphics', 'drawing'),
  fods: flatSheet.replace(
    /(?=<office:body>)/,
    `<office:automatic-styles>${smallPage}</office:automatic-styles>${master('Default')}`,
  ),
} as const
type From = keyof typeof sources

async function convert(
  from: From,
  to: string,
  options: Record<string, unknown>,
  source: string = sources[from],
  letter?: string,
) {
  const made = await services().converter.convert({
    source: fromBytes(new TextEncoder().encode(source)),
    from,
    to,
    options,
    letter,
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  const bytes = await bytesOf(made.value)
  return { bytes, warnings: made.warnings.map(({ message }) => message) }
}
const look = async (bytes: Uint8Array) => sharp(bytes).metadata()
/** Whether most of a picture is clear. */
async function isClear(bytes: Uint8Array): Promise<boolean> {
  const { data } = await sharp(bytes)
    .ensureAlpha()
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.reduce((sum, alpha) => sum + alpha, 0) / data.length < 128
}
/** Whether any pixel has a colour. */
async function colourful(bytes: Uint8Array): Promise<boolean> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels < 3) return false
  for (let at = 0; at < data.length; at += info.channels)
    if (Math.abs((data[at] ?? 0) - (data[at + 1] ?? 0)) > 12) return true
  return false
}

describe('resolution', () => {
  const page =
    '<svg xmlns="http://www.w3.org/2000/svg" width="192" height="96"><rect width="9" height="9"/></svg>'
  const sizeOf = async (from: string, source: string, options: Record<string, unknown>) => {
    const { width, height } = await look((await convert(from as From, 'png', options, source)).bytes)
    return [width, height]
  }
  it('is 150 dots per inch by default, or as requested', async () => {
    const letter = sources.fodt.replace(
      'fo:page-width="10cm" fo:page-height="7cm"',
      'fo:page-width="4in" fo:page-height="2in"',
    )
    expect(await sizeOf('fodt', letter, {})).toEqual([600, 300])
    expect(await sizeOf('fodt', letter, { Resolution: 72 })).toEqual([288, 144])
    expect(await sizeOf('fodt', letter, { Resolution: 72, PixelWidth: 100 })).toEqual([100, 50])
  })
  it('is 96 dots per inch by default for what a browser draws, or as requested', async () => {
    expect(await sizeOf('svg', page, {})).toEqual([192, 96])
    expect(await sizeOf('svg', page, { Resolution: 192 })).toEqual([384, 192])
    expect(await sizeOf('html', '<p style="width:3000px">x', { Resolution: 48 })).toEqual([1504, 360])
  })
})

it('sheets become a picture for each page of each sheet', async () => {
  const sheets = flatSheet.replace(
    /<table:table [\s\S]*<\/table:table>/,
    (one) => one + one.replace('Sales', 'More').replace('Größe', 'Other'),
  )
  const made = await services().converter.convert({
    source: fromBytes(new TextEncoder().encode(sheets)),
    from: 'fods',
    to: 'webp',
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  expect([made.format, made.pages?.length, made.warnings]).toEqual(['zip', 2, []])
  const texts = await Promise.all((made.pages ?? []).map((one) => bytesOf(one)))
  expect(Buffer.compare(texts[0]!, texts[1]!)).not.toBe(0)
})

const kinds = Object.keys(sources) as From[]
describe.each(kinds)('a picture of %s', (from) => {
  // The type of a picture and the kind of its document do not meet: each type has its turn with a text.
  it.each(from === 'fodt' ? ['png', 'jpg', 'webp'] : ['png'])('as %s has the requested size', async (to) => {
    const both = await look((await convert(from, to, { PixelWidth: 321, PixelHeight: 123 })).bytes)
    expect([both.width, both.height]).toEqual([321, 123])
    const whole = await look((await convert(from, to, {})).bytes)
    const wide = await look((await convert(from, to, { PixelWidth: 200 })).bytes)
    expect(wide.width).toBe(200)
    expect(Math.abs(wide.height / 200 - whole.height / whole.width)).toBeLessThan(0.02)
    const tall = await look((await convert(from, to, { PixelHeight: 150 })).bytes)
    expect(tall.height).toBe(150)
  })

  it('PNG: compression, interlacing, transparency, colours', async () => {
    const size = async (Compression: number) => (await convert(from, 'png', { Compression })).bytes.length
    expect(await size(0)).toBeGreaterThan((await size(9)) * 3)
    for (const Interlaced of [0, 1]) {
      const { bytes } = await convert(from, 'png', { Interlaced, PixelWidth: 100 })
      expect(bytes[28], 'interlace method of IHDR').toBe(Interlaced)
    }
    const opaque = await sharp((await convert(from, 'png', { Translucent: 0 })).bytes).stats()
    expect(opaque.isOpaque).toBe(true)
    const clear = await sharp((await convert(from, 'png', { Translucent: 1 })).bytes).stats()
    expect(clear.isOpaque).toBe(false)
    if (from === 'fods') return
    expect(await colourful((await convert(from, 'png', { ColorMode: 0 })).bytes)).toBe(true)
    expect(await colourful((await convert(from, 'png', { ColorMode: 1 })).bytes)).toBe(false)
  })

  it('a translucent picture is clear around what the page shows, for each engine and option', async () => {
    for (const letter of [undefined, 'L'])
      for (const options of [{}, { ColorMode: 1 }, { Interlaced: 1 }]) {
        const asked = { Translucent: 1, ...options }
        const { bytes, warnings } = await convert(from, 'png', asked, sources[from], letter)
        expect([options, letter, await isClear(bytes), warnings]).toEqual([options, letter, true, []])
        if ('ColorMode' in options) expect(await colourful(bytes)).toBe(false)
      }
    if (from === 'fodp' || from === 'fodg') return
    const webp = await convert(from, 'webp', { Translucent: 1 })
    expect([await isClear(webp.bytes), webp.warnings]).toEqual([true, []])
  })

  it('JPG: quality, colours', async () => {
    const size = async (Quality: number) => (await convert(from, 'jpg', { Quality })).bytes.length
    expect(await size(5)).toBeLessThan(await size(100))
    if (from === 'fods') return
    expect(await colourful((await convert(from, 'jpg', { ColorMode: 0 })).bytes)).toBe(true)
    expect(await colourful((await convert(from, 'jpg', { ColorMode: 1 })).bytes)).toBe(false)
  })
})

it.each<[string, Record<string, unknown>, string]>([
  ['png', { PixelWidth: 0 }, 'PixelWidth: must be'],
  ['png', { PixelWidth: '100' }, 'PixelWidth: must be'],
  ['png', { Compression: 10 }, 'Compression: must be an integer from 0 to 9'],
  ['png', { Interlaced: 2 }, 'Interlaced: must be'],
  ['png', { Translucent: true }, 'Translucent: must be'],
  ['jpg', { Quality: 0 }, 'Quality: must be an integer from 1 to 100'],
  ['jpg', { ColorMode: 3 }, 'ColorMode: must be'],
  ['png', { PixelWidth: 20_000, PixelHeight: 20_000 }, 'PixelWidth: makes a picture of more than'],
  ['png', { Resolution: 5 }, 'Resolution: must be an integer from 10 to 1200'],
])('%s with %j is refused by name and range', async (to, options, message) => {
  const error = await convert('fodp', to, options).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).message).toContain(`Invalid option ${message}`)
})

it.each([
  ['jpg', { Compression: 3 }, 'Compression'],
  ['png', { Quality: 3 }, 'Quality'],
  ['png', { fieldSeparator: ';' }, 'fieldSeparator'],
])('%s with %j reports that it has no effect', async (to, options, name) => {
  expect((await convert('fodp', to, options)).warnings).toEqual([
    `Option ${name} has no effect on output of the type ${to}.`,
  ])
})

describe('CSV', () => {
  const cells = (values: readonly string[]) =>
    values
      .map(
        (value) =>
          `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`,
      )
      .join('')
  const sheet = flat(
    'spreadsheet',
    'spreadsheet',
    `<table:table table:name="S"><table:table-row>${cells(['Größe', 'a;b', 'c,d', 'say &quot;x&quot;', 'tab\ths'])}</table:table-row></table:table>`,
  )
  const csv = async (options: Record<string, unknown>) => (await convert('fods', 'csv', options, sheet)).bytes
  it.each<[Record<string, unknown>, string, string]>([
    [{}, 'utf-8', 'Größe,a;b,"c,d","say ""x""",tab\ths\n'],
    [{ fieldSeparator: ',' }, 'utf-8', 'Größe,a;b,"c,d","say ""x""",tab\ths\n'],
    [{ fieldSeparator: ';' }, 'utf-8', 'Größe;"a;b";c,d;"say ""x""";tab\ths\n'],
    [{ fieldSeparator: '\t' }, 'utf-8', 'Größe\ta;b\tc,d\t"say ""x"""\t"tab\ths"\n'],
    [{ fieldSeparator: '|' }, 'utf-8', 'Größe|a;b|c,d|"say ""x"""|tab\ths\n'],
    [{ textDelimiter: "'" }, 'utf-8', 'Größe,a;b,\'c,d\',say "x",tab\ths\n'],
    [{ textDelimiter: '' }, 'utf-8', 'Größe,a;b,c,d,say "x",tab\ths\n'],
    [{ characterSet: '76' }, 'utf-8', 'Größe,a;b,"c,d","say ""x""",tab\ths\n'],
    [{ characterSet: '1' }, 'windows-1252', 'Größe,a;b,"c,d","say ""x""",tab\ths\n'],
    [{ characterSet: '12' }, 'windows-1252', 'Größe,a;b,"c,d","say ""x""",tab\ths\n'],
    [{ characterSet: '65535' }, 'utf-16le', 'Größe,a;b,"c,d","say ""x""",tab\ths\n'],
  ])('%j', async (options, encoding, expected) => {
    expect(new TextDecoder(encoding).decode(await csv(options))).toBe(expected)
  })
  it.each<[Record<string, unknown>, string]>([
    [{ fieldSeparator: 'é' }, 'fieldSeparator: must be'],
    [{ fieldSeparator: ['a'] }, 'fieldSeparator: must be a string'],
    [{ textDelimiter: '""' }, 'textDelimiter: must be at most 1 characters long'],
    [{ characterSet: 'utf8' }, 'characterSet: must be the number of a character set'],
  ])('%j is refused', async (options, message) => {
    await expect(csv(options)).rejects.toThrow(`Invalid option ${message}`)
  })
})
