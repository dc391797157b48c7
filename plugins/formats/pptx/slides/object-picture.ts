import { mediaOf } from '../../../../shared/office/ooxml/drawing/part.ts'
import { orUndefined } from '../reader/vocabulary.ts'
import { openPart, type SlidePart } from './part.ts'

/**
 * The media name of the picture of an embedded object that PowerPoint 2007 keeps in a VML drawing of the slide: the image data of
 * the shape with this id (`p:oleObj/@spid`, ECMA-376-1 19.3.2.4; ECMA-376-4 19.1.2.11). Undefined if there is none.
 */
export function objectPicture(part: SlidePart, shapeId: string): string | undefined {
  for (const { type, target } of part.relationships.values()) {
    if (type !== 'vmlDrawing') continue
    const media = orUndefined(() => pictureIn(part, target, shapeId))
    if (media !== undefined) return media
  }
  return undefined
}

function pictureIn({ context }: SlidePart, partName: string, shapeId: string): string | undefined {
  const drawing = openPart(context, partName)
  if (drawing === undefined) return undefined
  const { cursor } = drawing
  let media: string | undefined
  const visit = (name: string, isNamed: boolean): void => {
    if (media !== undefined) return
    if (name === 'v:imagedata') {
      const id = cursor.attribute('o:relid')
      if (isNamed && id !== undefined) media = mediaOf(drawing, id) || undefined
    } else if (name.startsWith('v:')) {
      const isShape = isNamed || cursor.attribute('id') === shapeId || cursor.attribute('o:spid') === shapeId
      cursor.each((child) => visit(child, isShape))
    }
  }
  cursor.each((name) => visit(name, false))
  return media
}
