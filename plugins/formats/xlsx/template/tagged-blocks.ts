/**
 * Blocks of a sheet that both refer to cells and contain tags: data validations with their prompts and lists,
 * conditional formats, links inside the workbook. Their tags are moved before the block, print nothing, and store
 * their values in the render scope. The block is then filled with these values and adjusted to the moved rows like
 * all others. Source: template language 2.4; ECMA-376-1, 18.3.1.18, 18.3.1.32.
 */

import type { Sheets } from '../../../../shared/office/sheet/layout.ts'
import { cleanName, endsInNameOfText, sheetsByValue } from '../../../../shared/office/sheet/names.ts'
import { isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import {
  attributeOf,
  attributesOf,
  elementIn,
  replaceAttribute,
  replaceContents,
  replaceElements,
  withAttributes,
} from '../../../../shared/xml/elements.ts'
import { escapeAttribute, escapeText } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'

/** Tags that repeat or remove the element around them have no value to store. */
const structural = /\+1|:(?:show|hide)(?:Begin|End)|:(?:drop|keep)\(/

/** Represents a value in the markup of a block until it is known. The characters are from the private use area. */
const placeholder = (n: number): string => `\uE002${n}\uE003`
const placeholders = /\uE002(\d+)\uE003/g

/** A block of a sheet with tags, such as a conditional format that compares with a value of the data. */
export interface TaggedBlock {
  /** The tags, moved before the block. They print nothing. */
  readonly tags: readonly Token[]
  /** The markup of the block with the values of this render. */
  readonly fill: (scope: RenderScope) => string
  /** Returns the sheets under the names that the block uses for them in this render. */
  readonly sheetsNow: (sheets: Sheets, scope: RenderScope) => Sheets
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
  const texts: string[] = []
  const escapes: Escape[] = []
  let element = ''
  let before = ''
  for (const token of tokens) {
    if (token.kind !== 'tag') {
      const written = 'raw' in token ? token.raw : ''
      raw += written
      if (token.kind === 'open') element = token.name
      before = token.kind === 'text' && token.markup === undefined ? before + written : ''
      continue
    }
    if (!isValueTag(token)) {
      stored.push(token)
      continue
    }
    const at = texts.push(token.text) - 1
    escapes.push(
      token.context === 'attribute'
        ? escapeAttribute
        : formulas.has(element)
          ? inFormula(before)
          : escapeText,
    )
    before += placeholder(at)
    raw += placeholder(at)
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
    const filled = raw.replace(placeholders, (_, at: string) =>
      escapes[Number(at)]!(values[Number(at)] ?? ''),
    )
    return name === 'dataValidations' ? validated(filled) : filled
  }
  let byValue: { readonly sheets: Sheets; readonly now: ReturnType<typeof sheetsByValue> } | undefined
  const sheetsNow = (sheets: Sheets, scope: RenderScope) => {
    if (byValue?.sheets !== sheets) byValue = { sheets, now: sheetsByValue(sheets, texts) }
    return byValue.now?.(scope.require(key)) ?? sheets
  }
  return { tags: stored, fill, sheetsNow }
}

type Escape = (value: string) => string

/** Elements whose text is a formula: of cells, of rules and validations, of names (18.2.5), and of charts. */
const formulas: ReadonlySet<string> = new Set([
  'f',
  'formula',
  'formula1',
  'formula2',
  'xm:f',
  'definedName',
  'c:f',
])

/**
 * Returns the escape of a value after the beginning of a formula: quotes are doubled in its strings, apostrophes in
 * names of sheets.
 */
function inFormula(before: string): Escape {
  const head = decodeEntities(before)
  if (endsInNameOfText(head))
    return (value) => escapeText(cleanName(value).replaceAll("'", "''").replaceAll('"', '""'))
  if (hasOpenQuote(head, '"')) return (value) => escapeText(value.replaceAll('"', '""'))
  if (hasOpenQuote(head.replace(/"[^"]*"/g, ''), "'"))
    return (value) => escapeText(cleanName(value).replaceAll("'", "''"))
  return escapeText
}

const hasOpenQuote = (text: string, quote: string): boolean => text.split(quote).length % 2 === 0

/** The maximum length of each attribute of a validation (18.3.1.32). Excel repairs a workbook with longer ones. */
const maxLengths: ReadonlyMap<string, number> = new Map([
  ['promptTitle', 32],
  ['errorTitle', 32],
  ['prompt', 255],
  ['error', 225],
])
/** The maximum length of a list in quotes, without the quotes. */
const maxListLength = 255

/**
 * Shortens the texts of validations to the maximum length. A validation with an empty list is removed, since Excel
 * repairs it.
 */
const validated = (raw: string): string =>
  replaceElements(raw, 'dataValidation', (attributes, content, validation) => {
    const formula = content === undefined ? undefined : elementIn(content, 'formula1')
    if (formula !== undefined && /^(?:"")?$/.test(decodeEntities(formula.content ?? ''))) return ''
    const isList = attributeOf(attributes, 'type') === 'list'
    const inside =
      content !== undefined && isList
        ? replaceContents(content, 'formula1', (text) => escapeText(shortened(decodeEntities(text))))
        : content
    return withAttributes({ ...validation, content: inside }, withShortTexts(attributes))
  })

function withShortTexts(attributes: string): string {
  let out = attributes
  for (const [name, value] of attributesOf(attributes)) {
    const maxLength = maxLengths.get(name)
    const text = maxLength === undefined ? '' : decodeEntities(value)
    if (maxLength !== undefined && text.length > maxLength)
      out = replaceAttribute(out, name, escapeAttribute(`${text.slice(0, maxLength - 1)}…`))
  }
  return out
}

/** Cuts a list in quotes after the last entry that fits the length that Excel allows. */
function shortened(formula: string): string {
  const list = /^"((?:[^"]|"")*)"$/.exec(formula)?.[1]
  if (list === undefined || list.length <= maxListLength) return formula
  const end = list.lastIndexOf(',', maxListLength)
  return `"${end > 0 ? list.slice(0, end) : ''}"`
}
