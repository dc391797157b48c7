import { describe, expect, test } from 'vitest'
import { filler, layWord, p } from '../../../../../helpers/laid-out.ts'

const field = (instruction: string, text = '?'): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${text}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
const pageSetUp =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/>'
const withHeader = `<w:headerReference w:type="default" r:id="header"/>${pageSetUp}`
const withFooter = `<w:footerReference w:type="default" r:id="header"/>${pageSetUp}`
const linesPerPage = 60
const pages = 4

/** The text of the header or footer of each page. */
const edges = (content: string, section: string): readonly string[] =>
  layWord({ body: filler(pages * linesPerPage), header: `<w:p>${content}</w:p>`, section })
    .lines.filter(({ y }) => y < 72 || y > 770)
    .map(({ text }) => text)

describe.each([
  ['headers', withHeader],
  ['footers', withFooter],
])('fields in %s', (_, section) => {
  test.each([
    ['PAGE', ['1', '2', '3', '4']],
    ['NUMPAGES', ['4', '4', '4', '4']],
  ])('%s shows its value on each page', (name, expected) => {
    expect(edges(field(name), section)).toEqual(expected)
  })
  test('numbers of pages and their count stand together', () => {
    const both = `${field('PAGE')}<w:r><w:t>of</w:t></w:r>${field('NUMPAGES')}`
    expect(edges(both, section)).toEqual(['1of4', '2of4', '3of4', '4of4'])
  })
})

test('a section shows its number in the header that it shares with the section before', () => {
  const end = `<w:p><w:pPr><w:sectPr>${withHeader}</w:sectPr></w:pPr><w:r><w:t>end</w:t></w:r></w:p>`
  const { lines } = layWord({
    body: `${end}${p('second')}`,
    header: `<w:p>${field('SECTION')}</w:p>`,
    section: pageSetUp,
  })
  expect(lines.filter(({ y }) => y < 72).map(({ page, text }) => [page, text])).toEqual([
    [1, '1'],
    [2, '2'],
  ])
})

test('a frame in a footer keeps its position on the page', () => {
  const frame = (text: string, y: number) =>
    `<w:p><w:pPr><w:framePr w:w="2000" w:hAnchor="page" w:vAnchor="page" w:x="1440" w:y="${y}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const { lines } = layWord({
    body: filler(linesPerPage * 2),
    header: `${frame('framed', 15000)}${p('footer')}`,
    section: withFooter,
  })
  const framed = lines.filter(({ text }) => text === 'framed')
  expect(framed.map(({ page }) => page)).toEqual([1, 2])
  for (const { y } of framed) expect(y).toBeCloseTo(750 + 9.05, 0)
})

test('a footer with page numbers is laid out once for each page', () => {
  const lines = 10
  const parts = {
    body: filler(40 * linesPerPage),
    header: `<w:p>${field('PAGE')}</w:p>`.repeat(lines),
    section: withFooter,
  }
  // A paragraph of one line takes two steps.
  const { pages } = layWord(parts)
  const steps = 2 * (40 * linesPerPage + pages.length * lines)
  expect(layWord(parts, { steps: steps + 10 * pages.length }).pages).toHaveLength(pages.length)
})
