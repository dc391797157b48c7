/** The styles of the text in OpenDocument, each distinct one once. Source: ODF 1.3 part 3, 17 and 20. */
import { entryOf } from '../../../shared/entry-of.ts'
import { escapeAttribute } from '../../../shared/xml/markup.ts'
import type { Idml } from './document.ts'
import { short } from './geometry.ts'
import { languageOf } from './languages.ts'
import { type IdmlTabStop, tabStops } from './properties.ts'
import type { StoryParagraph } from './story.ts'
import type { StoryStyle } from './story-style.ts'
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

export class IdmlOdfStyles {
  readonly #document: Idml
  readonly #byKey = new Map<string, { readonly name: string; readonly xml: string }>()

  constructor(document: Idml) {
    this.#document = document
  }

  xml(): string {
    return [...this.#byKey.values()].map(({ xml }) => xml).join('')
  }

  /** Returns the name of a style of this family with these inner elements. */
  style(family: string, inside: string, parent?: string): string {
    const key = `${family} ${parent} ${inside}`
    const existing = this.#byKey.get(key)
    if (existing !== undefined) return existing.name
    const name = `${family[0]?.toUpperCase()}${this.#byKey.size + 1}`
    this.#byKey.set(key, {
      name,
      xml: `<style:style style:name="${name}" style:family="${family}"${parent === undefined ? '' : ` style:parent-style-name="${parent}"`}>${inside}</style:style>`,
    })
    return name
  }

  /** `labelled`: the text follows a bullet or a number and a tab. */
  paragraph(paragraph: StoryParagraph, labelled = false): string {
    const inside = this.#paragraphProperties(paragraph, labelled) + this.#textProperties(paragraph.formatting)
    return this.style('paragraph', inside)
  }

  text(formatting: StoryStyle): string {
    return this.style('text', this.#textProperties(formatting))
  }

  #paragraphProperties({ formatting, inlines, breakBefore }: StoryParagraph, labelled: boolean): string {
    const justification = formatting.get('Justification') ?? 'LeftAlign'
    const lastLine = entryOf(lastLines, justification)
    // Lines with inline pictures are as high as the pictures.
    const grows = inlines.some(({ kind }) => kind === 'object')
    const leading = inlines.reduce(
      (max, inline) => (inline.kind === 'text' ? Math.max(max, inline.formatting.leading) : max),
      inlines.length === 0 ? formatting.leading : 0,
    )
    const attributes = [
      `fo:text-align="${entryOf(alignments, justification) ?? 'left'}"`,
      lastLine === undefined ? '' : `fo:text-align-last="${lastLine}"`,
      `fo:margin-left="${pt(formatting.number('LeftIndent'))}"`,
      `fo:margin-right="${pt(formatting.number('RightIndent'))}"`,
      `fo:text-indent="${pt(formatting.number('FirstLineIndent'))}"`,
      `fo:margin-top="${pt(formatting.number('SpaceBefore'))}"`,
      `fo:margin-bottom="${pt(formatting.number('SpaceAfter'))}"`,
      `${grows ? 'style:line-height-at-least' : 'fo:line-height'}="${pt(leading)}"`,
      'style:register-true="false" fo:orphans="0" fo:widows="0"',
      formatting.number('KeepWithNext') > 0 ? 'fo:keep-with-next="always"' : '',
      formatting.is('KeepAllLinesTogether') ? 'fo:keep-together="always"' : '',
      breakBefore === undefined ? '' : `fo:break-before="${breakBefore}"`,
      formatting.get('ParagraphDirection') === 'RightToLeftDirection' ? 'style:writing-mode="rl-tb"' : '',
      this.#shading(formatting),
      this.#rule(formatting, 'Above', 'top'),
      this.#rule(formatting, 'Below', 'bottom'),
    ]
    const lines = formatting.number('DropCapLines')
    const letters = formatting.number('DropCapCharacters')
    const dropCap =
      lines > 1 && letters > 0 ? `<style:drop-cap style:lines="${lines}" style:length="${letters}"/>` : ''
    return `<style:paragraph-properties ${joined(attributes)}>${tabStopElements(formatting, labelled)}${dropCap}</style:paragraph-properties>`
  }

  #shading(formatting: StoryStyle): string {
    if (!formatting.is('ParagraphShadingOn')) return ''
    const color = this.#document.swatches.color(
      formatting.get('ParagraphShadingColor'),
      formatting.number('ParagraphShadingTint', -1),
    )
    return color === undefined ? '' : `fo:background-color="#${color}"`
  }

  #rule(formatting: StoryStyle, edge: string, side: string): string {
    if (!formatting.is(`Rule${edge}`)) return ''
    const named = formatting.get(`Rule${edge}Color`)
    const swatch = named === 'Text Color' ? formatting.get('FillColor') : named
    const color = this.#document.swatches.color(swatch, formatting.number(`Rule${edge}Tint`, -1)) ?? '000000'
    const gap = Math.max(0, formatting.number(`Rule${edge}Offset`))
    return `fo:border-${side}="${pt(formatting.number(`Rule${edge}LineWeight`, 1))} solid #${color}" fo:padding-${side}="${pt(gap)}"`
  }

  #textProperties(formatting: StoryStyle): string {
    const { size } = formatting
    const style = formatting.get('FontStyle') ?? ''
    const color = this.#document.swatches.color(
      formatting.get('FillColor'),
      formatting.number('FillTint', -1),
    )
    const tracking = formatting.number('Tracking')
    const family = (formatting.get('AppliedFont') ?? '').replace(/ \((?:TT|OTF|T1)\)$/, '')
    const language = languageOf(formatting.get('AppliedLanguage'))
    const capitals = formatting.get('Capitalization')
    const scale = formatting.number('HorizontalScale', 100)
    const bold = /bold|black|heavy/i.test(style)
    const italic = /italic|oblique|kursiv/i.test(style)
    const forAllScripts = (name: string, value: string) =>
      ['', '-asian', '-complex'].map((script) => `${prefixOf(name, script)}${script}="${value}"`).join(' ')
    const attributes = [
      forAllScripts('font-size', pt(size)),
      family === ''
        ? ''
        : `fo:font-family="${escapeAttribute(quoted(family))}" style:font-family-asian="${escapeAttribute(quoted(family))}" style:font-family-complex="${escapeAttribute(quoted(family))}"`,
      forAllScripts('font-weight', bold ? 'bold' : 'normal'),
      forAllScripts('font-style', italic ? 'italic' : 'normal'),
      color === undefined ? '' : `fo:color="#${color}"`,
      tracking === 0 ? '' : `fo:letter-spacing="${pt((tracking / 1000) * size)}"`,
      capitals === 'AllCaps' ? 'fo:text-transform="uppercase"' : '',
      capitals === 'SmallCaps' || capitals === 'CapToSmallCap' ? 'fo:font-variant="small-caps"' : '',
      formatting.is('Underline')
        ? 'style:text-underline-style="solid" style:text-underline-width="auto" style:text-underline-color="font-color"'
        : '',
      formatting.is('StrikeThru')
        ? 'style:text-line-through-style="solid" style:text-line-through-type="single"'
        : '',
      textPosition(formatting),
      scale === 100 || scale <= 0 ? '' : `style:text-scale="${short(scale)}%"`,
      language === undefined ? '' : `fo:language="${language[0]}" fo:country="${language[1] ?? 'none'}"`,
      `fo:hyphenate="${formatting.is('Hyphenation')}" fo:hyphenation-remain-char-count="${Math.max(2, formatting.number('HyphenateAfterFirst', 2))}" fo:hyphenation-push-char-count="${Math.max(2, formatting.number('HyphenateBeforeLast', 2))}"`,
    ]
    return `<style:text-properties ${joined(attributes)}/>`
  }
}

