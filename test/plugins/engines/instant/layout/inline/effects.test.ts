import { describe, expect, test } from 'vitest'
import type { Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { layWord } from '../../../../../helpers/laid-out.ts'

/** What is painted of a paragraph of one run. */
const runs = (properties: string, text = 'ab c'): readonly Placed[] =>
  layWord({
    body: `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r></w:p>`,
  }).pages[0]!.frame.items.filter(({ item }) => item.kind !== 'paragraph')
const kinds = (properties: string): string[] => runs(properties).map(({ item }) => item.kind)

describe('marks over letters', () => {
  test.each(['dot', 'comma', 'circle', 'underDot'])('%s: one for each letter, none for spaces', (mark) => {
    expect(kinds(`<w:em w:val="${mark}"/>`)).toEqual(['glyphs', 'shape', 'shape', 'shape'])
  })
  test('are above the letters, or below them', () => {
    const height = (mark: string): number => {
      const [text, first] = runs(`<w:em w:val="${mark}"/>`)
      return first!.y - text!.y
    }
    expect(height('dot')).toBeLessThan(-8)
    expect(height('underDot')).toBeGreaterThan(1)
    expect(kinds('<w:em w:val="none"/>')).toEqual(['glyphs'])
  })
})

describe('letters drawn twice', () => {
  test.each([
    ['a shadow, to the right and below', '<w:shadow/>', 1],
    ['letters that stand out', '<w:emboss/>', 1],
    ['letters that are sunk', '<w:imprint/>', -1],
  ])('%s', (_, properties, side) => {
    const [shade, text] = runs(properties)
    expect(Math.sign(shade!.x - text!.x)).toBe(side)
    expect(Math.sign(shade!.y - text!.y)).toBe(side)
  })
})

test('warns about two lines in one', () => {
  const body = '<w:p><w:r><w:rPr><w:eastAsianLayout w:combine="1"/></w:rPr><w:t>ab</w:t></w:r></w:p>'
  expect(layWord({ body }).warnings).toMatchObject([{ code: 'layout.two-lines' }])
})

test('double borders are boxes inside each other', () => {
  const sides = ['top', 'left', 'bottom', 'right']
  const borders = (style: string): string =>
    `<w:pBdr>${sides.map((side) => `<w:${side} w:val="${style}" w:sz="8" w:space="4"/>`).join('')}</w:pBdr>`
  const boxes = (style: string): number =>
    layWord({
      body: `<w:p><w:pPr>${borders(style)}</w:pPr><w:r><w:t>a</w:t></w:r></w:p>`,
    }).pages[0]!.frame.items.filter(({ item }) => item.kind === 'shape' && item.path.commands[0]?.[0] === 'R')
      .length
  expect([boxes('single'), boxes('double'), boxes('triple')]).toEqual([0, 2, 3])
})

test('columns of a section from right to left begin at the right', () => {
  const body = '<w:p><w:r><w:t>a</w:t></w:r></w:p>'
  const columns =
    '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/><w:cols w:num="2" w:space="720"/>'
  expect(layWord({ body, section: columns }).lines[0]!.x).toBeCloseTo(72, 1)
  expect(layWord({ body, section: `${columns}<w:bidi/>` }).lines[0]!.x).toBeCloseTo(72 + 451.3 / 2 + 18, 0)
})

test('gaps of columns shrink when they leave no width', () => {
  const columns =
    '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/><w:cols w:num="2" w:equalWidth="0"><w:col w:w="3000" w:space="999999"/><w:col w:w="5000"/></w:cols>'
  const body = '<w:p><w:r><w:t>some words in a column</w:t></w:r></w:p>'
  expect(layWord({ body, section: columns }).lines).toHaveLength(1)
})

test('notes are numbered as their section defines', () => {
  const note = (id: number): string =>
    `<w:r><w:rPr><w:vertAlign w:val="baseline"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`
  const footnotes = [2, 3, 4].map((id) => `<w:footnote w:id="${id}"><w:p/></w:footnote>`).join('')
  const set = (more: string): string => `<w:footnotePr>${more}</w:footnotePr>`
  const first = `<w:p><w:pPr><w:sectPr>${set('<w:numFmt w:val="upperRoman"/>')}</w:sectPr></w:pPr></w:p>`
  const body = `<w:p><w:r><w:t>a</w:t></w:r>${note(2)}${note(3)}</w:p>${first}<w:p><w:r><w:t>b</w:t></w:r>${note(4)}</w:p>`
  const marks = (section: string): string[] =>
    layWord({ body, footnotes, section })
      .lines.filter(({ text }) => /^[ab]/.test(text))
      .map(({ text }) => text.replaceAll('|', ''))
  expect(marks(set(''))).toEqual(['aIII', 'b3'])
  expect(marks(set('<w:numRestart w:val="eachSect"/>'))).toEqual(['aIII', 'b1'])
})

test('text in unknown elements is kept', () => {
  const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`
  const body = `<w:p>${run('a')}<w:unknown>${run('b')}</w:unknown></w:p><w:strange><w:p>${run('c')}</w:p></w:strange>`
  expect(layWord({ body }).lines.map(({ text }) => text)).toEqual(['ab', 'c'])
})
