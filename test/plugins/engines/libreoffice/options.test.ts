import { describe, expect, it } from 'vitest'
import { filterPairOf } from '../../../../plugins/engines/libreoffice/conversions.ts'
import { optionsSchema } from '../../../../plugins/engines/libreoffice/options.ts'
import { prepare } from '../../../../plugins/engines/libreoffice/request.ts'
import { separatorOf, withByteOrderMark } from '../../../../plugins/engines/libreoffice/source-text.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { decodeText } from '../../../../shared/text-encoding.ts'

/** The office's properties for a job, or the text of the error it ends in. */
function check(to: string, options: Readonly<Record<string, unknown>>, from = 'docx'): unknown {
  const parsed = optionsSchema.parse(options)
  if (!parsed.ok) return parsed.issues.map(({ path, rule }) => `${path} ${rule}`).join('; ')
  const way = filterPairOf(from, to)
  if (way === undefined) throw new Error(`${from} ${to}`)
  try {
    const { request, ignored } = prepare(way, to, parsed.value)
    if (ignored.length > 0) return `ignored: ${ignored.join(', ')}`
    return request.store['FilterData'] ?? request.store['FilterOptions']
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

describe('PDF options', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ SelectPdfVersion: 2 }, { SelectPdfVersion: 2 }],
    [{ PageRange: '1-3,5,7-' }, { PageRange: '1-3,5,7-' }],
    [{ PageRange: 3 }, { PageRange: '3' }],
    [{ Watermark: 'Draft' }, { Watermark: 'Draft' }],
    [
      { InitialPage: 3, Zoom: 150, Magnification: 4 },
      { InitialPage: 3, Zoom: 150, Magnification: 4 },
    ],
    [
      { RestrictPermissions: true, PermissionPassword: 'p', Printing: 0 },
      {
        RestrictPermissions: true,
        PermissionPassword: 'p',
        Printing: 0,
        Changes: 4,
        EnableCopyingOfContent: true,
      },
    ],
    [
      {},
      {
        SelectPdfVersion: 0,
        UseLosslessCompression: true,
        ExportBookmarks: true,
        ExportNotes: true,
        Quality: 90,
        InitialPage: 1,
      },
    ],
  ])('%j becomes filter data', (options, expected) => {
    expect(check('pdf', options)).toMatchObject(expected)
  })

  it('leaves permissions out unless they are restricted', () => {
    expect(check('pdf', { Printing: 0, PermissionPassword: 'p' })).not.toHaveProperty('Printing')
    expect(check('pdf', { Printing: 0, PermissionPassword: 'p' })).not.toHaveProperty('PermissionPassword')
  })

  it.each<[Record<string, unknown>, string]>([
    [{ SelectPdfVersion: 5 }, 'SelectPdfVersion must be one of 0, 1, 2, 3, 4, 15, 16, 17, 20'],
    [
      { SelectPdfVersion: 17 },
      'Invalid option SelectPdfVersion: must be 0, 1, 2, 3, 15 or 16 for this engine, not 17.',
    ],
    [
      { SelectPdfVersion: 4 },
      'Invalid option SelectPdfVersion: must be 0, 1, 2, 3, 15 or 16 for this engine, not 4.',
    ],
    [{ Quality: 0 }, 'Quality must be an integer from 1 to 100'],
    [{ Quality: '90' }, 'Quality must be an integer from 1 to 100'],
    [{ ExportNotes: 'yes' }, 'ExportNotes must be true or false'],
    [{ MaxImageResolution: 100 }, 'MaxImageResolution must be one of 75, 150, 300, 600, 1200'],
    [{ PageRange: '1..3' }, 'PageRange must be a list of pages such as 1-3,5,7-'],
    [{ PageRange: [3] }, 'PageRange must be a list of pages such as 1-3,5,7-'],
    [{ Zoom: 5 }, 'Zoom must be an integer from 10 to 1600'],
    [{ EncryptFile: true }, 'Invalid option EncryptFile: cannot be done by this engine: it has no AES-256.'],
    [
      { Watermarks: [{ text: 'a' }] },
      'Invalid option Watermarks: cannot be drawn by this engine; it knows the single text of Watermark.',
    ],
    [{ Watermarks: [1, 2, 3, 4, 5] }, 'Watermarks must be a list of at most 4 watermarks'],
    [
      { RestrictPermissions: true },
      'Invalid option PermissionPassword: must be given with RestrictPermissions.',
    ],
    [
      { RestrictPermissions: true, PermissionPassword: 'p', SelectPdfVersion: 1 },
      'Invalid option RestrictPermissions: cannot be combined with PDF/A.',
    ],
    [
      { Quality: 0, Zoom: 1 },
      'Quality must be an integer from 1 to 100; Zoom must be an integer from 10 to 1600',
    ],
    [{ Nonsense: 1 }, 'ignored: Nonsense'],
    [{ fieldSeparator: ';' }, 'ignored: fieldSeparator'],
  ])('%j is reported', (options, reported) => {
    expect(check('pdf', options)).toBe(reported)
  })
})

