/**
 * Drawings over the cells of a sheet: pictures, shapes, groups, charts and diagrams with their anchors (ECMA-376-1 20.5).
 * Code that is shared with the drawings of other formats is in `shared/office/ooxml/drawing/`.
 */
import type { Sides } from '../../../../shared/document/box.ts'
import type {
  Drawing,
  DrawingContent,
  GroupChild,
  Picture,
  Shape,
  ShapeText,
} from '../../../../shared/document/drawing.ts'
import type { SheetCorner, SheetDrawing } from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { diagramDrawing } from '../../../../shared/office/ooxml/diagram.ts'
import { scaledMember } from '../../../../shared/office/ooxml/drawing/group.ts'
import { readDrawingParagraph } from '../../../../shared/office/ooxml/drawing/paragraph.ts'
import {
  chartOf,
  type DrawingContext,
  type DrawingPart,
  linkOf,
  mediaOf,
  warn,
} from '../../../../shared/office/ooxml/drawing/part.ts'
import { readEffects } from '../../../../shared/office/ooxml/drawing/picture-effects.ts'
import {
  cropOf,
  readShapeProperties,
  reportEffect,
  type ShapeProperties,
  shapeStroke,
  themedColor,
} from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import { readShapeStyle, type ShapeStyle } from '../../../../shared/office/ooxml/drawing/shape-style.ts'
import { defaultBody, readBody, reportTextBody } from '../../../../shared/office/ooxml/drawing/text-body.ts'
import { readTransform, type Transform } from '../../../../shared/office/ooxml/drawing/transform.ts'
import { readRelationships } from '../../../../shared/office/ooxml/relationships.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'
import { XmlCursor, xmlText } from '../../../../shared/xml/cursor.ts'
import { drawingVocabulary } from './vocabulary.ts'

/** The maximum number of drawings of one sheet, and of the shapes in them. */
const maxDrawings = 10_000
const maxShapes = 50_000
const emuPerPoint = 12_700
const anchors = new Set(['xdr:twoCellAnchor', 'xdr:oneCellAnchor', 'xdr:absoluteAnchor'])

/** A part with drawings of a sheet. */
interface SheetPart extends DrawingPart {
  /** The number of shapes that may still be read. */
  readonly budget: { shapes: number }
}

/** Reads a drawing part; empty if it is missing. Throws XmlFault if its markup is damaged. */
export function readDrawings(context: DrawingContext, partName: string): SheetDrawing[] {
  const part = openPart(context, partName, { shapes: maxShapes })
  const drawings: SheetDrawing[] = []
  part?.cursor.each((name) => {
    if (!anchors.has(name) || drawings.length >= maxDrawings) return
    const drawing = readAnchor(part)
    if (drawing !== undefined) drawings.push(drawing)
  })
  return drawings
}

function openPart(
  context: DrawingContext,
  partName: string,
  budget: SheetPart['budget'],
): SheetPart | undefined {
  const bytes = context.parts(partName)
  if (bytes === undefined) return undefined
  const cursor = new XmlCursor(xmlText(bytes), drawingVocabulary)
  if (!cursor.root()) return undefined
  return { context, cursor, partName, relationships: readRelationships(context.parts, partName), budget }
}

/**
 * Reads an anchor; undefined if it has no position or object. Hidden objects keep their position (observed in LibreOffice).
 */
function readAnchor(part: SheetPart): SheetDrawing | undefined {
  const { cursor } = part
  let from: SheetCorner = { row: 0, column: 0, x: 0, y: 0 }
  let to: SheetDrawing['to'] | undefined
  let isObject = false
  let drawing: Drawing | undefined
  cursor.each((name) => {
    if (name === 'xdr:from') from = readCorner(cursor)
    else if (name === 'xdr:to') to = readCorner(cursor)
    else if (name === 'xdr:pos')
      from = { ...from, x: points(cursor, 'x'), y: points(cursor, 'y'), isFree: true }
    else if (name === 'xdr:ext') to = { width: points(cursor, 'cx'), height: points(cursor, 'cy') }
    else if (name !== 'xdr:clientData') {
      isObject = true
      const read = readObject(part, name)
      drawing = read && {
        ...read.drawing,
        ...(read.box && { width: read.box.width, height: read.box.height }),
      }
    }
  })
  if (to === undefined || !isObject) return undefined
  return { from, to, ...(drawing !== undefined && { drawing }) }
}

const points = (cursor: XmlCursor, attribute: string): number => {
  const value = Number(cursor.attribute(attribute))
  return Number.isFinite(value) ? Math.min(1e7, Math.max(-1e7, value / emuPerPoint)) : 0
}

/** CT_Marker (20.5.2.5). */
function readCorner(cursor: XmlCursor): SheetCorner {
  const corner: Writable<SheetCorner> = { row: 0, column: 0, x: 0, y: 0 }
  cursor.each((name) => {
    const value = Number(cursor.text())
    if (!(value >= 0)) return
    if (name === 'xdr:row') corner.row = Math.min(maxRows - 1, Math.floor(value))
    else if (name === 'xdr:col') corner.column = Math.min(maxColumns - 1, Math.floor(value))
    else if (name === 'xdr:rowOff') corner.y = value / emuPerPoint
    else if (name === 'xdr:colOff') corner.x = value / emuPerPoint
  })
  return corner
}

