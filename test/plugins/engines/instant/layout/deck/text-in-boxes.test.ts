/** How text is fitted into its box on slides. The figures are those of LibreOffice's PDF of the same shapes. */
import { describe, expect, it } from 'vitest'
import { deckOf, layDeck, paragraphOf, runsOf, shapeOf } from '../../../../../helpers/deck-layout.ts'

const drawn = async (shape: Parameters<typeof shapeOf>[0]) =>
  runsOf(layDeck(await deckOf(shapeOf(shape))).pages[0]!)
const rounded = (value: number): number => Math.round(value * 10) / 10

const line = paragraphOf('Line', { run: 'sz="3200"' })
const empty = '<a:p><a:endParaRPr sz="3200"/></a:p>'

describe('text that shrinks takes the largest whole percent at which it fits', () => {
  it.each([
    ['all of it fits', line.repeat(9), 32],
    ['ten lines', line.repeat(10), 28.8],
    ['eleven lines', line.repeat(11), 26.2],
    ['fourteen lines', line.repeat(14), 20.5],
    ['forty lines', line.repeat(40), 7],
    ['empty paragraphs at the end do not count', line.repeat(9) + empty.repeat(6), 32],
    ['empty paragraphs before text count', empty.repeat(5) + line.repeat(5), 28.8],
  ])('%s', async (_, paragraphs, size) => {
    const box = [36, 126, 648, 356.4] as const
    const shrunk = shapeOf({ box, paragraphs, body: '<a:bodyPr><a:normAutofit/></a:bodyPr>' })
    const before = shapeOf({ paragraphs: paragraphOf('before'), body: '<a:bodyPr/>' })
    const [, ...runs] = runsOf(layDeck(await deckOf(before + shrunk)).pages[0]!)
    expect(runs.map((run) => rounded(run.size))).toEqual(runs.map(() => size))
  })
})

describe('lines stand as one block in the middle of their box', () => {
  const paragraphs = paragraphOf('wider line') + paragraphOf('i')
  const middles = async (body: string) => {
    const [wide, thin] = await drawn({ box: [100, 0, 200, 60], paragraphs, body })
    return { start: rounded(wide!.x), sameStart: rounded(thin!.x - wide!.x) }
  }
  it.each([
    ['a shape that grows without wrapping', 'wrap="none"', '<a:spAutoFit/>', true],
    ['anchorCtr', 'anchorCtr="1"', '', true],
    ['no wrapping alone', 'wrap="none"', '', false],
    ['a shape that grows and wraps', '', '<a:spAutoFit/>', false],
  ])('%s', async (_, attributes, fit, isCentred) => {
    const { start, sameStart } = await middles(`<a:bodyPr ${attributes}>${fit}</a:bodyPr>`)
    expect(sameStart).toBe(0)
    if (isCentred) expect(start).toBeGreaterThan(140)
    else expect(start).toBe(107.2)
  })
})

it('paragraphs of different alignment are aligned in the widest line of a shape that grows without wrapping', async () => {
  const aligned = (align: string) => paragraphOf('end', { properties: `algn="${align}"` })
  const paragraphs = paragraphOf('the widest line') + aligned('l') + aligned('ctr') + aligned('r')
  const body = '<a:bodyPr wrap="none" lIns="0" rIns="0"><a:spAutoFit/></a:bodyPr>'
  const runs = await drawn({ box: [100, 100, 200, 60], paragraphs, body })
  const [wide, start, middle, end] = runs.map(({ x }) => x) as [number, number, number, number]
  expect(wide).toBeGreaterThan(100)
  expect(rounded(start)).toBe(rounded(wide))
  // The middle of the box is at 200, so that the width of the text is known from its line in the middle.
  expect(rounded(end + 2 * (200 - middle))).toBe(rounded(400 - wide))
})

it('insets that leave no space are reduced on both sides alike', async () => {
  const at = async (insets: string) => {
    const body = `<a:bodyPr wrap="none" anchor="ctr" ${insets}/>`
    const [run] = await drawn({ box: [100, 100, 40, 20], paragraphs: paragraphOf('I'), body })
    return { x: rounded(run!.x), y: rounded(run!.y) }
  }
  const none = await at('lIns="254000" rIns="254000" tIns="127000" bIns="127000"') // 20 + 20 and 10 + 10 pt
  expect(await at('lIns="508000" rIns="508000" tIns="508000" bIns="508000"')).toEqual(none)
  expect(await at('lIns="635000" rIns="381000" tIns="254000" bIns="0"')).toEqual({
    x: rounded(none.x + 10),
    y: rounded(none.y + 10),
  })
})

it('text wraps in no box that has no width', async () => {
  const runs = await drawn({ box: [100, 100, 0, 0], paragraphs: paragraphOf('some words of text') })
  expect(new Set(runs.map(({ y }) => rounded(y))).size).toBe(1)
})

