/** The shapes of slides, layouts, masters and diagrams: the content of p:spTree (ECMA-376-1 19.3.1). */

import type { Block } from '../../../../shared/document/content.ts'
import type { SlideShape } from '../../../../shared/document/deck.ts'
import type {
  Drawing,
  DrawingContent,
  GroupChild,
  Picture,
  Shape,
  ShapeText,
} from '../../../../shared/document/drawing.ts'
import type { Link } from '../../../../shared/document/properties.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { mediaOf, warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readEffects } from '../../../../shared/office/ooxml/drawing/picture-effects.ts'
import {
  cropOf,
  type FillProperties,
  readShapeProperties,
  reportEffect,
  type ShapeProperties,
} from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import { reportTextBody } from '../../../../shared/office/ooxml/drawing/text-body.ts'
import { readTransform, type Transform } from '../../../../shared/office/ooxml/drawing/transform.ts'
import { isOn } from '../../../../shared/office/ooxml/values.ts'
import { type PlaceholderName, readPlaceholderName } from '../placeholder.ts'
import type { Backdrop } from './backdrop.ts'
import { type BodyProperties, readBodyProperties, textBody } from './body.ts'
import { type Inheritance, type Inherited, inheritedBy } from './frames.ts'
import { readGraphicFrame } from './graphic-frame.ts'
import { atBox, groupOf } from './group.ts'
import { readLink } from './links.ts'
import type { ListStyle } from './list-style.ts'
import { ParagraphReader } from './paragraph.ts'
import { type SlidePart, spend } from './part.ts'
import { readListStyle } from './text-style.ts'
import { readShapeStyle, type ShapeStyle, strokeOf, themeFill } from './theme-style.ts'

/** The context of shapes: a slide, which inherits, or a layout or master, whose placeholders are not drawn. */
export interface ShapeTree {
  readonly part: SlidePart
  /** Set on slides. */
  readonly inherits?: Inheritance
  /** Placeholders are omitted. */
  readonly skipsPlaceholders: boolean
  /** Called with the text of a title. */
  readonly onTitle?: (text: string) => void
  /** The fill of the group that contains the shape. */
  readonly groupFill?: FillProperties
  /** The slide background, for shapes that are filled with it (`useBgFill`, 19.3.1.43). */
  readonly backdrop?: Backdrop
}

/** Reads the shapes inside the current element: p:spTree, p:grpSp or the like. */
export function readShapes(tree: ShapeTree): SlideShape[] {
  const { cursor, context } = tree.part
  const shapes: SlideShape[] = []
  cursor.each((name) => {
    const read = entryOf(shapeReaders, name.slice(name.indexOf(':') + 1))
    if (read === undefined) return
    spend(context.budget, 'shapes')
    const shape = read(tree)
    if (shape !== undefined) shapes.push(shape)
  })
  return shapes
}

const shapeReaders: Readonly<Record<string, (tree: ShapeTree) => SlideShape | undefined>> = {
  sp: readShape,
  cxnSp: readShape,
  pic: readPicture,
  grpSp: readGroup,
  graphicFrame: (tree) => readFrameOf(tree),
}

/** The non-visual properties of a shape (p:nvSpPr, 19.3.1.34): its placeholder, its link, and whether it is drawn. */
interface ShapeNames {
  hidden?: boolean
  placeholder?: PlaceholderName
  link?: Link
  description?: string
  isMedia?: boolean
}

/** Reads p:nvSpPr or a similar element at the cursor. */
function readNames(part: SlidePart): ShapeNames {
  const { cursor } = part
  const names: ShapeNames = {}
  const visit = (name: string): void => {
    switch (name.slice(name.indexOf(':') + 1)) {
      case 'cNvPr': {
        names.hidden = isOn(cursor.attribute('hidden'))
        const description = cursor.attribute('descr')
        if (description !== undefined && description !== '') names.description = description
        cursor.each((child) => {
          const link = child === 'a:hlinkClick' ? readLink(part) : undefined
          if (link !== undefined) names.link = link
        })
        break
      }
      case 'nvPr':
        cursor.each(visit)
        break
      case 'ph':
        names.placeholder = readPlaceholderName(cursor)
        break
      case 'videoFile':
      case 'audioFile':
      case 'wavAudioFile':
      case 'quickTimeFile':
        names.isMedia = true
        break
    }
  }
  cursor.each(visit)
  return names
}

