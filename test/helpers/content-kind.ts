import type { FormatId } from '../../shared/plugin/values.ts'
import { documentWalks } from './whole-documents.ts'
import { pictureWalks } from './whole-pictures.ts'

/** What the first bytes, or the entries of a package, must show for each format. */
type Look = RegExp | { readonly zip: string; readonly mimetype?: string; readonly part?: string }

const odf = (name: string): Look => ({
  zip: 'mimetype',
  mimetype: `application/vnd.oasis.opendocument.${name}`,
})
const classic = (name: string): Look => ({ zip: 'mimetype', mimetype: `application/vnd.sun.xml.${name}` })
const flat = (name: string): Look =>
  new RegExp(`^<\\?xml[\\s\\S]{0,40}<office:document[\\s\\S]+opendocument\\.${name}"`)
const ooxml = (part: string, type: string): Look => ({ zip: '[Content_Types].xml', part: `${part}|${type}` })
const ole = /^\xd0\xcf\x11\xe0/
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.'
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.'
const slides = 'application/vnd.openxmlformats-officedocument.presentationml.'

const looks: Readonly<Record<FormatId, Look>> = {
  pdf: /^%PDF-1\.[4-7][\s\S]+%%EOF\s*$/,
  docx: ooxml('word/document.xml', `${word}document.main+xml`),
  docx7: ooxml('word/document.xml', `${word}document.main+xml`),
  docm: ooxml('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'),
  dotx: ooxml('word/document.xml', `${word}template.main+xml`),
  xlsx: ooxml('xl/workbook.xml', `${sheet}sheet.main+xml`),
  xlsm: ooxml('xl/workbook.xml', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'),
  xltx: ooxml('xl/workbook.xml', `${sheet}template.main+xml`),
  pptx: ooxml('ppt/presentation.xml', `${slides}presentation.main+xml`),
  ppsx: ooxml('ppt/presentation.xml', `${slides}slideshow.main+xml`),
  potx: ooxml('ppt/presentation.xml', `${slides}template.main+xml`),
  odt: odf('text'),
  ott: odf('text-template'),
  ods: odf('spreadsheet'),
  ots: odf('spreadsheet-template'),
  odp: odf('presentation'),
  otp: odf('presentation-template'),
  odg: odf('graphics'),
  odd: odf('graphics'),
  otg: odf('graphics-template'),
  epub: { zip: 'mimetype', mimetype: 'application/epub+zip' },
  fodt: flat('text'),
  paged: flat('text'),
  fods: flat('spreadsheet'),
  fodp: flat('presentation'),
  fodg: flat('graphics'),
  doc: ole,
  xls: ole,
  xlt: ole,
  ppt: ole,
  pps: ole,
  pot: ole,
  xls5: ole,
  xls95: ole,
  xlt5: ole,
  xlt95: ole,
  doc6: /^\{\\rtf1/,
  doc95: /^\{\\rtf1/,
  sxw: classic('writer'),
  stw: classic('writer.template'),
  sxc: classic('calc'),
  stc: classic('calc.template'),
  sxi: classic('impress'),
  sti: classic('impress.template'),
  sxd: classic('draw'),
  std: classic('draw.template'),
  potm: ooxml('ppt/presentation.xml', 'application/vnd.ms-powerpoint.template.macroEnabled.main+xml'),
  svm: /^VCLMTF/,
  parquet: /^PAR1[\s\S]+PAR1$/,
  dbf: /^\x03[\s\S]+\x1a$/,
  numbers: { zip: 'Index/Document.iwa' },
  latex: /^\\documentclass[\s\S]+\\end\{document\}\s*$/,
  bib: /^(@|%)/,
  pbm: /^P4\n\d+ \d+\n/,
  pgm: /^P5\n\d+ \d+\n255\n/,
  ppm: /^P6\n\d+ \d+\n255\n/,
  ras: /^\x59\xa6\x6a\x95/,
  pct: /^\0{512}[\s\S]{10}\0\x11\x02\xff/,
  swf: /^FWS/,
  rtf: /^\{\\rtf1/,
  html10: /<(html|h1)/i,
  html: /^\s*<!DOCTYPE html(?![\s\S]{0,300}xmlns=)/i,
  xhtml: /^<\?xml[\s\S]+<html[^>]+xmlns="http:\/\/www\.w3\.org\/1999\/xhtml"/,
  docbook: /<article/,
  ooxml: /progid="(Word\.Document|Excel\.Sheet)"/i,
  uot: /uof:UOF|UOF/,
  uos: /uof:UOF|UOF/,
  uop: /uof:UOF|UOF/,
  dif: /^TABLE\r?\n0,1/,
  slk: /^ID;P/,
  png: /^\x89PNG\r\n\x1a\n[\s\S]+IEND/,
  jpg: /^\xff\xd8\xff[\s\S]+\xff\xd9$/,
  webp: /^RIFF[\s\S]{4}WEBP/,
  svg: /<svg[^>]+xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]+<\/svg>\s*$/,
  bmp: /^BM/,
  gif: /^GIF8/,
  tiff: /^(II\*\0|MM\0\*)/,
  emf: /^\x01\0\0\0[\s\S]{36} EMF/,
  wmf: /^\xd7\xcd\xc6\x9a/,
  eps: /^(%!PS|\xc5\xd0\xd3\xc6)/,
}

const texts = new Set(['txt', 'text', 'csv', 'md', 'etext', 'text10'])

const walks = { ...documentWalks, ...pictureWalks }

/** Undefined when the bytes are what the format says, from first to last, else what is wrong. For tests. */
export async function notOfKind(format: FormatId, bytes: Uint8Array): Promise<string | undefined> {
  const wrong = await looksOther(format, bytes)
  if (wrong !== undefined) return wrong
  try {
    return await walks[format]?.(bytes)
  } catch (error) {
    return `cannot be read to its end: ${(error as Error).message}`
  }
}

/** By its first bytes, or the entries of its package. */
async function looksOther(format: FormatId, bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.length === 0) return 'empty'
  // TextDecoder knows no Latin-1: it takes the name for Windows-1252.
  const text = Buffer.from(bytes).toString('latin1')
  if (texts.has(format)) return bytes.some((byte) => byte < 9) ? 'has control characters' : undefined
  const look = looks[format]
  if (look === undefined) return `nobody told how ${format} looks`
  if (look instanceof RegExp)
    return look.test(text) ? undefined : `starts with ${JSON.stringify(text.slice(0, 60))}`
  if (!text.startsWith('PK\x03\x04')) return 'is no zip'
  const { default: JSZip } = await import('jszip')
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const entry = await zip.file(look.zip)?.async('string')
  if (entry === undefined) return `lacks ${look.zip}`
  if (look.mimetype !== undefined && entry !== look.mimetype) return `says it is ${entry}`
  if (look.part !== undefined) {
    const [part = '', type = ''] = look.part.split('|')
    if (zip.file(part) === null) return `lacks ${part}`
    if (!entry.includes(type)) return `its content types lack ${type}`
  }
  return undefined
}
