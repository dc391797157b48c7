import { readFileSync } from 'node:fs'
import JSZip from 'jszip'
import { pptxOf } from './pptx.ts'

/** Placeholder pictures of documents, and pictures to put in their place. */

export const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/images/${name}`, import.meta.url)))

const types: Readonly<Record<string, string>> = { jpg: 'image/jpeg', svg: 'image/svg+xml' }

export function dataUri(bytes: Uint8Array | string, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

export function fixtureUri(name: string): string {
  const extension = name.split('.').at(-1)!
  return dataUri(fixture(name), types[extension] ?? `image/${extension}`)
}

export const svg = (width: number, height: number, inside = ''): string =>
  `<?xml version="1.0"?><!-- drawn by hand --><svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#3b7"/><circle cx="50%" cy="50%" r="20" fill="#fff"/>${inside}</svg>`

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A picture in line with the text, box 2 x 1 inch, as Word writes it: the alternative text stands in two places. */
export const drawing = (alt: string, id = 1, more = ''): string =>
  `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="1828800" cy="914400"/><wp:docPr id="${id}" name="Picture ${id}" descr="${escaped(alt)}"/>${more}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" name="Picture ${id}" descr="${escaped(alt)}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId9" cstate="print"><a:extLst><a:ext uri="{28A0092B-C50C-407E-A947-70E740481C1C}"/></a:extLst></a:blip><a:srcRect l="1000"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1828800" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The sample picture `rId9` of `word/document.xml`, and further relationships. */
export const wordParts = (relations = ''): Record<string, string | Uint8Array> => ({
  'word/_rels/document.xml.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="${office}/image" Target="media/image1.png"/>${relations}</Relationships>`,
  'word/media/image1.png': fixture('rgb.png'),
})
export const linkRelation = (id: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/hyperlink" Target="${escaped(target)}" TargetMode="External"/>`

/** A frame anchored as a character, box 4 x 2 cm. */
export const frame = (title: string, name = 'Image1', more = ''): string =>
  `<draw:frame draw:name="${name}" text:anchor-type="as-char" svg:width="4cm" svg:height="2cm" draw:z-index="0"><draw:image xlink:href="Pictures/sample.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad" draw:mime-type="image/png"/>${more}<svg:title>${escaped(title)}</svg:title></draw:frame>`
export const odfParts = (): Record<string, string | Uint8Array> => ({
  'Pictures/sample.png': fixture('rgb.png'),
  'META-INF/manifest.xml': `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="Pictures/sample.png" manifest:media-type="image/png"/></manifest:manifest>`,
})

/** A picture of a slide, box 2,000,000 x 1,000,000 EMU. */
export const slidePicture = (alt: string, id = 4): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Picture ${id}" descr="${escaped(alt)}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId6"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="${id * 100_000}" y="3000000"/><a:ext cx="2000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`

/** One slide; `rId6` is its sample picture, `rId7` a link to `target`. */
export async function slidesWith(shapes: string, target: string): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(await pptxOf([shapes]))
  const edit = async (path: string, end: string, more: string) =>
    void zip.file(path, (await zip.file(path)!.async('string')).replace(end, more + end))
  const picture = `<Relationship Id="rId6" Type="${office}/image" Target="../media/image1.png"/>`
  const relations = picture + linkRelation('rId7', target)
  await edit('ppt/slides/_rels/slide1.xml.rels', '</Relationships>', relations)
  await edit('[Content_Types].xml', '</Types>', '<Default Extension="png" ContentType="image/png"/>')
  zip.file('ppt/media/image1.png', fixture('rgb.png'))
  return zip.generateAsync({ type: 'uint8array' })
}
