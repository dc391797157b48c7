import type { Link } from '../../../../shared/document/properties.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { OdfPartContext } from '../../../../shared/office/opendocument/text/part-context.ts'
import type { OpenStyle } from '../../../../shared/office/opendocument/text/styles.ts'
import type { AttributeGetter } from '../../../../shared/office/opendocument/values.ts'
import type { TextCascade } from './text-cascade.ts'

/** The state of reading the shapes of a page. */
export interface PageReading {
  readonly part: OdfPartContext
  readonly cascade: TextCascade
  /** Slides by the names that links refer to, in order. */
  readonly anchors: ReadonlyMap<string, string>
  /** The index of the page among the slides, which the actions 'next-page' and 'previous-page' are relative to. */
  readonly index: number
  /** Whether the height of lines depends on the size of their text alone, in the last text that does not shrink. */
  readonly lines: { ignoreFont: boolean }
  /** The number of shapes that may still be read. */
  readonly budget: { shapes: number }
  /** Called with the text of a title. */
  readonly onTitle?: (text: string) => void
}

/** Counts a shape. Throws AppError 'convert.document' if the presentation has too many. */
export function spendShape({ budget }: PageReading): void {
  if (--budget.shapes < 0) throw refused('it has too many shapes')
}

/** The error for a presentation that cannot be read; `because` is a clause. */
export const refused = (because: string): AppError =>
  new AppError('convert.document', { engine: 'The reader', from: 'odp', because })

/** The style of the shape at the cursor, followed by its parent styles (ODF 1.3 part 3, 19.219, 19.421). */
export function stylesHere({ cursor, styles, scope }: OdfPartContext): readonly OpenStyle[] {
  const ofPresentation = cursor.attribute('presentation:style-name')
  const style =
    ofPresentation === undefined
      ? styles.find(scope, 'graphic', cursor.attribute('draw:style-name'))
      : styles.find(scope, 'presentation', ofPresentation)
  return styles.chain(style)
}

/** Returns a function that looks up attributes in a chain of styles, and finally in the default style of shapes. */
export const getterOf =
  ({ styles }: OdfPartContext, chain: readonly OpenStyle[]): AttributeGetter =>
  (name) =>
    chain.find(({ attributes }) => attributes.has(name))?.attributes.get(name) ??
    styles.defaultGraphic?.attributes.get(name)

/** The target of a link: a slide by its name, or an address. */
export function linkTo({ anchors }: PageReading, href: string): Link | undefined {
  if (!href.startsWith('#')) return href === '' ? undefined : { href }
  const anchor = anchors.get(href.slice(1))
  return anchor === undefined ? undefined : { anchor }
}

const jumps: Readonly<Record<string, (at: number, count: number) => number>> = {
  'next-page': (at) => at + 1,
  'previous-page': (at) => at - 1,
  'first-page': () => 0,
  'last-page': (_, count) => count - 1,
}

/** Reads office:event-listeners at the cursor: the action of a click on a shape (ODF 1.3 part 3, 10.9). */
export function readAction(reading: PageReading): Link | undefined {
  const { cursor } = reading.part
  let link: Link | undefined
  cursor.each((name) => {
    if (name !== 'presentation:event-listener') return
    const action = cursor.attribute('presentation:action') ?? ''
    const pages = [...reading.anchors.values()]
    const to = entryOf(jumps, action)?.(reading.index, pages.length)
    const anchor = to === undefined ? undefined : pages[to]
    link ??= anchor === undefined ? linkTo(reading, cursor.attribute('xlink:href') ?? '') : { anchor }
  })
  return link
}
