import { pdfOptionRules } from '../../shared/pdf/stage/option-table.ts'

/** Values that are not the default and that every document takes. */
const texts: Readonly<Record<string, unknown>> = {
  DocumentOpenPassword: 'open',
  PermissionPassword: 'owner',
  Watermark: 'DRAFT',
  Watermarks: [{ text: 'DRAFT' }],
  PageRange: '1',
  PaperSize: 'A5',
  HeaderTemplate: '<p>head</p>',
  FooterTemplate: '<p>foot</p>',
  MarginTop: '1cm',
  MarginRight: '1cm',
  MarginBottom: '1cm',
  MarginLeft: '1cm',
  fieldSeparator: ';',
  textDelimiter: "'",
  characterSet: '76',
}
const numbers: Readonly<Record<string, number>> = {
  Changes: 1,
  Printing: 1,
  InitialView: 1,
  Magnification: 4,
  PageLayout: 1,
  Zoom: 90,
  FormsType: 1,
  MaxImageResolution: 150,
  Quality: 50,
  OpenBookmarkLevels: 1,
  PDFViewSelection: 1,
  PixelWidth: 40,
  PixelHeight: 40,
  Resolution: 40,
  ColorMode: 1,
  Compression: 5,
  Interlaced: 1,
  Translucent: 1,
  Scale: 0.9,
  SelectPdfVersion: 2,
}
/** Turned off where it is on, so that the value is not the default. */
const flag = (name: string) => pdfOptionRules[name]?.json['default'] !== true && name !== 'PrintBackground'

/** A value of a `formatOptions` name that is not its default and that every document takes. */
export const nonDefault = (name: string): unknown => texts[name] ?? numbers[name] ?? flag(name)
