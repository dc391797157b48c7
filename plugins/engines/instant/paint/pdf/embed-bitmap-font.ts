import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import { glyphPicture } from '../../fonts/sfnt/colour-bitmaps.ts'
import type { ImageRef } from '../../images/image.ts'
import { readImage } from '../../images/read-image.ts'
import { declaredWidth, type EmbeddedFont, fontResource } from './embed-font.ts'
import type { GlyphUsage } from './glyph-usage.ts'
import { ascii, factor, num, reference, utf16Hex } from './syntax.ts'

/** The maximum number of glyphs in one font: codes are one byte, and 0 is the code without a glyph. */
export const maxGlyphs = 254
/** With an empty font box, viewers select this text with the same height as other text. */
const space = '/FontBBox[0 0 0 0]/FontMatrix[.001 0 0 .001 0 0]'

/**
 * Writes a font whose glyphs are pictures as a Type 3 font, which draws them and maps them to text. Each glyph
 * is written as two bytes; the first one is 0, a glyph without width that draws nothing. ISO 32000-2, 9.6.4. `drawn` lists the
 * glyphs in the order of their codes, and `reserved` is the object number of the font if it has one.
 */
export function embedBitmapFont(
  file: PdfFile,
  { font, used, text }: GlyphUsage,
  order: number,
  embedImage: (image: ImageRef) => number | undefined,
  reserved?: number,
  drawn: Iterable<number> = used.keys(),
): EmbeddedFont {
  const codes = new Uint16Array(font.glyphCount)
  const widths = new Float64Array(font.glyphCount)
  const blank = file.stream('', ascii('0 0 d0\n'))
  const procedures = [`/.notdef ${reference(blank)}`]
  const pictures: string[] = []
  const meanings: string[] = []
  const ofCode = ['0']
  for (const glyph of drawn) {
    if (glyph === 0 || used[glyph] !== 1) continue
    const width = declaredWidth(font, glyph)
    widths[glyph] = width
    const code = ofCode.length
    if (code > maxGlyphs) continue
    codes[glyph] = code
    ofCode.push(num(width))
    const unicode = text[glyph]
    if (unicode) meanings.push(`<${hex(code)}><${utf16Hex(unicode)}>`)
    const picture = glyphPicture(font, glyph)
    const image = picture && readImage(picture.png)
    const id = image && embedImage(image)
    let drawing = ''
    if (id !== undefined) {
      const perPixel = 1000 / picture!.perEm
      const [across, down] = [image!.width * perPixel, image!.height * perPixel]
      pictures.push(`/I${code} ${reference(id)}`)
      drawing = `q ${factor(across)} 0 0 ${factor(down)} ${num(picture!.left * perPixel)} ${num(picture!.top * perPixel - down)} cm /I${code} Do Q\n`
    }
    const procedure = file.stream('', ascii(`${num(width)} 0 d0\n${drawing}`))
    procedures.push(`/e${code} ${reference(procedure)}`)
  }
  const last = ofCode.length - 1
  const names = Array.from({ length: last }, (_, at) => `/e${at + 1}`).join('')
  // Some viewers estimate the size of the letters from the width of an m.
  const m = { name: '/m', width: 600 }
  procedures.push(`${m.name} ${reference(blank)}`)
  const toUnicode = file.stream('', ascii(unicodeMap(meanings)))
  const id = reserved ?? file.reserve()
  file.set(
    id,
    `<</Type/Font/Subtype/Type3${space}/CharProcs<<${procedures.join('')}>>` +
      `/Encoding<</Type/Encoding/Differences[0/.notdef${names}${m.name}]>>/FirstChar 0/LastChar ${last + 1}/Widths[${ofCode.join(' ')} ${m.width}]` +
      `/Resources<</XObject<<${pictures.join('')}>>>>/ToUnicode ${reference(toUnicode)}>>`,
  )
  return { resource: fontResource(order), id, codes, widths, text }
}

const hex = (code: number): string => code.toString(16).padStart(2, '0')

function unicodeMap(pairs: readonly string[]): string {
  let map =
    '/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<00><ff>\nendcodespacerange\n'
  for (let from = 0; from < pairs.length; from += 100) {
    const block = pairs.slice(from, from + 100)
    map += `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`
  }
  return `${map}endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend`
}