const notInherited: Inherited = { placeholders: [], styles: [], type: '' }

/** Merges the properties of a shape over inherited ones. A fill replaces the entire inherited fill. */
function mergeProperties(levels: readonly ShapeProperties[]): ShapeProperties {
  let merged: ShapeProperties = {}
  for (const level of levels) {
    const hasFill = level.fill !== undefined || level.background !== undefined || level.usesGroupFill === true
    const { fill: _f, fillOpacity: _o, gradient: _g, background: _b, usesGroupFill: _t, ...rest } = merged
    const hasLine = level.stroke !== undefined && level.stroke.color !== ''
    const { noStroke: _n, ...withStroke } = hasFill ? rest : merged
    merged = { ...(hasLine ? withStroke : hasFill ? rest : merged), ...level }
  }
  return merged
}

/** Reads p:sp (19.3.1.43) or p:cxnSp (19.3.1.19), or the same of a diagram. */
function readShape(tree: ShapeTree): SlideShape | undefined {
  const { part } = tree
  const { cursor } = part
  const showsBackdrop = isOn(cursor.attribute('useBgFill'))
  let names: ShapeNames = {}
  let direct: ShapeProperties = {}
  let style: ShapeStyle = {}
  let textBox: Transform | undefined
  let text: ShapeText | undefined
  let inherited = notInherited
  cursor.each((name) => {
    switch (name.slice(name.indexOf(':') + 1)) {
      case 'nvSpPr':
      case 'nvCxnSpPr':
        names = readNames(part)
        if (names.placeholder !== undefined && tree.inherits !== undefined)
          inherited = inheritedBy(tree.inherits, names.placeholder)
        break
      case 'spPr':
        direct = readShapeProperties(part)
        break
      case 'style':
        style = readShapeStyle(part)
        break
      case 'txXfrm':
        textBox = readTransform(cursor)
        break
      case 'txBody':
        // The style of a shape precedes its text, in diagrams too.
        text = readText(tree, inherited, style, names, direct.geometry !== undefined)
        break
    }
  })
  if (names.hidden === true || (tree.skipsPlaceholders && names.placeholder !== undefined)) return undefined
  const properties = mergeProperties([
    ...inherited.placeholders.map((placeholder) => placeholder.properties),
    direct,
  ])
  const box = direct.box ?? properties.box
  if (box === undefined) return undefined
  if (text !== undefined && box.flipVertical)
    warn(
      part.context,
      'read.text-flip',
      'Text in a flipped shape is drawn without being flipped.',
      part.partName,
    )
  const placed = text && textBox ? movedText(text, box, textBox) : text
  const shape = shapeOf(
    showsBackdrop ? { ...tree, groupFill: fillOf(tree.backdrop) } : tree,
    showsBackdrop ? { ...properties, usesGroupFill: true } : properties,
    style,
    // Observed in LibreOffice: text wraps in no box that has no width.
    placed !== undefined && box.width === 0 ? { ...placed, wraps: false } : placed,
  )
  const drawing = {
    width: box.width,
    height: box.height,
    rotation: box.rotation,
    content: flipped(shape, box),
    ...described(names),
  }
  return { ...atBox(box, drawing), ...roleOf(inherited.type) }
}

const titleTypes: ReadonlySet<string> = new Set(['title', 'ctrTitle'])
const repeatedTypes: ReadonlySet<string> = new Set(['dt', 'ftr', 'hdr', 'sldNum'])

