/**
 * Colours from data in OpenDocument files. Formatting is defined by styles, so each colour that a render needs becomes a
 * style: a copy of the element's style with another property. Equal styles are created once. Styles precede the text, so
 * colours are computed in the measuring pass. Source: template language 22.4; ODF 1.3 part 3, clauses 16 and 20.
 */

import {
  type ColorBindings,
  type ColorSource,
  type ColorTarget,
  type ColorType,
  type ComputedAttribute,
  chosen,
  Edits,
  findColors,
  MarkerTexts,
  withAttributes as withComputedAttributes,
} from '../template/media/colors.ts'
import type { ElementToken, Token } from '../template/scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../template/scope.ts'
import { attributeOf, elementIn, withAttributes, withoutAttribute } from '../xml/elements.ts'
import { odfShapes } from './odf-rules.ts'

const targets: Readonly<Record<ColorTarget, readonly string[]>> = {
  p: ['text:p', 'text:h'],
  cell: ['table:table-cell'],
  row: ['table:table-row'],
  shape: odfShapes,
  part: ['text:span'],
  page: ['draw:page'],
}

/** A colour property of a style: its element, its attributes, and the attributes that would override it. */
interface ColorProperty {
  readonly holder: string
  /** An alternative name of the holder, for a style that has an element of that name. */
  readonly other?: string
  readonly set: (hex: string) => Readonly<Record<string, string>>
  readonly drop: readonly string[]
}
const letter: ColorProperty = {
  holder: 'style:text-properties',
  set: (hex) => ({ 'fo:color': `#${hex}` }),
  drop: ['fo:color', 'style:use-window-font-color', 'loext:opacity'],
}
const marker: ColorProperty = {
  holder: 'style:text-properties',
  set: (hex) => ({ 'fo:background-color': `#${hex}` }),
  drop: ['fo:background-color'],
}
const background = (holder: string): ColorProperty => ({ ...marker, holder })
const fill = (holder: string): ColorProperty => ({
  holder,
  set: (hex) => ({ 'draw:fill': 'solid', 'draw:fill-color': `#${hex}` }),
  drop: ['draw:fill', 'draw:fill-color'],
})
const stroke: ColorProperty = {
  holder: 'style:graphic-properties',
  set: (hex) => ({ 'draw:stroke': 'solid', 'svg:stroke-color': `#${hex}` }),
  drop: ['draw:stroke', 'svg:stroke-color'],
}

/** How an element refers to its style, and the colours that this kind of style can have. */
interface StyledKind {
  readonly attribute: string
  readonly family: string
  readonly properties: readonly {
    readonly property: ColorProperty
    readonly wants: (source: ColorSource) => boolean
  }[]
}
const is =
  (type: ColorType, ...from: readonly ColorTarget[]) =>
  ({ target, type: sourceType }: ColorSource): boolean =>
    sourceType === type && (from.length === 0 || from.includes(target))

const paragraph: StyledKind = {
  attribute: 'text:style-name',
  family: 'paragraph',
  properties: [
    { property: letter, wants: is('text') },
    { property: marker, wants: is('highlight') },
    { property: background('style:paragraph-properties'), wants: is('background', 'p') },
  ],
}
const span: StyledKind = {
  attribute: 'text:style-name',
  family: 'text',
  properties: [
    { property: letter, wants: is('text') },
    { property: marker, wants: (source) => is('highlight')(source) || is('background', 'part')(source) },
  ],
}
const cell: StyledKind = {
  attribute: 'table:style-name',
  family: 'table-cell',
  properties: [
    { property: background('style:table-cell-properties'), wants: is('background', 'cell', 'row') },
  ],
}
/** Cells of tables on slides are filled like shapes. */
const slideCell: StyledKind = {
  ...cell,
  properties: [
    {
      property: { ...fill('loext:graphic-properties'), other: 'style:graphic-properties' },
      wants: is('background', 'cell', 'row'),
    },
  ],
}
/** In a sheet, the style of a cell is also that of its text. */
const sheetCell: StyledKind = {
  ...cell,
  properties: [
    { property: background('style:table-cell-properties'), wants: (source) => source.type === 'background' },
    { property: letter, wants: is('text') },
  ],
}
const shape = (attribute: string, family: string): StyledKind => ({
  attribute,
  family,
  properties: [
    { property: fill('style:graphic-properties'), wants: is('background', 'shape') },
    { property: stroke, wants: is('border', 'shape') },
  ],
})
/** The fill of a shape that the style of its text declares. */
const shapeText: StyledKind = {
  attribute: 'draw:text-style-name',
  family: 'paragraph',
  properties: [{ property: fill('loext:graphic-properties'), wants: is('background', 'shape') }],
}
const page: StyledKind = {
  attribute: 'draw:style-name',
  family: 'drawing-page',
  properties: [{ property: fill('style:drawing-page-properties'), wants: is('background', 'page') }],
}

