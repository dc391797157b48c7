/**
 * Hyperlinks of cells whose address comes from data. A workbook stores the address in a relationship, which cannot be
 * repeated. The tag is therefore moved into the row of the cell, and each copy of the row gets a link and a
 * relationship of its own. Source: template language 22.6; ECMA-376-1, 18.3.1.47.
 */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { relationsOf } from '../../../../shared/office/opc/names.ts'
import { relationshipsIn, withoutRelationships } from '../../../../shared/office/opc/relationships.ts'
import { followArea, type SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { type CellRange, formatCorner, parseRange } from '../../../../shared/office/sheet/reference.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { textOf } from '../../../../shared/template/emit/value.ts'
import { composedLink, relativePrefix } from '../../../../shared/template/media/link.ts'
import { closeOf, isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../../../../shared/template/scope.ts'
import {
  attributeOf,
  attributesOf,
  elementIn,
  elementsIn,
  replaceElements,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { escapeAttribute, escapeText } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { cellNow } from './anchored.ts'

/** Names of elements that exist only between opening the template and preparing its tokens. */
const carrier = 'platen-link'
const carriedAttribute = 'platen-attribute'
const linkPlaceholder = 'platen-links'
/** Excel does not open a sheet with more links (Excel specifications and limits: 65,530). */
const maxLinks = 65_530

/** Common top-level domains: editors turn a tag without braces into `http://d.url`, but `http://d.com` is an address. */
const domains = /^https?:\/\/[dc]\.(?:com|org|net|io|dev|app|me|co|eu|de|fr|uk|us|ch|info|biz)\b/i
const unbracedPath = /^(?:https?:\/\/)?([dc]\.[^\s/{}?#]+(?:\([^()]*\))?)\/?$/i

/**
 * The target of a relationship as text with tags; undefined when it contains none. Editors percent-encode the braces.
 */
function taggedTarget(target: string): string | undefined {
  if (/\{|%7b/i.test(target)) {
    return target.replace(/%7b(.*?)%7d/gi, (_, inside: string) => `{${unescaped(inside)}}`)
  }
  const match = domains.test(target) ? null : unbracedPath.exec(target)
  return match === null ? undefined : `{${unescaped(match[1] ?? '')}}`
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the relationships contain a link whose address is a tag, with or without braces. */
export function hasTaggedLink(relations: string): boolean {
  if (!relations.includes('/hyperlink"')) return false
  return relationshipsIn(relations).some(
    ({ kind, target }) => kind === 'hyperlink' && taggedTarget(target) !== undefined,
  )
}

/** The texts of two parts. */
export interface MovedSheetLinks {
  readonly sheet: string
  readonly relations: string // of the sheet
}

/** Moves the links of a sheet into the rows of their cells. Undefined when no link has a tag. */
function moveSheetLinks(sheet: string, relations: string): MovedSheetLinks | undefined {
  const targets = new Map<string, string>()
  const rest = withoutRelationships(relations, ({ id, kind, target: written }) => {
    const target = kind === 'hyperlink' ? taggedTarget(written) : undefined
    if (target === undefined) return false
    targets.set(id, escapeText(target))
    return true
  })
  const block = targets.size === 0 ? undefined : elementIn(sheet, 'hyperlinks')
  if (block === undefined) return undefined
  const byRow = new Map<number, string>()
  const rows = rowsOf(sheet)
  // The links of cells in rows that the sheet does not store.
  let loose = ''
  // A sheet has one list of links, which this render writes, so links without tags are moved into their rows as well.
  for (const { attributes: raw } of elementsIn(block.content ?? '', 'hyperlink')) {
    const target = targets.get(attributeOf(raw, 'r:id') ?? '')
    const attributes = target === undefined ? raw : withoutAttribute(raw, 'r:id')
    const row = parseRange(attributeOf(attributes, 'ref') ?? '')?.from.row
    const inRow = row !== undefined && rows.has(row)
    // An attribute with tags, such as a tooltip, becomes an element inside the link, so that its values are collected too.
    const withTags = [...attributesOf(attributes)].filter(([, value]) => value.includes('{'))
    const withoutTags = withTags.reduce((rest, [name]) => withoutAttribute(rest, name), attributes)
    const tagged = withTags
      .map(([name, value]) => `<${carriedAttribute} name="${name}">${value}</${carriedAttribute}>`)
      .join('')
    const text = `<${carrier}${inRow ? ' row="1"' : ''}${withoutTags}${target === undefined ? ' fixed="1"' : ''}>${tagged}${target ?? ''}</${carrier}>`
    if (inRow) byRow.set(row, (byRow.get(row) ?? '') + text)
    else loose += text
  }
  const emptied = `${sheet.slice(0, block.start)}${loose}<${linkPlaceholder}/>${sheet.slice(block.end)}`
  const filled = replaceElements(emptied, 'row', (attributes, content = '') => {
    const rowLinks = byRow.get(Number(attributeOf(attributes, 'r')))
    return rowLinks === undefined ? undefined : `<row${attributes}>${rowLinks}${content}</row>`
  })
  return { sheet: filled, relations: rest }
}

const rowsOf = (sheet: string): Set<number> =>
  new Set([...elementsIn(sheet, 'row')].map(({ attributes }) => Number(attributeOf(attributes, 'r'))))

/** Binds the links that `moveLinks` moved into a sheet: each copy of their cell gets a hyperlink of its own. */
export function bindSheetLinks(
  part: string,
  tokens: readonly Token[],
  model: SheetModel,
  additions: Additions,
): readonly Token[] {
  if (!tokens.some((token) => token.kind === 'void' && token.name === linkPlaceholder)) return tokens
  const key = scopeKey<string[]>('hyperlinks of a sheet')
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'open' && token.name === carrier) {
      const close = closeOf(tokens, at)
      pushAll(out, carried(tokens.slice(at, close), { part, model, additions, key }))
      at = close
    } else if (token.kind === 'void' && token.name === linkPlaceholder) {
      out.push({ kind: 'computed', offset: token.offset, compute: (scope) => written(scope, key) })
    } else out.push(token)
  }
  return out
}

interface LinkBinding {
  readonly part: string
  readonly model: SheetModel
  readonly additions: Additions
  readonly key: ScopeKey<string[]>
}

function carried(tokens: readonly Token[], { part, model, additions, key }: LinkBinding): Token[] {
  const { raw, offset } = tokens[0] as ElementToken
  const range = parseRange(attributeOf(raw, 'ref') ?? '')
  if (range === undefined) return []
  const isFixed = attributeOf(raw, 'fixed') === '1'
  const inRow = attributeOf(raw, 'row') === '1'
  const head = ['ref', 'fixed', 'row'].reduce(withoutAttribute, raw.slice(`<${carrier}`.length, -1))
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
      segments.push(list === 0 && segments.length === 0 ? text.replace(relativePrefix, '') : text)
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
      const [addressValues = [], ...attributeValues] = scope.require(valuesKey)
      const address = isFixed ? undefined : composedLink(addressValues, textOf)
      if (!isFixed && address === undefined) return ''
      const id = address === undefined ? '' : ` r:id="${additions.link(scope, part, address)}"`
      const tagged = attributeValues.map(
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

function refNow(range: CellRange, inRow: boolean, model: SheetModel, scope: RenderScope): string {
  const { from, to } = range
  // In the row that is being written the cell is known; other rows are looked up in the layout by their template
  // address.
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

/**
 * Returns the list of links that the rows have written, and resets it, because each copy of a repeated sheet writes
 * its own.
 */
function written(scope: RenderScope, key: ScopeKey<string[]>): string {
  const list = scope.get(key)
  scope.delete(key)
  return list === undefined ? '' : `<hyperlinks>${list.join('')}</hyperlinks>`
}

/** Moves the links of all sheets in `texts`. Returns the relationship parts that changed. */
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
