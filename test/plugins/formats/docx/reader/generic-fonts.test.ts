import { expect, test } from 'vitest'
import { readGenericFonts } from '../../../../../plugins/formats/docx/reader/generic-fonts.ts'
import { readFaces } from '../../../../../shared/office/opendocument/text/styles.ts'
import { openVocabulary } from '../../../../../shared/office/opendocument/vocabulary.ts'
import { XmlCursor } from '../../../../../shared/xml/cursor.ts'

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const font = (name: string, ...properties: readonly string[]) =>
  `<w:font w:name="${name}">${properties.map((one) => `<w:${one}/>`).join('')}</w:font>`

test('a font table of Word decides what replaces its fonts', () => {
  const xml = `<w:fonts ${w}>${[
    font('Old Style', 'panose1 w:val="02020404030301010803"', 'charset w:val="00"', 'family w:val="auto"'),
    font('House Grotesk', 'family w:val="swiss"', 'pitch w:val="variable"'),
    font('Typewriter', 'family w:val="modern"', 'pitch w:val="fixed"'),
    font('Unheard Mincho', 'charset w:val="80"', 'family w:val="modern"', 'pitch w:val="fixed"'),
    font('Untold', 'family w:val="auto"'),
  ].join('')}</w:fonts>`
  expect([...readGenericFonts(xml)]).toEqual([
    ['old style', 'serif'],
    ['house grotesk', 'sans'],
    ['typewriter', 'mono'],
  ])
})

test('font faces of ODF decide only monospaced fonts, as in Writer', () => {
  const xml = `<office:font-face-decls xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
    xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">
    <style:font-face style:name="F1" svg:font-family="'Old Style'" style:font-family-generic="roman"/>
    <style:font-face style:name="F2" svg:font-family="Typewriter, monospace" style:font-pitch="fixed"/>
    <style:font-face style:name="F3" svg:font-family="System" style:font-family-generic="system"/>
  </office:font-face-decls>`
  const cursor = new XmlCursor(xml, openVocabulary)
  cursor.root()
  const read = {
    faces: new Map<string, string>(),
    genericFonts: new Map<string, 'serif' | 'sans' | 'mono'>(),
  }
  readFaces(cursor, read)
  expect(read.faces.get('F2')).toBe('Typewriter')
  expect([...read.genericFonts]).toEqual([['typewriter', 'mono']])
})
