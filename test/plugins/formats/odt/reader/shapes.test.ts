import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import type { PathSegment, Shape } from '../../../../../shared/document/drawing.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { Formulas } from '../../../../../shared/office/opendocument/text/formula.ts'
import { openFile } from '../../../../cases/reference/open.ts'

async function shapeOf(element: string, attributes = '', layouts = ''): Promise<Shape> {
  const automatic = `<style:style style:name="g" style:family="graphic"><style:graphic-properties ${attributes}/></style:style>`
  const drawn = element.replace(
    /^<([\w:-]+)/,
    '<$1 text:anchor-type="as-char" draw:style-name="g" svg:width="100pt" svg:height="50pt"',
  )
  const bytes = await openFile({ body: `<text:p>${drawn}</text:p>`, automatic: automatic + layouts })
  const [block] = odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits }).value.sections[0]!.blocks
  const inline =
    block?.kind === 'paragraph' ? block.inlines.find(({ kind }) => kind === 'drawing') : undefined
  const content = inline?.kind === 'drawing' ? inline.drawing.content : undefined
  if (content?.kind !== 'shape') throw new Error('no shape')
  return content
}
/** 'M 0 0 L 1 1 Z', rounded to hundredths. */
const written = (segments: readonly PathSegment[]): string =>
  segments
    .map(({ kind, points }) =>
      [
        { move: 'M', line: 'L', curve: 'C', close: 'Z' }[kind],
        ...points.map((n) => Math.round(n * 100) / 100 || 0),
      ].join(' '),
    )
    .join(' ')
async function outlineOf(element: string): Promise<string> {
  const { geometry } = await shapeOf(element)
  if (geometry.kind === 'preset') return geometry.name
  if (geometry.kind === 'custom') throw new Error('ODF has no DrawingML formulas.')
  return written(geometry.segments) + (geometry.lines === undefined ? '' : ` | ${written(geometry.lines)}`)
}
const custom = (path: string, more = '', equations = ''): string =>
  `<draw:custom-shape><text:p/><draw:enhanced-geometry svg:viewBox="0 0 100 50" draw:enhanced-path="${path}" ${more}>${equations}</draw:enhanced-geometry></draw:custom-shape>`

describe('outlines of ODF shapes', () => {
  test.each<[string, string, string]>([
    [
      'a polygon closes',
      '<draw:polygon svg:viewBox="0 0 10 10" draw:points="0,0 10,0 5,10"/>',
      'M 0 0 L 1 0 L 0.5 1 Z',
    ],
    [
      'a polyline does not',
      '<draw:polyline svg:viewBox="0 0 10 10" draw:points="0,0 10,10"/>',
      'M 0 0 L 1 1',
    ],
    [
      'a path, relative and absolute',
      '<draw:path svg:viewBox="0 0 10 10" svg:d="M0 0h5v5l5 5H0z"/>',
      'M 0 0 L 0.5 0 L 0.5 0.5 L 1 1 L 0 1 Z',
    ],
    [
      'curves of a path',
      '<draw:path svg:viewBox="0 0 10 10" svg:d="m0 0c0 5 5 10 10 10s0-5 0-10"/>',
      'M 0 0 C 0 0.5 0.5 1 1 1 C 1.5 1 1 0.5 1 0',
    ],
    [
      'an arc of a path, its flags with nothing between them',
      '<draw:path svg:viewBox="0 0 10 10" svg:d="M0 0a10 10 0 0110 10"/>',
      'M 0 0 C 0.55 0 1 0.45 1 1',
    ],
    ['numbers of a custom shape', custom('M 0 0 L 100 0 100 50 Z N'), 'M 0 0 L 1 0 L 1 1 Z'],
    [
      'modifiers and formulas',
      custom(
        'M ?a 0 L 100 ?b N',
        'draw:modifiers="25 -10"',
        '<draw:equation draw:name="a" draw:formula="$0*2"/><draw:equation draw:name="b" draw:formula="if($1,1,height-?a/2)"/>',
      ),
      'M 0.5 0 L 1 0.5',
    ],
    [
      'lines that are not filled',
      custom('M 0 0 L 100 0 100 50 Z N M 0 50 L 100 0 F N'),
      'M 0 0 L 1 0 L 1 1 Z | M 0 1 L 1 0',
    ],
    [
      'a whole ellipse',
      custom('U 50 25 50 25 0 360 Z N'),
      'M 1 0.5 C 1 0.78 0.78 1 0.5 1 C 0.22 1 0 0.78 0 0.5 C 0 0.22 0.22 0 0.5 0 C 0.78 0 1 0.22 1 0.5 Z',
    ],
    ['quarters', custom('M 0 25 Y 50 0 100 25 N'), 'M 0 0.5 C 0 0.22 0.22 0 0.5 0 C 0.78 0 1 0.22 1 0.5'],
    [
      'arcs with and against the clock',
      custom('V 0 0 100 50 0 25 100 25 N'),
      'M 0 0.5 C 0 0.22 0.22 0 0.5 0 C 0.78 0 1 0.22 1 0.5',
    ],
    [
      'arcs against it',
      custom('B 0 0 100 50 0 25 100 25 N'),
      'M 0 0.5 C 0 0.78 0.22 1 0.5 1 C 0.78 1 1 0.78 1 0.5',
    ],
    [
      'a path of its own size',
      custom('M 0 0 L 2 2 N', 'drawooo:sub-view-size="4 4" xmlns:drawooo="http://openoffice.org/2010/draw"'),
      'M 0 0 L 0.5 0.5',
    ],
    ['nonsense', custom('M 0'), ''],
    [
      'no path at all',
      '<draw:custom-shape><text:p/><draw:enhanced-geometry draw:type="ooxml-heart"/></draw:custom-shape>',
      'heart',
    ],
  ])('%s', async (_, element, outline) => {
    expect(await outlineOf(element)).toBe(outline)
  })
  test('a custom shape keeps its text and its flips', async () => {
    const shape = await shapeOf(
      '<draw:custom-shape><text:p>inside</text:p><draw:enhanced-geometry draw:mirror-horizontal="true" draw:type="rectangle"/></draw:custom-shape>',
    )
    expect(shape.flipHorizontal).toBe(true)
    expect(shape.text?.blocks).toHaveLength(1)
  })
})

