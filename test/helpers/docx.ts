import { strToU8, type Zippable, zipSync } from 'fflate'
import JSZip from 'jszip'
import { crc32 } from '../../shared/crc32.ts'
import { packedZeros } from './packed-zeros.ts'

/** Small office packages made from the XML of their body. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const wordNamespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:v="urn:schemas-microsoft-com:vml"'
const odfNamespaces =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'

const mtime = new Date(Date.UTC(2024, 0, 1))

export interface ExtraParts {
  readonly [path: string]: string | Uint8Array
}

/** A package of the given entries, in this order. */
export async function zipOf(
  entries: Readonly<Record<string, string | Uint8Array>>,
  stored: readonly string[] = [],
): Promise<Uint8Array> {
  const files: Zippable = {}
  for (const [path, content] of Object.entries(entries)) {
    const bytes = typeof content === 'string' ? strToU8(content) : content
    // Tests make thousands of packages: how small they are means nothing.
    files[path] = [bytes, { mtime, level: stored.includes(path) ? 0 : 1 }]
  }
  return zipSync(files)
}

/** A DOCX whose body is `body`. */
export function docxOf(body: string, extra: ExtraParts = {}): Promise<Uint8Array> {
  return zipOf({
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${declaration}<w:document ${wordNamespaces}><w:body>${body}</w:body></w:document>`,
    ...extra,
  })
}

/** An ODT whose body is `body`. */
export function odtOf(body: string, extra: ExtraParts = {}): Promise<Uint8Array> {
  return zipOf(
    {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `${declaration}<office:document-content ${odfNamespaces} office:version="1.2"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      'META-INF/manifest.xml': `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
      ...extra,
    },
    ['mimetype'],
  )
}

/** The text of one entry. */
export async function entryText(bytes: Uint8Array, path: string): Promise<string> {
  const zip = await JSZip.loadAsync(bytes)
  const file = zip.file(path)
  if (file === null) throw new Error(`no entry ${path}`)
  return file.async('string')
}

/** What stands in the body of a DOCX or ODT. */
export async function bodyOf(bytes: Uint8Array): Promise<string> {
  const zip = await JSZip.loadAsync(bytes)
  const path = zip.file('word/document.xml') === null ? 'content.xml' : 'word/document.xml'
  const xml = await entryText(bytes, path)
  return /<(?:w:body|office:text)>(.*)<\/(?:w:body|office:text)>/s.exec(xml)?.[1] ?? xml
}

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
export const cell = (text: string): string =>
  `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${paragraph(text)}</w:tc>`
export const row = (...texts: readonly string[]): string => `<w:tr>${texts.map(cell).join('')}</w:tr>`
export const table = (...rows: readonly string[]): string => `<w:tbl><w:tblPr/>${rows.join('')}</w:tbl>`

/** A paragraph with the picture `rId9`. */
export const pictureInText =
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1800000" cy="1800000"/><wp:docPr id="1" name="P"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="P"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1800000" cy="1800000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
/** Which is `media/image1.png`. */
export const pictureRelation =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image1.png"/></Relationships>'

/** By size. To pack hundreds of megabytes takes seconds. */
const hugePngs = new Map<string, Uint8Array>()

/** A PNG of black and white pixels that are all alike: large when unpacked, nothing when packed. It is made once. */
export function hugePng(width: number, height: number): Uint8Array {
  const size = `${width} ${height}`
  const made = hugePngs.get(size) ?? makeHugePng(width, height)
  hugePngs.set(size, made)
  return made
}

function makeHugePng(width: number, height: number): Uint8Array {
  const chunk = (kind: string, data: Uint8Array) => {
    const body = new Uint8Array([...new TextEncoder().encode(kind), ...data])
    const out = new Uint8Array(body.length + 8)
    const view = new DataView(out.buffer)
    view.setUint32(0, data.length)
    out.set(body, 4)
    view.setUint32(body.length + 4, crc32(body))
    return out
  }
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  head[8] = 1
  const rows = packedZeros((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', new Uint8Array()),
  ])
}
