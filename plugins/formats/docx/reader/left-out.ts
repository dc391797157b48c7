import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import { type ReaderContext, type Story, warn } from './story.ts'
import { integer } from './values.ts'

interface Unsupported {
  readonly pattern: RegExp
  readonly code: string
  readonly message: string
}

/**
 * Formatting of runs, paragraphs and cells that is not drawn. Patterns on the markup are enough here, because
 * the result is only a warning; checking each element would slow down every document.
 */
const kinds: readonly Unsupported[] = [
  {
    pattern: /<w:(?:fitText|tcFitText)\b(?![^>]*w:val="(?:0|false)")/,
    code: 'read.text-fit',
    message: 'Text that is to fill a given width is as wide as its letters.',
  },
  {
    pattern: /<w:tblCellSpacing\b(?![^>]*w:w="0")/,
    code: 'read.cell-spacing',
    message: 'Cells stand side by side without the room between them.',
  },
  {
    pattern: /<w14:(?:glow|reflection|props3d|scene3d)\b|<w14:textFill>\s*<w14:gradFill/,
    code: 'read.text-effect',
    message: 'Glows, reflections, gradients and depth of letters are left out.',
  },
  {
    pattern: /<w:bar\s(?![^>]*w:val="(?:nil|none)")/,
    code: 'read.paragraph-bar',
    message: 'A bar beside a paragraph is left out.',
  },
  {
    pattern: /<w:mirrorIndents\b(?![^>]*w:val="(?:0|false)")/,
    code: 'read.mirrored-indents',
    message: 'Indents are the same on both sides of a leaf.',
  },
]

/** Warns about unsupported formatting in the markup of an element. Called once for each distinct markup. */
export function tellLeftOut(context: ReaderContext, markup: string, part: string): void {
  for (const { pattern, code, message } of kinds) if (pattern.test(markup)) warn(context, code, message, part)
}

/**
 * Warns about unsupported properties of a text box (a:bodyPr, 21.1.2.1.1). The cursor stands on the element.
 */
export function tellOfBody({ cursor, context, part }: Story): void {
  const turned = (integer(cursor.attribute('rot')) ?? 0) !== 0
  const stacked = /wordArtVert|mongolianVert/.test(cursor.attribute('vert') ?? '')
  const warped = /<a:prstTxWarp\b[^>]*prst="(?!textNoShape)/.test(cursor.markup())
  if (turned || stacked || warped)
    warn(context, 'read.text-box', 'Turns and outlines of the text in a box are left out.', part)
}

/**
 * Warns about unsupported properties of a section. `name` is the child of w:sectPr that the cursor stands on.
 */
export function tellOfSection(
  cursor: XmlCursor,
  name: string,
  report: ((code: string, message: string) => void) | undefined,
): void {
  if (name === 'w:pgNumType' && cursor.attribute('w:chapStyle') !== undefined)
    report?.('read.chapter-number', 'Page numbers are shown without the number of the chapter.')
  if (name === 'w:docGrid' && /Chars/.test(cursor.attribute('w:type') ?? ''))
    report?.('read.character-grid', 'Asian letters are set without the columns of a grid.')
}
