/**
 * A DEFLATE encoder (RFC 1951) that uses knowledge from the compiled template. Its input is either a static segment,
 * given by number, or a short text between two segments. A segment that was written within the last 32 KB becomes a
 * back-reference whose distance is known without a search; otherwise the tokens prepared for it are replayed. Texts
 * are matched only against recent texts. The uncompressed output is never stored as a whole.
 * docs/decisions/merge-packages.md has the measurements.
 */
import { advance, crc32, crcTable } from '../crc32.ts'
import type { StaticTable } from '../template/statics.ts'
import { codeLengths, codesOf, runLengths } from './huffman.ts'

const blockSymbols = 32768
const maxDistance = 32768
const ringSize = 32768
const ringMask = ringSize - 1
const hashSize = 8192
const shortestText = 4
/** Advancing a CRC with an operator takes about as long as computing it over this many bytes. */
const shortSegment = 32
/** Texts are encoded in chunks of at most this many characters, so that each chunk is contiguous in the ring. */
const chunkLength = 4096

const lengthCode = new Uint16Array(259) // length -> symbol
const lengthExtra = new Uint8Array(259) // length -> number of extra bits
const lengthBase = new Uint16Array(259)
for (let code = 0, base = 3; code < 28; code += 1) {
  const extra = code < 8 ? 0 : (code - 4) >> 2
  for (let n = 0; n < 1 << extra; n += 1) {
    lengthCode[base + n] = 257 + code
    lengthExtra[base + n] = extra
    lengthBase[base + n] = base
  }
  base += 1 << extra
}
lengthCode[258] = 285
lengthExtra[258] = 0
lengthBase[258] = 258

const distanceExtra = new Uint8Array(30)
const distanceBase = new Uint16Array(30)
const distanceCode = new Uint8Array(512) // distance - 1 below 256, else 256 + ((distance - 1) >> 7)
for (let code = 0, base = 1; code < 30; code += 1) {
  const extra = code < 4 ? 0 : (code - 2) >> 1
  distanceExtra[code] = extra
  distanceBase[code] = base
  for (let n = 0; n < 1 << extra; n += 1) {
    const distance = base + n - 1
    if (distance < 256) distanceCode[distance] = code
    else distanceCode[256 + (distance >> 7)] = code
  }
  base += 1 << extra
}
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** The working memory of an encoder. It is reused, because allocating it costs more than compressing a short letter. */
interface DeflateBuffers {
  readonly symbols: Uint32Array
  readonly ring: Uint8Array
  readonly ringAt: Float64Array
  readonly hashes: Int32Array
}
const spare: DeflateBuffers[] = []

function borrow(): DeflateBuffers {
  const scratch = spare.pop() ?? {
    symbols: new Uint32Array(blockSymbols + 8),
    ring: new Uint8Array(ringSize),
    ringAt: new Float64Array(ringSize),
    hashes: new Int32Array(hashSize),
  }
  scratch.hashes.fill(-1)
  return scratch
}

/** A compressed entry in the chunks in which it was written. */
export interface Deflated {
  readonly chunks: readonly Uint8Array[]
  readonly compressed: number // bytes in chunks
  readonly size: number // bytes before compression
  readonly crc: number
}

/**
 * Compresses one part while it is written (RFC 1951). The tokens of static segments were computed with the plan, so only
 * the texts between them are searched for matches.
 */
export class DeflateWriter {
  readonly #statics: StaticTable
  readonly #words: Uint32Array
  readonly #wordStart: Uint32Array
  readonly #last: Float64Array // output position a segment was last written at, -1: never
  readonly #scratch: DeflateBuffers
  readonly #symbols: Uint32Array
  readonly #ring: Uint8Array
  readonly #ringAt: Float64Array
  readonly #hashes: Int32Array
  readonly #bits = new BitWriter()
  #count = 0
  #ringEnd = 0
  #position = 0
  #crc = 0
  // The match that is being extended, since the text after a match often continues at the same distance.
  #runDistance = 0
  #runLength = 0
  #runFrom = 0 // where its bytes begin in the ring, while it is too short to be written as a match
  // The segment before the next text, and the serials and lengths of the texts that followed each segment last time.
  #segment = -1
  #segmentDistance = 0
  readonly #textSerial: Float64Array
  readonly #textLength: Uint32Array

