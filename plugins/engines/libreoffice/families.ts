/**
 * The formats that LibreOffice reads and writes: filters by format, for each of its four programs. `conversions.ts`
 * makes the conversions from these tables; the contract suite runs all filters, `npm run matrix` every pair.
 */
import type { FormatId } from '../../../shared/plugin/values.ts'
import type { BridgeRequest, PackageEdit } from './bridge-unit.ts'

/** The program of the suite that opens a document. */
export type Family = 'writer' | 'calc' | 'impress' | 'draw'

export interface Load {
  /** Absent: chosen by content, since several generations share one extension. */
  readonly filter?: string
  readonly options?: string
  /** Opened as a new document, which is no longer marked as a template. */
  readonly asTemplate?: true
  readonly text?: 'plain' | 'csv' | 'html' // converted to UTF-8 first
}
export interface ExportFilter {
  readonly filter: string
  readonly options?: string
  /** The caller's options that apply to it. */
  readonly takes?: 'pdf' | 'picture' | 'csv'
  /** It contains the first page or sheet only. */
  readonly firstOnly?: true
  /** Notes, comments, equations and charts of a text are left out. */
  readonly withoutNotes?: true
  /** It contains one page; each page or slide becomes a file of this media type. */
  readonly eachPage?: string
  readonly fidelity?: 'high' | 'basic' // absent: high
  /** The filter writes to a file only, not to a stream. */
  readonly asFile?: true
  /** The output is converted to the corresponding format of OpenOffice.org 1: its class and its media type. */
  readonly classic?: { readonly class: string; readonly mime: string }
  /** Corrections of the package's metadata. */
  readonly edits?: readonly PackageEdit[]
  /** The export omits the content of master pages. */
  readonly masters?: true
  /** The export marks a presentation as a drawing. */
  readonly drawing?: true
  readonly sheet?: NonNullable<BridgeRequest['sheet']>
}

/** The UNO service that a loaded document must support; any other file has a wrong name. */
export const services: Readonly<Record<Family, string>> = {
  writer: 'com.sun.star.text.GenericTextDocument',
  calc: 'com.sun.star.sheet.SpreadsheetDocument',
  impress: 'com.sun.star.presentation.PresentationDocument',
  draw: 'com.sun.star.drawing.GenericDrawingDocument',
}

const html: Load = { filter: 'HTML (StarWriter)', text: 'html' }

/** Formats that can be read, and by which program. The first is preferred when several could write the target. */
export const loads: Readonly<Record<FormatId, Partial<Readonly<Record<Family, Load>>>>> = {
  docx: { writer: { filter: 'MS Word 2007 XML' } },
  docm: { writer: { filter: 'MS Word 2007 XML VBA' } },
  dotx: { writer: { filter: 'MS Word 2007 XML Template' } },
  doc: { writer: {} },
  odt: { writer: { filter: 'writer8' } },
  ott: { writer: { filter: 'writer8_template', asTemplate: true } },
  fodt: { writer: { filter: 'OpenDocument Text Flat XML' } },
  // A layout program, whose text is in frames.
  paged: { writer: { filter: 'OpenDocument Text Flat XML' } },
  rtf: { writer: { filter: 'Rich Text Format' } },
  ooxml: { writer: { filter: 'MS Word 2003 XML' } },
  txt: { writer: { filter: 'Text (encoded)', options: 'UTF8,LF,,,', text: 'plain' } },
  html: { writer: html },
  xhtml: { writer: html },
  xlsx: { calc: { filter: 'Calc MS Excel 2007 XML' } },
  xlsm: { calc: { filter: 'Calc MS Excel 2007 VBA XML' } },
  xltx: { calc: { filter: 'Calc MS Excel 2007 XML Template' } },
  xls: { calc: {} },
  ods: { calc: { filter: 'calc8' } },
  ots: { calc: { filter: 'calc8_template', asTemplate: true } },
  fods: { calc: { filter: 'OpenDocument Spreadsheet Flat XML' } },
  xmlss: { calc: { filter: 'MS Excel 2003 XML' } },
  csv: { calc: { filter: 'Text - txt - csv (StarCalc)', text: 'csv' } },
  pptx: { impress: { filter: 'Impress MS PowerPoint 2007 XML' } },
  ppsx: { impress: { filter: 'Impress MS PowerPoint 2007 XML AutoPlay' } },
  potx: { impress: { filter: 'Impress MS PowerPoint 2007 XML Template' } },
  ppt: { impress: {} },
  pps: { impress: {} },
  pot: { impress: {} },
  odp: { impress: { filter: 'impress8' } },
  otp: { impress: { filter: 'impress8_template', asTemplate: true } },
  fodp: { impress: { filter: 'OpenDocument Presentation Flat XML' } },
  odg: { draw: { filter: 'draw8' } },
  otg: { draw: { filter: 'draw8_template', asTemplate: true } },
  fodg: { draw: { filter: 'OpenDocument Drawing Flat XML' } },
  pdf: {
    draw: { filter: 'draw_pdf_import' },
    writer: { filter: 'writer_pdf_import' },
    impress: { filter: 'impress_pdf_import' },
  },
}

