/**
 * Colours of cells from data. What a cell looks like is a row of a table in the styles part, so each colour that a
 * render needs adds a row: a copy of the cell's own with another font or filling. Source: template language 22.4;
 * ECMA-376-1, 18.8.
 */

import { replaceElements } from '../../../../shared/office/markup.ts'
import {
  type ColorTarget,
  type ColorType,
  chosen,
  Edits,
  findColors,
  Marks,
} from '../../../../shared/template/media/colors.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { attributeOf } from './shared-strings.ts'

const targets: Readonly<Record<ColorTarget, readonly string[]>> = {
  p: ['c'],
  cell: ['c'],
  row: ['row'],
  part: ['c'],
  shape: [],
  page: [],
}

/** `prepare` is what the format does with the tokens of a sheet. */
export function bindCellColors(
  tokens: readonly Token[],
  styles: CellStyles,
  prepare: (tokens: readonly Token[]) => readonly Token[],
): readonly Token[] {
  const edits = new Edits()
  const found = findColors(tokens, targets, edits, { before: 'c' })
  if (found === undefined) return prepare(tokens)
  const marks = new Marks()
  const keysOf = (at: number, types: readonly ColorType[]) =>
    found.around(at, ({ type }) => types.includes(type))
  tokens.forEach((token, at) => {
    if ((token.kind !== 'open' && token.kind !== 'void') || token.name !== 'c') return
    const text = keysOf(at, ['text'])
    const ground = keysOf(at, ['background', 'highlight'])
    if (text.length === 0 && ground.length === 0) return
    const base = Number(attributeOf(token.raw, 's') ?? 0)
    const write = (scope: RenderScope) =>
      ` s="${styles.index(scope, base, chosen(scope, text), chosen(scope, ground))}"`
    edits.replace(at, at + 1, [marks.set(token, 's', write)])
  })
  found.settle()
  return marks.fill(prepare(edits.apply(tokens)))
}

/** Spreadsheet programs take 64,000 styles of cells. */
const maxFormats = 50_000

interface Added {
  readonly styles: Map<string, number>
  readonly fonts: Map<string, number>
  readonly fills: Map<string, number>
  readonly formats: string[]
}

/** The styles part of a workbook, and what renders add to it. */
export class CellStyles {
  readonly #text: string
  readonly #fonts: readonly string[]
  readonly #fills: readonly string[]
  readonly #formats: readonly string[]
  readonly #key = scopeKey<Added>('styles of cells')

  constructor(text: string) {
    this.#text = text
    this.#fonts = childrenOf(text, 'fonts', 'font')
    this.#fills = childrenOf(text, 'fills', 'fill')
    this.#formats = childrenOf(text, 'cellXfs', 'xf')
  }

  /** The number of a style like `base` with these colours. */
  index(scope: RenderScope, base: number, text: string | undefined, ground: string | undefined): number {
    // Without a table of styles there is nothing to copy.
    if ((text === undefined && ground === undefined) || this.#formats.length === 0) return base
    const added = scope.obtain(this.#key, () => ({
      styles: new Map(),
      fonts: new Map(),
      fills: new Map(),
      formats: [],
    }))
    const id = `${base} ${text} ${ground}`
    const known = added.styles.get(id)
    if (known !== undefined) return known
    if (added.formats.length >= maxFormats) return base
    let format = this.#formats[base] ?? this.#formats[0]!
    if (text !== undefined) {
      const own = this.#fonts[Number(attributeOf(format, 'fontId') ?? 0)] ?? '<font/>'
      format = set(
        format,
        'fontId',
        this.#fonts.length + shared(added.fonts, colored(own, text)),
        'applyFont',
      )
    }
    if (ground !== undefined) {
      const fill = `<fill><patternFill patternType="solid"><fgColor rgb="FF${ground}"/><bgColor indexed="64"/></patternFill></fill>`
      format = set(format, 'fillId', this.#fills.length + shared(added.fills, fill), 'applyFill')
    }
    const index = this.#formats.length + added.formats.length
    added.formats.push(format)
    added.styles.set(id, index)
    return index
  }

  /** The part with what this render added; undefined when that is nothing. */
  written(scope: RenderScope): string | undefined {
    const added = scope.get(this.#key)
    if (added === undefined) return undefined
    const fonts = extended(this.#text, 'fonts', [...added.fonts.keys()], this.#fonts.length)
    const fills = extended(fonts, 'fills', [...added.fills.keys()], this.#fills.length)
    return extended(fills, 'cellXfs', added.formats, this.#formats.length)
  }
}

/** The index of an element in a list, put there if it is missing. */
function shared(list: Map<string, number>, element: string): number {
  const known = list.get(element)
  if (known !== undefined) return known
  list.set(element, list.size)
  return list.size - 1
}

function childrenOf(text: string, list: string, name: string): string[] {
  const block = new RegExp(`<${list}\\b[^>]*>([\\s\\S]*?)</${list}>`).exec(text)?.[1] ?? ''
  const found: string[] = []
  replaceElements(block, name, (attributes, content) => {
    found.push(
      content === undefined ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`,
    )
    return undefined
  })
  return found
}

const behindColor = /<(?:family|charset|scheme)\b|<\/font>/

/** Where the colour stands among a font's properties most programs do not mind; Excel wants it behind the size. */
function colored(font: string, hex: string): string {
  const color = `<color rgb="FF${hex}"/>`
  if (/<color\b[^>]*\/>/.test(font)) return font.replace(/<color\b[^>]*\/>/, color)
  const whole = font.replace(/^<font([^>]*)\/>$/, '<font$1></font>')
  const name = whole.search(/<name\b/)
  const at = name >= 0 ? name : whole.search(behindColor)
  return whole.slice(0, at) + color + whole.slice(at)
}

function set(format: string, name: string, value: number, applies: string): string {
  const bare = format.replace(new RegExp(`\\s(?:${name}|${applies})="[^"]*"`, 'g'), '')
  return bare.replace(/^<xf/, `<xf ${name}="${value}" ${applies}="1"`)
}

function extended(text: string, list: string, added: readonly string[], before: number): string {
  if (added.length === 0) return text
  return text
    .replace(new RegExp(`</${list}>`), () => `${added.join('')}</${list}>`)
    .replace(
      new RegExp(`(<${list}\\b[^>]*?\\scount=")\\d*"`),
      (_, head: string) => `${head}${before + added.length}"`,
    )
}
