import type { VectorPicture, VectorTools } from '../vector.ts'
import { pixelOffset } from './bitmap.ts'
import { MetafileCanvas } from './canvas.ts'
import type { ClipArea } from './clip.ts'
import { type DeviceState, noBrush } from './state.ts'
import { curveControl, type SvmMapping, type SvmPoints, SvmReader } from './svm-reader.ts'

const magic = 'VCLMTF'

/**
 * StarView metafiles, which OpenOffice and LibreOffice write as pictures of embedded objects and of tables. Bitmaps are drawn without
 * their transparency; what is not drawn at all is in `ignored`. Source: see `SvmReader`.
 */
export function readSvm(bytes: Uint8Array, tools: VectorTools): VectorPicture | undefined {
  if (!isSvm(bytes)) return undefined
  try {
    const header = readHeader(bytes)
    const canvas = new MetafileCanvas(tools, unit / Math.max(1, header.width / pixelSize))
    const player = new SvmPlayer(canvas, header)
    player.play(header.records, header.count, 0)
    canvas.finish()
    return {
      width: header.width,
      height: header.height,
      items: canvas.items,
      space: { width: unit, height: player.height },
      ignored: canvas.ignored,
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const isSvm = (bytes: Uint8Array): boolean =>
  bytes.length > magic.length && [...magic].every((letter, at) => bytes[at] === letter.charCodeAt(0))

/** The records by their type. Of bitmaps and masks there are three: at a point, in a box, and a part in a box. */
const recordTypes = {
  pixel: 100,
  point: 101,
  line: 102,
  rectangle: 103,
  roundedRectangle: 104,
  ellipse: 105,
  arc: 106,
  pie: 107,
  chord: 108,
  polyline: 109,
  polygon: 110,
  polygons: 111,
  text: 112,
  textWithAdvances: 113,
  stretchedText: 114,
  textInBox: 115,
  bitmap: 116,
  scaledBitmap: 117,
  bitmapPart: 118,
  maskedBitmap: 119,
  scaledMaskedBitmap: 120,
  maskedBitmapPart: 121,
  mask: 122,
  scaledMask: 123,
  maskPart: 124,
  gradient: 125,
  hatch: 126,
  wallpaper: 127,
  clipRegion: 128,
  intersectBox: 129,
  intersectRegion: 130,
  moveClip: 131,
  lineColour: 132,
  fillColour: 133,
  textColour: 134,
  textBackground: 135,
  textAlign: 136,
  mapping: 137,
  font: 138,
  save: 139,
  restore: 140,
  rasterOperation: 141,
  transparentPolygons: 142,
  eps: 143,
  referencePoint: 144,
  underlineColour: 145,
  textLine: 146,
  fadingMetafile: 147,
  gradientInOutlines: 148,
  textDirection: 149,
  textLanguage: 150,
  overlineColour: 151,
  comment: 512,
} as const

/** Width of the picture in device units. */
const unit = 1_000
/** Size of a pixel of the screen, in points. */
const pixelSize = 0.75
/** How deep metafiles in metafiles are drawn. */
const maxDepth = 4

interface Header {
  readonly mapping: SvmMapping
  /** The size of the picture, in points. */
  readonly width: number
  readonly height: number
  /** The number of records that follow the header. */
  readonly count: number
  readonly records: SvmReader
}

/** Throws RangeError for a header that is cut off or declares no size. */
function readHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const file = new SvmReader(view, magic.length, bytes.length)
  const { body } = file.structure()
  body.uint()
  const mapping = body.mapping()
  const [across, down] = body.point()
  const [perX, perY] = pointsPer(mapping)
  const [width, height] = [Math.abs(across * perX), Math.abs(down * perY)]
  if (!(width > 0 && height > 0)) throw new RangeError()
  return { mapping, width, height, count: body.uint(), records: file }
}

/** The numbers of units of coordinates, and their size in points. */
const unitSizes: readonly number[] = [
  72 / 2540,
  72 / 254,
  72 / 25.4,
  72 / 2.54,
  0.072,
  0.72,
  7.2,
  72,
  1,
  0.05,
  pixelSize,
]
/** The unit of coordinates that continue the mapping before. */
const relativeUnit = 13

const pointsPer = ({ unit: number, across, down }: SvmMapping): readonly [number, number] => {
  const size = unitSizes[number] ?? pixelSize
  return [across * size, down * size]
}

/** What a record that restores the state brings back. */
const restored: readonly (readonly [flag: number, ...keys: (keyof DeviceState)[]])[] = [
  [0x1, 'pen'],
  [0x2, 'brush'],
  [0x4, 'font'],
  [0x8, 'textColour'],
  [0x10, 'windowX', 'windowY', 'windowWidth', 'windowHeight'],
  [0x20, 'clip'],
  [0x80, 'opaqueText', 'backColour'],
  [0x100, 'textAlign'],
]
const maxStates = 1_000

/** The alignments of text by their number, as those of the other metafiles. */
const textAligns: readonly number[] = [0, 24, 8]

class SvmPlayer {
  readonly #canvas: MetafileCanvas
  readonly #saved: { readonly flags: number; readonly state: DeviceState; readonly mapping: SvmMapping }[] =
    []
  /** Height of the picture in device units. */
  readonly height: number
  readonly #perPoint: number
  #mapping: SvmMapping
  #charset = 0
  #depth = 0

  constructor(canvas: MetafileCanvas, { mapping, width, height }: Header) {
    this.#canvas = canvas
    this.#perPoint = unit / width
    this.height = Math.min(unit * 1_000, height * this.#perPoint)
    this.#mapping = mapping
    const { state } = canvas
    state.mapMode = 8
    state.viewWidth = unit
    state.viewHeight = unit
    state.opaqueText = false
    state.evenOdd = true
    state.brush = noBrush
    this.#map(mapping)
  }

  /** Coordinates of `mapping` become device units. */
  #map(mapping: SvmMapping): void {
    const { state } = this.#canvas
    const [perX, perY] = pointsPer(mapping)
    this.#mapping = mapping
    state.windowX = -mapping.x
    state.windowY = -mapping.y
    state.windowWidth = unit / (perX * this.#perPoint)
    state.windowHeight = unit / (perY * this.#perPoint)
  }

  /** Plays records until as many are played, or no more follow. */
  play(records: SvmReader, count: number, depth: number): void {
    const canvas = this.#canvas
    this.#depth = depth
    for (let n = 0; n < count && records.at < records.end && !canvas.isFull; n++) {
      const type = records.short()
      const { version, body } = records.structure()
      canvas.spendBytes(body.end - body.at)
      try {
        this.#record(type, version, body)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        canvas.ignored.add('record')
      }
    }
  }

  #record(type: number, version: number, body: SvmReader): void {
    const isPlayed =
      this.#setting(type, body) || this.#shape(type, version, body) || this.#text(type, version, body)
    if (!isPlayed) this.#other(type, body)
  }

  #setting(type: number, body: SvmReader): boolean {
    const canvas = this.#canvas
    const { state } = canvas
    switch (type) {
      case recordTypes.clipRegion: {
        const region = body.region()
        this.#clip(body.byte() === 0 ? undefined : region, false)
        return true
      }
      case recordTypes.intersectBox: {
        const box = body.box()
        if (box !== undefined) canvas.clipToRectangle(box[0], box[1], box[2] + 1, box[3] + 1)
        return true
      }
      case recordTypes.intersectRegion:
        this.#clip(body.region(), true)
        return true
      case recordTypes.moveClip:
        canvas.moveClip(...body.point())
        return true
      case recordTypes.lineColour: {
        const colour = body.colourIfSet()
        state.pen = {
          kind: 'pen',
          width: 0,
          colour: colour ?? 0,
          ...(colour === undefined && { none: true }),
        }
        return true
      }
      case recordTypes.fillColour: {
        const colour = body.colourIfSet()
        state.brush = colour === undefined ? noBrush : { kind: 'brush', colour }
        return true
      }
      case recordTypes.textColour:
        state.textColour = body.colour()
        return true
      case recordTypes.textBackground: {
        const colour = body.colourIfSet()
        state.opaqueText = colour !== undefined
        state.backColour = colour ?? state.backColour
        return true
      }
      case recordTypes.textAlign:
        state.textAlign = textAligns[body.short()] ?? 0
        return true
      case recordTypes.mapping:
        this.#remap(body.mapping())
        return true
      case recordTypes.font:
        state.font = body.font()
        this.#charset = state.font.charset
        return true
      case recordTypes.save:
        if (this.#saved.length < maxStates)
          this.#saved.push({ flags: body.short(), state: { ...state }, mapping: this.#mapping })
        return true
      case recordTypes.restore:
        this.#restore()
        return true
      case recordTypes.rasterOperation:
        if (body.short() !== 0) canvas.ignored.add('raster operation')
        return true
      default:
        return settingsOfNoEffect.has(type)
    }
  }

  #remap(mapping: SvmMapping): void {
    if (mapping.unit !== relativeUnit) {
      this.#map(mapping)
      return
    }
    const outer = this.#mapping
    this.#map({
      unit: outer.unit,
      x: mapping.x + outer.x / mapping.across,
      y: mapping.y + outer.y / mapping.down,
      across: mapping.across * outer.across,
      down: mapping.down * outer.down,
    })
  }

  #restore(): void {
    const saved = this.#saved.pop()
    if (saved === undefined) return
    const { state } = this.#canvas
    for (const [flag, ...keys] of restored)
      if ((saved.flags & flag) !== 0)
        Object.assign(state, Object.fromEntries(keys.map((key) => [key, saved.state[key]])))
    if ((saved.flags & 0x10) !== 0) this.#mapping = saved.mapping
  }

  /** Clips to outlines, or no longer without them. */
  #clip(outlines: readonly SvmPoints[] | undefined, isWithin: boolean): void {
    const canvas = this.#canvas
    if (!isWithin) canvas.clipTo(undefined)
    if (outlines === undefined) return
    this.#path(outlines, true)
    canvas.clipToPath()
  }

  #shape(type: number, version: number, body: SvmReader): boolean {
    const canvas = this.#canvas
    switch (type) {
      case recordTypes.pixel: {
        const [x, y] = body.point()
        canvas.pixel(x, y, body.colour())
        return true
      }
      case recordTypes.point: {
        const [x, y] = body.point()
        canvas.pixel(x, y, canvas.state.pen.colour)
        return true
      }
      case recordTypes.line: {
        const points = [...body.point(), ...body.point()]
        this.#line({ points }, version >= 2 ? body.line() : undefined)
        return true
      }
      case recordTypes.rectangle:
      case recordTypes.roundedRectangle:
      case recordTypes.ellipse: {
        const box = body.box()
        if (box === undefined) return true
        if (type === recordTypes.ellipse) canvas.ellipse(...box)
        else if (type === recordTypes.rectangle) canvas.rectangle(...box)
        else canvas.rectangle(...box, body.uint(), body.uint())
        return true
      }
      case recordTypes.arc:
      case recordTypes.pie:
      case recordTypes.chord: {
        const box = body.box()
        const kind = type === recordTypes.arc ? 'arc' : type === recordTypes.pie ? 'pie' : 'chord'
        if (box !== undefined) canvas.arc(box, [...body.point(), ...body.point()], kind)
        return true
      }
      case recordTypes.polyline: {
        const straight = body.points()
        const style = version >= 2 ? body.line() : undefined
        this.#line(version >= 3 && body.byte() !== 0 ? body.curve() : straight, style)
        return true
      }
      case recordTypes.polygon: {
        const straight = body.points()
        this.#fill([version >= 2 && body.byte() !== 0 ? body.curve() : straight])
        return true
      }
      case recordTypes.polygons:
        this.#fill(body.polygons({ curves: version >= 2 }))
        return true
      case recordTypes.transparentPolygons: {
        const outlines = body.polygons({ curves: false })
        this.#fill(outlines, 1 - Math.min(100, body.short()) / 100)
        return true
      }
      default:
        return false
    }
  }

  #line(line: SvmPoints, style: ReturnType<SvmReader['line']> | undefined): void {
    const { state } = this.#canvas
    const { pen } = state
    if (style !== undefined) state.pen = { ...pen, ...style, ...(pen.none === true && { none: true }) }
    this.#path([line], false)
    this.#canvas.drawPath({ stroke: true })
    state.pen = pen
  }

  #fill(outlines: readonly SvmPoints[], opacity = 1): void {
    this.#path(outlines, true)
    const { state } = this.#canvas
    const { brush } = state
    if (opacity < 1) state.brush = { ...brush, opacity }
    this.#canvas.drawPath({ fill: true, stroke: opacity === 1 })
    state.brush = brush
  }

  /** Makes outlines the current path. */
  #path(outlines: readonly SvmPoints[], isClosed: boolean): void {
    const canvas = this.#canvas
    canvas.state.x = outlines[0]?.points[0] ?? 0
    canvas.state.y = outlines[0]?.points[1] ?? 0
    canvas.beginPath()
    for (const { points, kinds } of outlines) {
      canvas.moveTo(points[0] ?? 0, points[1] ?? 0)
      for (let at = 2; at < points.length; ) {
        const isCurve = kinds?.[at / 2] === curveControl && at + 4 <= points.length
        const end = Math.min(points.length, at + (isCurve ? 6 : 2))
        const part = points.slice(at - 2, end)
        // A curve that ends where the outline began may leave its last point out.
        if (isCurve && part.length < 8) part.push(points[0] ?? 0, points[1] ?? 0)
        if (isCurve) canvas.bezier(part, true)
        else canvas.polyline(part, true)
        at = end
      }
      if (isClosed) canvas.closeFigure()
    }
    canvas.endPath()
  }

  #text(type: number, version: number, body: SvmReader): boolean {
    const canvas = this.#canvas
    switch (type) {
      case recordTypes.text:
      case recordTypes.textWithAdvances:
      case recordTypes.stretchedText: {
        const at = body.point()
        const narrow = body.byteText(this.#charset)
        const width = type === recordTypes.stretchedText ? body.uint() : 0
        const [from, count] = [body.short(), body.short()]
        const ends = type === recordTypes.textWithAdvances ? advancesIn(body) : []
        const all = version >= 2 ? body.wideText() : narrow
        const text = all.slice(from, from + count)
        const isStretched = width > 0 && text.length > 0
        const advances = isStretched ? [...text].map(() => width / text.length) : ends
        canvas.text({ text, at, advances })
        return true
      }
      case recordTypes.textInBox: {
        const box = body.box()
        const narrow = body.byteText(this.#charset)
        body.short()
        const text = version >= 2 ? body.wideText() : narrow
        if (box === undefined) return true
        const { state } = canvas
        const align = state.textAlign
        state.textAlign = 0
        canvas.text({ text, at: [box[0], box[1]], advances: [] })
        state.textAlign = align
        return true
      }
      case recordTypes.textLine: {
        const [x, y] = body.point()
        const width = body.int()
        const isStruck = body.uint() !== 0
        const { font, textColour } = canvas.state
        const size = Math.abs(font.height)
        const brush = { kind: 'brush', colour: textColour } as const
        canvas.fillBox(x, y + (isStruck ? -0.3 : 0.1) * size, width, 0.06 * size, brush)
        return true
      }
      default:
        return false
    }
  }

  #other(type: number, body: SvmReader): void {
    const canvas = this.#canvas
    switch (type) {
      case recordTypes.bitmap:
      case recordTypes.scaledBitmap:
      case recordTypes.bitmapPart:
      case recordTypes.maskedBitmap:
      case recordTypes.scaledMaskedBitmap:
      case recordTypes.maskedBitmapPart:
        this.#bitmap(body, (type - recordTypes.bitmap) % 3, type >= recordTypes.maskedBitmap)
        return
      case recordTypes.gradient: {
        const box = body.box()
        if (box !== undefined) this.#gradient(box, body)
        return
      }
      case recordTypes.fadingMetafile:
        this.#nested(body)
        return
      default:
        canvas.ignored.add(unread.get(type) ?? 'record')
    }
  }

  /** A bitmap with its file header: at a point, in a box, or a part of it in a box. */
  #bitmap(body: SvmReader, kind: number, isMasked: boolean): void {
    const image = bitmapIn(body)
    if (isMasked && isTransparent(body)) this.#canvas.ignored.add('transparency of bitmaps')
    const dib = image.subarray(14)
    const header = new DataView(dib.buffer, dib.byteOffset, dib.byteLength)
    const [across, down] = [header.getInt32(4, true), Math.abs(header.getInt32(8, true))]
    const [x, y] = body.point()
    const [perX, perY] = pointsPer(this.#mapping)
    const size = kind === 0 ? [(across * pixelSize) / perX, (down * pixelSize) / perY] : body.point()
    const box: ClipArea = [x, y, size[0] ?? 0, size[1] ?? 0]
    const source = kind === 2 ? ([...body.point(), ...body.point()] as unknown as ClipArea) : undefined
    this.#canvas.bitmap(dib, pixelOffset(dib), box, source === undefined ? {} : { source })
  }

  /** Straight gradients along an axis are drawn as such, others in their middle colour. */
  #gradient([left, top, right, bottom]: readonly [number, number, number, number], from: SvmReader): void {
    const { body } = from.structure()
    const style = body.short()
    const [start, end] = [body.wideColour(), body.wideColour()]
    const angle = body.short() % 3_600
    const canvas = this.#canvas
    const isStraight = style === 0 && angle % 900 === 0
    if (!isStraight) {
      canvas.ignored.add('gradient')
      const middle = [16, 8, 0].reduce(
        (sum, shift) => sum | (((((start >> shift) & 255) + ((end >> shift) & 255)) >> 1) << shift),
        0,
      )
      canvas.fillBox(left, top, right - left, bottom - top, { kind: 'brush', colour: middle })
      return
    }
    const isTurned = angle === 1_800 || angle === 2_700
    const colours: readonly [number, number] = isTurned ? [end, start] : [start, end]
    const corners = [
      { x: left, y: top, colour: colours[0] },
      { x: right, y: bottom, colour: colours[1] },
    ]
    canvas.shade(corners, angle % 1_800 === 0)
  }

  /** A metafile that fades: it is drawn without fading, in its box. */
  #nested(body: SvmReader): void {
    const canvas = this.#canvas
    if (this.#depth >= maxDepth) {
      canvas.ignored.add('nested picture')
      return
    }
    const all = body.bytes(body.end - body.at)
    const { mapping, width, height, count, records } = readHeader(all)
    const [before, depth, outer] = [{ ...canvas.state }, this.#depth, this.#mapping]
    // The records come before the box, so they are passed over once to find it.
    const inner = new SvmReader(
      new DataView(all.buffer, all.byteOffset, all.byteLength),
      records.at,
      all.length,
    )
    passRecords(records, count)
    const [x, y] = records.point()
    const [across, down] = records.point()
    const [perX, perY] = pointsPer(outer)
    const [innerX, innerY] = pointsPer(mapping)
    const scale = [(across * perX) / width, (down * perY) / height] as const
    canvas.ignored.add('transparency')
    this.#map({
      unit: mapping.unit,
      across: mapping.across * scale[0],
      down: mapping.down * scale[1],
      x: mapping.x + ((x + outer.x) * perX) / (innerX * scale[0]),
      y: mapping.y + ((y + outer.y) * perY) / (innerY * scale[1]),
    })
    this.play(inner, count, depth + 1)
    canvas.state = before
    this.#depth = depth
    this.#mapping = outer
  }
}