/** The filters for templates are not used, because one of them loses the master pages of slides. */
const classic = (filter: string, name: string, kind: string): ExportFilter => ({
  filter,
  classic: { class: name, mime: `application/vnd.sun.xml.${kind}` },
})
const powerPoint = (kind: string) => `application/vnd.ms-powerpoint.${kind}.macroEnabled.main+xml`
/** The export writes fractional lengths and an alignment for tables at the left. Readers of this format accept neither,
 * and their columns had no width. */
const readable: readonly PackageEdit[] = [
  { part: '', from: '(\\sw:[A-Za-z-]+="-?\\d+)\\.\\d+"', to: '\\1"' },
  { part: '', from: '<w:jc w:val="left"/></w:tblPr>', to: '</w:tblPr>' },
]

/**
 * Picture formats, which only the drawing programs write. Bitmaps are made from the PDF where possible: the filters
 * of the office have a fixed resolution, and those of texts and sheets write only the first page on a white
 * background.
 */
const drawings = (program: string): Readonly<Record<FormatId, ExportFilter>> => ({
  png: { filter: `${program}_png_Export`, takes: 'picture', eachPage: 'image/png' },
  jpg: { filter: `${program}_jpg_Export`, takes: 'picture', eachPage: 'image/jpeg' },
  webp: { filter: `${program}_webp_Export`, takes: 'picture', eachPage: 'image/webp' },
  svg: { filter: `${program}_svg_Export`, eachPage: 'image/svg+xml', masters: true },
  bmp: { filter: `${program}_bmp_Export`, takes: 'picture', eachPage: 'image/x-MS-bmp' },
  gif: { filter: `${program}_gif_Export`, takes: 'picture', eachPage: 'image/gif' },
  tiff: { filter: `${program}_tif_Export`, takes: 'picture', eachPage: 'image/tiff' },
  emf: { filter: `${program}_emf_Export`, eachPage: 'image/x-emf', masters: true },
  wmf: { filter: `${program}_wmf_Export`, eachPage: 'image/x-wmf', masters: true },
  eps: { filter: `${program}_eps_Export`, eachPage: 'image/x-eps', masters: true },
  svm: { filter: `${program}_svm_Export`, eachPage: 'image/x-svm', masters: true },
})

