import { concatBytes } from '../../../../../shared/bytes.ts'
import { multiply } from '../../../../../shared/document/geometry.ts'
import type { Matrix } from '../../layout/frame.ts'
import type { VectorPicture, VectorTools } from '../vector.ts'
import { dibImage, pixelOffset } from './bitmap.ts'
import { MetafileCanvas } from './canvas.ts'
import type { ClipBox } from './clip.ts'
import { playBitmap } from './emf-bitmaps.ts'
import { emfRecords } from './emf-records.ts'
import { playText } from './emf-text.ts'
import { type Brush, colourOf, type LogicalFont, noBrush, penStyle } from './state.ts'

/**
 * Enhanced metafiles. Records of EMF+ inside comments are ignored: files that have them hold the same picture in plain
 * records, as a rule. One that does not is reported as empty. Source: [MS-EMF].
 */
export function readEmf(bytes: Uint8Array, tools: VectorTools): VectorPicture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 88 || view.getUint32(0, true) !== 1 || view.getUint32(40, true) !== 0x464d4520)
    return undefined
  const frame = [24, 28, 32, 36].map((at) => view.getInt32(at, true)) as [number, number, number, number]
  const [deviceX, deviceY, mmX, mmY] = [72, 76, 80, 84].map((at) => view.getInt32(at, true)) as [
    number,
    number,
    number,
    number,
  ]
  const [perX, perY] = [deviceX / (100 * (mmX || 1)), deviceY / (100 * (mmY || 1))]
  const width = (frame[2] - frame[0]) * perX
  const height = (frame[3] - frame[1]) * perY
  if (!(width > 0 && height > 0)) return undefined
  const canvas = new MetafileCanvas(tools, Math.max(1, (perX * 2540) / 96))
  canvas.state.perMillimetre = 100 * perX
  canvas.scaled = true
  const player = new EmfPlayer(view, canvas)
  player.play()
  canvas.finish()
  const [left, top] = [frame[0] * perX, frame[1] * perY]
  const items = canvas.items.map((placed) => ({ ...placed, x: placed.x - left, y: placed.y - top }))
  if (items.length === 0 && player.plus) canvas.ignored.add('EMF+')
  return {
    width: ((frame[2] - frame[0]) / 2540) * 72,
    height: ((frame[3] - frame[1]) / 2540) * 72,
    items,
    space: { width, height },
    ignored: canvas.ignored,
  }
}

class EmfPlayer {
  /** The file up to the end of the record that is played, so that no record reads what is after it. */
  #view: DataView
  readonly #canvas: MetafileCanvas
  /** Whether the file has records of EMF+. */
  plus = false

  constructor(view: DataView, canvas: MetafileCanvas) {
    this.#view = view
    this.#canvas = canvas
  }

