/** Files that lie: pictures, fonts, entities and PDFs whose counts, sizes and references mean ill. Each is small and asks for much. */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { crc32 } from '../../../shared/crc32.ts'
import { docxOf, hugePng, odtOf, pictureInText, zipOf } from '../../helpers/docx.ts'
import { packedZeros } from '../../helpers/packed-zeros.ts'
import { latin1, pdfOf, stream } from '../../helpers/pdf.ts'

export interface Attack {
  readonly name: string
  readonly from: string
  /** What it is converted to, and by which engine, where one is named. */
  readonly to: readonly (readonly [to: string, letter?: string])[]
  readonly source: () => Uint8Array | string | Promise<Uint8Array | string>
}

const bytes = (...parts: readonly (string | number | Uint8Array)[]): Uint8Array => {
  const all = parts.map((part) =>
    typeof part === 'string' ? latin1(part) : typeof part === 'number' ? Uint8Array.of(part) : part,
  )
  return new Uint8Array(Buffer.concat(all))
}
const u16 = (value: number): Uint8Array => Uint8Array.of(value & 255, (value >> 8) & 255)
const u32 = (value: number): Uint8Array => bytes(u16(value & 0xffff), u16(value >>> 16))
const u16be = (value: number): Uint8Array => u16(value).reverse()
const repeat = (count: number, part: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat(Array.from({ length: count }, () => part)))

const jpeg = () => new Uint8Array(readFileSync(new URL('../../fixtures/images/rgb.jpg', import.meta.url)))
/** The JPEG with the size that its frame header (SOF, T.81 B.2.2) declares replaced. */
function jpegOfSize(width: number, height: number): Uint8Array {
  const picture = jpeg().slice()
  const frame = picture.findIndex(
    (byte, at) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(picture[at + 1] ?? 0),
  )
  picture.set(bytes(u16be(height), u16be(width)), frame + 5)
  return picture
}

