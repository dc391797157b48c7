/**
 * What LibreOffice reads and writes: filters by format, for each of its four programs. `conversions.ts` makes the
 * list of arrows from these tables; the contract suite runs every one of them.
 */
import type { FormatId } from '../../../shared/plugin/contract.ts'

/** The program of the suite that holds a document while it is converted. */
export type Family = 'writer' | 'calc' | 'impress' | 'draw'

export interface Load {
  /** Absent: found by content, as several generations share one extension. */
  readonly filter?: string
  readonly options?: string
  readonly text?: 'plain' | 'csv' | 'html' // bytes are made UTF-8 first
}
export interface Store {
  readonly filter: string
  readonly options?: string
  /** Which of the caller's options it takes. */
  readonly takes?: 'pdf' | 'picture' | 'csv'
  /** It shows the first page or sheet only. */
  readonly firstOnly?: true
  readonly fidelity?: 'high' | 'basic' // absent: high
  /** The filter writes to a place only, not to a stream. */
  readonly asFile?: true
}

/** What a loaded document must be; anything else is a file of another kind under a wrong name. */
export const services: Readonly<Record<Family, string>> = {
  writer: 'com.sun.star.text.GenericTextDocument',
  calc: 'com.sun.star.sheet.SpreadsheetDocument',
  impress: 'com.sun.star.presentation.PresentationDocument',
  draw: 'com.sun.star.drawing.GenericDrawingDocument',
}

const html: Load = { filter: 'HTML (StarWriter)', text: 'html' }

/** Formats that can be read, and by which program: the first is preferred where several could write the target. */
export const loads: Readonly<Record<FormatId, Partial<Readonly<Record<Family, Load>>>>> = {
  docx: { writer: { filter: 'MS Word 2007 XML' } },
  docm: { writer: { filter: 'MS Word 2007 XML VBA' } },
  dotx: { writer: { filter: 'MS Word 2007 XML Template' } },
  doc: { writer: {} },
  odt: { writer: { filter: 'writer8' } },
  ott: { writer: { filter: 'writer8_template' } },
  fodt: { writer: { filter: 'OpenDocument Text Flat XML' } },
  rtf: { writer: { filter: 'Rich Text Format' } },
  txt: { writer: { filter: 'Text (encoded)', options: 'UTF8,LF,,,', text: 'plain' } },
  html: { writer: html },
  xhtml: { writer: html },
  xlsx: { calc: { filter: 'Calc MS Excel 2007 XML' } },
  xlsm: { calc: { filter: 'Calc MS Excel 2007 VBA XML' } },
  xltx: { calc: { filter: 'Calc MS Excel 2007 XML Template' } },
  xls: { calc: {} },
  ods: { calc: { filter: 'calc8' } },
  ots: { calc: { filter: 'calc8_template' } },
  fods: { calc: { filter: 'OpenDocument Spreadsheet Flat XML' } },
  csv: { calc: { filter: 'Text - txt - csv (StarCalc)', text: 'csv' } },
  pptx: { impress: { filter: 'Impress MS PowerPoint 2007 XML' } },
  ppsx: { impress: { filter: 'Impress MS PowerPoint 2007 XML AutoPlay' } },
  potx: { impress: { filter: 'Impress MS PowerPoint 2007 XML Template' } },
  ppt: { impress: {} },
  pps: { impress: {} },
  pot: { impress: {} },
  odp: { impress: { filter: 'impress8' } },
  otp: { impress: { filter: 'impress8_template' } },
  fodp: { impress: { filter: 'OpenDocument Presentation Flat XML' } },
  odg: { draw: { filter: 'draw8' } },
  otg: { draw: { filter: 'draw8_template' } },
  fodg: { draw: { filter: 'OpenDocument Drawing Flat XML' } },
  pdf: {
    draw: { filter: 'draw_pdf_import' },
    writer: { filter: 'writer_pdf_import' },
    impress: { filter: 'impress_pdf_import' },
  },
}