const joined = (attributes: readonly string[]) => attributes.filter((each) => each !== '').join(' ')
const quoted = (family: string) => (/[\s,']/.test(family) ? `'${family.replaceAll("'", '')}'` : family)
const prefixOf = (name: string, script: string) => `${script === '' ? 'fo' : 'style'}:${name}`

function textPosition(formatting: StoryStyle): string {
  const declared = formatting.get('Position')
  if (declared === 'Superscript' || declared === 'OTSuperscript') return 'style:text-position="33% 58%"'
  if (declared === 'Subscript' || declared === 'OTSubscript') return 'style:text-position="-33% 58%"'
  const shift = formatting.number('BaselineShift')
  const percent = Math.max(-100, Math.min(100, Math.round((shift / formatting.size) * 100)))
  return percent === 0 ? '' : `style:text-position="${percent}% 100%"`
}

const maxStops = 100

function tabStopElements(formatting: StoryStyle, labelled: boolean): string {
  const list = JSON.parse(formatting.get(tabStops) ?? '[]') as readonly IdmlTabStop[]
  // The text after a label begins at the indent.
  const indent = labelled ? ['<style:tab-stop style:position="0pt"/>'] : []
  if (list.length === 0 && !labelled) return ''
  const left = formatting.number('LeftIndent')
  const all = list.slice(0, maxStops).map(({ position: at, alignment, leader }) => {
    const type = entryOf(tabTypes, alignment)
    const kind = type === undefined ? '' : ` style:type="${type}"${type === 'char' ? ' style:char="."' : ''}`
    const leaderAttributes =
      leader.trim() === ''
        ? ''
        : ` style:leader-style="dotted" style:leader-text="${escapeAttribute([...leader][0] ?? '.')}"`
    // ODF measures tab stops from the indent, InDesign from the edge of the frame.
    return `<style:tab-stop style:position="${pt(numberOf(String(at), 0) - left)}"${kind}${leaderAttributes}/>`
  })
  return `<style:tab-stops>${[...indent, ...all].join('')}</style:tab-stops>`
}
