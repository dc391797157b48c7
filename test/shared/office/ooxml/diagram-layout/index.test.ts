import { describe, expect, it } from 'vitest'
import { layoutBySpecification } from '../../../../../shared/office/ooxml/diagram-layout/index.ts'
import { parseTree } from '../../../../../shared/xml/read-tree.ts'

/** A point of the tree of texts, or of its presentation: `name` is that of a layout node, `of` the text it presents. */
type Line = readonly [depth: number, text: string]
type Presented = readonly [depth: number, name: string, of?: string, variables?: string]

function dataOf(texts: readonly Line[], presentation: readonly Presented[]): string {
  const points: string[] = ['<dgm:pt modelId="root" type="doc"/>']
  const connections: string[] = []
  const textPath = ['root']
  texts.forEach(([depth, text], at) => {
    points.push(`<dgm:pt modelId="${text}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`)
    connections.push(`<dgm:cxn srcId="${textPath[depth]}" destId="${text}" srcOrd="${at}"/>`)
    textPath[depth + 1] = text
  })
  const path: string[] = []
  presentation.forEach(([depth, name, of = '', variables = ''], at) => {
    const id = `p${at}`
    path[depth] = id
    points.push(
      `<dgm:pt modelId="${id}" type="pres"><dgm:prSet presName="${name}" presAssocID="${of || (depth === 0 ? 'root' : '')}"><dgm:presLayoutVars>${variables}</dgm:presLayoutVars></dgm:prSet></dgm:pt>`,
    )
    if (of !== '' || depth === 0)
      connections.push(`<dgm:cxn type="presOf" srcId="${of || 'root'}" destId="${id}"/>`)
    if (depth > 0)
      connections.push(`<dgm:cxn type="presParOf" srcId="${path[depth - 1]}" destId="${id}" srcOrd="${at}"/>`)
  })
  return `<dgm:dataModel><dgm:ptLst>${points.join('')}</dgm:ptLst><dgm:cxnLst>${connections.join('')}</dgm:cxnLst></dgm:dataModel>`
}

const definitionOf = (content: string): string =>
  `<dgm:layoutDef><dgm:layoutNode name="root">${content}</dgm:layoutNode></dgm:layoutDef>`
const algorithm = (type: string, ...parameters: readonly [string, string][]): string =>
  `<dgm:alg type="${type}">${parameters.map(([name, value]) => `<dgm:param type="${name}" val="${value}"/>`).join('')}</dgm:alg>`
const textNode = (name: string, constraints = '', shape = 'type="rect"'): string =>
  `<dgm:layoutNode name="${name}">${algorithm('tx')}<dgm:shape ${shape}/><dgm:constrLst>${constraints}</dgm:constrLst></dgm:layoutNode>`
const loop = (content: string, more = ''): string =>
  `<dgm:forEach axis="ch" ptType="node"${more}>${content}</dgm:forEach>`
const constraints = (...attributes: readonly string[]): string =>
  `<dgm:constrLst>${attributes.map((text) => `<dgm:constr ${text}/>`).join('')}</dgm:constrLst>`

/** The shapes in a frame of 200 x 100 pt: outline, place, rotation, size of text and texts. */
const laidOut = (data: string, definition: string): readonly string[] | undefined =>
  layoutBySpecification(parseTree(data), parseTree(definition), 200, 100)?.map((shape) =>
    [
      shape.geometry || 'none',
      ...[shape.x, shape.y, shape.width, shape.height, shape.rotation].map(Math.round),
      ...(shape.fontSize === undefined ? [] : [`${shape.fontSize}pt`]),
      ...shape.texts,
    ].join(' '),
  )

const three: readonly Line[] = [
  [0, 'a'],
  [0, 'b'],
  [0, 'c'],
]
const nodes = (variables = ''): readonly Presented[] => [
  [0, 'root', '', variables],
  [1, 'node', 'a'],
  [1, 'node', 'b'],
  [1, 'node', 'c'],
]

