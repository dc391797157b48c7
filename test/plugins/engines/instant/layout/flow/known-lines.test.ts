import { expect, test } from 'vitest'
import type { Frame } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { cell, layWord, p, row, table } from '../../../../../helpers/laid-out.ts'

interface Drawn {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly colour: number
  readonly label: string | undefined
}

function drawnIn(frame: Frame, x: number, y: number, into: Drawn[]): Drawn[] {
  for (const { x: dx, y: dy, item } of frame.items) {
    if (item.kind === 'group') drawnIn(item.frame, x + dx, y + dy, into)
    else if (item.kind === 'glyphs')
      into.push({
        x: x + dx,
        y: y + dy,
        width: item.run.width,
        colour: item.colour,
        label: /^\d\.$/.exec(item.run.text)?.[0],
      })
  }
  return into
}

/** Everything that may part two cells with the same text. */
const cells: readonly ((text: string) => string)[] = [
  (text) => cell(p(text)),
  (text) => cell(p(text, '<w:jc w:val="right"/>')),
  (text) => cell(p(text, '<w:jc w:val="center"/>'), '<w:shd w:val="clear" w:fill="101010"/>'),
  (text) => cell(p(text, '<w:jc w:val="center"/>')),
  (text) => cell(p(text, '', '<w:sz w:val="40"/>')),
  (text) => cell(p(text, '', '<w:b/>')),
  (text) => cell(p(text, '<w:ind w:left="200"/>')),
  (text) => cell(p(text, '<w:pStyle w:val="Large"/>')),
  (text) => cell(p(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')),
  (text) => cell(p(text) + p(text, '<w:jc w:val="right"/>')),
]
const styles = '<w:style w:type="paragraph" w:styleId="Large"><w:rPr><w:sz w:val="30"/></w:rPr></w:style>'
const numbering =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:pPr><w:ind w:left="300" w:hanging="300"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'

/** Three rows with one cell of every kind, rotated from row to row, so that each kind is in columns of several widths. */
function drawn(textOf: (number: number) => string, step: number): Drawn[] {
  let number = 0
  const rows = [0, 1, 2].map((turn) =>
    row(cells.map((_, column) => cells[(column + turn) % cells.length]!(textOf(number++)))),
  )
  const widths = cells.map((_, column) => 900 + step * column)
  const { pages } = layWord({ body: table(rows, widths) + p('end'), styles, numbering })
  return pages.flatMap(({ frame }) => drawnIn(frame, 0, 0, []))
}

const texts = [
  ['one line', (number: number) => String(10 + number)],
  ['cut lines', (number: number) => `${10 + number} `.repeat(8)],
  ['cut words', (number: number) => String(10 + number).repeat(12)],
] as const

for (const [name, different] of texts)
  for (const step of [0, 60])
    test(`the same text in all cells stands where other texts of its width would: ${name}, ${step}`, () => {
      const same = drawn(() => different(0), step)
      expect(same.length).toBeGreaterThan(30)
      expect(new Set(same.map(({ colour }) => colour)).size).toBe(2)
      expect(same.flatMap(({ label }) => label ?? [])).toEqual(['1.', '2.', '3.'])
      expect(same).toEqual(drawn(different, step))
    })