/** The role of a placeholder by its type (ST_PlaceholderType, 19.7.10). */
function roleOf(type: string): Pick<SlideShape, 'role'> {
  if (titleTypes.has(type)) return { role: 'title' }
  return repeatedTypes.has(type) ? { role: 'repeated' } : {}
}

const fillOf = ({ color, background }: Backdrop = {}): FillProperties => ({
  ...(color !== undefined && { fill: color }),
  ...(background !== undefined && { background }),
})

const described = ({ link, description }: ShapeNames): Pick<Drawing, 'link' | 'description'> => ({
  ...(link !== undefined && { link }),
  ...(description !== undefined && { description }),
})

const flipped = (shape: Shape, { flipHorizontal, flipVertical }: Transform): Shape => ({
  ...shape,
  ...(flipHorizontal && { flipHorizontal }),
  ...(flipVertical && { flipVertical }),
})

const rectangle: Shape['geometry'] = { kind: 'preset', name: 'rect', adjust: new Map() }

function shapeOf(
  { part, groupFill }: ShapeTree,
  properties: ShapeProperties,
  style: ShapeStyle,
  text: ShapeText | undefined,
): Shape {
  const effects = properties.effects ?? style.effects
  if (properties.effects === undefined && effects?.more === true) reportEffect(part)
  const hasFill = properties.fill !== undefined || properties.background !== undefined
  const { fill, fillOpacity, gradient, background } =
    properties.usesGroupFill === true
      ? (groupFill ?? {})
      : hasFill || style.fill === undefined
        ? properties
        : themeFill(part, style.fill.index, style.fill.color)
  const stroke = strokeOf(part, properties, style)
  return {
    kind: 'shape',
    geometry: properties.geometry ?? rectangle,
    ...(fill !== undefined && fill !== 'none' && { fill }),
    ...(fillOpacity !== undefined && { fillOpacity }),
    ...(gradient !== undefined && { gradient }),
    ...(background !== undefined && { background }),
    ...(stroke !== undefined && { stroke }),
    ...(effects?.shadow !== undefined && { shadow: effects.shadow }),
    ...(text !== undefined && { text }),
  }
}

/**
 * The text of a diagram shape, which has a separate box: the difference between the boxes is added to the insets, and its
 * rotation to that of the shape.
 */
function movedText(text: ShapeText, box: Transform, { x, y, width, height, rotation }: Transform): ShapeText {
  const { left, top, right, bottom } = text.insets
  const turn = ((text.turn ?? 0) + rotation) % 360
  return {
    ...text,
    ...(turn !== 0 && { turn }),
    insets: {
      left: left + x - box.x,
      top: top + y - box.y,
      right: right + box.x + box.width - x - width,
      bottom: bottom + box.y + box.height - y - height,
    },
  }
}

/**
 * The height of lines in shapes does not depend on their fonts, unlike in tables. Text that shrinks into a shape with its own
 * geometry, to which the saved scale does not apply, has the kind of height of the last text before it that does not (observed in
 * LibreOffice).
 */
const ofShapes: ListStyle = new Map([[-1, { run: { lineIgnoresFont: true } }]])