/** An object with its box in the surrounding coordinate space. */
interface ReadObject {
  readonly drawing: Drawing
  readonly box?: Transform | undefined
}

/** Reads the object at the cursor; undefined for hidden and unsupported objects. */
function readObject(part: SheetPart, name: string): ReadObject | undefined {
  if (--part.budget.shapes < 0) return undefined
  switch (name.slice(name.indexOf(':') + 1)) {
    case 'sp':
    case 'cxnSp':
      return readShape(part)
    case 'pic':
      return readPicture(part)
    case 'grpSp':
      return readGroup(part)
    case 'graphicFrame':
      return readFrame(part)
    default:
      reportUndrawn(part)
      return undefined
  }
}

const reportUndrawn = ({ context, partName }: DrawingPart): void =>
  warn(context, 'read.sheet-drawing', 'Drawings of unsupported kinds on sheets are not drawn.', partName)

/** The non-visual properties of an object (xdr:nvSpPr and similar elements). */
interface ObjectNames {
  hidden?: boolean
  link?: Drawing['link']
  description?: string
}
function readNames(part: SheetPart): ObjectNames {
  const { cursor } = part
  const names: ObjectNames = {}
  cursor.each((name) => {
    if (name !== 'xdr:cNvPr') return
    names.hidden = cursor.attribute('hidden') === '1' || cursor.attribute('hidden') === 'true'
    const description = cursor.attribute('descr')
    if (description !== undefined && description !== '') names.description = description
    cursor.each((child) => {
      if (child !== 'a:hlinkClick') return
      const id = cursor.attribute('r:id')
      // Links into the workbook have no target on the pages.
      if (part.relationships.get(id ?? '')?.external === true) names.link = linkOf(part, id)
    })
  })
  return names
}
const named = ({ link, description }: ObjectNames): Pick<Drawing, 'link' | 'description'> => ({
  ...(link !== undefined && { link }),
  ...(description !== undefined && { description }),
})

const drawn = (
  content: DrawingContent,
  box: Transform | undefined,
  names: ObjectNames,
): ReadObject | undefined =>
  names.hidden === true
    ? undefined
    : {
        drawing: {
          width: box?.width ?? 0,
          height: box?.height ?? 0,
          rotation: box?.rotation ?? 0,
          content,
          ...named(names),
        },
        box,
      }

/** xdr:sp and xdr:cxnSp (20.5.2.29, 20.5.2.13), or dsp:sp of a diagram. */
function readShape(part: SheetPart): ReadObject | undefined {
  const { cursor } = part
  let names: ObjectNames = {}
  let properties: ShapeProperties = {}
  let style: ShapeStyle = {}
  let text: ShapeText | undefined
  cursor.each((name) => {
    const local = name.slice(name.indexOf(':') + 1)
    if (local === 'nvSpPr' || local === 'nvCxnSpPr') names = readNames(part)
    else if (local === 'spPr') properties = readShapeProperties(part)
    else if (local === 'style') style = readShapeStyle(part)
    else if (local === 'txBody') text = readText(part, style)
  })
  const { box, effects = style.effects } = properties
  if (properties.effects === undefined && effects?.more === true) reportEffect(part)
  const fill = properties.fill ?? themedColor(style.fill)
  const stroke = shapeStroke(properties, style.line)
  const shape: Shape = {
    kind: 'shape',
    geometry: properties.geometry ?? { kind: 'preset', name: 'rect', adjust: new Map() },
    ...(fill !== undefined && fill !== 'none' && { fill }),
    ...(properties.fillOpacity !== undefined && { fillOpacity: properties.fillOpacity }),
    ...(properties.gradient !== undefined && { gradient: properties.gradient }),
    ...(properties.background !== undefined && { background: properties.background }),
    ...(stroke !== undefined && { stroke }),
    ...(effects?.shadow !== undefined && { shadow: effects.shadow }),
    ...(text !== undefined && { text }),
    ...flipsOf(box),
  }
  return drawn(shape, box, names)
}
const flipsOf = (box: Transform | undefined): Pick<Shape, 'flipHorizontal' | 'flipVertical'> => ({
  ...(box?.flipHorizontal === true && { flipHorizontal: true }),
  ...(box?.flipVertical === true && { flipVertical: true }),
})

/** xdr:txBody (20.5.2.38); undefined without text. */
function readText(part: SheetPart, style: ShapeStyle): ShapeText | undefined {
  const { cursor } = part
  let body: Omit<ShapeText, 'blocks'> = defaultBody
  const blocks: ShapeText['blocks'][number][] = []
  cursor.each((name) => {
    if (name === 'a:bodyPr') {
      reportTextBody(part)
      // Text boxes of sheets have the size of their anchors.
      body = { ...readBody(cursor), grows: false }
    } else if (name === 'a:p') blocks.push(readDrawingParagraph(part, style.textColor))
  })
  const hasText = blocks.some((block) => block.kind === 'paragraph' && block.inlines.length > 0)
  return hasText ? { ...body, blocks } : undefined
}

