/**
 * Length-limited Huffman codes for DEFLATE (RFC 1951, 3.2.2). Lengths come from an unlimited Huffman tree; where it is
 * deeper than the limit, leaves move up by the usual Kraft repair, which costs a few bits in rare blocks.
 */

/**
 * Code lengths in bits by symbol; 0 for symbols that do not occur. At least one symbol must occur to get a code.
 *
 * frequencies  how often each symbol occurs; only the first `count` are read
 * limit        the maximum length in bits
 */
export function codeLengths(frequencies: Uint32Array, count: number, limit: number): Uint8Array {
  const lengths = new Uint8Array(count)
  const symbols: number[] = []
  for (let symbol = 0; symbol < count; symbol += 1) if ((frequencies[symbol] ?? 0) > 0) symbols.push(symbol)
  if (symbols.length === 0) return lengths
  if (symbols.length === 1) {
    lengths[symbols[0] ?? 0] = 1
    return lengths
  }
  symbols.sort((a, b) => (frequencies[a] ?? 0) - (frequencies[b] ?? 0) || a - b)
  const weights = new Float64Array(symbols.length)
  for (let index = 0; index < symbols.length; index += 1)
    weights[index] = frequencies[symbols[index] ?? 0] ?? 0
  const perLength = limitedLengths(leafDepths(weights), symbols.length, limit)
  // The rarest symbols, first in the list, take the longest codes.
  let symbolIndex = 0
  for (let length = limit; length > 0; length -= 1) {
    for (let remaining = perLength[length] ?? 0; remaining > 0; remaining -= 1)
      lengths[symbols[symbolIndex++] ?? 0] = length
  }
  return lengths
}

/**
 * The depth of each node, leaves first, in the Huffman tree of at least two ascending weights. Since they ascend, so do the weights of
 * inner nodes in the order of their creation, and the two lightest nodes are always at the heads of two queues.
 */
function leafDepths(weights: Float64Array): Uint16Array {
  const leaves = weights.length
  const root = 2 * leaves - 2
  const weight = new Float64Array(root + 1)
  weight.set(weights)
  const parent = new Int32Array(root + 1)
  let leaf = 0
  let innerNode = leaves
  for (let created = leaves; created <= root; created += 1) {
    let sum = 0
    for (let child = 0; child < 2; child += 1) {
      const node =
        leaf < leaves && (innerNode >= created || (weight[leaf] ?? 0) <= (weight[innerNode] ?? 0))
          ? leaf++
          : innerNode++
      parent[node] = created
      sum += weight[node] ?? 0
    }
    weight[created] = sum
  }
  // A parent has a higher index than its children, so its depth is known first.
  const depth = new Uint16Array(root + 1)
  for (let node = root - 1; node >= 0; node -= 1) depth[node] = (depth[parent[node] ?? 0] ?? 0) + 1
  return depth
}

/**
 * How many of the first `leaves` codes have each length from 1 to `limit`. Depths above the limit are cut to it, which spends more code space
 * than there is (the Kraft sum exceeds 1); shorter codes are then lengthened until the sum fits.
 */
function limitedLengths(depths: Uint16Array, leaves: number, limit: number): Uint32Array {
  const perLength = new Uint32Array(limit + 1)
  let kraft = 0 // in units of 2^-limit
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    const length = Math.min(depths[leaf] ?? 0, limit)
    perLength[length] = (perLength[length] ?? 0) + 1
    kraft += 2 ** (limit - length)
  }
  for (let over = kraft - 2 ** limit; over > 0; over -= 1) {
    // One code of the limit and one shorter code become two codes one deeper than the shorter one.
    let length = limit - 1
    while (perLength[length] === 0) length -= 1
    perLength[length] = (perLength[length] ?? 0) - 1
    perLength[length + 1] = (perLength[length + 1] ?? 0) + 2
    perLength[limit] = (perLength[limit] ?? 0) - 1
  }
  return perLength
}

/** Canonical codes, already bit-reversed for a writer that fills bytes from the low bit. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const perLength = new Uint16Array(16)
  for (const length of lengths) if (length > 0) perLength[length] = (perLength[length] ?? 0) + 1
  const nextCode = new Uint16Array(16)
  let code = 0
  for (let length = 1; length < 16; length += 1) {
    code = (code + (perLength[length - 1] ?? 0)) << 1
    nextCode[length] = code
  }
  const codes = new Uint16Array(lengths.length)
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0
    if (length === 0) continue
    let value = nextCode[length] ?? 0
    nextCode[length] = value + 1
    let reversed = 0
    for (let bit = 0; bit < length; bit += 1) {
      reversed = (reversed << 1) | (value & 1)
      value >>= 1
    }
    codes[symbol] = reversed
  }
  return codes
}

/** The two code lengths tables as DEFLATE writes them: run-length symbols 0 to 18 with their extra bits. */
export function runLengths(lengths: readonly number[]): { symbol: number; extra: number }[] {
  const symbols: { symbol: number; extra: number }[] = []
  for (let index = 0; index < lengths.length; ) {
    const value = lengths[index] ?? 0
    let run = 1
    while (index + run < lengths.length && lengths[index + run] === value) run += 1
    index += run
    if (value !== 0) {
      symbols.push({ symbol: value, extra: 0 })
      run -= 1
    }
    while (run >= 3) {
      if (value !== 0) {
        const take = Math.min(run, 6)
        symbols.push({ symbol: 16, extra: take - 3 })
        run -= take
      } else if (run <= 10) {
        symbols.push({ symbol: 17, extra: run - 3 })
        run = 0
      } else {
        const take = Math.min(run, 138)
        symbols.push({ symbol: 18, extra: take - 11 })
        run -= take
      }
    }
    for (; run > 0; run -= 1) symbols.push({ symbol: value, extra: 0 })
  }
  return symbols
}