/** A PNG with the size that its header declares replaced (ISO 15948, 11.2.2), and a checksum that is right. */
function pngOfSize(width: number, height: number): Uint8Array {
  const picture = hugePng(8, 8).slice()
  const view = new DataView(picture.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  view.setUint32(29, crc32(picture.subarray(12, 29)))
  return picture
}

/** A picture of the GIF89a kind with as many frames as asked, each of which covers a screen of 65,535 px. */
const gifOfFrames = (frames: number): Uint8Array =>
  bytes(
    'GIF89a',
    u16(65_535),
    u16(65_535),
    bytes(0x80, 0, 0, 0, 0, 0, 255, 255, 255),
    repeat(
      frames,
      bytes(0x2c, u16(0), u16(0), u16(65_535), u16(65_535), 0, 2, 3, 0x84, 0x8f, 0x05, 0),
    ),
    0x3b,
  )

const tiff = (...entries: readonly (readonly [tag: number, type: number, count: number, value: number])[]): Uint8Array =>
  bytes(
    'II',
    u16(42),
    u32(8),
    u16(entries.length),
    ...entries.map(([tag, type, count, value]) => bytes(u16(tag), u16(type), u32(count), u32(value))),
    u32(8), // the next directory is this one
  )

const webp = bytes('RIFF', u32(0xffff_fff0), 'WEBPVP8X', u32(10), u32(0x10), u16(0xffff), 0xff, u16(0xffff), 0xff)
const bmp = bytes('BM', u32(100), u32(0), u32(54), u32(40), u32(0x7fff_ffff), u32(0x8000_0000), u16(1), u16(24), u32(0), u32(0), new Uint8Array(40))
const emf = bytes(u32(1), u32(88), new Uint8Array(32), ' EMF', u32(0x10000), u32(0xffff_ffff), u32(0xffff_ffff), u16(0xffff), u16(0), new Uint8Array(28), u32(14), u32(0), u32(0))
const wmf = bytes(u32(0x9ac6_cdd7), u16(0), u16(0), u16(0), u16(0x7fff), u16(0x7fff), u16(1), u32(0), u16(0), u16(1), u16(9), u16(0x300), u32(0xffff_ffff), u16(0xffff), u32(0xffff_ffff), u16(0), u32(0), u16(0x0940))

/** The header of a bitmap of 24 bits per pixel (BITMAPINFOHEADER), of which no pixel needs to follow. */
const bitmapHeader = (width: number, height: number): Uint8Array =>
  bytes(u32(40), u32(width), u32(height), u16(1), u16(24), new Uint8Array(24))
const bmpOfSize = (width: number, height: number): Uint8Array =>
  bytes('BM', u32(94), u32(0), u32(54), bitmapHeader(width, height), new Uint8Array(40))

/** An EMF that stretches one bitmap over it (MS-EMF 2.3.1.7), with the size that its header declares. */
function emfWithBitmap(width: number, height: number): Uint8Array {
  const pixels = 16
  const size = 80 + 40 + pixels
  const record = bytes(
    u32(81), u32(size), // EMR_STRETCHDIBITS
    u32(0), u32(0), u32(100), u32(100), // Bounds
    u32(0), u32(0), u32(0), u32(0), u32(width), u32(height), // xDest, yDest, xSrc, ySrc, cxSrc, cySrc
    u32(80), u32(40), u32(120), u32(pixels), // where the header and the pixels are
    u32(0), u32(0x00cc_0020), u32(100), u32(100), // DIB_RGB_COLORS, SRCCOPY, cxDest, cyDest
    bitmapHeader(width, height), new Uint8Array(pixels),
  )
  const end = bytes(u32(14), u32(20), u32(0), u32(16), u32(20))
  const total = 108 + record.length + end.length
  const bounds = bytes(u32(0), u32(0), u32(100), u32(100), u32(0), u32(0), u32(2600), u32(2600))
  return bytes(
    u32(1), u32(108), bounds, ' EMF', u32(0x10000), u32(total), u32(3), u16(1), u16(0), u32(0), u32(0), u32(0),
    u32(1920), u32(1080), u32(508), u32(286), u32(0), u32(0), u32(0), u32(508_000), u32(286_000), record, end,
  )
}

/** A WMF that stretches one bitmap over it (MS-WMF 2.3.1.6). */
function wmfWithBitmap(width: number, height: number): Uint8Array {
  const dib = bytes(bitmapHeader(width, height), new Uint8Array(16))
  const record = bytes(
    u32(14 + dib.length / 2), u16(0x0f43), u32(0x00cc_0020), u16(0),
    u16(0xffff), u16(0xffff), u16(0), u16(0), u16(100), u16(100), u16(0), u16(0), dib,
  )
  const header = bytes(u16(1), u16(9), u16(0x300), u32((18 + record.length + 6) / 2), u16(0), u32(record.length / 2), u16(0))
  const place = bytes(u32(0x9ac6_cdd7), u16(0), u16(0), u16(0), u16(100), u16(100), u16(96), u32(0), u16(0))
  return bytes(place, header, record, u32(3), u16(0))
}

/** A lossy or lossless WebP whose frame declares the largest size there is (RFC 9649, 2.5 and 2.6), with hardly any data. */
const vp8 = bytes('RIFF', u32(38), 'WEBPVP8 ', u32(26), 0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, u16(16_383), u16(16_383), new Uint8Array(16))
const vp8l = bytes('RIFF', u32(34), 'WEBPVP8L', u32(22), 0x2f, 0xff, 0xff, 0xff, 0x0f, new Uint8Array(17))

/** A PNG with a chunk added after its header. */
function pngWith(type: string, data: Uint8Array): Uint8Array {
  const picture = hugePng(8, 8)
  const named = bytes(type, data)
  return bytes(picture.subarray(0, 33), u32(data.length).reverse(), named, u32(crc32(named)).reverse(), picture.subarray(33))
}

/** A progressive JPEG (T.81 G) with as many scans as asked, each of which goes over all blocks and says nothing. */
function jpegOfScans(width: number, height: number, scans: number): Uint8Array {
  const table = (kind: number) => bytes(0xff, 0xc4, u16be(3 + 17), kind, 1, new Uint8Array(15), 0xe0)
  const frame = bytes(0xff, 0xc2, u16be(11), 8, u16be(height), u16be(width), 1, 1, 0x11, 0)
  const quantization = bytes(0xff, 0xdb, u16be(67), 0, new Uint8Array(64).fill(1))
  const first = bytes(0xff, 0xc4, u16be(3 + 17), 0, 1, new Uint8Array(15), 0, 0xff, 0xda, u16be(8), 1, 1, 0, 0, 0, 0)
  const scan = bytes(0xff, 0xda, u16be(8), 1, 1, 0, 1, 63, 0, new Uint8Array(4))
  return bytes(0xff, 0xd8, quantization, frame, first, new Uint8Array(8), table(0x10), repeat(scans, scan), 0xff, 0xd9)
}

const pictures: Readonly<Record<string, readonly [extension: string, make: () => Uint8Array]>> = {
  'a GIF of 60,000 by 60,000 px with a frame of no data': [
    'gif',
    () => bytes('GIF89a', u16(60_000), u16(60_000), bytes(0, 0, 0), 0x2c, u16(0), u16(0), u16(60_000), u16(60_000), 0, 8, 0, 0x3b),
  ],
  'a TIFF of 60,000 by 60,000 px in a strip of eight bytes': [
    'tiff',
    () => tiff([256, 4, 1, 60_000], [257, 4, 1, 60_000], [258, 3, 1, 8], [259, 3, 1, 1], [262, 3, 1, 1], [273, 4, 1, 8], [278, 4, 1, 60_000], [279, 4, 1, 8]),
  ],
  'a BMP of 60,000 by 60,000 px with forty bytes': ['bmp', () => bmpOfSize(60_000, 60_000)],
  'a lossy WebP of 16,383 px in each direction without data': ['webp', () => vp8],
  'a lossless WebP of 16,384 px in each direction without data': ['webp', () => vp8l],
  'an EMF with a bitmap of 60,000 by 60,000 px of sixteen bytes': ['emf', () => emfWithBitmap(60_000, 60_000)],
  'an EMF with a bitmap of 2^31 px in each direction': ['emf', () => emfWithBitmap(0x7fff_ffff, 0x7fff_ffff)],
  'a WMF with a bitmap of 60,000 by 60,000 px of sixteen bytes': ['wmf', () => wmfWithBitmap(60_000, 60_000)],
  'a PNG of 8 by 8 px with a gigabyte of pixels': ['png', () => pngWith('IDAT', packedZeros(1_000_000_000))],
  'a PNG with a profile of a gigabyte': ['png', () => pngWith('iCCP', bytes('x', 0, 0, packedZeros(1_000_000_000)))],
  'a PNG with a text of a gigabyte': ['png', () => pngWith('zTXt', bytes('x', 0, 0, packedZeros(1_000_000_000)))],
  'a JPEG of a hundred thousand scans': ['jpg', () => jpegOfScans(8_000, 8_000, 100_000)],
  'a PNG of 60,000 by 60,000 px': ['png', () => hugePng(60_000, 60_000)],
  'a PNG of 2^31 px in each direction': ['png', () => pngOfSize(0x7fff_ffff, 0x7fff_ffff)],
  'a JPEG that ends in its middle': ['jpg', () => jpeg().subarray(0, jpeg().length >> 1)],
  'a JPEG that says it has 65,500 by 65,500 px': ['jpg', () => jpegOfSize(65_500, 65_500)],
  'a GIF of fifty thousand frames': ['gif', () => gifOfFrames(50_000)],
  'a WebP of 2^24 px in each direction without a picture': ['webp', () => webp],
  'a TIFF whose directory follows itself': ['tiff', () => tiff([256, 4, 1, 1000], [257, 4, 1, 1000])],
  'a TIFF of four billion strips': [
    'tiff',
    () => tiff([256, 4, 1, 60_000], [257, 4, 1, 60_000], [273, 4, 0xffff_ffff, 8], [278, 4, 1, 1]),
  ],
  'a BMP of negative and endless size': ['bmp', () => bmp],
  'an EMF of four billion records of no size': ['emf', () => emf],
  'a WMF of records without size': ['wmf', () => wmf],
}

const withPicture = (extension: string, picture: Uint8Array) =>
  docxOf(pictureInText, {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image1.${extension}"/></Relationships>`,
    [`word/media/image1.${extension}`]: picture,
  })
const inPage = (type: string, picture: Uint8Array) =>
  `<p>text<img src="data:image/${type};base64,${Buffer.from(picture).toString('base64')}"></p>`

const pictureAttacks = Object.entries(pictures).flatMap(([name, [extension, make]]): readonly Attack[] => [
  {
    name: `${name}, in a document`,
    from: 'docx',
    to: [['pdf', 'I'], ['pdf', 'L'], ['md']],
    source: () => withPicture(extension, make()),
  },
  {
    name: `${name}, in a page`,
    from: 'html',
    to: [['pdf', 'C'], ['pdf', 'I'], ['docx']],
    source: () => inPage(extension === 'jpg' ? 'jpeg' : extension, make()),
  },
])

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">${content}<text y="50">kept</text></svg>`
const times = (count: number, part: (index: number) => string) => Array.from({ length: count }, (_, index) => part(index)).join('')
const entities = (root: string) =>
  `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY a0 "ha">${times(20, (index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`)}]>`
const outside = (root: string) =>
  `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p; <!ENTITY file SYSTEM "file:///etc/passwd">]>`

const drawings: Readonly<Record<string, string>> = {
  'uses that double thirty times': svg(
    `<defs><g id="u0"><rect width="1" height="1"/></g>${times(30, (index) => `<g id="u${index + 1}"><use xlink:href="#u${index}"/><use xlink:href="#u${index}"/></g>`)}</defs><use xlink:href="#u30"/>`,
  ),
  'a use of itself': svg('<g id="a"><use xlink:href="#b"/></g><g id="b"><use xlink:href="#a"/></g><use xlink:href="#a"/>'),
  'patterns, masks and clips of each other': svg(
    '<pattern id="p" width="1" height="1"><rect fill="url(#q)" width="9" height="9"/></pattern><pattern id="q" width="1" height="1"><rect fill="url(#p)" width="9" height="9"/></pattern><mask id="m" mask="url(#m)"><rect width="9" height="9" mask="url(#m)"/></mask><clipPath id="c" clip-path="url(#c)"><rect width="9" height="9"/></clipPath><rect width="99" height="99" fill="url(#p)" mask="url(#m)" clip-path="url(#c)"/>',
  ),
  'a hundred thousand groups inside each other': svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`),
  'a filter of endless size': svg(
    '<filter id="f" x="-1e9" y="-1e9" width="1e9" height="1e9"><feGaussianBlur stdDeviation="1e9"/><feTurbulence numOctaves="1000000"/><feMorphology radius="1e6"/></filter><rect width="99" height="99" filter="url(#f)"/>',
  ),
  'dashes by the billion': svg('<path d="M0 0H1e9" stroke="#000" stroke-dasharray="1e-6"/>'),
  'a size of 10^9 px': '<svg xmlns="http://www.w3.org/2000/svg" width="1000000000" height="1000000000"><rect width="9" height="9"/></svg>',
  'three hundred thousand transforms in a row': svg(`<g transform="${'rotate(1)'.repeat(300_000)}"><rect width="9" height="9"/></g>`),
  'three hundred thousand transforms inside each other': svg(
    `${'<g transform="rotate(1)">'.repeat(300_000)}<rect width="9" height="9"/>${'</g>'.repeat(300_000)}`,
  ),
  'masks that double thirty times': svg(
    `<mask id="u0"><rect width="9" height="9"/></mask>${times(30, (index) => `<mask id="u${index + 1}"><rect width="9" height="9" mask="url(#u${index})"/><rect width="9" height="8" mask="url(#u${index})"/></mask>`)}<rect width="9" height="9" mask="url(#u30)"/>`,
  ),
  'patterns that double thirty times': svg(
    `<pattern id="u0" width="1" height="1"><rect width="9" height="9"/></pattern>${times(30, (index) => `<pattern id="u${index + 1}" width="1" height="1"><rect width="9" height="9" fill="url(#u${index})"/><rect width="8" height="9" fill="url(#u${index})"/></pattern>`)}<rect width="99" height="99" fill="url(#u30)"/>`,
  ),
  'clips that double thirty times': svg(
    `<clipPath id="u0"><rect width="9" height="9"/></clipPath>${times(30, (index) => `<clipPath id="u${index + 1}"><rect width="9" height="9" clip-path="url(#u${index})"/><rect width="9" height="8" clip-path="url(#u${index})"/></clipPath>`)}<rect width="9" height="9" clip-path="url(#u30)"/>`,
  ),
  'a marker of many corners at each of many corners': svg(
    `<marker id="m" markerWidth="9" markerHeight="9"><path d="M0 0${'L1 1L0 0'.repeat(20_000)}" stroke="#000"/></marker><path d="M0 0${'L9 9L0 0'.repeat(20_000)}" marker-mid="url(#m)"/>`,
  ),
  'a filter of twenty thousand steps': svg(
    `<filter id="f" x="-1" y="-1" width="3" height="3">${'<feGaussianBlur stdDeviation="9"/><feTurbulence baseFrequency="0.1" numOctaves="9"/><feConvolveMatrix order="3" kernelMatrix="1 1 1 1 1 1 1 1 1"/>'.repeat(7_000)}</filter><rect width="99" height="99" filter="url(#f)"/>`,
  ),
  'filters inside each other': svg(
    `<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>${'<g filter="url(#f)">'.repeat(5_000)}<rect width="9" height="9"/>${'</g>'.repeat(5_000)}`,
  ),
  'a pattern of a thousandth of a pixel': svg(
    '<pattern id="p" width="0.001" height="0.001" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern><rect width="99" height="99" fill="url(#p)"/>',
  ),
  'a gradient of half a million stops': svg(
    `<linearGradient id="g">${times(500_000, (index) => `<stop offset="${index / 500_000}"/>`)}</linearGradient><rect width="99" height="99" fill="url(#g)"/>`,
  ),
  'gradients that follow each other in a circle': svg(
    '<linearGradient id="a" href="#b" xlink:href="#b"/><linearGradient id="b" href="#a" xlink:href="#a"/><rect width="99" height="99" fill="url(#a)"/>',
  ),
  'twenty thousand rules for twenty thousand shapes': svg(
    `<style>${times(20_000, (index) => `g g g .c${index % 7} ~ rect:not(.d${index}){fill:red}`)}</style>${'<rect class="c1" width="9" height="9"/>'.repeat(20_000)}`,
  ),
  'entities that multiply': `${entities('svg')}${svg('<text>&a20;</text>')}`,
  'entities from outside': `${outside('svg')}${svg('<text>&file;</text>')}`,
}
const drawingAttacks = Object.entries(drawings).flatMap(([name, source]): readonly Attack[] => [
  { name: `a drawing: ${name}`, from: 'svg', to: [['pdf', 'C'], ['png']], source: () => source },
  {
    name: `a drawing in a document: ${name}`,
    from: 'docx',
    to: [['pdf', 'I'], ['pdf', 'L']],
    source: () => withPicture('svg', new TextEncoder().encode(source)),
  },
])

