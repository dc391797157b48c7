import { type BreakClass, breakClassOf } from './break-classes.ts'

/** A position at which a line may or must end. */
export interface Break {
  /** The index of the first character after the break. Spaces before it hang over the end of the line. */
  readonly at: number
  readonly required: boolean
}

/**
 * Finds the positions at which text may be broken into lines. The end of the text is not a break.
 *
 * The rules are those of UAX #14 with the tailoring of LibreOffice: a line may break after '/' in Latin text and after a hyphen
 * before digits, but not before closing punctuation, even after a space. Rule 15 does not apply: a line may break between a closing
 * quotation mark, a space and a parenthesis. Thai, Lao, Khmer and Burmese are written without spaces and are broken at the word
 * boundaries of `Intl.Segmenter`. Latin words with spaces between them take a fast path.
 */
export function breakOpportunities(text: string): Break[] {
  return latinOnly.test(text) ? breaksAtSpaces(text) : breaksByClass(text)
}

/**
 * Letters, digits and the punctuation beside which a line never breaks; any other character needs the rules.
 */
const latinOnly = /^[A-Za-z0-9\u00c0-\u024f\u0370-\u0373\u0386-\u0482 .,]*$/

/** The fast path. Only the character after the spaces decides: '.' and ',' stay with the text before them. */
function breaksAtSpaces(text: string): Break[] {
  const breaks: Break[] = []
  for (let space = text.indexOf(' '); space >= 0; ) {
    let at = space + 1
    while (text.charCodeAt(at) === 0x20) at++
    if (at >= text.length) break
    const next = text.charCodeAt(at)
    if (next !== 0x2e && next !== 0x2c) breaks.push({ at, required: false })
    space = text.indexOf(' ', at)
  }
  return breaks
}

/** Applies the rules of UAX #14 to every pair of neighbouring characters. */
function breaksByClass(text: string): Break[] {
  const breaks: Break[] = []
  const context: Context = { before: undefined, earlier: undefined, spaced: false, indicators: 0 }
  for (let at = 0; at < text.length; ) {
    const { before, spaced } = context
    if (before === 'AL' && !spaced && isAsciiLetter(text.charCodeAt(at))) {
      // Most characters of most texts are letters after letters, between which rule 28 allows no break.
      do at++
      while (isAsciiLetter(text.charCodeAt(at)))
      context.earlier = 'AL'
      context.indicators = 0
      continue
    }
    const code = text.codePointAt(at) ?? 0
    const charClass = breakClassOf(code)
    const isMark = charClass === 'CM' || charClass === 'ZWJ'
    const isBehindLineEnd = before !== undefined && endsLine(before, code, text, at)
    const hasBase = before !== undefined && before !== 'ZW' && !spaced
    if (isMark && hasBase && !isBehindLineEnd) {
      // Rule 9: a mark belongs to its base; a joiner also binds the next character.
      if (charClass === 'ZWJ') context.before = 'ZWJ'
    } else {
      const current = isMark ? 'AL' : charClass // rule 10: a mark without a base is like a letter
      if (isBehindLineEnd) breaks.push({ at, required: true })
      else if (before !== undefined && (isMark || mayBreakBefore(code, current, before, context)))
        breaks.push({ at, required: false })
      advance(context, current)
    }
    at += code > 0xffff ? 2 : 1
  }
  return southEastAsian.test(text) ? withWordBreaks(text, breaks) : breaks
}

/** What precedes the current character. One object is changed from character to character. */
interface Context {
  before: BreakClass | undefined // class of the previous character, ignoring spaces
  earlier: BreakClass | undefined // class of the character before that one
  spaced: boolean // whether spaces are between the previous character and the current one
  indicators: number // consecutive regional indicators; two of them form a flag
}

function mayBreakBefore(code: number, current: BreakClass, before: BreakClass, context: Context): boolean {
  return (
    mayBreak(before, current, context) || (before === 'AL' && !context.spaced && breaksAfterLetters.has(code))
  )
}

/** Moves past a character of class `current`. */
function advance(context: Context, current: BreakClass): void {
  const { before, spaced, indicators } = context
  if (current === 'SP') {
    context.spaced = true
    context.before ??= 'SP'
    return
  }
  if (current !== 'RI') context.indicators = 0
  else context.indicators = spaced ? 1 : indicators + 1
  context.earlier = spaced ? 'SP' : before
  context.before = current
  context.spaced = false
}

