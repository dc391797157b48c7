/**
 * A DEFLATE encoder (RFC 1951) that knows the plan: what comes in is either a stretch it has seen before, by number,
 * or a short text between two stretches. A stretch written within the last 32 KB becomes back-references whose
 * distance is known without searching; otherwise its ready-made tokens are replayed. Texts are matched against recent
 * texts only. The output is never held uncompressed. docs/decisions/merge-deflate.md has the measurements.
 */
import { advance, crc32, crcTable } from './crc32.ts'
import { codeLengths, codesOf, runLengths } from './huffman.ts'
import type { StaticTable } from './statics.ts'

const blockSymbols = 32768
const farthest = 32768
const ringSize = 32768
const ringMask = ringSize - 1
const hashSize = 8192
const shortestText = 4
/** Advancing a CRC without a table takes about as long as this many bytes. */
const shortStretch = 32
/** Texts are taken in pieces of at most this many characters, so that the ring holds each one whole. */
const pieceLength = 4096

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

/** What one encoder needs to work; kept and lent again, since making it costs more than a letter. */
interface Scratch {
  readonly symbols: Uint32Array
  readonly ring: Uint8Array
  readonly ringAt: Float64Array
  readonly hashes: Int32Array
}
const spare: Scratch[] = []

function borrow(): Scratch {
  const scratch = spare.pop() ?? {
    symbols: new Uint32Array(blockSymbols + 8),
    ring: new Uint8Array(ringSize),
    ringAt: new Float64Array(ringSize),
    hashes: new Int32Array(hashSize),
  }
  scratch.hashes.fill(-1)
  return scratch
}

export interface Deflated {
  readonly chunks: readonly Uint8Array[]
  readonly compressed: number // bytes in chunks
  readonly size: number // bytes before compression
  readonly crc: number
}

export class DeflateWriter {
  readonly #statics: StaticTable
  readonly #words: Uint32Array
  readonly #wordStart: Uint32Array
  readonly #last: Float64Array // output position a stretch was last written at, -1: never
  readonly #scratch: Scratch
  readonly #symbols: Uint32Array
  readonly #ring: Uint8Array
  readonly #ringAt: Float64Array
  readonly #hashes: Int32Array
  readonly #bits = new BitWriter()
  #count = 0
  #ringEnd = 0
  #position = 0
  #crc = 0
  // The match being grown: what follows a match often goes on at the same distance.
  #runDistance = 0
  #runLength = 0
  #runFrom = 0 // where its bytes begin in the ring, while it is too short to be written as a match
  // The text behind the last stretch, and the one that stood there when the stretch was written before.
  #stretch = -1
  #stretchDistance = 0
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

  /** Bytes taken in so far. */
  get size(): number {
    return this.#position
  }

  /** Writes stretch `id` of the table. */
  static(id: number): void {
    const { start, tables, crc } = this.#statics
    const begin = start[id]!
    const length = start[id + 1]! - begin
    if (length === 0) return
    const table = tables[id]
    const before = this.#crc
    if (table !== undefined) {
      this.#crc =
        (table[before & 255]! ^
          table[256 + ((before >>> 8) & 255)]! ^
          table[512 + ((before >>> 16) & 255)]! ^
          table[768 + (before >>> 24)]! ^
          crc[id]!) >>>
        0
    } else if (length < shortStretch) this.#crc = crc32(this.#statics.bytes, before, begin, begin + length)
    else this.#crc = (advance(this.#statics.advance[id]!, before) ^ crc[id]!) >>> 0
    const distance = this.#position - this.#last[id]!
    if (this.#last[id]! >= 0 && distance <= farthest && length >= 3) {
      this.#grow(distance, length, 0)
      this.#stretchDistance = distance
    } else {
      this.#settle()
      this.#replay(id, begin, length)
      this.#stretchDistance = 0
    }
    this.#stretch = id
    this.#last[id] = this.#position
    this.#position += length
  }

