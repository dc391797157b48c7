import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notOfKind } from '../../../helpers/content-kind.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice, type Office } from './office.ts'
import { flat, flatDrawing, flatSheet, flatSlides, flatText } from './samples.ts'

let office: Office
const folder = temporaryFolder('output-test')
beforeAll(async () => {
  office = createOffice()
  await office.engine.start?.()
})
afterAll(async () => {
  await office.engine.stop?.()
  rmSync(folder, { recursive: true, force: true })
})

const pages = (count: number) =>
  flat(
    'text',
    'text',
    Array.from({ length: count }, (_, at) => `<text:p text:style-name="B">Page ${at + 1}</text:p>`).join(''),
    '<office:automatic-styles><style:style style:name="B" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>',
  )
/** What a tool of poppler or qpdf says about a PDF. */
function ask(tool: string, pdf: Uint8Array, ...options: readonly string[]): string {
  const path = join(folder, 'asked.pdf')
  writeFileSync(path, pdf)
  return execFileSync(tool, tool === 'pdftotext' ? [...options, path, '-'] : [...options, path]).toString()
}
const pdf = async (source: string, options: Record<string, unknown>) =>
  (await office.convert(source, 'fodt', 'pdf', { options })).bytes
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const note = (id: string, kind: string) =>
  `<text:note text:id="${id}" text:note-class="${kind}"><text:note-citation>1</text:note-citation><text:note-body><text:p>SMALL</text:p></text:note-body></text:note>`
const noted = flat(
  'text',
  'text',
  `<text:p>Body${note('a', 'footnote')}${note('b', 'endnote')}<office:annotation><text:p>SMALL</text:p></office:annotation></text:p>`,
)
const withEquation = flat(
  'text',
  'text',
  '<text:p>Body <draw:frame draw:name="E" text:anchor-type="as-char" svg:width="1cm" svg:height="1cm"><draw:object><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>SMALL</mi></math></draw:object></draw:frame></text:p>',
)

