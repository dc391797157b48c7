import { readFileSync } from 'node:fs'
import { PDFDocument } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { Parser } from '../../../../shared/pdf/read/parser.ts'
import { formatPdfNumber, formatValue } from '../../../../shared/pdf/write/syntax.ts'
import {
  ask,
  finishPdf,
  inkOf,
  latin1,
  officePdf,
  pageLabels,
  pdfOf,
  stream,
  textOf,
} from '../../../helpers/pdf.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const place = useTemporary()
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R>>'
const words = stream('BT /F 12 Tf 20 20 Td (Hello) Tj ET')
const simple = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
  page,
  words,
])

/** The stage leaves the text there, adds its own, and qpdf has nothing to say against the file. */
async function check(file: Uint8Array, expected: string, warnings: readonly string[] = []): Promise<void> {
  const outcome = await finishPdf(file, { Watermarks: [{ text: 'Over', anchor: 'top' }] })
  expect(outcome.warnings.map(({ code }) => code)).toEqual(warnings)
  const text = await ask(place(), outcome.value, 'pdftotext', '@', '-')
  expect(text).toContain(expected)
  expect(text).toContain('Over')
  expect(await ask(place(), outcome.value, 'qpdf', '--check', '@')).toContain(
    'No syntax or stream encoding errors',
  )
}

describe('files as programs write them', () => {
  it.each(['letter-tagged', 'page-orientation'])('of an office: %s', (name) =>
    check(officePdf(name), name === 'letter-tagged' ? 'Your year with us' : 'Lorem'),
  )
  it('a classic table', () => check(simple, 'Hello'))
  it('object streams and a cross-reference stream', async () => {
    const document = await PDFDocument.load(simple)
    await check(await document.save({ useObjectStreams: true }), 'Hello')
    await check((await finishPdf(simple, { Watermark: 'x' })).value, 'Hello')
  })
  it.each([
    ['linearized', ['--linearize']],
    ['object streams', ['--object-streams=generate']],
    ['plain', ['--qdf', '--object-streams=disable']],
    ['ancient', ['--min-version=1.0', '--object-streams=disable']],
  ])('%s, by qpdf', async (_, options) => {
    const base = officePdf('letter-tagged')
    const target = `${place()}.pdf`
    await ask(place(), base, 'qpdf', ...options, '@', target)
    await check(readFileSync(target), 'Your year with us')
  })
  it('an update at the end', () => {
    const text = textOf(simple)
    const start = Number(/startxref\n(\d+)/.exec(text)![1])
    const newer =
      '4 0 obj\n<</Length 41>>\nstream\nBT /F 12 Tf 20 20 Td (Changed words) Tj ET \nendstream\nendobj\n'
    const at = text.length
    const update = `${newer}xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<</Root 1 0 R/Size 5/Prev ${start}>>\nstartxref\n${at + newer.length}\n%%EOF\n`
    return check(latin1(text + update), 'Changed words')
  })
  it('a hybrid, whose stream knows more than its table', () => {
    const text = textOf(simple).replace(/xref[\s\S]*/, '')
    const offset = (id: number) => text.indexOf(`${id} 0 obj`)
    const hex = (value: number, size: number) => value.toString(16).padStart(size, '0')
    const rows = `01${hex(offset(4), 4)}00>`
    const hidden = `9 0 obj\n<</Type/XRef/Size 5/Index[4 1]/W[1 2 1]/Length 4>>\nstream\n${latin1Hex(rows)}\nendstream\nendobj\n`
    const line = (at: number) => `${String(at).padStart(10, '0')} 00000 n \n`
    const at = text.length
    const table = `xref\n0 5\n0000000000 65535 f \n${[1, 2, 3].map((id) => line(offset(id))).join('')}0000000000 65535 f \n`
    const end = `trailer\n<</Root 1 0 R/Size 5/XRefStm ${at}>>\nstartxref\n${at + hidden.length}\n%%EOF\n`
    return check(latin1(text + hidden + table + end), 'Hello')
  })
  it('bytes before the header', () => check(latin1(`garbage\n${textOf(simple)}`), 'Hello'))
  it('keeps to a table below version 1.5', async () => {
    const old = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page, words], {
      version: '1.4',
    })
    const { value } = await finishPdf(old, { Watermark: 'x' })
    expect(textOf(value)).toMatch(/^%PDF-1\.4[\s\S]*\nxref\n0 /)
    expect(await ask(place(), value, 'qpdf', '--check', '@')).toContain('No syntax')
  })
  it('keeps the first identifier of a file', async () => {
    const known = pdfOf(
      ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page, words],
      {
        trailer: '/ID[<0102><0304>]',
      },
    )
    const { value } = await finishPdf(known, { Watermark: 'x' })
    expect(textOf(value)).toContain('/ID[(\x01\x02) (')
  })
})

describe('damaged files are repaired with a warning', () => {
  const text = textOf(simple)
  it.each([
    ['no startxref', text.replace(/startxref[\s\S]*/, '')],
    ['a wrong startxref', text.replace(/startxref\n\d+/, 'startxref\n7')],
    ['wrong offsets', text.replace(/^0{7}\d{3} 00000 n/gm, '0000000003 00000 n')],
    ['a table that starts at 1', text.replace('xref\n0 5', 'xref\n1 5')],
    ['no trailer at all', text.replace(/xref[\s\S]*/, '')],
    ['Windows line ends put in', text.replace(/\n/g, '\r\n')],
  ])('%s', (_, broken) => check(latin1(broken), 'Hello', ['pdf.repaired']))
  it('a wrong length, without a warning', async () => {
    for (const length of ['3', '99999', '9 0 R', '4 0 R']) {
      await check(latin1(text.replace(/\/Length \d+/, `/Length ${length}`)), 'Hello', expect.anything())
    }
  })
  it('an office file cut short loses its end at most', async () => {
    const tagged = officePdf('letter-tagged')
    const cut = tagged.subarray(0, tagged.length - 3000)
    const outcome = await finishPdf(cut, { Watermark: 'x' }).catch((error: Error) => error.message)
    if (typeof outcome === 'string') expect(outcome).toContain('This PDF cannot be read')
    else expect(outcome.warnings.map(({ code }) => code)).toContain('pdf.repaired')
  })
})

