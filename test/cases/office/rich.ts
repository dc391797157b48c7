import { docxOf, odtOf, paragraph, row, table } from '../../helpers/docx.ts'
import { odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import {
  dataUri, drawing, fixture, fixtureUri, frame, linkRelation, odfParts, slidePicture, slidesWith, svg, wordParts,
} from '../../helpers/pictures.ts'
import { pptxOf, pptxParagraph, pptxShape, pptxTable } from '../../helpers/pptx.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

/** Sentences of the reference's sections 22 (rich content) and 24 (formats): a template, data, and what must come out. */
export interface RichCase {
  readonly name: string
  readonly format: string
  readonly template: () => Promise<Uint8Array> | Uint8Array
  readonly data: unknown
  /** Part -> what it must hold; '' is a file of one text. A regular expression must match. */
  readonly holds: Readonly<Record<string, readonly (string | RegExp)[]>>
  readonly lacks?: Readonly<Record<string, readonly (string | RegExp)[]>>
  /** Files added to the package, in order. */
  readonly added?: readonly string[]
}

const body = 'word/document.xml'
const content = 'content.xml'
const sheet = 'xl/worksheets/sheet1.xml'
const slide = 'ppt/slides/slide1.xml'
const png = fixtureUri('rgb.png')
const text = (markup: string) => () => new TextEncoder().encode(markup)
const word = (inside: string, relations = '') => () => docxOf(inside, wordParts(relations))
const writer = (inside: string) => () => odtOf(inside, odfParts())
const page = (inside: string) =>
  `<draw:page draw:name="p" draw:master-page-name="M">${inside}</draw:page>`
const raw = png.split(',')[1]!
const titled = (attributes: string) =>
  drawing('').replaceAll('<wp:docPr id="1" name="Picture 1" descr=""/>', `<wp:docPr id="1" name="Picture 1" ${attributes}/>`)

const sources = (value: string, added: readonly string[]): RichCase => ({
  name: `22.1 a source: ${value.slice(0, 40)}`, format: 'docx', template: word(`<w:p>${drawing('{d.x}')}</w:p>`), data: { x: value }, holds: {}, added,
})

export const richCases: readonly RichCase[] = [
  // -------------------------------------------------------------------------------------------------- 22.1 pictures
  sources(png, ['word/media/merged1.png']),
  sources(`DATA:IMAGE/PNG;BASE64,${raw}`, ['word/media/merged1.png']),
  sources(`data:image/png; charset=utf-8;base64,${raw}`, ['word/media/merged1.png']),
  sources(`data:image/gif;base64,${raw}`, ['word/media/merged1.png']), // its content says what it is
  sources(`  ${fixtureUri('rgb.jpg')}\n`, ['word/media/merged1.jpeg']),
  sources('data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" fill="#f00"/>', ['word/media/merged1.svg']),
  sources('data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/%3E', ['word/media/merged1.svg']),
  sources('data:image/svg+xml,%3Csvg%', ['word/media/merged1.png']), // neutral
  sources(raw, ['word/media/merged1.png']), // neutral
  {
    name: '22.1 a tag in the title, beside a description', format: 'docx',
    template: word(`<w:p>${titled('descr="A photo" title="{d.x}"')}${titled('title="{d.x}" descr="A photo"').replaceAll('id="1"', 'id="2"')}</w:p>`),
    data: { x: png }, holds: { [body]: [/descr="A photo" title=""/, /title="" descr="A photo"/] }, added: ['word/media/merged1.png'],
  },
  {
    name: '22.1 the same source is stored once, in header and body too', format: 'docx',
    template: word(`<w:p>${drawing('{d.x}')}${drawing('{d.y}', 2)}${drawing('{d.x}', 3)}</w:p>`),
    data: { x: png, y: png }, holds: {}, added: ['word/media/merged1.png'],
  },
  {
    name: '22.1 drop(img) beside the picture takes it away where there is none', format: 'docx',
    template: word(`<w:p>${drawing('{d.l[i].x:ifEM:drop(img)}{d.l[i].x}')}</w:p><w:p>${drawing('{d.l[i+1].x}', 2)}</w:p>`),
    data: { l: [{ x: png }, { x: '' }] }, holds: { [body]: [/^(?:(?!<w:drawing>).)*<w:drawing>(?:(?!<w:drawing>).)*$/s] }, added: ['word/media/merged1.png'],
  },
  {
    name: '22.1 pictures of slides that repeat', format: 'odp',
    template: async () => odpOf(page('<draw:frame draw:name="a" svg:width="2cm" svg:height="1cm"><draw:image xlink:href="x"/><svg:title>{d.l[i].x}</svg:title></draw:frame>') + page('<draw:frame svg:width="2cm" svg:height="1cm"><draw:text-box><text:p>{d.l[i+1].x}</text:p></draw:text-box></draw:frame>')),
    data: { l: [{ x: png }, { x: fixtureUri('rgb.jpg') }] }, holds: { [content]: ['Pictures/merged1.png', 'Pictures/merged2.jpeg'] },
  },
  // -------------------------------------------------------------------------------------------------- 22.2 barcodes
  {
    name: '22.2 imageFit behind a barcode', format: 'docx',
    template: word(`<w:p>${drawing('{d.v:barcode(qrcode):imageFit(contain)}')}</w:p>`),
    data: { v: 12345 }, holds: { [body]: ['<wp:extent cx="914400" cy="914400"/>'] }, added: ['word/media/merged1.png'],
  },
  {
    name: '22.2 a value that is none for this kind gives the neutral picture', format: 'odt',
    template: writer(`<text:p>${frame('{d.v:barcode(ean13)}')}</text:p>`), data: { v: 'x' },
    holds: { [content]: ['svg:width="4cm" svg:height="2cm"'] }, added: ['Pictures/merged1.png'],
  },
  {
    name: '22.2 text of a barcode font', format: 'docx', template: word(paragraph('{d.v:barcode(ean8)} {d.v:barcode(qrcode)}')),
    data: { v: '96385074' }, holds: { [body]: [':JGDI*fahe+ 96385074'] },
  },
  // ---------------------------------------------------------------------------------------------------- 22.4 colours
  {
    name: '22.4 what is no colour is grey; with or without #, in any case', format: 'html',
    template: text('<p>{d.a:color}a</p><p>{d.b:color}b</p><p>{d.c:color}c</p><p>{d.none:color}d</p>'),
    data: { a: '#Ff00aA', b: '00ff00', c: 'red' },
    holds: { '': [/<p style="color: ?#FF00AA;?">a/, /<p style="color: ?#00FF00;?">b/, /<p style="color: ?#888888;?">c/, /<p style="color: ?#888888;?">d/] },
  },
  {
    name: '22.4 fed by a condition; several types on one element; other styles stay', format: 'html',
    template: text('<table><tr style="height: 9px"><td>{d.s:ifEQ(ok):show(007700):elseShow(#CC0000):color(row, background)}{d.t:color(row, text)}x</td></tr></table>'),
    data: { s: 'bad', t: '111111' }, holds: { '': [/height: 9px/, /background(?:-color)?: ?#CC0000/, /[ ;"]color: ?#111111/] },
  },
  {
    name: '22.4 paragraph over shape over cell over row', format: 'docx',
    template: word(table(row('{d.a:color(row)}{d.b:color(p)}x', 'y'))),
    data: { a: '111111', b: '222222' }, holds: { [body]: [/222222.*x<.*111111.*y</s] }, lacks: { [body]: [/111111[^y]*x</] },
  },
  // ------------------------------------------------------------------------------------------------------ 22.6 links
  {
    name: '22.6 a link of fixed text and tags; & is escaped; no scheme is https', format: 'docx',
    template: word('<w:p><w:hyperlink r:id="rId5"><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>', linkRelation('rId5', 'https://x.org/%7Bd.id%7D?a=1&b=%7Bd.q%7D')),
    data: { id: 'a b', q: 'c&d' }, holds: { 'word/_rels/document.xml.rels': [/Target="https:\/\/x\.org\/a%20b\?a=1&amp;b=c/] },
  },
  {
    name: '22.6 a link that is none keeps its text and leads nowhere', format: 'docx',
    template: word('<w:p><w:hyperlink r:id="rId5"><w:r><w:t>text</w:t></w:r></w:hyperlink></w:p>', linkRelation('rId5', '%7Bd.u%7D')),
    data: { u: 'javascript:alert(1)' }, holds: { [body]: ['text'] }, lacks: { 'word/_rels/document.xml.rels': ['javascript', '%7B'], [body]: ['rId5'] },
  },
  {
    name: '22.6 bookmarks and tables of contents keep working', format: 'docx',
    template: word('<w:p><w:hyperlink w:anchor="_Toc1"><w:r><w:t>{d.u}</w:t></w:r></w:hyperlink></w:p><w:p><w:bookmarkStart w:id="1" w:name="_Toc1"/><w:r><w:t>H</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>'),
    data: { u: 'x' }, holds: { [body]: ['w:anchor="_Toc1"', 'w:name="_Toc1"'] },
  },
  // ------------------------------------------------------------------------------------- 22.7 forms, 22.8 transform
  {
    name: '22.7 signs for boxes in any format', format: 'pptx',
    template: () => pptxOf([pptxShape(2, pptxParagraph('{d.ok:ifEQ(true):show(☑):elseShow(☐)}'))]), data: { ok: true }, holds: { [slide]: ['☑'] },
  },
  // ----------------------------------------------------------------------------------------------------- 24.2 Word
  {
    name: '24.2 tags cut by checks of spelling, breaks of pages, smart tags, hyphens that do not break', format: 'docx',
    template: word('<w:p><w:r><w:t>{d.</w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:lastRenderedPageBreak/><w:t>na</w:t></w:r><w:proofErr w:type="spellEnd"/><w:smartTag w:element="x"><w:r><w:t>me}</w:t></w:r></w:smartTag><w:r><w:t>{d.t:formatD(YYYY</w:t></w:r><w:r><w:noBreakHyphen/></w:r><w:r><w:t>MM)}</w:t></w:r></w:p>'),
    data: { name: 'Zo', t: '2024-05-06' }, holds: { [body]: ['Zo', '2024-05'] },
  },
  {
    name: '24.2 values with blanks at their ends keep them', format: 'docx', template: word(paragraph('{d.v}')), data: { v: ' x ' },
    holds: { [body]: ['<w:t xml:space="preserve"> x </w:t>'] },
  },
  {
    name: '24.2 a field says what the data says', format: 'docx',
    template: word('<w:p><w:fldSimple w:instr=" DOCPROPERTY {d.v} "><w:r><w:t>x</w:t></w:r></w:fldSimple><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "{d.u}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'),
    data: { v: 'Title', u: 'https://x.org/?a=1&b=2' }, holds: { [body]: ['DOCPROPERTY Title', 'HYPERLINK "https://x.org/?a=1&amp;b=2"'] },
  },
  {
    name: '24.2 a cell that lost its content keeps a paragraph', format: 'docx',
    template: word(table(row('{d.v:drop(p)}', 'b'))), data: { v: 1 }, holds: { [body]: ['</w:tcPr><w:p/></w:tc>'] },
  },
  // ------------------------------------------------------------------------------------------------ 24.3 spreadsheets
  {
    name: '24.3 numbers: with arguments, without parentheses, behind other formatters and aggregates; others are text', format: 'xlsx',
    template: () => xlsxOf({ sheets: [{ name: 'S', cells: {
      A1: '{d.q:formatN}', B1: '{d.q:formatN(2)}', C1: '{d.q:mul(.p):formatN()}', D1: '{d.l[].q:aggSum:formatN}', E1: '{d.t:formatN}', F1: '{d.none:formatN}', G1: '{d.q:add(0)}', H1: '{d.q:formatN(1)} kg', I1: '{d.q:formatN}{d.p:formatN}', J1: '{d.s:formatN}',
    } }] }),
    data: { q: 2.5, p: 4, t: 'n/a', s: '7.25', l: [{ q: 1 }, { q: 2 }] },
    holds: { [sheet]: [/r="A1"><v>2\.5<\/v>/, /r="B1"><v>2\.5<\/v>/, /r="C1"><v>10<\/v>/, /r="D1"><v>3<\/v>/, /r="E1"[^>]*inlineStr.*?n\/a/, /r="F1"(?:\/>|><\/c>)/, /r="G1" t="inlineStr">.*?2\.5/, /r="H1" t="inlineStr">.*?2\.5 kg/, /r="I1" t="inlineStr">/, /r="J1"><v>7\.25<\/v>/] },
  },
  {
    name: '24.3 the same in ODS', format: 'ods',
    template: () => odsOf(odsTable('S', odsRow(['{d.q:formatN}', '{d.q:mul(.p):formatN(2)}', '{d.t:formatN}', '{d.none:formatN}', '{d.q:formatN(1)} kg', '{d.q:add(0)}']))),
    data: { q: 2.5, p: 4, t: 'n/a' },
    holds: { [content]: [/office:value-type="float" office:value="2\.5"[^>]*calcext:value-type="float"[^>]*><text:p>2\.5<\/text:p>/, /office:value="10"/, /office:value-type="string"[^>]*><text:p>n\/a/, '2.5 kg'] },
  },
  {
    name: '24.3 cells behind empty cells stay in their column', format: 'xlsx',
    template: () => xlsxOf({ sheets: [{ name: 'S', cells: { A1: '{d.l[i].n}', D1: '{d.l[i].q:formatN}', A2: '{d.l[i+1].n}' } }] }),
    data: { l: [{ n: 'a', q: 1 }, { n: 'b', q: 2 }] }, holds: { [sheet]: ['r="D1"', 'r="D2"'] },
  },
  {
    name: '24.3 the calculation chain goes', format: 'xlsx',
    template: () => xlsxOf({ sheets: [{ name: 'S', cells: { A1: '{d.n}', B1: '=1+1' } }], chain: true }), data: { n: 1 },
    holds: { 'xl/workbook.xml': ['fullCalcOnLoad="1"'] }, lacks: { '[Content_Types].xml': ['calcChain'], 'xl/_rels/workbook.xml.rels': ['calcChain'], [sheet]: ['<f>1+1</f><v>'] },
  },
  // ---------------------------------------------------------------------------------------------------- 24.4 sheets
  {
    name: '24.4 names of sheets: no forbidden characters, no more than 31', format: 'ods',
    template: () => odsOf(odsTable('{d.a}', odsRow(['x'])) + odsTable('{d.b}', odsRow(['y']))), data: { a: 'a[1]:*?/\\b', b: 'x'.repeat(40) },
    holds: { [content]: ['table:name="a1b"', `table:name="${'x'.repeat(31)}"`] },
  },
  // ------------------------------------------------------------------------------------- 24.5 OpenDocument, 24.6 slides
  {
    name: '24.5 breaks of pages that an editor left go; blanks, tabs and spans inside of tags too', format: 'odt',
    template: writer('<text:p>{d.na<text:soft-page-break/>me<text:s/>:upper<text:tab/>Case<text:span>}</text:span></text:p>'), data: { name: 'zo' },
    holds: { [content]: ['ZO'] }, lacks: { [content]: ['soft-page-break'] },
  },
  {
    name: '24.5 repeated objects have names of their own', format: 'odt',
    template: writer(`<text:p>{d.l[i].n}${frame('', 'Frame1')}</text:p><table:table table:name="T"><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table><text:p>{d.l[i+1].n}</text:p>`),
    data: { l: [{ n: 1 }, { n: 2 }] }, holds: { [content]: [/draw:name="Frame1".*draw:name="(?!Frame1")/s, /table:name="T".*table:name="(?!T")/s] },
  },
  {
    name: '24.6 rows, columns, paragraphs repeat', format: 'pptx',
    template: () => pptxOf([pptxTable(2, ['{d.l[i].n}', 'x'], ['{d.l[i+1].n}', '']) + pptxShape(3, pptxParagraph('{d.l[i].n}!'), pptxParagraph('{d.l[i+1].n}'))]),
    data: { l: [{ n: 'a' }, { n: 'b' }] }, holds: { [slide]: [/a<.*b</s, '>a!<', '>b!<'] },
  },
  {
    name: '22.1 pictures of slides, and links', format: 'pptx', template: () => slidesWith(slidePicture('{d.x:imageFit(contain)}'), 'https://x.org'), data: { x: dataUri(svg(100, 100), 'image/svg+xml') },
    holds: { [slide]: ['cx="1000000" cy="1000000"'] }, added: ['ppt/media/merged1.svg'],
  },
  // ---------------------------------------------------------------------------------------------- 24.7 texts of others
  {
    name: '24.7 HTML: whole attributes, styles, elements without an end', format: 'html',
    template: text('<style>p{color:{d.c}}</style><button {d.attrs}>x</button><select><option value="{d.l[i].n}">{d.l[i].n}<option>{d.l[i+1].n}</select><div>{d.l[i].n}<br><img src="a.png"></div><div>{d.l[i+1].n}</div>'),
    data: { c: 'red', attrs: 'disabled class="a b"', l: [{ n: 'A' }, { n: 'B' }] },
    holds: { '': ['p{color:red}', '<button disabled class="a b">x', '<div>A<br><img src="a.png"></div><div>B<br><img src="a.png"></div>'] },
  },
  {
    name: '24.7 Markdown: rows of tables, blocks of lines, pictures and links', format: 'md',
    template: text('# {d.t}\n\n| a | b |\n|---|---|\n| {d.l[i].a} | {d.l[i].b} |\n| {d.l[i+1].a} | |\n\n- {d.l[i].a}\n- {d.l[i+1].a}\n\n![p]({d.x}) [l]({d.u})\n'),
    data: { t: 'T', l: [{ a: 1, b: 'x|y' }, { a: 2, b: 'z' }], x: 'https://x.org/a.png', u: 'https://x.org' },
    holds: { '': ['| 1 | x\\|y |\n| 2 | z |\n\n- 1\n- 2\n', '![p](https://x.org/a.png) [l](https://x.org)'] },
  },
  {
    name: '24.1 Word 2003 in one XML file', format: 'xml',
    template: text('<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p><w:r><w:t>{d.na</w:t></w:r><w:proofErr/><w:r><w:t>me}</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>{d.l[i].n}{d.l[i].n:ifEQ(2):drop(row)}</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>{d.l[i+1].n}</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:wordDocument>'),
    data: { name: 'Zo & co', l: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    holds: { '': ['<w:p><w:r><w:t>Zo &amp; co</w:t></w:r>', '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>3</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'] },
  },
  {
    name: '24.1 Excel 2003 in one XML file', format: 'xml',
    template: text('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="{d.name}"><Table ss:ExpandedColumnCount="1" ss:ExpandedRowCount="2" x="1"><Row><Cell><Data ss:Type="String">{d.l[i].n}</Data></Cell></Row><Row><Cell><Data ss:Type="String">{d.l[i+1].n}</Data></Cell></Row></Table></Worksheet></Workbook>'),
    data: { name: 'S', l: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    holds: { '': ['<Worksheet ss:Name="S"><Table x="1"><Row>', /(?:<Row>.*?<\/Row>){3}<\/Table>/] },
  },
  {
    name: '24.7 TXT keeps its newlines and escapes nothing', format: 'txt', template: text('{d.v}\r\n{d.l[i].n};\r\n{d.l[i+1].n}\r\nend'),
    data: { v: '<a & b>', l: [{ n: 1 }, { n: 2 }] }, holds: { '': [/^<a & b>\r\n1;\r\n2;\r\nend$/] },
  },
  {
    name: '24.8 properties of a document', format: 'docx',
    template: () => docxOf(paragraph('x'), { ...wordParts(), 'docProps/core.xml': '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{d.t}</dc:title></cp:coreProperties>', 'word/media/x.png': fixture('rgb.png') }),
    data: { t: 'A & B' }, holds: { 'docProps/core.xml': ['<dc:title>A &amp; B</dc:title>'] },
  },
]
