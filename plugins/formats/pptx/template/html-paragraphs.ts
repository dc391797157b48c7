/**
 * Converts blocks of HTML to paragraphs of a text body, with the bullets and numbers of DrawingML. They keep the spacing,
 * tabs and direction of the tag's paragraph, but not its alignment. Source: ECMA-376-1, 21.1.2.2.7 and 21.1.2.4.
 */
import type {
  HtmlBlock,
  HtmlInline,
  HtmlList,
  HtmlParagraph,
} from '../../../../shared/template/html/model.ts'
import { headingInlines, inlinesOf } from '../../../../shared/template/html/plain.ts'
import { attributesOf, elementIn, elementsIn } from '../../../../shared/xml/elements.ts'

/** One paragraph of a text box. */
export interface SlideParagraph {
  readonly properties: string // <a:pPr>, or ''
  readonly inlines: readonly HtmlInline[]
}

const emuPerPixel = 9525
const quoteIndent = 40 * emuPerPixel
const listIndent = 342_900 // the default of new lists in PowerPoint: 0.375 in
/** The deepest level of `a:pPr`, counted from 0. */
const maxLevel = 8
const numberings = {
  decimal: 'arabicPeriod',
  lowerLetter: 'alphaLcPeriod',
  upperLetter: 'alphaUcPeriod',
  lowerRoman: 'romanLcPeriod',
  upperRoman: 'romanUcPeriod',
} as const
const alignments = { left: 'l', center: 'ctr', right: 'r', justify: 'just' } as const
const signs = ['•', '–', '•', '–']

/** The properties that the paragraph of the tag declares. */
interface DeclaredProperties {
  readonly attributes: ReadonlyMap<string, string>
  readonly spacing: string // children before the bullet
  readonly bullet: string
  readonly rest: string // children after it
  readonly left: number // EMU
  readonly level: number
}

interface SlideFlow {
  readonly declared: DeclaredProperties
  readonly left: number
  readonly level: number
  readonly out: SlideParagraph[]
}

/** Converts blocks. `properties` are those of the paragraph that contains the tag, as written. */
export function slideParagraphs(blocks: readonly HtmlBlock[], properties: string): readonly SlideParagraph[] {
  const declared = declaredProperties(properties)
  const flow: SlideFlow = { declared, left: declared.left, level: declared.level, out: [] }
  for (const block of blocks) write(block, flow)
  return flow.out
}

function declaredProperties(written: string): DeclaredProperties {
  const properties = elementIn(written, 'a:pPr')
  const attributes = attributesOf(properties?.attributes ?? '')
  const content = properties?.content ?? ''
  const children = [...elementsIn(content)]
  const of = (isIncluded: (name: string) => boolean) =>
    children
      .filter(({ name }) => isIncluded(name))
      .map(({ start, end }) => content.slice(start, end))
      .join('')
  const isSpacing = (name: string) => /^a:(?:lnSpc|spcBef|spcAft)$/.test(name)
  const isBullet = (name: string) => name.startsWith('a:bu')
  return {
    attributes,
    spacing: of(isSpacing),
    bullet: of(isBullet),
    rest: of((name) => !isSpacing(name) && !isBullet(name)),
    left: Number(attributes.get('marL') ?? 0),
    level: Number(attributes.get('lvl') ?? 0),
  }
}

function write(block: HtmlBlock, flow: SlideFlow): void {
  if (block.kind === 'paragraph') addParagraph(block, flow)
  else if (block.kind === 'list') list(block, { ...flow, left: flow.left + block.quote * quoteIndent })
  else if (block.kind === 'rule')
    flow.out.push({ properties: propertiesOf(flow.declared, {}), inlines: [text('―'.repeat(20))] })
  else
    for (const row of block.rows)
      flow.out.push({
        properties: propertiesOf(flow.declared, {}),
        inlines: row
          .filter(({ covered }) => !covered)
          .flatMap((cell, at) => [...(at === 0 ? [] : [text('\t')]), ...inlinesOf(cell.blocks)]),
      })
}

const text = (value: string): HtmlInline => ({ kind: 'text', text: value, style: {} })

/** Adds a paragraph like that of the tag, with its bullet if it has one. */
function addParagraph(block: HtmlParagraph, { declared, left, out }: SlideFlow): void {
  const indent = block.quote * quoteIndent + Math.round((block.indent ?? 0) * emuPerPixel)
  out.push({
    properties: propertiesOf(declared, {
      ...paragraphAttributes(block),
      ...(indent === 0 ? {} : { marL: left + indent, indent: 0 }),
    }),
    inlines: headingInlines(block),
  })
}

function list({ marker, start, items }: HtmlList, outer: SlideFlow): void {
  const { declared, out } = outer
  const level = outer.level + (outer.left === declared.left ? 0 : 1)
  const left = outer.left + listIndent
  const inner: SlideFlow = { ...outer, left, level }
  let number = start
  let counted = start // the start of the current numbering; any interruption would restart it
  for (const { unmarked, blocks } of items) {
    const [first, ...following] = blocks
    const lead = first?.kind === 'paragraph' ? first : undefined
    const bulletMarkup = unmarked
      ? '<a:buNone/>'
      : marker === 'bullet'
        ? `<a:buFont typeface="Arial"/><a:buChar char="${signs[level % signs.length]}"/>`
        : `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="${numberings[marker]}"${counted === 1 ? '' : ` startAt="${counted}"`}/>`
    const attributes = { marL: left, indent: unmarked ? 0 : -listIndent, lvl: Math.min(maxLevel, level) }
    out.push({
      properties: propertiesOf(declared, { ...paragraphAttributes(lead), ...attributes }, bulletMarkup),
      inlines: lead === undefined ? [] : headingInlines(lead),
    })
    if (!unmarked) number += 1
    for (const block of lead === undefined ? blocks : following) {
      if (block.kind === 'paragraph') {
        const more = { ...paragraphAttributes(block), ...attributes, indent: 0 }
        out.push({ properties: propertiesOf(declared, more, '<a:buNone/>'), inlines: headingInlines(block) })
      } else write(block, inner)
      if (block.kind !== 'list') counted = number
    }
    if (unmarked) counted = number
  }
}

type RunAttributes = Readonly<Record<string, string | number>>

const paragraphAttributes = (block: HtmlParagraph | undefined): RunAttributes => ({
  ...(block?.align === undefined ? {} : { algn: alignments[block.align] }),
  ...(block?.rtl === undefined ? {} : { rtl: 1 }),
})

function propertiesOf(
  declared: DeclaredProperties,
  runAttributes: RunAttributes,
  bullet = declared.bullet,
): string {
  const attributes = new Map<string, string | number>(
    [...declared.attributes].filter(([name]) => name !== 'algn'),
  )
  for (const [name, value] of Object.entries(runAttributes)) attributes.set(name, value)
  if (attributes.get('lvl') === 0) attributes.delete('lvl')
  const written = [...attributes].map(([name, value]) => ` ${name}="${value}"`).join('')
  const children = declared.spacing + bullet + declared.rest
  if (children === '') return written === '' ? '' : `<a:pPr${written}/>`
  return `<a:pPr${written}>${children}</a:pPr>`
}
