/**
 * The unchanging stretches of a template part, made ready once so that a render writes them for next to nothing:
 * their bytes, their CRC and the step it advances a CRC by, and their LZ77 tokens. Tokens may point back into earlier
 * stretches; the encoder knows where it wrote those last.
 */
import { advanceOperator, advanceTable, crc32 } from './crc32.ts'

export interface StaticTable {
  readonly count: number
  readonly bytes: Uint8Array // all stretches, one after the other
  readonly start: Uint32Array // count + 1 offsets into bytes
  readonly crc: Uint32Array
  readonly advance: Uint32Array
  /** `advanceTable`s of the stretches that loops write again and again. */
  readonly tables: readonly (Uint32Array | undefined)[]
  /**
   * Below 256: a literal. Else `matchFlag | length`, followed by the stretch the match starts in and the offset there.
   * Made on first use: formats that are not compressed never ask.
   */
  tokens(): StaticTokens
}
export interface StaticTokens {
  readonly words: Uint32Array
  readonly start: Uint32Array // count + 1 offsets into words
}

const matchFlag = 0x10000
const tablesAtMost = 512 // 4 KB each
const encoder = new TextEncoder()

/** `repeated[n]`: stretch n stands in a loop. */
export function makeStatics(texts: readonly string[], repeated: readonly boolean[]): StaticTable {
  const encoded = texts.map((text) => encoder.encode(text))
  const start = new Uint32Array(texts.length + 1)
  encoded.forEach((bytes, at) => {
    start[at + 1] = start[at]! + bytes.length
  })
  const bytes = new Uint8Array(start[texts.length]!)
  for (const [at, piece] of encoded.entries()) bytes.set(piece, start[at]!)
  const byLength = new Map<number, Uint32Array>()
  const tables = encoded.map((piece, at) => {
    if (!repeated[at] || piece.length < 16) return undefined
    let table = byLength.get(piece.length)
    if (table === undefined && byLength.size < tablesAtMost) {
      table = advanceTable(advanceOperator(piece.length))
      byLength.set(piece.length, table)
    }
    return table
  })
  let made: StaticTokens | undefined
  return {
    count: texts.length,
    bytes,
    start,
    crc: Uint32Array.from(encoded, (piece) => crc32(piece)),
    advance: Uint32Array.from(encoded, (piece) => advanceOperator(piece.length)),
    tables,
    tokens: () => (made ??= tokenise(bytes, start)),
  }
}

const hashBits = 15
const chainAtMost = 48
const goodEnough = 128
const longest = 258
const farthest = 32768

/** LZ77 over all stretches with hash chains and one step of lazy matching. Matches never cross a stretch's edge. */
function tokenise(bytes: Uint8Array, start: Uint32Array): StaticTokens {
  const count = start.length - 1
  const words: number[] = []
  const tokenStart = new Uint32Array(count + 1)
  const head = new Int32Array(1 << hashBits).fill(-1)
  const previous = new Int32Array(bytes.length)
  const owner = new Uint32Array(bytes.length)
  const hash = (at: number) =>
    (Math.imul(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16), 0x9e3779b1) >>> (32 - hashBits)) &
    0x7fff
  const insert = (at: number, end: number) => {
    if (at + 3 > end) return
    const key = hash(at)
    previous[at] = head[key]!
    head[key] = at
  }
  const find = (at: number, end: number): { length: number; from: number } => {
    let length = 2
    let from = -1
    if (at + 3 > end) return { length, from }
    const most = Math.min(longest, end - at)
    let left = chainAtMost
    for (
      let candidate = head[hash(at)]!;
      candidate >= 0 && left > 0;
      candidate = previous[candidate]!, left -= 1
    ) {
      if (at - candidate > farthest) break
      const limit =
        owner[candidate] === owner[at] ? most : Math.min(most, start[owner[candidate]! + 1]! - candidate)
      if (limit <= length || bytes[candidate + length] !== bytes[at + length]) continue
      let same = 0
      while (same < limit && bytes[candidate + same] === bytes[at + same]) same += 1
      if (same > length) {
        length = same
        from = candidate
        if (same >= goodEnough || same === most) break
      }
    }
    return { length, from }
  }
  for (let part = 0; part < count; part += 1) {
    const end = start[part + 1]!
    owner.fill(part, start[part]!, end)
    tokenStart[part] = words.length
    let at = start[part]!
    let ahead: { length: number; from: number } | undefined
    while (at < end) {
      const match = ahead ?? find(at, end)
      ahead = undefined
      insert(at, end)
      // A match of three far away costs more than three literals.
      if (match.from < 0 || (match.length === 3 && at - match.from > 4096)) {
        words.push(bytes[at]!)
        at += 1
        continue
      }
      if (match.length < 32 && at + 1 < end) {
        ahead = find(at + 1, end)
        if (ahead.length > match.length) {
          words.push(bytes[at]!)
          at += 1
          continue
        }
        ahead = undefined
      }
      const source = owner[match.from]!
      words.push(matchFlag | match.length, source, match.from - start[source]!)
      for (let inside = 1; inside < match.length; inside += 1) insert(at + inside, end)
      at += match.length
    }
  }
  tokenStart[count] = words.length
  return { words: Uint32Array.from(words), start: tokenStart }
}
