import { describe, expect, test } from 'vitest'
import type { Frame, Item, ShapeItem } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { layWord } from '../../../../../helpers/laid-out.ts'

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
  test('formulas of a drawn outline depend on the size of the shape', () => {
    const geometry =
      '<a:custGeom><a:avLst><a:gd name="adj" fmla="val 2"/></a:avLst><a:gdLst><a:gd name="x1" fmla=" */  ss 1 adj "/></a:gdLst><a:rect l="x1" t="t" r="r" b="b"/><a:pathLst><a:path><a:moveTo><a:pt x="x1" y="t"/></a:moveTo><a:lnTo><a:pt x="r" y="b"/></a:lnTo><a:lnTo><a:pt x="l" y="b"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom>'
    const { path } = draw(shape(geometry, '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>')).shapes[0]!
    expect(path.commands).toEqual([['M', 25, 0], ['L', 100, 50], ['L', 0, 50], ['Z']])
  })
  test('a path inside of a drawn outline is a hole', () => {
    const square = (from: number, to: number): string =>
      `<a:moveTo><a:pt x="${from}" y="${from}"/></a:moveTo><a:lnTo><a:pt x="${to}" y="${from}"/></a:lnTo><a:lnTo><a:pt x="${to}" y="${to}"/></a:lnTo><a:lnTo><a:pt x="${from}" y="${to}"/></a:lnTo><a:close/>`
    const geometry = `<a:custGeom><a:pathLst><a:path w="4" h="4">${square(0, 4)}${square(1, 3)}</a:path></a:pathLst></a:custGeom>`
    const { path } = draw(shape(geometry, '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>')).shapes[0]!
    expect(path.evenOdd).toBe(true)
  })
  test('faces of a solid have shades of its fill, edges come last', () => {
    const red = '<a:solidFill><a:srgbClr val="C86432"/></a:solidFill>'
    const paths = draw(shape(preset('cube'), red, `<a:ln>${red}</a:ln>`)).shapes.map(({ path }) => path)
    expect(paths.map(({ fill }) => (fill?.kind === 'solid' ? fill.colour : undefined))).toEqual([
      0xc86432,
      0xa05028,
      0xd3835b,
      undefined,
    ])
    expect(paths.map(({ stroke }) => stroke !== undefined)).toEqual([false, false, false, true])
    const cross = draw(shape(preset('chartPlus'), red, `<a:ln>${red}</a:ln>`)).shapes
    expect(cross.map(({ path }) => path.fill !== undefined)).toEqual([true, false])
  })
  test('a path that is not filled has no fill, and an unfilled shape has no shades', () => {
    expect(draw(shape(preset('cube'), '', '')).shapes).toEqual([])
    expect(
      draw(shape(preset('straightConnector1'), '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'))
        .shapes,
    ).toEqual([])
  })
  test('a preset shape that is not known is its box, with a warning', () => {
    const unknown = draw(shape(preset('unknown'), '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'))
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
    // The box is 100 points wide and contains one line of ten points.
    expect(Math.abs(foot - top)).toBeGreaterThan(60)
  })
})
