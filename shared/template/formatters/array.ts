import { entryOf } from '../../entry-of.ts'
import { joinTexts } from './budget.ts'
import { integer, isMissing, text } from './coerce.ts'
import { optional, rest, value } from './define.ts'
import { printed } from './printed.ts'

/** Formatters of whole arrays. Values that are not arrays are returned unchanged. */

/**
 * Joins the items of an array to one text.
 *
 * @example ["a","b",3] {d.v:arrayJoin}; {d.v:arrayJoin(' - ')}; {d.v:arrayJoin( - )}; {d.v:arrayJoin('')} => a, b, 3; a - b - 3; a-b-3; ab3
 * @example ["a","b","c","d"] {d.v:arrayJoin('', 1)} {d.v:arrayJoin('', 1, 2)} {d.v:arrayJoin('', 0, -1)} => bcd bc abc
 * @example ["a","b"] {d.v:arrayJoin('\n')} => "a\nb"
 * @example [] {d.v:arrayJoin} =>
 * @example 5 {d.v:arrayJoin} => 5
 */
export const arrayJoin = value(
  'arrayJoin',
  [
    optional('separator', 'text', 'between items, ", " when left out; \\n and \\r\\n make line breaks'),
    optional('index', 'integer', 'the first item, from 0'),
    optional('count', 'integer', 'how many items; negative leaves that many out at the end'),
  ],
  (v, [separator, index, count]) => {
    if (!Array.isArray(v)) return v
    const start = Math.max(0, integer(index, 0))
    const maxItems = integer(count, v.length)
    const items = v.slice(start, maxItems < 0 ? Math.max(start, v.length + maxItems) : start + maxItems)
    return joinTexts(
      'arrayJoin',
      items.map((item) => printed(item)),
      lineBreaks(text(separator, ', ')),
    )
  },
)

/**
 * Joins an array of objects to one text, from the named attributes in that order, or from all attributes that are
 * neither objects nor arrays. Items that are not objects are printed unchanged.
 *
 * @example [{"n":"fig","q":2,"x":{"y":1}},{"n":"kiwi","q":5}] {d.v:arrayMap} | {d.v:arrayMap(' / ', '=', 'q', 'n')} => fig:2, kiwi:5 | 2=fig / 5=kiwi
 * @example [{"n":"fig"},"plain",7] {d.v:arrayMap(';')} => fig;plain;7
 * @example [{"n":"fig"}] {d.v:arrayMap(';', ':', n, missing)} => fig:
 * @example "a" {d.v:arrayMap} => a
 */
export const arrayMap = value(
  'arrayMap',
  [
    optional('itemSeparator', 'text', 'between items, ", " when left out'),
    optional('attributeSeparator', 'text', 'between attributes, ":" when left out'),
    rest('attributes', 'text', 'the attributes to print'),
  ],
  (v, [itemSeparator, attributeSeparator, ...names]) => {
    if (!Array.isArray(v)) return v
    const between = lineBreaks(text(attributeSeparator, ':'))
    const attributes = names.map((name) => printed(name))
    const items = v.map((item) => attributeTexts(item, attributes))
    return joinTexts(
      'arrayMap',
      items.map((texts) => joinTexts('arrayMap', texts, between)),
      lineBreaks(text(itemSeparator, ', ')),
    )
  },
)

function attributeTexts(item: unknown, names: readonly string[]): string[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return [printed(item)]
  const attributes = item as Readonly<Record<string, unknown>>
  if (names.length > 0)
    return names.map((name) => (Object.hasOwn(attributes, name) ? printed(entryOf(attributes, name)) : ''))
  return Object.values(attributes)
    .filter((attribute) => isMissing(attribute) || typeof attribute !== 'object')
    .map((attribute) => printed(attribute))
}

/** The two characters \n in a template represent a line break. */
const lineBreaks = (separator: string): string => separator.replace(/\\r\\n/g, '\r\n').replace(/\\n/g, '\n')
