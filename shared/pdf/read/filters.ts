import { AppError } from '../../errors/app-error.ts'
import type { Codec } from '../../plugin/values.ts'
import { BrokenPdf, tooLarge } from '../model/limits.ts'
import { PdfDict, PdfName, type PdfStream, type PdfValue } from '../model/values.ts'

/**
 * Decodes the streams that have to be read. Each file has one inflater, which counts everything it unpacks, so that many
 * small bombs exceed the same limit as a large one.
 */
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
   * Decodes a stream that is uncompressed or deflated, or additionally ASCII-encoded, as cross-references, object streams and
   * page contents of real files are. Returns undefined for any other filter. Throws BrokenPdf, 'pdf.too-large'.
   */
  content(
    stream: PdfStream,
    resolve: (value: PdfValue) => PdfValue,
    maxBytes = Number.POSITIVE_INFINITY, // bytes of this stream
  ): Uint8Array | undefined {
    const filters = listOf(resolve(stream.dict.get('Filter'))).map(resolve)
    const parameters = listOf(resolve(stream.dict.get('DecodeParms')))
    let bytes = stream.bytes
    for (const [at, filter] of filters.entries()) {
      const kind = filter instanceof PdfName ? filter.text : ''
      if (kind === 'ASCII85Decode' || kind === 'A85') bytes = this.counted(fromAscii85(bytes, this.left))
      else if (kind === 'ASCIIHexDecode' || kind === 'AHx') bytes = fromAsciiHex(bytes)
      else if (kind === 'FlateDecode' || kind === 'Fl') {
        const decodeParms = resolve(parameters[at] ?? null)
        bytes = this.inflate(bytes, Math.min(maxBytes, this.left))
        if (decodeParms instanceof PdfDict) bytes = undoPredictor(bytes, decodeParms)
      } else return undefined
    }
    return bytes
  }

  private inflate(stored: Uint8Array, maxBytes: number): Uint8Array {
    // Skips the two bytes of the zlib header. The checksum at the end is wrong in many files, so it is not compared.
    if (stored.length < 3 || ((stored[0] ?? 0) & 15) !== 8) throw new BrokenPdf('a stream is not deflated')
    let bytes: Uint8Array
    try {
      bytes = this.codec.inflateRaw(stored.subarray(2), maxBytes)
    } catch (error) {
      if (error instanceof AppError) throw tooLarge('bytes of unpacked data', this.limit)
      throw new BrokenPdf('a stream cannot be inflated')
    }
    return this.counted(bytes)
  }

  private counted(bytes: Uint8Array | undefined): Uint8Array {
    if (bytes === undefined || bytes.length > this.left) throw tooLarge('bytes of unpacked data', this.limit)
    this.left -= bytes.length
    return bytes
  }
}

function listOf(value: PdfValue): readonly PdfValue[] {
  if (value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Undoes ASCII85Decode. Returns undefined where the result is longer than `maxBytes`. ISO 32000-2, 7.4.3. */
function fromAscii85(text: Uint8Array, maxBytes: number): Uint8Array | undefined {
  let zeros = 0 // a single z stands for four of them
  for (const code of text) if (code === 0x7a) zeros += 4
  const size = zeros + Math.ceil(((text.length - zeros / 4) * 4) / 5)
  if (size > maxBytes) return undefined
  const out = new Uint8Array(size)
  let length = 0
  let group = 0
  let count = 0
  for (const code of text) {
    if (code === 0x7e) break // ~> ends the data
    if (code === 0x7a && count === 0) {
      length += 4
      continue
    }
    if (code < 0x21 || code > 0x75) continue
    group = group * 85 + (code - 0x21)
    if (++count < 5) continue
    for (let shift = 24; shift >= 0; shift -= 8) out[length++] = Math.floor(group / 2 ** shift) & 255
    group = count = 0
  }
  if (count > 1) {
    for (let left = count; left < 5; left++) group = group * 85 + 84
    for (let at = 0; at < count - 1; at++) out[length++] = Math.floor(group / 2 ** (24 - 8 * at)) & 255
  }
  return out.subarray(0, length)
}

/** Undoes ASCIIHexDecode. ISO 32000-2, 7.4.2. */
function fromAsciiHex(text: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(text.length / 2))
  let digits = 0
  for (const code of text) {
    if (code === 0x3e) break // > ends the data
    const digit = Number.parseInt(String.fromCharCode(code), 16)
    if (Number.isNaN(digit)) continue
    out[digits >> 1] = (out[digits >> 1] ?? 0) | (digit << (digits % 2 === 0 ? 4 : 0))
    digits++
  }
  return out.subarray(0, Math.ceil(digits / 2))
}

/** Undoes the PNG predictors, which store a row as its difference from its neighbours. ISO 32000-2, 7.4.4.4. */
function undoPredictor(bytes: Uint8Array, parameters: PdfDict): Uint8Array {
  const integer = (key: string, otherwise: number, max: number): number => {
    const value = parameters.get(key)
    return typeof value === 'number' && value >= 1 && value <= max ? Math.floor(value) : otherwise
  }
  const predictor = integer('Predictor', 1, 15)
  if (predictor < 2) return bytes
  if (predictor < 10) throw new BrokenPdf('a stream uses a predictor for pictures')
  const bits = integer('Colors', 1, 32) * integer('BitsPerComponent', 8, 16)
  const unit = Math.max(1, bits >> 3)
  const width = Math.ceil((bits * integer('Columns', 1, 1_000_000)) / 8)
  const rows = Math.ceil(bytes.length / (width + 1))
  const out = new Uint8Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)] ?? 0
    const source = bytes.subarray(row * (width + 1) + 1, (row + 1) * (width + 1))
    const to = row * width
    for (let at = 0; at < source.length; at++) {
      const left = at >= unit ? (out[to + at - unit] ?? 0) : 0
      const up = row > 0 ? (out[to + at - width] ?? 0) : 0
      const corner = at >= unit && row > 0 ? (out[to + at - width - unit] ?? 0) : 0
      out[to + at] = (source[at] ?? 0) + predicted(kind, left, up, corner)
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
