import type { Sides } from '../../../../shared/document/box.ts'
import type { Block } from '../../../../shared/document/content.ts'
import type {
  Anchor,
  AnchorPosition,
  Drawing,
  DrawingContent,
  GroupChild,
  Picture,
  ShapeText,
} from '../../../../shared/document/drawing.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { diagramDrawing } from '../../../../shared/office/ooxml/diagram.ts'
import { scaledMember } from '../../../../shared/office/ooxml/drawing/group.ts'
import { readDrawingParagraph } from '../../../../shared/office/ooxml/drawing/paragraph.ts'
import { chartOf, linkOf, mediaOf, warn } from '../../../../shared/office/ooxml/drawing/part.ts'
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
import { emu, integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { type DocxPartContext, openPart, readInnerBlocks } from './part-context.ts'

/**
 * Reads w:drawing, which contains one wp:inline or wp:anchor (ECMA-376-1 20.4). The cursor stands on
 * w:drawing.
 */
export function readInlineDrawing(part: DocxPartContext): Drawing | undefined {
  let drawing: Drawing | undefined
  part.cursor.each((name) => {
    if (name === 'wp:inline' || name === 'wp:anchor') drawing ??= readFrame(part, name === 'wp:anchor')
  })
  return drawing
}

/**
 * wp:inline (20.4.2.8) or wp:anchor (20.4.2.3). A hidden drawing becomes an empty group, so that its position
 * and wrapping are kept.
 */
function readFrame(part: DocxPartContext, anchored: boolean): Drawing {
  const { cursor } = part
  const d: Writable<Drawing> = {
    width: 0,
    height: 0,
    rotation: 0,
    content: { kind: 'unknown', what: 'drawing' },
  }
  const anchor = anchored ? newAnchor(cursor) : undefined
  let hidden = false
  cursor.each((name) => {
    switch (name) {
      case 'wp:extent':
        d.width = Math.max(0, emu(cursor.attribute('cx')) ?? 0)
        d.height = Math.max(0, emu(cursor.attribute('cy')) ?? 0)
        break
      case 'wp:effectExtent':
        d.extent = extent(cursor)
        break
      case 'wp:docPr':
        d.description = cursor.attribute('descr') ?? cursor.attribute('title')
        hidden = isOn(cursor.attribute('hidden'))
        cursor.each((child) => {
          if (child === 'a:hlinkClick') d.link = linkOf(part, cursor.attribute('r:id'))
        })
        break
      case 'a:graphic':
        cursor.each((data) => {
          if (data === 'a:graphicData') Object.assign(d, readContent(part))
        })
        break
      default:
        if (anchor !== undefined) readAnchorPart(cursor, name, anchor)
    }
  })
  // Observed in LibreOffice: the margins of a picture count only where an effect or a rotation needs them.
  if (d.content.kind === 'picture' && d.content.shadow === undefined && d.rotation % 360 === 0)
    d.extent = undefined
  if (hidden) d.content = { kind: 'group', children: [] }
  if (anchor !== undefined) d.anchor = anchor
  return d
}

/** wp:effectExtent (20.4.2.6). */
function extent(cursor: XmlCursor): Sides {
  const get = (name: string): number => Math.max(0, emu(cursor.attribute(name)) ?? 0)
  return { left: get('l'), top: get('t'), right: get('r'), bottom: get('b') }
}

/** The attributes of wp:anchor (20.4.2.3); its children are read by `readAnchorPart`. */
function newAnchor(cursor: XmlCursor): Writable<Anchor> {
  const gap = (name: string): number => Math.max(0, emu(cursor.attribute(name)) ?? 0)
  return {
    x: { from: 'column', offset: 0 },
    y: { from: 'paragraph', offset: 0 },
    wrap: 'none',
    wrapSide: 'both',
    distance: { top: gap('distT'), right: gap('distR'), bottom: gap('distB'), left: gap('distL') },
    behind: isOn(cursor.attribute('behindDoc')),
    order: integer(cursor.attribute('relativeHeight')) ?? 0,
    allowOverlap: isOn(cursor.attribute('allowOverlap') ?? '1'),
    layoutInCell: isOn(cursor.attribute('layoutInCell') ?? '1'),
  }
}

/** ST_RelFromH (20.4.3.4). */
const horizontal: Readonly<Record<string, Anchor['x']['from']>> = {
  page: 'page',
  margin: 'margin',
  column: 'column',
  character: 'character',
  leftMargin: 'left-margin',
  rightMargin: 'right-margin',
  insideMargin: 'inside',
  outsideMargin: 'outside',
}
/** ST_RelFromV (20.4.3.5). */
const vertical: Readonly<Record<string, Anchor['y']['from']>> = {
  page: 'page',
  margin: 'margin',
  paragraph: 'paragraph',
  line: 'line',
  topMargin: 'top-margin',
  bottomMargin: 'bottom-margin',
  insideMargin: 'inside',
  outsideMargin: 'outside',
}
/** ST_AlignH and ST_AlignV (20.4.3.1, 20.4.3.2). */
const alignmentNames: Readonly<Record<string, NonNullable<AnchorPosition<string>['align']>>> = {
  left: 'start',
  top: 'start',
  center: 'center',
  right: 'end',
  bottom: 'end',
  inside: 'inside',
  outside: 'outside',
}
/** ST_WrapText (20.4.3.7). */
const wrapSides: Readonly<Record<string, Anchor['wrapSide']>> = {
  bothSides: 'both',
  left: 'left',
  right: 'right',
  largest: 'largest',
}

/** Reads one child of wp:anchor: a position, the wrapping or a relative size. */
function readAnchorPart(cursor: XmlCursor, name: string, anchor: Writable<Anchor>): void {
  switch (name) {
    case 'wp:positionH':
      anchor.x = readPosition(cursor, entryOf(horizontal, cursor.attribute('relativeFrom')) ?? 'column')
      break
    case 'wp:positionV':
      anchor.y = readPosition(cursor, entryOf(vertical, cursor.attribute('relativeFrom')) ?? 'paragraph')
      break
    case 'wp:wrapNone':
      anchor.wrap = 'none'
      break
    case 'wp:wrapTopAndBottom':
      anchor.wrap = 'top-bottom'
      break
    case 'wp:wrapSquare':
    case 'wp:wrapTight':
    case 'wp:wrapThrough':
      anchor.wrap = name === 'wp:wrapSquare' ? 'square' : name === 'wp:wrapTight' ? 'tight' : 'through'
      anchor.wrapSide = entryOf(wrapSides, cursor.attribute('wrapText')) ?? 'both'
      readOutline(cursor, anchor)
      break
    case 'wp14:sizeRelH':
    case 'wp14:sizeRelV': {
      const of = cursor.attribute('relativeFrom') === 'page' ? 'page' : 'margin'
      cursor.each(() => {
        const fraction = (Number.parseFloat(cursor.text()) || 0) / 100_000
        if (fraction <= 0) return
        if (name === 'wp14:sizeRelH') anchor.relativeWidth = { of, share: fraction }
        else anchor.relativeHeight = { of, share: fraction }
      })
      break
    }
  }
}

/**
 * Reads the outline of tight wrapping: points in 21,600ths of the drawing's box (20.4.2.18). At most 1000
 * points are kept.
 */
function readOutline(cursor: XmlCursor, anchor: Writable<Anchor>): void {
  cursor.each((name) => {
    if (name !== 'wp:wrapPolygon') return
    const points: number[] = []
    cursor.each(() => {
      if (points.length > 2000) return
      points.push(
        (integer(cursor.attribute('x')) ?? 0) / 21_600,
        (integer(cursor.attribute('y')) ?? 0) / 21_600,
      )
    })
    if (points.length >= 6) anchor.outline = points
  })
}

/** wp:positionH and wp:positionV (20.4.2.10, 20.4.2.11): an offset, an alignment or a share of the area. */
function readPosition<From extends string>(cursor: XmlCursor, from: From): AnchorPosition<From> {
  const position: Writable<AnchorPosition<From>> = { from }
  cursor.each((name) => {
    if (name === 'wp:posOffset') position.offset = emu(cursor.text())
    else if (name === 'wp:align') position.align = entryOf(alignmentNames, cursor.text().trim())
    else if (name.startsWith('wp14:pctPos'))
      position.share = (Number.parseFloat(cursor.text()) || 0) / 100_000
  })
  return position
}

/** The content of a drawing with its rotation, degrees clockwise. */
interface RotatedContent {
  readonly content: DrawingContent
  readonly rotation: number
}

/** Reads the content of a:graphicData (20.1.2.2.17). */
function readContent(part: DocxPartContext): RotatedContent {
  const { cursor } = part
  let result: RotatedContent = { content: { kind: 'unknown', what: 'drawing' }, rotation: 0 }
  const report = (): void =>
    warn(
      part.context,
      'read.object',
      'A drawing of an unsupported kind is drawn as an empty box.',
      part.partName,
    )
  if (cursor.isEmpty) report()
  cursor.each((name) => {
    switch (name) {
      case 'pic:pic':
        result = readPicture(part)
        break
      case 'wps:wsp':
        result = readShape(part)
        break
      case 'wpg:wgp':
      case 'wpc:wpc':
        result = readGroup(part, name === 'wpc:wpc')
        break
      case 'c:chart': {
        const target = part.relationships.get(cursor.attribute('r:id') ?? '')?.target ?? ''
        const chart = chartOf(part.context, target)
        if (chart === undefined)
          warn(part.context, 'read.chart', 'A chart is drawn as an empty box.', part.partName)
        result = {
          content: chart === undefined ? { kind: 'unknown', what: 'chart' } : { kind: 'chart', chart },
          rotation: 0,
        }
        break
      }
      case 'dgm:relIds': {
        const content = readDiagram(part, cursor.attribute('r:dm'))
        if (content === undefined)
          warn(part.context, 'read.diagram', 'A diagram (SmartArt) is drawn as an empty box.', part.partName)
        result = { content: content ?? { kind: 'unknown', what: 'diagram' }, rotation: 0 }
        break
      }
      default:
        report()
    }
  })
  return result
}

const drawingOf = ({ content, rotation }: RotatedContent): Drawing => ({
  width: 0,
  height: 0,
  rotation,
  content,
})

/** Reads a SmartArt from the drawing that Word saves beside its data; undefined when there is none. */
function readDiagram(part: DocxPartContext, data: string | undefined): DrawingContent | undefined {
  const drawing = diagramDrawing(part.relationships, data)
  const inner = drawing === undefined ? undefined : openPart(part.context, drawing)
  if (inner === undefined) return undefined
  const children: GroupChild[] = []
  inner.cursor.each((name) => {
    if (name !== 'wps:spTree') return
    inner.cursor.each((child) => {
      if (child !== 'wps:sp' || children.length >= 2000) return
      const read = readShape(inner)
      children.push(scaledMember(drawingOf(read), read.box, undefined))
    })
  })
  return children.length === 0 ? undefined : { kind: 'group', children }
}

/** pic:pic (20.2.2.5). An SVG is preferred over the raster image that is its fallback. */
function readPicture(part: DocxPartContext): RotatedContent & { readonly box?: Transform } {
  const { cursor } = part
  let media: string | undefined
  let crop: Sides | undefined
  let appliedEffects: Pick<Picture, 'adjust' | 'opacity'> = {}
  let properties: ShapeProperties = {}
  cursor.each((name) => {
    if (name === 'pic:blipFill') {
      cursor.each((child) => {
        if (child === 'a:blip') {
          const raster = cursor.attribute('r:embed') ?? cursor.attribute('r:link')
          const { svg, ...colors } = readEffects(part)
          media = mediaOf(part, svg ?? raster)
          appliedEffects = colors
        } else if (child === 'a:srcRect') crop = cropOf(cursor)
      })
    } else if (name === 'pic:spPr') properties = readShapeProperties(part)
  })
  const { box, stroke, geometry, effects } = properties
  const boxed =
    geometry === undefined || (geometry.kind === 'preset' && /^(rect|flowChartProcess)$/.test(geometry.name))
  return {
    content: {
      kind: 'picture',
      media: media ?? '',
      crop,
      border:
        stroke === undefined
          ? undefined
          : { style: 'single', width: stroke.width, color: stroke.color, space: 0 },
      flipHorizontal: box?.flipHorizontal,
      flipVertical: box?.flipVertical,
      ...appliedEffects,
      ...(effects?.shadow !== undefined && { shadow: effects.shadow }),
      ...(!boxed && { outline: geometry }),
    },
    rotation: box?.rotation ?? 0,
    box,
  }
}

/**
 * wps:wsp: properties, style references (20.1.4.2) and text. Direct properties take precedence over the
 * style.
 */
function readShape(part: DocxPartContext): RotatedContent & { readonly box?: Transform } {
  const { cursor } = part
  let p: ShapeProperties = {}
  let style: ShapeStyle = {}
  let blocks: ShapeText['blocks'] | undefined
  let body: Omit<ShapeText, 'blocks'> = defaultBody
  const readBodyProperties = (): void => {
    reportTextBody(part)
    body = readBody(cursor)
  }
  cursor.each((name) => {
    switch (name) {
      case 'wps:spPr':
        p = readShapeProperties(part)
        break
      case 'wps:style':
        style = readShapeStyle(part)
        break
      case 'wps:txBody': {
        // The text follows the style in the file, so its colour is already known.
        const paragraphs: Block[] = []
        cursor.each((element) => {
          if (element === 'a:bodyPr') readBodyProperties()
          else if (element === 'a:p') paragraphs.push(readDrawingParagraph(part, style.textColor))
        })
        if (paragraphs.some((block) => block.kind === 'paragraph' && block.inlines.length > 0))
          blocks = paragraphs
        break
      }
      case 'wps:txbx':
        cursor.each((inner) => {
          if (inner === 'w:txbxContent') blocks = readInnerBlocks(part)
        })
        break
      case 'wps:bodyPr':
        readBodyProperties()
        break
    }
  })
  const effects = p.effects ?? style.effects
  if (p.effects === undefined && effects?.more === true) reportEffect(part)
  const fill = p.fill ?? themedColor(style.fill)
  return {
    content: {
      kind: 'shape',
      geometry: p.geometry ?? { kind: 'preset', name: 'rect', adjust: new Map() },
      fill: fill === 'none' ? undefined : fill,
      fillOpacity: p.fillOpacity,
      ...(p.gradient !== undefined && { gradient: p.gradient }),
      ...(p.background !== undefined && { background: p.background }),
      stroke: shapeStroke(p, style.line),
      ...(effects?.shadow !== undefined && { shadow: effects.shadow }),
      text: blocks && { ...body, blocks },
      flipHorizontal: p.box?.flipHorizontal,
      flipVertical: p.box?.flipVertical,
    },
    rotation: p.box?.rotation ?? 0,
    box: p.box,
  }
}

/** Reads wpg:graphicFrame: a chart or diagram in a group. */
function readMember(part: DocxPartContext): RotatedContent & { readonly box?: Transform } {
  const { cursor } = part
  let box: Transform | undefined
  let content: RotatedContent = { content: { kind: 'unknown', what: 'drawing' }, rotation: 0 }
  cursor.each((name) => {
    if (name === 'wpg:xfrm') box = readTransform(cursor)
    else if (name === 'a:graphic')
      cursor.each((data) => {
        if (data === 'a:graphicData') content = readContent(part)
      })
  })
  return { ...content, ...(box !== undefined && { box }) }
}

/** Children of a group that are settings rather than members. */
const groupSettings: ReadonlySet<string> = new Set([
  'wpg:cNvPr',
  'wpg:cNvGrpSpPr',
  'wpg:nvGrpSpPr',
  'wpg:extLst',
  'wpc:bg',
  'wpc:whole',
  'wpc:extLst',
])

/**
 * Reads a group (wpg:wgp) or canvas (wpc:wpc). Members are positioned in the coordinate space of the group
 * and scaled into its box; a canvas is not scaled.
 */
function readGroup(part: DocxPartContext, canvas: boolean): RotatedContent & { readonly box?: Transform } {
  const { cursor } = part
  let box: Transform | undefined
  const members: { read: RotatedContent & { readonly box?: Transform } }[] = []
  cursor.each((name) => {
    if (name === 'wpg:grpSpPr') {
      cursor.each((child) => {
        if (child === 'a:xfrm') box = readTransform(cursor)
      })
    } else if (name === 'wps:wsp') members.push({ read: readShape(part) })
    else if (name === 'pic:pic') members.push({ read: readPicture(part) })
    else if (name === 'wpg:grpSp' || name === 'wpg:wgp') members.push({ read: readGroup(part, false) })
    else if (name === 'wpg:graphicFrame') members.push({ read: readMember(part) })
    else if (!groupSettings.has(name))
      warn(
        part.context,
        'read.object',
        'A drawing of an unsupported kind inside a group is not drawn.',
        part.partName,
      )
  })
  const children = members.map(({ read }) =>
    scaledMember(drawingOf(read), read.box, canvas ? undefined : box),
  )
  return { content: { kind: 'group', children }, rotation: box?.rotation ?? 0, box }
}
