/**
 * The styles that HTML needs in an OpenDocument part. Styles precede the text that uses them, so the text is written
 * once in the measuring pass, which records the styles that it requests. Source: ODF 1.3 part 3, clauses 16 to 20.
 */

import { readLength } from '../../template/html/css.ts'
import type { HtmlBorder, HtmlSides, InlineStyle, ListMarker } from '../../template/html/model.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'
import { attributeOf, attributesOf, contentOf, elementIn, elementsIn } from '../../xml/elements.ts'
import { escapeAttribute } from '../../xml/markup.ts'

/** Finds the styles of a document by name. */
export interface NamedStyles {
  /** The internal name of a common style, given its name or its display name; undefined when there is none. */
  common(family: string, name: string): string | undefined
  /** The display names of the common styles of a family. */
  names(family: string): readonly string[]
  /** The markup of an automatic style of the part. */
  automatic(name: string): string | undefined
}

/** The paragraph properties that HTML determines. */
export interface ParagraphChanges {
  readonly style: string // of the paragraph of the tag; '' for none
  readonly indent: number // cm, added to that of the style
  readonly list?: true // the list decides the indent
  readonly align?: string
  readonly background?: string
  readonly borders?: HtmlSides<HtmlBorder>
  readonly breakBefore?: boolean
  readonly breakAfter?: boolean
  readonly heading?: number
  readonly rule?: true
  readonly rtl?: true
  /** No space above or below, as in a cell whose padding separates the text from the borders. */
  readonly flushTop?: true
  readonly flushBottom?: true
}

/** Name of a part -> the styles that HTML in it needs, by their properties. */
const key =
  scopeKey<Map<string, Map<string, { readonly name: string; readonly markup: string }>>>('styles for HTML')

/** Collects the styles of one part. Equal ones are written once. */
export class OdfStyles {
  readonly #part: string
  readonly #named: NamedStyles
  readonly #prefix: string
  readonly #onSlides: boolean

  constructor(
    part: string,
    { named, prefix, onSlides }: { named: NamedStyles; prefix: string; onSlides: boolean },
  ) {
    this.#part = part
    this.#named = named
    this.#prefix = prefix
    this.#onSlides = onSlides
  }

