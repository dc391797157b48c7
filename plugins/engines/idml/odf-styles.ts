/** Styles of the text as ODF has them, each look once. Source: ODF 1.3 part 3, 17 and 20. */
import { escapeAttribute } from '../../../shared/office/markup.ts'
import type { Idml } from './document.ts'
import { short } from './geometry.ts'
import { languageOf } from './languages.ts'
import type { Look } from './look.ts'
import { type TabStop, tabStops } from './properties.ts'
import type { Paragraph } from './story.ts'
import { numberOf } from './tree.ts'

const pt = (value: number): string => `${short(value)}pt`

const alignments: Readonly<Record<string, string>> = {
  LeftAlign: 'left',
  CenterAlign: 'center',
  RightAlign: 'end',
  LeftJustified: 'justify',
  CenterJustified: 'justify',
  RightJustified: 'justify',
  FullyJustified: 'justify',
  ToBindingSide: 'left',
  AwayFromBindingSide: 'end',
}
const lastLines: Readonly<Record<string, string>> = {
  CenterJustified: 'center',
  FullyJustified: 'justify',
}
const tabTypes: Readonly<Record<string, string>> = {
  CenterAlign: 'center',
  RightAlign: 'right',
  CharacterAlign: 'char',
}

export class OdfStyles {
  readonly #document: Idml
  readonly #made = new Map<string, { readonly name: string; readonly xml: string }>()

  constructor(document: Idml) {
    this.#document = document
  }

  xml(): string {
    return [...this.#made.values()].map(({ xml }) => xml).join('')
  }

  /** The name of a style of this family with these inner elements. */
  style(family: string, inside: string, parent?: string): string {
    const key = `${family} ${parent} ${inside}`
    const known = this.#made.get(key)
    if (known !== undefined) return known.name
    const name = `${family[0]?.toUpperCase()}${this.#made.size + 1}`
    this.#made.set(key, {
      name,
      xml: `<style:style style:name="${name}" style:family="${family}"${parent === undefined ? '' : ` style:parent-style-name="${parent}"`}>${inside}</style:style>`,
    })
    return name
  }

  /** `labelled`: a bullet or a number and a tab stand before its text. */
  paragraph(paragraph: Paragraph, labelled = false): string {
    const inside = this.#paragraphProperties(paragraph, labelled) + this.#textProperties(paragraph.look)
    return this.style('paragraph', inside)
  }

  text(look: Look): string {
    return this.style('text', this.#textProperties(look))
  }

  #paragraphProperties({ look, pieces, breakBefore }: Paragraph, labelled: boolean): string {
    const justification = look.get('Justification') ?? 'LeftAlign'
    const last = lastLines[justification]
    // Lines with pictures in them are as high as these.
    const grows = pieces.some(({ kind }) => kind === 'object')
    const leading = pieces.reduce(
      (most, piece) => (piece.kind === 'text' ? Math.max(most, piece.look.leading) : most),
      pieces.length === 0 ? look.leading : 0,
    )
    const attributes = [
      `fo:text-align="${alignments[justification] ?? 'left'}"`,
      last === undefined ? '' : `fo:text-align-last="${last}"`,
      `fo:margin-left="${pt(look.number('LeftIndent'))}"`,
      `fo:margin-right="${pt(look.number('RightIndent'))}"`,
      `fo:text-indent="${pt(look.number('FirstLineIndent'))}"`,
      `fo:margin-top="${pt(look.number('SpaceBefore'))}"`,
      `fo:margin-bottom="${pt(look.number('SpaceAfter'))}"`,
      `${grows ? 'style:line-height-at-least' : 'fo:line-height'}="${pt(leading)}"`,
      'style:register-true="false" fo:orphans="0" fo:widows="0"',
      look.number('KeepWithNext') > 0 ? 'fo:keep-with-next="always"' : '',
      look.is('KeepAllLinesTogether') ? 'fo:keep-together="always"' : '',
      breakBefore === undefined ? '' : `fo:break-before="${breakBefore}"`,
      look.get('ParagraphDirection') === 'RightToLeftDirection' ? 'style:writing-mode="rl-tb"' : '',
      this.#shading(look),
      this.#rule(look, 'Above', 'top'),
      this.#rule(look, 'Below', 'bottom'),
    ]
    const lines = look.number('DropCapLines')
    const letters = look.number('DropCapCharacters')
    const dropCap =
      lines > 1 && letters > 0 ? `<style:drop-cap style:lines="${lines}" style:length="${letters}"/>` : ''
    return `<style:paragraph-properties ${joined(attributes)}>${stops(look, labelled)}${dropCap}</style:paragraph-properties>`
  }

  #shading(look: Look): string {
    if (!look.is('ParagraphShadingOn')) return ''
    const color = this.#document.swatches.color(
      look.get('ParagraphShadingColor'),
      look.number('ParagraphShadingTint', -1),
    )
    return color === undefined ? '' : `fo:background-color="#${color}"`
  }

  #rule(look: Look, which: string, side: string): string {
    if (!look.is(`Rule${which}`)) return ''
    const named = look.get(`Rule${which}Color`)
    const swatch = named === 'Text Color' ? look.get('FillColor') : named
    const color = this.#document.swatches.color(swatch, look.number(`Rule${which}Tint`, -1)) ?? '000000'
    const gap = Math.max(0, look.number(`Rule${which}Offset`))
    return `fo:border-${side}="${pt(look.number(`Rule${which}LineWeight`, 1))} solid #${color}" fo:padding-${side}="${pt(gap)}"`
  }

  #textProperties(look: Look): string {
    const { size } = look
    const style = look.get('FontStyle') ?? ''
    const color = this.#document.swatches.color(look.get('FillColor'), look.number('FillTint', -1))
    const tracking = look.number('Tracking')
    const family = (look.get('AppliedFont') ?? '').replace(/ \((?:TT|OTF|T1)\)$/, '')
    const language = languageOf(look.get('AppliedLanguage'))
    const capitals = look.get('Capitalization')
    const scale = look.number('HorizontalScale', 100)
    const bold = /bold|black|heavy/i.test(style)
    const italic = /italic|oblique|kursiv/i.test(style)
    const both = (name: string, value: string) =>
      ['', '-asian', '-complex'].map((script) => `${prefixOf(name, script)}${script}="${value}"`).join(' ')
    const attributes = [
      both('font-size', pt(size)),
      family === ''
        ? ''
        : `fo:font-family="${escapeAttribute(quoted(family))}" style:font-family-asian="${escapeAttribute(quoted(family))}" style:font-family-complex="${escapeAttribute(quoted(family))}"`,
      both('font-weight', bold ? 'bold' : 'normal'),
      both('font-style', italic ? 'italic' : 'normal'),
      color === undefined ? '' : `fo:color="#${color}"`,
      tracking === 0 ? '' : `fo:letter-spacing="${pt((tracking / 1000) * size)}"`,
      capitals === 'AllCaps' ? 'fo:text-transform="uppercase"' : '',
      capitals === 'SmallCaps' || capitals === 'CapToSmallCap' ? 'fo:font-variant="small-caps"' : '',
      look.is('Underline')
        ? 'style:text-underline-style="solid" style:text-underline-width="auto" style:text-underline-color="font-color"'
        : '',
      look.is('StrikeThru')
        ? 'style:text-line-through-style="solid" style:text-line-through-type="single"'
        : '',
      position(look),
      scale === 100 || scale <= 0 ? '' : `style:text-scale="${short(scale)}%"`,
      language === undefined ? '' : `fo:language="${language[0]}" fo:country="${language[1] ?? 'none'}"`,
      `fo:hyphenate="${look.is('Hyphenation')}" fo:hyphenation-remain-char-count="${Math.max(2, look.number('HyphenateAfterFirst', 2))}" fo:hyphenation-push-char-count="${Math.max(2, look.number('HyphenateBeforeLast', 2))}"`,
    ]
    return `<style:text-properties ${joined(attributes)}/>`
  }
}

