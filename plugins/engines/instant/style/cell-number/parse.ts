import { entryOf } from '../../../../../shared/entry-of.ts'
import { languageOfCode } from './languages.ts'

/** A part of a section of a number format. */
export type FormatToken =
  | { readonly kind: 'literal'; readonly text: string }
  /** Space as wide as a character, from '_x'. */
  | { readonly kind: 'skip'; readonly text: string }
  /** A character that is repeated until the cell is full, from '*x'. */
  | { readonly kind: 'fill'; readonly text: string }
  | { readonly kind: 'digit'; readonly text: '0' | '#' | '?' }
  | { readonly kind: 'point' | 'comma' | 'percent' | 'slash' | 'general' | 'text' }
  | { readonly kind: 'exponent'; readonly plus: boolean }
  /** Letters of a date: 'yyyy', 'mm' for a month, 'nn' for minutes, 'elapsed-h', 'ampm', 'fraction' of a second. */
  | { readonly kind: 'date'; readonly part: DatePart; readonly width: number }

export type DatePart =
  | 'year'
  | 'month'
  | 'day'
  | 'weekday'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'elapsed-hour'
  | 'elapsed-minute'
  | 'elapsed-second'
  | 'am-pm'
  | 'a-p'
  | 'era-year'

export interface FormatSection {
  readonly tokens: readonly FormatToken[]
  readonly kind: 'general' | 'number' | 'date' | 'text' | 'fraction' | 'literal'
  readonly color?: string
  readonly condition?: FormatCondition
  readonly language?: string // BCP 47
}
export interface FormatCondition {
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
  readonly operand: number
}

/** Codes are cut here: Excel refuses more than 255 characters. */
const maxLength = 1_000
const maxSections = 4

const colors: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  white: 'FFFFFF',
  yellow: 'FFFF00',
}
/** [Color1] to [Color56]; only the first eight have names. Source: ECMA-376-1 18.8.31, 18.8.27. */
const numbered = (
  '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080 ' +
  '9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF ' +
  '00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 ' +
  '003366 339966 003300 333300 993300 993366 333399 333333'
).split(' ')

/** A section while it is read. */
interface OpenSection {
  readonly tokens: FormatToken[]
  color?: string
  condition?: FormatCondition
  language?: string
}

/** Parses a number format code (ECMA-376-1 18.8.31) into one to four sections. Any text is a format. */
export function parseFormat(source: string): readonly FormatSection[] {
  const code = source.slice(0, maxLength)
  const sections: FormatSection[] = []
  let reading: OpenSection = { tokens: [] }
  for (let at = 0; at < code.length; ) {
    if (code.charAt(at) === ';') {
      sections.push(finished(reading))
      reading = { tokens: [] }
      if (sections.length === maxSections) return sections
      at++
    } else at = readToken(code, at, reading)
  }
  sections.push(finished(reading))
  return sections
}

/** Reads one token and returns where the next one begins. */
function readToken(code: string, at: number, reading: OpenSection): number {
  const { tokens } = reading
  const character = String.fromCodePoint(code.codePointAt(at) ?? 0)
  const next = code.codePointAt(at + 1)
  const following = next === undefined ? '' : String.fromCodePoint(next)
  switch (character) {
    case '"': {
      const end = code.indexOf('"', at + 1)
      tokens.push({ kind: 'literal', text: code.slice(at + 1, end < 0 ? undefined : end) })
      return end < 0 ? code.length : end + 1
    }
    case '\\':
      tokens.push({ kind: 'literal', text: following })
      return at + 1 + following.length
    case '_':
      tokens.push({ kind: 'skip', text: following })
      return at + 1 + following.length
    case '*':
      tokens.push({ kind: 'fill', text: following })
      return at + 1 + following.length
    case '[': {
      const end = code.indexOf(']', at)
      if (end < 0) break
      readBracket(code.slice(at + 1, end), reading)
      return end + 1
    }
    case '0':
    case '#':
    case '?':
      tokens.push({ kind: 'digit', text: character })
      return at + 1
    case '.':
      tokens.push({ kind: 'point' })
      return at + 1
    case ',':
      tokens.push({ kind: 'comma' })
      return at + 1
    case '%':
      tokens.push({ kind: 'percent' })
      return at + 1
    case '/':
      tokens.push({ kind: 'slash' })
      return at + 1
    case '@':
      tokens.push({ kind: 'text' })
      return at + 1
    default:
      break
  }
  return readWord(code, at, character, tokens)
}

