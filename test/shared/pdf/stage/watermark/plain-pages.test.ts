/** What a document may try so that a watermark over all of its pages is not seen, as Poppler shows it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finishPdf, officePdf, pdfOf, stream } from '../../../../helpers/pdf.ts'
import { useTemporary } from '../../../../helpers/temporary.ts'

const place = useTemporary()
const mark = { text: 'TEST', rotation: 45, opacity: 0.2, color: '#d00000', overFields: true }
const text = 'BT /F 12 Tf 20 100 Td (kept) Tj ET '

interface Attack {
  readonly content?: string
  /** Entries of the page, of its resources and of the catalogue, and objects from number 6. */
  readonly page?: string
  readonly resources?: string
  readonly catalog?: string
  readonly more?: readonly string[]
}

function fileOf({ content = text, page = '', resources = '', catalog = '', more = [] }: Attack): Uint8Array {
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R/T 7 0 R>>${resources}>>${page}>>`,
    stream(content),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...more,
  ])
}

/** An optional content group that is off. ISO 32000-2, 8.11. */
const hidden = {
  catalog: '/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]/Order[]>>>>',
  resources: '/Properties<</O 6 0 R>>',
  group: '<</Type/OCG/Name(x)>>',
}
const form = '/Type/XObject/Subtype/Form/BBox[0 0 300 200]'
const properties = '/Resources<</Properties<</O 6 0 R>>>>'
const cover = stream('1 g 0 0 10 10 re f', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]')
const image = 'BI /W 1000 /H 1000 /BPC 8 /CS /G'

const attacks: Readonly<Record<string, Attack>> = {
  'a hidden layer that stays open': { ...hidden, more: [hidden.group], content: `${text}/OC /O BDC` },
  'a hidden layer that a form leaves open': {
    ...hidden,
    resources: `${hidden.resources}/XObject<</X 7 0 R>>`,
    more: [hidden.group, stream('/OC /O BDC', form + properties)],
    content: `${text}/X Do`,
  },
  'a hidden layer that a glyph leaves open': {
    ...hidden,
    more: [
      hidden.group,
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 8 0 R>>${properties}>>`,
      stream('9 0 d0 /OC /O BDC'),
    ],
    content: `${text}BT /T 12 Tf (a) Tj ET`,
  },
  'a string without an end': { content: `${text}(` },
  'a string that ends in another stream': {
    page: '/Contents[4 0 R 6 0 R]',
    content: `${text}(`,
    more: [stream(') [')],
  },
  'an array without an end': { content: `${text}[` },
  'a dictionary without an end': { content: `${text}/A <</B` },
  'an image without an end': { content: `${text}${image} ID ` },
  'an image that is shorter than it says': { content: `${text}${image} ID x EI ` },
  'a packed image without an end': { content: `${text}${image} /F /A85 ID x` },
  'data without an image': { content: `${text}ID [ EI ` },
  'states that are restored unseen': { content: `${text}1Q 1Q 1Q 0 0 1 1 re W n` },
  'a colour space in which red is white': {
    resources: '/ColorSpace<</DefaultRGB[/Lab<</WhitePoint[0.95 1 1.09]/Range[0 0 0 0]>>]>>',
  },
  'a box of no size over a box of the tree': { page: '/MediaBox[0 0 0 0]' },
  'a crop box in a corner': { page: '/CropBox[0 0 50 50]' },
  'an angle that readers ignore': { page: '/Rotate 45' },
  'a larger unit': { page: '/UserUnit 10' },
  'a link that covers the page in one of its states': {
    page: '/Annots[6 0 R]',
    more: ['<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/F 4/AP<</N<</On 8 0 R>>>>>>', 'null', cover],
  },
  'a link that covers the page on paper': {
    page: '/Annots[6 0 R]',
    more: ['<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/F 36/AP<</N 8 0 R>>>>', 'null', cover],
  },
  'an annotation of no kind': {
    page: '/Annots[6 0 R]',
    more: ['<</Type/Annot/Rect[0 0 300 200]/F 4/AP<</N 8 0 R>>>>', 'null', cover],
  },
}

/** The first page as pixels, three bytes each, in its medium. */
function pixelsOf(pdf: Uint8Array, resolution = 36) {
  const folder = place()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'page.pdf'), pdf)
  execFileSync('pdftoppm', ['-r', String(resolution), '-singlefile', 'page.pdf', 'page'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const file = readFileSync(join(folder, 'page.ppm'))
  const [head = '', width, height] =
    /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(0, 40).toString('latin1')) ?? []
  return { width: Number(width), height: Number(height), bytes: file.subarray(head.length) }
}

