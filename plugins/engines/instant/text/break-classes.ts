/** The line breaking classes of UAX #14 that occur in documents. Ranges follow the Unicode blocks. */
export type BreakClass =
  | 'AL'
  | 'BA'
  | 'BB'
  | 'B2'
  | 'BK'
  | 'CB'
  | 'CL'
  | 'CM'
  | 'CP'
  | 'EX'
  | 'GL'
  | 'HL'
  | 'HY'
  | 'ID'
  | 'IN'
  | 'IS'
  | 'LF'
  | 'NS'
  | 'NU'
  | 'OP'
  | 'PO'
  | 'PR'
  | 'QU'
  | 'RI'
  | 'SA'
  | 'SP'
  | 'SY'
  | 'WJ'
  | 'ZW'
  | 'ZWJ'

/** The classes of single characters; they take precedence over the ranges. */
const characters: readonly (readonly [BreakClass, string])[] = [
  ['BK', '\u000b\u000c\u2028\u2029'],
  ['LF', '\n\r\u0085'],
  ['SP', ' '],
  ['ZW', '\u200b'],
  ['ZWJ', '\u200d'],
  ['WJ', '\u2060\ufeff'],
  ['GL', '\u00a0\u202f\u2007\u2011\u034f\u035c\u035d\u035e\u035f\u0f08\u0f0c\u180e'],
  ['HY', '-'],
  [
    'BA',
    '\t|\\\u00ad\u058a\u05be\u1361\u1400\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2010\u2012\u2013\u205f\u2027\u2056\u2058\u2059\u205a\u205b\u205d\u205e\u3000\u0964\u0965\u0f0b',
  ],
  ['BB', '\u00b4\u02c8\u02cc\u02df\u0f01\u1ffd'],
  ['B2', '\u2014\u2e3a\u2e3b'],
  ['CB', '\ufffc'],
  ['CP', ')]}'],
  [
    'CL',
    '\u2046\u207e\u208e\u2309\u230b\u232a\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u3019\u301b\u301e\u301f\ufe11\ufe12\ufe50\ufe52\uff09\uff0c\uff0e\uff3d\uff5d\uff60\uff61\uff63\uff64',
  ],
  [
    'OP',
    '([{\u00a1\u00bf\u201a\u201e\u2045\u207d\u208d\u2308\u230a\u2329\u2e18\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018\u301a\u301d\uff08\uff3b\uff5b\uff5f\uff62',
  ],
  ['QU', '"\'\u00ab\u00bb\u2018\u2019\u201b\u201c\u201d\u201f\u2039\u203a\u275b\u275c\u275d\u275e'],
  ['EX', '!?\u05c6\u061b\u061e\u061f\u06d4\u07f9\u2cf9\ufe15\ufe16\ufe56\ufe57\uff01\uff1f'],
  ['IS', ',.:;\u037e\u0589\u060c\u060d\u07f8\u2044\ufe10\ufe13\ufe14'],
  ['SY', '/'],
  ['IN', '\u2024\u2025\u2026\u22ef\ufe19'],
  [
    'NS',
    '\u203c\u203d\u2047\u2048\u2049\u3005\u301c\u303b\u303c\u309b\u309c\u309d\u309e\u30a0\u30fb\u30fd\u30fe\ufe54\ufe55\uff1a\uff1b\uff65\uff9e\uff9f\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u3095\u3096\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u30f5\u30f6\u30fc\uff67\uff68\uff69\uff6a\uff6b\uff6c\uff6d\uff6e\uff6f\uff70',
  ],
  ['PR', '$+\u00a3\u00a4\u00a5\u00b1\u2116\u2212\u2213\uff04\uffe1\uffe5\uffe6'],
  [
    'PO',
    '%\u00a2\u00b0\u2030\u2031\u2032\u2033\u2034\u2035\u2036\u2037\u20a7\u20b6\u20bb\u20be\u2103\u2109\ufe6a\uff05\uffe0',
  ],
]

/** The classes of ranges of code points, in ascending order for binary search. */
const ranges: readonly (readonly [first: number, last: number, BreakClass])[] = [
  [0x30, 0x39, 'NU'],
  [0x300, 0x36f, 'CM'],
  [0x483, 0x489, 'CM'],
  [0x591, 0x5bd, 'CM'],
  [0x5bf, 0x5c5, 'CM'],
  [0x5d0, 0x5f2, 'HL'],
  [0x610, 0x61a, 'CM'],
  [0x64b, 0x65f, 'CM'],
  [0x660, 0x669, 'NU'],
  [0x670, 0x670, 'CM'],
  [0x6d6, 0x6e4, 'CM'],
  [0x6f0, 0x6f9, 'NU'],
  [0x900, 0x903, 'CM'],
  [0x93a, 0x93c, 'CM'],
  [0x93e, 0x94f, 'CM'],
  [0x966, 0x96f, 'NU'],
  [0xe00, 0xe7f, 'SA'],
  [0xe80, 0xeff, 'SA'],
  [0x1000, 0x109f, 'SA'],
  [0x1100, 0x11ff, 'AL'],
  [0x1780, 0x17ff, 'SA'],
  [0x1ab0, 0x1aff, 'CM'],
  [0x1dc0, 0x1dff, 'CM'],
  [0x200e, 0x200f, 'CM'],
  [0x202a, 0x202e, 'CM'],
  [0x2066, 0x2069, 'CM'],
  [0x20a0, 0x20cf, 'PR'],
  [0x20d0, 0x20ff, 'CM'],
  [0x231a, 0x231b, 'ID'],
  [0x2600, 0x2603, 'ID'],
  [0x2e80, 0x2fff, 'ID'],
  [0x3003, 0x3004, 'ID'],
  [0x3006, 0x3007, 'ID'],
  [0x3012, 0x3013, 'ID'],
  [0x3020, 0x3029, 'ID'],
  [0x302a, 0x302f, 'CM'],
  [0x3030, 0x303a, 'ID'],
  [0x303d, 0x303f, 'ID'],
  [0x3040, 0xa4cf, 'ID'],
  [0xac00, 0xd7a3, 'AL'], // as in LibreOffice: Korean lines end at spaces
  [0xf900, 0xfaff, 'ID'],
  [0xfe00, 0xfe0f, 'CM'],
  [0xfe20, 0xfe2f, 'CM'],
  [0xfe30, 0xfe4f, 'ID'],
  [0xff02, 0xff60, 'ID'],
  [0xff66, 0xffdc, 'ID'],
  [0x1f1e6, 0x1f1ff, 'RI'],
  [0x1f300, 0x1f3fa, 'ID'],
  [0x1f3fb, 0x1f3ff, 'CM'], // skin tones stay with the emoji before them
  [0x1f400, 0x1faff, 'ID'],
  [0x20000, 0x3fffd, 'ID'],
  [0xe0100, 0xe01ef, 'CM'],
]

const single = new Map<number, BreakClass>()
for (const [kind, members] of characters) for (const member of members) single.set(member.charCodeAt(0), kind)

/**
 * The class of a code point. Unlisted characters count as letters, which UAX #14 also recommends for unknown
 * ones.
 */
export function breakClassOf(code: number): BreakClass {
  const exact = single.get(code)
  if (exact !== undefined) return exact
  if (code < 0x30 || (code > 0x39 && code < 0x300)) return 'AL'
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last, kind] = ranges[middle]!
    if (code < first) high = middle - 1
    else if (code > last) low = middle + 1
    else return kind
  }
  return 'AL'
}
