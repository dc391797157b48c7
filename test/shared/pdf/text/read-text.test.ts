import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import type { AppError } from '../../../../shared/errors/app-error.ts'
import { readPdfText } from '../../../../shared/pdf/text/read-text.ts'
import { officePdf, pdfOf } from '../../../helpers/pdf.ts'
import { runProgram } from '../../../helpers/run-program.ts'

const read = (bytes: Uint8Array) => readPdfText(bytes, nodeCodec)
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'

/** A file of one page with this content. Object 5 and following are forms. */
function pageOf(content: string, resources = '', ...forms: readonly string[]) {
  const stream = (text: string, dict = '') => `<<${dict}/Length ${text.length}>>stream\n${text}\nendstream`
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F ${font}>>${resources}>>/Contents 4 0 R>>`,
    stream(content),
    ...forms.map((form) =>
      stream(
        form,
        `/Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F ${font}>>/XObject<</X 5 0 R>>>>`,
      ),
    ),
  ])
}

describe('lines and spaces follow from positions', () => {
  it.each([
    ['a string', 'BT /F 12 Tf 10 200 Td (One two) Tj ET', 'One two'],
    ['a new line', 'BT /F 12 Tf 14 TL 10 200 Td (One) Tj T* (two) Tj ET', 'One\ntwo'],
    ['with its quote', "BT /F 12 Tf 14 TL 10 200 Td (One) Tj (two) ' ET", 'One\ntwo'],
    ['kerning is no space', 'BT /F 12 Tf 10 200 Td [(W) 80 (ater)] TJ ET', 'Water'],
    ['a gap is one', 'BT /F 12 Tf 10 200 Td [(One) -600 (two)] TJ ET', 'One two'],
    ['a superscript stays', 'BT /F 12 Tf 10 200 Td (m) Tj 5 Ts /F 7 Tf (2) Tj ET', 'm2'],
    [
      'text of its own',
      'BT /F 12 Tf 10 200 Td (a) Tj /Span<</ActualText<feff00620063>>>BDC (xyz) Tj EMC ET',
      'abc',
    ],
    ['escapes and Windows characters', 'BT /F 12 Tf 10 200 Td (\\(5 \\200\\)) Tj ET', '(5 €)'],
  ])('%s', (_, content, text) => {
    expect(read(pageOf(content))).toEqual([text])
  })
  it('text of forms stands where they are called', () => {
    const form = 'BT /F 12 Tf 10 100 Td (inside) Tj ET'
    const content = 'BT /F 12 Tf 10 200 Td (before) Tj ET /X Do BT /F 12 Tf 10 50 Td (after) Tj ET'
    expect(read(pageOf(content, '/XObject<</X 5 0 R>>', form))).toEqual(['before\ninside\nafter'])
  })
})

describe('texts of annotations', () => {
  /** A page with annotations, each with its rectangle, its text and more entries. */
  const annotated = (
    content: string,
    ...annotations: readonly (readonly [rect: string, text: string, more?: string])[]
  ) => {
    const stream = (text: string, dict = '') => `<<${dict}/Length ${text.length}>>stream\n${text}\nendstream`
    const box = `/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F ${font}>>>>`
    return pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F ${font}>>>>/Contents 4 0 R/Annots[${annotations.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}]>>`,
      stream(content),
      ...annotations.flatMap(([rect, text, more = ''], at) => [
        `<</Type/Annot/Subtype/Widget/Rect[${rect}]/AP<</N ${6 + 2 * at} 0 R>>${more}>>`,
        stream(`BT /F 12 Tf 2 5 Td (${text}) Tj ET`, box),
      ]),
    ])
  }
  it('a field stands in the line where it is shown', () => {
    const line = 'BT /F 12 Tf 20 205 Td (Name) Tj 150 0 Td (and more) Tj -150 -50 Td (Next) Tj ET'
    const field = ['60 200 160 220', 'Ada Lovelace'] as const
    expect(read(annotated(line, field))).toEqual(['Name Ada Lovelace and more\nNext'])
  })
  it('at the start and at the end of a line, and between lines', () => {
    const lines = 'BT /F 12 Tf 120 205 Td (agree) Tj -100 -50 Td (Town) Tj ET'
    expect(
      read(
        annotated(
          lines,
          ['60 150 160 170', 'Paris'],
          ['10 200 110 220', 'I do'],
          ['10 10 110 30', 'Note'],
          ['10 60 110 80', 'Above'],
        ),
      ),
    ).toEqual(['I do agree\nTown Paris\nAbove\nNote'])
  })
  it('a field alone in its line stands between the lines around it', () => {
    const lines = 'BT /F 12 Tf 10 255 Td (First) Tj 0 -100 Td (Last) Tj ET'
    expect(read(annotated(lines, ['10 200 110 220', 'Field'], ['200 200 290 220', 'Beside']))).toEqual([
      'First\nField\nLast\nBeside',
    ])
  })
  it('what is hidden, or a page has too much of, is not read', () => {
    const hidden = ['60 150 160 170', 'secret', '/F 2'] as const
    expect(read(annotated('', hidden))).toEqual([''])
    const many = Array.from({ length: 600 }, (_, at) => ['10 10 110 30', `n${at}`] as const)
    expect(read(annotated('', ...many))[0]?.split('\n')).toHaveLength(500)
  })
})

describe('hostile files', () => {
  it('a form that calls itself ends', () => {
    const form = `BT /F 12 Tf 10 100 Td (x) Tj ET ${'/X Do '.repeat(3)}`
    expect(read(pageOf('/X Do', '/XObject<</X 5 0 R>>', form))[0]).toMatch(/^[x\s]+$/)
  })
  it('forms that call themselves a thousand times meet a bound of operators', () => {
    const form = '/X Do '.repeat(1000)
    let code: string | undefined
    try {
      read(pageOf('/X Do', '/XObject<</X 5 0 R>>', form))
    } catch (error) {
      code = (error as AppError).code
    }
    expect(code).toBe('pdf.too-large')
  })
  it('a range of a character map has a bound', () => {
    const map = '1 beginbfrange <0000> <ffffffff> <0041> endbfrange'
    const mapped = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>'
    const bytes = pageOf('BT /G 12 Tf 10 200 Td (\\001) Tj ET', `/Font<</G ${mapped}>>`, map)
    expect(read(bytes)).toEqual(['B'])
  })
})

describe('every word that Poppler finds', () => {
  const folder = new URL('../../../fixtures/pdf/reading/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.pdf'))
  const words = (text: string) => text.normalize('NFKC').match(/[\p{L}\p{N}]{3,}/gu) ?? []
  it.each(files)('%s', (name) => {
    const path = new URL(name, folder)
    const found = runProgram('pdftotext', ['-raw', path.pathname, '-']).toString()
    const text = read(readFileSync(path)).join('\n').normalize('NFKC').replace(/\s/g, '')
    expect(words(found).filter((word) => !text.includes(word))).toEqual([])
  })
  it('a letter of the office, by lines', () => {
    const [text = ''] = read(officePdf('letter-tagged'))
    expect(text.split('\n').slice(1, 7)).toEqual([
      'Zoë Adler',
      '3 Mill Lane',
      '1010 Vienna',
      'November 21, 2026',
      'Your year with us',
      'Dear Ms Adler,',
    ])
  })
})
