/** References to placeholders, and how one is found on a layout or master (ECMA-376-1 19.3.1.36). */
import type { XmlCursor } from '../../../shared/xml/cursor.ts'

/** A reference to a placeholder: p:ph. */
export interface PlaceholderName {
  readonly type: string
  readonly index: string
}

/** Reads p:ph at the cursor. */
export const readPlaceholderName = (cursor: XmlCursor): PlaceholderName => ({
  type: cursor.attribute('type') ?? 'obj',
  index: cursor.attribute('idx') ?? '',
})

export const isTitle = (type: string): boolean => type === 'title' || type === 'ctrTitle'

/** Types of placeholders that inherit from the body placeholder of the master (19.7.10). */
export const contentTypes: ReadonlySet<string> = new Set([
  'obj',
  'subTitle',
  'chart',
  'tbl',
  'clipArt',
  'dgm',
  'media',
  'pic',
])

/** The placeholder that a name refers to: the title, or the one with the index, or else the first of the type. */
export function placeholderNamed<T extends PlaceholderName>(
  placeholders: readonly T[],
  { type, index }: PlaceholderName,
): T | undefined {
  if (isTitle(type)) return placeholders.find((placeholder) => isTitle(placeholder.type))
  const indexed = index === '' ? undefined : placeholders.find((placeholder) => placeholder.index === index)
  return indexed ?? placeholders.find((placeholder) => placeholder.type === type)
}
