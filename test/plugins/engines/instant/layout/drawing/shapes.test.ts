import { describe, expect, test } from 'vitest'
import { details, outlines } from '../../../../../../plugins/engines/instant/layout/drawing/more-presets.ts'
import {
  presetDetails,
  presetPath,
} from '../../../../../../plugins/engines/instant/layout/drawing/presets.ts'
import type {
  Frame,
  Item,
  PathCommand,
  ShapeItem,
} from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { layWord } from '../../../../../helpers/laid-out.ts'

const none: ReadonlyMap<string, number> = new Map()
const numbers = (commands: readonly PathCommand[]): number[] =>
  commands.flatMap((command) => command.slice(1) as number[])

describe('preset shapes', () => {
  const plain = ['rect', 'ellipse', 'roundRect', 'hexagon', 'star5', 'plus', 'homePlate', 'flowChartProcess']
  test.each([...plain, ...Object.keys(outlines)])('%s fills its box and nothing else', (name) => {
    for (const [w, h] of [
      [120, 70],
      [70, 120],
    ] as const) {
      const commands = presetPath(name, w, h, none)!
      expect(commands[0]![0] === 'M' || commands[0]![0] === 'R').toBe(true)
      const values = numbers(commands)
      expect(values.every(Number.isFinite)).toBe(true)
      // Handles of curves and tips of callouts may stand out a little.
      expect(Math.max(...values)).toBeLessThan(Math.max(w, h) * 1.6)
      expect(Math.min(...values)).toBeGreaterThan(-Math.max(w, h) * 0.6)
    }
  })
  test.each(Object.keys(details))('%s has lines of its own', (name) => {
    const values = numbers(presetDetails(name, 120, 70, none))
    expect(values.length).toBeGreaterThan(0)
    expect(values.every((value) => Number.isFinite(value) && value >= -1 && value <= 121)).toBe(true)
  })
  test('of no size and with mad adjustments stay finite', () => {
    const mad = new Map(['adj', 'adj1', 'adj2', 'adj3', 'adj4'].map((key) => [key, 2_000_000_000]))
    for (const name of Object.keys(outlines))
      for (const [w, h] of [
        [0, 0],
        [0, 50],
        [10_000, 1],
      ] as const)
        for (const adjust of [none, mad])
          expect(numbers(presetPath(name, w, h, adjust)!).every(Number.isFinite), name).toBe(true)
  })
  test('nobody knows are undefined', () => {
    expect(presetPath('nobodyKnows', 10, 10, none)).toBeUndefined()
    expect(presetPath('actionButtonHome', 10, 10, none)).toEqual([['R', 0, 0, 10, 10]])
  })
})

