import { describe, expect, it } from 'vitest'
import { justifiedLines } from '../../../../../../plugins/engines/instant/layout/sheet/justify-lines.ts'
import {
  createTextMeasure,
  type TextLine,
} from '../../../../../../plugins/engines/instant/layout/sheet/text.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'

const measure = createTextMeasure(shippedBook.forDocument(), { pages: 1, check() {} }, 'paper')
const font = { family: 'Liberation Sans', size: 10 }
const bold = { ...font, bold: true }

/** Where the last glyph of a line ends that is no space. */
const endOf = ({ runs }: TextLine): number =>
  Math.max(
    ...runs.map(({ x, run }) => {
      const shown = run.text.trimEnd().length
      return shown === 0
        ? 0
        : x +
            Array.from(run.advances)
              .slice(0, shown)
              .reduce((a, b) => a + b, 0)
    }),
  )
const broken = (texts: Parameters<typeof measure.lines>[0]) => measure.lines(texts, 100)
const words = [
  { text: 'some words that need more than one line of a cell\nand a second paragraph of it', font },
]

describe('justified lines of cells', () => {
  it('end at the edge of the cell, except the last one of each paragraph', () => {
    const lines = broken(words)
    const ends = justifiedLines(lines, 100, { distributes: false }).map(endOf)
    expect(lines.map(({ continues }) => continues ?? false)).toEqual([true, true, false, true, false])
    for (const [at, line] of lines.entries())
      if (line.continues === true) expect(ends[at]).toBeCloseTo(100, 6)
      else expect(ends[at]).toBe(endOf(line))
  })

  it('are all as wide as the cell when distributed', () => {
    const ends = justifiedLines(broken(words), 100, { distributes: true }).map(endOf)
    for (const end of ends) expect(end).toBeCloseTo(100, 6)
  })

  it('give the same to each space, in runs of different fonts', () => {
    const texts = [
      { text: 'two of the ', font },
      { text: 'words in bold', font: bold },
      { text: ' letters and more', font },
    ]
    const [line] = broken(texts)
    const [wide] = justifiedLines(broken(texts), 100, { distributes: false })
    const added = (wide?.runs ?? []).flatMap(({ run }, at) =>
      Array.from(run.advances, (advance, glyph) => advance - (line?.runs[at]?.run.advances[glyph] ?? 0)),
    )
    const spaces = (wide?.runs ?? []).flatMap(({ run }) => [...run.text].map((letter) => letter === ' '))
    const share = (100 - (line?.width ?? 0)) / (spaces.filter(Boolean).length - 1)
    // The space at the end of the line keeps its width.
    const expected = spaces.map((isSpace, at) => (isSpace && at < spaces.length - 1 ? share : 0))
    expect(added.map((value) => value.toFixed(6))).toEqual(expected.map((value) => value.toFixed(6)))
    expect(wide?.runs[1]?.x).toBeCloseTo(wide?.runs[0]?.run.width ?? 0, 6)
  })

  it('grow between East Asian characters', () => {
    const [line] = justifiedLines(broken([{ text: '漢字'.repeat(20), font }]), 100, { distributes: false })
    expect(line && endOf(line)).toBeCloseTo(100, 6)
  })

  it('without a place to grow stay as they are', () => {
    const [line] = broken([{ text: 'Word', font }])
    expect(justifiedLines(line === undefined ? [] : [line], 100, { distributes: true })).toEqual([line])
  })
})
