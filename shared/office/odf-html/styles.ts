/**
 * The styles that HTML needs in an OpenDocument part. They stand before the text that uses them, so the text is made
 * once before anything is written, and the styles it asked for are remembered. Source: ODF 1.3 part 3, clauses 16 to 20.
 */

import type { InlineStyle, ListMarker } from '../../template/html/model.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'

/** The styles of a document as far as they are known by name. */
export interface NamedStyles {
  /** The name of a common style from its name or from how people see it; undefined when there is none such. */
  common(family: string, name: string): string | undefined
  /** The markup of an automatic style of the part. */
  automatic(name: string): string | undefined
}

export interface ParagraphLook {
  readonly style: string // of the paragraph the tag stood in; '' for none
  readonly indent: number // cm
  readonly list?: true // its list says how far it stands in
  readonly align?: string
  readonly background?: string
  readonly breakBefore?: boolean
  readonly breakAfter?: boolean
  readonly heading?: number
  readonly rule?: true
  readonly rtl?: true
}

/** Part -> the styles that HTML in it needs, by what they say. */
const key =
  scopeKey<Map<string, Map<string, { readonly name: string; readonly markup: string }>>>('styles for HTML')

/** One row of styles for each part of a render. */
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

  /** All that was asked for so far. */
  written(scope: RenderScope): string {
    return [...this.#made(scope).values()].map(({ markup }) => markup).join('')
  }

  text(scope: RenderScope, style: InlineStyle, isLink: boolean): string | undefined {
    const properties = textProperties(style, isLink)
    if (properties === '') return undefined
    return this.#style(scope, `text ${properties}`, (name) => {
      return `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`
    })
  }

  paragraph(scope: RenderScope, look: ParagraphLook): string {
    return this.#style(scope, `paragraph ${JSON.stringify(look)}`, (name) => this.#paragraph(name, look))
  }

  list(scope: RenderScope, marker: ListMarker | 'none', indent: number): string {
    return this.#style(scope, `list ${marker} ${indent}`, (name) =>
      listStyle(name, marker, levelPlaces(indent, this.#onSlides)),
    )
  }

  /** `family`: table, table-column, table-cell. */
  table(scope: RenderScope, family: string, content: string): string {
    return this.#style(scope, `${family} ${content}`, (name) => {
      return `<style:style style:name="${name}" style:family="${family}">${content}</style:style>`
    })
  }

  #made(scope: RenderScope): Map<string, { readonly name: string; readonly markup: string }> {
    const parts = scope.obtain(key, () => new Map())
    let made = parts.get(this.#part)
    if (made === undefined) parts.set(this.#part, (made = new Map()))
    return made
  }

  #style(scope: RenderScope, what: string, markup: (name: string) => string): string {
    const made = this.#made(scope)
    const known = made.get(what)
    if (known !== undefined) return known.name
    const name = `${this.#prefix}${made.size + 1}`
    made.set(what, { name, markup: markup(name) })
    return name
  }

  /** A style like that of the tag's paragraph, but for what the text says otherwise. */
  #paragraph(name: string, look: ParagraphLook): string {
    const own = this.#named.automatic(look.style)
    const parent = own === undefined ? look.style : (attributeOf(own, 'style:parent-style-name') ?? '')
    const known = own === undefined ? '' : (/<style:paragraph-properties\b([^>]*?)\/?>/.exec(own)?.[1] ?? '')
    const inside =
      own === undefined
        ? ''
        : (/<style:paragraph-properties\b[^>]*[^/]>(.*?)<\/style:paragraph-properties>/s.exec(own)?.[1] ?? '')
    const text =
      own === undefined
        ? ''
        : (/<style:text-properties\b.*?(?:\/>|<\/style:text-properties>)/s.exec(own)?.[0] ?? '')
    const attributes = new Map<string, string>()
    if (look.heading === undefined && look.rule === undefined)
      for (const [, attribute = '', value = ''] of known.matchAll(/\s([\w:-]+)="([^"]*)"/g))
        attributes.set(attribute, value)
    for (const gone of [
      'fo:text-align',
      'fo:break-before',
      'fo:break-after',
      'style:page-number',
      'style:justify-single-word',
    ])
      attributes.delete(gone)
    if (look.list)
      for (const gone of ['fo:margin-left', 'fo:text-indent', 'fo:margin']) attributes.delete(gone)
    const indent = look.indent + (Number.parseFloat(attributes.get('fo:margin-left') ?? '0') || 0)
    if (look.indent !== 0) {
      attributes.set('fo:margin-left', `${indent.toFixed(3)}cm`)
      attributes.set('fo:text-indent', '0cm')
      attributes.set('style:auto-text-indent', 'false')
    }
    if (look.rtl) {
      attributes.set('style:writing-mode', 'rl-tb')
      attributes.set('fo:text-align', 'right')
    }
    if (look.align !== undefined) attributes.set('fo:text-align', look.align)
    if (look.background !== undefined) attributes.set('fo:background-color', `#${look.background}`)
    if (look.breakBefore === true) attributes.set('fo:break-before', 'page')
    if (look.breakAfter === true) attributes.set('fo:break-after', 'page')
    let looks = look.heading === undefined && look.rule === undefined ? text : ''
    if (look.rule) {
      attributes.set('fo:border-bottom', '0.5pt solid #000000')
      attributes.set('fo:margin-top', '0cm')
      attributes.set('fo:margin-bottom', '0.21cm')
      looks =
        '<style:text-properties fo:font-size="6pt" style:font-size-asian="6pt" style:font-size-complex="6pt"/>'
    }
    if (look.heading !== undefined) {
      const size = headingSizes[look.heading - 1]
      attributes.set('fo:keep-with-next', 'always')
      attributes.set('fo:margin-top', '0.42cm')
      attributes.set('fo:margin-bottom', '0.14cm')
      looks = `<style:text-properties fo:font-size="${size}pt" fo:font-weight="bold"/>`
    }
    const said = [...attributes].map(([attribute, value]) => ` ${attribute}="${value}"`).join('')
    const properties =
      said === '' && inside === ''
        ? ''
        : `<style:paragraph-properties${said}>${inside}</style:paragraph-properties>`
    const from = parent === '' ? '' : ` style:parent-style-name="${parent}"`
    return `<style:style style:name="${name}" style:family="paragraph"${from}>${properties}${looks}</style:style>`
  }
}

