import type { CatalogueEntry } from '../entry.ts'

/**
 * Fonts and pictures of the built-in layout engine. Most are reported as warnings, since the engine draws a
 * substitute.
 */
export const instantErrors = {
  'layout.too-many-pages': {
    status: 500,
    blame: 'document',
    message: 'The document has more than {pages} pages, the limit of this engine.',
    hint: 'Split the document, or convert it with another engine.',
  },
  'layout.too-many-cells': {
    status: 500,
    blame: 'document',
    message: 'The sheets have more than {cells} cells, the limit of this engine.',
    hint: 'Set a print area, split the workbook, or convert it with another engine.',
  },
  'font.damaged': {
    status: 500,
    blame: 'document',
    message: 'A font cannot be used: {what}.',
    hint: 'Install the font again, or remove it from the document.',
  },
  'font.none': {
    status: 500,
    blame: 'us',
    message: 'No font is available to draw text with.',
    hint: 'Install a font package, or restore the bundled fonts.',
  },
  'image.damaged': {
    status: 500,
    blame: 'document',
    message: 'A {format} picture cannot be read: {what}.',
    hint: 'Open the picture in an image program and save it again.',
  },
  'image.unsupported': {
    status: 500,
    blame: 'document',
    message: 'A {format} picture cannot be drawn: {what}.',
    hint: 'Insert the picture as PNG or JPEG.',
  },
  'image.too-large': {
    status: 500,
    blame: 'document',
    message: 'A picture has {pixels} pixels, more than the {limit} allowed.',
    hint: 'Insert the picture with a smaller resolution.',
  },
} as const satisfies Record<string, CatalogueEntry>