  constructor(statics: StaticTable) {
    this.#statics = statics
    const tokens = statics.tokens()
    this.#words = tokens.words
    this.#wordStart = tokens.start
    this.#last = new Float64Array(statics.count).fill(-1)
    this.#textSerial = new Float64Array(statics.count)
    this.#textLength = new Uint32Array(statics.count)
    this.#scratch = borrow()
    this.#symbols = this.#scratch.symbols
    this.#ring = this.#scratch.ring
    this.#ringAt = this.#scratch.ringAt
    this.#hashes = this.#scratch.hashes
  }

  /** Uncompressed bytes encoded so far. */
  get size(): number {
    return this.#position
  }

  /** Compressed bytes written so far, excluding the current block. */
  get compressed(): number {
    return this.#bits.size
  }

  /** Writes segment `id` of the table. */
  static(id: number): void {
    const { start, tables, crc } = this.#statics
    const begin = start[id] ?? 0
    const length = (start[id + 1] ?? 0) - begin
    if (length === 0) return
    const table = tables[id]
    const before = this.#crc
    if (table !== undefined) {
      this.#crc =
        ((table[before & 255] ?? 0) ^
          (table[256 + ((before >>> 8) & 255)] ?? 0) ^
          (table[512 + ((before >>> 16) & 255)] ?? 0) ^
          (table[768 + (before >>> 24)] ?? 0) ^
          (crc[id] ?? 0)) >>>
        0
    } else if (length < shortSegment) this.#crc = crc32(this.#statics.bytes, before, begin, begin + length)
    else this.#crc = (advance(this.#statics.advance[id] ?? 0, before) ^ (crc[id] ?? 0)) >>> 0
    const distance = this.#position - (this.#last[id] ?? 0)
    if ((this.#last[id] ?? 0) >= 0 && distance <= maxDistance && length >= 3) {
      this.#grow(distance, length, 0)
      this.#segmentDistance = distance
    } else {
      this.#settle()
      this.#replay(id, begin, length)
      this.#segmentDistance = 0
    }
    this.#segment = id
    this.#last[id] = this.#position
    this.#position += length
  }

  /** Extends the match: the next bytes repeat those `distance` before. If there are fewer than 3, they are at `from` in the ring. */
  #grow(distance: number, length: number, from: number): void {
    if (this.#runLength > 0 && this.#runDistance === distance) {
      this.#runLength += length
      return
    }
    this.#settle()
    this.#runDistance = distance
    this.#runLength = length
    this.#runFrom = from
  }

  /** Writes the match that was being extended, if any. */
  #settle(): void {
    let remaining = this.#runLength
    if (remaining === 0) return
    this.#runLength = 0
    if (remaining < 3) {
      for (let n = 0; n < remaining; n += 1) this.#put(this.#ring[this.#runFrom + n] ?? 0)
      return
    }
    const distanceBits = 0x800000 | ((this.#runDistance - 1) << 8)
    while (remaining > 0) {
      let take = Math.min(remaining, 258)
      if (remaining - take === 1 || remaining - take === 2) take = remaining - 3
      this.#put(distanceBits | (take - 3))
      remaining -= take
    }
  }

  #put(symbol: number): void {
    this.#symbols[this.#count++] = symbol
    if (this.#count >= blockSymbols) this.#flush(false)
  }

  #replay(id: number, begin: number, length: number): void {
    const words = this.#words
    const lastPositions = this.#last
    const wordEnd = this.#wordStart[id + 1] ?? 0
    const base = this.#position
    let offset = 0
    lastPositions[id] = base // matches inside the segment itself count from here
    for (let word = this.#wordStart[id] ?? 0; word < wordEnd; word += 1) {
      const token = words[word] ?? 0
      if (token < 256) {
        this.#put(token)
        offset += 1
        continue
      }
      const take = token & 0xffff
      const from = lastPositions[words[word + 1] ?? 0] ?? 0
      const distance = base + offset - from - (words[word + 2] ?? 0)
      word += 2
      if (from >= 0 && distance > 0 && distance <= maxDistance) {
        this.#put(0x800000 | ((distance - 1) << 8) | (take - 3))
      } else {
        for (let n = 0; n < take; n += 1) this.#put(this.#statics.bytes[begin + offset + n] ?? 0)
      }
      offset += take
    }
    if (offset !== length) throw new Error('the tokens of a segment do not add up')
  }