/** Reads p:txBody (19.3.1.51) at the cursor; undefined if it has no text. */
function readText(
  tree: ShapeTree,
  inherited: Inherited,
  style: ShapeStyle,
  names: ShapeNames,
  hasGeometry: boolean,
): ShapeText | undefined {
  const { part } = tree
  const { cursor, context } = part
  let body: BodyProperties = {}
  let shrinks = false
  const styles: ListStyle[] = [
    ...(names.placeholder === undefined ? [context.defaultText] : []),
    ...inherited.styles,
  ]
  if (style.text !== undefined) styles.push(style.text)
  const isOutline = names.placeholder?.type === 'obj' || names.placeholder?.type === 'body'
  const blocks: Block[] = []
  let paragraphs: ParagraphReader | undefined
  cursor.each((name) => {
    if (name === 'a:bodyPr') {
      reportTextBody(part)
      body = readBodyProperties(cursor)
      shrinks = body.fit === 'shrinks' && hasGeometry
      if (!shrinks || context.lines.ignoreFont) styles.unshift(ofShapes)
    } else if (name === 'a:lstStyle') styles.push(readListStyle(part))
    else if (name === 'a:p')
      blocks.push(
        (paragraphs ??= new ParagraphReader(part, styles, {
          scale: hasGeometry ? 1 : body.scale,
          isOutline,
        })).read(),
      )
  })
  const hasText = blocks.some((block) => block.kind === 'paragraph' && block.inlines.length > 0)
  if (!hasText) return undefined
  if (!shrinks) context.lines.ignoreFont = true
  if (titleTypes.has(inherited.type)) tree.onTitle?.(oneLineText(blocks))
  return { blocks, ...textBody([...inherited.placeholders.map((placeholder) => placeholder.body), body]) }
}

/** Joins the text of paragraphs on one line. */
function oneLineText(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) =>
    block.kind === 'paragraph'
      ? [
          block.inlines
            .map((inline) =>
              inline.kind === 'text' ? inline.text : inline.kind === 'field' ? inline.field.text : ' ',
            )
            .join(''),
        ]
      : [],
  )
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim()
}

/** Reads p:pic (19.3.1.37). */
function readPicture(tree: ShapeTree): GroupChild | undefined {
  const { part } = tree
  const { cursor, context } = part
  let names: ShapeNames = {}
  let direct: ShapeProperties = {}
  let style: ShapeStyle = {}
  let picture: Pick<Picture, 'media' | 'crop' | 'adjust' | 'opacity'> = { media: '' }
  cursor.each((name) => {
    if (name === 'p:nvPicPr') names = readNames(part)
    else if (name === 'p:spPr') direct = readShapeProperties(part)
    else if (name === 'p:style') style = readShapeStyle(part)
    else if (name === 'p:blipFill') picture = readBlip(part)
  })
  const inherited =
    names.placeholder && tree.inherits ? inheritedBy(tree.inherits, names.placeholder) : notInherited
  if (names.hidden === true || (tree.skipsPlaceholders && names.placeholder !== undefined)) return undefined
  if (names.isMedia === true)
    warn(context, 'read.media', 'Sound and video are drawn as their preview picture.', part.partName)
  const properties = mergeProperties([
    ...inherited.placeholders.map((placeholder) => placeholder.properties),
    direct,
  ])
  const { box } = properties
  if (box === undefined) return undefined
  const drawing = { width: box.width, height: box.height, rotation: box.rotation }
  const image = pictureOf(part, picture, properties, style, box)
  // The fill behind a picture is visible through its transparent parts.
  const behind: Shape = shapeOf(
    tree,
    { ...properties, noStroke: true, effects: { more: false } },
    {},
    undefined,
  )
  const isFilled = behind.fill !== undefined || behind.background !== undefined
  const content: DrawingContent = isFilled
    ? {
        kind: 'group',
        children: [
          { x: 0, y: 0, drawing: { ...drawing, rotation: 0, content: behind } },
          { x: 0, y: 0, drawing: { ...drawing, rotation: 0, content: image } },
        ],
      }
    : image
  return atBox(box, { ...drawing, content, ...described(names) })
}

/** Reads p:controls (19.3.1.17) at the cursor: form controls, by the pictures that are saved of them. */
export function readControls(tree: ShapeTree): GroupChild[] {
  const { cursor, context, partName } = tree.part
  const pictures: GroupChild[] = []
  cursor.each((name) => {
    if (name !== 'p:control') return
    spend(context.budget, 'shapes')
    const before = pictures.length
    cursor.each((child) => {
      const picture = child === 'p:pic' ? readPicture(tree) : undefined
      if (picture !== undefined) pictures.push(picture)
    })
    if (pictures.length === before)
      warn(context, 'read.slide-control', 'Form controls without a picture are not drawn.', partName)
  })
  return pictures
}