/** Rules 4 and 5: whether the line ends after a character of class `before`. CR and LF end it together. */
function endsLine(before: BreakClass, code: number, text: string, at: number): boolean {
  return before === 'BK' || (before === 'LF' && !(code === 0x0a && text[at - 1] === '\r'))
}

const isAsciiLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

/** Applies the numbered rules of UAX #14 from LB6 on, in their order. */
function mayBreak(before: BreakClass, current: BreakClass, context: Context): boolean {
  return (
    breakAroundSpaces(before, current, context.spaced) ?? breakBetweenNeighbours(before, current, context)
  )
}

/** Rules 6 to 18 but 15, which also decide where spaces come between two characters; undefined where none applies. */
function breakAroundSpaces(before: BreakClass, current: BreakClass, spaced: boolean): boolean | undefined {
  if (current === 'BK' || current === 'LF' || current === 'SP' || current === 'ZW') return false // 6, 7
  if (before === 'ZW') return true // 8
  if (before === 'ZWJ' && !spaced) return false // 8a
  if (current === 'WJ' || (before === 'WJ' && !spaced)) return false // 11
  if (before === 'GL' && !spaced) return false // 12
  if (current === 'GL' && !spaced && before !== 'BA' && before !== 'HY') return false // 12a
  if (closing.has(current)) return false // 13
  if (before === 'OP') return false // 14
  if ((before === 'CL' || before === 'CP') && current === 'NS') return false // 16
  if (before === 'B2' && current === 'B2') return false // 17
  if (spaced || before === 'SP') return true // 18
  return undefined
}

/** Rules 19 to 30, for characters without spaces between them. */
function breakBetweenNeighbours(
  before: BreakClass,
  current: BreakClass,
  { earlier, indicators }: Context,
): boolean {
  if (current === 'QU' || before === 'QU') return false // 19
  if (current === 'CB' || before === 'CB') return true // 20
  if (current === 'BA' || current === 'HY' || current === 'NS' || before === 'BB') return false // 21
  if (earlier === 'HL' && (before === 'HY' || before === 'BA')) return false // 21a
  if (before === 'SY' && current === 'HL') return false // 21b
  if (current === 'IN') return false // 22
  if (before === 'RI' && current === 'RI') return indicators % 2 === 0 // 30a
  return bound.get(before)?.has(current) !== true // 23 to 30
}

/**
 * Observed in LibreOffice: percent, per mille and cent signs may begin a line after letters, although UAX #14
 * forbids it.
 */
const breaksAfterLetters: ReadonlySet<number> = new Set([0x25, 0x2030, 0xa2])

/** Classes before which a line never breaks, by rule 13. */
const closing: ReadonlySet<BreakClass> = new Set(['CL', 'CP', 'EX', 'IS', 'SY'])

/**
 * Pairs of classes that rules 23 to 30 keep together. Rule 25 does so with a hyphen and a digit, too, but LibreOffice and
 * Word break lines there: in dates, telephone numbers and codes.
 */
const bound: ReadonlyMap<string, ReadonlySet<string>> = pairsOf([
  ['AL HL', 'NU'],
  ['NU', 'AL HL'],
  ['PR', 'ID'],
  ['ID', 'PO'],
  ['PR PO', 'AL HL'],
  ['AL HL', 'PR PO'],
  ['CL CP NU', 'PO PR'],
  ['PO PR', 'OP NU'],
  ['IS NU SY', 'NU'],
  ['AL HL SA', 'AL HL SA'],
  ['IS', 'AL HL'],
  ['AL HL NU', 'OP'],
  ['CP', 'AL HL NU'],
])

/** The classes after each class, of pairs whose members are lists divided by spaces. */
function pairsOf(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const following = new Map<string, Set<string>>()
  for (const [left, right] of pairs)
    for (const before of left.split(' '))
      following.set(before, new Set([...(following.get(before) ?? []), ...right.split(' ')]))
  return following
}

const southEastAsian = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
const southEastAsianRun = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{2,}/g
let segmenter: Intl.Segmenter | undefined

/** Adds the word boundaries inside runs of scripts that are written without spaces. */
function withWordBreaks(text: string, breaks: readonly Break[]): Break[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  const all = new Map(breaks.map((opportunity) => [opportunity.at, opportunity]))
  for (const run of text.matchAll(southEastAsianRun)) {
    for (const { index } of segmenter.segment(run[0])) {
      const at = run.index + index
      if (index > 0 && !all.has(at)) all.set(at, { at, required: false })
    }
  }
  return [...all.values()].sort((a, b) => a.at - b.at)
}
