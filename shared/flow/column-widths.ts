import type { FlowBlock, FlowInline, FlowRow } from './flow.ts'
import { gridOf } from './grid.ts'

/**
 * The width that a column needs, in points: at least (`min`) so that no word is broken, and at most (`max`) so that no
 * line is.
 */
interface Need {
  readonly min: number
  readonly max: number
}

/** The mean advance of text of 10 points in common faces, and of its bold. Fonts are not known where a flow is written. */
const advance = 5.2
const boldAdvance = 5.6
/** The padding of both sides of a cell, with its borders. */
const padding = 12
const indent = 20 // of an item in a list
const pointsAPixel = 0.75
const eastAsian = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/

/**
 * The widths of the columns of a table that has none, in points, at most `width` together: those of its lines where all fit,
 * else each gets its longest word and a share of the rest by the length of its lines. CSS 2.2, 17.5.2.2, as browsers do.
 */
export function widthsByContent(rows: readonly FlowRow[], columns: number, width: number): readonly number[] {
  const needs = Array.from({ length: columns }, () => ({ min: 2 * padding, max: 2 * padding }))
  for (const row of gridOf(rows, columns)) {
    for (const [at, cell] of row.entries()) {
      const need = needs[at]
      if (need === undefined || cell === 'covered' || cell === 'empty' || cell.columns > 1) continue
      const { min, max } = needOfBlocks(cell.blocks, cell.header === true ? boldAdvance : advance)
      need.min = Math.max(need.min, min + padding)
      need.max = Math.max(need.max, max + padding)
    }
  }
  const sum = (key: keyof Need) => needs.reduce((total, need) => total + need[key], 0)
  const [min, max] = [sum('min'), sum('max')]
  if (max <= width) return needs.map((need) => need.max)
  if (min >= width) return needs.map((need) => (need.min / min) * width)
  return needs.map((need) => need.min + ((width - min) * (need.max - need.min)) / (max - min))
}

function needOfBlocks(blocks: readonly FlowBlock[], each: number): Need {
  return blocks.map((block) => needOfBlock(block, each)).reduce(larger, { min: 0, max: 0 })
}

const larger = (a: Need, b: Need): Need => ({
  min: Math.max(a.min, b.min),
  max: Math.max(a.max, b.max),
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
        block.items.map((item) => needOfBlocks(item.blocks, each)).reduce(larger, { min: 0, max: 0 }),
      )
    case 'code':
      return block.text
        .split('\n')
        .map((line) => needOfText(line, 6.6))
        .reduce(larger)
    case 'table':
      return { min: 0, max: Number.MAX_SAFE_INTEGER / 1e6 }
    default:
      return { min: 0, max: 0 }
  }
}

const inside = ({ min, max }: Need): Need => ({ min: min + indent, max: max + indent })

function needOfInlines(inlines: readonly FlowInline[], each: number): Need {
  let need: Need = { min: 0, max: 0 }
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
      need = larger(need, { min: Math.min(wide, 60), max: wide })
    }
  }
  end()
  return need
}

function needOfText(text: string, each: number): Need {
  let [min, max, word] = [0, 0, 0]
  for (const character of text) {
    const isWide = eastAsian.test(character)
    const step = isWide ? 2 * each : each
    max += step
    word = /\s/.test(character) || isWide ? 0 : word + step
    min = Math.max(min, word, isWide ? step : 0)
  }
  return { min, max }
}
