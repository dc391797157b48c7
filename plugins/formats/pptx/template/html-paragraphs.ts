/**
 * Blocks of HTML as paragraphs of a text body, with the bullets and numbers of DrawingML. What the paragraph of the tag
 * says of spacing, tabs and direction goes on; its side does not. Source: ECMA-376-1, 21.1.2.2.7 and 21.1.2.4.
 */
import type { Block, HtmlList, HtmlParagraph, Inline } from '../../../../shared/template/html/model.ts'
import { headingInlines, inlinesOf } from '../../../../shared/template/html/plain.ts'

export interface SlideParagraph {
  readonly properties: string // <a:pPr>, or nothing
  readonly inlines: readonly Inline[]
}

const emuPerPixel = 9525
const quoteIndent = 40 * emuPerPixel
const listIndent = 342_900 // as new lists have it in PowerPoint: 0.375 in
const deepest = 8
const numberings = {
  decimal: 'arabicPeriod',
  lowerLetter: 'alphaLcPeriod',
  upperLetter: 'alphaUcPeriod',
  lowerRoman: 'romanLcPeriod',
  upperRoman: 'romanUcPeriod',
} as const
const sides = { left: 'l', center: 'ctr', right: 'r', justify: 'just' } as const
const signs = ['•', '–', '•', '–']

/** What the paragraph of the tag has. */
interface Own {
  readonly attributes: ReadonlyMap<string, string>
  readonly spacing: string // children before the bullet
  readonly bullet: string
  readonly rest: string // children behind it
  readonly left: number // EMU
  readonly level: number
}

interface Flow {
  readonly own: Own
  readonly left: number
  readonly level: number
  readonly out: SlideParagraph[]
}

/** `properties`: of the paragraph that the tag stands in, as written. */
export function slideParagraphs(blocks: readonly Block[], properties: string): readonly SlideParagraph[] {
  const own = ownOf(properties)
  const flow: Flow = { own, left: own.left, level: own.level, out: [] }
  for (const block of blocks) write(block, flow)
  return flow.out
}

function ownOf(written: string): Own {
  const [, said = '', inside = ''] = /^<a:pPr\b([^>]*?)(?:\/>|>(.*)<\/a:pPr>)/s.exec(written) ?? []
  const attributes = new Map(
    [...said.matchAll(/\s([\w:]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const children = [...inside.matchAll(/<(a:\w+)\b(?:[^>"]|"[^"]*")*?(?:\/>|>.*?<\/\1>)/gs)]
  const of = (wanted: (name: string) => boolean) =>
    children
      .filter(([, name = '']) => wanted(name))
      .map(([whole]) => whole)
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

function write(block: Block, flow: Flow): void {
  if (block.kind === 'paragraph') plain(block, flow)
  else if (block.kind === 'list') list(block, { ...flow, left: flow.left + block.quote * quoteIndent })
  else if (block.kind === 'rule')
    flow.out.push({ properties: propertiesOf(flow.own, {}), inlines: [text('―'.repeat(20))] })
  else
    for (const row of block.rows)
      flow.out.push({
        properties: propertiesOf(flow.own, {}),
        inlines: row
          .filter(({ covered }) => !covered)
          .flatMap((cell, at) => [...(at === 0 ? [] : [text('\t')]), ...inlinesOf(cell.blocks)]),
      })
}

const text = (value: string): Inline => ({ kind: 'text', text: value, style: {} })

/** A paragraph as that of the tag: with its bullet, if it has one. */
function plain(block: HtmlParagraph, { own, left, out }: Flow): void {
  const indent = block.quote * quoteIndent + Math.round((block.indent ?? 0) * emuPerPixel)
  out.push({
    properties: propertiesOf(own, {
      ...lookOf(block),
      ...(indent === 0 ? {} : { marL: left + indent, indent: 0 }),
    }),
    inlines: headingInlines(block),
  })
}

function list({ marker, start, items }: HtmlList, outer: Flow): void {
  const { own, out } = outer
  const level = outer.level + (outer.left === own.left ? 0 : 1)
  const left = outer.left + listIndent
  const inner: Flow = { ...outer, left, level }
  let number = start
  let counted = start // where the row of numbers began: what interrupts it would begin it anew
  for (const { unmarked, blocks } of items) {
    const [first, ...others] = blocks
    const lead = first?.kind === 'paragraph' ? first : undefined
    const mark = unmarked
      ? '<a:buNone/>'
      : marker === 'bullet'
        ? `<a:buFont typeface="Arial"/><a:buChar char="${signs[level % signs.length]}"/>`
        : `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="${numberings[marker]}"${counted === 1 ? '' : ` startAt="${counted}"`}/>`
    const attributes = { marL: left, indent: unmarked ? 0 : -listIndent, lvl: Math.min(deepest, level) }
    out.push({
      properties: propertiesOf(own, { ...lookOf(lead), ...attributes }, mark),
      inlines: lead === undefined ? [] : headingInlines(lead),
    })
    if (!unmarked) number += 1
    for (const block of lead === undefined ? blocks : others) {
      if (block.kind === 'paragraph') {
        const more = { ...lookOf(block), ...attributes, indent: 0 }
        out.push({ properties: propertiesOf(own, more, '<a:buNone/>'), inlines: headingInlines(block) })
      } else write(block, inner)
      if (block.kind !== 'list') counted = number
    }
    if (unmarked) counted = number
  }
}

type Look = Readonly<Record<string, string | number>>

const lookOf = (block: HtmlParagraph | undefined): Look => ({
  ...(block?.align === undefined ? {} : { algn: sides[block.align] }),
  ...(block?.rtl === undefined ? {} : { rtl: 1 }),
})

function propertiesOf(own: Own, look: Look, bullet = own.bullet): string {
  const attributes = new Map<string, string | number>([...own.attributes].filter(([name]) => name !== 'algn'))
  for (const [name, value] of Object.entries(look)) attributes.set(name, value)
  if (attributes.get('lvl') === 0) attributes.delete('lvl')
  const written = [...attributes].map(([name, value]) => ` ${name}="${value}"`).join('')
  const children = own.spacing + bullet + own.rest
  if (children === '') return written === '' ? '' : `<a:pPr${written}/>`
  return `<a:pPr${written}>${children}</a:pPr>`
}