/** The kind of a document, which determines how an element can be coloured. */
export type OdfKind = 'text' | 'sheet' | 'slides'

function styledAs({ name, raw }: ElementToken, kind: OdfKind): StyledKind | undefined {
  if (name === 'text:p' || name === 'text:h') return kind === 'sheet' ? undefined : paragraph
  if (name === 'text:span') return span
  if (name === 'table:table-cell') return kind === 'sheet' ? sheetCell : kind === 'text' ? cell : slideCell
  if (name === 'draw:page') return page
  if (!(odfShapes as readonly string[]).includes(name)) return undefined
  return raw.includes(' presentation:style-name=')
    ? shape('presentation:style-name', 'presentation')
    : shape('draw:style-name', 'graphic')
}

/** Cells with a higher repetition count fill the sheet up to its edge. */
const fillerFrom = 500

/** Binds the colours of a part. `prepare` is the format's own preparation of its tokens. */
export function bindOdfColors(
  tokens: readonly Token[],
  kind: OdfKind,
  prepare: (tokens: readonly Token[]) => readonly Token[],
): readonly Token[] {
  const sheet = kind === 'sheet'
  const edits = new Edits()
  // A paragraph of a sheet has no style of its own: its cell has.
  const elements = sheet ? { ...targets, p: ['table:table-cell'] } : targets
  const before = sheet ? 'table:table-cell' : ''
  const colors = findColors(tokens, elements, edits, {
    measured: true,
    before,
    boundaries: kind === 'text' ? odfShapes : [],
  })
  if (colors === undefined) return prepare(tokens)
  const styles = new StyleColors(tokens, colors)
  const defaults = new CellDefaults(tokens, colors)
  const styleMarkers = new MarkerTexts()
  tokens.forEach((token, index) => {
    if (token.kind !== 'open' && token.kind !== 'void') return
    const styled = styledAs(token, kind)
    if (styled === undefined) return
    if (Number(attributeOf(token.raw, 'table:number-columns-repeated')) >= fillerFrom) return
    const styleName = attributeOf(token.raw, styled.attribute)
    const base = styleName ?? (styled.family === 'table-cell' ? defaults.of(index) : undefined)
    const requested = (from: StyledKind) =>
      from.properties.flatMap(({ property, wants }) => {
        const keys = colors.enclosing(index, wants)
        return keys.length === 0 ? [] : [{ property, keys }]
      })
    const properties = requested(styled)
    if (properties.length === 0) return
    const attributes = [styles.attribute(styled, styleName, base, properties)]
    // The style of a shape's text may declare the fill of the shape and takes precedence.
    const text = styled.family === 'graphic' ? attributeOf(token.raw, 'draw:text-style-name') : undefined
    if (text !== undefined && styles.has('paragraph', text, '<loext:graphic-properties'))
      attributes.push(styles.attribute(shapeText, text, text, requested(shapeText)))
    const [first] = attributes
    edits.replace(
      index,
      index + 1,
      sheet
        ? [
            styleMarkers.set(
              token,
              first!.attribute,
              (scope) => first!.write(scope, undefined),
              first!.measure,
            ),
          ]
        : withComputedAttributes(token, colors.lead(index), attributes),
    )
  })
  colors.settle()
  styles.addTo(edits)
  return styleMarkers.fill(prepare(edits.apply(tokens)))
}

/** Styles of cells without a style of their own: the default of their row or column. Source: ODF 1.3 part 3, 19.613. */
class CellDefaults {
  readonly #tokens: readonly Token[]
  readonly #bindings: ColorBindings
  readonly #columns = new Map<
    number,
    readonly { readonly until: number; readonly style: string | undefined }[]
  >()
  readonly #cells = new Map<number, ReadonlyMap<number, number>>()

  constructor(tokens: readonly Token[], colors: ColorBindings) {
    this.#tokens = tokens
    this.#bindings = colors
  }