  /** Writes text as UTF-8. Lone surrogates become U+FFFD. */
  text(text: string): void {
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + chunkLength)
      if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
      this.#chunk(text, start, end)
      start = end
    }
  }

  #chunk(text: string, from: number, to: number): void {
    const ring = this.#ring
    // A text must be contiguous in the ring, so start again at its beginning when the text might not fit.
    if ((this.#ringEnd & ringMask) + (to - from) * 3 > ringSize)
      this.#ringEnd += ringSize - (this.#ringEnd & ringMask)
    const begin = this.#ringEnd
    let fill = begin & ringMask
    const ringBegin = fill
    let crc = ~this.#crc
    for (let index = from; index < to; index += 1) {
      let code = text.charCodeAt(index)
      if (code < 0x80) {
        ring[fill++] = code
        crc = (crc >>> 8) ^ (crcTable[(crc ^ code) & 255] ?? 0)
        continue
      }
      const first = fill
      if (code < 0x800) ring[fill++] = 0xc0 | (code >> 6)
      else {
        if ((code & 0xf800) === 0xd800) {
          const low = index + 1 < to && code < 0xdc00 ? text.charCodeAt(index + 1) : 0
          if ((low & 0xfc00) === 0xdc00) {
            code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff)
            index += 1
          } else code = 0xfffd
        }
        if (code < 0x10000) ring[fill++] = 0xe0 | (code >> 12)
        else {
          ring[fill++] = 0xf0 | (code >> 18)
          ring[fill++] = 0x80 | ((code >> 12) & 0x3f)
        }
        ring[fill++] = 0x80 | ((code >> 6) & 0x3f)
      }
      ring[fill++] = 0x80 | (code & 0x3f)
      for (let n = first; n < fill; n += 1) crc = (crc >>> 8) ^ (crcTable[(crc ^ (ring[n] ?? 0)) & 255] ?? 0)
    }
    this.#crc = ~crc >>> 0
    this.#ringEnd = begin + fill - ringBegin
    this.#matchTexts(begin, ringBegin, fill)
  }

  /**
   * Encodes the bytes just put in the ring as literals and matches with earlier texts: first with the text that followed
   * the same segment last time, at the distance of that segment, then with any text that begins with the same bytes.
   */
  #matchTexts(begin: number, from: number, to: number): void {
    const ring = this.#ring
    const ringAt = this.#ringAt
    const base = this.#position
    const length = to - from
    for (let index = from; index < to; index += 1) ringAt[index] = base + index - from
    let earlierStart = 0
    let earlierLength = 0
    const distance = this.#segmentDistance
    const segment = this.#segment
    if (segment >= 0) {
      const serial = this.#textSerial[segment] ?? 0
      if (
        distance > 0 &&
        begin - serial < ringSize - length &&
        ringAt[serial & ringMask] === base - distance
      ) {
        earlierStart = serial & ringMask
        earlierLength = this.#textLength[segment] ?? 0
      }
      this.#textSerial[segment] = begin
      this.#textLength[segment] = length
      this.#segment = -1
    }
    for (let handled = 0; handled < length; ) {
      const ringIndex = from + handled
      if (handled < earlierLength) {
        const maxLength = Math.min(length, earlierLength) - handled
        let matching = 0
        while (matching < maxLength && ring[earlierStart + handled + matching] === ring[ringIndex + matching])
          matching += 1
        // A short match saves bits only where it continues the match before it or is continued itself.
        const joins =
          (this.#runLength > 0 && this.#runDistance === distance) ||
          (handled + matching === length && length === earlierLength)
        if (matching >= 3 || (matching > 0 && joins)) {
          this.#grow(distance, matching, ringIndex)
          handled += matching
          continue
        }
      }
      const matched =
        to - ringIndex >= shortestText
          ? this.#search(begin + handled, ringIndex, base + handled, to - ringIndex)
          : 0
      if (matched > 0) handled += matched
      else {
        this.#settle()
        this.#put(ring[ringIndex] ?? 0)
        handled += 1
      }
    }
    this.#position = base + length
  }

  /** Searches for an earlier text with the next bytes. Extends a match by what it finds and returns the length, or 0. */
  #search(serial: number, ringIndex: number, position: number, remaining: number): number {
    const ring = this.#ring
    const word =
      (ring[ringIndex] ?? 0) |
      ((ring[ringIndex + 1] ?? 0) << 8) |
      ((ring[ringIndex + 2] ?? 0) << 16) |
      ((ring[ringIndex + 3] ?? 0) << 24)
    const key = Math.imul(word, 0x9e3779b1) >>> 19
    const candidate = this.#hashes[key] ?? 0
    this.#hashes[key] = serial
    if (candidate < 0 || serial - candidate >= ringSize) return 0
    const candidateStart = candidate & ringMask
    const candidatePosition = this.#ringAt[candidateStart] ?? 0
    const distance = position - candidatePosition
    if (distance <= 0 || distance > maxDistance) return 0
    const maxLength = Math.min(258, remaining, ringSize - candidateStart)
    let matching = 0
    while (
      matching < maxLength &&
      ring[candidateStart + matching] === ring[ringIndex + matching] &&
      this.#ringAt[candidateStart + matching] === candidatePosition + matching
    )
      matching += 1
    if (matching < shortestText) return 0
    this.#grow(distance, matching, ringIndex)
    return matching
  }

  /** Ends the stream; the writer cannot be used any more. */
  end(): Deflated {
    this.#settle()
    this.#flush(true)
    const chunks = this.#bits.end()
    spare.push(this.#scratch)
    let compressed = 0
    for (const chunk of chunks) compressed += chunk.length
    return { chunks, compressed, size: this.#position, crc: this.#crc }
  }

  /** Releases the working memory of a stream that is not finished. */
  abandon(): void {
    spare.push(this.#scratch)
  }

  #flush(final: boolean): void {
    writeBlock(this.#bits, this.#symbols, this.#count, final)
    this.#count = 0
  }
}

/** Writes one block with dynamic Huffman codes. */
function writeBlock(bits: BitWriter, symbols: Uint32Array, count: number, final: boolean): void {
  const frequencies = new Uint32Array(286)
  const distances = new Uint32Array(30)
  frequencies[256] = 1
  for (let index = 0; index < count; index += 1) {
    const symbol = symbols[index] ?? 0
    if (symbol < 256) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1
    else {
      frequencies[lengthCode[(symbol & 255) + 3] ?? 0] =
        (frequencies[lengthCode[(symbol & 255) + 3] ?? 0] ?? 0) + 1
      distances[codeOfDistance((symbol >> 8) & 0x7fff)]! += 1
    }
  }
  // A block without matches may declare no distance code (RFC 1951, 3.2.7), which some old decoders reject.
  if (distances.every((n) => n === 0)) distances[0] = 1
  const lengths = codeLengths(frequencies, 286, 15)
  const distanceLengths = codeLengths(distances, 30, 15)
  let lastLength = 286
  while (lastLength > 257 && lengths[lastLength - 1] === 0) lastLength -= 1
  let lastDistance = 30
  while (lastDistance > 1 && distanceLengths[lastDistance - 1] === 0) lastDistance -= 1
  const runs = runLengths([...lengths.subarray(0, lastLength), ...distanceLengths.subarray(0, lastDistance)])
  const runFrequencies = new Uint32Array(19)
  for (const run of runs) runFrequencies[run.symbol] = (runFrequencies[run.symbol] ?? 0) + 1
  const runBits = codeLengths(runFrequencies, 19, 7)
  const runCodes = codesOf(runBits)
  let lastRun = 19
  while (lastRun > 4 && runBits[orderOfLengths[lastRun - 1] ?? 0] === 0) lastRun -= 1
  bits.put(final ? 1 : 0, 1)
  bits.put(2, 2)
  bits.put(lastLength - 257, 5)
  bits.put(lastDistance - 1, 5)
  bits.put(lastRun - 4, 4)
  for (let index = 0; index < lastRun; index += 1) bits.put(runBits[orderOfLengths[index] ?? 0] ?? 0, 3)
  for (const { symbol, extra } of runs) {
    bits.put(runCodes[symbol] ?? 0, runBits[symbol] ?? 0)
    if (symbol === 16) bits.put(extra, 2)
    else if (symbol === 17) bits.put(extra, 3)
    else if (symbol === 18) bits.put(extra, 7)
  }
  bits.symbols(symbols, count, {
    lengths,
    codes: codesOf(lengths),
    distances: distanceLengths,
    distanceCodes: codesOf(distanceLengths),
  })
}

/** The code of a distance. `distance` is one less than the actual distance, as in the table of codes. */
function codeOfDistance(distance: number): number {
  return distance < 256 ? (distanceCode[distance] ?? 0) : (distanceCode[256 + (distance >> 7)] ?? 0)
}

interface Codes {
  readonly lengths: Uint8Array
  readonly codes: Uint16Array
  readonly distances: Uint8Array
  readonly distanceCodes: Uint16Array
}

/**
 * The sizes of the chunks of output. A letter fits in the first one. Each further chunk is twice as large as the one
 * before, because the C library returns allocations of 128 kB and more to the system when they are freed, while many
 * smaller ones stay with the process.
 */
const firstChunkBytes = 4_096
const secondChunkBytes = 65_536
const largestChunkBytes = 1_048_576

class BitWriter {
  readonly #chunks: Uint8Array[] = []
  #chunk = new Uint8Array(firstChunkBytes)
  #at = 0
  /** Bytes in the full chunks. */
  #done = 0
  #pending = 0
  #bits = 0

  put(value: number, bits: number): void {
    this.#pending |= value << this.#bits
    this.#bits += bits
    while (this.#bits >= 8) {
      if (this.#at === this.#chunk.length) this.#swapBuffers()
      this.#chunk[this.#at++] = this.#pending & 255
      this.#pending >>>= 8
      this.#bits -= 8
    }
  }

  /** Writes the symbols of a block and its end symbol. Each takes at most 48 bits, so space is reserved in slices. */
  symbols(symbols: Uint32Array, count: number, table: Codes): void {
    const { lengths, codes, distances, distanceCodes } = table
    const slice = 512
    let pending = this.#pending
    let bits = this.#bits
    for (let from = 0; from < count; from += slice) {
      if (this.#chunk.length - this.#at < slice * 7) this.#swapBuffers()
      const chunk = this.#chunk
      let writeIndex = this.#at
      const to = Math.min(count, from + slice)
      for (let index = from; index < to; index += 1) {
        const symbol = symbols[index] ?? 0
        if (symbol < 256) {
          pending |= (codes[symbol] ?? 0) << bits
          bits += lengths[symbol] ?? 0
        } else {
          const length = (symbol & 255) + 3
          const code = lengthCode[length] ?? 0
          const width = lengths[code] ?? 0
          pending |= ((codes[code] ?? 0) | ((length - (lengthBase[length] ?? 0)) << width)) << bits
          bits += width + (lengthExtra[length] ?? 0)
          while (bits >= 8) {
            chunk[writeIndex++] = pending & 255
            pending >>>= 8
            bits -= 8
          }
          const distance = (symbol >> 8) & 0x7fff
          const distanceSymbol = codeOfDistance(distance)
          pending |= (distanceCodes[distanceSymbol] ?? 0) << bits
          bits += distances[distanceSymbol] ?? 0
          while (bits >= 8) {
            chunk[writeIndex++] = pending & 255
            pending >>>= 8
            bits -= 8
          }
          pending |= (distance + 1 - (distanceBase[distanceSymbol] ?? 0)) << bits
          bits += distanceExtra[distanceSymbol] ?? 0
        }
        while (bits >= 8) {
          chunk[writeIndex++] = pending & 255
          pending >>>= 8
          bits -= 8
        }
      }
      this.#at = writeIndex
    }
    this.#pending = pending
    this.#bits = bits
    this.put(codes[256] ?? 0, lengths[256] ?? 0)
  }

  get size(): number {
    return this.#done + this.#at
  }

  #swapBuffers(): void {
    this.#chunks.push(this.#chunk.subarray(0, this.#at))
    this.#done += this.#at
    const next = Math.min(largestChunkBytes, Math.max(secondChunkBytes, this.#chunk.length * 2))
    this.#chunk = new Uint8Array(next)
    this.#at = 0
  }

  end(): readonly Uint8Array[] {
    if (this.#bits > 0) this.put(0, 8 - this.#bits)
    this.#chunks.push(this.#chunk.subarray(0, this.#at))
    return this.#chunks
  }
}