  /** The markup of all styles requested so far. */
  written(scope: RenderScope): string {
    return [...this.#stylesOf(scope).values()].map(({ markup }) => markup).join('')
  }

  text(scope: RenderScope, style: InlineStyle, isLink: boolean): string | undefined {
    const properties = textProperties(style, isLink)
    if (properties === '') return undefined
    return this.#style(scope, `text ${properties}`, (name) => {
      return `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`
    })
  }

  paragraph(scope: RenderScope, changes: ParagraphChanges): string {
    return this.#style(scope, `paragraph ${JSON.stringify(changes)}`, (name) =>
      this.#paragraph(name, changes),
    )
  }

  list(scope: RenderScope, marker: ListMarker | 'none', indent: number): string {
    return this.#style(scope, `list ${marker} ${indent}`, (name) =>
      listStyle(name, marker, levelIndents(indent, this.#onSlides)),
    )
  }

  /** `family`: table, table-column, table-cell. */
  table(scope: RenderScope, family: string, content: string): string {
    return this.#style(scope, `${family} ${content}`, (name) => {
      return `<style:style style:name="${name}" style:family="${family}">${content}</style:style>`
    })
  }

  #stylesOf(scope: RenderScope): Map<string, { readonly name: string; readonly markup: string }> {
    const parts = scope.obtain(key, () => new Map())
    let partStyles = parts.get(this.#part)
    if (partStyles === undefined) parts.set(this.#part, (partStyles = new Map()))
    return partStyles
  }

  #style(scope: RenderScope, description: string, markup: (name: string) => string): string {
    const added = this.#stylesOf(scope)
    const existing = added.get(description)
    if (existing !== undefined) return existing.name
    const name = `${this.#prefix}${added.size + 1}`
    added.set(description, { name, markup: markup(name) })
    return name
  }

  /** A style based on that of the tag's paragraph, with the changes that HTML makes. */
  #paragraph(name: string, changes: ParagraphChanges): string {
    const automatic = this.#named.automatic(changes.style)
    const parent =
      automatic === undefined ? changes.style : (attributeOf(automatic, 'style:parent-style-name') ?? '')
    const children = contentOf(automatic ?? '') ?? ''
    const declared = elementIn(children, 'style:paragraph-properties')
    const childMarkup = declared?.content ?? ''
    const ofText = elementIn(children, 'style:text-properties')
    const text = ofText === undefined ? '' : children.slice(ofText.start, ofText.end)
    const hasSameProperties = changes.heading === undefined && changes.rule === undefined
    const attributes = hasSameProperties
      ? attributesOf(declared?.attributes ?? '')
      : new Map<string, string>()
    for (const removedAttribute of [
      'fo:text-align',
      'fo:break-before',
      'fo:break-after',
      'style:page-number',
      'style:justify-single-word',
    ])
      attributes.delete(removedAttribute)
    if (changes.list)
      for (const removedAttribute of ['fo:margin-left', 'fo:text-indent', 'fo:margin'])
        attributes.delete(removedAttribute)
    const indent = changes.indent + (Number.parseFloat(attributes.get('fo:margin-left') ?? '0') || 0)
    if (changes.indent !== 0) {
      attributes.set('fo:margin-left', `${indent.toFixed(3)}cm`)
      attributes.set('fo:text-indent', '0cm')
      attributes.set('style:auto-text-indent', 'false')
    }
    if (changes.rtl) {
      attributes.set('style:writing-mode', 'rl-tb')
      attributes.set('fo:text-align', 'right')
    }
    if (changes.align !== undefined) attributes.set('fo:text-align', changes.align)
    if (changes.background !== undefined) attributes.set('fo:background-color', `#${changes.background}`)
    for (const [side, line] of Object.entries(changes.borders ?? {})) {
      attributes.set(`fo:border-${side}`, borderOf(line))
      attributes.set(`fo:padding-${side}`, '0.05cm')
    }
    if (changes.breakBefore === true) attributes.set('fo:break-before', 'page')
    if (changes.breakAfter === true) attributes.set('fo:break-after', 'page')
    let ofRuns = changes.heading === undefined && changes.rule === undefined ? text : ''
    if (changes.rule) {
      attributes.set('fo:border-bottom', '0.5pt solid #000000')
      attributes.set('fo:margin-top', '0cm')
      attributes.set('fo:margin-bottom', '0.21cm')
      ofRuns =
        '<style:text-properties fo:font-size="6pt" style:font-size-asian="6pt" style:font-size-complex="6pt"/>'
    }
    if (changes.heading !== undefined) {
      const size = headingSizes[changes.heading - 1]
      attributes.set('fo:keep-with-next', 'always')
      attributes.set('fo:margin-top', '0.42cm')
      attributes.set('fo:margin-bottom', '0.14cm')
      ofRuns = `<style:text-properties fo:font-size="${size}pt" fo:font-weight="bold"/>`
    }
    if (changes.flushTop) attributes.set('fo:margin-top', '0cm')
    if (changes.flushBottom) attributes.set('fo:margin-bottom', '0cm')
    const attributeText = [...attributes].map(([attribute, value]) => ` ${attribute}="${value}"`).join('')
    const properties =
      attributeText === '' && childMarkup === ''
        ? ''
        : `<style:paragraph-properties${attributeText}>${childMarkup}</style:paragraph-properties>`
    const from = parent === '' ? '' : ` style:parent-style-name="${parent}"`
    return `<style:style style:name="${name}" style:family="paragraph"${from}>${properties}${ofRuns}</style:style>`
  }
}

const pointsPerPixel = 72 / 96

/** A double border is at least three times as wide as each of its strokes. */
export function borderOf(border: HtmlBorder | undefined): string {
  if (border === undefined) return 'none'
  const { style, width, color = '000000' } = border
  const points = Math.max(width * pointsPerPixel, style === 'double' ? 1.5 : 0.05)
  return `${Number(points.toFixed(2))}pt ${style} #${color}`
}

/** The font sizes of headings by level, in points. */
const headingSizes = [18, 15, 13, 12, 11, 11]

function textProperties(style: InlineStyle, isLink: boolean): string {
  const names: string[] = []
  const three = (name: string, value: string) => {
    const [prefix, localName = ''] = name.split(':')
    names.push(
      `${prefix}:${localName}="${value}" style:${localName}-asian="${value}" style:${localName}-complex="${value}"`,
    )
  }
  if (style.bold !== undefined) three('fo:font-weight', style.bold ? 'bold' : 'normal')
  if (style.italic !== undefined) three('fo:font-style', style.italic ? 'italic' : 'normal')
  if (style.underline === false) names.push('style:text-underline-style="none"')
  else if (style.underline === true || isLink)
    names.push(
      'style:text-underline-style="solid" style:text-underline-width="auto" style:text-underline-color="font-color"',
    )
  if (style.strike === true)
    names.push('style:text-line-through-style="solid" style:text-line-through-type="single"')
  if (style.position !== undefined)
    names.push(`style:text-position="${style.position === 'sup' ? 'super' : 'sub'} 58%"`)
  if (style.code === true)
    names.push('fo:font-family="\'Courier New\'" style:font-family-generic="modern" style:font-pitch="fixed"')
  if (style.font !== undefined) {
    const family = escapeAttribute(`'${style.font}'`)
    const fonts = `fo:font-family="${family}" style:font-family-asian="${family}" style:font-family-complex="${family}"`
    if (style.code === true) names.pop()
    names.push(fonts)
  }
  if (style.size !== undefined) three('fo:font-size', `${style.size}pt`)
  const color = style.color ?? (isLink && style.underline !== false ? '0563C1' : undefined)
  if (color !== undefined) names.push(`fo:color="#${color}"`)
  const background = style.background ?? (style.highlighted === true ? 'FFFF00' : undefined)
  if (background !== undefined) names.push(`fo:background-color="#${background}"`)
  return names.join(' ')
}