  /** The next bytes repeat those `distance` behind. Fewer than 3 must lie in the ring, at `from`. */
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

  /** Writes the match that was growing. */
  #settle(): void {
    let left = this.#runLength
    if (left === 0) return
    this.#runLength = 0
    if (left < 3) {
      for (let n = 0; n < left; n += 1) this.#put(this.#ring[this.#runFrom + n]!)
      return
    }
    const far = 0x800000 | ((this.#runDistance - 1) << 8)
    while (left > 0) {
      let take = Math.min(left, 258)
      if (left - take === 1 || left - take === 2) take = left - 3
      this.#put(far | (take - 3))
      left -= take
    }
  }

  #put(symbol: number): void {
    this.#symbols[this.#count++] = symbol
    if (this.#count >= blockSymbols) this.#flush(false)
  }

  #replay(id: number, begin: number, length: number): void {
    const words = this.#words
    const last = this.#last
    const wordEnd = this.#wordStart[id + 1]!
    const base = this.#position
    let at = 0
    last[id] = base // matches inside the stretch itself count from here
    for (let word = this.#wordStart[id]!; word < wordEnd; word += 1) {
      const token = words[word]!
      if (token < 256) {
        this.#put(token)
        at += 1
        continue
      }
      const take = token & 0xffff
      const from = last[words[word + 1]!]!
      const distance = base + at - from - words[word + 2]!
      word += 2
      if (from >= 0 && distance > 0 && distance <= farthest) {
        this.#put(0x800000 | ((distance - 1) << 8) | (take - 3))
      } else {
        for (let n = 0; n < take; n += 1) this.#put(this.#statics.bytes[begin + at + n]!)
      }
      at += take
    }
    if (at !== length) throw new Error('the tokens of a stretch do not add up')
  }

  /** Writes text as UTF-8. Lone surrogates become U+FFFD. */
  text(text: string): void {
    for (let at = 0; at < text.length; ) {
      let end = Math.min(text.length, at + pieceLength)
      if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
      this.#piece(text, at, end)
      at = end
    }
  }