const wordXml = (prologue: string, text: string) =>
  `${prologue}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:xi="http://www.w3.org/2001/XInclude"><w:body><w:p><w:r><w:t>kept ${text}</w:t></w:r></w:p></w:body></w:document>`
const openXml = (prologue: string, text: string, root = 'document-content') =>
  `${prologue}<office:${root} xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xi="http://www.w3.org/2001/XInclude" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>kept ${text}</text:p></office:text></office:body></office:${root}>`
const include = '<xi:include href="file:///etc/passwd" parse="text"/>'
const texts: Readonly<Record<string, readonly [prologue: (root: string) => string, text: string]>> = {
  'entities that multiply': [entities, '&a20;'],
  'entities from outside': [outside, '&file;'],
  'an inclusion of a file': [() => '<?xml version="1.0"?>', include],
  'a style sheet for the processor': [() => '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="file:///etc/passwd"?>', ''],
}
const textAttacks = Object.entries(texts).flatMap(([name, [prologue, text]]): readonly Attack[] => [
  {
    name: `a DOCX: ${name}`,
    from: 'docx',
    to: [['pdf', 'I'], ['pdf', 'L'], ['md']],
    source: () => docxOf('', { 'word/document.xml': wordXml(prologue('w:document'), text) }),
  },
  {
    name: `an ODT: ${name}`,
    from: 'odt',
    to: [['pdf', 'I'], ['pdf', 'L'], ['txt']],
    source: () => odtOf('', { 'content.xml': openXml(prologue('office:document-content'), text) }),
  },
  {
    name: `a flat ODT: ${name}`,
    from: 'fodt',
    to: [['pdf', 'L'], ['txt']],
    source: () => openXml(prologue('office:document'), text, 'document'),
  },
  {
    name: `an XHTML page: ${name}`,
    from: 'xhtml',
    to: [['pdf', 'C'], ['txt']],
    source: () => `${prologue('html')}<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xi="http://www.w3.org/2001/XInclude"><body><p>kept ${text}</p></body></html>`,
  },
])

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>/Font<</F 6 0 R>>>>>>'
const base = (changes: Readonly<Record<number, string>>, trailer = '') =>
  pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      page,
      stream('BT /F 12 Tf 20 100 Td (kept) Tj ET'),
      stream('q Q', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ].map((object, index) => changes[index + 1] ?? object),
    { trailer },
  )
