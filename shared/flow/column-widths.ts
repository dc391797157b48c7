import type { FlowBlock, FlowInline, FlowRow } from './flow.ts'
import { gridOf } from './grid.ts'

/** What a column needs, in points: without breaking a word, and without breaking a line. */
interface Need {
  readonly least: number
  readonly most: number
}

/** The mean advance of text of 10 points in common faces, and of its bold. Fonts are not known where a flow is written. */
const advance = 5.2
const boldAdvance = 5.6
/** Both sides of a cell, with its borders. */
const padding = 12
const indent = 20 // of an item in a list
const pointsAPixel = 0.75
const eastAsian = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/

/**
 * The widths of the columns of a table that has none, in points, at most `width` together: those of its lines where all fit,
 * else each gets its longest word and a share of the rest by the length of its lines. CSS 2.2, 17.5.2.2, as browsers do.
 */
export function widthsByContent(rows: readonly FlowRow[], columns: number, width: number): readonly number[] {
  const needs = Array.from({ length: columns }, () => ({ least: 2 * padding, most: 2 * padding }))
  for (const row of gridOf(rows, columns)) {
    for (const [at, cell] of row.entries()) {
      const need = needs[at]
      if (need === undefined || cell === 'covered' || cell === 'empty' || cell.columns > 1) continue
      const { least, most } = needOfBlocks(cell.blocks, cell.header === true ? boldAdvance : advance)
      need.least = Math.max(need.least, least + padding)
      need.most = Math.max(need.most, most + padding)
    }
  }
  const sum = (key: keyof Need) => needs.reduce((total, need) => total + need[key], 0)
  const [least, most] = [sum('least'), sum('most')]
  if (most <= width) return needs.map((need) => need.most)
  if (least >= width) return needs.map((need) => (need.least / least) * width)
  return needs.map((need) => need.least + ((width - least) * (need.most - need.least)) / (most - least))
}

function needOfBlocks(blocks: readonly FlowBlock[], each: number): Need {
  return blocks.map((block) => needOfBlock(block, each)).reduce(larger, { least: 0, most: 0 })
}

const larger = (a: Need, b: Need): Need => ({
  least: Math.max(a.least, b.least),
  most: Math.max(a.most, b.most),
})

function needOfBlock(block: FlowBlock, each: number): Need {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return needOfInlines(block.inlines, each)
    case 'quote':
      return inside(needOfBlocks(block.blocks, each))
    case 'list':
      return inside(
        block.items.map((item) => needOfBlocks(item.blocks, each)).reduce(larger, { least: 0, most: 0 }),
      )
    case 'code':
      return block.text
        .split('\n')
        .map((line) => needOfText(line, 6.6))
        .reduce(larger)
    case 'table':
      return { least: 0, most: Number.MAX_SAFE_INTEGER / 1e6 }
    default:
      return { least: 0, most: 0 }
  }
}

const inside = ({ least, most }: Need): Need => ({ least: least + indent, most: most + indent })

function needOfInlines(inlines: readonly FlowInline[], each: number): Need {
  let need: Need = { least: 0, most: 0 }
  let line = ''
  const end = () => {
    need = larger(need, needOfText(line, each))
    line = ''
  }
  for (const inline of inlines) {
    if (inline.kind === 'text') line += inline.text
    else if (inline.kind === 'break') end()
    else if (inline.kind === 'picture') {
      const wide = (inline.width ?? 0) * pointsAPixel
      need = larger(need, { least: Math.min(wide, 60), most: wide })
    }
  }
  end()
  return need
}

function needOfText(text: string, each: number): Need {
  let [least, most, word] = [0, 0, 0]
  for (const character of text) {
    const isWide = eastAsian.test(character)
    const step = isWide ? 2 * each : each
    most += step
    word = /\s/.test(character) || isWide ? 0 : word + step
    least = Math.max(least, word, isWide ? step : 0)
  }
  return { least, most }
}
