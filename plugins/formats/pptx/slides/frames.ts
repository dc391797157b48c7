/** Masters and layouts: what the placeholders of a slide inherit, and what is drawn behind them (ECMA-376-1 19.3.1). */
import type { GroupChild } from '../../../../shared/document/drawing.ts'
import {
  readShapeProperties,
  type ShapeProperties,
} from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import { isOn } from '../../../../shared/office/ooxml/values.ts'
import {
  contentTypes,
  isTitle,
  type PlaceholderName,
  placeholderNamed,
  readPlaceholderName,
} from '../placeholder.ts'
import { type Backdrop, readBackdrop } from './backdrop.ts'
import { type BodyProperties, readBodyProperties } from './body.ts'
import type { ListStyle } from './list-style.ts'
import { openPart, type SlidePart } from './part.ts'
import { readListStyle } from './text-style.ts'

/** The properties that a placeholder of a layout or master passes on. */
export interface Placeholder extends PlaceholderName {
  readonly properties: ShapeProperties
  readonly body: BodyProperties
  readonly text: ListStyle
}

/** A layout or master, read with the theme of one slide. */
export interface SlideFrame {
  readonly placeholders: readonly Placeholder[]
  /** Text styles by kind of placeholder; only masters have them. */
  readonly styles: ReadonlyMap<string, ListStyle>
  readonly backdrop: Backdrop | undefined
  /** The shapes that are drawn on every slide. */
  readonly shapes: readonly GroupChild[]
  /** A layout may hide the shapes of its master. */
  readonly showsMaster: boolean
}

export const emptyFrame: SlideFrame = {
  placeholders: [],
  styles: new Map(),
  backdrop: undefined,
  shapes: [],
  showsMaster: true,
}

/** Reads p:sldLayout or p:sldMaster. `readShapes` is called at p:spTree to read the shapes that are not placeholders. */
export function readFrame(
  part: SlidePart,
  readShapes: (part: SlidePart, backdrop: Backdrop | undefined) => readonly GroupChild[],
): SlideFrame {
  const { cursor } = part
  const placeholders: Placeholder[] = []
  const styles = new Map<string, ListStyle>()
  const showsMaster = isOn(cursor.attribute('showMasterSp') ?? '1')
  let backdrop: Backdrop | undefined
  const visit = (name: string): void => {
    if (name === 'p:cSld' || name === 'p:spTree' || name === 'p:grpSp') cursor.each(visit)
    else if (name === 'p:bg') backdrop = readBackdrop(part)
    else if (name === 'p:txStyles') cursor.each((style) => void styles.set(style, readListStyle(part)))
    else if (name === 'p:sp') {
      const placeholder = readPlaceholder(part)
      if (placeholder !== undefined) placeholders.push(placeholder)
    }
  }
  cursor.each(visit)
  // Shapes are read in a separate pass with another cursor.
  const drawn = openPart(part.context, part.partName)
  let shapes: readonly GroupChild[] = []
  drawn?.cursor.each((name) => {
    if (name !== 'p:cSld') return
    drawn.cursor.each((child) => {
      if (child === 'p:spTree') shapes = readShapes(drawn, backdrop)
    })
  })
  return { placeholders, styles, backdrop, shapes, showsMaster }
}

function readPlaceholder(part: SlidePart): Placeholder | undefined {
  const { cursor } = part
  let placeholderName: PlaceholderName | undefined
  let properties: ShapeProperties = {}
  let body: BodyProperties = {}
  let text: ListStyle = new Map()
  const visit = (name: string): void => {
    if (name === 'p:nvSpPr' || name === 'p:nvPr') cursor.each(visit)
    else if (name === 'p:ph') placeholderName = readPlaceholderName(cursor)
    else if (name === 'p:spPr' && placeholderName !== undefined) properties = readShapeProperties(part)
    else if (name === 'p:txBody' && placeholderName !== undefined)
      cursor.each((child) => {
        if (child === 'a:bodyPr') body = readBodyProperties(cursor)
        else if (child === 'a:lstStyle') text = readListStyle(part)
      })
  }
  cursor.each(visit)
  return placeholderName && { ...placeholderName, properties, body, text }
}

/** p:ph at the cursor. A placeholder without a type is an object placeholder. */
/** The layout and the master that a slide inherits from. */
export interface Inheritance {
  readonly layout: SlideFrame
  readonly master: SlideFrame
}

/** The properties that a placeholder inherits, from the master to the layout. */
export interface Inherited {
  readonly placeholders: readonly Placeholder[]
  readonly styles: readonly ListStyle[]
  readonly type: string
}

const footerTypes = new Set(['dt', 'ftr', 'sldNum', 'hdr'])

/** Finds the properties that a placeholder inherits. */
export function inheritedBy({ layout, master }: Inheritance, name: PlaceholderName): Inherited {
  const outer = placeholderNamed(layout.placeholders, name)
  const type = name.type === 'obj' && outer !== undefined ? outer.type : name.type
  const outermost = placeholderNamed(master.placeholders, {
    type: contentTypes.has(type) ? 'body' : type,
    index: '',
  })
  const style = master.styles.get(
    isTitle(type) ? 'p:titleStyle' : footerTypes.has(type) ? 'p:otherStyle' : 'p:bodyStyle',
  )
  const placeholders = [outermost, outer].filter((placeholder) => placeholder !== undefined)
  return {
    placeholders,
    styles: [...(style === undefined ? [] : [style]), ...placeholders.map(({ text }) => text)],
    type,
  }
}
