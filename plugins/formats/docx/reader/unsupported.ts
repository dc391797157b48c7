import { warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { attributeOf, tagsIn } from '../../../../shared/xml/elements.ts'
import type { ReaderContext } from './part-context.ts'

interface Unsupported {
  readonly elements: readonly string[]
  /** Whether a start tag of these elements asks for it; absent: each does. */
  readonly isSet?: (tag: string) => boolean
  readonly code: string
  readonly message: string
}

const isOn = (tag: string): boolean => !/^(?:0|false)$/.test(attributeOf(tag, 'w:val') ?? '')

/**
 * Formatting of runs, paragraphs and cells that is not drawn. A search for the names of the elements is enough,
 * because the result is only a warning; visiting each element would slow down every document.
 */
const kinds: readonly Unsupported[] = [
  {
    elements: ['w:fitText', 'w:tcFitText'],
    isSet: isOn,
    code: 'read.text-fit',
    message: 'Text that should be fitted to a given width keeps its natural width.',
  },
  {
    elements: ['w14:glow', 'w14:reflection', 'w14:props3d', 'w14:scene3d', 'w14:gradFill'],
    code: 'read.text-effect',
    message: 'Glows, reflections, gradients and 3-D effects of text are not drawn.',
  },
  {
    elements: ['w:bar'],
    isSet: (tag) => !/^(?:nil|none)$/.test(attributeOf(tag, 'w:val') ?? ''),
    code: 'read.paragraph-bar',
    message: 'Vertical bars beside paragraphs are not drawn.',
  },
  {
    elements: ['w:mirrorIndents'],
    isSet: isOn,
    code: 'read.mirrored-indents',
    message: 'Indents are not mirrored: even pages have the indents of odd pages.',
  },
]

/** Warns about unsupported formatting in the markup of an element. Called once for each distinct markup. */
export function reportUnsupported(context: ReaderContext, markup: string, partName: string): void {
  for (const { elements, isSet = () => true, code, message } of kinds)
    if (elements.some((name) => [...tagsIn(markup, name)].some(isSet))) warn(context, code, message, partName)
}

/**
 * Warns about unsupported properties of a section. `name` is the child of w:sectPr that the cursor stands on.
 */
export function reportSection(
  cursor: XmlCursor,
  name: string,
  report: ((code: string, message: string) => void) | undefined,
): void {
  if (name === 'w:pgNumType' && cursor.attribute('w:chapStyle') !== undefined)
    report?.('read.chapter-number', 'Page numbers are printed without the number of their chapter.')
  if (name === 'w:docGrid' && /Chars/.test(cursor.attribute('w:type') ?? ''))
    report?.('read.character-grid', 'East Asian text is not aligned to the character grid of the page.')
}
