/** Resource limits for untrusted templates and data. Every loop over them checks one of these and ends in a typed error. */
export interface Limits {
  readonly templateBytes: number
  readonly zipEntries: number
  readonly inflatedBytes: number // sum over all entries, measured while inflating
  readonly inflateRatio: number // checked once an entry is over `ratioFloorBytes`
  readonly ratioFloorBytes: number
  readonly xmlDepth: number
  readonly markupItems: number // elements, texts and comments of one part; each takes some 200 bytes of memory
  readonly tags: number // in one template
  readonly tagLength: number // characters
  readonly loopDepth: number
  readonly outputBytes: number // uncompressed size of one written part
  readonly iterations: number // loop bodies written in one render
}

export const defaultLimits: Limits = {
  templateBytes: 20_971_520,
  zipEntries: 10_000,
  inflatedBytes: 209_715_200,
  inflateRatio: 200,
  ratioFloorBytes: 10_485_760,
  xmlDepth: 1_000,
  markupItems: 20_000_000,
  tags: 100_000,
  tagLength: 20_000,
  loopDepth: 32,
  outputBytes: 4_294_967_295,
  iterations: 20_000_000,
}