/** xdr:pic (20.5.2.25). An SVG is preferred over the raster image that is its fallback. */
function readPicture(part: SheetPart): ReadObject | undefined {
  const { cursor } = part
  let names: ObjectNames = {}
  let media: string | undefined
  let crop: Sides | undefined
  let changes: Pick<Picture, 'adjust' | 'opacity'> = {}
  let properties: ShapeProperties = {}
  cursor.each((name) => {
    const local = name.slice(name.indexOf(':') + 1)
    if (local === 'nvPicPr') names = readNames(part)
    else if (local === 'spPr') properties = readShapeProperties(part)
    else if (local === 'blipFill')
      cursor.each((child) => {
        if (child === 'a:blip') {
          const raster = cursor.attribute('r:embed') ?? cursor.attribute('r:link')
          const { svg, ...rest } = readEffects(part)
          media = names.hidden === true ? '' : mediaOf(part, svg ?? raster)
          changes = rest
        } else if (child === 'a:srcRect') crop = cropOf(cursor)
      })
  })
  if (media === undefined || media === '') return undefined
  const { box, stroke, geometry, effects } = properties
  const isCut =
    geometry !== undefined && !(geometry.kind === 'preset' && /^(rect|flowChartProcess)$/.test(geometry.name))
  const picture: Picture = {
    kind: 'picture',
    media,
    ...changes,
    ...(crop !== undefined && { crop }),
    ...(stroke !== undefined &&
      stroke.color !== '' && {
        border: { style: 'single', width: stroke.width, color: stroke.color, space: 0 },
      }),
    ...(effects?.shadow !== undefined && { shadow: effects.shadow }),
    ...(isCut && { outline: geometry }),
    ...flipsOf(box),
  }
  return drawn(picture, box, names)
}

/** xdr:grpSp (20.5.2.17). */
function readGroup(part: SheetPart): ReadObject | undefined {
  const { cursor } = part
  let names: ObjectNames = {}
  let box: Transform | undefined
  const members: ReadObject[] = []
  cursor.each((name) => {
    if (name === 'xdr:nvGrpSpPr') names = readNames(part)
    else if (name === 'xdr:grpSpPr') box = readShapeProperties(part).box
    else if (name !== 'xdr:extLst') {
      const member = readObject(part, name)
      if (member !== undefined) members.push(member)
    }
  })
  const children = members.map(({ drawing, box: member }) => scaledMember(drawing, member, box))
  return drawn({ kind: 'group', children }, box, names)
}

/** xdr:graphicFrame (20.5.2.16): a chart or a diagram. */
function readFrame(part: SheetPart): ReadObject | undefined {
  const { cursor } = part
  let names: ObjectNames = {}
  let box: Transform | undefined
  let content: DrawingContent | undefined
  cursor.each((name) => {
    if (name === 'xdr:nvGraphicFramePr') names = readNames(part)
    else if (name === 'xdr:xfrm') box = readTransform(cursor)
    else if (name === 'a:graphic')
      cursor.each((data) => {
        if (data === 'a:graphicData') content = readGraphic(part, names.hidden === true)
      })
  })
  return content && drawn(content, box, names)
}

function readGraphic(part: SheetPart, isHidden: boolean): DrawingContent | undefined {
  const { cursor, context, relationships } = part
  let content: DrawingContent | undefined
  let isSupported = false
  cursor.each((name) => {
    isSupported ||= name === 'c:chart' || name === 'dgm:relIds'
    if (isHidden) return
    if (name === 'c:chart') {
      const chart = chartOf(context, relationships.get(cursor.attribute('r:id') ?? '')?.target ?? '')
      if (chart !== undefined) content = { kind: 'chart', chart }
      else warn(context, 'read.chart', 'A chart is drawn as an empty box.', part.partName)
    } else if (name === 'dgm:relIds') {
      content = readDiagram(part, cursor.attribute('r:dm'))
      if (content === undefined)
        warn(context, 'read.diagram', 'A diagram (SmartArt) is drawn as an empty box.', part.partName)
    }
  })
  if (!isSupported && !isHidden) reportUndrawn(part)
  return content
}

/** Reads a SmartArt from the drawing that Excel saves with its data; undefined if there is none. */
function readDiagram(part: SheetPart, data: string | undefined): DrawingContent | undefined {
  const drawing = diagramDrawing(part.relationships, data)
  const inner = drawing === undefined ? undefined : openPart(part.context, drawing, part.budget)
  const children: GroupChild[] = []
  inner?.cursor.each((tree) => {
    if (!tree.endsWith(':spTree')) return
    inner.cursor.each((child) => {
      if (!child.endsWith(':sp') || --inner.budget.shapes < 0) return
      const member = readShape(inner)
      if (member !== undefined) children.push(scaledMember(member.drawing, member.box, undefined))
    })
  })
  return children.length === 0 ? undefined : { kind: 'group', children }
}
