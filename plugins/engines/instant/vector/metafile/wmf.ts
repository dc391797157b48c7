import type { VectorPicture, VectorTools } from '../vector.ts'
import { Canvas } from './canvas.ts'
import { colourOf, type Font, penStyle } from './state.ts'

const placeableKey = 0x9ac6cdd7

/** Windows metafiles, with and without the placeable header. Source: [MS-WMF]. */
export function readWmf(bytes: Uint8Array, tools: VectorTools): VectorPicture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 18) return undefined
  const placeable = bytes.length >= 40 && view.getUint32(0, true) === placeableKey
  const start = placeable ? 22 : 0
  const type = view.getUint16(start, true)
  if ((type !== 1 && type !== 2) || view.getUint16(start + 2, true) !== 9) return undefined
  const canvas = new Canvas(tools)
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
  const perInch = placeable ? view.getUint16(14, true) || 96 : 1440
  const player = new Player(view, canvas, box)
  player.play(start + 18)
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

/** Device units across the picture. */
const unit = 1_000

class Player {
  readonly #view: DataView
  readonly #canvas: Canvas
  /** Of the window, logical units. */
  extent: readonly [number, number] = [0, 0]

  /** Device units down the picture: as wide as high, so that lines have one width. */
  height = unit
  readonly #placeable: boolean

  constructor(view: DataView, canvas: Canvas, box: readonly [number, number] | undefined) {
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
      if (size < 6 || at + size > view.byteLength || type === 0) return
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
  /** Parameters stand last to first in most records. */
  #reversed(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, n) => this.#int(at + 2 * (count - 1 - n)))
  }
  #points(at: number, count: number): number[] {
    return Array.from({ length: 2 * count }, (_, n) => this.#int(at + 2 * n))
  }