  play(): void {
    const view = this.#view
    for (let at = 0; at + 8 <= view.byteLength; ) {
      const type = view.getUint32(at, true)
      const size = view.getUint32(at + 4, true)
      if (size < 8 || at + size > view.byteLength || type === emfRecords.endOfFile || this.#canvas.isFull)
        return
      this.#canvas.spendBytes(size)
      this.#view = new DataView(view.buffer, view.byteOffset, at + size)
      try {
        this.#record(type, at + 8, at + size)
      } catch (error) {
        // A record that declares more than it contains is dropped; the next one begins at its end.
        if (!(error instanceof RangeError)) throw error
        this.#canvas.ignored.add('record')
      }
      at += size
    }
  }

  #int(at: number): number {
    return this.#view.getInt32(at, true)
  }
  #uint(at: number): number {
    return this.#view.getUint32(at, true)
  }
  #ints(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, n) => this.#int(at + 4 * n))
  }
  #points(at: number, count: number, short: boolean, end: number): number[] {
    const step = short ? 2 : 4
    const available = Math.min(count * 2, Math.floor((end - at) / step))
    return Array.from({ length: Math.max(0, available) }, (_, n) =>
      short ? this.#view.getInt16(at + 2 * n, true) : this.#int(at + 4 * n),
    )
  }

  #record(type: number, at: number, end: number): void {
    if (this.#setting(type, at) || this.#object(type, at) || this.#shape(type, at, end)) return
    this.#other(type, at, end)
  }

  #setting(type: number, at: number): boolean {
    const canvas = this.#canvas
    const { state } = canvas
    switch (type) {
      case emfRecords.setWindowExtent:
        ;[state.windowWidth, state.windowHeight] = [this.#int(at), this.#int(at + 4)]
        return true
      case emfRecords.setWindowOrigin:
        ;[state.windowX, state.windowY] = [this.#int(at), this.#int(at + 4)]
        return true
      case emfRecords.setViewportExtent:
        ;[state.viewWidth, state.viewHeight] = [this.#int(at), this.#int(at + 4)]
        return true
      case emfRecords.setViewportOrigin:
        ;[state.viewX, state.viewY] = [this.#int(at), this.#int(at + 4)]
        return true
      case emfRecords.setMapMode:
        state.mapMode = this.#uint(at)
        return true
      case emfRecords.setBackgroundMode:
        state.opaqueText = this.#uint(at) === 2
        return true
      case emfRecords.setPolyFillMode:
        state.evenOdd = this.#uint(at) !== 2
        return true
      case emfRecords.setRasterOperation:
        state.operation = this.#uint(at)
        return true
      case emfRecords.setTextAlign:
        state.textAlign = this.#uint(at)
        return true
      case emfRecords.setTextColour:
        state.textColour = colourOf(this.#uint(at))
        return true
      case emfRecords.setBackgroundColour:
        state.backColour = colourOf(this.#uint(at))
        return true
      case emfRecords.scaleViewportExtent:
        state.viewWidth *= this.#int(at) / (this.#int(at + 4) || 1)
        state.viewHeight *= this.#int(at + 8) / (this.#int(at + 12) || 1)
        return true
      case emfRecords.scaleWindowExtent:
        state.windowWidth *= this.#int(at) / (this.#int(at + 4) || 1)
        state.windowHeight *= this.#int(at + 8) / (this.#int(at + 12) || 1)
        return true
      case emfRecords.saveState:
        canvas.save()
        return true
      case emfRecords.restoreState:
        canvas.restore(this.#int(at))
        return true
      case emfRecords.setWorldTransform:
        state.world = this.#matrix(at)
        return true
      case emfRecords.modifyWorldTransform:
        this.#modifyWorld(at)
        return true
      case emfRecords.setArcDirection:
        state.clockwise = this.#uint(at) === 2
        return true
      default:
        return false
    }
  }

  #matrix(at: number): Matrix {
    return Array.from({ length: 6 }, (_, n) => this.#view.getFloat32(at + 4 * n, true)) as unknown as Matrix
  }

  #modifyWorld(at: number): void {
    const { state } = this.#canvas
    const matrix = this.#matrix(at)
    const mode = this.#uint(at + 24)
    if (mode === 1) state.world = [1, 0, 0, 1, 0, 0]
    else if (mode === 2) state.world = multiply(state.world, matrix)
    else if (mode === 3) state.world = multiply(matrix, state.world)
    else if (mode === 4) state.world = matrix
  }

  #object(type: number, at: number): boolean {
    const canvas = this.#canvas
    switch (type) {
      case emfRecords.selectObject:
        canvas.select(this.#uint(at))
        return true
      case emfRecords.createPen: {
        const style = this.#uint(at + 4)
        const pen = { ...penStyle(style), colour: colourOf(this.#uint(at + 16)), width: this.#int(at + 8) }
        canvas.make(this.#uint(at), { kind: 'pen', ...pen })
        return true
      }
      case emfRecords.createBrush: {
        const style = this.#uint(at + 4)
        canvas.make(this.#uint(at), brushOf(style, this.#uint(at + 8), this.#uint(at + 12)))
        return true
      }
      case emfRecords.deleteObject:
        canvas.delete(this.#uint(at))
        return true
      case emfRecords.createFont:
        canvas.make(this.#uint(at), this.#font(at + 4))
        return true
      case emfRecords.createMonochromeBrush:
      case emfRecords.createBitmapBrush:
        canvas.make(this.#uint(at), this.#picturedBrush(at + 8))
        return true
      case emfRecords.createExtendedPen: {
        const style = this.#uint(at + 20)
        // Cosmetic pens are one pixel wide.
        const width = (style & 0x10000) === 0 ? 0 : this.#uint(at + 24)
        const none = this.#uint(at + 28) === 1
        const pen = { ...penStyle(style), colour: colourOf(this.#uint(at + 32)), width }
        canvas.make(this.#uint(at), { kind: 'pen', ...pen, ...(none && { none }) })
        return true
      }
      case emfRecords.selectPalette:
        return true
      case emfRecords.createPalette:
        canvas.make(this.#uint(at), { kind: 'inert' })
        return true
      default:
        return false
    }
  }

  /** Source: [MS-EMF] 2.3.7.5 and 2.3.7.4. */
  #picturedBrush(at: number): Brush {
    const [headerAt, headerSize, bitsAt, bitsSize] = [4, 8, 12, 16].map((n) => this.#uint(at - 4 + n)) as [
      number,
      number,
      number,
      number,
    ]
    const from = at - 16
    const { buffer, byteOffset, byteLength } = this.#view
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    const header = bytes.subarray(from + headerAt, from + headerAt + headerSize)
    const bits = bytes.subarray(from + bitsAt, from + bitsAt + bitsSize)
    const dib = concatBytes([header, bits], header.length + bits.length)
    const image = headerSize >= 12 ? dibImage(dib, pixelOffset(dib)) : undefined
    if (image !== undefined) return { kind: 'brush', colour: 0x808080, image }
    this.#canvas.ignored.add('pattern')
    return { kind: 'brush', colour: 0xc0c0c0 }
  }

  /** Source: [MS-EMF] 2.2.13, LogFont. */
  #font(at: number): LogicalFont {
    const view = this.#view
    const name = this.#wide(at + 28, 32).split('\0')[0]!
    return {
      kind: 'font',
      family: name === '' ? 'Arial' : name,
      height: this.#int(at),
      angle: this.#int(at + 8) / 10,
      bold: this.#int(at + 16) >= 600,
      italic: view.getUint8(at + 20) !== 0,
      underline: view.getUint8(at + 21) !== 0,
      strike: view.getUint8(at + 22) !== 0,
      charset: view.getUint8(at + 23),
    }
  }

  #wide(at: number, count: number): string {
    let text = ''
    for (let n = 0; n < count; n += 1) text += String.fromCharCode(this.#view.getUint16(at + 2 * n, true))
    return text
  }

  #shape(type: number, at: number, end: number): boolean {
    const canvas = this.#canvas
    // In records of points, the bounds come first.
    const pointsOf = (short: boolean) => this.#points(at + 20, this.#uint(at + 16), short, end)
    const current = [canvas.state.x, canvas.state.y]
    switch (type) {
      case emfRecords.polyBezier:
      case emfRecords.polyBezier16:
        canvas.bezier(pointsOf(type === emfRecords.polyBezier16))
        return true
      case emfRecords.polygon:
      case emfRecords.polygon16:
        canvas.polygons([pointsOf(type === emfRecords.polygon16)])
        return true
      case emfRecords.polyline:
      case emfRecords.polyline16:
        canvas.polyline(pointsOf(type === emfRecords.polyline16))
        return true
      case emfRecords.polyBezierTo:
      case emfRecords.polyBezierTo16:
        this.#go([...current, ...pointsOf(type === emfRecords.polyBezierTo16)], (points) =>
          canvas.bezier(points, canvas.inPath),
        )
        return true
      case emfRecords.polylineTo:
      case emfRecords.polylineTo16:
        this.#go([...current, ...pointsOf(type === emfRecords.polylineTo16)], (points) =>
          canvas.polyline(points, canvas.inPath),
        )
        return true
      case emfRecords.polyPolyline:
      case emfRecords.polyPolyline16:
        for (const points of this.#groups(at, end, type === emfRecords.polyPolyline16))
          canvas.polyline(points)
        return true
      case emfRecords.polyPolygon:
      case emfRecords.polyPolygon16:
        canvas.polygons(this.#groups(at, end, type === emfRecords.polyPolygon16))
        return true
      case emfRecords.moveTo:
        canvas.moveTo(this.#int(at), this.#int(at + 4))
        return true
      case emfRecords.lineTo:
        canvas.lineTo(this.#int(at), this.#int(at + 4))
        return true
      case emfRecords.ellipse:
        canvas.ellipse(...(this.#ints(at, 4) as [number, number, number, number]))
        return true
      case emfRecords.rectangle:
        canvas.rectangle(...(this.#ints(at, 4) as [number, number, number, number]))
        return true
      case emfRecords.roundedRectangle: {
        const [left = 0, top = 0, right = 0, bottom = 0, across = 0, down = 0] = this.#ints(at, 6)
        canvas.rectangle(left, top, right, bottom, across / 2, down / 2)
        return true
      }
      case emfRecords.arc:
      case emfRecords.chord:
      case emfRecords.pie:
      case emfRecords.arcTo: {
        const kind = arcKinds[type]
        canvas.arc(this.#ints(at, 4), this.#ints(at + 16, 4), kind)
        return true
      }
      default:
        return false
    }
  }

  /** Draws from the current position, which moves to the last point. */
  #go(points: readonly number[], draw: (points: readonly number[]) => void): void {
    const { state } = this.#canvas
    draw(points)
    const [x, y] = points.slice(-2)
    state.x = x ?? state.x
    state.y = y ?? state.y
  }

  #groups(at: number, end: number, short: boolean): number[][] {
    const count = Math.min(this.#uint(at + 16), Math.floor((end - at) / 4))
    const counts = this.#ints(at + 24, count)
    let from = at + 24 + 4 * count
    return counts.map((pointCount) => {
      if (pointCount < 0) throw new RangeError()
      const points = this.#points(from, pointCount, short, end)
      from += pointCount * (short ? 4 : 8)
      return points
    })
  }

  #other(type: number, at: number, end: number): void {
    const canvas = this.#canvas
    switch (type) {
      case emfRecords.setPixel:
        canvas.pixel(this.#int(at), this.#int(at + 4), colourOf(this.#uint(at + 8)))
        return
      case emfRecords.offsetClip:
        canvas.moveClip(this.#int(at), this.#int(at + 4))
        return
      case emfRecords.excludeClip:
      case emfRecords.intersectClip:
        canvas.clipToRectangle(
          ...(this.#ints(at, 4) as [number, number, number, number]),
          type === emfRecords.intersectClip,
        )
        return
      case emfRecords.beginPath:
        canvas.beginPath()
        return
      case emfRecords.endPath:
        canvas.endPath()
        return
      case emfRecords.closeFigure:
        canvas.closeFigure()
        return
      case emfRecords.fillPath:
        canvas.drawPath({ fill: true })
        return
      case emfRecords.strokeAndFillPath:
        canvas.drawPath({ fill: true, stroke: true })
        return
      case emfRecords.strokePath:
        canvas.drawPath({ stroke: true })
        return
      case emfRecords.selectClipPath:
        canvas.clipToPath(this.#uint(at))
        return
      case emfRecords.abortPath:
        canvas.dropPath()
        return
      case emfRecords.comment:
        this.plus ||= this.#uint(at + 4) === 0x2b464d45
        return
      case emfRecords.fillRegion:
        canvas.region(this.#regionBoxes(at + 24, end), this.#uint(at + 20))
        return
      case emfRecords.paintRegion:
        canvas.region(this.#regionBoxes(at + 20, end), undefined)
        return
      case emfRecords.selectClipRegion:
        canvas.clipTo(
          this.#uint(at) === 0 || end - at < 40 ? undefined : this.#regionBoxes(at + 8, end),
          this.#uint(at + 4),
        )
        return
      case emfRecords.gradientFill:
        this.#gradient(at, end)
        return
      default:
        if (playBitmap(this.#view, canvas, { type, at, end })) return
        if (playText(this.#view, canvas, { type, at, end })) return
        if (drawing.has(type)) canvas.ignored.add('record')
    }
  }

  /** Source: [MS-EMF] 2.2.24 and 2.2.25, RegionData. Thousands of boxes are replaced by their bounding box. */
  #regionBoxes(at: number, end: number): ClipBox[] {
    const count = this.#uint(at + 8)
    const box = (from: number) => this.#ints(from, 4) as [number, number, number, number]
    if (count > maxBoxes || at + 32 + 16 * count > end) return [box(at + 16)]
    return Array.from({ length: count }, (_, n) => box(at + 32 + 16 * n))
  }

  /** Source: [MS-EMF] 2.3.5.12, EMR_GRADIENTFILL. Triangles are filled with the mean of their colours. */
  #gradient(at: number, end: number): void {
    const [vertices, shapes, mode] = [16, 20, 24].map((n) => this.#uint(at + n)) as [number, number, number]
    const from = at + 28
    const indexes = from + 16 * vertices
    const corners = mode === 2 ? 3 : 2
    if (indexes > end || shapes > (end - indexes) / (4 * corners)) throw new RangeError()
    const vertex = (n: number) => {
      const offset = from + 16 * this.#uint(n)
      const [red = 0, green = 0, blue = 0] = [8, 10, 12].map(
        (part) => this.#view.getUint16(offset + part, true) >> 8,
      )
      return { x: this.#int(offset), y: this.#int(offset + 4), colour: (red << 16) | (green << 8) | blue }
    }
    for (let n = 0; n < shapes; n += 1) {
      const offset = indexes + 4 * corners * n
      const all = Array.from({ length: corners }, (_, corner) => vertex(offset + 4 * corner))
      this.#canvas.shade(all, mode === 1)
    }
  }
}

const maxBoxes = 2_000

/** Records that draw something but are not read. */
const drawing = new Set<number>([
  emfRecords.angleArc,
  emfRecords.floodFill,
  emfRecords.polyDraw,
  emfRecords.frameRegion,
  emfRecords.invertRegion,
  emfRecords.parallelogramBlt,
  emfRecords.polyDraw16,
])

const arcKinds = {
  [emfRecords.arc]: 'arc',
  [emfRecords.chord]: 'chord',
  [emfRecords.pie]: 'pie',
  [emfRecords.arcTo]: 'arcTo',
} as const

/** Source: [MS-EMF] 2.2.12, LogBrushEx. */
function brushOf(style: number, colour: number, hatch: number): Brush {
  if (style === 1) return noBrush
  return { kind: 'brush', colour: colourOf(colour), ...(style === 2 && { hatch }) }
}