describe('a label', () => {
  it.each([
    ['without indents', '', [0, 17]],
    ['at the second level', 'lvl="1"', [17, 34]],
    ['with a start alone', 'marL="457200"', [19, 36]],
    ['with a first indent alone', 'indent="-127000"', [7, 17]],
    ['with more hanging than there is start', 'marL="203200" indent="-457200"', [0, 16]],
  ])('%s', async (_, attributes, expected) => {
    const item = `<a:p><a:pPr ${attributes}><a:buChar char="-"/></a:pPr><a:r><a:rPr sz="1200"/><a:t>item</a:t></a:r></a:p>`
    const runs = await drawn({ body: '<a:bodyPr lIns="0"/>', paragraphs: item })
    expect(runs.map(({ x }) => rounded(x))).toEqual(expected)
  })
})

it('spaces at the end of a paragraph count when its line is centred', async () => {
  const at = async (text: string) =>
    (await drawn({ paragraphs: paragraphOf(text, { properties: 'algn="ctr"' }) }))[0]!.x
  expect(await at('word  ')).toBeLessThan((await at('word')) - 3)
})

it('the roll of the camera turns text against it', async () => {
  const scene =
    '<a:scene3d><a:camera prst="orthographicFront"><a:rot lat="0" lon="0" rev="5400000"/></a:camera></a:scene3d>'
  const deck = await deckOf(
    shapeOf({ body: `<a:bodyPr>${scene}</a:bodyPr>`, paragraphs: paragraphOf('text') }),
  )
  const content = deck.slides[0]!.shapes[0]!.drawing.content
  expect(content.kind === 'shape' && content.text?.turn).toBe(-90)
})

describe('empty items of a content placeholder', () => {
  const placeholder = '<p:nvPr><p:ph idx="1"/></p:nvPr>'
  const item = (level: number, bullet: string, text = '') =>
    `<a:p><a:pPr lvl="${level}">${spacing}${bullet}</a:pPr>${text === '' ? '<a:endParaRPr sz="1200"/>' : `<a:r><a:rPr sz="1200"/><a:t>${text}</a:t></a:r>`}</a:p>`
  const spacing = '<a:spcBef><a:spcPts val="2000"/></a:spcBef>'
  const dash = '<a:buChar char="-"/>'
  const gap = async (empty: string, names = placeholder) => {
    const paragraphs = item(0, '<a:buNone/>', 'a') + empty + item(0, '<a:buNone/>', 'b')
    const runs = await drawn({ box: [0, 0, 300, 200], paragraphs, names })
    return runs[1]!.y - runs[0]!.y
  }
  it('of a deeper level lose their formatting where they have a bullet', async () => {
    const plain = await gap('')
    const first = (await gap(item(0, dash))) - plain
    expect(rounded((await gap(item(1, '<a:buNone/>'))) - plain)).toBe(rounded(first))
    expect(rounded((await gap(item(1, dash), '<p:nvPr/>')) - plain)).toBe(rounded(first))
    // Half a centimetre is above them instead of 20 points.
    expect(rounded((await gap(item(1, dash))) - plain - first)).toBe(rounded(14.17 - 20))
  })
})

it.each([
  ['marL="0" indent="-360000"', 0],
  ['marL="180000" indent="-360000"', 0],
  ['marL="360000" indent="-180000"', 14.2],
])('a line with %s begins %s points behind the inset', async (properties, at) => {
  const [run] = await drawn({
    box: [0, 0, 300, 60],
    paragraphs: paragraphOf('x', { properties }),
    body: '<a:bodyPr lIns="0"/>',
  })
  expect(rounded(run!.x)).toBe(at)
})

describe('text that shrinks', () => {
  const body = '<a:bodyPr><a:normAutofit/></a:bodyPr>'
  const text = (fit: string, at: number) =>
    shapeOf({ box: [0, at, 300, 100], paragraphs: paragraphOf('a') + paragraphOf('b'), body: fit })
  const table =
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="127000"/></p:xfrm><a:graphic><a:graphicData uri="x"><a:tbl><a:tblGrid><a:gridCol w="1270000"/></a:tblGrid><a:tr h="127000"><a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>'
  const pitch = async (...before: readonly string[]) => {
    const runs = runsOf(layDeck(await deckOf(before.join('') + text(body, 200))).pages[0]!)
    return rounded(runs.at(-1)!.y - runs.at(-2)!.y)
  }
  it('has the kind of line height of the last text before it that does not', async () => {
    const [ofFont, ofSize] = [await pitch(), await pitch(text('<a:bodyPr/>', 0))]
    expect(ofSize).toBe(rounded(1.2 * 18))
    expect(ofFont).toBeLessThan(ofSize)
    expect(await pitch(text('<a:bodyPr/>', 0), text(body, 100))).toBe(ofSize)
    expect(await pitch(text('<a:bodyPr/>', 0), table)).toBe(ofFont)
  })
})

it.each([
  ['<a:buSzPts val="6000"/>', 18],
  ['<a:buSzPct val="50000"/>', 9],
])('a bullet with %s is %s points high', async (size, expected) => {
  const paragraphs = paragraphOf('x', { properties: `${size}<a:buChar char="-"/>` })
  const [bullet] = await drawn({ box: [0, 0, 300, 60], paragraphs })
  expect(rounded(bullet!.size)).toBe(expected)
})