/** Formats that can be written, by program. */
export const stores: Readonly<Record<Family, Readonly<Record<FormatId, ExportFilter>>>> = {
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
    txt: { filter: 'Text (encoded)', options: 'UTF8,LF,,,', withoutNotes: true, fidelity: 'basic' },
    text: { filter: 'Text (encoded)', options: 'UTF8,LF,,,', withoutNotes: true, fidelity: 'basic' },
    html: { filter: 'HTML (StarWriter)', options: 'EmbedImages' },
    xhtml: { filter: 'XHTML Writer File' },
    epub: { filter: 'EPUB' },
    docbook: { filter: 'DocBook File', fidelity: 'basic' },
    ooxml: { filter: 'OpenDocument Text Flat XML', sheet: 'word-2003', edits: readable },
    uot: { filter: 'OpenDocument Text Flat XML', sheet: 'uof-text', fidelity: 'basic' },
    sxw: classic('writer8', 'text', 'writer'),
    stw: classic('writer8', 'text', 'writer.template'),
    // No free program writes these two formats; both programs open RTF under these names.
    doc6: { filter: 'Rich Text Format', fidelity: 'basic' },
    doc95: { filter: 'Rich Text Format', fidelity: 'basic' },
  },
  calc: {
    pdf: { filter: 'calc_pdf_Export', takes: 'pdf' },
    xlsx: { filter: 'Calc MS Excel 2007 XML' },
    xlsm: { filter: 'Calc MS Excel 2007 VBA XML' },
    xltx: { filter: 'Calc MS Excel 2007 XML Template' },
    xls: { filter: 'MS Excel 97' },
    xlt: { filter: 'MS Excel 97 Vorlage/Template' },
    xls5: { filter: 'MS Excel 5.0/95', fidelity: 'basic' },
    xls95: { filter: 'MS Excel 95', fidelity: 'basic' },
    xlt5: { filter: 'MS Excel 5.0/95 Vorlage/Template', fidelity: 'basic' },
    xlt95: { filter: 'MS Excel 95 Vorlage/Template', fidelity: 'basic' },
    ods: { filter: 'calc8' },
    ots: { filter: 'calc8_template' },
    fods: { filter: 'OpenDocument Spreadsheet Flat XML' },
    csv: { filter: 'Text - txt - csv (StarCalc)', takes: 'csv', firstOnly: true, fidelity: 'basic' },
    html: { filter: 'HTML (StarCalc)' },
    xhtml: { filter: 'XHTML Calc File' },
    dif: { filter: 'DIF', options: '76,34,0', firstOnly: true, fidelity: 'basic' },
    slk: { filter: 'SYLK', firstOnly: true, fidelity: 'basic' },
    uos: { filter: 'OpenDocument Spreadsheet Flat XML', sheet: 'uof-sheets', fidelity: 'basic' },
    sxc: classic('calc8', 'spreadsheet', 'calc'),
    stc: classic('calc8', 'spreadsheet', 'calc.template'),
  },
  impress: {
    pdf: { filter: 'impress_pdf_Export', takes: 'pdf' },
    pptx: { filter: 'Impress MS PowerPoint 2007 XML' },
    potx: { filter: 'Impress MS PowerPoint 2007 XML Template' },
    potm: {
      filter: 'Impress MS PowerPoint 2007 XML VBA',
      edits: [
        {
          part: '[Content_Types].xml',
          from: powerPoint('presentation').replace('+', '.'),
          to: powerPoint('template'),
        },
      ],
    },
    ppt: { filter: 'MS PowerPoint 97' },
    pps: { filter: 'MS PowerPoint 97 AutoPlay' },
    pot: { filter: 'MS PowerPoint 97 Vorlage' },
    odp: { filter: 'impress8' },
    otp: { filter: 'impress8_template' },
    fodp: { filter: 'OpenDocument Presentation Flat XML' },
    odg: { filter: 'impress8_draw', drawing: true },
    sxi: classic('impress8', 'presentation', 'impress'),
    sti: classic('impress8', 'presentation', 'impress.template'),
    uop: { filter: 'OpenDocument Presentation Flat XML', sheet: 'uof-slides' },
    html: { filter: 'impress_html_Export', asFile: true },
    xhtml: { filter: 'OpenDocument Presentation Flat XML', sheet: 'xhtml-slides' },
    ...drawings('impress'),
  },
  draw: {
    pdf: { filter: 'draw_pdf_Export', takes: 'pdf' },
    odg: { filter: 'draw8' },
    odd: { filter: 'draw8' },
    otg: { filter: 'draw8_template' },
    fodg: { filter: 'OpenDocument Drawing Flat XML' },
    sxd: classic('draw8', 'drawing', 'draw'),
    std: classic('draw8', 'drawing', 'draw.template'),
    html: { filter: 'draw_html_Export', asFile: true },
    xhtml: { filter: 'OpenDocument Drawing Flat XML', sheet: 'xhtml-slides' },
    ...drawings('draw'),
  },
}