const headingSizes = [18, 15, 13, 12, 11, 11]

const attributeOf = (markup: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(markup.slice(0, markup.indexOf('>')))?.[1]

function textProperties(style: InlineStyle, isLink: boolean): string {
  const out: string[] = []
  const three = (name: string, value: string) => {
    const [prefix, rest = ''] = name.split(':')
    out.push(`${prefix}:${rest}="${value}" style:${rest}-asian="${value}" style:${rest}-complex="${value}"`)
  }
  if (style.bold !== undefined) three('fo:font-weight', style.bold ? 'bold' : 'normal')
  if (style.italic !== undefined) three('fo:font-style', style.italic ? 'italic' : 'normal')
  if (style.underline === false) out.push('style:text-underline-style="none"')
  else if (style.underline === true || isLink)
    out.push(
      'style:text-underline-style="solid" style:text-underline-width="auto" style:text-underline-color="font-color"',
    )
  if (style.strike === true)
    out.push('style:text-line-through-style="solid" style:text-line-through-type="single"')
  if (style.position !== undefined)
    out.push(`style:text-position="${style.position === 'sup' ? 'super' : 'sub'} 58%"`)
  if (style.code === true)
    out.push('fo:font-family="\'Courier New\'" style:font-family-generic="modern" style:font-pitch="fixed"')
  const color = style.color ?? (isLink && style.underline !== false ? '0563C1' : undefined)
  if (color !== undefined) out.push(`fo:color="#${color}"`)
  const background = style.background ?? (style.mark === true ? 'FFFF00' : undefined)
  if (background !== undefined) out.push(`fo:background-color="#${background}"`)
  return out.join(' ')
}

const formats: Readonly<Record<Exclude<ListMarker, 'bullet'>, string>> = {
  decimal: '1',
  lowerLetter: 'a',
  upperLetter: 'A',
  lowerRoman: 'i',
  upperRoman: 'I',
}
const bullets = ['•', '◦', '▪'] as const
/** How much further each level of a list stands in, in cm. */
export const listStep = 1.27
const hanging = 0.635

/** Where marks and text of each level stand. Slides know no label alignment and draw marks small without a size. */
function levelPlaces(indent: number, onSlides: boolean): readonly string[] {
  return Array.from({ length: 10 }, (_, at) => {
    const left = indent + listStep * (at + 1)
    if (onSlides)
      return `<style:list-level-properties text:space-before="${(left - listStep).toFixed(3)}cm" text:min-label-width="${hanging}cm"/><style:text-properties fo:font-size="100%"/>`
    const end = `${left.toFixed(3)}cm`
    return `<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="${end}" fo:text-indent="-${hanging}cm" fo:margin-left="${end}"/></style:list-level-properties>`
  })
}

function listStyle(name: string, marker: ListMarker | 'none', places: readonly string[]): string {
  const levels = places.map((place, at) => {
    if (marker === 'bullet')
      return `<text:list-level-style-bullet text:level="${at + 1}" text:bullet-char="${bullets[at % bullets.length]}">${place}</text:list-level-style-bullet>`
    const format =
      marker === 'none' ? 'style:num-format=""' : `style:num-suffix="." style:num-format="${formats[marker]}"`
    return `<text:list-level-style-number text:level="${at + 1}" ${format}>${place}</text:list-level-style-number>`
  })
  return `<text:list-style style:name="${name}">${levels.join('')}</text:list-style>`
}

/** What a document calls its styles. `styles` is the text of styles.xml, `part` that of the part itself. */
export function namedStyles(styles: string, part: string): NamedStyles {
  const common = new Map<string, string>()
  const region = /<office:styles\b[^>]*>(.*?)<\/office:styles>/s.exec(styles)?.[1] ?? ''
  for (const [, attributes = ''] of region.matchAll(/<style:style\s([^>]*)>/g)) {
    const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1]
    const name = value('style:name')
    if (name === undefined) continue
    const family = value('style:family') ?? ''
    common.set(`${family} ${plain(name)}`, name)
    const shown = value('style:display-name')
    if (shown !== undefined) common.set(`${family} ${plain(shown)}`, name)
  }
  const own = new Map<string, string>()
  const automatic = /<office:automatic-styles\b[^>]*>(.*?)<\/office:automatic-styles>/s.exec(part)?.[1] ?? ''
  for (const [whole, name = ''] of automatic.matchAll(
    /<style:style\s[^>]*?style:name="([^"]*)"[^>]*?(?:\/>|>.*?<\/style:style>)/gs,
  ))
    own.set(name, whole)
  return {
    common: (family, name) => common.get(`${family} ${plain(name)}`),
    automatic: (name) => own.get(name),
  }
}

/** 'Intense_20_Quote', 'Intense Quote' and 'intensequote' are the same to people. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_20_', '')
    .replace(/[\s_-]/g, '')
