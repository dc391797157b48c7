import { describe, expect, test } from 'vitest'
import { libreOffice } from '../../../../../plugins/engines/instant/compat/libreoffice.ts'
import {
  cell,
  filler,
  grid,
  layWord,
  mode15,
  p,
  round,
  row,
  table,
  type WordParts,
} from '../../../../helpers/laid-out.ts'

/** Baselines of the lines, measured in LibreOffice 7.4 on the same documents; within a tenth of a point. */
function check(
  parts: WordParts,
  expected: readonly (readonly [text: string, y: number, x?: number])[],
): void {
  const { lines } = layWord(parts)
  expect(lines.map((line) => line.text)).toEqual(expected.map(([text]) => text))
  expected.forEach(([text, y, x], index) => {
    const line = lines[index]!
    expect(Math.abs(line.y - y), `${text}: baseline ${line.y}, not ${y}`).toBeLessThanOrEqual(0.11)
    if (x !== undefined)
      expect(Math.abs(line.x - x), `${text}: x ${line.x}, not ${x}`).toBeLessThanOrEqual(0.11)
  })
}

describe('pitch of lines', () => {
  // Font, half points, 240ths of a line, pitch in pt.
  const pitches: readonly (readonly [string, number, number, number])[] = [
    ['Arial', 20, 240, 11.5],
    ['Arial', 20, 259, 12.4],
    ['Arial', 20, 276, 13.2],
    ['Arial', 20, 278, 13.2],
    ['Arial', 22, 240, 12.65],
    ['Arial', 24, 360, 20.7],
    ['Times New Roman', 24, 240, 13.8],
    ['Calibri', 22, 240, 13.4],
    ['Calibri', 22, 259, 14.5],
    ['Calibri', 22, 276, 15.4],
    ['Calibri', 24, 278, 16.8],
    ['Calibri', 20, 220, 11.1],
    ['Courier New', 20, 240, 11.35],
    ['Cambria', 22, 240, 12.65],
  ]
  for (const [family, size, line, pitch] of pitches) {
    test(`${family} ${size / 2} at ${line}/240 is ${pitch}`, () => {
      const run = `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/><w:sz w:val="${size}"/>`
      const body = Array.from({ length: 11 }, () =>
        p('text', `<w:spacing w:line="${line}" w:lineRule="auto"/>`, run),
      ).join('')
      const { lines } = layWord({ body })
      expect(Math.abs((lines[10]!.y - lines[0]!.y) / 10 - pitch)).toBeLessThanOrEqual(0.06)
    })
  }
  const percents: readonly (readonly [number, number])[] = [
    [220, 91],
    [240, 100],
    [252, 105],
    [259, 108],
    [276, 115],
    [278, 115],
    [300, 125],
    [360, 150],
    [480, 200],
  ]
  for (const [line, percent] of percents) {
    test(`${line}/240 of a line counts as ${percent} percent`, () =>
      expect(libreOffice.linePercent(line / 240)).toBe(percent))
  }
  test('an exact line has its baseline at four fifths', () => {
    check({ body: p('a', '<w:spacing w:line="400" w:lineRule="exact"/>') }, [['a', 88, 72]])
  })
  test('a minimum height is added above the text', () => {
    check({ body: p('a', '<w:spacing w:line="400" w:lineRule="atLeast"/>') + p('b') }, [
      ['a', 89.9],
      ['b', 101.4],
    ])
  })
  test('spaces and tabs of another size do not make a line taller', () => {
    const mixed =
      '<w:p><w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:sz w:val="60"/></w:rPr><w:t xml:space="preserve">   </w:t><w:tab/></w:r><w:r><w:t>b</w:t></w:r></w:p>'
    const { lines } = layWord({ body: mixed + p('c') })
    expect(round(lines[1]!.y - lines[0]!.y)).toBe(11.5)
  })
})

