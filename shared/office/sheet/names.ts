/** Names of sheets that come from tags. Source: template language 24.4; ECMA-376-1, 18.2.19. */

import type { Token } from '../../template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'
import { cutOffAttribute } from '../../xml/elements.ts'
import { escapeAttribute, escapeText } from '../../xml/markup.ts'
import type { SheetModel, Sheets } from './layout.ts'

/** Maximum number of characters in the name of a sheet. */
const maxLength = 31
/** The name of a sheet whose name would be empty. */
const fallback = 'Sheet'

/**
 * Returns a name without the characters that a workbook does not allow, cut to its maximum length. It may be empty.
 */
export function cleanName(name: string): string {
  return name.replace(/[[\]:*?/\\\u0000-\u001f\ufffe\uffff]/g, '').slice(0, maxLength)
}

/** The names of the sheets of one render, in lower case. */
interface UsedNames {
  readonly names: Set<string>
  /**
   * The next number to try after a name that was already used, so that many sheets with the same name are not
   * numbered from 2 each time.
   */
  readonly next: Map<string, number>
}

const usedNamesKey = scopeKey<UsedNames>('names of sheets')
const usedNamesIn = (scope: RenderScope, fixed: ReadonlySet<string>): UsedNames =>
  scope.obtain(usedNamesKey, () => ({ names: new Set(fixed), next: new Map() }))

/**
 * Returns a name that no sheet of this render has yet: cleaned, cut, and numbered if necessary. `fixed` are the names
 * of the sheets that are not from data, in lower case.
 */
export function claimName(scope: RenderScope, fixed: ReadonlySet<string>, requested: string): string {
  return claim(usedNamesIn(scope, fixed), requested, '', '', maxLength)
}

/** `prefix` and `after` surround the value in the name; `available` is the number of characters left for it. */
function claim(
  { names, next }: UsedNames,
  requested: string,
  prefix: string,
  after: string,
  available: number,
): string {
  let name = trimmed(cleanName(requested).slice(0, available), prefix, after)
  if (prefix + name + after === '') name = fallback
  const folded = (value: string): string => (prefix + value + after).toLowerCase()
  const base = name
  // Used names are never released, so numbers that were used for the same name before are still used.
  const counter = JSON.stringify([prefix, base, after, available]).toLowerCase()
  let number = next.get(counter) ?? 2
  while (names.has(folded(name))) {
    const suffix = ` (${number})`
    name = base.slice(0, Math.max(0, available - suffix.length)) + suffix
    number += 1
  }
  if (name !== base) next.set(counter, number)
  names.add(folded(name))
  return name
}

export interface NamedSheets {
  readonly element: string // the element whose attribute is the name
  readonly attribute: string
  readonly templateNames: readonly string[] // all names as written in the template
}

/** Prepares tags in the attribute that names a sheet: the resulting names are cleaned, cut, and made unique. */
export function prepareSheetNames(
  tokens: readonly Token[],
  { element, attribute, templateNames }: NamedSheets,
): Token[] {
  const fixed = new Set(templateNames.filter((name) => !name.includes('{')).map((name) => name.toLowerCase()))
  let inSheet = false
  let head = ''
  return tokens.map((token, index) => {
    if (token.kind === 'open') {
      inSheet = token.name === element
      head = token.raw
      return token
    }
    if (token.kind === 'text') {
      head += token.raw
      return token
    }
    const before = token.kind === 'tag' && inSheet ? cutOffAttribute(head) : undefined
    if (token.kind !== 'tag' || before?.name !== attribute) return token
    const next = tokens[index + 1]
    const after = next?.kind === 'text' ? (/^[^"']*/.exec(next.raw)?.[0] ?? '') : ''
    const prefix = head.slice(before.valueStart)
    head += '\u0001'
    const available = Math.max(1, maxLength - prefix.replace('\u0001', '').length - after.length)
    const output = (value: unknown, text: (value: unknown) => string, scope: RenderScope): string =>
      escapeAttribute(claim(usedNamesIn(scope, fixed), text(value), prefix, after, available))
    return { ...token, output }
  })
}

/** A name in the form in which names are compared: without regard to case and to spaces in tags. */
const spelt = (text: string): string =>
  text.toLowerCase().replace(/\{[^{}]*\}/g, (tag) => tag.replace(/\s/g, ''))

/**
 * Finds sheets whose names contain the same tags as a formula: `'{d.month} 2026'!B4`. `tags` are the texts of the
 * formula's tags; the result contains the sheets by their names in a render in which the tags have these values.
 */
export function sheetsByValue(
  sheets: Sheets,
  tags: readonly string[],
): ((values: readonly (string | undefined)[]) => Sheets) | undefined {
  const tagTexts = tags.map((tag) => spelt(`{${tag}}`))
  const named = [...sheets].flatMap(([, model]) => {
    const parts = spelt(model.name).split(/(\{[^{}]*\})/)
    const isTagged = parts.length > 1 && parts.every((part, n) => n % 2 === 0 || tagTexts.includes(part))
    return isTagged && model.moves && model.nameNow === undefined ? [{ model, parts }] : []
  })
  if (named.length === 0) return undefined
  return (values) => {
    const renamed = new Map<string, SheetModel>(sheets)
    for (const { model, parts } of named) {
      const name = parts.map((part, n) =>
        n % 2 === 0 ? part : cleanName(values[tagTexts.indexOf(part)] ?? '').toLowerCase(),
      )
      renamed.set(name.join(''), model)
    }
    return renamed
  }
}

/** Removes apostrophes from the value where the name would begin or end with one, which Excel refuses. */
function trimmed(name: string, prefix: string, after: string): string {
  let result = name
  if (prefix === '') result = result.replace(/^'+/, '')
  if (after === '') result = result.replace(/'+$/, '')
  return result
}

/** Whether a formula is split within a sheet name inside a text, as in `INDIRECT("'{d.name}'!A1")`. */
export const endsInNameOfText = (before: string): boolean => /\bINDIRECT\(\s*"\$?'[^'"]*$/i.test(before)

/** Writes a sheet name in a formula such as `'{d.name}'!A1` as it is in the workbook, with quotes doubled. */
export function nameInFormula(value: unknown, text: (value: unknown) => string): string {
  return escapeText(cleanName(text(value)).replaceAll("'", "''"))
}
