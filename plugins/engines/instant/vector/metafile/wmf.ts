import { concatBytes } from '../../../../../shared/bytes.ts'
import type { VectorPicture, VectorTools } from '../vector.ts'
import { dibImage, pixelOffset } from './bitmap.ts'
import { MetafileCanvas } from './canvas.ts'
import { decodeText } from './charset.ts'
import type { ClipArea, ClipBox } from './clip.ts'
import { readEmf } from './emf.ts'
import { perUnit } from './emf-text.ts'
import { type Brush, colourOf, type LogicalFont, noBrush, penStyle } from './state.ts'
import { wmfRecords } from './wmf-records.ts'

const placeableKey = 0x9ac6cdd7

/** Windows metafiles, with and without the placeable header. Source: [MS-WMF]. */
export function readWmf(bytes: Uint8Array, tools: VectorTools): VectorPicture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 18) return undefined
  const placeable = bytes.length >= 40 && view.getUint32(0, true) === placeableKey
  const start = placeable ? 22 : 0
  const type = view.getUint16(start, true)
  if ((type !== 1 && type !== 2) || view.getUint16(start + 2, true) !== 9) return undefined
  const enhanced = embeddedEmf(view, start + 18)
  const inner = enhanced === undefined ? undefined : readEmf(enhanced, tools)
  if (inner !== undefined && inner.items.length > 0) return inner
  const perInch = placeable ? view.getUint16(14, true) || 96 : 1440
  const across = placeable ? Math.abs(view.getInt16(10, true) - view.getInt16(6, true)) : 0
  const canvas = new MetafileCanvas(tools, across === 0 ? 1 : (unit * perInch) / (96 * across))
  const { state } = canvas
  state.mapMode = 8
  state.evenOdd = true
  let box: readonly [number, number] | undefined
  if (placeable) {
    const [left, top, right, bottom] = [6, 8, 10, 12].map((at) => view.getInt16(at, true)) as [
      number,
      number,
      number,
      number,
    ]
    box = [Math.abs(right - left), Math.abs(bottom - top)]
    state.windowX = left
    state.windowY = top
    state.windowWidth = right - left || 1
    state.windowHeight = bottom - top || 1
  }
  const player = new WmfPlayer(view, canvas, box)
  player.play(start + 18)
  canvas.finish()
  const [width, height] = box ?? player.extent
  if (!(width > 0 && height > 0)) return undefined
  return {
    width: (width / perInch) * 72,
    height: (height / perInch) * 72,
    items: canvas.items,
    space: { width: unit, height: player.height },
    ignored: canvas.ignored,
  }
}

/** Width of the picture in device units. */
const unit = 1_000

class WmfPlayer {
  /** The file up to the end of the record that is played, so that no record reads what is after it. */
  #view: DataView
  readonly #canvas: MetafileCanvas
  /** Size of the window in logical units. */
  extent: readonly [number, number] = [0, 0]

  /** Height of the picture in device units, which are square, so that lines have the same width in both directions. */
  height = unit
  readonly #placeable: boolean

  constructor(view: DataView, canvas: MetafileCanvas, box: readonly [number, number] | undefined) {
    this.#view = view
    this.#canvas = canvas
    this.#placeable = box !== undefined
    canvas.state.viewWidth = unit
    this.#fit(box ?? [1, 1])
  }