function passRecords(records: SvmReader, count: number): void {
  for (let n = 0; n < count; n++) {
    records.short()
    records.structure()
  }
}

/** The advance of each UTF-16 unit, from where each of them ends. */
function advancesIn(body: SvmReader): number[] {
  const count = body.uint()
  if (4 * count > body.end - body.at) throw new RangeError()
  let before = 0
  return Array.from({ length: count }, () => {
    const end = body.int()
    const advance = end - before
    before = end
    return advance
  })
}

/** A bitmap in the form of a file. The size in its header is 0 where its writer did not know it. */
function bitmapIn(body: SvmReader): Uint8Array {
  const head = new SvmReader(body.view, body.at, body.end)
  const bytes = head.bytes(54)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(0, true) !== 0x4d42) throw new RangeError()
  const [pixelsAt, declared] = [view.getUint32(10, true), view.getUint32(34, true)]
  const [across, down] = [view.getInt32(18, true), Math.abs(view.getInt32(22, true))]
  const row = Math.ceil((across * view.getUint16(28, true)) / 32) * 4
  return body.bytes(pixelsAt + (declared === 0 ? row * down : declared))
}

/** Passes over what follows a bitmap with transparency, and says whether any pixel may be transparent. */
function isTransparent(body: SvmReader): boolean {
  const isMarked = body.end - body.at >= 9 && body.uintAhead() === 0x25091962
  if (!isMarked) return false
  body.bytes(8)
  const kind = body.byte()
  if (kind === 2) bitmapIn(body)
  if (kind === 1) body.wideColour()
  return kind !== 0
}

/** Records that set what is not drawn. Gradients in outlines follow in plain records once more. */
const settingsOfNoEffect = new Set<number>([
  recordTypes.referencePoint,
  recordTypes.underlineColour,
  recordTypes.gradientInOutlines,
  recordTypes.textDirection,
  recordTypes.textLanguage,
  recordTypes.overlineColour,
  recordTypes.comment,
])

/** What the records that are not drawn are called in `ignored`. */
const unread: ReadonlyMap<number, string> = new Map<number, string>([
  [recordTypes.mask, 'mask'],
  [recordTypes.scaledMask, 'mask'],
  [recordTypes.maskPart, 'mask'],
  [recordTypes.hatch, 'hatch'],
  [recordTypes.wallpaper, 'wallpaper'],
  [recordTypes.eps, 'EPS'],
])