const joined = (attributes: readonly string[]) => attributes.filter((each) => each !== '').join(' ')
const quoted = (family: string) => (/[\s,']/.test(family) ? `'${family.replaceAll("'", '')}'` : family)
const prefixOf = (name: string, script: string) => `${script === '' ? 'fo' : 'style'}:${name}`

function position(look: Look): string {
  const placed = look.get('Position')
  if (placed === 'Superscript' || placed === 'OTSuperscript') return 'style:text-position="33% 58%"'
  if (placed === 'Subscript' || placed === 'OTSubscript') return 'style:text-position="-33% 58%"'
  const shift = look.number('BaselineShift')
  const percent = Math.max(-100, Math.min(100, Math.round((shift / look.size) * 100)))
  return percent === 0 ? '' : `style:text-position="${percent}% 100%"`
}

const mostStops = 100

function stops(look: Look, labelled: boolean): string {
  const list = JSON.parse(look.get(tabStops) ?? '[]') as readonly TabStop[]
  // The text behind a label begins at the indent.
  const indent = labelled ? ['<style:tab-stop style:position="0pt"/>'] : []
  if (list.length === 0 && !labelled) return ''
  const left = look.number('LeftIndent')
  const all = list.slice(0, mostStops).map(({ position: at, alignment, leader }) => {
    const type = tabTypes[alignment]
    const kind = type === undefined ? '' : ` style:type="${type}"${type === 'char' ? ' style:char="."' : ''}`
    const lead =
      leader.trim() === ''
        ? ''
        : ` style:leader-style="dotted" style:leader-text="${escapeAttribute([...leader][0] ?? '.')}"`
    // ODF counts from the indent, InDesign from the edge of the frame.
    return `<style:tab-stop style:position="${pt(numberOf(String(at), 0) - left)}"${kind}${lead}/>`
  })
  return `<style:tab-stops>${[...indent, ...all].join('')}</style:tab-stops>`
}
