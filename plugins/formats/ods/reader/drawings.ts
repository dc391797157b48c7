import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { SheetCorner, SheetDrawing } from '../../../../shared/document/sheet.ts'
import { objectContentName, readEmbedded } from '../../../../shared/office/opendocument/object.ts'
import { addressOf } from '../../../../shared/office/opendocument/text/part-context.ts'
import { exactLength } from '../../../../shared/office/opendocument/values.ts'
import { parseOpenAddress } from '../../../../shared/office/sheet/formula.ts'
import { fromBase64 } from '../../../../shared/plugin/base64.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import type { SheetReading } from './context.ts'
import { noteElement } from './shapes.ts'

/**
 * Reads the drawing at the cursor, in a cell or over a sheet: a picture, a chart, a shape or a text box. Others keep their
 * position and are reported.
 */
export function readDrawing(
  cursor: XmlCursor,
  context: SheetReading,
  place: Pick<SheetCorner, 'row' | 'column' | 'isFree'>,
  drawings: SheetDrawing[],
): void {
  const isDrawing = cursor.name.startsWith('draw:') || cursor.name === noteElement
  if (!isDrawing || --context.budget.drawings < 0) return
  if (cursor.name === 'draw:a') {
    readLinked(cursor, context, place, drawings)
    return
  }
  const size = (name: string): number => exactLength(cursor.attribute(name)) ?? 0
  const [x, y, width, height] = [size('svg:x'), size('svg:y'), size('svg:width'), size('svg:height')]
  const end = parseOpenAddress(cursor.attribute('table:end-cell-address') ?? '')?.range.from
  const corner = { x: size('table:end-x'), y: size('table:end-y') }
  const isRotated = cursor.attribute('draw:transform') !== undefined
  const shape = context.shapes.read(cursor)
  if (shape !== undefined) {
    const { x: left, y: top, drawing } = shape
    const { width: across, height: down } = drawing
    const to: SheetDrawing['to'] =
      isRotated || end?.row === undefined || end.column === undefined
        ? { width: across, height: down }
        : { row: end.row - 1, column: end.column - 1, ...corner }
    drawings.push({ from: startOf(place, { x: left, y: top }, to), to, drawing })
    return
  }
  const isFrame = cursor.name === 'draw:frame'
  let drawing: Drawing | undefined
  let [title, description] = ['', '']
  if (isFrame)
    cursor.each((name) => {
      if (name === 'svg:title') title = cursor.text().trim()
      else if (name === 'svg:desc') description = cursor.text().trim()
      if (drawing !== undefined || name.startsWith('svg:')) return
      const content = name === 'draw:object' ? readObject(cursor, context) : readImage(cursor, name, context)
      if (content !== undefined) drawing = { width, height, rotation: 0, content }
    })
  const alternative = description === '' ? title : description
  if (drawing !== undefined && alternative !== '') drawing = { ...drawing, description: alternative }
  if (drawing === undefined)
    context.warn('read.sheet-drawing', 'Drawings of unsupported kinds on sheets are not drawn.')
  const to: SheetDrawing['to'] =
    end?.row === undefined || end.column === undefined
      ? { width, height }
      : { row: end.row - 1, column: end.column - 1, ...corner }
  drawings.push({ from: startOf(place, { x, y }, to), to, ...(drawing !== undefined && { drawing }) })
}

/**
 * The corner where a drawing starts. Observed in LibreOffice: an end cell before the cell of the start is the opposite corner of the
 * same box, and the start may then be outside of its cell.
 */
function startOf(
  place: Parameters<typeof readDrawing>[2],
  offset: Pick<SheetCorner, 'x' | 'y'>,
  to: SheetDrawing['to'],
): SheetCorner {
  const isBackward = 'column' in to && (to.row < place.row || to.column < place.column)
  return { ...place, ...offset, ...(isBackward && { isFree: true }) }
}

/** draw:a (ODF 1.3 part 3, 10.4.12): drawings that are links. */
function readLinked(
  cursor: XmlCursor,
  context: SheetReading,
  place: Parameters<typeof readDrawing>[2],
  drawings: SheetDrawing[],
): void {
  const href = cursor.attribute('xlink:href')
  const inner: SheetDrawing[] = []
  cursor.each(() => readDrawing(cursor, context, place, inner))
  for (const each of inner) {
    const { drawing } = each
    const isLink = drawing !== undefined && href !== undefined
    drawings.push(isLink ? { ...each, drawing: { ...drawing, link: { href: addressOf(href) } } } : each)
  }
}

function readObject(cursor: XmlCursor, context: SheetReading): Drawing['content'] | undefined {
  const name = objectContentName(cursor.attribute('xlink:href'))
  const bytes = name === '' ? undefined : context.parts(name)
  const read = bytes && readEmbedded(bytes, true)
  if (read !== undefined && read.undrawn.length > 0)
    context.warn('read.chart-part', `A chart is drawn without ${read.undrawn.join(', ')}.`)
  return read?.content
}

/** Reads a picture of the package, or one inside the XML of a flat document. */
function readImage(
  cursor: XmlCursor,
  element: string,
  { media, parts }: SheetReading,
): Drawing['content'] | undefined {
  if (element !== 'draw:image') return undefined
  const href = cursor.attribute('xlink:href')?.replace(/^\.\//, '')
  if (href !== undefined) {
    const bytes = media.get(href) ?? parts(href)
    if (bytes === undefined) return undefined
    media.set(href, bytes)
    return { kind: 'picture', media: href }
  }
  let name: string | undefined
  cursor.each((child) => {
    if (child !== 'office:binary-data') return
    const bytes = fromBase64(cursor.text())
    if (bytes === undefined) return
    name = `picture ${media.size}`
    media.set(name, bytes)
  })
  return name === undefined ? undefined : { kind: 'picture', media: name }
}
