import { md5 as md5Digest } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { AppError } from '../../errors/app-error.ts'
import { normalForm } from '../../normal-form.ts'
import { checkLength } from './budget.ts'
import { asText, asTextOrNumber, integer, isMissing, text } from './coerce.ts'
import { optional, required, value } from './define.ts'
import { Markup } from './formatter.ts'
import { escaped, joined } from './markup.ts'
import { compared, printed } from './printed.ts'
import { wordLines } from './word-lines.ts'

/** Formatters of text. A value that is not text, or not a number where numbers count as text, is returned unchanged. */

/**
 * Lower-cases the whole text, by Unicode rules.
 *
 * @example "ÉLÉONORE" {d.v:lowerCase} => éléonore
 * @example 12 {d.v:lowerCase} => 12
 * @example null {d.v:lowerCase} =>
 */
export const lowerCase = value('lowerCase', [], (v) => asText(v)?.toLowerCase() ?? v)

/**
 * Upper-cases the whole text, by Unicode rules.
 *
 * @example "zoë" {d.v:upperCase} => ZOË
 * @example "straße" {d.v:upperCase} => STRASSE
 * @example null {d.v:upperCase} =>
 */
export const upperCase = value('upperCase', [], (v) => asText(v)?.toUpperCase() ?? v)

/**
 * Upper-cases the first character and keeps the rest.
 *
 * @example "zoë McAdam" {d.v:ucFirst} => Zoë McAdam
 * @example "" {d.v:ucFirst} =>
 * @example 5 {d.v:ucFirst} => 5
 */
export const ucFirst = value('ucFirst', [], (v) =>
  mapText(v, (s) => s.replace(/^./su, (first) => first.toUpperCase())),
)

/**
 * Upper-cases the first character of each word. Only white space separates words.
 *
 * @example "o'neil mc-adam" {d.v:ucWords} => O'neil Mc-adam
 * @example "ÉLÉONORE DE BRÉHAT" {d.v:unaccent:lowerCase:ucWords} => Eleonore De Brehat
 */
export const ucWords = value('ucWords', [], (v) =>
  mapText(v, (s) => s.replace(/(?<=^|\s)\S/gu, (first) => first.toUpperCase())),
)

/**
 * Returns the text, whatever the value.
 *
 * @example null {d.v:print(n/a)} => n/a
 * @example {"v":1,"y":"Y"} {d.v:print(.y)} {d.v:print('.y')} {d.v:print(d.y)} {d.v:print('it''s')} => Y .y Y it's
 */
export const print = value(
  'print',
  [required('text', 'any', 'the value that is returned instead')],
  (_, [text]) => (text === undefined ? '' : text),
)

/**
 * The JSON text of any value, indented by two spaces.
 *
 * @example "a" {d.v:printJSON} => "\"a\""
 * @example [{"id":2}] {d.v:printJSON} => "[\n  {\n    \"id\": 2\n  }\n]"
 * @example null {d.v:printJSON} => null
 */
export const printJSON = value('printJSON', [], (v) => {
  try {
    const json = JSON.stringify(v, (_, member) => (isJsonValue(member) ? member : printed(member)), 2) ?? ''
    checkLength('printJSON', json.length)
    return json
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('formatter.value-too-deep', { formatter: 'printJSON' }, { cause: error })
  }
})

/**
 * Removes accents and other combining marks.
 *
 * @example "crème brûlée à Šibenik" {d.v:unaccent} => creme brulee a Sibenik
 */
export const unaccent = value('unaccent', [], (v) =>
  mapText(v, (s) => normalForm(s, 'NFD').replace(/[\u0300-\u036f]/g, '')),
)

/**
 * Turns line breaks of the text, and the two characters \n, into line breaks of the document. Formats without
 * line breaks return the text unchanged.
 *
 * @example "a\nb\r\nc<" {d.v:convCRLF} => a<br>b<br>c&lt; | lineBreak=<br>
 * @example "a\\nb" {d.v:convCRLF} => a<br>b | lineBreak=<br>
 * @example "a" {d.v:convCRLF:append(&)} => a&amp; | lineBreak=<br>
 * @example "a\nb" {d.v:convCRLF} => "a\nb"
 */
export const convCRLF = value('convCRLF', [], (v, _, { render }) => {
  const breakText = render.lineBreak
  const source = asText(v)
  if (breakText === undefined || source === undefined) return v
  const lines = source.split(/\r?\n|(?:\\r)?\\n/)
  checkLength('convCRLF', source.length + lines.length * breakText.length)
  return new Markup(lines.map((line) => escaped(line, render)).join(breakText))
})

