/**
 * Length-limited Huffman codes for DEFLATE (RFC 1951, 3.2.2). Lengths come from a plain Huffman tree; where it is
 * deeper than the limit, leaves move up by the usual Kraft repair, which costs a few bits in rare blocks.
 */

/** Code lengths for `frequencies`, none above `limit`. At least one symbol gets a code. */
export function codeLengths(frequencies: Uint32Array, count: number, limit: number): Uint8Array {
  const lengths = new Uint8Array(count)
  const symbols: number[] = []
  for (let symbol = 0; symbol < count; symbol += 1) if (frequencies[symbol]! > 0) symbols.push(symbol)
  if (symbols.length === 0) return lengths
  if (symbols.length === 1) {
    lengths[symbols[0]!] = 1
    return lengths
  }
  symbols.sort((a, b) => frequencies[a]! - frequencies[b]! || a - b)
  const leaves = symbols.length
  const weight = new Float64Array(2 * leaves - 1)
  const parent = new Int32Array(2 * leaves - 1)
  for (let at = 0; at < leaves; at += 1) weight[at] = frequencies[symbols[at]!]!
  let leaf = 0
  let inner = leaves
  for (let made = leaves; made < 2 * leaves - 1; made += 1) {
    let sum = 0
    for (let child = 0; child < 2; child += 1) {
      const node = leaf < leaves && (inner >= made || weight[leaf]! <= weight[inner]!) ? leaf++ : inner++
      parent[node] = made
      sum += weight[node]!
    }
    weight[made] = sum
  }
  const depth = new Uint16Array(2 * leaves - 1)
  const perLength = new Uint32Array(limit + 1)
  for (let node = 2 * leaves - 3; node >= 0; node -= 1) depth[node] = depth[parent[node]!]! + 1
  let kraft = 0 // in units of 2^-limit
  for (let at = 0; at < leaves; at += 1) {
    const length = Math.min(depth[at]!, limit)
    perLength[length]! += 1
    kraft += 2 ** (limit - length)
  }
  for (let over = kraft - 2 ** limit; over > 0; over -= 1) {
    // One code of the limit and one shorter code become two codes one deeper than the shorter one.
    let length = limit - 1
    while (perLength[length] === 0) length -= 1
    perLength[length]! -= 1
    perLength[length + 1]! += 2
    perLength[limit]! -= 1
  }
  // The rarest symbols, first in the list, take the longest codes.
  let at = 0
  for (let length = limit; length > 0; length -= 1) {
    for (let left = perLength[length]!; left > 0; left -= 1) lengths[symbols[at++]!] = length
  }
  return lengths
}

/** Canonical codes, already bit-reversed for a writer that fills bytes from the low bit. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const perLength = new Uint16Array(16)
  for (const length of lengths) if (length > 0) perLength[length]! += 1
  const next = new Uint16Array(16)
  let code = 0
  for (let length = 1; length < 16; length += 1) {
    code = (code + perLength[length - 1]!) << 1
    next[length] = code
  }
  const codes = new Uint16Array(lengths.length)
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol]!
    if (length === 0) continue
    let value = next[length]!
    next[length] = value + 1
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
  const out: { symbol: number; extra: number }[] = []
  for (let at = 0; at < lengths.length; ) {
    const value = lengths[at]!
    let run = 1
    while (at + run < lengths.length && lengths[at + run] === value) run += 1
    at += run
    if (value !== 0) {
      out.push({ symbol: value, extra: 0 })
      run -= 1
    }
    while (run >= 3) {
      if (value !== 0) {
        const take = Math.min(run, 6)
        out.push({ symbol: 16, extra: take - 3 })
        run -= take
      } else if (run <= 10) {
        out.push({ symbol: 17, extra: run - 3 })
        run = 0
      } else {
        const take = Math.min(run, 138)
        out.push({ symbol: 18, extra: take - 11 })
        run -= take
      }
    }
    for (; run > 0; run -= 1) out.push({ symbol: value, extra: 0 })
  }
  return out
}