  of(cell: number): string | undefined {
    const { parent } = this.#bindings
    const row = parent[cell] ?? 0
    const rowStyle = row < 0 ? undefined : attributeOf((this.#tokens[row] as ElementToken).raw, name)
    if (row < 0 || rowStyle !== undefined) return rowStyle
    let table = parent[row] ?? 0
    while (table >= 0 && (this.#tokens[table] as ElementToken).name !== 'table:table')
      table = parent[table] ?? 0
    if (table < 0) return undefined
    let cells = this.#cells.get(row)
    if (cells === undefined) this.#cells.set(row, (cells = this.#counted(row)))
    let columns = this.#columns.get(table)
    if (columns === undefined) this.#columns.set(table, (columns = this.#columnsOf(table)))
    const index = cells.get(cell) ?? 0
    return columns.find(({ until }) => index < until)?.style
  }

  /** Cell -> its column, from 0. */
  #counted(row: number): Map<number, number> {
    const cells = new Map<number, number>()
    let column = 0
    for (
      let index = row + 1;
      index < (this.#bindings.match[row] ?? 0);
      index = Math.max(index, this.#bindings.match[index] ?? 0) + 1
    ) {
      const token = this.#tokens[index]
      if (token === undefined) break
      if ((token.kind !== 'open' && token.kind !== 'void') || !token.name.endsWith('table-cell')) continue
      cells.set(index, column)
      column += repeated(token)
    }
    return cells
  }

  #columnsOf(table: number): { until: number; style: string | undefined }[] {
    const columns: { until: number; style: string | undefined }[] = []
    let until = 0
    for (let index = table + 1; index < (this.#bindings.match[table] ?? 0); index += 1) {
      const token = this.#tokens[index]
      if (token === undefined) break
      if (token.kind !== 'open' && token.kind !== 'void') continue
      if (token.name === 'table:table-row') break
      if (token.name !== 'table:table-column') continue
      until += repeated(token)
      columns.push({ until, style: attributeOf(token.raw, name) })
    }
    return columns
  }
}
const name = 'table:default-cell-style-name'
const repeated = ({ raw }: ElementToken): number =>
  Math.max(1, Math.trunc(Number(attributeOf(raw, 'table:number-columns-repeated'))) || 1)

interface SetProperty {
  readonly property: ColorProperty
  readonly hex: string
}

const odf = 'urn:oasis:names:tc:opendocument:xmlns:'
const namespaces = {
  fo: `${odf}xsl-fo-compatible:1.0`,
  draw: `${odf}drawing:1.0`,
  svg: `${odf}svg-compatible:1.0`,
  style: `${odf}style:1.0`,
  loext: 'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0',
}

interface AddedStyle {
  readonly name: string
  readonly markup: string
}

/** The automatic styles of one part: those of the template, and those that a render adds. */
class StyleColors {
  readonly #tokens: readonly Token[]
  readonly #match: Int32Array
  readonly #key = scopeKey<Map<string, AddedStyle>>('styles for colours')
  readonly #definitions = new Map<string, string>() // family and name -> markup
  readonly #prefix: string
  /** Declarations of the prefixes that the part itself does not declare. */
  readonly #declared: string

  constructor(tokens: readonly Token[], { match }: ColorBindings) {
    const root = tokens.find(({ kind }) => kind === 'open') as ElementToken | undefined
    this.#declared = Object.entries(namespaces)
      .filter(([prefix]) => root?.raw.includes(`xmlns:${prefix}=`) !== true)
      .map(([prefix, name]) => ` xmlns:${prefix}="${name}"`)
      .join('')
    this.#tokens = tokens
    this.#match = match
    let prefix = 'Coloured'
    const isUsed = (name: string) => tokens.some((token) => 'raw' in token && token.raw.includes(`"${name}`))
    while (isUsed(prefix)) prefix += '_'
    this.#prefix = prefix
    tokens.forEach((token, index) => {
      if ((token.kind !== 'open' && token.kind !== 'void') || token.name !== 'style:style') return
      const stop = Math.max(index, match[index] ?? 0) + 1
      const styleTokens = tokens.slice(index, stop)
      if (styleTokens.some((styleToken) => !('raw' in styleToken))) return
      const raw = styleTokens.map((styleToken) => (styleToken as ElementToken).raw).join('')
      this.#definitions.set(`${attributeOf(raw, 'style:family')} ${attributeOf(raw, 'style:name')}`, raw)
    })
  }

  has(family: string, name: string, attributes: string): boolean {
    return this.#definitions.get(`${family} ${name}`)?.includes(attributes) === true
  }

  /** The attribute that refers to a copy of style `base` with the chosen colours, or to `unchanged` when none was chosen. */
  attribute(
    { attribute, family }: StyledKind,
    unchanged: string | undefined,
    base: string | undefined,
    requested: readonly { readonly property: ColorProperty; readonly keys: readonly ScopeKey<string>[] }[],
  ): ComputedAttribute {
    const nameFor = (scope: RenderScope): string | undefined => {
      const properties = requested.flatMap(({ property, keys }) => {
        const hex = chosen(scope, keys)
        return hex === undefined ? [] : [{ property, hex }]
      })
      return properties.length === 0 ? unchanged : this.name(scope, family, base, properties)
    }
    return {
      attribute,
      write: (scope) => {
        const name = nameFor(scope)
        return name === undefined ? '' : ` ${attribute}="${name}"`
      },
      measure: (scope) => void nameFor(scope),
    }
  }

  /** The name of a copy of style `base` with these properties. The style is created at the first call. */
  name(
    scope: RenderScope,
    family: string,
    base: string | undefined,
    properties: readonly SetProperty[],
  ): string {
    const added = this.#addedStyles(scope)
    const id = [
      family,
      base ?? '',
      ...properties.map(({ property, hex }) => `${property.holder}${property.drop[0]}${hex}`),
    ]
    const key = id.join('|')
    const existing = added.get(key)
    if (existing !== undefined) return existing.name
    const name = `${this.#prefix}${added.size + 1}`
    added.set(key, { name, markup: this.#markup(name, family, base, properties) })
    return name
  }

  #addedStyles(scope: RenderScope): Map<string, AddedStyle> {
    return scope.obtain(this.#key, () => new Map())
  }

  #markup(name: string, family: string, base: string | undefined, set: readonly SetProperty[]): string {
    const definition = base === undefined ? undefined : this.#definitions.get(`${family} ${base}`)
    // A style that is not automatic may be a parent.
    const parent = base === undefined ? '' : ` style:parent-style-name="${base}"`
    const style = elementIn(definition ?? `<style:style style:family="${family}"${parent}/>`, 'style:style')
    const otherAttributes = ['style:name', 'style:display-name'].reduce(
      withoutAttribute,
      style?.attributes ?? '',
    )
    const content = set.reduce(
      (properties, { property, hex }) => withProperty(properties, property, hex),
      style?.content ?? '',
    )
    return `<style:style${this.#declared} style:name="${name}"${otherAttributes}>${content}</style:style>`
  }

  /** Inserts the token that writes the new styles. */
  addTo(edits: Edits): void {
    const computed: Token = {
      kind: 'computed',
      offset: 0,
      compute: (scope) => [...this.#addedStyles(scope).values()].map(({ markup }) => markup).join(''),
    }
    const name = 'office:automatic-styles'
    const holder = this.#tokens.findIndex(
      (token) => 'name' in token && token.kind !== 'close' && token.name === name,
    )
    if (holder >= 0 && this.#tokens[holder]!.kind === 'open') {
      edits.insert(this.#match[holder] ?? 0, [computed])
      return
    }
    const following = this.#tokens.findIndex(
      (token) => token.kind === 'open' && /^office:(?:master-styles|body)$/.test(token.name),
    )
    const complete: Token[] = [
      { kind: 'open', name, raw: `<${name}>`, offset: 0 },
      computed,
      { kind: 'close', name, raw: `</${name}>`, offset: 0 },
    ]
    if (holder >= 0) edits.replace(holder, holder + 1, complete)
    else if (following >= 0) edits.insert(following, complete)
  }
}

/** The content of a style with a property set. The element that holds the property is created if necessary. */
function withProperty(
  content: string,
  { set, drop, other: otherHolder, holder }: ColorProperty,
  hex: string,
): string {
  const added = Object.entries(set(hex))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')
  const renamed = otherHolder === undefined ? undefined : elementIn(content, otherHolder)
  const element = renamed ?? elementIn(content, holder)
  if (element !== undefined) {
    const attributes = drop.reduce(withoutAttribute, element.attributes).trimEnd() + added
    return content.slice(0, element.start) + withAttributes(element, attributes) + content.slice(element.end)
  }
  // Text properties come after paragraph and cell properties, and before conditions.
  const isLast = holder === 'style:text-properties'
  const offset = isLast ? (elementIn(content, 'style:map')?.start ?? content.length) : 0
  return `${content.slice(0, offset)}<${holder}${added}/>${content.slice(offset)}`
}
