import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { readPages } from '../../../../shared/pdf/model/pages.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { writePdfNow } from '../../../../shared/pdf/write/writer.ts'
import { pdfOf, repeatableRandom, stream, textOf } from '../../../helpers/pdf.ts'

const objects = [
  '<</Type/Catalog/Pages 3 0 R>>',
  '<</Unreachable true>>',
  '<</Type/Pages/Kids[4 0 R]/Count 1>>',
  '<</Type/Page/Parent 3 0 R/MediaBox[0 0 200 100.50]/Contents 5 0 R/Title(a\\)\\050)/N#61me/x#20y/Gone 9 0 R>>',
  stream('0 0 m'),
]

const written = (version: string): Uint8Array => {
  const document = openPdf(pdfOf(objects, { version }), nodeCodec, pdfLimits)
  return writePdfNow(document, { codec: nodeCodec, random: repeatableRandom() })
}

describe('a file that is written', () => {
  it('of version 1.4 has a cross-reference table; unreferenced objects are omitted and numbers are reassigned', () => {
    const made = textOf(written('1.4')).matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)
    const bodies = [...made].map(([, number, body]) => `${number}: ${body}`)
    expect(bodies.toSorted()).toEqual([
      '1: <</Type/Catalog/Pages 2 0 R>>',
      '2: <</Type/Pages/Kids[3 0 R]/Count 1>>',
      '3: <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100.5]/Contents 4 0 R/Title(a\\)\\()/Name/x#20y/Gone null>>',
      '4: <</Length 5>>\nstream\n0 0 m\nendstream',
    ])
  })
  it('places in the table are those of the objects', () => {
    const text = textOf(written('1.4'))
    const rows = [...text.matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at))
    expect(rows.length).toBe(4)
    for (const [index, at] of rows.entries())
      expect(text.slice(at)).toMatch(new RegExp(`^${index + 1} 0 obj\\n`))
    expect(text.slice(Number(/startxref\n(\d+)/.exec(text)?.[1]))).toMatch(/^xref\n/)
  })
  it('of version 1.7 keeps its objects in an object stream, and reads back the same', () => {
    const bytes = written('1.7')
    expect(textOf(bytes)).not.toContain('/Catalog')
    const [page, ...more] = readPages(openPdf(bytes, nodeCodec, pdfLimits))
    expect(more).toEqual([])
    expect(page).toBeDefined()
    expect(textOf(written('1.7'))).toBe(textOf(bytes))
  })
})
