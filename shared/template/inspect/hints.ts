/**
 * The kind of value that each formatter expects. Formatters that accept any value are not listed, so the next one of the
 * tag decides.
 */
import type { ValueKind } from './shape.ts'

const names: Readonly<Record<ValueKind, string>> = {
  number:
    'add sub mul div mod abs ceil floor round int formatN formatC toFixed convCurr toEN toFR formatI ' +
    'aggSum aggAvg aggMin aggMax cumSum transform',
  text:
    'upperCase lowerCase ucFirst ucWords substr padl padr ellipsis replace split unaccent md5 convCRLF html barcode ' +
    'preserveCharRef color t convEnum fill fillField slice ean8 ean13 ean128 code39',
  boolean: '',
  date: 'formatD convDate convert addD subD diffD startOfD endOfD',
  picture: 'imageFit isImage autoOrient',
  link: 'defaultURL',
  file: 'appendFile attachFile',
  object: 'chart sign appendTemplate',
  any: 'printJSON',
}

/** Formatter -> the kind of value that it expects, such as a date for `:formatD`. */
export const kindOf: ReadonlyMap<string, ValueKind> = new Map(
  Object.entries(names).flatMap(([kind, list]) =>
    list
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, kind as ValueKind] as const),
  ),
)

/** Tests, which compare the value with their argument and return it unchanged. */
export const tests: ReadonlySet<string> = new Set(
  'ifEQ ifNE ifGT ifGTE ifLT ifLTE ifIN ifNIN ifEqual ifContain'.split(' '),
)
/** Tests for the presence of a value. */
export const presence: ReadonlySet<string> = new Set('ifEM ifNEM ifEmpty ifTE'.split(' '))
/** Formatters that change the value into a different one, or print none. */
export const ends: ReadonlySet<string> = new Set(
  (
    'show elseShow showBegin showEnd hideBegin hideEnd drop keep set len count print arrayJoin arrayMap aggCount ' +
    'aggCountD aggStr aggStrD cumCount cumCountD and or check uncheck checkField'
  ).split(' '),
)
/** The index of the argument that contains the date pattern of the value. */
export const patternAt: ReadonlyMap<string, number> = new Map([
  ['formatD', 1],
  ['convDate', 0],
  ['convert', 0],
  ['addD', 2],
  ['subD', 2],
  ['startOfD', 1],
  ['endOfD', 1],
  ['diffD', 2],
])
