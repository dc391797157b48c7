import { decodeText } from './charset.ts'
import type { LogicalFont, Pen } from './state.ts'

/**
 * Reads the values that StarView metafiles are made of, little-endian. No read goes beyond the end of the record. Source: the
 * files that OpenOffice and LibreOffice write beside embedded objects; no standard describes them.
 */
export class SvmReader {
  readonly view: DataView
  at: number
  readonly end: number

  constructor(view: DataView, at: number, end: number) {
    this.view = view
    this.at = at
    this.end = end
  }

  #skip(size: number): number {
    const { at } = this
    if (size < 0 || at + size > this.end) throw new RangeError()
    this.at += size
    return at
  }
  byte(): number {
    return this.view.getUint8(this.#skip(1))
  }
  short(): number {
    return this.view.getUint16(this.#skip(2), true)
  }
  int(): number {
    return this.view.getInt32(this.#skip(4), true)
  }
  uint(): number {
    return this.view.getUint32(this.#skip(4), true)
  }
  /** The next number, which is not consumed. */
  uintAhead(): number {
    const value = this.uint()
    this.at -= 4
    return value
  }
  bytes(size: number): Uint8Array {
    const at = this.#skip(size)
    return new Uint8Array(this.view.buffer, this.view.byteOffset + at, size)
  }

  /** A structure with its version and its size in bytes, so that what later versions add to its end is passed over. */
  structure(): { readonly version: number; readonly body: SvmReader } {
    const version = this.short()
    const size = this.uint()
    const at = this.#skip(size)
    return { version, body: new SvmReader(this.view, at, at + size) }
  }

  /** The text of version 1 of a record, of which a later version holds the Unicode form after it. */
  byteText(charset: number): string {
    return decodeText(this.bytes(this.short()), charset).text
  }
  wideText(): string {
    const units = this.short()
    return new TextDecoder('utf-16le').decode(this.bytes(2 * units))
  }

  /** 0xRRGGBB, from the form of records. */
  colour(): number {
    return this.uint() & 0xffffff
  }
  /** A colour and whether it is set; undefined when it is not. */
  colourIfSet(): number | undefined {
    const colour = this.colour()
    return this.byte() === 0 ? undefined : colour
  }
  /** 0xRRGGBB, from the form of gradients: a number of a fixed colour, or three values of 16 bits. */
  wideColour(): number {
    const isOwn = (this.short() & 0x8000) !== 0
    if (!isOwn) return 0
    const [red, green, blue] = [this.short() >> 8, this.short() >> 8, this.short() >> 8]
    return (red << 16) | (green << 8) | blue
  }

  point(): [x: number, y: number] {
    return [this.int(), this.int()]
  }
  /** The edges of a box; undefined for an empty one, whose right or lower edge has a special value. */
  box(): [left: number, top: number, right: number, bottom: number] | undefined {
    const [left, top, right, bottom] = [this.int(), this.int(), this.int(), this.int()]
    return right === emptyEdge || bottom === emptyEdge ? undefined : [left, top, right, bottom]
  }

  points(): SvmPoints {
    const count = this.short()
    if (8 * count > this.end - this.at) throw new RangeError()
    return { points: Array.from({ length: 2 * count }, () => this.int()) }
  }
  /** Points with the kind of each: two control points stand between the ends of a curve. */
  curve(): SvmPoints {
    const { body } = this.structure()
    const { points } = body.points()
    if (body.byte() === 0) return { points }
    return { points, kinds: body.bytes(points.length / 2) }
  }
  /** Polygons; those with curves follow a second time in their full form. */
  polygons({ curves }: { readonly curves: boolean }): SvmPoints[] {
    const count = this.short()
    if (2 * count > this.end - this.at) throw new RangeError()
    const polygons = Array.from({ length: count }, () => this.points())
    if (!curves || this.at >= this.end) return polygons
    const curved = this.short()
    for (let n = 0; n < curved; n++) {
      const index = this.short()
      const curve = this.curve()
      if (index < polygons.length) polygons[index] = curve
    }
    return polygons
  }

  /** The outlines of a region; undefined for one without an edge. */
  region(): SvmPoints[] | undefined {
    const { version, body } = this.structure()
    body.short()
    const kind = body.short()
    if (kind === regionKinds.endless) return undefined
    if (kind === regionKinds.empty) return []
    const boxes: SvmPoints[] = []
    let [top, bottom] = [0, 0]
    for (let part = body.short(); part !== regionParts.end; part = body.short()) {
      const [from, to] = [body.int(), body.int()]
      if (part === regionParts.rows) [top, bottom] = [from, to]
      else boxes.push({ points: [from, top, to, top, to, bottom, from, bottom] })
    }
    const isOutlined = version >= 2 && body.at < body.end && body.byte() !== 0
    return isOutlined ? body.polygons({ curves: false }) : boxes
  }

  /** The style of a line without its colour. */
  line(): Omit<Pen, 'kind' | 'colour'> {
    const { version, body } = this.structure()
    const style = body.short()
    const width = body.int()
    if (style === lineStyles.none) return { width, none: true }
    if (style !== lineStyles.dashed || version < 2 || width <= 0) return { width }
    const [dashes, dash, dots, dot, gap] = [body.short(), body.int(), body.short(), body.int(), body.int()]
    const once = [
      ...Array.from({ length: Math.min(dashes, maxDashes) }, () => [dash / width, gap / width]),
      ...Array.from({ length: Math.min(dots, maxDashes) }, () => [dot / width, gap / width]),
    ].flat()
    return once.some((length) => length > 0) ? { width, dash: once } : { width }
  }

  font(): LogicalFont & { readonly charset: number } {
    const { body } = this.structure()
    const family = body.byteText(0)
    body.byteText(0)
    body.int()
    const height = body.int()
    const charset = body.short()
    body.short()
    body.short()
    const [weight, underline, strike, italic] = [body.short(), body.short(), body.short(), body.short()]
    body.short()
    body.short()
    const angle = (body.short() << 16) >> 16
    return {
      kind: 'font',
      family: family.split(';')[0]?.trim() || 'Arial',
      height: -Math.abs(height),
      angle: angle / 10,
      bold: weight >= semiBold,
      italic: italic === 1 || italic === 2,
      underline: underline !== 0 && underline !== unknownLine,
      strike: strike !== 0 && strike !== unknownLine,
      charset,
    }
  }

  /** How the coordinates that follow are placed and scaled. */
  mapping(): SvmMapping {
    const { body } = this.structure()
    const unit = body.short()
    const [x, y] = body.point()
    const fraction = (): number => {
      const [above, below] = [body.int(), body.int()]
      return above === 0 || below === 0 ? 1 : above / below
    }
    return { unit, x, y, across: fraction(), down: fraction() }
  }
}

/** Points as pairs of coordinates. */
export interface SvmPoints {
  readonly points: readonly number[]
  /** `curveControl` for a control point of a curve. */
  readonly kinds?: Uint8Array
}
export const curveControl = 2

/** Coordinates are moved by `x` and `y`, then scaled, and are then in the unit of that number. */
export interface SvmMapping {
  readonly unit: number
  readonly x: number
  readonly y: number
  readonly across: number
  readonly down: number
}

const emptyEdge = -32_767
const regionKinds = { endless: 0, empty: 1 } as const
const regionParts = { rows: 0, end: 2 } as const
const lineStyles = { none: 0, dashed: 2 } as const
const maxDashes = 8
const semiBold = 7
/** The kind of an underline that is not set. */
const unknownLine = 4
