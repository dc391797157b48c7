import { binaryText } from '../../../shared/bytes.ts'
import { maxOf } from '../../../shared/extremes.ts'
import { isCompound, rootStreams } from '../../../shared/office/incoming/compound.ts'
import { bytesOf, headOf } from '../../../shared/plugin/byte-source.ts'
import { defineFormat, type FormatPlugin } from '../../../shared/plugin/contract.ts'
import type { ByteSource, FormatFamily } from '../../../shared/plugin/values.ts'
import { XmlFault } from '../../../shared/xml/cursor.ts'

/**
 * Formats without template support, which engines read and write. One row each: id, family, extension that is written (then
 * other known extensions), media type, and how its content starts.
 */
type FormatRow = readonly [
  id: string,
  family: FormatFamily,
  extensions: readonly [string, ...string[]],
  mime: string,
  sniff?: FormatPlugin['sniff'],
]

const rows: readonly FormatRow[] = [
  ['rtf', 'document', ['rtf'], 'application/rtf', starts('{\\rtf')],
  ['doc', 'document', ['doc'], 'application/msword', compound('WordDocument')],
  ['xls', 'spreadsheet', ['xls'], 'application/vnd.ms-excel', compound('Workbook', 'Book')],
  ['ppt', 'presentation', ['ppt'], 'application/vnd.ms-powerpoint', compound('PowerPoint Document')],
  ['png', 'image', ['png'], 'image/png', starts('\x89PNG\r\n\x1a\n')],
  ['jpg', 'image', ['jpg', 'jpeg'], 'image/jpeg', starts('\xff\xd8\xff')],
  ['gif', 'image', ['gif'], 'image/gif', starts('GIF8')],
  ['webp', 'image', ['webp'], 'image/webp', at(8, 'WEBP')],
  ['bmp', 'image', ['bmp'], 'image/bmp', starts('BM')],
  ['tiff', 'image', ['tiff', 'tif'], 'image/tiff', starts('II*\0', 'MM\0*')],
  ['emf', 'image', ['emf'], 'image/emf', at(40, ' EMF')],
  ['wmf', 'image', ['wmf'], 'image/wmf', starts('\xd7\xcd\xc6\x9a')],
  ['eps', 'image', ['eps'], 'application/postscript', starts('%!PS')],
  ['svm', 'image', ['svm'], 'image/x-svm'],
  ['met', 'image', ['met'], 'image/x-met'],
  ['pct', 'image', ['pct'], 'image/x-pict'],
  ['pbm', 'image', ['pbm'], 'image/x-portable-bitmap'],
  ['pgm', 'image', ['pgm'], 'image/x-portable-graymap'],
  ['ppm', 'image', ['ppm'], 'image/x-portable-pixmap'],
  ['ras', 'image', ['ras'], 'image/x-cmu-raster'],
  ['swf', 'image', ['swf'], 'application/x-shockwave-flash'],
  ['epub', 'document', ['epub'], 'application/epub+zip', mimetypeEntry('application/epub+zip')],
  [
    'ott',
    'document',
    ['ott'],
    'application/vnd.oasis.opendocument.text-template',
    mimetypeEntry('application/vnd.oasis.opendocument.text-template'),
  ],
  [
    'ots',
    'spreadsheet',
    ['ots'],
    'application/vnd.oasis.opendocument.spreadsheet-template',
    mimetypeEntry('application/vnd.oasis.opendocument.spreadsheet-template'),
  ],
  [
    'otg',
    'graphics',
    ['otg'],
    'application/vnd.oasis.opendocument.graphics-template',
    mimetypeEntry('application/vnd.oasis.opendocument.graphics-template'),
  ],
  ['doc6', 'document', ['doc'], 'application/msword'],
  ['doc95', 'document', ['doc'], 'application/msword'],
  ['docx7', 'document', ['docx'], 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['bib', 'document', ['bib'], 'application/x-bibtex'],
  ['latex', 'document', ['tex', 'latex'], 'application/x-latex'],
  ['psw', 'document', ['psw'], 'application/x-pocket-word'],
  ['pages', 'document', ['pages'], 'application/vnd.apple.pages'],
  ['stw', 'document', ['stw'], 'application/vnd.sun.xml.writer.template'],
  ['sxw', 'document', ['sxw'], 'application/vnd.sun.xml.writer'],
  ['uot', 'document', ['uot'], 'application/x-uof-text'],
  ['text', 'text', ['txt'], 'text/plain'],
  ['dbf', 'spreadsheet', ['dbf'], 'application/x-dbf'],
  ['dif', 'spreadsheet', ['dif'], 'application/x-dif'],
  ['slk', 'spreadsheet', ['slk'], 'application/x-sylk'],
  ['pxl', 'spreadsheet', ['pxl'], 'application/x-pocket-excel'],
  ['stc', 'spreadsheet', ['stc'], 'application/vnd.sun.xml.calc.template'],
  ['sxc', 'spreadsheet', ['sxc'], 'application/vnd.sun.xml.calc'],
  ['uos', 'spreadsheet', ['uos'], 'application/x-uof-spreadsheet'],
  ['xls5', 'spreadsheet', ['xls'], 'application/vnd.ms-excel'],
  ['xls95', 'spreadsheet', ['xls'], 'application/vnd.ms-excel'],
  ['xlt', 'spreadsheet', ['xlt'], 'application/vnd.ms-excel'],
  ['xlt5', 'spreadsheet', ['xlt'], 'application/vnd.ms-excel'],
  ['xlt95', 'spreadsheet', ['xlt'], 'application/vnd.ms-excel'],
  ['numbers', 'spreadsheet', ['numbers'], 'application/vnd.apple.numbers'],
  ['parquet', 'spreadsheet', ['parquet'], 'application/vnd.apache.parquet', starts('PAR1')],
  ['odd', 'graphics', ['odd'], 'application/vnd.oasis.opendocument.graphics'],
  ['pot', 'presentation', ['pot'], 'application/vnd.ms-powerpoint'],
  ['potm', 'presentation', ['potm'], 'application/vnd.ms-powerpoint.template.macroenabled.12'],
  ['pps', 'presentation', ['pps'], 'application/vnd.ms-powerpoint'],
  ['pwp', 'presentation', ['pwp'], 'application/x-placeware'],
  ['sti', 'presentation', ['sti'], 'application/vnd.sun.xml.impress.template'],
  ['sxi', 'presentation', ['sxi'], 'application/vnd.sun.xml.impress'],
  ['uop', 'presentation', ['uop'], 'application/x-uof-presentation'],
  ['std', 'graphics', ['std'], 'application/vnd.sun.xml.draw.template'],
  ['sxd', 'graphics', ['sxd'], 'application/vnd.sun.xml.draw'],
  ['pub', 'graphics', ['pub'], 'application/x-mspublisher'],
  ['cdr', 'graphics', ['cdr'], 'application/x-coreldraw'],
  ['etext', 'text', ['txt'], 'text/plain'],
  ['html10', 'web', ['html'], 'text/html'],
  ['text10', 'text', ['txt'], 'text/plain'],
  ['zip', 'data', ['zip'], 'application/zip'],
]

export const recognizedFormats: readonly FormatPlugin[] = rows.map(([id, family, extensions, mime, sniff]) =>
  defineFormat({ kind: 'format', id, family, extensions, mime: [mime], ...(sniff && { sniff }) }),
)

type Sniff = NonNullable<FormatPlugin['sniff']>

/** Magic bytes at the start, written as Latin-1 text. */
function starts(...magics: readonly string[]): Sniff {
  const length = maxOf(magics.map((magic) => magic.length))
  return async (source) => {
    const head = binaryText(await headOf(source, length))
    return magics.some((magic) => head.startsWith(magic)) ? 'sure' : 'no'
  }
}

function at(offset: number, magic: string): Sniff {
  return async (source) => {
    const head = binaryText(await headOf(source, offset + magic.length))
    return head.slice(offset) === magic ? 'sure' : 'no'
  }
}

/**
 * Documents of Word, Excel and PowerPoint 97 to 2003 are compound files, identified by the names of their streams. The
 * directory with these names may be anywhere in the file, so the entire file is needed.
 */
function compound(...streams: readonly string[]): Sniff {
  return async (source) => {
    if (!isCompound(await headOf(source, 8))) return 'no'
    try {
      const names = rootStreams(await bytesOf(source))
      return streams.some((name) => names.includes(name)) ? 'sure' : 'no'
    } catch (error) {
      if (error instanceof XmlFault) return 'no'
      throw error
    }
  }
}

/** OpenDocument and EPUB: a stored first entry named `mimetype` (ODF 1.3 part 2, 3.3; EPUB OCF 4.3). */
function mimetypeEntry(type: string): Sniff {
  return async (source: ByteSource) => {
    const head = binaryText(await headOf(source, 38 + type.length + 1))
    if (!head.startsWith('PK\x03\x04') || head.slice(30, 38) !== 'mimetype') return 'no'
    const rest = head.slice(38)
    // The media type is followed by the "PK" of the next entry: this distinguishes 'text' from 'text-template'.
    return rest === `${type}P` || rest === type ? 'sure' : 'no'
  }
}
