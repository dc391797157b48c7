import type { Block } from '../../../../shared/document/content.ts'
import type { DrawingContent, GroupChild, Shape } from '../../../../shared/document/drawing.ts'
import { diagramDrawing } from '../../../../shared/office/ooxml/diagram.ts'
import { chartOf, warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { defaultBody } from '../../../../shared/office/ooxml/drawing/text-body.ts'
import type { Transform } from '../../../../shared/office/ooxml/drawing/transform.ts'
import { layoutDiagram } from './diagram-layout.ts'
import { drawDiagram } from './diagram-shapes.ts'
import { objectPicture } from './object-picture.ts'
import { ParagraphReader } from './paragraph.ts'
import { openPart, type SlidePart } from './part.ts'
import type { ShapeTree } from './shapes.ts'
import { readTable } from './table.ts'

/**
 * Reads a:graphic in a frame (ECMA-376-1 20.1.2.2.16): a table, a chart, a diagram or the picture of an embedded object. The
 * result is placed in the box of the frame.
 */
export function readGraphicFrame(
  tree: ShapeTree,
  box: Transform | undefined,
  readShapes: (tree: ShapeTree) => readonly GroupChild[],
  readPicture: (tree: ShapeTree) => GroupChild | undefined,
): readonly GroupChild[] {
  const { part } = tree
  const { cursor, context, partName } = part
  const { width = 0, height = 0 } = box ?? {}
  let children: readonly GroupChild[] | undefined
  const filling = (content: DrawingContent): readonly GroupChild[] => [
    { x: 0, y: 0, drawing: { width, height, rotation: 0, content } },
  ]
  const visit = (name: string): void => {
    switch (name) {
      case 'a:graphicData':
        cursor.each(visit)
        break
      case 'p:oleObj': {
        const shapeId = cursor.attribute('spid') ?? ''
        cursor.each(visit)
        const media = children === undefined && shapeId !== '' ? objectPicture(part, shapeId) : undefined
        if (media !== undefined) children = filling({ kind: 'picture', media })
        break
      }
      case 'a:tbl':
        children = filling(readTable(part))
        break
      case 'c:chart': {
        const target = part.relationships.get(cursor.attribute('r:id') ?? '')?.target ?? ''
        const chart = chartOf(context, target, { isOnSlide: true })
        if (chart === undefined) warn(context, 'read.chart', 'A chart is drawn as an empty box.', partName)
        children = filling(
          chart === undefined ? { kind: 'unknown', what: 'chart' } : { kind: 'chart', chart },
        )
        break
      }
      case 'dgm:relIds': {
        const data = cursor.attribute('r:dm')
        children = readDiagram(part, data, readShapes)
        if (children.length > 0) break
        const specified = drawDiagram(
          part,
          { data, layout: cursor.attribute('r:lo'), colors: cursor.attribute('r:cs') },
          width,
          height,
        )
        if (specified !== undefined) {
          warn(
            context,
            'read.diagram',
            'A diagram (SmartArt) has no drawing of it in the file and is laid out by its definition, with plain lines and fills.',
            partName,
          )
          children = specified
          break
        }
        const laidOut = layoutDiagram(part, data, width, height)
        if (laidOut !== undefined) {
          warn(context, 'read.diagram', 'A diagram (SmartArt) has a simple layout of its kind.', partName)
          children = laidOut
          break
        }
        warn(context, 'read.diagram', 'A diagram (SmartArt) is drawn as a list of its texts.', partName)
        const texts = readDiagramTexts(part, data)
        children = filling(texts === undefined ? { kind: 'unknown', what: 'diagram' } : texts)
        break
      }
      case 'p:pic': {
        const picture = readPicture(tree)
        // The picture of an object specifies its own position on the slide.
        if (picture !== undefined)
          children = [
            { ...picture, x: picture.x - (box?.x ?? picture.x), y: picture.y - (box?.y ?? picture.y) },
          ]
        break
      }
    }
  }
  cursor.each(visit)
  if (children === undefined) {
    warn(context, 'read.object', 'A drawing of an unsupported kind is drawn as an empty box.', partName)
    return filling({ kind: 'unknown', what: 'object' })
  }
  return children
}

/** The text of the points of a SmartArt (ECMA-376-1 21.4.3.5), line by line; undefined if there is none. */
function readDiagramTexts(part: SlidePart, data: string | undefined): Shape | undefined {
  const name = part.relationships.get(data ?? '')?.target
  const inner = name === undefined ? undefined : openPart(part.context, name)
  if (inner === undefined) return undefined
  const blocks: Block[] = []
  const visit = (element: string): void => {
    if (element === 'dgm:t') {
      const paragraphs = new ParagraphReader(inner, [part.context.defaultText])
      inner.cursor.each((child) => {
        const block = child === 'a:p' ? paragraphs.read() : undefined
        if (block !== undefined && block.inlines.length > 0) blocks.push(block)
      })
    } else if (element === 'dgm:ptLst' || element === 'dgm:pt') inner.cursor.each(visit)
  }
  inner.cursor.each(visit)
  if (blocks.length === 0) return undefined
  const geometry = { kind: 'preset', name: 'rect', adjust: new Map() } as const
  return { kind: 'shape', geometry, text: { ...defaultBody, blocks, shrinks: true } }
}

/** Reads a SmartArt from the drawing that is saved with its data; empty if there is none. */
function readDiagram(
  part: SlidePart,
  data: string | undefined,
  readShapes: (tree: ShapeTree) => readonly GroupChild[],
): readonly GroupChild[] {
  const drawing = diagramDrawing(part.relationships, data)
  const inner = drawing === undefined ? undefined : openPart(part.context, drawing)
  if (inner === undefined) return []
  let shapes: readonly GroupChild[] = []
  inner.cursor.each((name) => {
    if (name.endsWith(':spTree')) shapes = readShapes({ part: inner, skipsPlaceholders: false })
  })
  return shapes
}
