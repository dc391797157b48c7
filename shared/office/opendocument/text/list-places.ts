import type { Level } from '../../../document/numbering.ts'
import type { Indent, ListPosition } from '../../../document/properties.ts'
import { integer } from '../values.ts'
import { mediaOf, type OdfPartContext } from './part-context.ts'
import type { OpenStyle, OpenStyles } from './styles.ts'

/** An open text:list: the state that its items share. */
interface OpenList {
  /** Id in Document.numbering; '' until a style is known. */
  id: string
  /** Name of its list style. */
  style: string | undefined
  readonly level: number
}

/** State of a list item while its paragraphs are read. */
export interface ListItem {
  readonly list: OpenList
  /** Number at which the item restarts the list. */
  restart?: number
  /** Whether the next paragraph is the first one, which carries the label. */
  first: boolean
}

/**
 * Opens a text:list (ODF 1.3 part 3, 5.3.1), on which the cursor stands. A list without a style inside
 * another one continues that list at the next level.
 */
export function openList(part: OdfPartContext, outer: ListItem | undefined): OpenList {
  const { cursor } = part
  const style = cursor.attribute('text:style-name')
  const level = outer === undefined ? 0 : Math.min(8, outer.list.level + 1)
  if (outer !== undefined && style === undefined) return { id: outer.list.id, style: outer.list.style, level }
  const id = style === undefined ? undefined : register(part, style)
  return { id: id ?? outer?.list.id ?? '', style, level }
}

/**
 * Registers a list with the given style and returns its id; undefined when there is no such style.
 * text:continue-list and text:continue-numbering share the counters of an earlier list.
 */
function register(part: OdfPartContext, name: string): string | undefined {
  const { cursor, shared, styles, scope } = part
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
  const xmlId = cursor.attribute('xml:id')
  if (xmlId !== undefined) shared.byListId.set(xmlId, id)
  return id
}

/** Opens a text:list-item or text:list-header; a header has no label. The cursor stands on it. */
export function openItem(part: OdfPartContext, list: OpenList, name: string): ListItem {
  return {
    list,
    first: name === 'text:list-item',
    restart: integer(part.cursor.attribute('text:start-value')),
  }
}

/**
 * Opens a text:numbered-paragraph (5.3.6), on which the cursor stands. Those with the same list, or else with the same list
 * style, count together.
 */
export function openNumbered(part: OdfPartContext): ListItem {
  const { cursor, shared } = part
  const style = cursor.attribute('text:style-name')
  const key = `numbered ${cursor.attribute('text:list-id') ?? style ?? ''}`
  const id = shared.lastList.get(key) ?? (style === undefined ? undefined : register(part, style))
  if (id !== undefined) shared.lastList.set(key, id)
  const level = Math.max(0, Math.min(8, (integer(cursor.attribute('text:level')) ?? 1) - 1))
  return {
    list: { id: id ?? '', style, level },
    first: true,
    restart: integer(cursor.attribute('text:start-value')),
  }
}

/**
 * The list used when no style is known. Observed in LibreOffice: it shows bullets, and each level is indented
 * by another quarter of an inch.
 */
function defaultList({ shared }: OdfPartContext): string {
  const id = 'plain'
  if (!shared.lists.has(id))
    shared.lists.set(id, { counters: id, levels: Array.from({ length: 10 }, defaultLevel) })
  return id
}

const defaultLevel = (_: unknown, index: number): Level => ({
  start: 1,
  format: 'bullet',
  text: '\u2022',
  suffix: 'tab',
  align: 'left',
  legal: false,
  paragraph: { indent: { start: 36 + 18 * index, first: -18 } },
  run: {},
})

/** Returns the list position of the next paragraph of an item, and marks the label as used. */
export function listPosition(part: OdfPartContext, item: ListItem): ListPosition | undefined {
  const { list } = item
  if (list.id === '') list.id = defaultList(part)
  const { id, level } = list
  const position: ListPosition = item.first
    ? { list: id, level, restart: item.restart }
    : { list: id, level, unnumbered: true }
  item.first = false
  item.restart = undefined
  return position
}

/** The list style of a paragraph style or of the nearest style it is based on; undefined for none. */
function listStyleOf(styles: OpenStyles, style: OpenStyle | undefined): string | undefined {
  for (const ancestor of styles.chain(style))
    if (ancestor.listStyle !== undefined) return ancestor.listStyle || undefined
  return undefined
}

/**
 * Returns the indent of a list paragraph that overrides the indent of its list level. Observed in
 * LibreOffice: that of the paragraph itself does, and, if the list is the one of the paragraph's style, also
 * one set by the style that names the list or by a style derived from it.
 */
export function indentInList(
  styles: OpenStyles,
  style: OpenStyle | undefined,
  item: ListItem,
): Indent | undefined {
  const chain = styles.chain(style)
  const ofStyle = listStyleOf(styles, style) === item.list.style
  for (const [index, ancestor] of chain.entries()) {
    if (ancestor.paragraph.indent !== undefined && (ancestor.automatic || ofStyle))
      return completeIndent(chain.slice(index))
    if (!ancestor.automatic && !ofStyle) return undefined
    if (ancestor.listStyle !== undefined) return undefined
  }
  return undefined
}

/** The indent set on the paragraph itself, which overrides that of any list. */
export function directIndent(styles: OpenStyles, style: OpenStyle | undefined): Indent | undefined {
  const hasIndent = style?.automatic === true && style.paragraph.indent !== undefined
  return hasIndent ? completeIndent(styles.chain(style)) : undefined
}

/** Completes an indent: its three parts apply together, and missing ones come from the parent styles. */
function completeIndent(chain: readonly OpenStyle[]): Indent {
  const find = (side: keyof Indent): number =>
    chain.find(({ paragraph }) => paragraph.indent?.[side] !== undefined)?.paragraph.indent?.[side] ?? 0
  return { start: find('start'), end: find('end'), first: find('first') }
}
