/**
 * Addresses on a sheet whose name contains tags, such as `$'Prices {d.season}'.$B$4`. They follow the rows of that sheet and
 * contain the name of the current render. Source: template language 24.4.
 */

import type { Sheets } from '../../../../shared/office/sheet/layout.ts'
import { cleanName, endsInNameOfText, sheetsByValue } from '../../../../shared/office/sheet/names.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { attributeOf, cutOffAttribute } from '../../../../shared/xml/elements.ts'
import { escaped } from './cells.ts'

/** A placeholder for the value of a tag in an attribute, in characters of the private use area. */
const placeholder = (n: number): string => `\uE002${n}\uE003`
const placeholders = /\uE002(\d+)\uE003/g

/** The opening tag at `at` as one text, with placeholders for its tags; undefined if it contains none. */
function openingWithTags(
  tokens: readonly Token[],
  at: number,
):
  | { readonly raw: string; readonly tags: readonly Extract<Token, { kind: 'tag' }>[]; readonly next: number }
  | undefined {
  const open = tokens[at]!
  if (open.kind !== 'open' || open.raw.endsWith('>')) return undefined
  const tags: Extract<Token, { kind: 'tag' }>[] = []
  let raw = open.raw
  for (let next = at + 1; next < tokens.length; next += 1) {
    const token = tokens[next]
    if (token === undefined) break
    if (token.kind === 'tag') {
      // Both corners of an area contain the sheet name.
      const index = tags.findIndex(({ text }) => text === token.text)
      raw += placeholder(index < 0 ? tags.push(token) - 1 : index)
    } else if (token.kind === 'text' && token.markup === true) raw += token.raw
    else if (token.kind === 'close' && token.raw.endsWith('/>'))
      return { raw: raw + token.raw, tags, next: next + 1 }
    else return undefined
    if (raw.endsWith('>')) return tags.length === 0 ? undefined : { raw, tags, next: next + 1 }
  }
  return undefined
}

/** The name of the sheet that begins at `at`, with its tags in braces. */
export function taggedName(tokens: readonly Token[], at: number): string | undefined {
  const opening = openingWithTags(tokens, at)
  const name = attributeOf(opening?.raw ?? '', 'table:name')
  return name?.replace(placeholders, (_, n: string) => `{${opening!.tags[Number(n)]!.text}}`)
}

/**
 * Rewrites elements outside of cells that contain such addresses. `follow` returns the tokens of an opening tag, which are
 * computed if addresses change. `Sheets` contains the sheet under the name with placeholders.
 */
export function withTaggedNames(
  tokens: readonly Token[],
  sheets: Sheets,
  follow: (token: ElementToken, sheets: Sheets) => readonly Token[],
): readonly Token[] {
  // Repeated sheets have a name for each copy.
  if (![...sheets].some(([name, { moves }]) => moves && /^[^[$]*\{[^[$]*$/.test(name))) return tokens
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const isOutside = token.kind === 'open' && !/^table:(?:table|table-cell)$/.test(token.name)
    const followed = isOutside ? openingByValue(tokens, at, sheets, follow) : undefined
    if (followed === undefined) out.push(token)
    else {
      pushAll(out, followed.tokens)
      at = followed.next - 1
    }
  }
  return out
}

/**
 * The opening tag at `at`, whose addresses name sheets by tags, as `follow` returns it, with `counter` after its name.
 * Undefined if it contains no such address.
 */
export function openingByValue(
  tokens: readonly Token[],
  at: number,
  sheets: Sheets,
  follow: (token: ElementToken, sheets: Sheets) => readonly Token[],
  counter?: Token,
): { readonly tokens: readonly Token[]; readonly next: number } | undefined {
  const opening = openingWithTags(tokens, at)
  if (opening === undefined) return undefined
  const { raw, tags, next } = opening
  const byValue = sheetsByValue(
    sheets,
    tags.map(({ text }) => text),
  )
  const names = byValue?.(tags.map((_, n) => placeholder(n)))
  if (names === undefined) return undefined
  const isVoid = raw.endsWith('/>')
  const token = { ...(tokens[at] as ElementToken), raw }
  const followed = follow({ ...token, kind: isVoid ? 'void' : 'open' }, names)
  if (followed.length === 1) return undefined
  const key = scopeKey<string[]>('names of sheets in an address')
  const { offset, name } = token
  const texts = followed.filter(({ kind }) => kind !== 'close')
  const out: Token[] = [{ kind: 'open', name, raw: counter === undefined ? '' : `<${name}`, offset }]
  if (counter !== undefined) out.push(counter)
  tags.forEach((tag, n) => {
    const output = (value: unknown, text: (value: unknown) => string, scope: RenderScope) => {
      scope.obtain(key, () => [])[n] = text(value)
      return ''
    }
    out.push({ ...tag, context: 'text', hidden: true, output })
  })
  out.push({
    kind: 'computed',
    offset,
    compute: (scope) => {
      const all = texts
        .map((each) => (each.kind === 'computed' ? each.compute(scope) : 'raw' in each ? each.raw : ''))
        .join('')
      const written = withValues(all, scope.get(key) ?? [])
      return counter === undefined ? written : written.slice(name.length + 1)
    },
  })
  if (isVoid) out.push({ kind: 'close', name, raw: '/>', offset })
  return { tokens: out, next }
}

/** Inserts values: inside apostrophes as sheet names, inside quotes as texts of a formula. */
function withValues(markup: string, values: readonly string[]): string {
  return markup.replace(placeholders, (_, n: string, at: number) => {
    const value = values[Number(n)] ?? ''
    const before = markup.slice(markup.lastIndexOf('="', at) + 2, at)
    const outside = before.replace(/&quot;.*?&quot;/g, '')
    if (isNameInText(before)) return escaped(cleanName(value).replaceAll("'", "''").replaceAll('"', '""'))
    if (outside.includes('&quot;')) return escaped(value.replaceAll('"', '""'))
    return outside.split("'").length % 2 === 0
      ? escaped(cleanName(value).replaceAll("'", "''"))
      : escaped(value)
  })
}

const isNameInText = (written: string): boolean =>
  endsInNameOfText(written.replaceAll('&quot;', '"').replaceAll('&apos;', "'"))

/** Attributes that contain formulas or addresses. */
const withAddresses = /^(?:[a-z]+:)?(?:formula|expression|condition|[a-z-]*(?:address(?:es)?|ranges?))$/

/**
 * Handles tags that name a sheet in apostrophes, in a formula or an address: an apostrophe of the value is doubled, and the
 * name is cleaned like that of the sheet. This applies to sheets that do not repeat; `openingByValue` handles those that do.
 */
export function withQuotedNames(tokens: readonly Token[]): Token[] {
  let before = ''
  return tokens.map((token) => {
    if (token.kind === 'open') before = token.raw
    else if (token.kind === 'text' && token.markup === true) before += token.raw
    else if (token.kind === 'tag' && token.context === 'attribute' && token.output === undefined) {
      const { name = '', valueStart } = cutOffAttribute(before) ?? {}
      const written = before.slice(valueStart ?? before.length)
      before += placeholder(0)
      const outside = written.replace(/&quot;.*?&quot;/g, '')
      const isQuoted = outside.includes('&quot;')
        ? isNameInText(written)
        : outside.split(/'|&apos;/).length % 2 === 0
      if (!withAddresses.test(name) || !isQuoted) return token
      const output = (value: unknown, text: (value: unknown) => string) =>
        escaped(cleanName(text(value)).replaceAll("'", "''"))
      return { ...token, output }
    }
    return token
  })
}
