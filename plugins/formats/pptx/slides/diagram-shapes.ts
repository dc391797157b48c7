/** Draws SmartArt that is laid out by its definition: its shapes with their texts, in the colours of its style. */
import type { Block } from '../../../../shared/document/content.ts'
import type { GroupChild, Shape, ShapeText } from '../../../../shared/document/drawing.ts'
import type { Color } from '../../../../shared/document/paint.ts'
import { paintOf } from '../../../../shared/office/ooxml/colors.ts'
import {
  type DiagramShape,
  layoutBySpecification,
} from '../../../../shared/office/ooxml/diagram-layout/index.ts'
import { defaultBody } from '../../../../shared/office/ooxml/drawing/text-body.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { type Element, parseTree } from '../../../../shared/xml/read-tree.ts'
import { orUndefined } from '../reader/vocabulary.ts'
import type { ListStyle } from './list-style.ts'
import { ParagraphReader } from './paragraph.ts'
import { openPart, type SlidePart } from './part.ts'

/** The relationships of a diagram (dgm:relIds, ECMA-376-1 21.4.2.21). */
export interface DiagramParts {
  readonly data: string | undefined
  readonly layout: string | undefined
  readonly colors: string | undefined
}

/** The shapes of a diagram in a frame of this size in points; undefined where its definition cannot be followed. */
export function drawDiagram(
  part: SlidePart,
  { data, layout, colors }: DiagramParts,
  width: number,
  height: number,
): readonly GroupChild[] | undefined {
  const open = (id: string | undefined): SlidePart | undefined => {
    const name = part.relationships.get(id ?? '')?.target
    return name === undefined ? undefined : openPart(part.context, name)
  }
  const [model, definition] = [open(data), open(layout)]
  if (model === undefined || definition === undefined || width <= 0 || height <= 0) return undefined
  const tree = ({ xml }: SlidePart): Element | undefined =>
    orUndefined(() => parseTree(xml, { vocabulary: wordVocabulary }))
  const [points, specified] = [tree(model), tree(definition)]
  const shapes = points && specified && layoutBySpecification(points, specified, width, height)
  if (shapes === undefined) return undefined
  const palette = readPalette(open(colors))
  const texts = readTexts(model, shapes, palette)
  return shapes.flatMap((shape) => draw(shape, texts, palette, part))
}

/** The colours of fills and of text by style label (dgm:colorsDef, 21.4.4.6). */
interface Palette {
  readonly fills: ReadonlyMap<string, readonly Color[]>
  readonly inks: ReadonlyMap<string, readonly Color[]>
}

function readPalette(part: SlidePart | undefined): Palette {
  const fills = new Map<string, readonly Color[]>()
  const inks = new Map<string, readonly Color[]>()
  part?.cursor.each((name) => {
    if (name !== 'dgm:styleLbl') return
    const label = part.cursor.attribute('name') ?? ''
    part.cursor.each((list) => {
      const target = list === 'dgm:fillClrLst' ? fills : list === 'dgm:txFillClrLst' ? inks : undefined
      if (target === undefined) return
      const colors: Color[] = []
      part.cursor.each((child) => {
        const paint = paintOf(part.cursor, child, part.context.theme)
        if (paint !== undefined) colors.push(paint.color)
      })
      if (colors.length > 0) target.set(label, colors)
    })
  })
  return { fills, inks }
}

const colorOf = (
  colors: ReadonlyMap<string, readonly Color[]>,
  { label, labelIndex }: DiagramShape,
): Color | undefined => {
  const list = colors.get(label)
  return list?.[labelIndex % list.length]
}

/** The size of text that no constraint sets. */
const defaultSize = 18

/** The width of a bullet with the space after it, as a share of the size of its text (observed in LibreOffice). */
const bulletWidth = 0.35