describe('values', () => {
  const round = (text: string) => formatValue(new Parser(latin1(text), 0, 10).value(), (id) => id)
  it.each([
    ['<</A/B#20C/D[1 -2.5 +.5 true null]/E 3 0 R>>', '<</A/B#20C/D[1 -2.5 0.5 true null]/E 3 0 R>>'],
    ['(a\\(b\\)\\\\ \\101\\1\\\nc\r\nd)', '(a\\(b\\)\\\\ A\x01c\\nd)'],
    ['<48 65 6c6C6f7>', '(Hellop)'],
    ['[--5 1.2.3 . 00012]', '[-5 1.2 0 12]'],
    ['% a comment\n/Name', '/Name'],
    ['<</A 1/B garbage/C 2>>', '<</A 1/C 2>>'],
    ['[1 2 3 R 4 0 R]', '[1 2 0 R 4 0 R]'], // a generation means nothing
  ])('%s', (given, expected) => expect(round(given)).toBe(expected))
  it.each([
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [Number.NaN, '0'],
  ])('writes %d without an exponent', (value, expected) => expect(formatPdfNumber(value)).toBe(expected))
})

describe('choice of pages', () => {
  const orientation = officePdf('page-orientation')
  const numbered = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r>>]>>/AcroForm<</Fields[9 0 R 10 0 R]>>/Outlines 11 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 200 100]/Rotate 90/Resources<</Font<</F 12 0 R>>>>>>',
    '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[9 0 R]>>',
    '<</Type/Page/Parent 2 0 R/Contents 7 0 R/Annots[10 0 R]>>',
    '<</Type/Page/Parent 2 0 R/Contents 8 0 R>>',
    ...['One', 'Two', 'Three'].map((word) => stream(`BT /F 12 Tf 20 20 Td (${word}) Tj ET`)),
    '<</Subtype/Widget/Type/Annot/FT/Tx/DA(/F 9 Tf)/T(a)/V(first value)/Rect[0 0 9 9]/P 3 0 R>>',
    '<</Subtype/Widget/Type/Annot/FT/Tx/DA(/F 9 Tf)/T(b)/V(second value)/Rect[0 0 9 9]/P 4 0 R>>',
    '<</First 13 0 R/Last 13 0 R/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Title(Mark)/Parent 11 0 R/Dest[4 0 R/Fit]>>',
  ])
  it.each([
    ['1', ['One']],
    ['2-', ['Two', 'Three']],
    ['-2', ['One', 'Two']],
    ['3,1', ['Three', 'One']],
    ['3-1', ['Three', 'Two', 'One']],
    ['1,1', ['One', 'One']],
    [' 1 - 2 , 3 ', ['One', 'Two', 'Three']],
    ['2-9', ['Two', 'Three']],
  ])('%s', async (range, expected) => {
    const { value } = await finishPdf(numbered, { PageRange: range })
    const text = await ask(place(), value, 'pdftotext', '@', '-')
    expect(text.match(/One|Two|Three/g)).toEqual(expected)
    expect(await ask(place(), value, 'qpdf', '--check', '@')).toContain('No syntax')
    expect(inkOf(place(), value, 1)).toMatchObject({ width: 100, height: 200 })
  })
  it('removes everything of the other pages', async () => {
    const { value } = await finishPdf(numbered, { PageRange: '1' })
    const plain = await ask(place(), value, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect(plain).toContain('(first value)')
    for (const gone of ['second value', 'Two', 'Three']) expect(plain).not.toContain(gone)
  })
  it('keeps the labels of the pages that stay', async () => {
    const { value } = await finishPdf(numbered, { PageRange: '3,1-2' })
    expect(await pageLabels(place(), value)).toEqual([
      [0, { S: '/r', St: 3 }],
      [1, { S: '/r' }],
    ])
  })
  it('counts watermarks by what is left', async () => {
    const { value } = await finishPdf(orientation, {
      PageRange: '2-3',
      Watermarks: [{ text: 'n{#PAGE_NUMBER}of{#PAGE_TOTAL}', anchor: 'top' }],
    })
    expect(await ask(place(), value, 'pdftotext', '-l', '1', '@', '-')).toContain('n1of2')
  })
  it('needs an existing page', async () => {
    await expect(finishPdf(orientation, { PageRange: '7-' })).rejects.toThrow(
      'Invalid option PageRange: must name at least one page of the document.',
    )
  })
})

describe('what is in a file', () => {
  it('knows its version from the header and the catalogue', () => {
    const version = (header: string, more: string) =>
      openPdf(
        pdfOf([`<</Type/Catalog/Pages 2 0 R${more}>>`, '<</Type/Pages/Kids[]>>'], { version: header }),
        nodeCodec,
        pdfLimits,
      ).version
    expect(version('1.3', '')).toBe(1.3)
    expect(version('1.4', '/Version/1.7')).toBe(1.7)
    expect(version('2.0', '/Version/1.5')).toBe(2)
  })
  it('warns that signatures end', async () => {
    const signed = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[]>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      page,
      words,
    ])
    expect((await finishPdf(signed, { Watermark: 'x' })).warnings).toMatchObject([{ code: 'pdf.signature' }])
  })
})

function latin1Hex(hex: string): string {
  return hex.replace('>', '').replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
}
