import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { defaultLimits } from '../../../../shared/limits.ts'
import { embedLinkedPictures, linkedPictures } from '../../../../shared/office/incoming/linked-pictures.ts'
import { scanIncoming } from '../../../../shared/office/incoming/scan.ts'
import { entryText, odtOf, zipOf } from '../../../helpers/docx.ts'

const picture = new Uint8Array(readFileSync(new URL('../../../fixtures/images/rgb.png', import.meta.url)))
const base = { codec: nodeCodec, limits: defaultLimits }
async function embed(bytes: Uint8Array) {
  const asked = linkedPictures(bytes, base)
  if (asked.length === 0) return { bytes, reasons: [], asked }
  const files = new Map(asked.map((address) => [address, { type: 'image/png', bytes: picture }]))
  return { ...embedLinkedPictures(bytes, files, base), asked }
}
const url = 'https://example.org/a?b=1&amp;c'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const documentWith = (body: string, target = url, type = 'image') =>
  zipOf({
    '[Content_Types].xml': '<t:Types xmlns:t="urn:types"></t:Types>',
    'word/document.xml': `<d xmlns:q="${relations}">${body}</d>`,
    'word/_rels/document.xml.rels': `<Relationships><Relationship Id="p" Type="${relations}/${type}" TargetMode="External" Target="${target}"/><Relationship Id="h" Type="${relations}/hyperlink" TargetMode="External" Target="https://example.org/"/></Relationships>`,
  })

describe('linked pictures', () => {
  it('become parts of an Office Open XML package, once for each address', async () => {
    const document = await documentWith('<blip q:link="p"/><blip q:embed="x" q:link="p"/><blip q:link="h"/>')
    const { bytes, asked, reasons } = await embed(document)
    expect([asked, reasons]).toEqual([['https://example.org/a?b=1&c'], []])
    expect(await entryText(bytes, 'word/document.xml')).toContain(
      '<blip q:embed="p"/><blip q:embed="x" /><blip q:link="h"/>',
    )
    const relationships = await entryText(bytes, 'word/_rels/document.xml.rels')
    expect(relationships).toMatch(/Id="p"[^>]* Target="\/media\/linked1.png"/)
    expect(relationships.match(/TargetMode/g)).toHaveLength(1)
    expect(await entryText(bytes, '[Content_Types].xml')).toContain(
      '<t:Override PartName="/media/linked1.png" ContentType="image/png"/></t:Types>',
    )
    expect(scanIncoming(bytes, 'docx', base).warnings).toEqual([])
  })

  it('become parts of an OpenDocument package', async () => {
    const { bytes } = await embed(
      await odtOf(`<text:p><draw:frame><draw:image xlink:href="${url}"/></draw:frame></text:p>`, {
        'META-INF/manifest.xml': '<m:manifest xmlns:m="urn:manifest"></m:manifest>',
      }),
    )
    expect(await entryText(bytes, 'content.xml')).toContain('xlink:href="Pictures/linked1.png"')
    expect(await entryText(bytes, 'META-INF/manifest.xml')).toContain(
      '<m:file-entry m:full-path="Pictures/linked1.png" m:media-type="image/png"/>',
    )
    expect(scanIncoming(bytes, 'odt', base).warnings).toEqual([])
  })

  it.each([
    ['files of this machine', () => documentWith('', 'file:///etc/passwd')],
    ['shares', () => documentWith('', '\\\\server\\a.png')],
    ['documents and objects', () => documentWith('', url, 'oleObject')],
    ['what is no package', async () => new TextEncoder().encode(`<img src="${url}">`)],
  ])('are all that is fetched: not %s', async (_name, make) => {
    const document = await make()
    expect(await embed(document)).toEqual({ bytes: document, asked: [], reasons: [] })
  })
})
