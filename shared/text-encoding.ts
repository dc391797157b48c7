/**
 * Recognizes the encoding of text that is not UTF-8, from how its bytes go together. Text of East Asia is written in pairs of
 * bytes, of which those of common characters begin in a narrow range; Cyrillic in runs of single bytes above 0xbf. What is
 * neither is Windows-1252. The layouts are those of the Encoding Standard (https://encoding.spec.whatwg.org/).
 */

/** How many bytes above ASCII are examined. */
const sample = 20_000
/** The share of common characters that text of an encoding has at least. */
const minCommonFraction = 0.75
/** GB 2312 and the Korean set overlap. Of Chinese text, a third begins beyond the Korean syllables. */
const minKoreanFraction = 0.95

interface Pairs {
  readonly label: string
  readonly isLead: (byte: number) => boolean
  readonly isTrail: (byte: number) => boolean
  readonly isCommon: (lead: number, trail: number) => boolean
}

const within = (byte: number, first: number, last: number): boolean => byte >= first && byte <= last

const layouts: readonly Pairs[] = [
  {
    label: 'shift_jis',
    isLead: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    isTrail: (byte) => within(byte, 0x40, 0x7e) || within(byte, 0x80, 0xfc),
    // Punctuation, kana, and the kanji of the first level.
    isCommon: (lead) => within(lead, 0x81, 0x83) || within(lead, 0x88, 0x97),
  },
  {
    label: 'euc-jp',
    isLead: (byte) => within(byte, 0xa1, 0xfe) || byte === 0x8e,
    isTrail: (byte) => within(byte, 0xa1, 0xfe),
    // A half of Japanese text is kana, which the Chinese and Korean sets have elsewhere or use hardly.
    isCommon: (lead) => lead === 0xa1 || within(lead, 0xa3, 0xa5) || within(lead, 0xb0, 0xcf),
  },
  {
    label: 'euc-kr',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isTrail: (byte) => within(byte, 0x41, 0xfe),
    isCommon: (lead, trail) => trail >= 0xa1 && (within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xc8)),
  },
  {
    label: 'gb18030',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isTrail: (byte) => within(byte, 0x40, 0xfe) && byte !== 0x7f,
    isCommon: (lead, trail) => trail >= 0xa1 && (within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xd7)),
  },
  {
    label: 'big5',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isTrail: (byte) => within(byte, 0x40, 0x7e) || within(byte, 0xa1, 0xfe),
    isCommon: (lead) => within(lead, 0xa1, 0xc6),
  },
]

/** The label of the encoding, for TextDecoder. */
export function encodingOf(bytes: Uint8Array): string {
  const fractions = new Map<string, number>()
  for (const pairs of layouts) {
    const fraction = commonFraction(bytes, pairs)
    if (fraction >= minCommonFraction && decodes(bytes, pairs.label)) fractions.set(pairs.label, fraction)
  }
  if (fractions.has('euc-jp') && kanaFraction(bytes) > 0.1) return 'euc-jp'
  if ((fractions.get('euc-kr') ?? 0) >= minKoreanFraction && !fractions.has('shift_jis')) return 'euc-kr'
  fractions.delete('euc-kr')
  fractions.delete('euc-jp')
  const [best] = [...fractions].sort(([, a], [, b]) => b - a)
  return best?.[0] ?? singleByteEncoding(bytes)
}

/** The share of common pairs among all characters above ASCII; 0 where bytes cannot be of this encoding. */
function commonFraction(bytes: Uint8Array, { label, isLead, isTrail, isCommon }: Pairs): number {
  let [all, common] = [0, 0]
  for (let at = 0; at < bytes.length && all < sample; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    all++
    if (label === 'shift_jis' && within(lead, 0xa1, 0xdf)) {
      // Half-width katakana occur in runs; a single one is a letter of another encoding.
      const isRun = within(bytes[at + 1] ?? 0, 0xa1, 0xdf) || within(bytes[at - 1] ?? 0, 0xa1, 0xdf)
      if (isRun) common++
      continue
    }
    const trail = bytes[at + 1] ?? 0
    if (!isLead(lead) || !isTrail(trail)) return 0
    if (isCommon(lead, trail)) common++
    at++
  }
  return all === 0 ? 0 : common / all
}

/** The share of kana in text of EUC-JP. */
function kanaFraction(bytes: Uint8Array): number {
  let [all, kana] = [0, 0]
  for (let at = 0; at < bytes.length && all < sample; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    all++
    if (lead === 0xa4 || lead === 0xa5) kana++
    at++
  }
  return all === 0 ? 0 : kana / all
}

function decodes(bytes: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Latin letters above ASCII occur alone among others, Cyrillic letters in runs. */
function singleByteEncoding(bytes: Uint8Array): string {
  let [high, runs, previous] = [0, 0, 0]
  for (const byte of bytes.subarray(0, sample)) {
    if (byte >= 0xc0) {
      high++
      if (previous < 0xc0) runs++
    }
    previous = byte
  }
  return runs > 0 && high / runs >= 3 ? 'windows-1251' : 'windows-1252'
}

/**
 * Decodes text by its byte order mark, else as UTF-8 when it is valid, else by the statistics of its bytes. A byte order mark
 * is not part of the result.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder(encodingOf(bytes)).decode(bytes)
  }
}