describe('picture options', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'png',
      { PixelWidth: 100, PixelHeight: 50, Translucent: 1 },
      { PixelWidth: 100, PixelHeight: 50, Translucent: 1, Compression: 0, Interlaced: 0, ColorMode: 0 },
    ],
    ['jpg', { Quality: 40, ColorMode: 1 }, { Quality: 40, ColorMode: 1 }],
    ['jpg', {}, { Quality: 100, ColorMode: 0 }],
    ['jpg', { Compression: 3 }, 'ignored: Compression'],
    [
      'png',
      { PixelWidth: 20_000, PixelHeight: 20_000 },
      'Invalid option PixelWidth: times PixelHeight must be at most 100000000 pixels.',
    ],
    ['png', { PixelWidth: 0 }, 'PixelWidth must be an integer from 1 to 20000'],
  ])('%s with %j', (to, options, expected) => {
    expect(check(to, options, 'pptx')).toEqual(expected)
  })
})

describe('CSV options', () => {
  it.each<[Record<string, unknown>, unknown]>([
    [{}, '44,34,76,1,,0,false,true,false,false,false,0'],
    [{ fieldSeparator: ';' }, '59,34,76,1,,0,false,true,false,false,false,0'],
    [{ fieldSeparator: '\t' }, '9,34,76,1,,0,false,true,false,false,false,0'],
    [{ fieldSeparator: 'tab', textDelimiter: "'" }, '9,39,76,1,,0,false,true,false,false,false,0'],
    [{ characterSet: '1' }, '44,34,1,1,,0,false,true,false,false,false,0'],
    ...['utf8', '9999', '95', '007'].map((characterSet): [Record<string, unknown>, unknown] => [
      { characterSet },
      'characterSet must be the number of a character set, from 0 to 94 (76 for UTF-8), 65534 (UTF-32) or 65535 (UTF-16)',
    ]),
    [{ textDelimiter: 'ab' }, 'textDelimiter must be at most 1 characters long'],
  ])('%j', (options, expected) => {
    expect(check('csv', options, 'xlsx')).toBe(expected)
  })
})

describe('text sources', () => {
  const bytes = (...all: readonly number[]) => Uint8Array.from(all)
  it.each<[string, Uint8Array, string]>([
    ['UTF-8', new TextEncoder().encode('Grüße'), 'Grüße'],
    ['UTF-8 with a mark', new TextEncoder().encode('\ufeffGrüße'), 'Grüße'],
    ['UTF-16 little endian', bytes(0xff, 0xfe, 0x47, 0, 0xfc, 0), 'Gü'],
    ['UTF-16 big endian', bytes(0xfe, 0xff, 0, 0x47, 0, 0xfc), 'Gü'],
    ['Windows-1252', bytes(0x47, 0xfc, 0x80), 'Gü€'],
  ])('%s is understood', (_, source, text) => {
    expect(decodeText(source)).toBe(text)
  })

  it.each<[string, string]>([
    ['a,b\n1,2', ','],
    ['a;b\n1,5;2,5', ';'],
    ['a\tb\n1\t2', '\t'],
    ['a|b\n1|2', '|'],
    ['sep=;\r\na;b', ';'],
    ['"a;b",c\n"d;e",f', ','],
    ['one column\nonly', ','],
    ['', ','],
  ])('the separator of %j is %j', (text, separator) => {
    expect(separatorOf(text)).toBe(separator)
  })

  it('marks UTF-8 in HTML that does not name its characters, and leaves what does', () => {
    const plain = new TextEncoder().encode('<p>ü</p>')
    const named = new TextEncoder().encode('<meta charset="utf-8"><p>ü</p>')
    expect([...withByteOrderMark(plain).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(withByteOrderMark(named)).toBe(named)
  })
})
