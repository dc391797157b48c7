import type { SheetCorner, SheetDrawing } from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { workbookVocabulary } from './vocabulary.ts'

/** What the drawing part of a sheet holds. */
export interface SheetDrawings {
  readonly drawings: readonly SheetDrawing[]
  /** Whether some of them are no pictures. */
  readonly hasOthers: boolean
}

/** The number of drawings that one sheet may have. */
const maxDrawings = 10_000
const emuPerPoint = 12_700
const anchors = new Set(['xdr:twoCellAnchor', 'xdr:oneCellAnchor', 'xdr:absoluteAnchor'])

/** Reads a drawing part (ECMA-376-1 20.5). `media`: the name of the part that a relationship of it leads to. */
export function readDrawings(xml: string, media: (id: string) => string | undefined): SheetDrawings {
  const cursor = new XmlCursor(xml, workbookVocabulary)
  const drawings: SheetDrawing[] = []
  let hasOthers = false
  if (!cursor.root()) return { drawings, hasOthers }
  cursor.each((name) => {
    if (!anchors.has(name) || drawings.length >= maxDrawings) return
    const found = readAnchor(cursor, media)
    if (found === undefined) return
    drawings.push(found.drawing)
    hasOthers ||= found.isUndrawn
  })
  return { drawings, hasOthers }
}

/** Undefined for anchors without a place or object. Hidden objects keep their place. Observed in LibreOffice. */
function readAnchor(
  cursor: XmlCursor,
  media: (id: string) => string | undefined,
): { readonly drawing: SheetDrawing; readonly isUndrawn: boolean } | undefined {
  let from: SheetCorner = { row: 0, column: 0, x: 0, y: 0 }
  let to: SheetDrawing['to'] | undefined
  let picture: Pick<SheetDrawing, 'picture' | 'crop'> = {}
  let isHidden = false
  let isObject = false
  cursor.each((name) => {
    if (name === 'xdr:from') from = readCorner(cursor)
    else if (name === 'xdr:to') to = readCorner(cursor)
    else if (name === 'xdr:pos') from = { ...from, x: points(cursor, 'x'), y: points(cursor, 'y') }
    else if (name === 'xdr:ext') to = { width: points(cursor, 'cx'), height: points(cursor, 'cy') }
    else if (name !== 'xdr:clientData') {
      isObject = true
      const isPicture = name === 'xdr:pic'
      cursor.each((part) => {
        if (part.startsWith('xdr:nv'))
          cursor.each((own) => {
            if (own === 'xdr:cNvPr') isHidden ||= cursor.attribute('hidden') === '1'
          })
        else if (isPicture && part === 'xdr:blipFill') picture = readFill(cursor, media)
      })
    }
  })
  if (to === undefined || !isObject) return undefined
  return {
    drawing: { from, to, ...(!isHidden && picture) },
    isUndrawn: !isHidden && picture.picture === undefined,
  }
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

/** CT_BlipFillProperties (20.1.8.14): the picture and the shares of it that are cut off. */
function readFill(
  cursor: XmlCursor,
  media: (id: string) => string | undefined,
): Pick<SheetDrawing, 'picture' | 'crop'> {
  let picture: string | undefined
  let crop: SheetDrawing['crop']
  cursor.each((name) => {
    if (name === 'a:blip') picture = media(cursor.attribute('r:embed') ?? '')
    else if (name === 'a:srcRect') {
      const share = (side: string): number =>
        Math.min(0.99, Math.max(-1, Number(cursor.attribute(side) ?? 0) / 100_000 || 0))
      const sides = { left: share('l'), top: share('t'), right: share('r'), bottom: share('b') }
      if (Object.values(sides).some((value) => value !== 0)) crop = sides
    }
  })
  return { ...(picture !== undefined && { picture }), ...(crop !== undefined && { crop }) }
}
