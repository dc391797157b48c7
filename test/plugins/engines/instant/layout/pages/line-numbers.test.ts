import { expect, test } from 'vitest'
import { layWord } from '../../../../../helpers/laid-out.ts'

const par = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const page = (more: string): string =>
  `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/>${more}`
const ends = (more: string): string => `<w:p><w:pPr><w:sectPr>${page(more)}</w:sectPr></w:pPr></w:p>`
const numbered = (more = ''): string => `<w:lnNumType w:countBy="1" ${more}/>`
const turn = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

/** The numbers beside the text, a word for each line: number and text; '-' where there is none. */
function numbersOf(body: string, section: string): string[] {
  const { lines } = layWord({ body, section: page(section) })
  return lines.map(({ text }) => text)
}

test('each line, those that are left out apart', () => {
  const body = par('a') + par('b', '<w:suppressLineNumbers/>') + par('c')
  expect(numbersOf(body, numbered())).toEqual(['1|a', 'b', '2|c'])
})
test('every second one, from a number on', () => {
  const body = par('a') + par('b') + par('c')
  expect(numbersOf(body, '<w:lnNumType w:countBy="2" w:start="3"/>')).toEqual(['4|a', 'b', '6|c'])
})
test('restart on each page, or continue', () => {
  const body = par('a') + turn + par('b')
  expect(numbersOf(body, numbered()).filter((line) => /[ab]/.test(line))).toEqual(['1|a', '1|b'])
  const on = numbersOf(body, numbered('w:restart="continuous"')).filter((line) => /[ab]/.test(line))
  expect(on[0]).toBe('1|a')
  expect(Number.parseInt(on[1]!, 10)).toBeGreaterThan(1)
})
test('restart in a section', () => {
  const restart = numbered('w:restart="newSection"')
  const body = par('a') + par('b') + ends(restart) + par('c')
  expect(numbersOf(body, restart)).toEqual(['1|a', '2|b', '1|c'])
})
test('lines of tables are not counted, sections without numbers neither', () => {
  const table = `<w:tbl><w:tr><w:tc>${par('cell')}</w:tc></w:tr></w:tbl>`
  expect(numbersOf(table + par('a'), numbered())).toEqual(['cell', '1|a'])
  expect(numbersOf(par('a'), '')).toEqual(['a'])
})
test('numbers are left of the text, at the given distance', () => {
  const place = (more: string): number =>
    layWord({ body: par('a'), section: page(numbered(more)) }).lines[0]!.x
  expect(place('')).toBeCloseTo(72 - 14.15 - 5.56, 1)
  expect(place('w:distance="400"')).toBeCloseTo(72 - 20 - 5.56, 1)
})
