import { describe, expect, it } from 'vitest'
import type { GroupChild } from '../../../../../shared/document/drawing.ts'
import { changedParts, readSlides } from '../../../../helpers/deck-layout.ts'
import { pptxOf } from '../../../../helpers/pptx.ts'

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A tree of texts: children follow their parent, one more '-' for each level. */
function dataOf(layout: string, lines: readonly string[]): string {
  const path: string[] = ['root']
  const points: string[] = []
  const connections: string[] = []
  lines.forEach((line, at) => {
    const depth = /^-*/.exec(line)?.[0].length ?? 0
    const id = `n${at}`
    points.push(
      `<dgm:pt modelId="${id}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>${line.slice(depth)}</a:t></a:r></a:p></dgm:t></dgm:pt>`,
    )
    connections.unshift(`<dgm:cxn srcId="${path[depth]}" destId="${id}" srcOrd="${at}"/>`)
    path[depth + 1] = id
  })
  return `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst><dgm:pt modelId="root" type="doc"><dgm:prSet loTypeId="urn:microsoft.com/office/officeart/2005/8/layout/${layout}"/></dgm:pt>${points.join('')}<dgm:pt modelId="p" type="pres"/></dgm:ptLst><dgm:cxnLst>${connections.join('')}<dgm:cxn type="presOf" srcId="n0" destId="p"/></dgm:cxnLst></dgm:dataModel>`
}

/** The shapes of a diagram in a frame of 200 x 100 pt: name, place and text. */
async function drawn(data: string) {
  const frame =
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="D"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="2540000" cy="1270000"/></p:xfrm><a:graphic><a:graphicData uri="x"><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="rIdX"/></a:graphicData></a:graphic></p:graphicFrame>'
  const file = await changedParts(
    await pptxOf([frame]),
    {
      'ppt/slides/_rels/slide1.xml.rels': (xml) =>
        xml.replace(
          '</Relationships>',
          `<Relationship Id="rIdX" Type="${relation}/diagramData" Target="../diagrams/data1.xml"/></Relationships>`,
        ),
    },
    { 'ppt/diagrams/data1.xml': data },
  )
  const { value, warnings } = readSlides(file)
  const content = value.slides[0]?.shapes[0]?.drawing.content
  const children: readonly GroupChild[] = content?.kind === 'group' ? content.children : []
  const shapes = children.map(({ x, y, drawing: { width, height, content: shape } }) => {
    const name = shape.kind === 'shape' && shape.geometry.kind === 'preset' ? shape.geometry.name : shape.kind
    const blocks = shape.kind === 'shape' ? (shape.text?.blocks ?? []) : []
    const texts = blocks.flatMap((block) =>
      block.kind === 'paragraph'
        ? block.inlines.map((inline) => (inline.kind === 'text' ? inline.text : ''))
        : [],
    )
    return [name, ...[x, y, width, height].map(Math.round), ...texts].join(' ')
  })
  return { shapes, codes: warnings.map(({ code }) => code) }
}

describe('SmartArt without a drawing of itself', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'a list in rows',
      'default',
      ['a', '-b', '--c', 'd', 'e', 'f'],
      [
        'roundRect 0 0 93 47 a b c',
        'roundRect 107 0 93 47 d',
        'roundRect 0 53 93 47 e',
        'roundRect 107 53 93 47 f',
      ],
    ],
    [
      'a list from the top to the bottom',
      'vList2',
      ['a', 'b'],
      ['roundRect 0 0 200 47 a', 'roundRect 0 53 200 47 b'],
    ],
    [
      'a process',
      'process1',
      ['a', 'b'],
      ['roundRect 0 25 83 50 a', 'rightArrow 92 33 17 33', 'roundRect 117 25 83 50 b'],
    ],
    [
      'a cycle',
      'cycle2',
      ['a', 'b', 'c', 'd'],
      [
        'ellipse 34 17 132 66',
        'roundRect 66 0 68 34 a',
        'roundRect 132 33 68 34 b',
        'roundRect 66 66 68 34 c',
        'roundRect 0 33 68 34 d',
      ],
    ],
    [
      'a hierarchy',
      'orgChart1',
      ['a', '-b', '-c'],
      [
        'line 100 40 0 10',
        'line 50 50 100 0',
        'line 50 50 0 10',
        'line 150 50 0 10',
        'roundRect 58 0 85 40 a',
        'roundRect 8 60 85 40 b',
        'roundRect 108 60 85 40 c',
      ],
    ],
  ])('is laid out as %s, and reported', async (_name, layout, lines, shapes) => {
    expect(await drawn(dataOf(layout, lines))).toEqual({ shapes, codes: ['read.diagram'] })
  })

  it.each([
    ['whose connections are lost', (data: string) => data.replace(/<dgm:cxn .*?\/>/g, '')],
    ['with a circle', (data: string) => data.replace('srcId="root" destId="n0"', 'srcId="n1" destId="n0"')],
  ])('%s is a list of its texts', async (_name, change) => {
    const { shapes, codes } = await drawn(change(dataOf('default', ['a', '-b', 'c'])))
    expect(shapes).toEqual(['rect 0 0 200 100 a b c'])
    expect(codes).toEqual(['read.diagram'])
  })
})