/** Reads letters with a meaning, or one literal character. */
function readWord(code: string, at: number, character: string, tokens: FormatToken[]): number {
  const rest = code.slice(at, at + 7)
  if (/^general/i.test(rest)) {
    tokens.push({ kind: 'general' })
    return at + 7
  }
  const exponent = /^E([+-])(?=[0#?])/i.exec(rest)
  if (exponent !== null) {
    tokens.push({ kind: 'exponent', plus: exponent[1] === '+' })
    return at + 2
  }
  const half = /^(?:am\/pm|a\/p)/i.exec(rest)?.[0]
  if (half !== undefined) {
    tokens.push({ kind: 'date', part: half.length > 3 ? 'am-pm' : 'a-p', width: 1 })
    return at + half.length
  }
  const letter = character.toLowerCase()
  const part = entryOf(letters, letter)
  if (part === undefined) {
    tokens.push({ kind: 'literal', text: character })
    return at + character.length
  }
  let end = at + 1
  while (code.charAt(end).toLowerCase() === letter) end++
  const width = end - at
  tokens.push({ kind: 'date', part: letter === 'd' && width > 2 ? 'weekday' : part, width })
  return end
}
const letters: Readonly<Record<string, DatePart>> = {
  y: 'year',
  m: 'month',
  d: 'day',
  h: 'hour',
  s: 'second',
  e: 'era-year',
}
const elapsed: Readonly<Record<string, DatePart>> = {
  h: 'elapsed-hour',
  m: 'elapsed-minute',
  s: 'elapsed-second',
}

/** Reads the content of brackets: a colour, a condition, a currency with a language, or elapsed time. */
function readBracket(text: string, reading: OpenSection): void {
  const lower = text.toLowerCase()
  const number = /^color\s*(\d{1,2})$/.exec(lower)?.[1]
  const color = number === undefined ? entryOf(colors, lower) : numbered[Number(number) - 1]
  const condition = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(lower)
  const money = /^\$([^-]*)(?:-([0-9a-z-]+))?/.exec(lower)
  if (color !== undefined) reading.color = color
  else if (condition !== null)
    reading.condition = {
      operator: condition[1] as FormatCondition['operator'],
      operand: Number(condition[2]),
    }
  else if (money !== null) {
    const symbol = text.slice(1, 1 + (money[1]?.length ?? 0))
    if (symbol !== '') reading.tokens.push({ kind: 'literal', text: symbol })
    const language = languageOfCode(money[2])
    // Observed in LibreOffice: a currency with a language keeps the separators of the document.
    if (language !== undefined && symbol === '') reading.language = language
  } else if (/^(?:h+|m+|s+)$/.test(lower)) {
    const part = entryOf(elapsed, lower.charAt(0))
    if (part !== undefined) reading.tokens.push({ kind: 'date', part, width: lower.length })
  }
}

function finished({ tokens, ...others }: OpenSection): FormatSection {
  const isDate = tokens.some((token) => token.kind === 'date')
  const has = (kind: FormatToken['kind']): boolean => tokens.some((token) => token.kind === kind)
  const asDate = isDate && !has('text') ? withMinutes(tokens) : tokens
  const kind = has('text')
    ? 'text'
    : isDate
      ? 'date'
      : has('general')
        ? 'general'
        : !has('digit')
          ? 'literal'
          : isFraction(tokens)
            ? 'fraction'
            : 'number'
  return { ...others, kind, tokens: kind === 'date' ? asDate : tokens }
}

/** A slash between placeholders, or between placeholders and a written denominator. */
function isFraction(tokens: readonly FormatToken[]): boolean {
  const slash = tokens.findIndex((token) => token.kind === 'slash')
  return slash > 0 && tokens.slice(0, slash).some((token) => token.kind === 'digit')
}

/**
 * Distinguishes minutes from months: 'm' means minutes after hours and before seconds. Digits after seconds become a fraction
 * of a second.
 */
function withMinutes(tokens: readonly FormatToken[]): FormatToken[] {
  const dates = tokens.filter((token) => token.kind === 'date')
  const result: FormatToken[] = []
  let seen = -1
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'date') {
      seen++
      const before = dates[seen - 1]?.part
      const after = dates[seen + 1]?.part
      const isMinute =
        token.part === 'month' &&
        token.width < 3 &&
        (before === 'hour' || before === 'elapsed-hour' || after === 'second' || after === 'elapsed-second')
      result.push(isMinute ? { ...token, part: 'minute' } : token)
      continue
    }
    const last = result.at(-1)
    if (token.kind === 'point' && last?.kind === 'date' && /second/.test(last.part)) {
      let width = 0
      while (tokens[at + 1 + width]?.kind === 'digit') width++
      if (width > 0) {
        result.push({ kind: 'date', part: 'fraction', width: Math.min(9, width) })
        at += width
        continue
      }
    }
    result.push(token)
  }
  return result
}