const formats: Readonly<Record<Exclude<ListMarker, 'bullet'>, string>> = {
  decimal: '1',
  lowerLetter: 'a',
  upperLetter: 'A',
  lowerRoman: 'i',
  upperRoman: 'I',
}
const bullets = ['•', '◦', '▪'] as const
/** Additional indent of each list level, in cm. */
export const listStep = 1.27
const hanging = 0.635

/** The positions of marker and text on each level. On slides, LibreOffice ignores label alignment and draws markers small without a size. */
function levelIndents(indent: number, onSlides: boolean): readonly string[] {
  return Array.from({ length: 10 }, (_, level) => {
    const leftMargin = indent + listStep * (level + 1)
    if (onSlides)
      return `<style:list-level-properties text:space-before="${(leftMargin - listStep).toFixed(3)}cm" text:min-label-width="${hanging}cm"/><style:text-properties fo:font-size="100%"/>`
    const end = `${leftMargin.toFixed(3)}cm`
    return `<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="${end}" fo:text-indent="-${hanging}cm" fo:margin-left="${end}"/></style:list-level-properties>`
  })
}

function listStyle(name: string, marker: ListMarker | 'none', indents: readonly string[]): string {
  const levels = indents.map((indent, level) => {
    if (marker === 'bullet')
      return `<text:list-level-style-bullet text:level="${level + 1}" text:bullet-char="${bullets[level % bullets.length]}">${indent}</text:list-level-style-bullet>`
    const format =
      marker === 'none' ? 'style:num-format=""' : `style:num-suffix="." style:num-format="${formats[marker]}"`
    return `<text:list-level-style-number text:level="${level + 1}" ${format}>${indent}</text:list-level-style-number>`
  })
  return `<text:list-style style:name="${name}">${levels.join('')}</text:list-style>`
}

const defaultTextWidth = 17 // cm, of a page with usual margins
const cmPerPixel = 2.54 / 96

/** The width of the text on pages of the first master, in cm. `styles` is the text of styles.xml. Source: ODF 1.3 part 3, 16.5 and 16.9. */
export function textWidthOf(styles: string): number {
  const masters = elementIn(styles, 'office:master-styles')?.content ?? ''
  const layout = attributeOf(
    elementIn(masters, 'style:master-page')?.attributes ?? '',
    'style:page-layout-name',
  )
  for (const { attributes, content = '' } of elementsIn(styles, 'style:page-layout')) {
    if (attributeOf(attributes, 'style:name') !== layout) continue
    const page = attributesOf(elementIn(content, 'style:page-layout-properties')?.attributes ?? '')
    const length = (name: string, short = '') => readLength(page.get(name) ?? page.get(short) ?? '') ?? 0
    const margins = length('fo:margin-left', 'fo:margin') + length('fo:margin-right', 'fo:margin')
    const width = (length('fo:page-width') - margins) * cmPerPixel
    if (width >= minTextWidth) return width
  }
  return defaultTextWidth
}
const minTextWidth = 2 // cm; a narrower text area is an error in the template

/** The styles of a document by name. `styles` is the text of styles.xml, `part` that of the part itself. */
export function namedStyles(styles: string, part: string): NamedStyles {
  const common = new Map<string, string>()
  const shown: { readonly family: string; readonly name: string }[] = []
  const region = elementIn(styles, 'office:styles')?.content ?? ''
  for (const { attributes } of elementsIn(region, 'style:style')) {
    const name = attributeOf(attributes, 'style:name')
    if (name === undefined) continue
    const family = attributeOf(attributes, 'style:family') ?? ''
    common.set(`${family} ${decodedName(name)}`, name)
    const displayName = attributeOf(attributes, 'style:display-name')
    if (displayName !== undefined) common.set(`${family} ${decodedName(displayName)}`, name)
    shown.push({ family, name: displayName ?? name })
  }
  const definitions = new Map<string, string>()
  const automatic = elementIn(part, 'office:automatic-styles')?.content ?? ''
  for (const { attributes, start, end } of elementsIn(automatic, 'style:style'))
    definitions.set(attributeOf(attributes, 'style:name') ?? '', automatic.slice(start, end))
  return {
    common: (family, name) => common.get(`${family} ${decodedName(name)}`),
    names: (family) => shown.flatMap((style) => (style.family === family ? [style.name] : [])),
    automatic: (name) => definitions.get(name),
  }
}

/** 'Intense_20_Quote', 'Intense Quote' and 'intensequote' denote the same style. */
const decodedName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_20_', '')
    .replace(/[\s_-]/g, '')