  #record(type: number, at: number, end: number): void {
    this.#setting(type, at) || this.#object(type, at) || this.#shape(type, at) || this.#other(type, at, end)
  }

  #setting(type: number, at: number): boolean {
    const canvas = this.#canvas
    const { state } = canvas
    switch (type) {
      case 0x020b:
        ;[state.windowX, state.windowY] = this.#reversed(at, 2) as [number, number]
        return true
      case 0x020c:
        ;[state.windowWidth, state.windowHeight] = this.#reversed(at, 2) as [number, number]
        this.extent = [Math.abs(state.windowWidth), Math.abs(state.windowHeight)]
        if (!this.#placeable) this.#fit(this.extent)
        return true
      case 0x0102:
        state.opaqueText = this.#uint(at) === 2
        return true
      case 0x0106:
        state.evenOdd = this.#uint(at) !== 2
        return true
      case 0x012e:
        state.textAlign = this.#uint(at)
        return true
      case 0x0209:
        state.textColour = colourOf(this.#view.getUint32(at, true))
        return true
      case 0x0201:
        state.backColour = colourOf(this.#view.getUint32(at, true))
        return true
      case 0x001e:
        canvas.save()
        return true
      case 0x0127:
        canvas.restore(this.#int(at))
        return true
      default:
        return false
    }
  }

  #object(type: number, at: number): boolean {
    const canvas = this.#canvas
    const view = this.#view
    switch (type) {
      case 0x02fa:
        canvas.makeNext({
          kind: 'pen',
          ...penStyle(this.#uint(at)),
          width: this.#int(at + 2),
          colour: colourOf(view.getUint32(at + 6, true)),
        })
        return true
      case 0x02fc: {
        const style = this.#uint(at)
        const colour = colourOf(view.getUint32(at + 2, true))
        const hatched = style >= 2 && { opacity: 0.3 }
        canvas.makeNext({ kind: 'brush', colour, ...hatched, ...(style === 1 && { none: true }) })
        return true
      }
      case 0x02fb:
        canvas.makeNext(this.#font(at))
        return true
      // Palettes, patterns and regions take a number too.
      case 0x00f7:
      case 0x0142:
      case 0x01f9:
      case 0x06ff:
        canvas.makeNext({ kind: 'brush', colour: 0x808080, opacity: 0.5 })
        return true
      case 0x012d:
        canvas.select(this.#uint(at))
        return true
      case 0x01f0:
        canvas.delete(this.#uint(at))
        return true
      default:
        return false
    }
  }

  #font(at: number): Font {
    const view = this.#view
    let family = ''
    for (let n = at + 18; n < Math.min(at + 50, view.byteLength); n += 1) {
      const code = view.getUint8(n)
      if (code === 0) break
      family += String.fromCharCode(code)
    }
    return {
      kind: 'font',
      family: family === '' ? 'Arial' : family,
      height: this.#int(at),
      angle: this.#int(at + 4) / 10,
      bold: this.#int(at + 8) >= 600,
      italic: view.getUint8(at + 10) !== 0,
      underline: view.getUint8(at + 11) !== 0,
      symbol: view.getUint8(at + 13) === 2,
    }
  }

  #shape(type: number, at: number): boolean {
    const canvas = this.#canvas
    switch (type) {
      case 0x0214: {
        const [x = 0, y = 0] = this.#reversed(at, 2)
        canvas.moveTo(x, y)
        return true
      }
      case 0x0213: {
        const [x = 0, y = 0] = this.#reversed(at, 2)
        canvas.lineTo(x, y)
        return true
      }
      case 0x041b:
      case 0x0418: {
        const box = this.#reversed(at, 4) as [number, number, number, number]
        if (type === 0x041b) canvas.rectangle(...box)
        else canvas.ellipse(...box)
        return true
      }
      case 0x061c: {
        const [left = 0, top = 0, right = 0, bottom = 0, across = 0, down = 0] = this.#reversed(at, 6)
        canvas.rectangle(left, top, right, bottom, across / 2, down / 2)
        return true
      }
      case 0x0324:
        canvas.polygons([this.#points(at + 2, this.#uint(at))])
        return true
      case 0x0325:
        canvas.polyline(this.#points(at + 2, this.#uint(at)))
        return true
      case 0x0538:
        canvas.polygons(this.#groups(at))
        return true
      case 0x0817:
      case 0x081a:
      case 0x0830: {
        const [left = 0, top = 0, right = 0, bottom = 0, ...rays] = this.#reversed(at, 8)
        const kind = type === 0x0817 ? 'arc' : type === 0x081a ? 'pie' : 'chord'
        canvas.arc([left, top, right, bottom], rays, kind)
        return true
      }
      default:
        return false
    }
  }

  #groups(at: number): number[][] {
    const count = this.#uint(at)
    const counts = Array.from({ length: count }, (_, n) => this.#uint(at + 2 + 2 * n))
    let from = at + 2 + 2 * count
    return counts.map((own) => {
      const points = this.#points(from, own)
      from += 4 * own
      return points
    })
  }

  #other(type: number, at: number, end: number): void {
    const canvas = this.#canvas
    switch (type) {
      case 0x0416:
        canvas.clipToRectangle(...(this.#reversed(at, 4) as [number, number, number, number]))
        return
      case 0x0521: {
        const length = this.#uint(at)
        const after = at + 2 + length + (length % 2)
        const [x = 0, y = 0] = this.#reversed(after, 2)
        canvas.text(this.#latin(at + 2, length), [x, y], [])
        return
      }
      case 0x0a32:
        this.#extendedText(at, end)
        return
      case 0x0b41:
        // Mode 4 bytes, then source box, target box.
        if (end - at > 22) this.#bitmap(at + 20, end, this.#reversed(at + 12, 4))
        return
      case 0x0940:
        if (end - at > 18) this.#bitmap(at + 16, end, this.#reversed(at + 8, 4))
        return
      case 0x0f43:
        if (end - at > 24) this.#bitmap(at + 22, end, this.#reversed(at + 14, 4))
        return
    }
  }

  #latin(at: number, length: number): string {
    const { buffer, byteOffset } = this.#view
    return new TextDecoder('windows-1252').decode(new Uint8Array(buffer, byteOffset + at, length))
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
    this.#canvas.text(this.#latin(from, length), [x, y], advances)
  }

  #bitmap(at: number, end: number, [x = 0, y = 0, width = 0, height = 0]: readonly number[]): void {
    const { buffer, byteOffset } = this.#view
    const dib = new Uint8Array(buffer, byteOffset + at, end - at)
    const header = this.#view.getUint32(at, true)
    const bits = this.#uint(at + 14)
    const used = this.#view.getUint32(at + 32, true)
    const colours = bits <= 8 ? used || 1 << bits : 0
    this.#canvas.bitmap(dib, header + 4 * colours, [x, y, width, height])
  }
}