describe('PDF', () => {
  it.each<[string, readonly number[]]>([
    ['1-3,5,7-', [1, 2, 3, 5, 7, 8]],
    ['2', [2]],
    ['-2', [1, 2]],
    ['7-12', [7, 8]],
  ])('page range %s', async (PageRange, expected) => {
    const shown = ask('pdftotext', await pdf(pages(8), { PageRange }))
    expect([...shown.matchAll(/Page (\d+)/g)].map((match) => Number(match[1]))).toEqual(expected)
  })

  it.each<[Record<string, unknown>, string, RegExp, readonly string[]]>([
    [{ SelectPdfVersion: 15 }, 'pdfinfo', /PDF version:\s+1\.5/, []],
    [{ SelectPdfVersion: 16 }, 'pdfinfo', /PDF version:\s+1\.6/, []],
    [{}, 'pdfinfo', /PDF version:\s+1\.6/, []],
    [{ UseTaggedPDF: true }, 'pdfinfo', /Tagged:\s+yes/, []],
    [{}, 'pdfinfo', /Tagged:\s+no/, []],
    [{ SelectPdfVersion: 2 }, 'pdfinfo', /pdfaid:part(>|=")2/, ['-meta']],
    [{ SelectPdfVersion: 3 }, 'pdfinfo', /pdfaid:part(>|=")3/, ['-meta']],
    [{ PDFUACompliance: true }, 'pdfinfo', /pdfuaid:part(>|=")1/, ['-meta']],
    [{ Watermark: 'DRAFT' }, 'pdftotext', /D\s*R\s*A\s*F\s*T/, []],
    [
      { RestrictPermissions: true, PermissionPassword: 'p', Printing: 0 },
      'pdfinfo',
      /Encrypted:.*print:no/,
      [],
    ],
    [{ HideViewerToolbar: true }, 'qpdf', /"\/HideToolbar": true/, ['--json=2']],
    [{ InitialView: 1 }, 'qpdf', /"\/PageMode": "\/UseOutlines"/, ['--json=2']],
    [{ PageLayout: 2 }, 'qpdf', /"\/PageLayout": "\/OneColumn"/, ['--json=2']],
  ])('%j is visible in %s', async (options, tool, expected, more) => {
    expect(ask(tool, await pdf(flatText, options), ...more)).toMatch(expected)
  })

  it('has no outline when bookmarks are off, and one when they are on', async () => {
    expect(ask('qpdf', await pdf(flatText, { ExportBookmarks: false }), '--json=2')).not.toContain(
      '"/Outlines"',
    )
    expect(ask('qpdf', await pdf(flatText, {}), '--json=2')).toContain('"/Outlines"')
  })

  it('uses the stand-ins of the alias table', async () => {
    const styles = ['Calibri', 'Arial', 'Tahoma', 'Cambria']
    const automatic = styles.map(
      (family) =>
        `<style:style style:name="${family}" style:family="paragraph"><style:text-properties fo:font-family="${family}"/></style:style>`,
    )
    const source = flat(
      'text',
      'text',
      styles.map((family) => `<text:p text:style-name="${family}">${family}</text:p>`).join(''),
      `<office:automatic-styles>${automatic.join('')}</office:automatic-styles>`,
    )
    const fonts = ask('pdffonts', await pdf(source, {}))
    for (const family of ['Carlito', 'LiberationSans', 'Caladea']) expect(fonts).toContain(family)
    expect(fonts).not.toContain('Noto')
  })
})

describe('pictures', () => {
  const size = (png: Uint8Array) => {
    const view = new DataView(png.buffer, png.byteOffset)
    return [view.getUint32(16), view.getUint32(20)]
  }
  it('have the requested size', async () => {
    const { bytes } = await office.convert(flatSlides, 'fodp', 'png', {
      options: { PixelWidth: 320, PixelHeight: 180 },
    })
    expect(size(bytes)).toEqual([320, 180])
  })
  it('keep their shape when one side is given', async () => {
    const whole = size((await office.convert(flatSlides, 'fodp', 'png')).bytes) as [number, number]
    const { bytes } = await office.convert(flatSlides, 'fodp', 'png', { options: { PixelWidth: 200 } })
    const [width, height] = size(bytes) as [number, number]
    expect(width).toBe(200)
    expect(Math.abs(height / width - whole[1] / whole[0])).toBeLessThan(0.02)
  })
  it('are one for each slide', async () => {
    for (const to of ['png', 'svg', 'emf', 'svm', 'webp', 'eps']) {
      const { pages, warnings } = await office.convert(flatSlides, 'fodp', to)
      expect(pages.length, to).toBe(2)
      expect(Buffer.compare(pages[0] as Uint8Array, pages[1] as Uint8Array), to).not.toBe(0)
      expect(warnings).toEqual([])
    }
  })
})

describe('text and tables', () => {
  it.each([
    ['fodt', noted, '2 notes and one comment'],
    ['docx', noted, '2 notes and one comment'],
    ['rtf', '{\\rtf1 Body{\\footnote SMALL}}', 'one note'],
    ['html', '<p>Body<!-- SMALL --></p>', ''],
    ['fodt', withEquation, 'one equation'],
    ['docx', withEquation, 'one equation'],
  ])('plain text of %s warns about what it omits', async (from, source, left) => {
    const given = from === 'docx' ? (await office.convert(source, 'fodt', 'docx')).bytes : source
    const { bytes, warnings } = await office.convert(given, from, 'txt')
    expect(text(bytes)).toContain('Body')
    expect(text(bytes)).not.toContain('SMALL')
    const message = `LibreOffice omits ${left} from plain text. Convert to Markdown to keep them.`
    expect(warnings).toEqual(left === '' ? [] : [{ code: 'convert.notes-lost', message }])
    expect((await office.convert(given, from, 'odt')).warnings).toEqual([])
  })
  it('CSV warns when it omits sheets', async () => {
    const sheets = flatSheet.replace(
      /<table:table [\s\S]*<\/table:table>/,
      (one) => one + one.replace('Sales', 'More'),
    )
    const { warnings } = await office.convert(sheets, 'fods', 'csv')
    expect(warnings.map(({ code }) => code)).toEqual(['convert.first-page-only'])
  })
  it('CSV takes separator, delimiter and character set', async () => {
    const options = { fieldSeparator: ';', characterSet: '1' }
    const { bytes } = await office.convert(flatSheet, 'fods', 'csv', { options })
    expect(new TextDecoder('windows-1252').decode(bytes)).toBe('Größe;20;40\n')
    expect(text((await office.convert(flatSheet, 'fods', 'csv')).bytes)).toBe('Größe,20,40\n')
  })
  it('CSV keeps formula-like data as text with escapeFormulae', async () => {
    const sheet = new TextEncoder().encode('=1+1,x\n"@SUM(A1)",-5\n')
    const plain = await office.convert(sheet, 'csv', 'ods')
    const options = { escapeFormulae: true, fieldSeparator: ';' }
    const { bytes } = await office.convert(plain.bytes, 'ods', 'csv', { options })
    expect(text(bytes)).toBe("'=1+1;x\n'@SUM(A1);-5\n")
    // Without the option it is text too, which nothing computes.
    expect(text((await office.convert(plain.bytes, 'ods', 'csv')).bytes)).toContain('=1+1,x')
    const { bytes: page } = await office.convert(sheet, 'csv', 'html')
    expect(text(page)).toContain('=1+1')
  })
  it('CSV is read with its own separator and characters', async () => {
    const source = Uint8Array.from('Gr\xf6\xdfe;1,5\nx;2,5\n', (character) => character.charCodeAt(0))
    const { bytes } = await office.convert(source, 'csv', 'html')
    expect(text(bytes)).toMatch(/Größe|Gr&ouml;&szlig;e/)
    expect(text(bytes).match(/<td/gi)?.length).toBe(4)
  })
  it('UOF takes sheets with conditional formats, as large as they are', async () => {
    const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`
    const sheet = (cells: string) =>
      flat(
        'spreadsheet',
        'spreadsheet',
        `<table:table table:name="S">${row(cells)}</table:table>`,
        `<office:styles><style:style style:name="Red" style:family="table-cell"/></office:styles>
         <office:automatic-styles><style:style style:name="c" style:family="table-cell"><style:map style:condition="cell-content()&gt;5" style:apply-style-name="Red" style:base-cell-address="S.A1"/></style:style></office:automatic-styles>`,
      )
    const number =
      '<table:table-cell table:style-name="c" office:value-type="float" office:value="17"><text:p>17</text:p></table:table-cell>'
    expect(text((await office.convert(sheet(number), 'fods', 'uos')).bytes)).toMatch(/uof:UOF[\s\S]+>17</)
    const wide = sheet(`<table:table-cell table:number-columns-repeated="300"/>${number}`)
    expect(text((await office.convert(wide, 'fods', 'uos')).bytes)).toMatch(/uof:UOF[\s\S]+>17</)
    const far = `${row(number)}${row('<table:table-cell/>').replace('>', ' table:number-rows-repeated="70000">')}${row(number)}`
    const long = sheet(number).replace(row(number), far)
    expect(text((await office.convert(long, 'fods', 'uos')).bytes).match(/>17</g)).toHaveLength(2)
  })
  it.each([
    ['pptx', 'xhtml'],
    ['pptx', 'uop'],
    ['odg', 'xhtml'],
  ])('text of shapes of %s is in %s', async (from, to) => {
    const [kind, source] = from === 'odg' ? (['fodg', flatDrawing] as const) : (['fodp', flatSlides] as const)
    const { bytes } = await office.convert(source, kind, from)
    const made = text((await office.convert(bytes, from, to)).bytes)
    expect(made).toContain(from === 'odg' ? 'Box' : 'First slide')
  })
  it.each([
    ['fodt', 'ott', 'odt'],
    ['fods', 'ots', 'ods'],
    ['fodp', 'otp', 'odp'],
    ['fodg', 'otg', 'odg'],
  ] as const)('%s: the result of an %s is not a template any more', async (flat, from, to) => {
    const { bytes } = await office.convert(
      { fodt: flatText, fods: flatSheet, fodp: flatSlides, fodg: flatDrawing }[flat],
      flat,
      from,
    )
    expect(await notOfKind(to, (await office.convert(bytes, from, to)).bytes)).toBeUndefined()
  })
  it('UOF keeps headings in lists, sections and indexes', async () => {
    const source = flat(
      'text',
      'text',
      `<text:list><text:list-item><text:h text:outline-level="1">Heading in a list</text:h></text:list-item></text:list>
       <text:section text:name="A"><text:p>In a section</text:p><text:section text:name="B"><text:p>In another</text:p></text:section></text:section>
       <text:illustration-index text:name="I"><text:illustration-index-source/><text:index-body><text:index-title text:name="T"><text:p>Figures</text:p></text:index-title><text:p>Figure 1</text:p></text:index-body></text:illustration-index>
       <text:p>Behind it</text:p>`,
    )
    const made = text((await office.convert(source, 'fodt', 'uot')).bytes)
    // Its page has a size: the sheets know no inches, which the office writes.
    expect(made).toMatch(/uof:宽度="2\d\.\d+"/)
    const said = [...made.matchAll(/<字:文本串[^>]*>([^<]+)/g)].map(([, part]) => part).join('|')
    expect(said).toMatch(/Heading in a list\|In a section\|In another\|Figures\|Figure 1\|Behind it/)
  })

  it('Word 2003 has the text of spans in spans, in its order', async () => {
    const span = (name: string, content: string) =>
      `<text:span text:style-name="${name}">${content}</text:span>`
    const styles = ['A', 'B']
      .map(
        (name) =>
          `<style:style style:name="${name}" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>`,
      )
      .join('')
    const inner = `b${span('B', `c${span('A', 'd')}`)}e${span('B', 'f')}`
    const source = flat(
      'text',
      'text',
      `<text:p>a${span('A', inner)}g<text:tab/>${span('A', span('B', 'h'))}</text:p>`,
    ).replace('<office:body>', `<office:automatic-styles>${styles}</office:automatic-styles>$&`)
    const made = text((await office.convert(source, 'fodt', 'ooxml')).bytes)
    expect([...made.matchAll(/<w:t>([^<]+)/g)].map(([, part]) => part).join('')).toBe('abcdefgh')
  })

  it('HTML has no control characters around its text', async () => {
    const control = '<loext:content-control>filled</loext:content-control>'
    const source = flat('text', 'text', `<text:p>a ${control} b</text:p>`).replace(
      'xmlns:of=',
      'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" xmlns:of=',
    )
    const html = text((await office.convert(source, 'fodt', 'html')).bytes)
    expect(html).toContain('filled')
    expect(html).not.toMatch(/(?![\t\n\r])\p{Cc}/u)
  })

  it('UTF-8 HTML that does not say so keeps its letters', async () => {
    const { bytes } = await office.convert('<html><body><p>Grüße €</p></body></html>', 'html', 'txt')
    expect(text(bytes)).toContain('Grüße €')
  })
  it('HTML from a document holds its pictures itself', async () => {
    expect(text((await office.convert(flatText, 'fodt', 'html')).bytes)).toContain('data:image/png;base64,')
  })
})

describe('refreshing', () => {
  const contents = `<text:table-of-content text:name="C" text:protected="true"><text:table-of-content-source text:outline-level="3"/><text:index-body><text:p>OLD ENTRY</text:p></text:index-body></text:table-of-content><text:h text:outline-level="1">New chapter</text:h>`
  it('updates the table of contents, also into the same format', async () => {
    const source = flat('text', 'text', contents)
    const stale = text((await office.convert(source, 'fodt', 'txt')).bytes)
    expect(stale).toContain('OLD ENTRY')
    for (const to of ['txt', 'fodt']) {
      const { bytes } = await office.convert(source, 'fodt', to, { options: { hardRefresh: true } })
      expect(text(bytes)).not.toContain('OLD ENTRY')
      expect(text(bytes).split('New chapter').length).toBeGreaterThan(2)
    }
  })
  it.each([
    ['fodt', ''],
    ['fodt', '<text:index-title text:name="T"><text:p>Contents</text:p></text:index-title>'],
    ['docx', ''],
  ])('warns of a table of contents of %s that is empty afterwards, titled %j', async (from, titleOf) => {
    const source = flat('text', 'text', contents.replace('<text:index-body>', `<text:index-body>${titleOf}`))
    const given = (text: string) =>
      from === 'docx'
        ? office.convert(text, 'fodt', 'docx').then(({ bytes }) => bytes)
        : Promise.resolve(text)
    const refreshed = async (text: string) =>
      (await office.convert(await given(text), from, 'pdf', { options: { hardRefresh: true } })).warnings
    expect(await refreshed(source)).toEqual([])
    const empty = source.replace(/<text:h .*?<\/text:h>/, '<text:p>Text</text:p>')
    expect((await refreshed(empty)).map(({ code }) => code)).toEqual(['layout.contents-empty'])
  })
  it('updates page numbers, into every text format and through DOCX', async () => {
    const lines = Array.from({ length: 120 }, (_, at) => `<text:p>Line ${at}</text:p>`).join('')
    const source = flat(
      'text',
      'text',
      `<text:p>of <text:page-count>99</text:page-count> pages</text:p>${contents}${lines}`,
    )
    const docx = (await office.convert(source, 'fodt', 'docx')).bytes
    for (const [bytes, from] of [
      [new TextEncoder().encode(source), 'fodt'],
      [docx, 'docx'],
    ] as const)
      for (const to of ['fodt', 'docx']) {
        const refreshed = (await office.convert(bytes, from, to, { options: { hardRefresh: true } })).bytes
        const shown = text((await office.convert(refreshed, to, 'txt')).bytes)
        expect(shown, `${from} to ${to}`).toMatch(/of 3 pages/)
        expect(shown).not.toContain('OLD ENTRY')
        expect(shown.split('New chapter').length).toBeGreaterThan(2)
      }
  })
  it('keeps the rest of the document as it was', async () => {
    const { bytes } = await office.convert(flatText, 'fodt', 'docx')
    const again = (await office.convert(bytes, 'docx', 'docx', { options: { hardRefresh: true } })).bytes
    const [before, after] = await Promise.all(
      [bytes, again].map(async (one) => text((await office.convert(one, 'docx', 'txt')).bytes)),
    )
    expect(after).toBe(before)
  })
  it('computes formulas also into the same format', async () => {
    const wrong = flatSheet.replace('office:value="40"><text:p>40', 'office:value="7"><text:p>7')
    for (const to of ['fods', 'xlsx', 'ods']) {
      const made =
        to === 'fods' ? new TextEncoder().encode(wrong) : (await office.convert(wrong, 'fods', to)).bytes
      const { bytes } = await office.convert(made, to, to, { options: { hardRefresh: true } })
      expect(text((await office.convert(bytes, to, 'csv')).bytes), to).toBe('Größe,20,40\n')
    }
  })
  it('computes formulas whose stored values are wrong', async () => {
    const { bytes } = await office.convert(
      flatSheet.replace('office:value="40"><text:p>40', 'office:value="7"><text:p>7'),
      'fods',
      'csv',
      { options: { hardRefresh: true } },
    )
    expect(text(bytes)).toBe('Größe,20,40\n')
  })
})