/** A stream of zeros that was compressed as often as asked. */
function deflated(length: number, rounds: number): string {
  let data: Uint8Array = new Uint8Array(length)
  for (let round = 0; round < rounds; round++) data = deflateSync(data, { level: 9 })
  return Buffer.from(data).toString('latin1')
}
const files: Readonly<Record<string, () => Uint8Array>> = {
  'pages that are their own parents': () =>
    base({ 2: '<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count 3/Parent 2 0 R>>' }),
  'two billion pages': () => base({ 2: '<</Type/Pages/Kids[3 0 R]/Count 2147483647>>' }),
  'one page a hundred thousand times': () =>
    base({ 2: `<</Type/Pages/Kids[${'3 0 R '.repeat(100_000)}]/Count 100000>>` }),
  'a form that draws itself': () =>
    base({
      4: stream('/X Do'),
      5: stream('/X Do /X Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>'),
    }),
  'forms that double forty times': () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      page,
      stream('/X Do'),
      ...Array.from({ length: 40 }, (_, index) =>
        stream('/X Do /X Do', `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${index + 6} 0 R>>>>`),
      ),
      stream('0 0 9 9 re f', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'),
    ]),
  'a hundred filters in a row': () =>
    base({ 4: stream(deflated(100, 1), `/Filter[${'/FlateDecode'.repeat(100)}]`) }),
  'a hundred megabytes of zeros, compressed twice': () =>
    base({ 4: stream(deflated(100_000_000, 2), '/Filter[/FlateDecode/FlateDecode]') }),
  'a predictor of two billion columns': () =>
    base({
      4: stream(deflated(1000, 1), '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647/Colors 32/BitsPerComponent 16>>'),
    }),
  'an object stream inside itself': () =>
    base({ 5: stream('5 0 6 9 <<>> <<>>', '/Type/ObjStm/N 2147483647/First 8/Extends 5 0 R') }),
  'a length that is its own stream': () =>
    base({ 4: '<</Length 4 0 R>>\nstream\nBT ET\nendstream' }),
  'tables that follow each other in a circle': () => base({}, '/Prev 9'),
  'an outline, names and a structure in circles': () =>
    base({
      1: '<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R/Names<</Dests 7 0 R/EmbeddedFiles 7 0 R>>/StructTreeRoot 7 0 R/MarkInfo<</Marked true>>/AcroForm<</Fields[7 0 R]>>/PageLabels 7 0 R>>',
      6: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 6 0 R>>\nendobj\n7 0 obj\n<</First 7 0 R/Last 7 0 R/Next 7 0 R/Prev 7 0 R/Parent 7 0 R/Kids[7 0 R 7 0 R]/K[7 0 R 7 0 R]/Title(x)/T(x)/Count 2147483647/S/P>>',
    }),
  'an encryption that lies': () =>
    base({}, '/Encrypt<</Filter/Standard/V 5/R 6/Length 4096/P -1/O(x)/U(x)/OE(x)/UE(x)/Perms(x)/CF<</StdCF<</CFM/AESV3/Length 99999>>>>/StmF/StdCF/StrF/StdCF>>/ID[(a)(b)]'),
  'arrays two hundred thousand deep': () =>
    base({ 6: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/X ${'['.repeat(200_000)}${']'.repeat(200_000)}>>` }),
  'half a million saved states': () => base({ 4: stream('q '.repeat(500_000)) }),
  'a tiling of a thousandth of a point': () =>
    base({
      3: page.replace('/Font<<', '/Pattern<</P 5 0 R>>/Font<<'),
      4: stream('/Pattern cs /P scn 0 0 200 200 re f'),
      5: stream('0 0 1 1 re f', '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>'),
    }),
  'metadata of a gigabyte and of 200,000 levels': () =>
    base({
      1: '<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R>>',
      3: page.replace('/Contents', '/Metadata 7 0 R/Contents'),
      5: stream(deflated(1_000_000_000, 1), '/Type/Metadata/Subtype/XML/Filter/FlateDecode'),
      6: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n7 0 obj\n${stream(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${'<a>'.repeat(200_000)}`, '/Type/Metadata/Subtype/XML')}`,
    }),
  'a colour profile of a gigabyte whose alternate it is itself': () =>
    base({
      1: '<</Type/Catalog/Pages 2 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(x)/DestOutputProfile 5 0 R>>]>>',
      3: page.replace('/Font<<', '/ColorSpace<</C 7 0 R>>/Font<<'),
      4: stream('/C cs 1 0 0 sc 0 0 99 99 re f'),
      5: stream(deflated(1_000_000_000, 1), '/N 3/Alternate 7 0 R/Filter/FlateDecode'),
      6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n7 0 obj\n[/ICCBased 5 0 R]',
    }),
  'associated files in a circle, and an attachment of a gigabyte': () =>
    base({
      1: '<</Type/Catalog/Pages 2 0 R/AF[6 0 R]/Names<</EmbeddedFiles<</Kids[7 0 R]>>>>>>',
      5: stream(deflated(1_000_000_000, 1), '/Type/EmbeddedFile/AF[6 0 R]/Filter/FlateDecode'),
      6: '<</Type/Filespec/F(provenance.json)/UF(provenance.json)/EF<</F 5 0 R>>/AF[6 0 R]/RF 6 0 R>>\nendobj\n7 0 obj\n<</Kids[7 0 R 7 0 R]/Names[(a) 6 0 R(b) 6 0 R]>>',
    }),
  'a structure fifty thousand deep': () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
      ...Array.from({ length: 50_000 }, (_, index) => `<</S/P/K[${index + 5} 0 R]/P ${index + 3} 0 R>>`),
    ]),
  'a page of 10^9 points': () => base({ 3: page.replace('[0 0 200 200]', '[0 0 1000000000 1000000000]') }),
}
const fileAttacks = Object.entries(files).map(
  ([name, source]): Attack => ({
    name: `a PDF: ${name}`,
    from: 'pdf',
    to: [['png'], ['txt'], ['md'], ['docx'], ['pdf']],
    source,
  }),
)

const liberation = () =>
  new Uint8Array(readFileSync('/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf')).slice()
/** The offset and length of a table of a font (OpenType, table directory). */
function tableOf(font: Uint8Array, tag: string): { readonly offset: number; readonly length: number } {
  const view = new DataView(font.buffer)
  for (let at = 12; at < 12 + 16 * view.getUint16(4); at += 16)
    if (Buffer.from(font.subarray(at, at + 4)).toString('latin1') === tag)
      return { offset: view.getUint32(at + 8), length: view.getUint32(at + 12) }
  throw new Error(`The font has no table ${tag}.`)
}
/** A font each of whose glyphs is composed of the next, and the last of the first, twice. */
function cyclicFont(): Uint8Array {
  const font = liberation()
  const view = new DataView(font.buffer)
  const [glyf, loca, head, maxp] = ['glyf', 'loca', 'head', 'maxp'].map((tag) => tableOf(font, tag).offset) as [number, number, number, number]
  const isLong = view.getInt16(head + 50) === 1
  const count = view.getUint16(maxp + 4)
  const startOf = (glyph: number) => (isLong ? view.getUint32(loca + 4 * glyph) : 2 * view.getUint16(loca + 2 * glyph))
  for (let glyph = 0; glyph < count; glyph++) {
    const [start, end] = [glyf + startOf(glyph), glyf + startOf(glyph + 1)]
    if (end - start < 26) continue
    view.setInt16(start, -1)
    for (const [part, more] of [[0, 0x20], [1, 0]] as const) {
      view.setUint16(start + 10 + 8 * part, 0x0003 | more)
      view.setUint16(start + 12 + 8 * part, (glyph + 1) % count)
      view.setUint32(start + 14 + 8 * part, 0)
    }
  }
  return font
}
const changed = (tag: string, at: number, value: number) => () => {
  const font = liberation()
  new DataView(font.buffer).setUint16(tableOf(font, tag).offset + at, value)
  return font
}
const fonts: Readonly<Record<string, readonly [mime: string, make: () => Uint8Array]>> = {
  'glyphs that are composed of each other in a circle': ['ttf', cyclicFont],
  'more glyphs than places': ['ttf', changed('maxp', 4, 65_535)],
  'more widths than glyphs': ['ttf', changed('hhea', 34, 65_535)],
  'sixty thousand names': ['ttf', changed('name', 2, 60_000)],
  'a million units to the em': ['ttf', changed('head', 18, 0)],
  'tables that begin behind the end': [
    'ttf',
    () => {
      const font = liberation()
      const view = new DataView(font.buffer)
      for (let at = 12; at < 12 + 16 * view.getUint16(4); at += 16) view.setUint32(at + 8, 0xffff_fff0)
      return font
    },
  ],
  '65,535 tables that are each the whole file': [
    'ttf',
    () => {
      const count = 65_535
      const font = new Uint8Array(12 + 16 * count)
      const view = new DataView(font.buffer)
      view.setUint32(0, 0x10000)
      view.setUint16(4, count)
      for (let at = 12, index = 0; index < count; index++, at += 16) {
        font.set(latin1(`t${String(index % 1000).padStart(3, '0')}`), at)
        view.setUint32(at + 12, font.length)
      }
      return font
    },
  ],
  'a WOFF2 that says it has four gigabytes': [
    'woff2',
    () => {
      const font = new Uint8Array(readFileSync(new URL('../../fixtures/fonts/inter-vietnamese.woff2', import.meta.url))).slice()
      new DataView(font.buffer).setUint32(16, 0xffff_ffff) // totalSfntSize
      return font
    },
  ],
}
const fontAttacks = Object.entries(fonts).map(
  ([name, [mime, make]]): Attack => ({
    name: `a font: ${name}`,
    from: 'html',
    to: [['pdf', 'C'], ['pdf', 'I']],
    source: () =>
      `<style>@font-face{font-family:X;src:url(data:font/${mime};base64,${Buffer.from(make()).toString('base64')})}p{font-family:X}</style><p>kept ABC abc</p>`,
  }),
)

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`
}
function relationsOf(list: string): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`
}
/** Parts that hardly anybody looks at, with the file of relationships that names each, and their type there. */
const properties: Readonly<Record<string, readonly [owner: string, type: string]>> = {
  'docProps/core.xml': ['_rels/.rels', 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties'],
  'docProps/custom.xml': ['_rels/.rels', `${relationships}/custom-properties`],
  'word/theme/theme1.xml': ['word/_rels/document.xml.rels', `${relationships}/theme`],
  'customXml/item1.xml': ['word/_rels/document.xml.rels', `${relationships}/customXml`],
}

const strange: readonly Attack[] = [
  {
    name: 'an archive whose entries share one bomb',
    from: 'docx',
    to: [['pdf', 'I'], ['pdf', 'L'], ['md']],
    source: async () => {
      const archive = await zipOf({ 'word/document.xml': wordXml('', ''), 'word/media/zeros.bin': new Uint8Array(9_000_000) })
      return sharing(archive, 5_000)
    },
  },
  {
    name: 'documents in documents, thirty deep',
    from: 'docx',
    to: [['pdf', 'I'], ['pdf', 'L'], ['md']],
    source: () => inDocuments(30),
  },
  ...Object.entries(properties).map(
    ([part, [owner, type]]): Attack => ({
      name: `${part} with entities that multiply`,
      from: 'docx',
      to: [['pdf', 'I'], ['pdf', 'L'], ['md']],
      source: () =>
        docxOf('<w:p><w:r><w:t>kept</w:t></w:r></w:p>', {
          [part]: `${entities('x')}<x>&a20;</x>`,
          [owner]: relationsOf(
            (owner === '_rels/.rels' ? relation('document', `${relationships}/officeDocument`, 'word/document.xml') : '') +
              relation('part', type, `/${part}`),
          ),
        }),
    }),
  ),
]

/** A document that takes in another one (ECMA-376 1, 17.17.2.1), and so on. */
async function inDocuments(depth: number): Promise<Uint8Array> {
  const text = '<w:p><w:r><w:t>kept</w:t></w:r></w:p>'
  if (depth === 0) return docxOf(text)
  return docxOf(`${text}<w:altChunk r:id="inner" xmlns:r="${relationships}"/>`, {
    'word/inner.docx': await inDocuments(depth - 1),
    'word/_rels/document.xml.rels': relationsOf(relation('inner', `${relationships}/aFChunk`, 'inner.docx')),
  })
}

/** The archive with many more entries in its directory that all point to its last file. */
function sharing(archive: Uint8Array, count: number): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = archive.length - 22
  const [entries, size, start] = [view.getUint16(end + 10, true), view.getUint32(end + 12, true), view.getUint32(end + 16, true)]
  const directory = archive.subarray(start, start + size)
  let last = 0
  for (let at = 0, entry = 0; entry < entries; entry++) {
    last = at
    at += 46 + view.getUint16(start + at + 28, true) + view.getUint16(start + at + 30, true) + view.getUint16(start + at + 32, true)
  }
  const copies = Array.from({ length: count }, (_, index) => {
    const copy = directory.slice(last)
    copy.set(latin1(String(index).padStart(5, '0')), 46 + 'word/media/'.length)
    return copy
  })
  const grown = new Uint8Array(Buffer.concat([directory, ...copies]))
  const tail = archive.slice(end)
  const tailView = new DataView(tail.buffer)
  for (const at of [8, 10]) tailView.setUint16(at, entries + count, true)
  tailView.setUint32(12, grown.length, true)
  return new Uint8Array(Buffer.concat([archive.subarray(0, start), grown, tail]))
}

/** Made once, since some take seconds. */
function madeOnce(attack: Attack): Attack {
  let made: ReturnType<Attack['source']> | undefined
  return { ...attack, source: () => (made ??= attack.source()) }
}

export const attacks: readonly Attack[] = [
  ...pictureAttacks,
  ...drawingAttacks,
  ...textAttacks,
  ...fileAttacks,
  ...fontAttacks,
  ...strange,
].map(madeOnce)
