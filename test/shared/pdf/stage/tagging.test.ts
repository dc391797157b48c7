import { describe, expect, it } from 'vitest'
import { contentOperators } from '../../../../shared/pdf/read/content-operators.ts'
import { tagContent } from '../../../../shared/pdf/stage/tagging.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

describe('operators', () => {
  it.each<[string, string[]]>([
    ['q 1 0 0 1 5 5 cm Q', ['q', '1 0 0 1 5 5 cm', 'Q']],
    [
      '/F1 12 Tf (a (b) \\) c) Tj [<4142> -20 (x)] TJ',
      ['/F1 12 Tf', '(a (b) \\) c) Tj', '[<4142> -20 (x)] TJ'],
    ],
    ['% (comment\n/P<</MCID 0/A[1 2]>>BDC EMC', ['/P<</MCID 0/A[1 2]>>BDC', 'EMC']],
    ['BI/W 2/H 2/BPC 8 ID q Q( EI Q', ['BI/W 2/H 2/BPC 8 ID q Q( EI', 'Q']],
    ['true false null 0 d0', ['true false null 0 d0']],
    ['(never ends', []],
    ['BI /W 1 ID never ends', ['BI /W 1 ID never ends']],
    [') ] >> f*', [') ] >> f*']],
    ['', []],
  ])('%j', (content, expected) => {
    const found = [...contentOperators(content)].map(({ from, to }) => content.slice(from, to))
    expect(found).toEqual(expected)
  })
})

const squeezed = (content: string | undefined) => content?.replace(/\s+/g, ' ').trim()

describe('what has no meaning yet', () => {
  it.each<[string, string, string | undefined, number]>([
    ['nothing', '/P <</MCID 0>> BDC BT (x) Tj ET EMC', undefined, 0],
    ['drawings', '0 0 9 9 re W n 1 w 0 0 m 9 9 l S', '0 0 9 9 re W n 1 w /Artifact BMC 0 0 m 9 9 l S EMC', 0],
    [
      'several parts of a path',
      '0 0 m 1 1 l 2 2 5 5 re f*',
      '/Artifact BMC 0 0 m 1 1 l 2 2 5 5 re f* EMC',
      0,
    ],
    ['pictures', 'q /Im1 Do Q', 'q /Artifact BMC /Im1 Do EMC Q', 0],
    ['shadings', '/Sh0 sh', '/Artifact BMC /Sh0 sh EMC', 0],
    ['pictures in the line', 'BI /W 1 ID x EI', '/Artifact BMC BI /W 1 ID x EI EMC', 0],
    ['texts', 'BT /F 9 Tf (x) Tj ET', '/P <</MCID 4>> BDC BT /F 9 Tf (x) Tj ET EMC', 1],
    [
      'texts one after the other',
      'BT (x) Tj ET BT (y) Tj ET',
      '/P <</MCID 4>> BDC BT (x) Tj ET EMC /P <</MCID 5>> BDC BT (y) Tj ET EMC',
      2,
    ],
    [
      'a text that is partly marked',
      'BT (x) Tj /P <</MCID 0>> BDC (y) Tj EMC (z) Tj ET',
      'BT /P <</MCID 4>> BDC (x) Tj EMC /P <</MCID 0>> BDC (y) Tj EMC /P <</MCID 5>> BDC (z) Tj EMC ET',
      2,
    ],
    ['text without signs', 'BT /F 9 Tf ET', undefined, 0],
    [
      'artifacts as they are',
      '/Artifact BMC BT (x) Tj ET EMC /Artifact <</Type/Layout>> BDC 0 0 m S EMC',
      undefined,
      0,
    ],
    ['properties by name', '/P /MC0 BDC BT (x) Tj ET EMC', undefined, 0],
    [
      'layers, which mean nothing',
      '/OC /MC0 BDC 0 0 m S EMC',
      '/OC /MC0 BDC /Artifact BMC 0 0 m S EMC EMC',
      0,
    ],
    ['marks that say nothing', '/Span BMC 0 0 m S EMC', '/Span BMC /Artifact BMC 0 0 m S EMC EMC', 0],
    ['ends without beginnings', 'EMC ET 0 0 m S', 'EMC ET /Artifact BMC 0 0 m S EMC', 0],
  ])('%s', (_, content, expected, texts) => {
    const tagged = tagContent(content, 4)
    expect(squeezed(tagged?.content)).toBe(expected)
    expect(tagged?.ids.length ?? 0).toBe(texts)
  })

  it('takes time in proportion to the size', () => {
    const cell = 'q 0 0 9 9 re f BT /F 9 Tf (text \\( here) Tj ET Q\n'
    const begun = process.cpuUsage()
    expect(tagContent(cell.repeat(50_000), 0)?.ids.length).toBe(50_000)
    expect(processorTime(begun)).toBeLessThan(10_000)
  })
})