const pictures = (program: string): Readonly<Record<FormatId, Store>> => ({
  png: { filter: `${program}_png_Export`, takes: 'picture', firstOnly: true },
  jpg: { filter: `${program}_jpg_Export`, takes: 'picture', firstOnly: true },
  webp: { filter: `${program}_webp_Export`, takes: 'picture', firstOnly: true },
})
/** Pictures that only the drawing programs write. */
const drawings = (program: string): Readonly<Record<FormatId, Store>> => ({
  ...pictures(program),
  svg: { filter: `${program}_svg_Export`, firstOnly: true },
  bmp: { filter: `${program}_bmp_Export`, takes: 'picture', firstOnly: true },
  gif: { filter: `${program}_gif_Export`, takes: 'picture', firstOnly: true },
  tiff: { filter: `${program}_tif_Export`, takes: 'picture', firstOnly: true },
  emf: { filter: `${program}_emf_Export`, firstOnly: true },
  wmf: { filter: `${program}_wmf_Export`, firstOnly: true },
  eps: { filter: `${program}_eps_Export`, firstOnly: true },
})

/** Formats that can be written, by program. */
export const stores: Readonly<Record<Family, Readonly<Record<FormatId, Store>>>> = {
  writer: {
    pdf: { filter: 'writer_pdf_Export', takes: 'pdf' },
    docx: { filter: 'MS Word 2007 XML' },
    docx7: { filter: 'MS Word 2007 XML' },
    docm: { filter: 'MS Word 2007 XML VBA' },
    dotx: { filter: 'MS Word 2007 XML Template' },
    doc: { filter: 'MS Word 97' },
    odt: { filter: 'writer8' },
    ott: { filter: 'writer8_template' },
    fodt: { filter: 'OpenDocument Text Flat XML' },
    rtf: { filter: 'Rich Text Format' },
    txt: { filter: 'Text (encoded)', options: 'UTF8,LF,,,', fidelity: 'basic' },
    text: { filter: 'Text (encoded)', options: 'UTF8,LF,,,', fidelity: 'basic' },
    html: { filter: 'HTML (StarWriter)', options: 'EmbedImages' },
    xhtml: { filter: 'XHTML Writer File' },
    epub: { filter: 'EPUB' },
    docbook: { filter: 'DocBook File', fidelity: 'basic' },
    ooxml: { filter: 'MS Word 2003 XML' },
    uot: { filter: 'UOF text' },
    ...pictures('writer'),
  },
  calc: {
    pdf: { filter: 'calc_pdf_Export', takes: 'pdf' },
    xlsx: { filter: 'Calc MS Excel 2007 XML' },
    xlsm: { filter: 'Calc MS Excel 2007 VBA XML' },
    xltx: { filter: 'Calc MS Excel 2007 XML Template' },
    xls: { filter: 'MS Excel 97' },
    xlt: { filter: 'MS Excel 97 Vorlage/Template' },
    ods: { filter: 'calc8' },
    ots: { filter: 'calc8_template' },
    fods: { filter: 'OpenDocument Spreadsheet Flat XML' },
    csv: { filter: 'Text - txt - csv (StarCalc)', takes: 'csv', firstOnly: true, fidelity: 'basic' },
    html: { filter: 'HTML (StarCalc)' },
    xhtml: { filter: 'XHTML Calc File' },
    dif: { filter: 'DIF', options: '76,34,0', firstOnly: true, fidelity: 'basic' },
    slk: { filter: 'SYLK', firstOnly: true, fidelity: 'basic' },
    uos: { filter: 'UOF spreadsheet' },
    ooxml: { filter: 'MS Excel 2003 XML' },
    ...pictures('calc'),
  },
  impress: {
    pdf: { filter: 'impress_pdf_Export', takes: 'pdf' },
    pptx: { filter: 'Impress MS PowerPoint 2007 XML' },
    potx: { filter: 'Impress MS PowerPoint 2007 XML Template' },
    ppt: { filter: 'MS PowerPoint 97' },
    pps: { filter: 'MS PowerPoint 97 AutoPlay' },
    pot: { filter: 'MS PowerPoint 97 Vorlage' },
    odp: { filter: 'impress8' },
    otp: { filter: 'impress8_template' },
    fodp: { filter: 'OpenDocument Presentation Flat XML' },
    uop: { filter: 'UOF presentation' },
    html: { filter: 'impress_html_Export', fidelity: 'basic', asFile: true },
    xhtml: { filter: 'XHTML Impress File' },
    ...drawings('impress'),
  },
  draw: {
    pdf: { filter: 'draw_pdf_Export', takes: 'pdf' },
    odg: { filter: 'draw8' },
    odd: { filter: 'draw8' },
    otg: { filter: 'draw8_template' },
    fodg: { filter: 'OpenDocument Drawing Flat XML' },
    html: { filter: 'draw_html_Export', fidelity: 'basic', asFile: true },
    xhtml: { filter: 'XHTML Draw File' },
    ...drawings('draw'),
  },
}
