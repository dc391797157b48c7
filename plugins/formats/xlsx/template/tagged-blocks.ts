/**
 * Blocks of a sheet that refer to cells and also hold tags: data validations with their prompts and lists, conditional formats,
 * links inside the workbook. The tags keep their values in the render scope. The block behind them is filled with these values
 * and then follows the rows as all others do. Source: template language 2.4; ECMA-376-1, 18.3.1.18, 18.3.1.32.
 */

import { escapeAttribute, escapeText, replaceElements } from '../../../../shared/office/markup.ts'
import { cleanName } from '../../../../shared/office/sheet/names.ts'
import { isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { attributeOf } from './shared-strings.ts'

/** Tags that repeat or remove what they stand in are not values. */
const structural = /\+1|:(?:show|hide)(?:Begin|End)|:(?:drop|keep)\(/

const place = (n: number): string => `\uE002${n}\uE003`
const places = /\uE002(\d+)\uE003/g

export interface TaggedBlock {
  /** The tokens that stand before the block and print nothing. */
  readonly tags: readonly Token[]
  /** The markup of the block with the values of this render. */
  readonly fill: (scope: RenderScope) => string
}

/** Undefined for a block without tags, and for one whose tags act on markup. */
export function taggedBlock(name: string, tokens: readonly Token[]): TaggedBlock | undefined {
  const tags = tokens.filter((token) => token.kind === 'tag')
  if (tags.length === 0 || tags.some((tag) => structural.test(tag.text))) return undefined
  const key = scopeKey<string[]>('values of a tagged block')
  const { offset } = tokens[0]!
  let raw = ''
  const stored: Token[] = [
    {
      kind: 'computed',
      offset,
      hidden: true,
      compute: (scope) => {
        scope.set(key, [])
        return ''
      },
    },
  ]
  let count = 0
  for (const token of tokens) {
    if (token.kind !== 'tag') {
      raw += 'raw' in token ? token.raw : ''
      continue
    }
    if (!isValueTag(token)) {
      stored.push(token)
      continue
    }
    const at = count++
    raw += place(at)
    stored.push({
      ...token,
      context: 'text',
      hidden: true,
      output: (value, text, scope) => {
        scope.require(key)[at] = text(value)
        return ''
      },
    })
  }
  const fill = (scope: RenderScope) => {
    const values: readonly (string | undefined)[] = scope.require(key)
    const filled = raw.replace(places, (_, at: string, from: number) =>
      written(values[Number(at)] ?? '', raw.slice(0, from), values),
    )
    return name === 'dataValidations' ? validated(filled) : filled
  }
  return { tags: stored, fill }
}

/** A value at its place in markup: an attribute, a text, or a formula, in quotes there or not. */
function written(value: string, before: string, values: readonly (string | undefined)[]): string {
  const open = before.lastIndexOf('<')
  const end = before.lastIndexOf('>')
  if (end < open) return escapeAttribute(value)
  if (!/^<(?:f|formula[12]?|xm:f)[\s>]/.test(before.slice(open))) return escapeText(value)
  const head = decodeEntities(before.slice(end + 1)).replace(
    places,
    (_, at: string) => values[Number(at)] ?? '',
  )
  if (odd(head, '"')) return escapeText(value.replaceAll('"', '""'))
  if (odd(head.replace(/"[^"]*"/g, ''), "'")) return escapeText(cleanName(value).replaceAll("'", "''"))
  return escapeText(value)
}

const odd = (text: string, quote: string): boolean => text.split(quote).length % 2 === 0

/** Longer ones make Excel repair the workbook. */
const longest: Readonly<Record<string, number>> = { promptTitle: 32, errorTitle: 32, prompt: 255, error: 225 }
const longestList = 255

/** Validations with texts as long as they may be; one whose list has nothing in it is left out. */
function validated(raw: string): string {
  const named = raw.replace(
    /(\s(promptTitle|errorTitle|prompt|error)=")([^"]*)"/g,
    (_, head: string, name: string, text: string) => {
      const plain = decodeEntities(text)
      const most = longest[name]!
      const shown = plain.length > most ? `${plain.slice(0, most - 1)}…` : plain
      return `${head}${escapeAttribute(shown)}"`
    },
  )
  return replaceElements(named, 'dataValidation', (attributes, content) => {
    if (content === undefined) return undefined
    if (/<formula1>(?:""|&quot;&quot;)?<\/formula1>/.test(content)) return ''
    if (attributeOf(attributes, 'type') !== 'list') return undefined
    const cut = content.replace(/(<formula1>)([^<]*)(<)/, (_, open: string, text: string, close: string) => {
      return open + escapeText(shortened(decodeEntities(text))) + close
    })
    return `<dataValidation${attributes}>${cut}</dataValidation>`
  })
}

/** A list in quotes with no more entries than it may have. */
function shortened(formula: string): string {
  const list = /^"((?:[^"]|"")*)"$/.exec(formula)?.[1]
  if (list === undefined || list.length <= longestList) return formula
  const end = list.lastIndexOf(',', longestList)
  return `"${end > 0 ? list.slice(0, end) : ''}"`
}
