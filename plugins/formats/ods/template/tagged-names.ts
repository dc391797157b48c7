/**
 * Addresses on a sheet whose name holds tags, `$'Prices {d.season}'.$B$4`: they follow the rows of that sheet, and name it
 * as this render does. Source: template language 24.4.
 */

import type { SheetModel, Sheets } from '../../../../shared/office/sheet/layout.ts'
import { cleanName } from '../../../../shared/office/sheet/names.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { escaped } from './cells.ts'

const place = (n: number): string => `\uE002${n}\uE003`
const places = /\uE002(\d+)\uE003/g

/** The opening tag at `at` with its attributes in one text, tags as places in it; undefined where it holds none. */
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
    const token = tokens[next]!
    if (token.kind === 'tag') {
      // Both corners of an area name the sheet.
      const known = tags.findIndex(({ text }) => text === token.text)
      raw += place(known < 0 ? tags.push(token) - 1 : known)
    } else if (token.kind === 'text' && token.markup === true) raw += token.raw
    else if (token.kind === 'close' && token.raw.endsWith('/>'))
      return { raw: raw + token.raw, tags, next: next + 1 }
    else return undefined
    if (raw.endsWith('>')) return tags.length === 0 ? undefined : { raw, tags, next: next + 1 }
  }
  return undefined
}

/** The name of the sheet that begins at `at`, its tags in braces. */
export function taggedName(tokens: readonly Token[], at: number): string | undefined {
  const opening = openingWithTags(tokens, at)
  const name = /\stable:name="([^"]*)"/.exec(opening?.raw ?? '')?.[1]
  return name?.replace(places, (_, n: string) => `{${opening!.tags[Number(n)]!.text}}`)
}

/**
 * Elements outside of cells with such addresses. `follow` makes the tokens of an opening tag, computed where addresses
 * change; `Sheets` knows the sheet by the name with places.
 */
export function withTaggedNames(
  tokens: readonly Token[],
  sheets: Sheets,
  follow: (token: ElementToken, sheets: Sheets) => readonly Token[],
): readonly Token[] {
  // Sheets that repeat have a name for each copy.
  const tagged = [...sheets].filter(([name, { moves }]) => moves && /^[^[$]*\{[^[$]*$/.test(name))
  if (tagged.length === 0) return tokens
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    const opening =
      token.kind === 'open' && token.name !== 'table:table' ? openingWithTags(tokens, at) : undefined
    if (opening === undefined) {
      out.push(token)
      continue
    }
    const { raw, tags, next } = opening
    const names = new Map<string, SheetModel>(sheets)
    const spelt = (text: string) => text.toLowerCase().replace(/\s+(?=[^{}]*\})/g, '')
    for (const [name, model] of tagged) {
      const pattern = tags.map((tag, n) => [spelt(`{${tag.text}}`), place(n)] as const)
      // The same tag may stand in several addresses of the element.
      for (const [text, mark] of pattern)
        if (spelt(name).includes(text)) names.set(spelt(name).replace(text, mark), model)
    }
    const isVoid = raw.endsWith('/>')
    const followed = follow({ ...(token as ElementToken), kind: isVoid ? 'void' : 'open', raw }, names)
    if (followed.length === 1) {
      out.push(...tokens.slice(at, next))
      at = next - 1
      continue
    }
    const key = scopeKey<string[]>('names of sheets in an address')
    const fill = (text: string, scope: RenderScope) => {
      const values = scope.get(key) ?? []
      return text.replace(places, (_, n: string) =>
        escaped(cleanName(values[Number(n)] ?? '').replaceAll("'", "''")),
      )
    }
    const { offset, name } = token as ElementToken
    const texts = followed.filter(({ kind }) => kind !== 'close')
    out.push({ kind: 'open', name, raw: '', offset })
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
      compute: (scope) =>
        texts
          .map((each) =>
            fill(each.kind === 'computed' ? each.compute(scope) : 'raw' in each ? each.raw : '', scope),
          )
          .join(''),
    })
    if (isVoid) out.push({ kind: 'close', name, raw: '/>', offset })
    at = next - 1
  }
  return out
}
