/**
 * PDF/A and PDF/UA by engine I, held against the clauses of the standards (`test/helpers/conformance`), which reads the
 * files with qpdf; and what poppler reads of their structure.
 */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import type { EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { anchor, footnote, mixed, wordFile } from '../../../cases/reference/word.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { paragraphOf, shapeOf } from '../../../helpers/deck-layout.ts'
import { testHost } from '../../../helpers/host.ts'
import { shippedSource } from '../../../helpers/instant-fonts.ts'
import { pptxOf, pptxTable } from '../../../helpers/pptx.ts'
import { xlsxOf } from '../../../helpers/xlsx.ts'
import { createPdfMaker } from '../libreoffice/pdf-files.ts'

const { converter, make } = createPdfMaker(instant as EnginePlugin, {
  ...testHost(formats),
  codec: nodeCodec,
  fonts: () => shippedSource,
})
afterAll(() => converter.stop())

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
const sources = [
  ['a letter', 'docx', 'templates/letter/template.docx'],
  ['an invoice', 'docx', 'templates/invoice/template.docx'],
  ['a report with pictures', 'docx', 'corpus/evotecit__word-business-delivery-summary.docx'],
  ['tables', 'docx', 'corpus/docling-project__word_tables.docx'],
  ['lists', 'docx', 'corpus/gyselroth__policy_with_bullets.docx'],
  ['an older text with pictures', 'odt', 'corpus/docling-project__text_document_03.odt'],
] as const
/** What only an author can provide: a warning reports it where it is missing. */
const ofAuthors = /^7\.1: no title|^7\.2: no language|^7\.3: Figure/

describe.each(sources)('%s', (_, from, path) => {
  it.each([
    [{ SelectPdfVersion: 2 }, 2],
    [{ SelectPdfVersion: 3, PageRange: '1' }, 3],
    [{ SelectPdfVersion: 4, UseTaggedPDF: true }, 4],
  ] as const)('%j', async (options, part) => {
    const file = await make(fixture(path), from, options)
    expect(archiveProblems(file.bytes, part)).toEqual([])
    expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
  })

  it.each([{ PDFUACompliance: true }, { PDFUACompliance: true, SelectPdfVersion: 2 }])(
    '%j',
    async (options) => {
      const file = await make(fixture(path), from, options)
      const problems = accessibleProblems(file.bytes)
      expect(problems.filter((problem) => !ofAuthors.test(problem))).toEqual([])
      if ('SelectPdfVersion' in options) expect(archiveProblems(file.bytes, 2)).toEqual([])
      const isReported = file.warnings.some((warning) => warning.includes('requires the language'))
      expect(isReported).toBe(problems.includes('7.2: no language'))
      // Nothing is left for the stage behind to guess.
      expect(file.warnings.filter((warning) => warning.includes('was tagged as paragraphs'))).toEqual([])
      expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
    },
  )

  it('the structure does not change the pages', async () => {
    const [plain, tagged] = [
      await make(fixture(path), from, {}),
      await make(fixture(path), from, { UseTaggedPDF: true }),
    ]
    expect(tagged.ask('pdftotext', '-bbox', '-')).toBe(plain.ask('pdftotext', '-bbox', '-'))
    expect(plain.text).not.toContain('StructTreeRoot')
  })
})

it('headings, tables, lists and links have different tags; headers are artifacts', async () => {
  const p = (content: string, look = '') => `<w:p><w:pPr>${look}</w:pPr>${content}</w:p>`
  const r = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const cell = (text: string) => `<w:tc>${p(r(text))}</w:tc>`
  const file = await make(
    await wordFile({
      header: p(r('letterhead')),
      numbering:
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
      body:
        p(r('Title'), '<w:outlineLvl w:val="2"/>') +
        p(
          `${r('see ')}<w:hyperlink w:anchor="there">${r('there')}</w:hyperlink><w:bookmarkStart w:id="1" w:name="there"/><w:bookmarkEnd w:id="1"/>`,
        ) +
        p(r('item'), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
        `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('head')}${cell('')}</w:tr><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>${p(r('end'))}`,
    }),
    'docx',
    { PDFUACompliance: true },
  )
  const said = file
    .ask('pdfinfo', '-struct-text')
    .replace(/ \(\w+\)|:$|^ *\/.*\n/gm, '')
    .replace(/\s+/g, ' ')
  expect(said).toContain('H1 "Title"')
  expect(said).toMatch(/P "see " Link (Object \d+ \d+ )?"there"/)
  expect(said).toMatch(/LI Lbl "1\." LBody P "item"/)
  expect(said).toContain('TR TH P "head" TH TR TD P "a" TD P "b"')
  expect(said).not.toContain('letterhead')
  expect(accessibleProblems(file.bytes).filter((problem) => !ofAuthors.test(problem))).toEqual([])
})

describe('slides and sheets', () => {
  const saidOf = (file: Awaited<ReturnType<typeof make>>) =>
    file
      .ask('pdfinfo', '-struct-text')
      .replace(/ \(\w+\)|:$|^ *\/.*\n/gm, '')
      .replace(/\s+/g, ' ')
  const promised = { PDFUACompliance: true, SelectPdfVersion: 2 } as const
  const keptIn = (file: Awaited<ReturnType<typeof make>>): void => {
    expect(accessibleProblems(file.bytes).filter((problem) => !ofAuthors.test(problem))).toEqual([])
    expect(archiveProblems(file.bytes, 2)).toEqual([])
    expect(file.warnings.filter((warning) => warning.includes('was tagged as paragraphs'))).toEqual([])
    expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
  }

  it.each([
    ['pptx', 'real/unstructured-io__sample-presentation.pptx'],
    ['xlsx', 'real/aspose-cells__FinancialPlan.xlsx'],
    ['xlsx', 'real/phpoffice__32readwriteComboChart1.xlsx'],
  ])('of %s conform: %s', async (from, path) => keptIn(await make(fixture(path), from, promised)))

  it('slides are sections with a heading, lists, tables and pictures with their texts', async () => {
    const placeholder = '<p:nvPr><p:ph type="title"/></p:nvPr>'
    const fill = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    const described = shapeOf({ box: [10, 400, 50, 50], properties: fill }).replace(
      'name="Shape"',
      'name="Shape" descr="a box"',
    )
    const bullet = (text: string) => paragraphOf(text, { properties: '<a:buChar char="-"/>' })
    const file = await make(
      await pptxOf(
        [
          shapeOf({ names: placeholder, paragraphs: paragraphOf('Title') }) +
            shapeOf({
              body: '<a:bodyPr><a:normAutofit/></a:bodyPr>',
              paragraphs: bullet('one') + bullet('two').repeat(20),
            }) +
            described,
          pptxTable(5, ['head', 'more'], ['a', 'b']).replace('<a:tblPr', '<a:tblPr firstRow="1"'),
        ],
        { layout: shapeOf({ paragraphs: paragraphOf('repeated') }) },
      ),
      'pptx',
      promised,
    )
    keptIn(file)
    const said = saidOf(file)
    expect(said).toContain(
      'Document Sect "Title" H1 "Title" L LI Lbl "-" LBody P "one" LI Lbl "-" LBody P "two"',
    )
    expect(said).toContain('Div Figure')
    // The picture has its text.
    expect(accessibleProblems(file.bytes).filter((problem) => problem.startsWith('7.3'))).toEqual([])
    expect(said).toMatch(/Sect (".*" )?Table TR TH P "head" TH P "more" TR TD P "a" TD P "b"/)
    expect(said).not.toContain('repeated')
  })

  it('sheets are sections with tables, whose heads are the rows that pages repeat', async () => {
    const cells: Record<string, string | number> = { A1: 'name', C1: 'count' }
    for (let row = 2; row <= 30; row++) Object.assign(cells, { [`A${row}`]: `n${row}`, [`C${row}`]: row })
    const file = await make(
      await xlsxOf({
        sheets: [
          {
            name: 'List',
            cells,
            // A5: Poppler draws the page once more for each cell.
            after:
              '<pageSetup paperSize="11" orientation="landscape"/><headerFooter><oddHeader>&amp;Cletterhead</oddHeader></headerFooter>',
          },
          { name: 'Alone', cells: { B2: 'alone' } },
        ],
        names: '<definedName name="_xlnm.Print_Titles" localSheetId="0">List!$1:$1</definedName>',
      }),
      'xlsx',
      promised,
    )
    keptIn(file)
    const said = saidOf(file)
    expect(said).toContain('Document Sect "List" Table TR TH "name" TD TH "count" TR TD "n2" TD TD "2"')
    expect(said).toContain('TR TD "n30" TD TD "30" Sect "Alone" P "alone"')
    expect(file.ask('pdfinfo')).toMatch(/^Pages: +3$/m)
    expect(said.match(/"name"/g)).toHaveLength(1)
    expect(said).not.toContain('letterhead')
  })

  const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
  const flat = (kind: string, styles: string, body: string): Uint8Array =>
    new TextEncoder().encode(
      `<office:document xmlns:office="${urn}office:1.0" xmlns:style="${urn}style:1.0" xmlns:text="${urn}text:1.0" xmlns:table="${urn}table:1.0" xmlns:draw="${urn}drawing:1.0" xmlns:fo="${urn}xsl-fo-compatible:1.0" xmlns:svg="${urn}svg-compatible:1.0" xmlns:presentation="${urn}presentation:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
    )
  const dot =
    '<draw:image><office:binary-data>iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==</office:binary-data></draw:image><svg:desc>a dot</svg:desc>'
  const frame = (content: string, attributes = '', top = 1) =>
    `<draw:frame svg:x="2cm" svg:y="${top}cm" svg:width="12cm" svg:height="3cm" ${attributes}>${content}</draw:frame>`

  it('sheets of ODS are as those of XLSX, with their pictures', async () => {
    const cell = (text: string) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
    const row = (...texts: readonly string[]) =>
      `<table:table-row>${texts.map(cell).join('')}</table:table-row>`
    const rows = Array.from({ length: 80 }, (_, at) => row(`n${at + 2}`, `${at + 2}`)).join('')
    const table = `<table:table table:name="List"><table:shapes>${frame(dot)}</table:shapes><table:table-header-rows>${row('name', 'count')}</table:table-header-rows>${rows}</table:table>`
    const file = await make(flat('spreadsheet', '', table), 'fods', promised)
    keptIn(file)
    const said = saidOf(file)
    expect(said).toContain('Document Sect "List" Table TR TH "name" TH "count" TR TD "n2" TD "2"')
    expect(said).toContain('TR TD "n81" TD "81"')
    expect(said.match(/"name"/g)).toHaveLength(1)
    expect(file.text).toMatch(/\/Alt ?\(a dot\)/)
  })

  it('slides of ODP are as those of PPTX', async () => {
    const box = (text: string) => `<draw:text-box>${text}</draw:text-box>`
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
    const list =
      '<text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>'
    const table = `<table:table table:use-first-row-styles="true"><table:table-column/><table:table-column/><table:table-row>${cell('head')}${cell('more')}</table:table-row><table:table-row>${cell('a')}${cell('b')}</table:table-row></table:table>`
    const file = await make(
      flat(
        'presentation',
        '<office:master-styles><style:master-page style:name="m"/></office:master-styles>',
        `<draw:page draw:name="First" draw:master-page-name="m">${frame(box('<text:p>Title</text:p>'), 'presentation:class="title"')}${frame(box(list), 'presentation:class="outline"', 5)}${frame(table, '', 9)}${frame(dot, '', 14)}</draw:page>`,
      ),
      'fodp',
      promised,
    )
    keptIn(file)
    const said = saidOf(file)
    expect(said).toMatch(/Document Sect "(Title|First)" H1 "Title"/)
    expect(said).toMatch(/L LI (Lbl "[^"]*" )?LBody P "one" LI (Lbl "[^"]*" )?LBody P "two"/)
    expect(said).toMatch(/Table TR TH P "head" TH P "more" TR TD P "a" TD P "b"/)
    expect(file.text).toMatch(/\/Alt ?\(a dot\)/)
  })
})

describe('web pages', () => {
  const picture =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const page = (body: string, styles = '') =>
    `<!DOCTYPE html><html lang="en"><head><title>Page</title><style>${styles}</style></head><body>${body}</body></html>`
  const saidOf = (file: Awaited<ReturnType<typeof make>>) =>
    file
      .ask('pdfinfo', '-struct-text')
      .replace(/ \(\w+\)|:$|^ *\/.*\n/gm, '')
      .replace(/\s+/g, ' ')
  it.each([
    ['headings without gaps', '<h2>a</h2><h4>b</h4><h2>c</h2>', 'H1 "a" H2 "b" H1 "c"'],
    ['text beside blocks', '<div>a<p>b</p>c</div>', 'P "a" P "b" P "c"'],
    [
      'links in the order of the text, as one for all of their parts',
      '<p>see <a href="https://example.com/">this <b>page</b></a> now',
      /^Document P "see " Link "this page" (Object \d+ \d+ )+" now"/,
    ],
    [
      'links of buttons',
      '<p><a href="https://example.com/" style="display: inline-block; padding: 9px">buy</a>',
      /P Link "buy" (Object \d+ \d+ )+/,
    ],
    [
      'lists in lists',
      '<ol><li>a<ul><li>b</ul><li><p>c</ol>',
      'L LI Lbl "1. " LBody P "a" L LI Lbl "" LBody P "b" LI Lbl "2. " LBody P "c"',
    ],
    [
      'terms',
      '<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>',
      'L LI Lbl "a" LBody P "b" LBody P "c" LI Lbl "d" LBody P "e"',
    ],
    [
      'tables',
      '<table><caption>t</caption><thead><tr><th>a<th colspan=2>b</thead><tr><th>c<td rowspan=2>d<td>e<tr><th>f<td>g</table>',
      'Table Caption "t" TR TH P "a" TH P "b" TR TH P "c" TD P "d" TD P "e" TR TH P "f" TD P "g"',
    ],
    [
      'no tables that arrange what is in them',
      '<table><tr><td><table role="presentation"><tr><td>a<td>b<tr><td>c<td>d</table><td>e</table>',
      'Document P "a" P "b" P "c" P "d" P "e"',
    ],
    ['quotations and parts', '<section><blockquote>a</blockquote></section>', 'Sect BlockQuote P "a"'],
    ['text of boxes in lines', '<p>a <span style="display: inline-block">b</span>', 'Document P "a b"'],
  ])('have %s', async (_, body, expected) => {
    const file = await make(page(body), 'html', { PDFUACompliance: true, SelectPdfVersion: 2 })
    expect(saidOf(file)).toMatch(expected)
    expect(accessibleProblems(file.bytes)).toEqual([])
    expect(archiveProblems(file.bytes, 2)).toEqual([])
    expect(file.warnings.filter((warning) => warning.includes('was tagged as paragraphs'))).toEqual([])
  })

  it('have pictures with their texts, and others as artifacts', async () => {
    const [shown, decorated, plain] = [
      `<img alt="a dot" src="${picture}">`,
      `<img alt="" src="${picture}">`,
      '<div style="background: red; width: 50px; height: 50px; border: 1px solid"></div>',
    ]
    const file = await make(page(`<p>a ${shown} ${decorated}</p>${plain}`), 'html', { PDFUACompliance: true })
    expect(file.text.match(/\/S ?\/Figure/g)?.length).toBe(1)
    expect(file.text).toMatch(/\/Alt ?\(a dot\)/)
    expect(accessibleProblems(file.bytes)).toEqual([])
  })

  it('have the heads of a table that are drawn again as artifacts', async () => {
    const rows = '<tr><td>a<td>b'.repeat(100)
    const body = `<table><thead><tr><th>head<th>more</thead>${rows}</table>`
    const file = await make(page(body), 'html', { PDFUACompliance: true })
    expect(file.ask('pdftotext', '-').match(/head/g)?.length).toBeGreaterThan(1)
    expect(saidOf(file).match(/"head"/g)?.length).toBe(1)
    expect(accessibleProblems(file.bytes)).toEqual([])
  })

  it('are the same on paper with and without a structure', async () => {
    const body = page(`<h1>a</h1><p>b <a href="#x">c</a></p><ul><li id=x>d</ul><img alt=e src="${picture}">`)
    const [plain, tagged] = [await make(body, 'html', {}), await make(body, 'html', { UseTaggedPDF: true })]
    expect(tagged.ask('pdftotext', '-bbox', '-')).toBe(plain.ask('pdftotext', '-bbox', '-'))
    expect(plain.text).not.toContain('StructTreeRoot')
  })
})

describe('the structure of a document with everything', () => {
  const p = (content: string, look = '') => `<w:p><w:pPr>${look}</w:pPr>${content}</w:p>`
  const r = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const cell = (text: string, look = '') => `<w:tc><w:tcPr>${look}</w:tcPr>${p(r(text))}</w:tc>`
  const entry = (text: string) =>
    p(
      `<w:hyperlink w:anchor="there">${r(text)}<w:r><w:tab/></w:r>${r('1')}</w:hyperlink>`,
      '<w:pStyle w:val="TOC1"/><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs>',
    )
  const level = (at: number, format: string, text: string) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
  const item = (text: string, at: number) =>
    p(r(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>`)
  const picture = anchor({ width: 100, height: 60 }).replace(
    /<wp:docPr [^>]*>/,
    '<wp:docPr id="5" name="Pic" descr="a grey box"/>',
  )
  const made = (async () =>
    make(
      await wordFile({
        styles:
          '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style><w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
        numbering: `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'bullet', '•')}${level(2, 'lowerRoman', '%3)')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
        footnotes: footnote(2, 'The note.'),
        header: p(r('letterhead')),
        footer: p(r('page foot')),
        section:
          '<w:headerReference w:type="default" r:id="header"/><w:footerReference w:type="default" r:id="footer"/>',
        body:
          p(r('Contents')) +
          entry('First') +
          entry('Second') +
          p(
            `<w:bookmarkStart w:id="1" w:name="there"/>${r('First')}<w:bookmarkEnd w:id="1"/>`,
            '<w:pStyle w:val="H"/>',
          ) +
          p(`${r('said')}<w:r><w:footnoteReference w:id="2"/></w:r>`) +
          `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>` +
          mixed(picture, 'around') +
          item('one', 0) +
          item('inner', 1) +
          item('deep', 2) +
          item('two', 0) +
          `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('h1')}${cell('h23', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('a', '<w:vMerge w:val="restart"/>')}${cell('b')}${cell('c')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('d')}${cell('e')}</w:tr></w:tbl>` +
          p(r('end')),
      }),
      'docx',
      { PDFUACompliance: true },
    ))()
  const tree = async () =>
    (await made)
      .ask('pdfinfo', '-struct-text')
      .replace(/ \((?:block|inline)\)|<[^>]*>|Object \d+ \d+/g, '')
      .replace(/[:\s]+/g, ' ')

  it.each([
    ['contents', 'TOC TOCI P Link "First" "1" TOCI P Link "Second" "1" H1 "First"'],
    ['notes', 'P "said1" Note P "1 The note."'],
    ['formulas', /Formula \/Placement \/Block \/BBox \[[\d. ]+\] "ab"/],
    ['figures', /P "around" Figure \/Placement \/Block \/BBox \[[\d. ]+\]/],
    ['numbered lists', 'L /ListNumbering /Decimal LI Lbl "1." LBody P "one"'],
    ['bullets', /L \/ListNumbering \/Disc LI Lbl "[^"]+" LBody P "inner"/],
    ['lists in lists', 'L /ListNumbering /LowerRoman LI Lbl "i)" LBody P "deep" LI Lbl "2." LBody P "two"'],
    ['heads of columns', 'TR TH /Scope /Column P "h1" TH /ColSpan 2 /Scope /Column P "h23"'],
    ['merged cells', 'TR TD /RowSpan 2 P "a" TD P "b" TD P "c" TR TD P "d" TD P "e"'],
  ])('%s', async (_, expected) => {
    const said = await tree()
    if (typeof expected === 'string') expect(said).toContain(expected)
    else expect(said).toMatch(expected)
  })
  it('headers, footers and the dots of contents are not read out', async () =>
    expect(await tree()).not.toMatch(/letterhead|foot"|\.\.\./))
  it('the box around a picture is where it stands, its text is what the author wrote', async () => {
    expect(await tree()).toMatch(/Figure \/Placement \/Block \/BBox \[72 (\d+)\.45 172 (\d+)\.45\]/)
    expect((await made).ask('qpdf', '--qdf', '--object-streams=disable', '-')).toContain('/Alt (a grey box)')
  })
  it('breaks no clause', async () =>
    expect(accessibleProblems((await made).bytes).filter((problem) => !ofAuthors.test(problem))).toEqual([]))
})

it('pictures in other colours say in archives what their colours are', async () => {
  const grey = mixed(anchor({}).replace(/<a:blip([^>]*?)\/>/, '<a:blip$1><a:grayscl/></a:blip>'), 'text')
  const file = await make(await wordFile({ body: grey }), 'docx', { SelectPdfVersion: 2 })
  expect(archiveProblems(file.bytes, 2)).toEqual([])
  expect(file.ask('qpdf', '--qdf', '--object-streams=disable', '-')).toMatch(/\/DeviceN[\s\S]*\/Colorants/)
})

it('PDF/A-1, without anything transparent', async () => {
  const opaque = await make(await wordFile({ body: '<w:p><w:r><w:t>text</w:t></w:r></w:p>' }), 'docx', {
    SelectPdfVersion: 1,
  })
  expect(archiveProblems(opaque.bytes, 1)).toEqual([])
})

/** Specification 4.9. PDF/UA-1 is a file of PDF 1.7. */
it.each([
  [{}, '1.6'],
  [{ SelectPdfVersion: 0 }, '1.6'],
  [{ SelectPdfVersion: 15 }, '1.5'],
  [{ SelectPdfVersion: 16 }, '1.6'],
  [{ SelectPdfVersion: 17 }, '1.7'],
  [{ SelectPdfVersion: 1 }, '1.4'],
  [{ SelectPdfVersion: 2 }, '1.7'],
  [{ PDFUACompliance: true }, '1.7'],
])('with %j the version of the PDF is %s', async (options, version) => {
  const { bytes } = await make(fixture('templates/letter/template.docx'), 'docx', options)
  expect(new TextDecoder('latin1').decode(bytes.subarray(0, 8))).toBe(`%PDF-${version}`)
})
