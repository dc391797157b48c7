/** Documents that are well packed and mean ill: each ends in a PDF or a typed error, in time. */
import {
  anchor,
  cell,
  columns,
  endOf,
  footnote,
  headed,
  item,
  listOf,
  lorem,
  mixed,
  noted,
  par,
  row,
  ruled,
  section,
  table,
  times,
  type WordSample,
} from '../reference/word.ts'

const deep = (depth: number): string =>
  depth === 0
    ? par('core')
    : table(
        [3000],
        row(cell(3000, deep(depth - 1))),
        `<w:tblpPr w:vertAnchor="text" w:horzAnchor="text" w:tblpX="50" w:tblpY="50"/>${ruled()}`,
      ) + par('x')
const nest = (depth: number): string =>
  depth === 0 ? par('core') : table([8000 - depth * 100], row(cell(8000 - depth * 100, nest(depth - 1) + par('x'))))
const boxes = (depth: number): string =>
  depth === 0 ? par('core') : mixed(anchor({ text: boxes(depth - 1), width: 200, height: 100 }), 'x')
const style = (id: string, basedOn: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/><w:link w:val="${basedOn}"/><w:next w:val="${id}"/></w:style>`

const math = (content: string): string =>
  `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${content}</m:oMath></w:p>`
const roots = (depth: number): string =>
  `${'<m:rad><m:e>'.repeat(depth)}<m:r><m:t>x</m:t></m:r>${'</m:e></m:rad>'.repeat(depth)}`
const complexField = (code: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`

const savedField = (code: string, result: string): string =>
  complexField(code).replace(
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
    `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result.startsWith('<') ? result : `<w:r><w:t>${result}</w:t></w:r>`}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
  )

export const hostileWord: Readonly<Record<string, WordSample>> = {
  'an equation a hundred roots deep': { body: math(roots(100)) },
  'an equation ten thousand roots deep': { body: math(roots(10_000)) },
  'an equation of a million signs': { body: math(`<m:r><m:t>${'1+'.repeat(500_000)}</m:t></m:r>`) },
  'a matrix of thousands of columns': {
    body: math(`<m:m>${times(30, () => `<m:mr>${times(1000, () => '<m:e><m:r><m:t>1</m:t></m:r></m:e>')}</m:mr>`)}</m:m>`),
  },
  'a phonetic guide longer than the page': {
    body: `<w:p><w:r><w:ruby><w:rt><w:r><w:t>${'a'.repeat(100_000)}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>b</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`,
  },
  'three thousand sequences': { body: `<w:p>${times(3_000, (i) => complexField(`SEQ s${i} \\r 999999999`))}</w:p>` },
  'references to themselves and to each other': {
    body: times(
      300,
      (i) =>
        `<w:p><w:bookmarkStart w:id="${i}" w:name="b${i}"/>${savedField(`REF b${i}`, savedField(`REF b${(i % 300) + 1}`, 'x'.repeat(500)))}<w:bookmarkEnd w:id="${i}"/></w:p>`,
    ),
  },
  'fields that are never closed': { body: par('a') + `<w:p>${'<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(5_000)}</w:p>` + par('b') },
  'outlines of mad points': {
    body: mixed(
      anchor({ wrap: 'tight' }).replace(
        /<wp:start.*?<\/wp:wrapPolygon>/,
        `<wp:start x="-2147483648" y="0"/>${times(1_500, (i) => `<wp:lineTo x="${(i * 7_919) % 99_999}" y="${(i % 2) * 2_147_483_647 - i}"/>`)}</wp:wrapPolygon>`,
      ),
      lorem.repeat(4),
    ),
  },
  'a path of VML without end': {
    body: `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:9e9pt;height:50pt" coordsize="1,0" path="m0,0${'l9,9,'.repeat(30_000)}xe"/></w:pict></w:r></w:p>`,
  },
  'lines with mad numbers': {
    body: times(200, (i) => par(`l${i}`)),
    section: section('', '<w:lnNumType w:countBy="1" w:start="2147483647" w:distance="-99999999"/>'),
  },
  'columns of mad gaps': {
    body: par(lorem),
    section: section('', '<w:cols w:num="2" w:equalWidth="0"><w:col w:w="3000" w:space="99999999"/><w:col w:w="5326"/></w:cols>'),
  },
  'words of twenty thousand letters, divided': {
    body: par(`${'abcdefgh'.repeat(2_500)} ${'a'.repeat(60)} `.repeat(3)),
    settings: '<w:autoHyphenation/>',
  },
  'five thousand words, divided': { body: par('characteristically '.repeat(5_000), '<w:ind w:right="7000"/>'), settings: '<w:autoHyphenation/><w:consecutiveHyphenLimit w:val="-3"/>' },
  'styles in a circle': { body: par('text', '<w:pStyle w:val="A"/>'), styles: style('A', 'B') + style('B', 'C') + style('C', 'A') },
  'a list that numbers itself a hundred thousand times': {
    body: item('x'),
    numbering: listOf('decimal', '%1'.repeat(30_000)),
  },
  'lists that take their levels from each other': {
    body: item('x') + par('y', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'),
    styles: times(
      2,
      (i) =>
        `<w:style w:type="numbering" w:styleId="N${i}"><w:name w:val="N${i}"/><w:basedOn w:val="N${3 - i}"/><w:pPr><w:numPr><w:numId w:val="${3 - i}"/></w:numPr></w:pPr></w:style>`,
    ),
    numbering: `${times(2, (i) => `<w:abstractNum w:abstractNumId="${i}"><w:numStyleLink w:val="N${i}"/></w:abstractNum>`)}${times(2, (i) => `<w:num w:numId="${i}"><w:abstractNumId w:val="${i}"/></w:num>`)}`,
  },
  'paragraphs narrower than nothing': {
    body: par(lorem, '<w:ind w:left="-30000" w:right="99999" w:hanging="-50000"/><w:spacing w:before="-9999" w:after="-9999" w:line="-240"/>'),
  },
  'letters of negative size and distance': {
    body: par(lorem, '', '<w:sz w:val="-40"/><w:spacing w:val="-32000"/><w:w w:val="-100"/><w:position w:val="-99999"/>'),
  },
  'a row taller than a page that may not break': {
    body: par('a') + table([4000], row(cell(4000, times(200, (i) => par(`line ${i}`))), '<w:cantSplit/>')) + par('b'),
  },
  'rows of exact height taller than a page, and of less than nothing': {
    body: table([4000], times(20, (i) => row(cell(4000, par(`r${i}`)), `<w:cantSplit/><w:trHeight w:val="${i % 2 ? 60_000 : -500}" w:hRule="exact"/>`))) + par('b'),
  },
  'a table of a thousand columns and a dozen rows': {
    body: table(
      Array.from({ length: 1000 }, () => 10),
      times(12, (r) => row(times(1000, (c) => cell(10, par(c % 50 === 0 ? `${r}` : ''))))),
    ),
  },
  'tables in tables, forty deep': { body: nest(40) },
  'a table of no columns and no cells': { body: table([], row('')) + par('x') },
  'a table of a thousand columns': {
    body: table(Array.from({ length: 1000 }, () => 10), row(times(1000, (i) => cell(10, par(String(i)))))) + par('x'),
  },
  'grid widths below nothing': { body: table([-4000, -1, 0], row(times(3, () => cell(-500, par('c'))))) },
  'pictures of no size and of all sizes': {
    body:
      mixed(anchor({ width: 0, height: 0 })) +
      mixed(anchor({ width: -100, height: -60 })) +
      mixed(anchor({ width: 50_000, height: 50_000 })),
  },
  'a picture far outside': { body: mixed(anchor({ x: -90_000, y: 90_000, fromX: 'page', fromY: 'page' })) },
  'a wide picture with text on both sides': {
    body: times(20, () => mixed(anchor({ width: 440, height: 700, x: 5 }))),
  },
  'a thousand pictures in one paragraph': { body: mixed(times(1000, (i) => anchor({ x: i % 400, y: i, text: undefined }))) },
  'two hundred pictures that reach back': {
    body: times(200, (i) => mixed(anchor({ x: (i * 37) % 400, y: -300, width: 30, height: 30 }), 'short')),
  },
  'pictures that push their own anchors away': {
    body: times(60, () => mixed(anchor({ wrap: 'top-bottom', y: -200, width: 400, height: 300 }), 'x')),
  },
  'a picture over the whole page, placed on it': {
    body: times(30, () =>
      mixed(anchor({ wrap: 'top-bottom', fromX: 'page', fromY: 'page', width: 595, height: 842 }), 'x'),
    ),
  },
  'floating tables in floating tables': { body: deep(20) },
  'text boxes in text boxes': { body: boxes(20) },
  'a floating table taller than the page': {
    body:
      table(
        [1000],
        times(200, (i) => row(cell(1000, par(`r${i}`)))),
        `<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpX="1" w:tblpY="1"/>${ruled()}`,
      ) + par(lorem),
  },
  'two thousand rows kept together': {
    body: table([4000], times(2000, (i) => row(cell(4000, par(`r${i}`, '<w:keepNext/>'))))) + par('x'),
  },
  'header rows that are all rows': {
    body: table([4000], times(300, (i) => row(cell(4000, par(`r${i}`)), '<w:tblHeader/><w:cantSplit/>'))),
  },
  'a note of thirty pages': {
    body: times(20, () => par(lorem)) + noted('text', 1) + times(20, () => par(lorem)),
    footnotes: footnote(1, times(400, () => `${lorem} `)),
  },
  'five hundred notes on one line': {
    body: `<w:p>${times(500, (i) => `<w:r><w:footnoteReference w:id="${i}"/></w:r>`)}</w:p>`,
    footnotes: times(500, (i) => footnote(i, `note ${i}`)),
  },
  'a header as tall as three pages': {
    body: par(lorem),
    header: times(200, (i) => par(`head ${i}`)) + mixed(anchor({ wrap: 'top-bottom', height: 2000 })),
    section: section(headed),
  },
  'a hundred sections on a page': {
    body: times(100, (i) => par('x') + endOf(columns((i % 45) + 1, 9000, 'continuous'))),
    section: columns(45, 9000, 'continuous'),
  },
  'one word of a million letters': { body: par('x'.repeat(1_000_000)) },
  'a paragraph of nothing but tabs': {
    body: `<w:p><w:pPr><w:tabs>${times(300, (i) => `<w:tab w:val="right" w:pos="${i * 7}"/>`)}</w:tabs></w:pPr>${'<w:r><w:tab/></w:r>'.repeat(5000)}</w:p>`,
  },
  'a grid of a thousandth of a point': {
    body: par(lorem),
    section: section('', '<w:docGrid w:type="lines" w:linePitch="1"/>'),
  },
  'ten thousand pages': { body: times(10_000, (i) => par(`p${i}`, '<w:pageBreakBefore/>')) },
}
