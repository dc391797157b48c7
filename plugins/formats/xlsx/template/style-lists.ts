/**
 * The lists of the styles part (ECMA-376-1, 18.8): fonts, fills and cell formats. A cell refers to its format, and a
 * format to its font and fill, by index. A new entry is therefore appended, and the others keep their indexes.
 */
import { elementIn, elementsIn, replaceAttribute, withAttributes } from '../../../../shared/xml/elements.ts'

/** The markup of each element of a list, such as of each `xf` in `cellXfs`. */
export function styleList(styles: string, list: string, element: string): string[] {
  const content = elementIn(styles, list)?.content ?? ''
  return Array.from(elementsIn(content, element), ({ start, end }) => content.slice(start, end))
}

/** Returns the part with more elements at the end of a list that has had `before` of them. */
export function withAppended(styles: string, list: string, added: readonly string[], before: number): string {
  const element = added.length === 0 ? undefined : elementIn(styles, list)
  if (element === undefined) return styles
  const extended = { ...element, content: (element.content ?? '') + added.join('') }
  const attributes = replaceAttribute(element.attributes, 'count', String(before + added.length))
  return styles.slice(0, element.start) + withAttributes(extended, attributes) + styles.slice(element.end)
}
