import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { signedLength } from '../../../../shared/pdf/sign/signed-length.ts'

/** A PDF with one signature field. `ranges` is given the offsets of the digits of the signature, and the length of the file. */
function signedPdf(
  ranges: (start: number, end: number, length: number) => readonly unknown[],
  digits = '00'.repeat(40),
): Uint8Array {
  const of = (array: string) =>
    [
      '%PDF-1.7',
      '1 0 obj <</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [3 0 R]>>>> endobj',
      '2 0 obj <</Type /Pages /Kids [] /Count 0>> endobj',
      '3 0 obj <</FT /Sig /T (a) /Kids [4 0 R 3 0 R]>> endobj',
      `4 0 obj <</FT /Sig /V <</Type /Sig /ByteRange [${array}] /Contents <${digits}>>>>> endobj`,
      'trailer <</Root 1 0 R /Size 5>>',
      '%%EOF\n',
    ].join('\n')
  const width = 60
  const text = of(' '.repeat(width))
  const start = text.indexOf('/Contents <') + '/Contents '.length
  const array = ranges(start, start + digits.length + 2, text.length).join(' ')
  return new TextEncoder().encode(of(array.padEnd(width)))
}

const read = (file: Uint8Array) => signedLength(openPdf(file, nodeCodec, pdfLimits), file)

const rows = [
  ['to the end', (start, end, length) => [0, start, end, length - end], (length) => length],
  [
    'without the last bytes',
    (start, end, length) => [0, start, end, length - end - 7],
    (length) => length - 7,
  ],
  ['with a gap before the signature', (start, end, length) => [0, start - 9, end, length - end], () => 0],
  ['with a gap after the signature', (start, end, length) => [0, start, end + 3, length - end - 3], () => 0],
  ['not from the beginning', (start, end, length) => [5, start, end, length - end], () => 0],
  ['beyond the end', (start, end, length) => [0, start, end, length], () => 0],
  ['negative', (start, end, length) => [0, start, end, -length], () => 0],
  ['in fractions', (start, end, length) => [0, start + 0.5, end, length - end], () => 0],
  ['of three numbers', (start, end) => [0, start, end], () => 0],
  ['of names', () => ['/a', '/b', '/c', '/d'], () => 0],
] as const satisfies readonly (readonly [
  string,
  (start: number, end: number, length: number) => readonly unknown[],
  (length: number) => number,
])[]

describe('the part of a file that a signature covers', () => {
  it.each(rows)('%s', (_, ranges, expected) => {
    const file = signedPdf(ranges)
    expect(read(file)).toBe(expected(file.length))
  })

  it('nothing, where other text is between its two ranges', () => {
    expect(read(signedPdf(rows[0][1], '00> /Else (text) /More <00'))).toBe(0)
  })
})
