import { expect, test } from 'vitest'
import { clearFont, readEmbeddedFonts } from '../../../../../plugins/formats/docx/reader/embedded-fonts.ts'
import { readEmbeddedFonts as readOpenFonts } from '../../../../../shared/office/opendocument/text/embedded-fonts.ts'

const key = '{12345678-9ABC-DEF0-1234-56789ABCDEF0}'
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const partsOf =
  (files: Readonly<Record<string, Uint8Array>>) =>
  (name: string): Uint8Array | undefined =>
    files[name]

test('the reversed key is applied to the first 32 bytes', () => {
  const bytes = clearFont(new Uint8Array(40), key)
  expect([...bytes.subarray(0, 4)]).toEqual([0xf0, 0xde, 0xbc, 0x9a])
  expect([...bytes.subarray(14, 18)]).toEqual([0x34, 0x12, 0xf0, 0xde])
  expect([...bytes.subarray(32)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  expect(clearFont(bytes, key)).toEqual(new Uint8Array(40))
  expect(clearFont(bytes, 'no key')).toBe(bytes)
})

test('fonts of a font table, those that are there', () => {
  const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts = partsOf({
    'word/fontTable.xml': encode(
      `<w:fonts xmlns:w="${w}" xmlns:r="${office}"><w:font w:name="A"><w:embedRegular r:id="a" w:fontKey="${key}"/><w:embedBold r:id="b"/><w:embedItalic r:id="gone"/></w:font></w:fonts>`,
    ),
    'word/_rels/fontTable.xml.rels': encode(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${office}/font" Target="fonts/a.odttf"/><Relationship Id="b" Type="${office}/font" Target="fonts/b.ttf"/></Relationships>`,
    ),
    'word/fonts/a.odttf': clearFont(encode('regular'), key),
    'word/fonts/b.ttf': encode('bold'),
  })
  const fonts = readEmbeddedFonts(parts, 'word/fontTable.xml')
  expect(fonts.map((font) => new TextDecoder().decode(font))).toEqual(['regular', 'bold'])
  expect(readEmbeddedFonts(parts, 'word/none.xml')).toEqual([])
})

test('fonts that OpenDocument declares, each once', () => {
  const urn = 'urn:oasis:names:tc:opendocument:xmlns'
  const face = `<style:font-face style:name="A"><svg:font-face-src><svg:font-face-uri xlink:href="Fonts/a.ttf"/></svg:font-face-src></style:font-face>`
  const xml = `<office:document-content xmlns:office="${urn}:office:1.0" xmlns:style="${urn}:style:1.0" xmlns:svg="${urn}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:font-face-decls>${face}</office:font-face-decls></office:document-content>`
  const parts = partsOf({ 'Fonts/a.ttf': encode('file') })
  expect(readOpenFonts(parts, [xml, xml]).map((font) => font.byteLength)).toEqual([4])
  expect(readOpenFonts(partsOf({}), [xml])).toEqual([])
})