/** The blocks of each point in the style of the first shape that shows it. */
function readTexts(
  part: SlidePart,
  shapes: readonly DiagramShape[],
  palette: Palette,
): ReadonlyMap<string, readonly Block[]> {
  const { cursor, context } = part
  const shapeOf = new Map<string, DiagramShape>()
  for (const shape of shapes) for (const id of shape.texts) if (!shapeOf.has(id)) shapeOf.set(id, shape)
  const texts = new Map<string, readonly Block[]>()
  cursor.each((list) => {
    if (list !== 'dgm:ptLst') return
    cursor.each(() => {
      const id = cursor.attribute('modelId') ?? ''
      const shape = shapeOf.get(id)
      if (shape === undefined) return
      const color = colorOf(palette.inks, shape) ?? context.theme.colors.get('lt1') ?? 'FFFFFF'
      const size = shape.fontSize ?? defaultSize
      const level = (shape.levels[shape.texts.indexOf(id)] ?? 0) + (shape.isList ? 1 : 0)
      const isList = shape.isList || shape.texts.length > 1
      const style: ListStyle = new Map([
        [
          -1,
          {
            align: isList ? 'start' : 'center',
            before: { points: 0 },
            run: { color, size, lineIgnoresFont: true },
            ...(level > 0 && {
              bullet: { kind: 'character', text: '•' },
              bulletFont: 'OpenSymbol',
              start: size * bulletWidth * level,
              first: -size * bulletWidth,
            }),
          },
        ],
      ])
      const blocks: Block[] = []
      cursor.each((child) => {
        if (child !== 'dgm:t') return
        const paragraphs = new ParagraphReader(part, [context.defaultText, style])
        cursor.each((name) => {
          const block = name === 'a:p' ? paragraphs.read() : undefined
          if (block !== undefined && block.inlines.length > 0) blocks.push(block)
        })
      })
      texts.set(id, blocks)
    })
  })
  return texts
}

/** Insets of text in shapes with a line, which is 2 pt wide, and in those without (observed in LibreOffice). */
const linedInsets = { left: 8.1, top: 4.5, right: 8.1, bottom: 4.5 }

function draw(
  shape: DiagramShape,
  texts: ReadonlyMap<string, readonly Block[]>,
  palette: Palette,
  { context }: SlidePart,
): GroupChild[] {
  const { x, y, width, height, rotation, geometry } = shape
  const blocks: Block[] = []
  for (const id of shape.texts) pushAll(blocks, texts.get(id) ?? [])
  const text: ShapeText | undefined =
    blocks.length === 0
      ? undefined
      : {
          ...defaultBody,
          ...(geometry !== '' && { insets: linedInsets }),
          align: 'center',
          blocks,
          shrinks: true,
        }
  const outline = geometry === '' ? 'rect' : geometry
  const fill =
    geometry === ''
      ? undefined
      : (colorOf(palette.fills, shape) ?? context.theme.colors.get('accent1') ?? '4472C4')
  const content = (name: string, more: Pick<Shape, 'fill' | 'text'>): Shape => ({
    kind: 'shape',
    geometry: { kind: 'preset', name, adjust: new Map() },
    ...more,
  })
  const filled = { ...(fill !== undefined && { fill }), ...(text !== undefined && { text }) }
  if (rotation % 360 === 0 || !shape.hasLevelText)
    return [{ x, y, drawing: { width, height, rotation, content: content(outline, filled) } }]
  // The box of a shape that is rotated by a quarter turn takes the place of its rotated outline. Its text is not rotated.
  const [across, down] = Math.abs(rotation) % 180 === 90 ? [height, width] : [width, height]
  const rotated: GroupChild = {
    x: x + (width - across) / 2,
    y: y + (height - down) / 2,
    drawing: {
      width: across,
      height: down,
      rotation,
      content: content(outline, fill === undefined ? {} : { fill }),
    },
  }
  if (text === undefined) return [rotated]
  return [rotated, { x, y, drawing: { width, height, rotation: 0, content: content('rect', { text }) } }]
}