describe('formulas', () => {
  const value = (formulas: Record<string, string>): number =>
    new Formulas({
      modifiers: [4],
      names: new Map([['pi', Math.PI]]),
      formulas: new Map(Object.entries(formulas)),
    }).value('?x')
  test.each<[string, number]>([
    ['1+2*3', 7],
    ['(1+2)*3', 9],
    ['-$0/2', -2],
    ['min(3,max(1,2))', 2],
    ['if(0,1,2)', 2],
    ['sqrt(abs(0-9))', 3],
    ['round', 0],
    ['1/0', 0],
    ['cos(pi)', -1],
    ['((((', 0],
  ])('%s', (formula, expected) => {
    expect(value({ x: formula })).toBeCloseTo(expected)
  })
  test('in a circle, or doubling without end, end', () => {
    expect(value({ x: '?y', y: '?x+1' })).toBe(1)
    const chain = Object.fromEntries(
      Array.from({ length: 3000 }, (_, n) => [n === 0 ? 'x' : `f${n}`, `?f${n + 1}+?f${n + 1}`]),
    )
    expect(Number.isFinite(value(chain))).toBe(true)
    expect(Number.isFinite(value({ x: '('.repeat(100_000) }))).toBe(true)
  })
})

describe('fills of ODF shapes', () => {
  const gradient = (more: string) =>
    shapeOf(
      '<draw:rect/>',
      'draw:fill="gradient" draw:fill-gradient-name="G"',
      `<draw:gradient draw:name="G" draw:start-color="#ff0000" draw:end-color="#0000ff" ${more}/>`,
    )
  test.each<[string, object]>([
    [
      'draw:style="linear" draw:angle="90deg"',
      { kind: 'linear', angle: 0, stops: [{ color: 'FF0000' }, { color: '0000FF' }] },
    ],
    ['draw:style="linear" draw:angle="450"', { kind: 'linear', angle: 45 }],
    [
      'draw:style="axial"',
      { kind: 'linear', angle: 90, stops: [{ at: 0 }, { at: 0.5, color: '0000FF' }, { at: 1 }] },
    ],
    [
      'draw:style="radial" draw:cx="25%"',
      { kind: 'radial', centre: { x: 0.25, y: 0.5 }, stops: [{ color: '0000FF' }, {}] },
    ],
  ])('%s', async (attributes, expected) => {
    expect((await gradient(attributes)).gradient).toMatchObject(expected)
  })
})
