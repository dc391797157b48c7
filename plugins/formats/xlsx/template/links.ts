/**
 * Links of cells whose address comes from data. The address stands in a relationship, once; the tag goes into the row of
 * the cell, so that each written row has a link of its own. Source: template language 22.6; ECMA-376-1, 18.3.1.47.
 */

import { escapeAttribute } from '../../../../shared/office/markup.ts'
import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { relationsOf } from '../../../../shared/office/opc/names.ts'
import { followArea, type SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { formatCorner, parseRange, type Range } from '../../../../shared/office/sheet/reference.ts'
import { textOf } from '../../../../shared/template/emit/value.ts'
import { composedLink, editorsPlace } from '../../../../shared/template/media/link.ts'
import { closeOf, isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../../../../shared/template/scope.ts'
import { cellNow } from './anchored.ts'
import { attributeOf, without } from './shared-strings.ts'

/** Elements of our own, between opening and analysis. */
const carrier = 'platen-link'
const carriedAttribute = 'platen-attribute'
const place = 'platen-links'
/** Above this number of links a sheet is no longer opened. */
const maxLinks = 65_530

/** Top level domains: `http://d.com` is an address, `http://d.url` a tag. */
const domains = /^https?:\/\/[dc]\.(?:com|org|net|io|dev|app|me|co|eu|de|fr|uk|us|ch|info|biz)\b/i
const bare = /^(?:https?:\/\/)?([dc]\.[^\s/{}?#]+(?:\([^()]*\))?)\/?$/i

/** The target of a relationship as text with tags, undefined when it holds none. */
function taggedTarget(target: string): string | undefined {
  if (/\{|%7b/i.test(target)) {
    return target.replace(/%7b(.*?)%7d/gi, (_, inside: string) => `{${unescaped(inside)}}`)
  }
  const found = domains.test(target) ? null : bare.exec(target)
  return found === null ? undefined : `{${unescaped(found[1]!)}}`
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether relationships name a link whose address is a tag, with braces or without. */
export function hasTaggedLink(relations: string): boolean {
  if (!relations.includes('/hyperlink"')) return false
  return [...relations.matchAll(/<Relationship\b[^<>]*>/g)].some(
    ([element]) =>
      (attributeOf(element, 'Type') ?? '').endsWith('/hyperlink') &&
      taggedTarget(attributeOf(element, 'Target') ?? '') !== undefined,
  )
}

export interface MovedSheetLinks {
  readonly sheet: string
  readonly relations: string
}

const hyperlink =
  /<hyperlink\b(?:[^>"']|"[^"]*"|'[^']*')*\/>|<hyperlink\b(?:[^>"']|"[^"]*"|'[^']*')*>\s*<\/hyperlink>/g

/** The texts of a sheet and its relationships with the links inside of their rows; undefined when no link has a tag. */
function moveSheetLinks(sheet: string, relations: string): MovedSheetLinks | undefined {
  const targets = new Map<string, string>()
  const rest = relations.replace(/<Relationship\b[^<>]*>/g, (element) => {
    if (!(attributeOf(element, 'Type') ?? '').endsWith('/hyperlink')) return element
    const target = taggedTarget(attributeOf(element, 'Target') ?? '')
    if (target === undefined) return element
    targets.set(attributeOf(element, 'Id') ?? '', target)
    return ''
  })
  const block = /<hyperlinks\b[^>]*>([\s\S]*?)<\/hyperlinks>/.exec(sheet)
  if (targets.size === 0 || block === null) return undefined
  const byRow = new Map<number, string>()
  let loose = ''
  // All links of the sheet go along: two lists of links are one too many.
  for (const [element] of block[1]!.matchAll(hyperlink)) {
    const target = targets.get(/\s\w+:id\s*=\s*["']([^"']*)["']/.exec(element)?.[1] ?? '')
    const raw = element.replace(/\/?>(?:\s*<\/hyperlink>)?$/, '').replace(/^<hyperlink/, '')
    const attributes = target === undefined ? raw : raw.replace(/\s\w+:id\s*=\s*("[^"]*"|'[^']*')/, '')
    const row = parseRange(attributeOf(attributes, 'ref') ?? '')?.from.row
    const inRow = row !== undefined && hasRow(sheet, row)
    let tagged = ''
    const plain = attributes.replace(/\s(\w+)\s*=\s*"([^"]*\{[^"]*)"/g, (_, name: string, value: string) => {
      tagged += `<${carriedAttribute} name="${name}">${value}</${carriedAttribute}>`
      return ''
    })
    const text = `<${carrier}${inRow ? ' row="1"' : ''}${plain}${target === undefined ? ' fixed="1"' : ''}>${tagged}${target ?? ''}</${carrier}>`
    if (inRow) byRow.set(row, (byRow.get(row) ?? '') + text)
    else loose += text
  }
  const emptied = sheet.replace(block[0], () => `${loose}<${place}/>`)
  const filled = emptied.replace(/<row\b([^<>]*?)(\/?)>/g, (whole, attributes: string, closed: string) => {
    const own = byRow.get(Number(attributeOf(attributes, 'r')))
    if (own === undefined) return whole
    return `<row${attributes}>${own}${closed === '' ? '' : '</row>'}`
  })
  return { sheet: filled, relations: rest }
}

const hasRow = (sheet: string, row: number): boolean => new RegExp(`<row\\b[^<>]*\\sr="${row}"`).test(sheet)

export function bindSheetLinks(
  part: string,
  tokens: readonly Token[],
  model: SheetModel,
  additions: Additions,
): readonly Token[] {
  if (!tokens.some((token) => token.kind === 'void' && token.name === place)) return tokens
  const key = scopeKey<string[]>('hyperlinks of a sheet')
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (token.kind === 'open' && token.name === carrier) {
      const close = closeOf(tokens, at)
      out.push(...carried(tokens.slice(at, close), { part, model, additions, key }))
      at = close
    } else if (token.kind === 'void' && token.name === place) {
      out.push({ kind: 'computed', offset: token.offset, compute: (scope) => written(scope, key) })
    } else out.push(token)
  }
  return out
}

interface Binding {
  readonly part: string
  readonly model: SheetModel
  readonly additions: Additions
  readonly key: ScopeKey<string[]>
}

function carried(tokens: readonly Token[], { part, model, additions, key }: Binding): Token[] {
  const { raw, offset } = tokens[0] as ElementToken
  const range = parseRange(attributeOf(raw, 'ref') ?? '')
  if (range === undefined) return []
  const isFixed = raw.includes(' fixed="1"')
  const inRow = raw.includes(' row="1"')
  const head = ['ref', 'fixed', 'row'].reduce(without, raw.slice(`<${carrier}`.length, -1))
  // The address first, then attributes with tags: a tooltip.
  const lists: { readonly name: string; readonly segments: unknown[] }[] = [{ name: '', segments: [] }]
  const valuesKey = scopeKey<unknown[][]>('values of a hyperlink')
  const out: Token[] = [
    {
      kind: 'computed',
      offset,
      hidden: true,
      compute: (scope) => {
        scope.set(
          valuesKey,
          lists.map(({ segments }) => [...segments]),
        )
        return ''
      },
    },
  ]
  let list = 0
  for (const token of tokens.slice(1)) {
    const { segments } = lists[list]!
    if (token.kind === 'open' && token.name === carriedAttribute)
      list = lists.push({ name: attributeOf(token.raw, 'name') ?? '', segments: [] }) - 1
    else if (token.kind === 'close' && token.name === carriedAttribute) list = 0
    else if (token.kind === 'text') {
      const text = decodeEntities(token.raw)
      segments.push(list === 0 && segments.length === 0 ? text.replace(editorsPlace, '') : text)
    } else if (token.kind === 'tag') {
      const index = segments.push('') - 1
      const within = list
      const store = (value: unknown, _text: unknown, scope: RenderScope) => {
        scope.require(valuesKey)[within]![index] = value
        return ''
      }
      const shows = within === 0 ? ({ shows: 'link' } as const) : {}
      out.push(
        isValueTag(token) ? { ...token, context: 'text', hidden: true, ...shows, output: store } : token,
      )
    }
  }
  out.push({
    kind: 'computed',
    offset,
    hidden: true,
    compute(scope) {
      const [given = [], ...others] = scope.require(valuesKey)
      const address = isFixed ? undefined : composedLink(given, textOf)
      if (!isFixed && address === undefined) return ''
      const id = address === undefined ? '' : ` r:id="${additions.link(scope, part, address)}"`
      const tagged = others.map(
        (values, at) => ` ${lists[at + 1]!.name}="${escapeAttribute(values.map(textOf).join(''))}"`,
      )
      const written = scope.obtain(key, () => [])
      if (written.length < maxLinks)
        written.push(`<hyperlink ref="${refNow(range, inRow, model, scope)}"${head}${tagged.join('')}${id}/>`)
      return ''
    },
  })
  return out
}

function refNow(range: Range, inRow: boolean, model: SheetModel, scope: RenderScope): string {
  const { from, to } = range
  // In a row that is written now the cell is known; other rows are where their area went.
  if (!inRow || !model.moves || !scope.has(model.keys.layout)) {
    const now = followArea(range, model, scope, 'copies')[0] ?? range
    return formatCorner(now.from) + (now.to === undefined ? '' : `:${formatCorner(now.to)}`)
  }
  const start = cellNow(from.row ?? 1, from.column ?? 1, model, scope)
  const corner = (row: number, column: number) => formatCorner({ ...from, row, column })
  if (to === undefined) return corner(start.row, start.column)
  const high = (to.row ?? 1) - (from.row ?? 1)
  const wide = (to.column ?? 1) - (from.column ?? 1)
  return `${corner(start.row, start.column)}:${corner(start.row + high, start.column + wide)}`
}

/** Taken away: a sheet that repeats writes its own list each time. */
function written(scope: RenderScope, key: ScopeKey<string[]>): string {
  const list = scope.get(key)
  scope.delete(key)
  return list === undefined ? '' : `<hyperlinks>${list.join('')}</hyperlinks>`
}

/** The parts with their links moved, for all sheets. */
export function moveLinks(texts: Map<string, string>, sheets: readonly string[]): Map<string, string> {
  const rewritten = new Map<string, string>()
  for (const part of sheets) {
    const relations = relationsOf(part)
    const moved = moveSheetLinks(texts.get(part) ?? '', texts.get(relations) ?? '')
    if (moved === undefined) continue
    texts.set(part, moved.sheet)
    texts.set(relations, moved.relations)
    rewritten.set(relations, moved.relations)
  }
  return rewritten
}