const substrParameters = [
  required('begin', 'integer', 'the first character, from 0; negative counts from the end'),
  optional('end', 'integer', 'the character after the last one; negative counts from the end'),
  optional('wordMode', 'text', 'true: one line of text wrapped at words; last: that line and all after it'),
]

/**
 * A part of the text. With `wordMode` the text is wrapped in lines of `end - begin` characters without cutting words,
 * and the line that contains `begin` is returned; `last` returns that line and the rest.
 *
 * @example "language" {d.v:substr(2,5)} {d.v:substr(-3)} {d.v:substr(3)} => ngu age guage
 * @example 123 {d.v:substr(0,1)} => 123
 * @example "red fox jumps" {d.v:substr(0,8,true)} => "red fox "
 * @example "red fox jumps" {d.v:substr(8,16,last)} => jumps
 * @example "red fox jumps high" {d.v:substr(8,16,true)}|{d.v:substr(16,24,true)}| => jumps |high|
 * @example "extraordinary day" {d.v:substr(0,5,true)},{d.v:substr(5,10,true)},{d.v:substr(10,15,last)} => extra,ordin,ary day
 */
export const substr = value('substr', substrParameters, (v, args) => cut(v, args))

/**
 * An older name of `substr`.
 *
 * @example "language" {d.v:slice(0,4)} => lang
 */
export const slice = value('slice', substrParameters, (v, args) => cut(v, args))

/**
 * Splits text at each delimiter into an array. Numbers are split as text.
 *
 * @example "2024-07-31" {d.v:split(-):arrayJoin('', 0, 1)} => 2024
 * @example "a,,b" {d.v:split(','):arrayJoin(/)} => a//b
 * @example 3.14 {d.v:split(.):arrayJoin(' and ')} => 3 and 14
 * @example null {d.v:split(-)} =>
 */
export const split = value('split', [required('delimiter', 'text', 'where to cut')], (v, [delimiter]) =>
  mapTextOrNumber(v, (s) => (delimiter === undefined ? [s] : s.split(compared(delimiter)))),
)

const padParameters = [
  required('length', 'integer', 'the wanted number of characters; a longer text stays as it is'),
  optional('pad', 'text', 'what to fill with, repeated and cut; one blank when left out'),
]

/**
 * Pads the text at its start. Numbers are padded as text.
 *
 * @example "language" {d.v:padl(9,0)} => 0language
 * @example "ab" {d.v:padl(6,xyz)} => xyzxab
 * @example "abc" {d.v:padl(2)} => abc
 * @example 7 {d.v:padl(3)} => "  7"
 * @example "a" {d.v:padl(1000000000)} => !formatter.text-too-long
 */
export const padl = value('padl', padParameters, (v, [length, pad]) =>
  mapTextOrNumber(v, (s) => s.padStart(padLength('padl', length), padText(pad))),
)

/**
 * Pads the text at its end. Numbers are padded as text.
 *
 * @example 42 {d.v:padr(6,*)} => 42****
 * @example "ab" {d.v:padr(4)}| => ab  |
 * @example "a" {d.v:padr(1000000000)} => !formatter.text-too-long
 */
export const padr = value('padr', padParameters, (v, [length, pad]) =>
  mapTextOrNumber(v, (s) => s.padEnd(padLength('padr', length), padText(pad))),
)

/**
 * Shortens text that is too long and adds three dots.
 *
 * @example "chapter" {d.v:ellipsis(4)} {d.v:ellipsis(7)} => chap... chapter
 * @example 123456 {d.v:ellipsis(4)} => 1234...
 */
export const ellipsis = value(
  'ellipsis',
  [required('maximum', 'integer', 'characters kept')],
  (v, [maximum]) =>
    mapTextOrNumber(v, (s) => {
      const maxLength = Math.max(0, integer(maximum, 0))
      return s.length > maxLength ? `${withoutHalves(s.slice(0, maxLength))}...` : s
    }),
)

/**
 * Puts text before the value. A missing value (null, undefined) is an empty text.
 *
 * @example "zoë" {d.v:prepend('Mr  X, '):prepend(a b)} => abMr  X, zoë
 * @example 5 {d.v:prepend(#)} => #5
 * @example null {d.v:prepend(x)} => x
 */
export const prepend = value(
  'prepend',
  [required('text', 'any', 'goes before')],
  (v, [added], { render }) => {
    const markup = pasted(v)
    return markup === undefined ? v : joined(pastedArgument(added), markup, render)
  },
)

/**
 * Puts text after the value. A missing value (null, undefined) is an empty text.
 *
 * @example 5 {d.v:append(' kg')} => 5 kg
 * @example null {d.v:append(x)} => x
 * @example {"v":"a","w":2} {d.v:append(.w)} => a2
 */