  #piece(text: string, from: number, to: number): void {
    const ring = this.#ring
    // A text lies in one stretch of the ring: start over where it might not fit.
    if ((this.#ringEnd & ringMask) + (to - from) * 3 > ringSize)
      this.#ringEnd += ringSize - (this.#ringEnd & ringMask)
    const begin = this.#ringEnd
    let fill = begin & ringMask
    const ringBegin = fill
    let crc = ~this.#crc
    for (let at = from; at < to; at += 1) {
      let code = text.charCodeAt(at)
      if (code < 0x80) {
        ring[fill++] = code
        crc = (crc >>> 8) ^ crcTable[(crc ^ code) & 255]!
        continue
      }
      const first = fill
      if (code < 0x800) ring[fill++] = 0xc0 | (code >> 6)
      else {
        if ((code & 0xf800) === 0xd800) {
          const low = at + 1 < to && code < 0xdc00 ? text.charCodeAt(at + 1) : 0
          if ((low & 0xfc00) === 0xdc00) {
            code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff)
            at += 1
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
      for (let n = first; n < fill; n += 1) crc = (crc >>> 8) ^ crcTable[(crc ^ ring[n]!) & 255]!
    }
    this.#crc = ~crc >>> 0
    this.#ringEnd = begin + fill - ringBegin
    this.#matchTexts(begin, ringBegin, fill)
  }

  /**
   * Turns the bytes just put in the ring into literals and matches with earlier texts: first with the text that stood
   * behind the same stretch before, at the stretch's own distance, then with any that begins alike.
   */
  #matchTexts(begin: number, from: number, to: number): void {
    const ring = this.#ring
    const ringAt = this.#ringAt
    const base = this.#position
    const length = to - from
    for (let at = from; at < to; at += 1) ringAt[at] = base + at - from
    let old = 0
    let oldLength = 0
    const distance = this.#stretchDistance
    const stretch = this.#stretch
    if (stretch >= 0) {
      const serial = this.#textSerial[stretch]!
      if (
        distance > 0 &&
        begin - serial < ringSize - length &&
        ringAt[serial & ringMask] === base - distance
      ) {
        old = serial & ringMask
        oldLength = this.#textLength[stretch]!
      }
      this.#textSerial[stretch] = begin
      this.#textLength[stretch] = length
      this.#stretch = -1
    }
    for (let done = 0; done < length; ) {
      const at = from + done
      if (done < oldLength) {
        const most = Math.min(length, oldLength) - done
        let same = 0
        while (same < most && ring[old + done + same] === ring[at + same]) same += 1
        // Short ones pay where they join what comes before or after.
        const joins =
          (this.#runLength > 0 && this.#runDistance === distance) ||
          (done + same === length && length === oldLength)
        if (same >= 3 || (same > 0 && joins)) {
          this.#grow(distance, same, at)
          done += same
          continue
        }
      }
      const found = to - at >= shortestText ? this.#search(begin + done, at, base + done, to - at) : 0
      if (found > 0) done += found
      else {
        this.#settle()
        this.#put(ring[at]!)
        done += 1
      }
    }
    this.#position = base + length
  }

  /** Looks for an earlier text with the next bytes; grows a match and returns its length, or 0. */
  #search(serial: number, at: number, position: number, left: number): number {
    const ring = this.#ring
    const word = ring[at]! | (ring[at + 1]! << 8) | (ring[at + 2]! << 16) | (ring[at + 3]! << 24)
    const key = Math.imul(word, 0x9e3779b1) >>> 19
    const candidate = this.#hashes[key]!
    this.#hashes[key] = serial
    if (candidate < 0 || serial - candidate >= ringSize) return 0
    const old = candidate & ringMask
    const there = this.#ringAt[old]!
    const distance = position - there
    if (distance <= 0 || distance > farthest) return 0
    const most = Math.min(258, left, ringSize - old)
    let same = 0
    while (same < most && ring[old + same] === ring[at + same] && this.#ringAt[old + same] === there + same)
      same += 1
    if (same < shortestText) return 0
    this.#grow(distance, same, at)
    return same
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

  /** Gives the working memory back when the stream is abandoned. */
  abandon(): void {
    spare.push(this.#scratch)
  }

  #flush(final: boolean): void {
    writeBlock(this.#bits, this.#symbols, this.#count, final)
    this.#count = 0
  }
}

/** One block with codes of its own. */
function writeBlock(bits: BitWriter, symbols: Uint32Array, count: number, final: boolean): void {
  const frequencies = new Uint32Array(286)
  const distances = new Uint32Array(30)
  frequencies[256] = 1
  for (let at = 0; at < count; at += 1) {
    const symbol = symbols[at]!
    if (symbol < 256) frequencies[symbol]! += 1
    else {
      frequencies[lengthCode[(symbol & 255) + 3]!]! += 1
      distances[codeOfDistance((symbol >> 8) & 0x7fff)]! += 1
    }
  }
  // Old decoders want two distance codes at least, and two symbols make a complete tree.
  if (distances.every((n) => n === 0)) distances[0] = 1
  const lengths = codeLengths(frequencies, 286, 15)
  const far = codeLengths(distances, 30, 15)
  let lastLength = 286
  while (lastLength > 257 && lengths[lastLength - 1] === 0) lastLength -= 1
  let lastFar = 30
  while (lastFar > 1 && far[lastFar - 1] === 0) lastFar -= 1
  const runs = runLengths([...lengths.subarray(0, lastLength), ...far.subarray(0, lastFar)])
  const runFrequencies = new Uint32Array(19)
  for (const run of runs) runFrequencies[run.symbol]! += 1
  const runBits = codeLengths(runFrequencies, 19, 7)
  const runCodes = codesOf(runBits)
  let lastRun = 19
  while (lastRun > 4 && runBits[orderOfLengths[lastRun - 1]!] === 0) lastRun -= 1
  bits.put(final ? 1 : 0, 1)
  bits.put(2, 2)
  bits.put(lastLength - 257, 5)
  bits.put(lastFar - 1, 5)
  bits.put(lastRun - 4, 4)
  for (let at = 0; at < lastRun; at += 1) bits.put(runBits[orderOfLengths[at]!]!, 3)
  for (const { symbol, extra } of runs) {
    bits.put(runCodes[symbol]!, runBits[symbol]!)
    if (symbol === 16) bits.put(extra, 2)
    else if (symbol === 17) bits.put(extra, 3)
    else if (symbol === 18) bits.put(extra, 7)
  }
  bits.symbols(symbols, count, { lengths, codes: codesOf(lengths), far, farCodes: codesOf(far) })
}

/** `distance`: less one. */
function codeOfDistance(distance: number): number {
  return distance < 256 ? distanceCode[distance]! : distanceCode[256 + (distance >> 7)]!
}

interface Codes {
  readonly lengths: Uint8Array
  readonly codes: Uint16Array
  readonly far: Uint8Array
  readonly farCodes: Uint16Array
}

const chunkBytes = 65536

class BitWriter {
  readonly #chunks: Uint8Array[] = []
  #chunk = new Uint8Array(4096)
  #at = 0
  #held = 0
  #bits = 0

  put(value: number, bits: number): void {
    this.#held |= value << this.#bits
    this.#bits += bits
    while (this.#bits >= 8) {
      if (this.#at === this.#chunk.length) this.#turn()
      this.#chunk[this.#at++] = this.#held & 255
      this.#held >>>= 8
      this.#bits -= 8
    }
  }

  /** The symbols of a block and its end mark. At most 48 bits each: room is made ahead in slices. */
  symbols(symbols: Uint32Array, count: number, table: Codes): void {
    const { lengths, codes, far, farCodes } = table
    const slice = 512
    let held = this.#held
    let bits = this.#bits
    for (let from = 0; from < count; from += slice) {
      if (this.#chunk.length - this.#at < slice * 7) this.#turn()
      const chunk = this.#chunk
      let put = this.#at
      const to = Math.min(count, from + slice)
      for (let at = from; at < to; at += 1) {
        const symbol = symbols[at]!
        if (symbol < 256) {
          held |= codes[symbol]! << bits
          bits += lengths[symbol]!
        } else {
          const length = (symbol & 255) + 3
          const code = lengthCode[length]!
          const width = lengths[code]!
          held |= (codes[code]! | ((length - lengthBase[length]!) << width)) << bits
          bits += width + lengthExtra[length]!
          while (bits >= 8) {
            chunk[put++] = held & 255
            held >>>= 8
            bits -= 8
          }
          const distance = (symbol >> 8) & 0x7fff
          const farCode = codeOfDistance(distance)
          held |= farCodes[farCode]! << bits
          bits += far[farCode]!
          while (bits >= 8) {
            chunk[put++] = held & 255
            held >>>= 8
            bits -= 8
          }
          held |= (distance + 1 - distanceBase[farCode]!) << bits
          bits += distanceExtra[farCode]!
        }
        while (bits >= 8) {
          chunk[put++] = held & 255
          held >>>= 8
          bits -= 8
        }
      }
      this.#at = put
    }
    this.#held = held
    this.#bits = bits
    this.put(codes[256]!, lengths[256]!)
  }

  #turn(): void {
    this.#chunks.push(this.#chunk.subarray(0, this.#at))
    this.#chunk = new Uint8Array(chunkBytes)
    this.#at = 0
  }

  end(): readonly Uint8Array[] {
    if (this.#bits > 0) this.put(0, 8 - this.#bits)
    this.#chunks.push(this.#chunk.subarray(0, this.#at))
    return this.#chunks
  }
}
