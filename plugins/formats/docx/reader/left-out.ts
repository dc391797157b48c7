import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import { type ReaderContext, type Story, warn } from './story.ts'
import { integer } from './values.ts'

interface LeftOut {
  readonly pattern: RegExp
  readonly code: string
  readonly message: string
}

/** What the formatting of runs, paragraphs and cells may ask for that is not drawn. */
const kinds: readonly LeftOut[] = [
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

/** Tells what of an element's formatting is left out; asked once for each distinct markup. */
export function tellLeftOut(context: ReaderContext, markup: string, part: string): void {
  for (const { pattern, code, message } of kinds) if (pattern.test(markup)) warn(context, code, message, part)
}

/** What a text box asks for that is not drawn (a:bodyPr, 21.1.2.1.1). The cursor stands on the element. */
export function tellOfBody({ cursor, context, part }: Story): void {
  const turned = (integer(cursor.attribute('rot')) ?? 0) !== 0
  const stacked = /wordArtVert|mongolianVert/.test(cursor.attribute('vert') ?? '')
  const warped = /<a:prstTxWarp\b[^>]*prst="(?!textNoShape)/.test(cursor.markup())
  if (turned || stacked || warped)
    warn(context, 'read.text-box', 'Turns and outlines of the text in a box are left out.', part)
}

/** What a section asks for that is not drawn, by the name of the element. */
export function tellOfSection(
  cursor: XmlCursor,
  name: string,
  tell: ((code: string, message: string) => void) | undefined,
): void {
  if (name === 'w:pgNumType' && cursor.attribute('w:chapStyle') !== undefined)
    tell?.('read.chapter-number', 'Page numbers are shown without the number of the chapter.')
  if (name === 'w:docGrid' && /Chars/.test(cursor.attribute('w:type') ?? ''))
    tell?.('read.character-grid', 'Asian letters are set without the columns of a grid.')
}
