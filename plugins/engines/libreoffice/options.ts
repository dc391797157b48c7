import { entryOf, setEntry } from '../../../shared/entry-of.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { pdfOptionRules } from '../../../shared/pdf/stage/option-table.ts'
import {
  type OptionRules,
  optionFlag,
  optionText,
  optionsSchema as schemaOf,
} from '../../../shared/plugin/option-rules.ts'
import { maxPixels, pictureOptionRules } from '../../../shared/plugin/pictures.ts'
import type { FormatId, Schema } from '../../../shared/plugin/values.ts'
import type { CsvForm } from './formulae.ts'

/** The CSV options of the specification (4.9). */
export const csvRules = {
  fieldSeparator: optionText(
    10,
    {
      accepts: (text) => /^(\t|tab|[\x21-\x7e]{1,9}| )$/i.test(text),
      says: 'one or more ASCII characters, or "tab"',
    },
    ',',
  ),
  textDelimiter: optionText(
    1,
    { accepts: (text) => /^[\x20-\x7e]?$/.test(text), says: 'one ASCII character, or empty' },
    '"',
  ),
  characterSet: optionText(
    5,
    // Numbers of rtl/textenc.h of the office. It chooses an encoding by itself for all others.
    {
      accepts: (text) => /^(?:\d|[1-8]\d|9[0-4]|6553[45])$/.test(text),
      says: 'the number of a character set, from 0 to 94 (76 for UTF-8), 65534 (UTF-32) or 65535 (UTF-16)',
    },
    '76',
  ),
  escapeFormulae: optionFlag(false),
} as const

/** The caller's options after the check. */
export interface OfficeOptions {
  /** Known options that were given, by name. Which of them apply depends on the output. */
  readonly given: Readonly<Record<string, unknown>>
  /** Unknown names, which are reported in a warning. */
  readonly unknown: readonly string[]
  readonly hardRefresh: boolean
}

/** A name that applies to several outputs has the same range in all of them. */
const rules: OptionRules = {
  ...pictureOptionRules,
  ...csvRules,
  ...pdfOptionRules,
  hardRefresh: optionFlag(),
}
const checked = schemaOf(rules)

export const optionsSchema: Schema<OfficeOptions> = {
  json: checked.json,
  parse(input) {
    const parsed = checked.parse(input)
    if (!parsed.ok) return parsed
    const { hardRefresh = false, ...given } = parsed.value.given
    return { ok: true, value: { given, unknown: parsed.value.unknown, hardRefresh: hardRefresh === true } }
  },
}

/** Versions that the office accepts silently but does not write. */
const unwrittenVersions: readonly number[] = [4, 17, 20]
const permissions = ['Changes', 'Printing', 'EnableCopyingOfContent', 'EnableTextAccessForAccessibilityTools']

/**
 * Filter data for a PDF export. Options that this office does not support are refused by name: it writes no PDF/A-4,
 * 1.7 or 2.0, encrypts with RC4 only, and drops protection from PDF/A.
 */
export function pdfFilterData(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const version = (given['SelectPdfVersion'] as number | undefined) ?? 0
  if (unwrittenVersions.includes(version))
    refuse('SelectPdfVersion', `must be 0, 1, 2, 3, 15 or 16 for this engine, not ${version}`)
  if (given['EncryptFile'] === true) refuse('EncryptFile', 'cannot be done by this engine: it has no AES-256')
  if (given['Watermarks'] !== undefined)
    refuse('Watermarks', 'cannot be drawn by this engine; it knows the single text of Watermark')
  const restricted = given['RestrictPermissions'] === true
  if (restricted && !given['PermissionPassword'])
    refuse('PermissionPassword', 'must be given with RestrictPermissions')
  const archival = version >= 1 && version <= 3
  if (restricted && archival) refuse('RestrictPermissions', 'cannot be combined with PDF/A')
  const data: Record<string, unknown> = {}
  // Each name is the one in the office's filter data.
  for (const [name, { json }] of Object.entries(pdfOptionRules)) {
    const value = entryOf(given, name) ?? json['default']
    if (value === undefined || name === 'Watermarks') continue
    if (!restricted && (permissions.includes(name) || name === 'PermissionPassword')) continue
    if (name === 'DocumentOpenPassword' || (name === 'Watermark' && value === '')) continue
    setEntry(data, name, value)
  }
  return data
}

const pictureRules: OptionRules = pictureOptionRules
const pixelSizes = ['PixelWidth', 'PixelHeight']
const pictureTakes: Readonly<Record<FormatId, readonly string[]>> = {
  jpg: [...pixelSizes, 'ColorMode', 'Quality'],
  png: [...pixelSizes, 'ColorMode', 'Compression', 'Interlaced', 'Translucent'],
}

/** Options that apply to a picture of this format. */
export function pictureOptions(to: FormatId): readonly string[] {
  return entryOf(pictureTakes, to) ?? pixelSizes
}

export function pictureFilterData(
  to: FormatId,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const width = given['PixelWidth'] as number | undefined
  const height = given['PixelHeight'] as number | undefined
  if (width !== undefined && height !== undefined && width * height > maxPixels)
    refuse('PixelWidth', `times PixelHeight must be at most ${maxPixels} pixels`)
  const data: Record<string, unknown> = {}
  for (const name of pictureOptions(to)) {
    const value = entryOf(given, name) ?? entryOf(pictureRules, name)?.json['default']
    if (value !== undefined) setEntry(data, name, value)
  }
  return data
}

const utf8 = '76'

/**
 * The tokens of LibreOffice's CSV filter: separator, delimiter, character set, first line, columns, language, quote
 * all text, values as shown, formulas, trim, sheet (0: the first).
 */
export function csvTokens(given: Readonly<Record<string, unknown>>): string {
  const separator = (given['fieldSeparator'] as string | undefined) ?? ','
  const delimiter = (given['textDelimiter'] as string | undefined) ?? '"'
  const characters = (given['characterSet'] as string | undefined) ?? utf8
  const quote = delimiter === '' ? '' : String(delimiter.charCodeAt(0))
  return [separatorToken(separator), quote, characters, 1, '', 0, false, true, false, false, false, 0].join(
    ',',
  )
}

/**
 * Tokens to read a CSV with: UTF-8, and the separator that was found. The last token turns off the evaluation of
 * formulas, which would execute what the data contains: they stay text.
 */
export function csvImportTokens(separator: string): string {
  return [separatorToken(separator), 34, utf8, 1, '', 0, false, true, false, false, false, 0, false].join(',')
}

/** The form of a CSV file with these options. */
export function csvForm(given: Readonly<Record<string, unknown>>): CsvForm {
  const separator = (given['fieldSeparator'] as string | undefined) ?? ','
  return {
    separator: separator.toLowerCase() === 'tab' ? '\t' : separator,
    delimiter: (given['textDelimiter'] as string | undefined) ?? '"',
    characterSet: (given['characterSet'] as string | undefined) ?? utf8,
  }
}

function separatorToken(separator: string): string {
  if (separator.toLowerCase() === 'tab') return '9'
  return [...separator].map((character) => String(character.charCodeAt(0))).join('/')
}

function refuse(option: string, rule: string): never {
  throw new AppError('convert.options', { option, rule })
}
