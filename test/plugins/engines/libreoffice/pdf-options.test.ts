import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import { pdfOf, stream } from '../../../helpers/pdf.ts'
import { createPdfMaker, type PdfFile, pdfFile } from './pdf-files.ts'
import { flat } from './samples.ts'

const { converter, make } = createPdfMaker()
afterAll(() => converter.stop())

/** A picture of 600 by 600 pixels with some life in it, in PPM's successor that the office reads: BMP. */
function picture(): string {
  const side = 600
  const bytes = Buffer.alloc(54 + side * side * 3)
  bytes.write('BM')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(side, 18)
  bytes.writeInt32LE(side, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  for (let at = 0; at < side * side; at++) {
    bytes[54 + at * 3] = (at * 31) >> 3
    bytes[55 + at * 3] = (at % side) >> 1
    bytes[56 + at * 3] = at >> 11
  }
  return bytes.toString('base64')
}

const heading = (level: number, text: string) => `<text:h text:outline-level="${level}">${text}</text:h>`
const link = (href: string) => `<text:p><text:a xlink:type="simple" xlink:href="${href}">go</text:a></text:p>`
const note =
  '<text:p>noted<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">A</dc:creator><text:p>a remark</text:p></office:annotation></text:p>'
const image = `<text:p><draw:frame text:anchor-type="as-char" svg:width="5cm" svg:height="5cm"><draw:image><office:binary-data>${picture()}</office:binary-data></draw:image></draw:frame></text:p>`
const pageStyles =
  '<office:automatic-styles><style:style style:name="B" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style><style:style style:name="R" style:family="paragraph" style:master-page-name="Right"/><style:page-layout style:name="L"/></office:automatic-styles><office:master-styles><style:master-page style:name="Right" style:page-layout-name="LR"/></office:master-styles>'
const text = (body: string, automatic = '') => flat('text', 'text', body, automatic)
const pages = (count: number) =>
  text(
    Array.from({ length: count }, (_, at) => `<text:p text:style-name="B">page ${at + 1}</text:p>`).join(''),
    pageStyles,
  )
const rightPages = text(
  '<text:p>first</text:p><text:p text:style-name="R">on a right page</text:p>',
  '<office:automatic-styles><style:style style:name="R" style:family="paragraph" style:master-page-name="Right"/><style:page-layout style:name="LR" style:page-usage="right"/></office:automatic-styles><office:master-styles><style:master-page style:name="Right" style:page-layout-name="LR"/></office:master-styles>',
)
const headings = text([heading(1, 'One'), heading(2, 'Inner'), heading(1, 'Two')].join(''))
const field = (id: string, kind: 'text' | 'button') =>
  kind === 'text'
    ? `<form:text form:id="${id}" xml:id="${id}" form:name="Same" form:control-implementation="ooo:com.sun.star.form.component.TextField"/>`
    : `<form:button form:id="${id}" xml:id="${id}" form:name="Send" form:label="Send" form:button-type="submit" form:control-implementation="ooo:com.sun.star.form.component.CommandButton"/>`
const control = (id: string) =>
  `<text:p><draw:control draw:control="${id}" draw:style-name="G" text:anchor-type="as-char" svg:width="4cm" svg:height="1cm"/></text:p>`
const withControls = (document: string) =>
  document.replace(' office:version', ' xmlns:ooo="http://openoffice.org/2004/office" office:version')
const form = withControls(
  text(
    `<office:forms form:automatic-focus="false"><form:form form:name="F" xlink:type="simple" xlink:href="https://example.org/submit" form:method="post">${field('c1', 'text')}${field('c2', 'text')}${field('c3', 'button')}</form:form></office:forms>${control('c1')}${control('c2')}${control('c3')}`,
    '<office:automatic-styles><style:style style:name="G" style:family="graphic"><style:graphic-properties style:run-through="foreground" style:wrap="none"/></style:style></office:automatic-styles>',
  ),
)
const slides = flat(
  'presentation',
  'presentation',
  `<draw:page draw:name="One" draw:style-name="T"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="10cm" svg:height="2cm"><draw:text-box><text:p>Slide</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame presentation:class="notes" svg:x="2cm" svg:y="12cm" svg:width="15cm" svg:height="10cm"><draw:text-box><text:p>speaker notes</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>`,
  '<office:automatic-styles><style:style style:name="T" style:family="drawing-page"><style:drawing-page-properties presentation:transition-speed="slow" smil:type="barWipe" smil:subtype="leftToRight" xmlns:smil="urn:oasis:names:tc:opendocument:xmlns:smil-compatible:1.0"/></style:style></office:automatic-styles>',
)

type Check = (file: PdfFile) => void
const has =
  (expression: RegExp): Check =>
  ({ text: all }) =>
    expect(all).toMatch(expression)
const lacks =
  (expression: RegExp): Check =>
  ({ text: all }) =>
    expect(all).not.toMatch(expression)
const reported =
  (tool: string, expression: RegExp, ...args: readonly string[]): Check =>
  (file) =>
    expect(file.ask(tool, ...args)).toMatch(expression)
const header =
  (version: string): Check =>
  ({ bytes }) =>
    expect(new TextDecoder('latin1').decode(bytes.subarray(0, 8))).toBe(`%PDF-${version}`)
const pageCount = (count: number) => reported('pdfinfo', new RegExp(`^Pages: +${count}$`, 'm'))
const keeps =
  (word: string): Check =>
  ({ bytes }) =>
    expect(Buffer.from(bytes).toString('latin1')).toContain(word)
const widest = (file: PdfFile) => Number(/^ +1 +0 +image +(\d+)/m.exec(file.ask('pdfimages', '-list'))?.[1])

const wide = text(image)
const none = text('<text:p>x</text:p>')
const titled = text(
  '<text:p>x</text:p>',
  '<office:meta><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Report</dc:title></office:meta>',
)

/** Option, document, what the file must show. Each option stands with its default and without it. */
const cases: readonly (readonly [
  options: Record<string, unknown>,
  document: string,
  from: string,
  ...Check[],
])[] = [
  [{}, none, 'fodt', header('1.6'), lacks(/pdfaid/)],
  [{ SelectPdfVersion: 0 }, none, 'fodt', header('1.6')],
  [{ SelectPdfVersion: 15 }, none, 'fodt', header('1.5')],
  [{ SelectPdfVersion: 16 }, none, 'fodt', header('1.6')],
  [{ SelectPdfVersion: 17 }, none, 'fodt', header('1.7')],
  [{ SelectPdfVersion: 20 }, none, 'fodt', header('2.0'), has(/<pdf:Producer>LibreOffice/)],
  [
    { ConvertOOoTargetToPDFTarget: true },
    text(link('https://example.org/other.odt')),
    'fodt',
    has(/other\.pdf/),
  ],
  [
    { ConvertOOoTargetToPDFTarget: false },
    text(link('https://example.org/other.odt')),
    'fodt',
    has(/other\.odt/),
  ],
  [
    { ConvertOOoTargetToPDFTarget: true },
    text(link('sub/other.odt#x')),
    'fodt',
    has(/\/URI \(sub\/other\.pdf#x\)/),
  ],
  [
    {},
    text(link('sub/other.odt#x')),
    'fodt',
    has(/\/URI \(sub\/other\.odt#x\)/),
    lacks(/private:|document\.invalid/),
  ],
  [{ PDFViewSelection: 1 }, text(link('a.pdf')), 'fodt', has(/\/S \/GoToR/), has(/\/F \(a\.pdf\)/)],
  [{ PDFViewSelection: 2 }, text(link('a.pdf')), 'fodt', has(/\/S \/URI/), has(/\/URI \(a\.pdf\)/)],
  [{ ExportLinksRelativeFsys: true }, text(link('sub/a.odt')), 'fodt', has(/\/URI \(sub\/a\.odt\)/)],
  [{}, form, 'fodt', has(/\/AcroForm/), has(/\/FT \/Tx/)],
  [{ ExportFormFields: false }, form, 'fodt', lacks(/\/FT \/Tx/)],
  [{ FormsType: 0 }, form, 'fodt', has(/\/S \/SubmitForm/), lacks(/\/Flags (4|32|256)\s+\/S \/SubmitForm/)],
  [{ FormsType: 1 }, form, 'fodt', has(/\/Flags 256\s+\/S \/SubmitForm/)],
  [{ FormsType: 2 }, form, 'fodt', has(/\/Flags 4\s+\/S \/SubmitForm/)],
  [{ FormsType: 3 }, form, 'fodt', has(/\/Flags 32\s+\/S \/SubmitForm/)],
  [{}, form, 'fodt', has(/\/T \(Same\)/), has(/\/T \(Same_?[12]\)/)],
  [{ AllowDuplicateFieldNames: true }, form, 'fodt', lacks(/\/T \(Same_?[12]\)/)],
  [{}, text(note), 'fodt', has(/\/Subtype \/Text/)],
  [{ ExportNotes: false }, text(note), 'fodt', lacks(/\/Subtype \/Text/)],
  [{}, slides, 'fodp', pageCount(1)],
  [{ ExportNotesPages: true }, slides, 'fodp', pageCount(2), reported('pdftotext', /speaker notes/, '-')],
  [{}, slides, 'fodp', has(/\/Trans\b/)],
  [{ UseTransitionEffects: false }, slides, 'fodp', lacks(/\/Trans\b/)],
  [{ IsAddStream: true }, none, 'fodt', keeps('AdditionalStreams')],
  [{ IsAddStream: true, PageLayout: 1 }, none, 'fodt', keeps('AdditionalStreams')],
  [{}, none, 'fodt', lacks(/AdditionalStreams/)],
  [{}, rightPages, 'fodt', pageCount(3)],
  [{ IsSkipEmptyPages: true }, rightPages, 'fodt', pageCount(2)],
  [{}, wide, 'fodt', (file) => expect(widest(file)).toBe(600)],
  [
    { ReduceImageResolution: true, MaxImageResolution: 75 },
    wide,
    'fodt',
    (file) => expect(widest(file)).toBeLessThan(160),
  ],
  [
    { ReduceImageResolution: true, MaxImageResolution: 150 },
    wide,
    'fodt',
    (file) => expect(Math.abs(widest(file) - 295)).toBeLessThan(4),
  ],
  [{ MaxImageResolution: 75 }, wide, 'fodt', (file) => expect(widest(file)).toBe(600)],
  [{}, wide, 'fodt', reported('pdfimages', / image +8? +/, '-list'), lacks(/\/DCTDecode/)],
  [{ UseLosslessCompression: false }, wide, 'fodt', has(/\/DCTDecode/)],
  [{ UseTaggedPDF: true }, headings, 'fodt', has(/\/StructTreeRoot/), has(/\/Marked true/)],
  [{}, headings, 'fodt', lacks(/\/StructTreeRoot/)],
  [{ CenterWindow: true }, none, 'fodt', has(/\/CenterWindow true/)],
  [{ DisplayPDFDocumentTitle: true }, titled, 'fodt', has(/\/DisplayDocTitle true/)],
  [{}, titled, 'fodt', has(/\/DisplayDocTitle true/)],
  [{ DisplayPDFDocumentTitle: false }, titled, 'fodt', lacks(/\/DisplayDocTitle true/)],
  [{}, headings, 'fodt', has(/\/Outlines/), has(/\/Title <feff004f006e0065>/)],
  [{ ExportBookmarks: false }, headings, 'fodt', lacks(/\/Outlines/)],
  [{ OpenBookmarkLevels: -1 }, headings, 'fodt', has(/\/Count 1\b[\s\S]*\/Title|\/Title[\s\S]*\/Count 1\b/)],
  [{ OpenBookmarkLevels: 1 }, headings, 'fodt', has(/\/Count -1\b/)],
  [
    { ExportBookmarksToPDFDestination: true },
    text('<text:p><text:bookmark text:name="here"/>x</text:p>'),
    'fodt',
    has(/\/Dests/),
  ],
  [
    { ExportBookmarksToPDFDestination: false },
    text('<text:p><text:bookmark text:name="here"/>x</text:p>'),
    'fodt',
    lacks(/\/Dests/),
  ],
  [{ PageLayout: 1 }, none, 'fodt', has(/\/PageLayout \/SinglePage/)],
  [{ PageLayout: 2 }, none, 'fodt', has(/\/PageLayout \/OneColumn/)],
  [{ PageLayout: 3 }, none, 'fodt', has(/\/PageLayout \/TwoColumnRight/)],
  [{ PageLayout: 3, FirstPageOnLeft: true }, none, 'fodt', has(/\/PageLayout \/TwoColumnLeft/)],
  [{ HideViewerMenubar: true }, none, 'fodt', has(/\/HideMenubar true/)],
  [{ HideViewerToolbar: true }, none, 'fodt', has(/\/HideToolbar true/)],
  [{ HideViewerWindowControls: true }, none, 'fodt', has(/\/HideWindowUI true/)],
  [{ ResizeWindowToInitialPage: true }, none, 'fodt', has(/\/FitWindow true/)],
  [{ OpenInFullScreenMode: true }, none, 'fodt', has(/\/PageMode \/FullScreen/)],
  [{ InitialView: 1 }, none, 'fodt', has(/\/PageMode \/UseOutlines/)],
  [{ InitialView: 2 }, none, 'fodt', has(/\/PageMode \/UseThumbs/)],
  [{ InitialPage: 2, Magnification: 1 }, pages(3), 'fodt', has(/\/OpenAction \[\s*\d+ 0 R\s*\/Fit\s*\]/)],
  [{ Magnification: 2 }, none, 'fodt', has(/\/OpenAction \[\s*\d+ 0 R\s*\/FitH/)],
  [{ Magnification: 3 }, none, 'fodt', has(/\/OpenAction \[\s*\d+ 0 R\s*\/FitBH/)],
  [
    { Magnification: 4, Zoom: 150 },
    none,
    'fodt',
    has(/\/OpenAction \[\s*\d+ 0 R\s*\/XYZ\s+\S+\s+\S+\s+1\.5/),
  ],
  [{ PDFViewSelection: 0 }, text(link('https://example.org/a.pdf')), 'fodt', has(/\/S \/URI/)],
  [{ PDFViewSelection: 1 }, text(link('file:///srv/a.pdf')), 'fodt', has(/\/S \/GoToR/)],
  [{ PDFViewSelection: 2 }, text(link('file:///srv/a.pdf')), 'fodt', has(/\/S \/URI/)],
  [{ ExportLinksRelativeFsys: true }, text(link('file:///srv/sub/a.pdf')), 'fodt', lacks(/file:\/\/\/srv/)],
  [
    { ExportLinksRelativeFsys: false },
    text(link('file:///srv/sub/a.pdf')),
    'fodt',
    has(/file:\/\/\/srv\/sub\/a\.pdf/),
  ],
  [
    { PageRange: '1-3,5,7-' },
    pages(9),
    'fodt',
    pageCount(7),
    reported('pdftotext', /page 3\s+page 5\s+page 7\s+page 8\s+page 9\s*$/, '-'),
  ],
  [{ PageRange: '2' }, pages(3), 'fodt', pageCount(1)],
  [
    { PageRange: '3-1, 5' },
    pages(6),
    'fodt',
    reported('pdftotext', /page 3\s+page 2\s+page 1\s+page 5\s*$/, '-'),
  ],
  [{ PageRange: '2-99' }, pages(3), 'fodt', pageCount(2)],
  [{ Watermark: 'Draft' }, none, 'fodt', reported('pdftotext', /D\nt\n\nra\nf/, '-')],
  [
    { Watermarks: [{ text: '{#PAGE_NUMBER}/{#PAGE_TOTAL}', anchor: 'top' }] },
    pages(2),
    'fodt',
    reported('pdftotext', /1\/2[\s\S]*2\/2/, '-'),
  ],
  [
    { EncryptFile: true, DocumentOpenPassword: 'secret' },
    none,
    'fodt',
    reported('pdfinfo', /Encrypted: +yes .*algorithm:AES-256/, '-upw', 'secret'),
  ],
  [
    {
      RestrictPermissions: true,
      PermissionPassword: 'p',
      Printing: 0,
      Changes: 0,
      EnableCopyingOfContent: false,
    },
    none,
    'fodt',
    reported('pdfinfo', /print:no copy:no change:no addNotes:no/),
  ],
  [
    { SelectPdfVersion: 20, EncryptFile: true, DocumentOpenPassword: 's' },
    none,
    'fodt',
    header('2.0'),
    reported('pdfinfo', /AES-256/, '-upw', 's'),
  ],
]

describe('every PDF option of the specification shows in the file', () => {
  it.each(
    cases.map(
      ([options, document, from, ...checks], at) =>
        [JSON.stringify(options), at, { options, document, from, checks }] as const,
    ),
  )('%s (%i)', async (_, __, { options, document, from, checks }) => {
    const file = await make(document, from, options)
    expect(file.warnings).toEqual([])
    if (options['EncryptFile'] === undefined)
      expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
    for (const check of checks) check(file)
  })

  it('Quality decides how large a JPEG is', async () => {
    const size = async (Quality: number) =>
      (await make(wide, 'fodt', { UseLosslessCompression: false, Quality })).bytes.length
    expect(await size(5)).toBeLessThan((await size(95)) / 2)
  })
})

describe('a PDF that an office draws anew', () => {
  const linked = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/Names<</Dests<</Names[(top)[3 0 R/Fit]]>>>>/AcroForm<</Fields[9 0 R]/DA(/F 0 Tf)>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[8 0 R 9 0 R]>>',
    stream('BT /F 24 Tf 20 100 Td (Words) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>',
    '<</Title(Top)/Parent 6 0 R/Dest(top)>>',
    '<</Type/Annot/Subtype/Link/Rect[20 90 90 130]/A<</S/URI/URI(http://a.example/)>>>>',
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(x)/DA(/F 9 Tf)/Rect[0 0 90 20]/P 3 0 R>>',
  ])
  it('is reported with what was lost', async () => {
    const file = await make(linked, 'pdf', { SelectPdfVersion: 2 })
    const counts = [/\/Title \(Top\)/, /\/Subtype \/Widget/, /\(top\)/].map((part) => part.test(file.text))
    const lost = file.warnings.find((message) => message.includes('which lost')) ?? ''
    // Each is either in the file or in the warning.
    expect(counts).toEqual([/bookmark/, /form field/, /named destination/].map((part) => !part.test(lost)))
    expect(lost).toContain('a bookmark')
  })
})

describe('a file that is PDF already', () => {
  const source = new Uint8Array(
    readFileSync(new URL('../../../fixtures/pdf/page-orientation.pdf', import.meta.url)),
  )
  const again = async (options: Readonly<Record<string, unknown>>) => {
    const { value, engines } = await converter.convert({
      source: fromBytes(source),
      from: 'pdf',
      to: 'pdf',
      options,
      // As the specification asks for it (4.11): there is nothing in a PDF that could be refreshed.
      hardRefresh: true,
      deadline: Date.now() + 200_000,
      signal: new AbortController().signal,
    })
    return { file: pdfFile(await bytesOf(value)), engines }
  }
  it.each<[Record<string, unknown>, ...Check[]]>([
    [{ SelectPdfVersion: 20 }, header('2.0'), has(/<pdf:Producer>/)],
    [{ SelectPdfVersion: 17 }, header('1.7')],
    [{ InitialPage: 3, Magnification: 2 }, has(/\/OpenAction \[\s*\d+ 0 R\s*\/FitH/)],
    [{ Magnification: 4, Zoom: 75 }, has(/\/OpenAction \[\s*\d+ 0 R\s*\/XYZ\s+\S+\s+\S+\s+0?\.75/)],
    [{ InitialView: 2, HideViewerToolbar: true }, has(/\/PageMode \/UseThumbs/), has(/\/HideToolbar true/)],
    [
      { OpenInFullScreenMode: true, InitialView: 1 },
      has(/\/PageMode \/FullScreen/),
      has(/\/NonFullScreenPageMode \/UseOutlines/),
    ],
    [{ PageLayout: 3, FirstPageOnLeft: true }, has(/\/TwoColumnLeft/)],
    [
      { DisplayPDFDocumentTitle: true, CenterWindow: true, ResizeWindowToInitialPage: true },
      has(/\/DisplayDocTitle true/),
      has(/\/CenterWindow true/),
      has(/\/FitWindow true/),
    ],
    [{ RestrictPermissions: true, PermissionPassword: 'p', Printing: 0 }, reported('pdfinfo', /print:no/)],
  ])('%j needs no engine and does not change the pages', async (options, ...checks) => {
    const { file, engines } = await again(options)
    expect(engines).toEqual([])
    for (const check of checks) check(file)
    expect(file.ask('pdftotext', '-layout', '-')).toBe(pdfFile(source).ask('pdftotext', '-layout', '-'))
    expect(file.ask('pdffonts').split('\n').length).toBe(pdfFile(source).ask('pdffonts').split('\n').length)
  })
  it('cannot open on a page that it does not have', async () => {
    await expect(again({ InitialPage: 9 })).rejects.toThrow(
      'Invalid option InitialPage: must be one of the 3 pages.',
    )
  })
})

const refused: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ SelectPdfVersion: 5 }, 'Invalid option SelectPdfVersion: must be one of 0, 1, 2, 3, 4, 15, 16, 17, 20.'],
  [
    { SelectPdfVersion: '2' },
    'Invalid option SelectPdfVersion: must be one of 0, 1, 2, 3, 4, 15, 16, 17, 20.',
  ],
  [
    { SelectPdfVersion: 20, PDFUACompliance: true },
    'Invalid option SelectPdfVersion: cannot be 20 with PDF/UA, which is a file of PDF 1.7.',
  ],
  [{ ExportNotes: 'yes' }, 'Invalid option ExportNotes: must be true or false.'],
  [{ FormsType: 4 }, 'Invalid option FormsType: must be an integer from 0 to 3.'],
  [{ MaxImageResolution: 100 }, 'Invalid option MaxImageResolution: must be one of 75, 150, 300, 600, 1200.'],
  [{ Quality: 101 }, 'Invalid option Quality: must be an integer from 1 to 100.'],
  [{ Zoom: 5 }, 'Invalid option Zoom: must be an integer from 10 to 1600.'],
  [{ InitialPage: 0 }, 'Invalid option InitialPage: must be an integer from 1 to 100000.'],
  [{ PageRange: 'all' }, 'Invalid option PageRange: must be a list of pages such as 1-3,5,7-.'],
  [{ NoSuchOption: 1 }, 'Invalid option NoSuchOption: there is no such option.'],
]
it.each([
  [{ PageRange: '9-' }, 'Invalid option PageRange: must name at least one page of the document.'],
  [{ InitialPage: 9 }, 'Invalid option InitialPage: must be one of the 4 pages.'],
  [{ InitialPage: 4, PageRange: '1-3' }, 'Invalid option InitialPage: must be one of the 3 pages.'],
])('%j is refused where the document has no such page', async (options, message) => {
  await expect(make(pages(4), 'fodt', options)).rejects.toThrow(message)
})

it.each(refused)('%j is refused by name and range', async (options, message) => {
  const error = await make(none, 'fodt', options).then(
    () => 'no error',
    (reason: unknown) => (reason instanceof AppError ? reason.message : String(reason)),
  )
  expect(error).toBe(message)
})

describe('reduced pictures', () => {
  it('never make a file larger: a JPEG that is reduced and written without loss would', async () => {
    const side = 400
    const noise = Buffer.from(
      Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 7919 * (at % 251)) >> 3),
    )
    const jpeg = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
      .jpeg({ quality: 15 })
      .toBuffer()
    const document = text(
      `<text:p><draw:frame text:anchor-type="as-char" svg:width="5cm" svg:height="5cm"><draw:image><office:binary-data>${jpeg.toString('base64')}</office:binary-data></draw:image></draw:frame></text:p>`,
    )
    const convert = async (
      options: Record<string, unknown>,
      from = 'fodt',
      source: Uint8Array = new TextEncoder().encode(document),
    ) => {
      const made = await converter.convert({
        source: fromBytes(source.slice()),
        from,
        to: 'pdf',
        letter: 'L',
        options,
        deadline: Date.now() + 200_000,
        signal: new AbortController().signal,
      })
      return { bytes: await bytesOf(made.value), codes: made.warnings.map(({ code }) => code) }
    }
    const whole = await convert({})
    const reduced = await convert({ ReduceImageResolution: true, MaxImageResolution: 150 })
    expect(reduced.bytes.length).toBeLessThanOrEqual(whole.bytes.length)
    expect(reduced.codes).toEqual(['pdf.pictures-kept'])
    const lossy = await convert({
      ReduceImageResolution: true,
      MaxImageResolution: 75,
      UseLosslessCompression: false,
      Quality: 10,
    })
    expect(lossy.bytes.length).toBeLessThan(whole.bytes.length)
    expect(lossy.codes).toEqual([])
    const again = await convert({ ReduceImageResolution: true, MaxImageResolution: 150 }, 'pdf', whole.bytes)
    expect(again.bytes.length).toBeLessThanOrEqual(whole.bytes.length)
  })
})