const emu = 12_700
const shape = (geometry: string, fill: string, line = ''): string =>
  `<w:p xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:r><w:drawing><wp:inline><wp:extent cx="${100 * emu}" cy="${50 * emu}"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${100 * emu}" cy="${50 * emu}"/></a:xfrm>${geometry}${fill}${line}</wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
const preset = (name: string): string => `<a:prstGeom prst="${name}"><a:avLst/></a:prstGeom>`
const stop = (at: number, color: string): string => `<a:gs pos="${at}"><a:srgbClr val="${color}"/></a:gs>`
const three = `<a:gsLst>${stop(0, 'FF0000')}${stop(50_000, '00FF00')}${stop(100_000, '0000FF')}</a:gsLst>`

function draw(body: string): { shapes: ShapeItem[]; warnings: readonly string[] } {
  const found: ShapeItem[] = []
  const visit = (frame: Frame): void => {
    for (const { item } of frame.items as readonly { item: Item }[]) {
      if (item.kind === 'shape') found.push(item)
      else if (item.kind === 'group') visit(item.frame)
    }
  }
  const { pages, warnings } = layWord({ body })
  for (const page of pages) visit(page.frame)
  return { shapes: found, warnings: warnings.map(({ code }) => code) }
}
const fillOf = (fill: string) => draw(shape(preset('rect'), fill)).shapes[0]!.path.fill

describe('fills and lines of Word shapes', () => {
  test('a linear gradient runs along its angle from side to side', () => {
    expect(fillOf(`<a:gradFill>${three}<a:lin ang="0"/></a:gradFill>`)).toMatchObject({
      kind: 'linear',
      x1: 0,
      y1: 25,
      x2: 100,
      y2: 25,
      stops: [
        { at: 0, colour: 0xff0000 },
        { at: 0.5, colour: 0x00ff00 },
        { at: 1, colour: 0x0000ff },
      ],
    })
    const down = fillOf(`<a:gradFill>${three}<a:lin ang="5400000"/></a:gradFill>`)
    expect(down?.kind === 'linear' && Math.abs(down.y1) + Math.abs(down.y2 - 50)).toBeCloseTo(0)
  })
  test('a path gradient grows out of its middle', () => {
    const fill = fillOf(
      `<a:gradFill>${three}<a:path path="circle"><a:fillToRect l="100000" t="0" r="0" b="100000"/></a:path></a:gradFill>`,
    )
    expect(fill).toMatchObject({ kind: 'radial', x1: 100, y1: 0 })
  })
  test('a gradient of one colour is that colour, of none nothing', () => {
    expect(fillOf(`<a:gradFill><a:gsLst>${stop(0, 'FF0000')}</a:gsLst></a:gradFill>`)).toMatchObject({
      kind: 'solid',
      colour: 0xff0000,
    })
    expect(draw(shape(preset('rect'), '<a:gradFill/>')).shapes).toEqual([])
  })
  test('lines have heads where they say so', () => {
    const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    const heads = (ends: string) =>
      draw(shape(preset('straightConnector1'), '', `<a:ln w="12700">${red}${ends}</a:ln>`)).shapes.length - 1
    expect(heads('')).toBe(0)
    expect(heads('<a:tailEnd type="triangle"/>')).toBe(1)
    expect(heads('<a:headEnd type="oval"/><a:tailEnd type="triangle"/>')).toBe(2)
  })
  test('arcs of a drawn outline are curves', () => {
    const geometry =
      '<a:custGeom><a:pathLst><a:path w="100" h="50"><a:moveTo><a:pt x="100" y="25"/></a:moveTo><a:arcTo wR="50" hR="25" stAng="0" swAng="21600000"/><a:close/></a:path></a:pathLst></a:custGeom>'
    const { path } = draw(shape(geometry, '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>')).shapes[0]!
    expect(path.commands.map(([kind]) => kind).join('')).toBe('MCCCCZ')
    expect(path.commands[2]!.slice(-2).map((value) => Math.round(value as number))).toEqual([0, 25])
  })
  test('an outline nobody knows is its box, and told', () => {
    const unknown = draw(shape(preset('nobodyKnows'), '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'))
    expect(unknown.shapes[0]!.path.commands).toEqual([['R', 0, 0, 100, 50]])
    expect(unknown.warnings).toEqual(['layout.shape-outline'])
  })
})

describe('turned text in a box', () => {
  const boxed = (body: string): string =>
    shape(preset('rect'), '').replace(
      '<wps:bodyPr/>',
      `<wps:txbx><w:txbxContent><w:p><w:r><w:t>turned</w:t></w:r></w:p></w:txbxContent></wps:txbx><wps:bodyPr ${body}/>`,
    )
  /** Where the first line begins for text at the top, in the middle and at the foot of its side. */
  const places = (way: string): number[] =>
    ['t', 'ctr', 'b'].map(
      (anchor) => layWord({ body: boxed(`vert="${way}" anchor="${anchor}"`) }).lines[0]!.x,
    )
  test.each([
    ['vert270', 1],
    ['vert', -1],
    ['eaVert', -1],
    ['wordArtVert', -1],
  ])('%s stands where its lines begin, or as far from there as it says', (way, sign) => {
    const [top = 0, middle = 0, foot = 0] = places(way)
    expect(Math.sign(middle - top)).toBe(sign)
    expect(foot - middle).toBeCloseTo(middle - top)
    // The box is 100 wide and one line of ten points lies in it.
    expect(Math.abs(foot - top)).toBeGreaterThan(60)
  })
})
