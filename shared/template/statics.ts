/**
 * The static segments of a template part, prepared once so that a render writes them at almost no cost: their bytes,
 * their CRC-32, the operator that advances a CRC past them, and their LZ77 tokens. Tokens may refer to earlier segments;
 * the encoder knows where it wrote those last.
 */
import { advanceOperator, advanceTable, crc32 } from '../crc32.ts'

/** The static segments of one part, by their id from 0. */
export interface StaticTable {
  readonly count: number
  readonly bytes: Uint8Array // all segments, one after the other
  readonly start: Uint32Array // count + 1 offsets into bytes
  readonly crc: Uint32Array // the CRC-32 of each segment
  readonly advance: Uint32Array // for each segment the `advanceOperator` of its length
  /** `advanceTable`s of the segments that loops write repeatedly. */
  readonly tables: readonly (Uint32Array | undefined)[]
  /**
   * Below 256: a literal. Otherwise `matchFlag | length`, followed by the segment in which the match begins and the offset
   * there. Created on first use, since formats without compression do not need them.
   */
  tokens(): StaticTokens
}
/** The LZ77 tokens of all segments, those of segment n from `start[n]` to `start[n + 1]`. */
export interface StaticTokens {
  readonly words: Uint32Array
  readonly start: Uint32Array // count + 1 offsets into words
}

/** Distinguishes a match from a literal in a word of `StaticTokens`. */
const matchFlag = 0x10000
/** The maximum number of tables of one part, of 4 KB each. Segments without a table only take longer to write. */
const maxTables = 512
/** Below this length, advancing a CRC byte by byte is as fast as with a table. */
const minTableBytes = 16
const encoder = new TextEncoder()

/** Prepares segments. `repeated[n]` is whether segment n is inside a loop. */
export function makeStatics(texts: readonly string[], repeated: readonly boolean[]): StaticTable {
  const encoded = texts.map((text) => encoder.encode(text))
  const start = new Uint32Array(texts.length + 1)
  encoded.forEach((segment, id) => {
    start[id + 1] = (start[id] ?? 0) + segment.length
  })
  const bytes = new Uint8Array(start[texts.length] ?? 0)
  for (const [id, segment] of encoded.entries()) bytes.set(segment, start[id] ?? 0)
  // The table depends on nothing but the length, so segments of one length share it.
  const byLength = new Map<number, Uint32Array>()
  const tables = encoded.map((segment, id) => {
    if (!repeated[id] || segment.length < minTableBytes) return undefined
    let table = byLength.get(segment.length)
    if (table === undefined && byLength.size < maxTables) {
      table = advanceTable(advanceOperator(segment.length))
      byLength.set(segment.length, table)
    }
    return table
  })
  let tokens: StaticTokens | undefined
  return {
    count: texts.length,
    bytes,
    start,
    crc: Uint32Array.from(encoded, (segment) => crc32(segment)),
    advance: Uint32Array.from(encoded, (segment) => advanceOperator(segment.length)),
    tables,
    tokens: () => (tokens ??= tokenise(bytes, start)),
  }
}

const hashBits = 15
/** The maximum number of earlier positions that are compared. More comparisons find few better matches and cost time. */
const maxChain = 48
/** A match of this length ends the search. */
const goodEnough = 128
/** Limits of DEFLATE (RFC 1951, 3.2.5). */
const maxMatch = 258
const maxDistance = 32768
/** A shorter match is not accepted when the next byte begins a longer one. */
const lazyBelow = 32
/** A match of three bytes from farther away costs more bits than three literals. */
const maxDistanceOfThree = 4096

/** LZ77 over all segments with hash chains and one step of lazy matching. Matches never cross the edge of a segment. */
function tokenise(bytes: Uint8Array, start: Uint32Array): StaticTokens {
  const count = start.length - 1
  const hashes: number[] = []
  const tokenStart = new Uint32Array(count + 1)
  const { segmentOf, insert, find } = createMatcher(bytes, start)
  for (let segment = 0; segment < count; segment += 1) {
    const end = start[segment + 1] ?? 0
    segmentOf.fill(segment, start[segment] ?? 0, end)
    tokenStart[segment] = hashes.length
    let position = start[segment] ?? 0
    /** The match of this position when the lazy step has already searched for it. */
    let lazyMatch: Match | undefined
    while (position < end) {
      const match = lazyMatch ?? find(position, end)
      lazyMatch = undefined
      insert(position, end)
      let accepted = match.from >= 0 && (match.length > 3 || position - match.from <= maxDistanceOfThree)
      if (accepted && match.length < lazyBelow && position + 1 < end) {
        const nextMatch = find(position + 1, end)
        if (nextMatch.length > match.length) {
          lazyMatch = nextMatch
          accepted = false
        }
      }
      if (!accepted) {
        hashes.push(bytes[position] ?? 0)
        position += 1
        continue
      }
      const source = segmentOf[match.from] ?? 0
      hashes.push(matchFlag | match.length, source, match.from - (start[source] ?? 0))
      for (let offset = 1; offset < match.length; offset += 1) insert(position + offset, end)
      position += match.length
    }
  }
  tokenStart[count] = hashes.length
  return { words: Uint32Array.from(hashes), start: tokenStart }
}

interface Match {
  readonly length: number // 2 if nothing was found
  readonly from: number // a position in the bytes; -1 if nothing was found
}

interface Matcher {
  /** The segment of each position. The caller sets it before it searches in a segment. */
  readonly segmentOf: Uint32Array
  /** Adds a position to the chains that later searches follow. `end` is the end of its segment. */
  insert(position: number, end: number): void
  /** The longest match for the bytes at a position, among the positions inserted before. */
  find(position: number, end: number): Match
}

/** Searches for earlier occurrences by chains of positions whose next three bytes have the same hash. */
function createMatcher(bytes: Uint8Array, start: Uint32Array): Matcher {
  const head = new Int32Array(1 << hashBits).fill(-1)
  const previous = new Int32Array(bytes.length)
  const segmentOf = new Uint32Array(bytes.length)
  const hash = (position: number) =>
    (Math.imul(
      (bytes[position] ?? 0) | ((bytes[position + 1] ?? 0) << 8) | ((bytes[position + 2] ?? 0) << 16),
      0x9e3779b1,
    ) >>>
      (32 - hashBits)) &
    0x7fff
  return {
    segmentOf,
    insert(position, end) {
      if (position + 3 > end) return
      const key = hash(position)
      previous[position] = head[key] ?? 0
      head[key] = position
    },
    find(position, end) {
      let length = 2
      let from = -1
      if (position + 3 > end) return { length, from }
      const maxLength = Math.min(maxMatch, end - position)
      let candidatesLeft = maxChain
      for (
        let candidate = head[hash(position)] ?? 0;
        candidate >= 0 && candidatesLeft > 0;
        candidate = previous[candidate] ?? 0, candidatesLeft -= 1
      ) {
        if (position - candidate > maxDistance) break
        // The output may have other bytes after the candidate's segment, so a match ends with it.
        const limit =
          segmentOf[candidate] === segmentOf[position]
            ? maxLength
            : Math.min(maxLength, (start[(segmentOf[candidate] ?? 0) + 1] ?? 0) - candidate)
        if (limit <= length || bytes[candidate + length] !== bytes[position + length]) continue
        let matched = 0
        while (matched < limit && bytes[candidate + matched] === bytes[position + matched]) matched += 1
        if (matched > length) {
          length = matched
          from = candidate
          if (matched >= goodEnough || matched === maxLength) break
        }
      }
      return { length, from }
    },
  }
}
