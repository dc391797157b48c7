import type { ListPosition } from '../../../document/properties.ts'
import { integer, isTrue } from '../values.ts'
import type { OdfPartContext } from './part-context.ts'
import type { OpenStyle, OpenStyles } from './styles.ts'

/**
 * Returns the level of a heading, from 1; undefined for other paragraphs. Observed in LibreOffice: paragraphs
 * of the style that represents an outline level are headings, too. The cursor stands on the paragraph.
 */
export function headingLevel(
  { cursor, styles }: OdfPartContext,
  heading: boolean,
  style: OpenStyle | undefined,
): number | undefined {
  if (heading) return Math.max(1, Math.min(10, integer(cursor.attribute('text:outline-level')) ?? 1))
  const named = styles.chain(style).find((ancestor) => !ancestor.automatic)
  const level = named?.outlineLevel
  if (level === undefined || level < 1 || level > 10) return undefined
  return outlineLevelStyles(styles).get(level) === named ? level : undefined
}

/**
 * The style of a heading that names none: that of its level as LibreOffice names it, where the document has it (measured in
 * LibreOffice). The cursor stands on the heading.
 */
export function styleOfHeading(part: OdfPartContext): string | undefined {
  const { styles, scope } = part
  const name = `Heading_20_${headingLevel(part, true, undefined)}`
  return styles.find(scope, 'paragraph', name) === undefined ? undefined : name
}

/**
 * Returns the position of a heading in the outline numbering of the document; undefined when it is not
 * numbered. `listed`: the heading is in a list of the outline style, so that its paragraph style cannot
 * exclude it. The cursor stands on the heading.
 */
export function outlinePosition(
  part: OdfPartContext,
  level: number | undefined,
  style: OpenStyle | undefined,
  listed: boolean,
): ListPosition | undefined {
  const { cursor, shared, styles } = part
  const { outline } = styles
  if (level === undefined || outline === undefined || part.scope !== 'c') return undefined
  if (!listed && leavesOutline(styles, style)) return undefined
  const format = outline.levels[level - 1]
  if (format === undefined || (format.format === 'none' && format.text === '')) return undefined
  if (!shared.lists.has('outline'))
    shared.lists.set('outline', { counters: 'outline', levels: outline.levels })
  const position = { list: 'outline', level: level - 1 }
  if (isTrue(cursor.attribute('text:is-list-header')) === true) return { ...position, unnumbered: true }
  if (isTrue(cursor.attribute('text:restart-numbering')) !== true) return position
  return { ...position, restart: integer(cursor.attribute('text:start-value')) ?? 1 }
}

/**
 * Whether a style is excluded from outline numbering. Observed in LibreOffice: that is the case when it names
 * another list or an empty one, or is only derived from the style of a level.
 */
function leavesOutline(styles: OpenStyles, style: OpenStyle | undefined): boolean {
  const chain = styles.chain(style)
  const list = chain.find(({ listStyle }) => listStyle !== undefined)?.listStyle
  if (list !== undefined && list !== 'Outline') return true
  const named = chain.filter((ancestor) => !ancestor.automatic)
  const at = named.findIndex(({ outlineLevel }) => outlineLevel !== undefined)
  return at > 0
}

/** Cache of `outlineLevelStyles` by document. */
const outlineStyles = new WeakMap<OpenStyles, Map<number, OpenStyle>>()

/** The first style of each outline level represents it. */
function outlineLevelStyles(styles: OpenStyles): ReadonlyMap<number, OpenStyle> {
  let styleByLevel = outlineStyles.get(styles)
  if (styleByLevel !== undefined) return styleByLevel
  outlineStyles.set(styles, (styleByLevel = new Map()))
  for (const style of styles.styles.values()) {
    const { automatic, outlineLevel: level } = style
    if (!automatic && level !== undefined && !styleByLevel.has(level)) styleByLevel.set(level, style)
  }
  return styleByLevel
}
