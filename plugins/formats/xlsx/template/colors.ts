/**
 * Colours of cells from data. A cell refers to its format by index, and formats are a list in the styles part. Each
 * colour that a render needs appends a format: a copy of the cell's format with another font or fill. Source:
 * template language 22.4; ECMA-376-1, 18.8.
 */

import {
  type ColorTarget,
  type ColorType,
  chosen,
  Edits,
  findColors,
  MarkerTexts,
} from '../../../../shared/template/media/colors.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { attributeOf, elementIn, withAttributes, withoutAttribute } from '../../../../shared/xml/elements.ts'
import { styleList, withAppended } from './style-lists.ts'

const targets: Readonly<Record<ColorTarget, readonly string[]>> = {
  p: ['c'],
  cell: ['c'],
  row: ['row'],
  part: ['c'],
  shape: [],
  page: [],
}

/**
 * Binds the colours of a sheet. `prepare` is the format's own preparation of its tokens; markers carry the attributes
 * through it.
 */
export function bindCellColors(
  tokens: readonly Token[],
  styles: CellStyles,
  prepare: (tokens: readonly Token[]) => readonly Token[],
): readonly Token[] {
  const edits = new Edits()
  const colors = findColors(tokens, targets, edits, { before: 'c' })
  if (colors === undefined) return prepare(tokens)
  const styleMarkers = new MarkerTexts()
  const keysOf = (at: number, types: readonly ColorType[]) =>
    colors.enclosing(at, ({ type }) => types.includes(type))
  tokens.forEach((token, at) => {
    if ((token.kind !== 'open' && token.kind !== 'void') || token.name !== 'c') return
    const text = keysOf(at, ['text'])
    const background = keysOf(at, ['background', 'highlight'])
    if (text.length === 0 && background.length === 0) return
    const base = Number(attributeOf(token.raw, 's') ?? 0)
    const write = (scope: RenderScope) =>
      ` s="${styles.index(scope, base, chosen(scope, text), chosen(scope, background))}"`
    edits.replace(at, at + 1, [styleMarkers.set(token, 's', write)])
  })
  colors.settle()
  return styleMarkers.fill(prepare(edits.apply(tokens)))
}

/** Excel 2007 accepts 64,000 cell formats. The difference is reserved for the formats of the template. */
const maxFormats = 50_000

/** The formats that one render appends, each with its position after those of the template. */
interface AddedFormats {
  readonly styles: Map<string, number> // format of the template and colours -> format
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
  readonly #key = scopeKey<AddedFormats>('styles of cells')

  constructor(text: string) {
    this.#text = text
    this.#fonts = styleList(text, 'fonts', 'font')
    this.#fills = styleList(text, 'fills', 'fill')
    this.#formats = styleList(text, 'cellXfs', 'xf')
  }

  /** The number of a style like `base` with these colours. */
  index(scope: RenderScope, base: number, text: string | undefined, background: string | undefined): number {
    // A workbook without styles has no format to copy.
    if ((text === undefined && background === undefined) || this.#formats.length === 0) return base
    const added = scope.obtain(this.#key, () => ({
      styles: new Map(),
      fonts: new Map(),
      fills: new Map(),
      formats: [],
    }))
    const id = `${base} ${text} ${background}`
    const cached = added.styles.get(id)
    if (cached !== undefined) return cached
    if (added.formats.length >= maxFormats) return base
    let format = this.#formats[base] ?? this.#formats[0]!
    if (text !== undefined) {
      const font = this.#fonts[Number(attributeOf(format, 'fontId') ?? 0)] ?? '<font/>'
      format = set(
        format,
        'fontId',
        this.#fonts.length + shared(added.fonts, colored(font, text)),
        'applyFont',
      )
    }
    if (background !== undefined) {
      const fill = `<fill><patternFill patternType="solid"><fgColor rgb="FF${background}"/><bgColor indexed="64"/></patternFill></fill>`
      format = set(format, 'fillId', this.#fills.length + shared(added.fills, fill), 'applyFill')
    }
    const index = this.#formats.length + added.formats.length
    added.formats.push(format)
    added.styles.set(id, index)
    return index
  }

  /** The styles part with the formats that this render added; undefined when it added none. */
  written(scope: RenderScope): string | undefined {
    const added = scope.get(this.#key)
    if (added === undefined) return undefined
    const fonts = withAppended(this.#text, 'fonts', [...added.fonts.keys()], this.#fonts.length)
    const fills = withAppended(fonts, 'fills', [...added.fills.keys()], this.#fills.length)
    return withAppended(fills, 'cellXfs', added.formats, this.#formats.length)
  }
}

/** The index of an element in a list. An element that the list does not contain is appended. */
function shared(list: Map<string, number>, element: string): number {
  const existing = list.get(element)
  if (existing !== undefined) return existing
  list.set(element, list.size)
  return list.size - 1
}

/**
 * The colour comes after the size and before the name of a font: Excel requires this order, although most programs
 * accept any.
 */
function colored(font: string, hex: string): string {
  const color = `<color rgb="FF${hex}"/>`
  const existing = elementIn(font, 'color')
  if (existing !== undefined) return font.slice(0, existing.start) + color + font.slice(existing.end)
  const { attributes, content = '' } = elementIn(font, 'font')!
  const next = elementIn(content, 'name') ?? elementIn(content, 'family', 'charset', 'scheme')
  const at = next?.start ?? content.length
  return `<font${attributes}>${content.slice(0, at)}${color}${content.slice(at)}</font>`
}

/** Returns `format` with one of its references set, and with the attribute that makes it apply (18.8.45). */
function set(format: string, name: string, value: number, applies: string): string {
  const element = elementIn(format, 'xf')!
  const rest = [name, applies].reduce(withoutAttribute, element.attributes)
  return withAttributes(element, ` ${name}="${value}" ${applies}="1"${rest}`)
}