function readBlip(part: SlidePart): Pick<Picture, 'media' | 'crop' | 'adjust' | 'opacity'> {
  const { cursor } = part
  let media = ''
  let crop: Picture['crop']
  let drawnEffects: Pick<Picture, 'adjust' | 'opacity'> = {}
  cursor.each((child) => {
    if (child === 'a:blip') {
      const raster = cursor.attribute('r:embed') ?? cursor.attribute('r:link')
      const { svg, ...effects } = readEffects(part)
      media = mediaOf(part, svg ?? raster)
      drawnEffects = effects
    } else if (child === 'a:srcRect') crop = cropOf(cursor)
  })
  return { media, ...(crop !== undefined && { crop }), ...drawnEffects }
}

function pictureOf(
  part: SlidePart,
  picture: Pick<Picture, 'media' | 'crop' | 'adjust' | 'opacity'>,
  properties: ShapeProperties,
  style: ShapeStyle,
  box: Transform,
): Picture {
  const stroke = strokeOf(part, properties, style)
  const { geometry, effects } = properties
  const isCut =
    geometry !== undefined &&
    !(geometry.kind === 'preset' && /^(?:rect|flowChartProcess)$/.test(geometry.name))
  return {
    kind: 'picture',
    ...picture,
    ...(stroke !== undefined && {
      border: { style: 'single', width: stroke.width, color: stroke.color, space: 0 },
    }),
    ...(box.flipHorizontal && { flipHorizontal: true }),
    ...(box.flipVertical && { flipVertical: true }),
    ...(effects?.shadow !== undefined && { shadow: effects.shadow }),
    ...(isCut && { outline: geometry }),
  }
}

/** Reads p:grpSp (19.3.1.22). Its members are placed in the coordinate space of the group and scaled into its box. */
function readGroup(tree: ShapeTree): GroupChild | undefined {
  const { part } = tree
  const { cursor } = part
  let names: ShapeNames = {}
  let direct: ShapeProperties = {}
  let members: GroupChild[] = []
  const children: GroupChild[] = []
  cursor.each((name) => {
    const local = name.slice(name.indexOf(':') + 1)
    if (local === 'nvGrpSpPr') names = readNames(part)
    else if (local === 'grpSpPr') direct = readShapeProperties(part)
    else {
      const read = entryOf(shapeReaders, local)
      if (read === undefined) return
      spend(part.context.budget, 'shapes')
      const groupFill = direct.usesGroupFill === true ? tree.groupFill : direct
      const shape = read({ ...tree, ...(groupFill !== undefined && { groupFill }) })
      if (shape !== undefined) children.push(shape)
    }
  })
  members = children
  if (names.hidden === true || members.length === 0) return undefined
  return groupOf(direct.box, members, described(names))
}

/** Reads p:graphicFrame (19.3.1.21): a table, chart, diagram or embedded object. */
function readFrameOf(tree: ShapeTree): GroupChild | undefined {
  const { part } = tree
  const { cursor } = part
  let names: ShapeNames = {}
  let box: Transform | undefined
  let content: readonly GroupChild[] = []
  cursor.each((name) => {
    if (name === 'p:nvGraphicFramePr') names = readNames(part)
    else if (name === 'p:xfrm') box = readTransform(cursor)
    else if (name === 'a:graphic')
      content = readGraphicFrame(
        tree,
        box,
        (inner) => readShapes(inner),
        (inner) => readPicture(inner),
      )
  })
  const inherited =
    names.placeholder && tree.inherits ? inheritedBy(tree.inherits, names.placeholder) : notInherited
  const at =
    box ??
    inherited.placeholders.findLast((placeholder) => placeholder.properties.box !== undefined)?.properties.box
  if (names.hidden === true || at === undefined || content.length === 0) return undefined
  return atBox(at, {
    width: at.width,
    height: at.height,
    rotation: at.rotation,
    content: { kind: 'group', children: content },
    ...described(names),
  })
}