describe('a diagram that is laid out by its definition', () => {
  it.each<[string, string, readonly Line[], readonly Presented[], readonly string[]]>([
    [
      'a row whose nodes share its width',
      algorithm('lin') + constraints('type="w" for="ch" forName="node" refType="w"') + loop(textNode('node')),
      three,
      nodes(),
      ['rect 0 0 67 100 0 a', 'rect 67 0 67 100 0 b', 'rect 133 0 67 100 0 c'],
    ],
    [
      'a column from the bottom to the top, with sizes from constraints',
      algorithm('lin', ['linDir', 'fromB']) +
        constraints(
          'type="h" for="ch" forName="node" refType="h" fact="0.2"',
          'type="w" for="ch" forName="node" refType="h" refFor="ch" refForName="node"',
          'type="primFontSz" for="des" forName="node" val="40"',
        ) +
        loop(textNode('node')),
      three,
      nodes(),
      ['rect 90 60 20 20 0 40pt a', 'rect 90 40 20 20 0 40pt b', 'rect 90 20 20 20 0 40pt c'],
    ],
    [
      'rows of a grid, the last of which is in the middle',
      algorithm('snake') + loop(textNode('node')),
      [...three, [0, 'd'], [0, 'e']],
      [...nodes(), [1, 'node', 'd'], [1, 'node', 'e']],
      [
        'rect 0 0 87 47 0 a',
        'rect 113 0 87 47 0 b',
        'rect 0 61 87 47 0 c',
        'rect 113 61 87 47 0 d',
        'rect 57 122 87 47 0 e',
      ],
    ],
    [
      'the branch that holds for a variable of its presentation',
      `<dgm:choose><dgm:if func="var" arg="dir" op="equ" val="norm">${algorithm('lin')}</dgm:if><dgm:else>${algorithm('lin', ['linDir', 'fromR'])}</dgm:else></dgm:choose>${loop(textNode('node'))}`,
      three,
      nodes('<dgm:dir val="rev"/>'),
      ['rect 133 0 67 100 0 a', 'rect 67 0 67 100 0 b', 'rect 0 0 67 100 0 c'],
    ],
    [
      'the branch that holds for a number of points',
      `<dgm:choose><dgm:if axis="self" func="pos" op="gte" val="9">${algorithm('lin')}</dgm:if><dgm:if axis="root ch" ptType="all node" func="cnt" op="equ" val="3">${algorithm('lin')}</dgm:if></dgm:choose>${loop(
        `<dgm:choose><dgm:if axis="self" ptType="node" func="revPos" op="equ" val="1">${textNode('node', '', 'type="ellipse"')}</dgm:if><dgm:else>${textNode('node')}</dgm:else></dgm:choose>`,
      )}`,
      three,
      nodes(),
      ['rect 0 0 67 100 0 a', 'rect 67 0 67 100 0 b', 'ellipse 133 0 67 100 0 c'],
    ],
    [
      'a composite, whose parts are where constraints say',
      algorithm('composite') +
        constraints(
          'type="l" for="ch" forName="x"',
          'type="w" for="ch" forName="x" refType="w" fact="0.5"',
          'type="h" for="ch" forName="x" refType="h" fact="0.4"',
          'type="ctrX" for="ch" forName="y" refType="w" fact="0.5"',
          'type="w" for="ch" forName="y" val="10"',
          'type="t" for="ch" forName="y" refType="h" refFor="ch" refForName="x"',
          'type="h" for="ch" forName="y" refType="h" fact="0.2"',
        ) +
        textNode('x', '<dgm:constr type="h" refType="w" op="lte" fact="0.2"/>') +
        textNode('y', '', 'type="rect" rot="90"'),
      three.slice(0, 2),
      [
        [0, 'root'],
        [1, 'x', 'a'],
        [1, 'y', 'b'],
      ],
      ['rect 0 30 100 20 0 a', 'rect 86 50 28 20 90 b'],
    ],
    [
      'a circle around its first node, with arrows between the others',
      algorithm('cycle', ['ctrShpMap', 'fNode']) +
        loop(
          `${textNode('node')}<dgm:layoutNode name="arrow">${algorithm('conn')}<dgm:shape type="conn"/></dgm:layoutNode>`,
        ),
      three,
      [
        [0, 'root'],
        [1, 'node', 'a'],
        [1, 'node', 'b'],
        [1, 'arrow'],
        [1, 'node', 'c'],
      ],
      ['rect 75 38 50 25 0 a', 'rect 75 0 50 25 0 b', 'rightArrow 92 46 17 8 90', 'rect 75 75 50 25 0 c'],
    ],
  ])('has %s', (_name, definition, texts, presentation, shapes) => {
    expect(laidOut(dataOf(texts, presentation), definitionOf(definition))).toEqual(shapes)
  })

  it('has a hierarchy, whose loop refers to itself by name', () => {
    const root = `<dgm:layoutNode name="below">${algorithm('hierRoot')}${textNode('text')}<dgm:layoutNode name="children">${algorithm('hierChild')}<dgm:forEach ref="again"/></dgm:layoutNode></dgm:layoutNode>`
    const definition = definitionOf(algorithm('hierChild') + loop(root, ' name="again"'))
    const data = dataOf(
      [
        [0, 'a'],
        [1, 'b'],
        [1, 'c'],
      ],
      [
        [0, 'root'],
        [1, 'below', 'a'],
        [2, 'text', 'a'],
        [2, 'children', 'a'],
        [3, 'below', 'b'],
        [4, 'text', 'b'],
        [3, 'below', 'c'],
        [4, 'text', 'c'],
      ],
    )
    // A node that has no others beside it is narrower by a tenth on both sides.
    expect(laidOut(data, definition)).toEqual([
      'rect 20 0 160 43 0 a',
      'rect 20 57 76 43 0 b',
      'rect 104 57 76 43 0 c',
    ])
  })

  const row = definitionOf(algorithm('lin') + loop(textNode('node')))
  it.each<[string, string, string]>([
    ['has no presentation points', dataOf(three, []), row],
    ['would not show a text', dataOf(three, nodes().slice(0, 3)), row],
    ['uses an algorithm that is not supported', dataOf(three, nodes()), row.replace('"lin"', '"pyra"')],
    [
      'has more points than the limit',
      dataOf(
        Array.from({ length: 2500 }, (_, at) => [0, `t${at}`] as const),
        [[0, 'root'], ...Array.from({ length: 2500 }, (_, at) => [1, 'node', `t${at}`] as const)],
      ),
      row,
    ],
    [
      'has conditions that take too many steps',
      dataOf(
        Array.from({ length: 1500 }, (_, at) => [0, `t${at}`] as const),
        [[0, 'root'], ...Array.from({ length: 1500 }, (_, at) => [1, 'node', `t${at}`] as const)],
      ),
      definitionOf(
        algorithm('lin') +
          loop(
            `<dgm:choose><dgm:if axis="root des" func="cnt" op="equ" val="1"/><dgm:else>${textNode('node')}</dgm:else></dgm:choose>`,
          ),
      ),
    ],
    [
      'has connections that repeat, and conditions that follow them',
      dataOf(three, nodes()).replace(
        '</dgm:cxnLst>',
        `${'<dgm:cxn srcId="a" destId="a"/>'.repeat(3_000)}</dgm:cxnLst>`,
      ),
      definitionOf(
        algorithm('lin') +
          loop(
            `<dgm:choose><dgm:if axis="ch ch ch ch ch" func="cnt" op="equ" val="1"/><dgm:else>${textNode('node')}</dgm:else></dgm:choose>`,
          ),
      ),
    ],
    [
      'has too many constraints',
      dataOf(three, nodes()),
      definitionOf(
        `${algorithm('lin')}<dgm:constrLst>${'<dgm:constr type="w" for="des" val="1"/>'.repeat(400_000)}</dgm:constrLst>${loop(textNode('node'))}`,
      ),
    ],
  ])('is left to a simpler layout when it %s', (_name, data, definition) => {
    expect(laidOut(data, definition)).toBeUndefined()
  })

  it('ends when presentation points and loops refer to themselves', () => {
    const data = dataOf(three, nodes()).replace(
      '</dgm:cxnLst>',
      '<dgm:cxn type="presParOf" srcId="p1" destId="p0"/><dgm:cxn srcId="a" destId="a"/><dgm:cxn srcId="a" destId="root"/></dgm:cxnLst>',
    )
    const definition = definitionOf(
      algorithm('lin') + loop('<dgm:forEach ref="self"/>', ' name="self"') + loop(textNode('node')),
    )
    expect(laidOut(data, definition)).toHaveLength(3)
  })
})
