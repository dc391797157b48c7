/** Sheet names made by tags. Source: template language 24.4; ECMA-376-1, 18.2.19. */

import type { Token } from '../../template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'
import { escapeAttribute, escapeText } from '../markup.ts'

const longest = 31
const fallback = 'Sheet'

/** A name that a workbook accepts; may be empty. */
export function cleanName(name: string): string {
  return name.replace(/[[\]:*?/\\\u0000-\u001f\ufffe\uffff]/g, '').slice(0, longest)
}

const takenNames = scopeKey<Set<string>>('names of sheets')
const takenIn = (scope: RenderScope, fixed: ReadonlySet<string>): Set<string> =>
  scope.obtain(takenNames, () => new Set(fixed))

/** A name that no sheet of this render has: cleaned, cut, and numbered where it is taken. `fixed` in lower case. */
export function claimName(scope: RenderScope, fixed: ReadonlySet<string>, wanted: string): string {
  return claim(takenIn(scope, fixed), wanted, '', '', longest)
}

function claim(used: Set<string>, wanted: string, prefix: string, after: string, room: number): string {
  let name = trimmed(cleanName(wanted).slice(0, room), prefix, after)
  if (prefix + name + after === '') name = fallback
  const base = name
  for (let n = 2; used.has((prefix + name + after).toLowerCase()); n += 1) {
    const mark = ` (${n})`
    name = base.slice(0, Math.max(0, room - mark.length)) + mark
  }
  used.add((prefix + name + after).toLowerCase())
  return name
}

export interface NamedSheets {
  readonly element: string // whose attribute is the name
  readonly attribute: string
  readonly given: readonly string[] // all names as the template has them
}

/** In `<sheet name="…">` and its like: names are cut, cleaned and kept apart. */
export function prepareSheetNames(
  tokens: readonly Token[],
  { element, attribute, given }: NamedSheets,
): Token[] {
  const fixed = new Set(given.filter((name) => !name.includes('{')).map((name) => name.toLowerCase()))
  const beginning = new RegExp(`\\s${attribute}\\s*=\\s*(["'])([^"']*)$`)
  let inSheet = false
  let head = ''
  return tokens.map((token, at) => {
    if (token.kind === 'open') {
      inSheet = token.name === element
      head = token.raw
      return token
    }
    if (token.kind === 'text') {
      head += token.raw
      return token
    }
    const before = beginning.exec(head)
    if (token.kind !== 'tag' || !inSheet || before === null) return token
    const next = tokens[at + 1]
    const after = next?.kind === 'text' ? (/^[^"']*/.exec(next.raw)?.[0] ?? '') : ''
    const prefix = before[2]!
    head += '\u0001'
    const room = Math.max(1, longest - prefix.replace('\u0001', '').length - after.length)
    const output = (value: unknown, text: (value: unknown) => string, scope: RenderScope): string =>
      escapeAttribute(claim(takenIn(scope, fixed), text(value), prefix, after, room))
    return { ...token, output }
  })
}

/** A name must not begin or end with an apostrophe. */
function trimmed(name: string, prefix: string, after: string): string {
  let out = name
  if (prefix === '') out = out.replace(/^'+/, '')
  if (after === '') out = out.replace(/'+$/, '')
  return out
}

/** In a formula, `'{d.name}'!A1`: the name as the workbook has it, quotes doubled. */
export function nameInFormula(value: unknown, text: (value: unknown) => string): string {
  return escapeText(cleanName(text(value)).replaceAll("'", "''"))
}
