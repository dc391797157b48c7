import type { Level } from '../../../../shared/document/numbering.ts'
import type { Indent, ListPlace } from '../../../../shared/document/properties.ts'
import { mediaOf, type Story } from './story.ts'
import type { OpenStyle, OpenStyles } from './styles.ts'
import { integer } from './values.ts'

/** A text:list: what its items share. */
interface OpenList {
  /** The numbering in the model; '' while no style is known. */
  id: string
  /** The name of its list style. */
  style: string | undefined
  readonly level: number
}

/** An item while its paragraphs are read. */
export interface ListItem {
  readonly list: OpenList
  restart?: number
  /** Its first paragraph, which has the label, is still to come. */
  first: boolean
}

/** text:list (ODF 1.3 part 3, 5.3.1). The cursor stands on it. */
export function openList(story: Story, outer: ListItem | undefined): OpenList {
  const { cursor } = story
  const style = cursor.attribute('text:style-name')
  const level = outer === undefined ? 0 : Math.min(8, outer.list.level + 1)
  if (outer !== undefined && style === undefined) return { id: outer.list.id, style: outer.list.style, level }
  const id = style === undefined ? undefined : register(story, style)
  return { id: id ?? outer?.list.id ?? '', style, level }
}

/** A new list of a style, which goes on counting where it says so; undefined when there is no such style. */
function register(story: Story, name: string): string | undefined {
  const { cursor, shared, styles, scope } = story
  const style = styles.lists.get(`${scope}/${name}`) ?? styles.lists.get(name)
  if (style === undefined) return undefined
  const continued = cursor.attribute('text:continue-list')
  const goesOn = cursor.attribute('text:continue-numbering') === 'true'
  const last = goesOn ? shared.lastList.get(name) : undefined
  const before = continued === undefined ? last : shared.byListId.get(continued)
  const id = `list${shared.lists.size + 1}`
  const counters = (before === undefined ? undefined : shared.lists.get(before)?.counters) ?? id
  shared.lists.set(id, { counters, levels: style.levels })
  for (const { picture } of style.levels) if (picture !== undefined) mediaOf(shared, picture)
  shared.lastList.set(name, id)
  const own = cursor.attribute('xml:id')
  if (own !== undefined) shared.byListId.set(own, id)
  return id
}

export function openItem(story: Story, list: OpenList, name: string): ListItem {
  return {
    list,
    first: name === 'text:list-item',
    restart: integer(story.cursor.attribute('text:start-value')),
  }
}

/** Observed in LibreOffice: a list of no known style shows bullets, each level a quarter of an inch further in. */
function plainList({ shared }: Story): string {
  const id = 'plain'
  if (!shared.lists.has(id))
    shared.lists.set(id, { counters: id, levels: Array.from({ length: 10 }, plainLevel) })
  return id
}

const plainLevel = (_: unknown, index: number): Level => ({
  start: 1,
  format: 'bullet',
  text: '\u2022',
  suffix: 'tab',
  align: 'left',
  legal: false,
  paragraph: { indent: { start: 36 + 18 * index, first: -18 } },
  run: {},
})

/** Where a paragraph stands in its list. */
export function placeInList(story: Story, item: ListItem): ListPlace | undefined {
  const { list } = item
  if (list.id === '') list.id = plainList(story)
  const { id, level } = list
  const place: ListPlace = item.first
    ? { list: id, level, restart: item.restart }
    : { list: id, level, unnumbered: true }
  item.first = false
  item.restart = undefined
  return place
}

/** The list style that a paragraph style or those it is based on name. */
function listStyleOf(styles: OpenStyles, style: OpenStyle | undefined): string | undefined {
  for (const one of styles.chain(style)) if (one.listStyle !== undefined) return one.listStyle || undefined
  return undefined
}

/**
 * The indent of a paragraph in a list where its own wins over that of the level: said by itself, or, when the list is
 * the one of its style, by a style below or beside the one that names the list (observed in LibreOffice).
 */
export function indentInList(
  styles: OpenStyles,
  style: OpenStyle | undefined,
  item: ListItem,
): Indent | undefined {
  const chain = styles.chain(style)
  const ofStyle = listStyleOf(styles, style) === item.list.style
  for (const [index, one] of chain.entries()) {
    if (one.paragraph.indent !== undefined && (one.automatic || ofStyle))
      return wholeIndent(chain.slice(index))
    if (!one.automatic && !ofStyle) return undefined
    if (one.listStyle !== undefined) return undefined
  }
  return undefined
}

/** The indent that a paragraph itself says; it wins over that of any list. */
export function ownIndent(styles: OpenStyles, style: OpenStyle | undefined): Indent | undefined {
  const own = style?.automatic === true && style.paragraph.indent !== undefined
  return own ? wholeIndent(styles.chain(style)) : undefined
}

/** The three parts of an indent are said as one: what is missing comes from the styles below. */
function wholeIndent(chain: readonly OpenStyle[]): Indent {
  const find = (side: keyof Indent): number =>
    chain.find(({ paragraph }) => paragraph.indent?.[side] !== undefined)?.paragraph.indent?.[side] ?? 0
  return { start: find('start'), end: find('end'), first: find('first') }
}