  #fit([width, height]: readonly [number, number]): void {
    if (width > 0 && height > 0) this.height = Math.min(unit * 1_000, (unit * height) / width)
    this.#canvas.state.viewHeight = this.height
  }

  play(from: number): void {
    const view = this.#view
    for (let at = from; at + 6 <= view.byteLength; ) {
      const size = view.getUint32(at, true) * 2
      const type = view.getUint16(at + 4, true)
      if (size < 6 || at + size > view.byteLength || type === 0 || this.#canvas.isFull) return
      this.#canvas.spendBytes(size)
      this.#view = new DataView(view.buffer, view.byteOffset, at + size)
      try {
        this.#record(type, at + 6, at + size)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.#canvas.ignored.add('record')
      }
      at += size
    }
  }

  #int(at: number): number {
    return this.#view.getInt16(at, true)
  }
  #uint(at: number): number {
    return this.#view.getUint16(at, true)
  }
  /** Parameters are stored in reverse order in most records. */
  #reversed(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, n) => this.#int(at + 2 * (count - 1 - n)))
  }
  #points(at: number, count: number): number[] {
    if (at + 4 * count > this.#view.byteLength) throw new RangeError()
    return Array.from({ length: 2 * count }, (_, n) => this.#int(at + 2 * n))
  }

  #record(type: number, at: number, end: number): void {
    if (this.#setting(type, at) || this.#object(type, at, end) || this.#shape(type, at)) return
    this.#other(type, at, end)
  }

  #setting(type: number, at: number): boolean {
    const canvas = this.#canvas
    const { state } = canvas
    switch (type) {
      case wmfRecords.setWindowOrigin:
        ;[state.windowX, state.windowY] = this.#reversed(at, 2) as [number, number]
        return true
      case wmfRecords.setWindowExtent:
        ;[state.windowWidth, state.windowHeight] = this.#reversed(at, 2) as [number, number]
        this.extent = [Math.abs(state.windowWidth), Math.abs(state.windowHeight)]
        if (!this.#placeable) this.#fit(this.extent)
        return true
      case wmfRecords.offsetWindowOrigin:
      case wmfRecords.scaleWindowExtent:
        this.#moveWindow(type, at)
        return true
      case wmfRecords.setRasterOperation:
        state.operation = this.#uint(at)
        return true
      case wmfRecords.setLetterSpacing:
        state.letterSpacing = this.#int(at)
        return true
      case wmfRecords.setBackgroundMode:
        state.opaqueText = this.#uint(at) === 2
        return true
      case wmfRecords.setPolyFillMode:
        state.evenOdd = this.#uint(at) !== 2
        return true
      case wmfRecords.setTextAlign:
        state.textAlign = this.#uint(at)
        return true
      case wmfRecords.setTextColour:
        state.textColour = colourOf(this.#view.getUint32(at, true))
        return true
      case wmfRecords.setBackgroundColour:
        state.backColour = colourOf(this.#view.getUint32(at, true))
        return true
      case wmfRecords.saveState:
        canvas.save()
        return true
      case wmfRecords.restoreState:
        canvas.restore(this.#int(at))
        return true
      default:
        return false
    }
  }

  #moveWindow(type: number, at: number): void {
    const { state } = this.#canvas
    if (type === wmfRecords.offsetWindowOrigin) {
      const [x = 0, y = 0] = this.#reversed(at, 2)
      state.windowX += x
      state.windowY += y
      return
    }
    const [across = 1, perX = 1, down = 1, perY = 1] = this.#reversed(at, 4)
    state.windowWidth *= across / (perX || 1)
    state.windowHeight *= down / (perY || 1)
  }

  #object(type: number, at: number, end: number): boolean {
    const canvas = this.#canvas
    const view = this.#view
    switch (type) {
      case wmfRecords.createPen:
        canvas.makeNext({
          kind: 'pen',
          ...penStyle(this.#uint(at)),
          width: this.#int(at + 2),
          colour: colourOf(view.getUint32(at + 6, true)),
        })
        return true
      case wmfRecords.createBrush: {
        const hatch = this.#uint(at + 6)
        const style = this.#uint(at)
        const colour = colourOf(view.getUint32(at + 2, true))
        const hatched = style === 2 && { hatch }
        canvas.makeNext(style === 1 ? noBrush : { kind: 'brush', colour, ...hatched })
        return true
      }
      case wmfRecords.createFont:
        canvas.makeNext(this.#font(at))
        return true
      case wmfRecords.createBitmapBrush:
        canvas.makeNext(this.#picturedBrush(at, end))
        return true
      case wmfRecords.createPatternBrush:
        canvas.ignored.add('pattern')
        canvas.makeNext({ kind: 'brush', colour: 0xc0c0c0 })
        return true
      // Palettes and regions have a number too.
      case wmfRecords.createPalette:
      case wmfRecords.createRegion:
        canvas.makeNext({ kind: 'inert' })
        return true
      case wmfRecords.selectObject:
        canvas.select(this.#uint(at))
        return true
      case wmfRecords.deleteObject:
        canvas.delete(this.#uint(at))
        return true
      default:
        return false
    }
  }

  /** Source: [MS-WMF] 2.3.4.8. */
  #picturedBrush(at: number, end: number): Brush {
    const { buffer, byteOffset } = this.#view
    const dib = new Uint8Array(buffer, byteOffset + at + 4, Math.max(0, end - at - 4))
    const image = dib.length >= 40 ? dibImage(dib, pixelOffset(dib)) : undefined
    if (image === undefined) this.#canvas.ignored.add('pattern')
    return { kind: 'brush', colour: 0xc0c0c0, ...(image && { image }) }
  }

  #font(at: number): LogicalFont {
    const view = this.#view
    const all = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(at + 18, at + 50)
    const ended = all.indexOf(0)
    const name = ended < 0 ? all : all.subarray(0, ended)
    const charset = view.getUint8(at + 13)
    // Names of symbol fonts are ASCII.
    const family = decodeText(name, charset === 2 ? 0 : charset).text
    return {
      kind: 'font',
      family: family === '' ? 'Arial' : family,
      height: this.#int(at),
      angle: this.#int(at + 4) / 10,
      bold: this.#int(at + 8) >= 600,
      italic: view.getUint8(at + 10) !== 0,
      underline: view.getUint8(at + 11) !== 0,
      strike: view.getUint8(at + 12) !== 0,
      charset,
    }
  }

  #shape(type: number, at: number): boolean {
    const canvas = this.#canvas
    switch (type) {
      case wmfRecords.moveTo: {
        const [x = 0, y = 0] = this.#reversed(at, 2)
        canvas.moveTo(x, y)
        return true
      }
      case wmfRecords.lineTo: {
        const [x = 0, y = 0] = this.#reversed(at, 2)
        canvas.lineTo(x, y)
        return true
      }
      case wmfRecords.rectangle:
      case wmfRecords.ellipse: {
        const box = this.#reversed(at, 4) as [number, number, number, number]
        if (type === wmfRecords.rectangle) canvas.rectangle(...box)
        else canvas.ellipse(...box)
        return true
      }
      case wmfRecords.roundedRectangle: {
        const [left = 0, top = 0, right = 0, bottom = 0, across = 0, down = 0] = this.#reversed(at, 6)
        canvas.rectangle(left, top, right, bottom, across / 2, down / 2)
        return true
      }
      case wmfRecords.polygon:
        canvas.polygons([this.#points(at + 2, this.#uint(at))])
        return true
      case wmfRecords.polyline:
        canvas.polyline(this.#points(at + 2, this.#uint(at)))
        return true
      case wmfRecords.polyPolygon:
        canvas.polygons(this.#groups(at))
        return true
      case wmfRecords.arc:
      case wmfRecords.pie:
      case wmfRecords.chord: {
        const [left = 0, top = 0, right = 0, bottom = 0, ...rays] = this.#reversed(at, 8)
        const kind = type === wmfRecords.arc ? 'arc' : type === wmfRecords.pie ? 'pie' : 'chord'
        canvas.arc([left, top, right, bottom], rays, kind)
        return true
      }
      default:
        return false
    }
  }

  #groups(at: number): number[][] {
    const count = this.#uint(at)
    if (at + 2 + 2 * count > this.#view.byteLength) throw new RangeError()
    const counts = Array.from({ length: count }, (_, n) => this.#uint(at + 2 + 2 * n))
    let from = at + 2 + 2 * count
    return counts.map((pointCount) => {
      const points = this.#points(from, pointCount)
      from += 4 * pointCount
      return points
    })
  }

  #other(type: number, at: number, end: number): void {
    const canvas = this.#canvas
    switch (type) {
      case wmfRecords.excludeClip:
      case wmfRecords.intersectClip:
        canvas.clipToRectangle(
          ...(this.#reversed(at, 4) as [number, number, number, number]),
          type === wmfRecords.intersectClip,
        )
        return
      case wmfRecords.offsetClip:
        canvas.moveClip(...(this.#reversed(at, 2) as [number, number]))
        return
      case wmfRecords.setPixel: {
        const [x = 0, y = 0] = this.#reversed(at + 4, 2)
        canvas.pixel(x, y, colourOf(this.#view.getUint32(at, true)))
        return
      }
      case wmfRecords.patternBlt:
        canvas.operate(this.#view.getUint32(at, true), ...(this.#reversed(at + 4, 4) as unknown as ClipArea))
        return
      case wmfRecords.text: {
        const length = this.#uint(at)
        const after = at + 2 + length + (length % 2)
        const [x = 0, y = 0] = this.#reversed(after, 2)
        canvas.text({ text: this.#decoded(at + 2, length).text, at: [x, y], advances: [] })
        return
      }
      case wmfRecords.extendedText:
        this.#extendedText(at, end)
        return
      // The operation, then the source box, the target box, and the bitmap if there is one.
      case wmfRecords.independentStretchBlt:
        if (end - at > 24) this.#bitmap(at, end, { size: 4, target: 12, dib: 20 })
        else this.#operate(at, 14)
        return
      case wmfRecords.independentBitBlt:
        if (end - at > 20) this.#bitmap(at, end, { size: 0, target: 8, dib: 16 })
        else this.#operate(at, 10)
        return
      case wmfRecords.stretchDiBits:
        if (end - at > 24) this.#bitmap(at, end, { size: 6, target: 14, dib: 22 })
        return
      case wmfRecords.setDiBitsToDevice:
        if (end - at > 20) this.#bitmap(at, end, { size: 0, target: 10, dib: 18 })
        return
      case wmfRecords.bitBlt:
      case wmfRecords.stretchBlt:
        // Bitmaps in the format of one device cannot be read: only boxes without a bitmap are drawn.
        if (type === wmfRecords.bitBlt && end - at <= 20) this.#operate(at, 10)
        else canvas.ignored.add('bitmap')
        return
      default:
        if (drawing.has(type)) canvas.ignored.add('record')
    }
  }

  #operate(at: number, boxAt: number): void {
    this.#canvas.operate(
      this.#view.getUint32(at, true),
      ...(this.#reversed(at + boxAt, 4) as unknown as ClipArea),
    )
  }

  #decoded(at: number, length: number) {
    const { buffer, byteOffset, byteLength } = this.#view
    if (at + length > byteLength) throw new RangeError()
    return decodeText(new Uint8Array(buffer, byteOffset + at, length), this.#canvas.state.font.charset)
  }

  /** Source: [MS-WMF] 2.3.3.5. */
  #extendedText(at: number, end: number): void {
    const [y, x, length, options] = [this.#int(at), this.#int(at + 2), this.#int(at + 4), this.#uint(at + 6)]
    const boxed = (options & 6) !== 0
    const from = at + 8 + (boxed ? 8 : 0)
    if (length < 0 || from + length > end) throw new RangeError()
    const advancesAt = from + length + (length % 2)
    const fits = advancesAt + 2 * length <= end
    const advances = fits ? Array.from({ length }, (_, n) => this.#int(advancesAt + 2 * n)) : []
    const { text, sizes } = this.#decoded(from, length)
    const box = this.#points(at + 8, boxed ? 2 : 0) as unknown as ClipBox
    this.#canvas.text(
      { text, at: [x, y], advances: perUnit(advances, sizes) },
      { ...(boxed && { box }), filled: (options & 2) !== 0, clipped: (options & 4) !== 0 },
    )
  }

  /** Source: [MS-WMF] 2.3.1. Source rows count from the bottom of the bitmap in `stretchDiBits` and `setDiBitsToDevice`, else from its top. */
  #bitmap(at: number, end: number, offsets: { size: number; target: number; dib: number }): void {
    const { buffer, byteOffset } = this.#view
    const dib = new Uint8Array(buffer, byteOffset + at + offsets.dib, end - at - offsets.dib)
    const [x = 0, y = 0, width = 0, height = 0] = this.#reversed(at + offsets.target, 4)
    const operation = this.#view.getUint32(at, true)
    this.#canvas.bitmap(dib, pixelOffset(dib), [x, y, width, height], {
      ...(offsets.dib !== 18 && { operation }),
      ...(offsets.dib === 16 && { from: this.#reversed(at + 4, 2) as [number, number] }),
      ...(offsets.size > 0 && { source: this.#source(at, offsets.size, dib) }),
    })
  }

  #source(at: number, sizeAt: number, dib: Uint8Array): ClipArea {
    const [x = 0, y = 0, width = 0, height = 0] = this.#reversed(at + sizeAt, 4)
    const tall = new DataView(dib.buffer, dib.byteOffset, dib.byteLength).getInt32(8, true)
    return [x, sizeAt === 6 && tall > 0 ? tall - y - height : y, width, height]
  }
}

/** Records that draw something but are not read. */
const drawing = new Set<number>([
  wmfRecords.invertRegion,
  wmfRecords.paintRegion,
  wmfRecords.fillRegion,
  wmfRecords.floodFill,
  wmfRecords.frameRegion,
  wmfRecords.extendedFloodFill,
])

/**
 * The same picture as an enhanced metafile, whose chunks are comments of the WMF; undefined when there is none or a
 * chunk is missing. Source: [MS-WMF] 2.3.6.1, META_ESCAPE_ENHANCED_METAFILE.
 */
function embeddedEmf(view: DataView, from: number): Uint8Array | undefined {
  const segments: Uint8Array[] = []
  let [received, declared] = [0, 0]
  for (let at = from; at + 6 <= view.byteLength; ) {
    const size = view.getUint32(at, true) * 2
    if (size < 6 || at + size > view.byteLength) break
    const comment =
      view.getUint16(at + 4, true) === wmfRecords.escape && size >= 44 && view.getUint16(at + 6, true) === 15
    if (comment && view.getUint32(at + 10, true) === 0x43464d57 && view.getUint32(at + 14, true) === 1) {
      const length = view.getUint32(at + 32, true)
      declared = view.getUint32(at + 40, true)
      if (44 + length > size) return undefined
      segments.push(new Uint8Array(view.buffer, view.byteOffset + at + 44, length))
      received += length
    }
    at += size
  }
  if (segments.length === 0 || received < declared) return undefined
  return concatBytes(segments, received)
}