export const append = value('append', [required('text', 'any', 'goes after')], (v, [added], { render }) => {
  const markup = pasted(v)
  return markup === undefined ? v : joined(markup, pastedArgument(added), render)
})

/**
 * Replaces every occurrence of a text, taken literally. Without a new text the old one is deleted.
 *
 * @example "a-b-c" {d.v:replace(-, ' / ')} {d.v:replace(-)} => a / b / c abc
 * @example "a.b$" {d.v:replace(., '$&')} => a$&b$
 * @example "abc" {d.v:replace('', x)} => abc
 */
export const replace = value(
  'replace',
  [required('old', 'text', 'what to look for'), optional('new', 'text', 'what to put there')],
  (v, [old, replacement]) =>
    mapText(v, (s) => {
      const searched = isMissing(old) ? '' : printed(old)
      if (searched === '') return s
      const parts = s.split(searched)
      const added = printed(replacement)
      checkLength('replace', s.length + (parts.length - 1) * (added.length - searched.length))
      return parts.join(added)
    }),
)

/**
 * The length of a text or an array; 0 for everything else.
 *
 * @example "chapter" {d.v:len} => 7
 * @example ["a","b"] {d.v:len} => 2
 * @example 12345 {d.v:len} => 0
 * @example null {d.v:len} => 0
 */
export const len = value('len', [], (v) => (typeof v === 'string' || Array.isArray(v) ? v.length : 0))

/**
 * Keeps numeric character references of the text, &#100; or &#xA7;, instead of escaping them.
 *
 * @example "&#xA7; 5 & &#100;" {d.v:preserveCharRef} => &#xA7; 5 &amp; &#100;
 * @example "a&#0;&#x110000;b" {d.v:preserveCharRef} => a&amp;#0;&amp;#x110000;b
 */
export const preserveCharRef = value('preserveCharRef', [], (v, _, { render }) => {
  const source = asText(v)
  if (source === undefined) return v
  const parts = source.split(/(&#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});)/)
  return new Markup(
    parts.map((part, i) => (i % 2 === 1 && isXmlReference(part) ? part : escaped(part, render))).join(''),
  )
})

/**
 * The MD5 checksum of the text in hexadecimal digits.
 *
 * @example "abc" {d.v:md5} => 900150983cd24fb0d6963f7d28e17f72
 * @example "" {d.v:md5} => d41d8cd98f00b204e9800998ecf8427e
 * @example "é€😀" {d.v:md5} => 3b07a39fef0ac5d7ef21575e7315a482
 */
export const md5 = value('md5', [], (v) =>
  mapTextOrNumber(v, (text) => bytesToHex(md5Digest(utf8ToBytes(text)))),
)

function mapText(v: unknown, change: (text: string) => unknown): unknown {
  const source = asText(v)
  return source === undefined ? v : change(source)
}

function mapTextOrNumber(v: unknown, change: (text: string) => unknown): unknown {
  const source = asTextOrNumber(v)
  return source === undefined ? v : change(source)
}

function cut(v: unknown, [begin, end, mode]: readonly unknown[]): unknown {
  const source = asText(v)
  if (source === undefined) return v
  const from = integer(begin, 0)
  const to = integer(end, source.length)
  const wordMode = text(mode, '')
  if (wordMode !== 'true' && wordMode !== 'last') return withoutHalves(source.slice(from, to))
  if (from < 0 || to <= from) return v
  const lines = wordLines(source, to - from)
  const line = Math.floor(from / (to - from))
  return wordMode === 'last' ? lines.slice(line).join('') : (lines[line] ?? '')
}

/** Drops half a surrogate pair at either end: no file can hold it. */
const withoutHalves = (cutText: string): string => cutText.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

function padLength(formatter: string, length: unknown): number {
  const requested = integer(length, 0)
  checkLength(formatter, requested)
  return requested
}

const padText = (pad: unknown): string => text(pad, ' ')

/** The text that prepend and append paste together; undefined for objects and arrays, which pass through unchanged. */
function pasted(v: unknown): string | Markup | undefined {
  if (v instanceof Markup) return v
  if (isMissing(v)) return ''
  return typeof v === 'boolean' ? String(v) : asTextOrNumber(v)
}

const pastedArgument = (argument: unknown): string | Markup =>
  argument instanceof Markup ? argument : printed(argument)

const isJsonValue = (member: unknown): boolean =>
  member === null ||
  typeof member !== 'object' ||
  Array.isArray(member) ||
  Object.getPrototypeOf(member) === Object.prototype

/** The characters that XML 1.0 allows, section 2.2. */
function isXmlReference(reference: string): boolean {
  const digits = reference.slice(2, -1)
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10)
  return (
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 32 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  )
}