describe('space between paragraphs', () => {
  const after = '<w:spacing w:after="200"/>'
  const before = '<w:spacing w:before="300"/>'
  test('the larger of after and before counts', () => {
    check({ body: p('a', after) + p('b', before) }, [
      ['a', 81.4],
      ['b', 107.9],
    ])
  })
  test('both count when the document asks for it', () => {
    const settings = `<w:compat><w:doNotUseHTMLParagraphAutoSpacing/></w:compat>`
    check({ body: p('a', after) + p('b', before), settings }, [
      ['a', 81.4],
      ['b', 117.9],
    ])
  })
  test('contextual spacing drops the own side between paragraphs of one style', () => {
    const own = '<w:spacing w:before="300" w:after="200"/>'
    check({ body: p('a', own) + p('b', `${own}<w:contextualSpacing/>`) }, [
      ['a', 96.4],
      ['b', 117.9],
    ])
  })
  test('space before is kept on the first page and dropped where a page filled up', () => {
    const body = filler(60) + p('last', before)
    const { lines } = layWord({ body: p('first', before) + body })
    expect(lines[0]!.y).toBeCloseTo(96.4, 1)
    expect(lines.at(-1)).toMatchObject({ page: 2, text: 'last' })
  })
  test('space before is kept after a page break made by hand', () => {
    const { lines } = layWord({ body: p('a') + p('b', `${before}<w:pageBreakBefore/>`) })
    expect(lines[1]).toMatchObject({ page: 2 })
    expect(lines[1]!.y).toBeCloseTo(96.4, 1)
  })
  test('borders add their width and distance above and below', () => {
    const border =
      '<w:pBdr><w:top w:val="single" w:sz="8" w:space="4"/><w:bottom w:val="single" w:sz="8" w:space="4"/></w:pBdr>'
    check({ body: p('a', border) + p('b') }, [
      ['a', 86.4],
      ['b', 102.9],
    ])
  })
})

describe('tables', () => {
  const both = '<w:spacing w:before="200" w:after="300"/>'
  const body =
    p('top') +
    table(
      [
        row([cell(p('a')), cell(p('b'))]),
        row([cell(p('c', both) + p('c2', both)), cell(p('d'))]),
        row([cell(p('e')), cell(p('f'))]),
      ],
      [2000, 2000],
      grid(8),
    ) +
    p('after', both)
  const expected = (x: number): readonly (readonly [string, number, number?])[] => [
    ['top', 81.4],
    ['a|b', 93.9, x],
    ['d', 106.4],
    ['c', 116.4],
    ['c2', 142.9],
    ['e|f', 170.4],
    ['after', 192.9],
  ]
  test('row pitch, cell spacing and the closing border', () =>
    check({ body, settings: mode15 }, expected(77.9)))
  test('before mode 15 the text of a table is aligned with the margin', () => {
    const { lines } = layWord({ body, settings: '' })
    expect(lines.find((line) => line.text === 'a|b')!.x).toBeCloseTo(72, 1)
  })
  for (const [size, pitch] of [
    [2, 11.75],
    [4, 12],
    [6, 12.25],
    [12, 13],
    [24, 14.5],
  ] as const) {
    test(`borders of ${size / 8} pt make rows ${pitch} apart`, () => {
      const { lines } = layWord({
        body: table([row([cell(p('a'))]), row([cell(p('b'))])], [2000], grid(size)),
      })
      expect(round(lines[1]!.y - lines[0]!.y)).toBeCloseTo(pitch, 2)
    })
  }
  test('exact and least row heights', () => {
    const rows = [
      row(
        [cell(p('g', '<w:spacing w:before="200"/>')), cell(p('h'))],
        '<w:trHeight w:val="600" w:hRule="exact"/>',
      ),
      row([cell(p('i'))], '<w:trHeight w:val="600"/>'),
    ]
    check({ body: table(rows, [2000, 2000], grid(8)) + p('end') }, [
      ['h', 82.4],
      ['g', 92.4],
      ['i', 112.4],
      ['end', 142.4],
    ])
  })
})