/** The share of the pixels of an area that are reddish. */
function redIn(
  { width, bytes }: ReturnType<typeof pixelsOf>,
  area: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): number {
  let red = 0
  for (let y = area.top; y < area.top + area.height; y++)
    for (let x = area.left; x < area.left + area.width; x++) {
      const at = 3 * (y * width + x)
      const [r = 0, g = 0, b = 0] = bytes.subarray(at, at + 3)
      if (r - g > 15 && r - b > 15) red++
    }
  return red / (area.width * area.height)
}

describe('a watermark over everything is seen in spite of', () => {
  it.each(Object.entries(attacks))('%s', async (_, attack) => {
    const { value } = await finishPdf(fileOf(attack), { Watermarks: [mark] })
    const pixels = pixelsOf(value)
    expect(redIn(pixels, { left: 0, top: 0, ...pixels })).toBeGreaterThan(0.03)
    // Whoever makes the page larger than its crop box finds the watermark there, too.
    const uncropped = pixelsOf(
      Buffer.from(Buffer.from(value).toString('latin1').replace('/CropBox', '/NoneBox'), 'latin1'),
    )
    expect(redIn(uncropped, { left: 0, top: 0, ...uncropped })).toBeGreaterThan(0.03)
  })

  it('the size of a page, of which a sheet of paper could be cut out', async () => {
    const { value } = await finishPdf(fileOf({ page: '/MediaBox[0 0 3000 3000]' }), { Watermarks: [mark] })
    const pixels = pixelsOf(value, 12)
    const sheet = { width: 99, height: 140 } // A4
    for (const left of [0, 120, pixels.width - sheet.width])
      for (const top of [0, 120, pixels.height - sheet.height])
        expect(redIn(pixels, { left, top, ...sheet })).toBeGreaterThan(0.01)
  })

  it('any number of areas: a crop box of a point in a large medium', async () => {
    const page = '/MediaBox[0 0 14400 14400]/CropBox[0 0 1 1]'
    const { value } = await finishPdf(fileOf({ page }), { Watermarks: [mark] })
    expect(value.length).toBeLessThan(20_000)
  })

  it('contents that readers decode and this service does not: they are refused', async () => {
    const file = fileOf({ content: 'x', page: '/Contents 6 0 R', more: [stream('x', '/Filter/LZWDecode')] })
    await expect(finishPdf(file, { Watermarks: [mark] })).rejects.toMatchObject({ code: 'pdf.broken' })
  })

  it('scripts that could cover it', async () => {
    const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>'
    const catalog = `/OpenAction${script}/Names<</JavaScript<</Names[(a)${script}]>>>>`
    const { value } = await finishPdf(fileOf({ catalog }), { Watermarks: [mark] })
    expect(Buffer.from(value).toString('latin1')).not.toMatch(/app\.alert|\/JS/)
  })
})

const reading = new URL('../../../../fixtures/pdf/reading/', import.meta.url)
const files = readdirSync(reading).filter((name) => name.endsWith('.pdf'))
const documents: readonly (readonly [string, Uint8Array])[] = [
  ['letter-tagged', officePdf('letter-tagged')],
  ['page-orientation', officePdf('page-orientation')],
  ...files.map((name) => [name, readFileSync(new URL(name, reading))] as const),
]

it.each(documents)('%s looks as before under it', async (_, bytes) => {
  const unseen = { text: 'x', opacity: 0 }
  const { value: usual } = await finishPdf(bytes, { Watermarks: [unseen] })
  const { value: plain } = await finishPdf(bytes, { Watermarks: [{ ...unseen, overFields: true }] })
  expect(pixelsOf(plain).bytes.equals(pixelsOf(usual).bytes)).toBe(true)
})

it('images in the contents of a page look as before, and are images of their own', async () => {
  const drawn =
    '60 0 0 60 20 20 cm BI /W 2 /H 2 /BPC 8 /CS [/I /RGB 3 <ff000000ff000000ff888888>] /F /AHx ID 00010203>\nEI'
  const file = fileOf({ content: `q ${drawn} Q ${text}` })
  const unseen = { text: 'x', opacity: 0 }
  const { value: usual } = await finishPdf(file, { Watermarks: [unseen] })
  const { value: plain } = await finishPdf(file, { Watermarks: [{ ...unseen, overFields: true }] })
  const pixels = pixelsOf(plain)
  expect(pixels.bytes.equals(pixelsOf(usual).bytes)).toBe(true)
  expect(redIn(pixels, { left: 10, top: 60, width: 15, height: 15 })).toBe(1)
  expect(Buffer.from(plain).toString('latin1')).toContain('/Subtype/Image')
})
