import { describe, expect, test } from 'vitest'
import { cell, filler, layWord, p, row, table, type WordParts } from '../../../../../helpers/laid-out.ts'

/** 60 lines of 11.5 pt fill the page of the helper. */
const perPage = 60
const long = (lines: number): string =>
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore '.repeat(
    lines,
  )

/** How many lines each page holds. */
function check(parts: WordParts, expected: readonly number[]): void {
  const { lines, pages } = layWord(parts)
  expect(pages.map((_, index) => lines.filter((line) => line.page === index + 1).length)).toEqual(expected)
}

describe('paragraphs over pages', () => {
  test('a page holds sixty lines', () => check({ body: filler(perPage + 1) }, [60, 1]))
  test('two lines stay together at the foot: a first line alone moves', () =>
    check({ body: filler(perPage - 1) + p(long(4)) }, [59, 4]))
  test('without widow control one line may stay', () =>
    check({ body: filler(perPage - 1) + p(long(4), '<w:widowControl w:val="0"/>') }, [60, 3]))
  test('two lines stay together at the head', () =>
    check({ body: filler(perPage - 3) + p(long(4)) }, [59, 2]))
  test('lines that are kept together move together', () =>
    check({ body: filler(perPage - 3) + p(long(4), '<w:keepLines/>') }, [57, 4]))
  test('a heading moves with the paragraph it is kept with', () =>
    check(
      { body: filler(perPage - 2) + p('heading', '<w:keepNext/>') + p(long(3), '<w:keepLines/>') },
      [58, 4],
    ))
  test('a page break in a paragraph of its own leaves nothing on the next page', () =>
    check({ body: `${p('a')}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${p('b')}` }, [1, 1]))
  test('text after a page break continues at the top', () => {
    const broken = '<w:p><w:r><w:t>five</w:t><w:br w:type="page"/><w:t>six</w:t></w:r></w:p>'
    const { lines } = layWord({ body: broken })
    expect(lines).toMatchObject([
      { page: 1, text: 'five' },
      { page: 2, text: 'six', y: lines[0]!.y },
    ])
  })
})

describe('tables over pages', () => {
  const rows = (count: number, properties = ''): string[] =>
    Array.from({ length: count }, (_, i) => row([cell(p(`r${i + 1}`))], properties))
  test('rows go on', () => check({ body: table(rows(100), [4000]) }, [60, 40]))
  test('header rows come again', () => {
    const { lines, pages } = layWord({
      body: table([row([cell(p('head'))], '<w:tblHeader/>'), ...rows(100)], [4000]),
    })
    expect(pages).toHaveLength(2)
    expect(lines.filter((line) => line.text === 'head').map((line) => line.page)).toEqual([1, 2])
    expect(lines.filter((line) => line.page === 2)[0]).toMatchObject({ text: 'head' })
  })
  test('a row is cut between lines', () =>
    check({ body: filler(50) + table([row([cell(filler(20))])], [4000]) }, [60, 10]))
  test('a row that must not be cut moves', () =>
    check({ body: filler(50) + table([row([cell(filler(20))], '<w:cantSplit/>')], [4000]) }, [50, 20]))
  test('a merged cell flows through the rows it covers', () => {
    const merged = [
      row([cell(p('m1') + p('m2') + p('m3'), '<w:vMerge w:val="restart"/>'), cell(p('a'))]),
      row([cell(p(''), '<w:vMerge/>'), cell(p('b'))]),
    ]
    const { lines } = layWord({ body: table(merged, [2000, 2000]) + p('end') })
    expect(lines.map((line) => line.text)).toEqual(['m1|a', 'm2|b', 'm3', 'end'])
  })
})

describe('columns and sections', () => {
  const section = (inside: string): string => `<w:p><w:pPr><w:sectPr>${inside}</w:sectPr></w:pPr></w:p>`
  test('columns before a continuous section are evened out and it starts under the taller one', () => {
    const page =
      '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/>'
    const columns = section(`<w:type w:val="continuous"/>${page}<w:cols w:num="2" w:space="720"/>`)
    const { lines, pages } = layWord({
      body: filler(9) + columns + p('next'),
      section: `<w:type w:val="continuous"/>${page}`,
    })
    expect(pages).toHaveLength(1)
    expect(lines.map((line) => line.text)).toEqual(['l1|l6', 'l2|l7', 'l3|l8', 'l4|l9', 'l5', 'next'])
  })
  test('a header taller than its margin pushes the text down', () => {
    const { lines } = layWord({
      body: p('body'),
      header: filler(5),
      section:
        '<w:headerReference w:type="default" r:id="header"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/>',
    })
    expect(lines.at(-1)!.text).toBe('body')
    expect(lines.at(-1)!.y - lines.at(-2)!.y).toBeCloseTo(11.5, 2)
  })
  test('the number of pages is known on the first one', () => {
    const field = (name: string): string =>
      `<w:fldSimple w:instr="${name}"><w:r><w:t>9</w:t></w:r></w:fldSimple>`
    const { lines } = layWord({
      body: `<w:p>${field('PAGE')}<w:r><w:t>/</w:t></w:r>${field('NUMPAGES')}</w:p>${filler(150)}`,
    })
    expect(lines[0]!.text).toBe('1/3')
  })
  test('footnotes are at the foot of the page of their reference', () => {
    const note =
      '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> the note</w:t></w:r></w:p></w:footnote>'
    const { lines } = layWord({
      body: `${filler(3)}<w:p><w:r><w:t>marked</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
      footnotes: note,
    })
    expect(lines.at(-1)).toMatchObject({ page: 1, text: '1 the note' })
    expect(lines.at(-1)!.y).toBeGreaterThan(760)
  })
})

describe('page breaks are no endless loop', () => {
  test('each forced break makes one page', () =>
    expect(layWord({ body: p('x', '<w:pageBreakBefore/>').repeat(40) }).pages).toHaveLength(40))
})
