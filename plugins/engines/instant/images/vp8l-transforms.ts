/** What was done to the pixels before they were coded; undone in reverse order. RFC 9649, chapter 3.5. */
export interface Transform {
  readonly kind: 0 | 1 | 2 | 3 // predictor, colour, subtract green, colour table
  readonly width: number // of the picture after undoing
  readonly codedWidth: number // and before: colour tables pack several pixels into one
  readonly bits: number // size of blocks, or of the packing, as a power of two
  readonly data: Uint32Array
}

export function blocksAcross(length: number, bits: number): number {
  return (length + (1 << bits) - 1) >> bits
}

export function applyTransform(transform: Transform, argb: Uint32Array, height: number): Uint32Array {
  switch (transform.kind) {
    case 0:
      return undoPrediction(transform, argb, height)
    case 1:
      return undoColour(transform, argb, height)
    case 2:
      return argb.map((pixel) => {
        const green = (pixel >>> 8) & 0xff
        return ((pixel & 0xff00ff00) | (((pixel & 0xff00ff) + ((green << 16) | green)) & 0xff00ff)) >>> 0
      })
    case 3:
      return undoTable(transform, argb, height)
    default:
      return transform.kind satisfies never
  }
}

function undoPrediction({ width, bits, data }: Transform, argb: Uint32Array, height: number): Uint32Array {
  const across = blocksAcross(width, bits)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      let guess: number
      if (y === 0) guess = x === 0 ? 0xff000000 : argb[at - 1]!
      else if (x === 0) guess = argb[at - width]!
      else guess = predict((data[(y >> bits) * across + (x >> bits)]! >>> 8) & 15, argb, at, width)
      argb[at] = add(argb[at]!, guess)
    }
  }
  return argb
}

/** The right neighbour above the last column is the first pixel of the row itself, which is known by then. */
function predict(mode: number, argb: Uint32Array, at: number, width: number): number {
  const left = argb[at - 1]!
  const top = argb[at - width]!
  const corner = argb[at - width - 1]!
  const right = argb[at - width + 1]!
  switch (mode) {
    case 1:
      return left
    case 2:
      return top
    case 3:
      return right
    case 4:
      return corner
    case 5:
      return average(average(left, right), top)
    case 6:
      return average(left, corner)
    case 7:
      return average(left, top)
    case 8:
      return average(corner, top)
    case 9:
      return average(top, right)
    case 10:
      return average(average(left, corner), average(top, right))
    case 11:
      return select(left, top, corner)
    case 12:
      return eachChannel((shift) => channel(left, shift) + channel(top, shift) - channel(corner, shift))
    case 13: {
      const middle = average(left, top)
      return eachChannel((shift) => {
        const value = channel(middle, shift)
        return value + Math.trunc((value - channel(corner, shift)) / 2)
      })
    }
    default:
      return 0xff000000
  }
}

function channel(pixel: number, shift: number): number {
  return (pixel >>> shift) & 0xff
}

function eachChannel(value: (shift: number) => number): number {
  let pixel = 0
  for (let shift = 0; shift < 32; shift += 8) pixel |= Math.max(0, Math.min(255, value(shift))) << shift
  return pixel >>> 0
}

function average(a: number, b: number): number {
  return ((((a ^ b) & 0xfefefefe) >>> 1) + (a & b)) >>> 0
}

/** Left or top, whichever is nearer to left + top - corner. */
function select(left: number, top: number, corner: number): number {
  let toLeft = 0
  let toTop = 0
  for (let shift = 0; shift < 32; shift += 8) {
    toLeft += Math.abs(channel(top, shift) - channel(corner, shift))
    toTop += Math.abs(channel(left, shift) - channel(corner, shift))
  }
  return toLeft < toTop ? left : top
}

/** Channel by channel, without carry. */
export function add(a: number, b: number): number {
  const low = ((a & 0xff00ff) + (b & 0xff00ff)) & 0xff00ff
  const high = ((((a >>> 8) & 0xff00ff) + ((b >>> 8) & 0xff00ff)) & 0xff00ff) << 8
  return (low | high) >>> 0
}

function undoColour({ width, bits, data }: Transform, argb: Uint32Array, height: number): Uint32Array {
  const across = blocksAcross(width, bits)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const factors = data[(y >> bits) * across + (x >> bits)]!
      const pixel = argb[at]!
      const green = signed(pixel >>> 8)
      const red = ((pixel >>> 16) + share(signed(factors), green)) & 0xff
      const blue =
        (pixel + share(signed(factors >>> 8), green) + share(signed(factors >>> 16), signed(red))) & 0xff
      argb[at] = ((pixel & 0xff00ff00) | (red << 16) | blue) >>> 0
    }
  }
  return argb
}

function signed(byte: number): number {
  return (byte << 24) >> 24
}
function share(factor: number, value: number): number {
  return (factor * value) >> 5
}

function undoTable(
  { width, codedWidth, bits, data }: Transform,
  argb: Uint32Array,
  height: number,
): Uint32Array {
  const out = new Uint32Array(width * height)
  const perPixel = 8 >> bits
  const mask = (1 << perPixel) - 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const packed = (argb[y * codedWidth + (x >> bits)]! >>> 8) & 0xff
      const index = (packed >> ((x & ((1 << bits) - 1)) * perPixel)) & mask
      out[y * width + x] = data[index] ?? 0
    }
  }
  return out
}
