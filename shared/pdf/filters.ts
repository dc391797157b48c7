import { AppError } from '../errors/app-error.ts'
import type { Codec } from '../plugin/contract.ts'
import { BrokenPdf, tooLarge } from './limits.ts'
import { PdfDict, PdfName, type PdfStream, type PdfValue } from './values.ts'

/** Undoes the filters of the streams that must be read, counting what comes out of the whole file. */
export class Inflater {
  private left: number
  private readonly codec: Codec
  private readonly limit: number

  constructor(codec: Codec, limit: number) {
    this.codec = codec
    this.limit = limit
    this.left = limit
  }

  /**
   * The content of a stream that is stored plain or deflated, which is all that cross-references and object streams of
   * real files are. Undefined: another filter. Throws BrokenPdf, 'pdf.too-large'.
   */
  content(
    stream: PdfStream,
    resolve: (value: PdfValue) => PdfValue,
    most = Number.POSITIVE_INFINITY, // bytes of this one
  ): Uint8Array | undefined {
    const filters = listOf(resolve(stream.dict.get('Filter')))
    if (filters.length === 0) return stream.bytes
    const filter = resolve(filters[0]!)
    if (filters.length > 1 || !(filter instanceof PdfName)) return undefined
    if (filter.text !== 'FlateDecode' && filter.text !== 'Fl') return undefined
    const parameters = resolve(listOf(resolve(stream.dict.get('DecodeParms')))[0] ?? null)
    const bytes = this.inflate(stream.bytes, Math.min(most, this.left))
    return parameters instanceof PdfDict ? undoPredictor(bytes, parameters) : bytes
  }

  private inflate(stored: Uint8Array, most: number): Uint8Array {
    // The header is two bytes; the checksum at the end is often wrong and of no interest.
    if (stored.length < 3 || (stored[0]! & 15) !== 8) throw new BrokenPdf('a stream is not deflated')
    let bytes: Uint8Array
    try {
      bytes = this.codec.inflateRaw(stored.subarray(2), most)
    } catch (error) {
      if (error instanceof AppError) throw tooLarge('bytes of unpacked data', this.limit)
      throw new BrokenPdf('a stream cannot be inflated')
    }
    this.left -= bytes.length
    return bytes
  }
}

function listOf(value: PdfValue): readonly PdfValue[] {
  if (value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The PNG predictors, row by row. ISO 32000-2, 7.4.4.4. */
function undoPredictor(bytes: Uint8Array, parameters: PdfDict): Uint8Array {
  const whole = (key: string, otherwise: number, most: number): number => {
    const value = parameters.get(key)
    return typeof value === 'number' && value >= 1 && value <= most ? Math.floor(value) : otherwise
  }
  const predictor = whole('Predictor', 1, 15)
  if (predictor < 2) return bytes
  if (predictor < 10) throw new BrokenPdf('a stream uses a predictor for pictures')
  const bits = whole('Colors', 1, 32) * whole('BitsPerComponent', 8, 16)
  const unit = Math.max(1, bits >> 3)
  const width = Math.ceil((bits * whole('Columns', 1, 1_000_000)) / 8)
  const rows = Math.ceil(bytes.length / (width + 1))
  const out = new Uint8Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)]!
    const source = bytes.subarray(row * (width + 1) + 1, (row + 1) * (width + 1))
    const to = row * width
    for (let at = 0; at < source.length; at++) {
      const left = at >= unit ? out[to + at - unit]! : 0
      const up = row > 0 ? out[to + at - width]! : 0
      const corner = at >= unit && row > 0 ? out[to + at - width - unit]! : 0
      out[to + at] = source[at]! + predicted(kind, left, up, corner)
    }
  }
  return out
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left
  if (kind === 2) return up
  if (kind === 3) return (left + up) >> 1
  if (kind !== 4) return 0
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
