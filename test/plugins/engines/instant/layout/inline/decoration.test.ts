import { describe, expect, test } from 'vitest'
import type { Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { layWord } from '../../../../../helpers/laid-out.ts'

/** From the left edge of the text: 'a', a tab, '12.5', with run properties on all of it. */
function line(properties: string, tabs: string, text = '<w:t>12.5</w:t>'): readonly Placed[] {
  const body = `<w:p><w:pPr><w:tabs>${tabs}</w:tabs></w:pPr><w:r><w:rPr>${properties}</w:rPr><w:t>a</w:t><w:tab/>${text}</w:r></w:p>`
  return layWord({ body }).pages[0]!.frame.items
}

/** Left and right ends of what is drawn besides letters, in the order of painting. */
function marks(items: readonly Placed[]): [left: number, right: number][] {
  return items.flatMap(({ x, item }): [number, number][] => {
    if (item.kind !== 'shape') return []
    const xs = item.path.commands.flatMap((command) =>
      command[0] === 'R' ? [command[1], command[1] + command[3]] : [(command[1] as number | undefined) ?? 0],
    )
    return [[x + Math.min(...xs), x + Math.max(...xs)]]
  })
}

const stops = [
  ['a default tab', ''],
  ['a left stop', '<w:tab w:val="left" w:pos="3000"/>'],
  ['a centred stop', '<w:tab w:val="center" w:pos="4000"/>'],
  ['a right stop', '<w:tab w:val="right" w:pos="6000"/>'],
  ['a decimal stop', '<w:tab w:val="decimal" w:pos="5000"/>'],
  ['a stop with dots', '<w:tab w:val="right" w:pos="6000" w:leader="dot"/>'],
  ['a stop with a line', '<w:tab w:val="left" w:pos="6000" w:leader="underscore"/>'],
] as const
/** Properties, and how many marks each part of the line gets. */
const textStyles = [
  ['underlined', '<w:u w:val="single"/>', 1],
  ['underlined twice', '<w:u w:val="double"/>', 2],
  ['underlined thick', '<w:u w:val="thick"/>', 1],
  ['underlined with dashes', '<w:u w:val="dash"/>', 1],
  ['underlined with a wave', '<w:u w:val="wave"/>', 1],
  ['struck through', '<w:strike/>', 1],
  ['struck through twice', '<w:dstrike/>', 2],
  ['highlighted', '<w:highlight w:val="yellow"/>', 1],
  ['shaded', '<w:shd w:val="clear" w:fill="CCDDEE"/>', 1],
  ['shaded and underlined', '<w:shd w:val="clear" w:fill="CCDDEE"/><w:u w:val="single"/>', 2],
] as const

describe('a tab looks like the text around it', () => {
  for (const [stop, tabs] of stops)
    for (const [look, properties, each] of textStyles)
      test(`${stop}, ${look}`, () => {
        const items = line(properties, tabs)
        const letters = items.filter(({ item }) => item.kind === 'glyphs')
        const first = letters[0]!
        const last = letters.at(-1)!
        const found = marks(items).sort((a, b) => a[0] - b[0])
        expect(found).toHaveLength(3 * each)
        // No gap from the first letter to the last one, but for the steps of a wave.
        let end = first.x
        for (const [left, right] of found) {
          expect(left - end).toBeLessThan(2.1)
          end = Math.max(end, right)
        }
        expect(last.item.kind === 'glyphs' && end - last.x - last.item.run.width).toBeCloseTo(0, -0.5)
      })

  test('a tab with nothing behind it: the line of a form', () => {
    const items = line('<w:u w:val="single"/>', '<w:tab w:val="left" w:pos="6000"/>', '')
    expect(marks(items).at(-1)![1]).toBeCloseTo(72 + 300, 0)
  })
  test('words only: no line under the tab', () =>
    expect(marks(line('<w:u w:val="words"/>', ''))).toHaveLength(2))
  test('the background is behind the dots', () => {
    const items = line('<w:highlight w:val="yellow"/>', '<w:tab w:val="right" w:pos="6000" w:leader="dot"/>')
    const dots = items.findIndex(({ item }) => item.kind === 'glyphs' && item.run.text.startsWith('..'))
    expect(items[dots - 1]!.item.kind).toBe('shape')
  })
  test('from right to left', () => {
    const body = `<w:p><w:pPr><w:bidi/><w:tabs><w:tab w:val="left" w:pos="4000"/></w:tabs></w:pPr><w:r><w:rPr><w:u w:val="single"/></w:rPr><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>`
    const found = marks(layWord({ body }).pages[0]!.frame.items).sort((a, b) => a[0] - b[0])
    expect(found).toHaveLength(3)
    expect(found[1]![0]).toBeCloseTo(found[0]![1], 0)
    expect(found[2]![0]).toBeCloseTo(found[1]![1], 0)
  })
})

test('the tab behind the number of a list has no line', () => {
  const numbering =
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
  const body =
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:u w:val="single"/></w:rPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>'
  expect(marks(layWord({ body, numbering }).pages[0]!.frame.items)).toEqual([])
})
