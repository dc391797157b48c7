import { type BreakClass, breakClassOf } from './break-classes.ts'

/** A place where a line may end. */
export interface Break {
  /** Index of the first character after the break; spaces before it hang outside the margin. */
  readonly at: number
  readonly required: boolean
}

/**
 * Where text may be broken into lines: UAX #14 with the tailoring of LibreOffice (a break after '/' in Latin text, none
 * before closing punctuation even after a space). The end of the text is not a break. Plain words and spaces take a
 * short way. Thai, Lao, Khmer and Burmese, which write no spaces, are cut at the words the platform's segmenter finds.
 */
export function breakOpportunities(text: string): Break[] {
  return plain.test(text) ? breaksAtSpaces(text) : breaksByClass(text)
}

/** Letters, digits and what never breaks beside them; anything else needs the rules. */
const plain = /^[A-Za-z0-9\u00c0-\u024f\u0370-\u0373\u0386-\u0482 .,]*$/

/** With these characters only the one after the spaces decides: '.' and ',' hold to what stands before. */
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

function breaksByClass(text: string): Break[] {
  const breaks: Break[] = []
  let before: BreakClass | undefined // class of what stands before, spaces passed over
  let earlier: BreakClass | undefined // the one before that
  let spaced = false
  let indicators = 0 // regional indicators in a row: flags are pairs
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    const width = code > 0xffff ? 2 : 1
    let current = breakClassOf(code)
    if (before === undefined) {
      if (current === 'CM' || current === 'ZWJ') current = 'AL'
    } else if (before === 'BK' || (before === 'LF' && !(code === 0x0a && text[at - 1] === '\r'))) {
      breaks.push({ at, required: true })
      if (current === 'CM' || current === 'ZWJ') current = 'AL'
    } else if (current === 'CM' || current === 'ZWJ') {
      if (!spaced && before !== 'ZW') {
        // A mark belongs to its base; a joiner also binds what follows.
        if (current === 'ZWJ') before = 'ZWJ'
        at += width
        continue
      }
      current = 'AL'
      if (spaced || before === 'ZW') breaks.push({ at, required: false })
    } else if (
      mayBreak({ before, earlier, spaced, current, indicators }) ||
      (!spaced && before === 'AL' && shares.has(code))
    ) {
      breaks.push({ at, required: false })
    }
    if (current === 'SP') {
      spaced = true
      before ??= 'SP'
    } else {
      indicators = current === 'RI' && !spaced ? indicators + 1 : current === 'RI' ? 1 : 0
      earlier = spaced ? 'SP' : before
      before = current
      spaced = false
    }
    at += width
  }
  return southEastAsian.test(text) ? withWordBreaks(text, breaks) : breaks
}

interface Junction {
  readonly before: BreakClass
  readonly earlier: BreakClass | undefined
  readonly spaced: boolean
  readonly current: BreakClass
  readonly indicators: number
}

/** The numbered rules of UAX #14 from LB6 on, in their order. */
function mayBreak({ before, earlier, spaced, current, indicators }: Junction): boolean {
  if (current === 'BK' || current === 'LF' || current === 'SP' || current === 'ZW') return false // 6, 7
  if (before === 'ZW') return true // 8
  if (before === 'ZWJ' && !spaced) return false // 8a
  if (current === 'WJ' || (before === 'WJ' && !spaced)) return false // 11
  if (before === 'GL' && !spaced) return false // 12
  if (current === 'GL' && !spaced && before !== 'BA' && before !== 'HY') return false // 12a
  if (closing.has(current)) return false // 13
  if (before === 'OP') return false // 14
  if (before === 'QU' && current === 'OP') return false // 15
  if ((before === 'CL' || before === 'CP') && current === 'NS') return false // 16
  if (before === 'B2' && current === 'B2') return false // 17
  if (spaced || before === 'SP') return true // 18
  if (current === 'QU' || before === 'QU') return false // 19
  if (current === 'CB' || before === 'CB') return true // 20
  if (current === 'BA' || current === 'HY' || current === 'NS' || before === 'BB') return false // 21
  if (earlier === 'HL' && (before === 'HY' || before === 'BA')) return false // 21a
  if (before === 'SY' && current === 'HL') return false // 21b
  if (current === 'IN') return false // 22
  if (before === 'RI' && current === 'RI') return indicators % 2 === 0 // 30a
  return !bound.has(`${before} ${current}`) // 23 to 30
}

/** Observed in LibreOffice: per cent, per mille and cent may begin a line after letters (UAX #14 holds them). */
const shares: ReadonlySet<number> = new Set([0x25, 0x2030, 0xa2])

const closing: ReadonlySet<BreakClass> = new Set(['CL', 'CP', 'EX', 'IS', 'SY'])

/** Pairs that rules 23 to 30 hold together. */
const bound: ReadonlySet<string> = new Set(
  [
    ['AL HL', 'NU'],
    ['NU', 'AL HL'],
    ['PR', 'ID'],
    ['ID', 'PO'],
    ['PR PO', 'AL HL'],
    ['AL HL', 'PR PO'],
    ['CL CP NU', 'PO PR'],
    ['PO PR', 'OP NU'],
    ['HY IS NU SY', 'NU'],
    ['AL HL SA', 'AL HL SA'],
    ['IS', 'AL HL'],
    ['AL HL NU', 'OP'],
    ['CP', 'AL HL NU'],
  ].flatMap(([left = '', right = '']) =>
    left.split(' ').flatMap((before) => right.split(' ').map((after) => `${before} ${after}`)),
  ),
)

const southEastAsian = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
const southEastAsianRun = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{2,}/g
let segmenter: Intl.Segmenter | undefined

/** Adds the word boundaries inside runs of scripts without spaces. */
function withWordBreaks(text: string, breaks: readonly Break[]): Break[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  const all = new Map(breaks.map((found) => [found.at, found]))
  for (const run of text.matchAll(southEastAsianRun)) {
    for (const { index } of segmenter.segment(run[0])) {
      const at = run.index + index
      if (index > 0 && !all.has(at)) all.set(at, { at, required: false })
    }
  }
  return [...all.values()].sort((a, b) => a.at - b.at)
}
