import { afterAll, describe, expect, test } from 'vitest'
import { documentOfPage } from '../../../../../plugins/engines/web/page/page.ts'
import { entryText } from '../../../../helpers/docx.ts'
import { createOffice } from '../../libreoffice/office.ts'

const office = createOffice()
afterAll(() => office.engine.stop?.())

const doctype = '<!doctype html>'
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'
const documentOf = (html: string) => documentOfPage(doctype + html).value
const bodyOf = (document: string) => /<office:text>(.*)<\/office:text>/s.exec(document)?.[1] ?? ''

/** Attributes of the style of this name and of those it builds on. */
function look(document: string, name: string): Readonly<Record<string, string>> {
  const style = new RegExp(`<style:style style:name="${name}"([^>]*)>(.*?)</style:style>`, 's').exec(document)
  if (style === null) return {}
  const parent = /style:parent-style-name="([^"]*)"/.exec(style[1] ?? '')?.[1]
  const own = [...(style[2] ?? '').matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])
  return { ...(parent !== undefined && look(document, parent)), ...Object.fromEntries(own) }
}

/** Elements with the named styles of paragraphs: what is where. */
function outline(html: string): string {
  const document = documentOf(html)
  return bodyOf(document)
    .replace(/<text:(p|h) text:style-name="([^"]*)"[^>]*>/g, (_, tag, name) => {
      const parent = new RegExp(
        `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="([^"]*)"`,
      )
      return `<${tag} ${(parent.exec(document)?.[1] ?? name).replace(/_20_/g, '').replace('Textbody', 'body')}>`
    })
    .replace(/<\/text:[ph]>|<table:table-column [^>]*>/g, '')
    .replace(/<table:covered-table-cell\/>/g, '<covered>')
    .replace(/ (?!columns|rows)[\w-]+:(?!start-value|number-(?:columns|rows)-spanned)[\w-]+="[^"]*"/g, '')
    .replace(/table:number-(columns|rows)-spanned/g, '$1')
    .replace(/(text|table):/g, '')
    .replace(/start-value/g, 'start')
}

const lookOf = (html: string, text: string, tag = 'text:[ph]') => {
  const document = documentOf(html)
  const name = new RegExp(`<${tag} [^>]*style-name="([^"]*)"[^>]*>(?:(?!</?${tag}[ >]).)*?${text}`, 's').exec(
    bodyOf(document),
  )?.[1]
  return look(document, name ?? 'none')
}

describe('blocks', () => {
  test.each([
    ['<h1>A</h1><p>b</p>c', '<h Heading1>A<p body>b<p body>c'],
    ['<p>a<p>b <b> c</b>', '<p body>a<p body>b <span>c</span>'],
    ['a<br>b<br><br>', '<p body>a<line-break/>b<line-break/>'],
    ['<pre>a\n  b</pre>', '<p PreformattedText>a<line-break/> <s/>b'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '<p Quotations>a<p Quotations>b'],
    ['<p style="display:none">a</p><p hidden>b</p><p style="visibility:hidden">c</p>d', '<p body>d'],
    ['<hr>', '<p HorizontalLine>'],
    ['', '<p body>'],
    [
      '<ul><li>a<ul><li>b</ul><li>c</ul>',
      '<list><list-item><p ListContents>a<list><list-item><p ListContents>b</list-item></list></list-item><list-item><p ListContents>c</list-item></list>',
    ],
    [
      '<ol start=4><li>a<li value=9>b<li>c</ol>',
      '<list><list-item start="4"><p ListContents>a</list-item><list-item start="9"><p ListContents>b</list-item><list-item><p ListContents>c</list-item></list>',
    ],
    [
      '<ol reversed><li>a<li>b</ol>',
      '<list><list-item start="2"><p ListContents>a</list-item><list-item start="1"><p ListContents>b</list-item></list>',
    ],
    ['<ul style="list-style:none"><li>a</ul>', '<p ListContents>a'],
    [
      '<ul><li>a<table><tr><td>1<td>2</table>b<li>c</ul>',
      '<list><list-item><p ListContents>a</list-item></list><table><table-row><table-cell><p TableContents>1</table-cell><table-cell><p TableContents>2</table-cell></table-row></table><list><list-header><p ListContents>b</list-header><list-item start="2"><p ListContents>c</list-item></list>',
    ],
    [
      '<table><thead><tr><th>a<th>b</thead><tr><td colspan=2>c</table>',
      '<table><table-header-rows><table-row><table-cell><p TableContents>a</table-cell><table-cell><p TableContents>b</table-cell></table-row></table-header-rows><table-row><table-cell columns="2"><p TableContents>c</table-cell><covered></table-row></table>',
    ],
    [
      '<table><tfoot><tr><td>z<td>y</tfoot><tr><td>a</table>',
      '<table><table-row><table-cell><p TableContents>a</table-cell><table-cell><p TableContents></table-cell></table-row><table-row><table-cell><p TableContents>z</table-cell><table-cell><p TableContents>y</table-cell></table-row></table>',
    ],
    ['<table><tr><td>only<p>that</table>', '<p body>only<p body>that'],
    [
      '<div style="display:flex"><div>a</div><div>b</div></div>',
      '<table><table-row><table-cell><p body>a</table-cell><table-cell><p body>b</table-cell></table-row></table>',
    ],
    ['<div style="display:flex;flex-direction:column"><div>a</div><div>b</div></div>', '<p body>a<p body>b'],
    [
      '<div style="display:grid;grid-template-columns:1fr 1fr"><i>a</i><i>b</i><i>c</i></div>',
      '<table><table-row><table-cell><p body>a</table-cell><table-cell><p body>b</table-cell></table-row></table><p body><table><table-row><table-cell><p body>c</table-cell></table-row></table>',
    ],
    [
      '<div style="float:left;width:50%">a</div><div style="float:left;width:50%">b</div><p style="clear:both">c',
      '<table><table-row><table-cell><p body>a</table-cell><table-cell><p body>b</table-cell></table-row></table><p body>c',
    ],
    [
      '<div style="border:1px solid"><p>a<p>b</div>c',
      '<table><table-row><table-cell><p body>a<p body>b</table-cell></table-row></table><p body>c',
    ],
    [
      '<input value=v> <input type=checkbox checked> <input type=radio> <select><option>a<option selected>b</select> <input>',
      '<p body>v<s/>\u2611<s/>\u25cb<s/>b<s/>__________',
    ],
    [
      '<a href="#x">a</a><h2 id=x>b</h2><a href=" JavaScript:no">c</a>',
      '<p body><a><span>a</span></a><h Heading2><bookmark/>b<p body><span>c</span>',
    ],
    [
      '<a href="file:///a.pdf">a</a><a href="sub/b.pdf">b</a><a href="data:text/html,x">c</a>',
      '<p body><a>a</a><a>b</a>c',
    ],
    ['<q>a</q><img alt="b">', '<p body>\u201ca\u201db'],
  ])('%s', (html, expected) => {
    expect(outline(html).replaceAll('<span>', '').replaceAll('</span>', '')).toBe(
      expected.replaceAll('<span>', '').replaceAll('</span>', ''),
    )
  })
})

describe('looks', () => {
  test.each([
    ['p{color:#123456}', '<p>x', 'text:p', { 'fo:color': '#123456' }],
    [
      'p{text-align:right;line-height:2.3}',
      '<p>x',
      'text:p',
      { 'fo:text-align': 'right', 'fo:line-height': '200%' },
    ],
    [
      'p{margin-left:20px;text-indent:8px}',
      '<p>x',
      'text:p',
      { 'fo:margin-left': '15pt', 'fo:text-indent': '6pt' },
    ],
    [
      'p{background:red;padding:4px}',
      '<p>x',
      'text:p',
      { 'fo:background-color': '#ff0000', 'fo:padding-left': '3pt' },
    ],
    [
      'p{border-left:2px solid blue}',
      '<p>x',
      'text:p',
      { 'fo:border-left': '1.5pt solid #0000ff', 'fo:border-right': 'none' },
    ],
    [
      'h1{font:20pt A;break-after:avoid}',
      '<h1>x',
      'text:h',
      { 'style:font-name': 'A', 'fo:font-size': '20pt', 'fo:keep-with-next': 'always' },
    ],
    ['', '<p dir=rtl>x', 'text:p', { 'style:writing-mode': 'rl-tb', 'fo:text-align': 'right' }],
    ['p+p{page-break-before:always}', '<p>a<p>x', 'text:p', { 'fo:break-before': 'page' }],
    ['', '<p style="page-break-after:always">a<p>x', 'text:p', { 'fo:break-before': 'page' }],
    ['', '<div style="break-before:page"></div><p>x', 'text:p', { 'fo:break-before': 'page' }],
    [
      'u{color:red}',
      '<p>a<u>x',
      'text:span',
      { 'fo:color': '#ff0000', 'style:text-underline-style': 'solid' },
    ],
    ['', '<p>a<sup>x', 'text:span', { 'style:text-position': 'super 58%' }],
    [
      'b{background:yellow;letter-spacing:2pt;text-transform:uppercase}',
      '<p>a<b>x',
      'text:span',
      { 'fo:background-color': '#ffff00', 'fo:letter-spacing': '2pt', 'fo:text-transform': 'uppercase' },
    ],
    [
      'td{border:1px solid red;padding:4px;background:#eee;vertical-align:bottom}',
      '<table><tr><td>a<td>x',
      'table:table-cell',
      {
        'fo:border-left': '0.75pt solid #ff0000',
        'fo:padding-top': '3pt',
        'fo:background-color': '#eeeeee',
        'style:vertical-align': 'bottom',
      },
    ],
    [
      'tr{background:#abcdef}',
      '<table><tr><td>a<td>x',
      'table:table-cell',
      { 'fo:background-color': '#abcdef' },
    ],
    [
      'table{border-collapse:collapse}tr{border-bottom:2px solid red}',
      '<table><tr><td>x<td>b<tr><td>c',
      'table:table-cell',
      { 'fo:border-bottom': '1.5pt solid #ff0000' },
    ],
    [
      'table{border-collapse:collapse}td{border:1px solid}td.w{border:4px solid red}',
      '<table><tr><td>x<td class=w>b',
      'table:table-cell',
      { 'fo:border-right': '3pt solid #ff0000', 'fo:border-left': '0.75pt solid #000000' },
    ],
    [
      'tr{height:40px;break-inside:avoid}',
      '<table><tr><td>x<td>b',
      'table:table-row',
      { 'style:min-row-height': '30pt', 'fo:keep-together': 'always' },
    ],
    ['table{width:200px;margin:0 auto}', '<table><tr><td>x<td>b', 'table:table', { 'style:width': '150pt' }],
  ])('%s %s', (sheet, html, tag, expected) => {
    expect(lookOf(`<style>${sheet}</style>${html}`, 'x', tag)).toMatchObject(expected)
  })

  test('space between blocks is the larger of their margins, and is put above', () => {
    const html = '<style>p{margin:10px 0}h1{margin:40px 0 4px}</style><p>a</p><h1>b</h1><p>c</p>'
    expect(lookOf(html, 'b')).toMatchObject({ 'fo:margin-top': '30pt', 'fo:margin-bottom': '0pt' })
    expect(lookOf(html, 'c')).toMatchObject({ 'fo:margin-top': '7.5pt' })
  })

  test('named styles have the most frequent formatting of their elements', () => {
    const document = documentOf('<style>p{color:red}</style><p class=a>a<p>b<p>c<p style="color:blue">d')
    expect(look(document, 'Text_20_body')['fo:color']).toBe('#ff0000')
    expect(bodyOf(document)).toContain('<text:p text:style-name="Text_20_body">b</text:p>')
  })

  test.each([
    ['', ['595.28pt', '841.89pt', '28.35pt']],
    ['@page{size:letter;margin:1in}', ['612pt', '792pt', '72pt']],
    ['@page{size:A5 landscape;margin:0}body{margin:10mm}', ['595.28pt', '419.53pt', '28.35pt']],
    ['@page{size:10cm 20cm;margin:1cm}', ['283.46pt', '566.93pt', '28.35pt']],
  ])('the paper: %s', (sheet, [width, height, margin]) => {
    const layout = /<style:page-layout-properties[^>]*>/.exec(documentOf(`<style>${sheet}</style>x`))?.[0]
    expect(layout).toContain(`fo:page-width="${width}" fo:page-height="${height}"`)
    expect(layout).toContain(`fo:margin-left="${margin}"`)
  })

  test('content of every page', () => {
    const html =
      '<div data-page-header>Top</div><p>x</p><footer data-page-footer>Page <span class="pageNumber"></span></footer>'
    const document = documentOf(html)
    expect(document).toMatch(/<style:header><text:p [^>]*>Top<\/text:p><\/style:header>/)
    expect(document).toMatch(/<style:footer><text:p [^>]*>Page <text:page-number/)
    expect(bodyOf(document)).not.toMatch(/Top|Page/)
  })

  test('pictures, and those that are elsewhere', () => {
    const { value } = documentOfPage(
      `${doctype}<img src="${pixel}" width=40 alt="Dot"><svg viewBox="0 0 2 1" width="20"><rect width="2" height="1"/></svg><img src="https://example.com/a.png" alt="Away">`,
    )
    expect(value).toMatch(/svg:width="30pt" svg:height="30pt"><draw:image draw:mime-type="image\/png">/)
    expect(value).toContain('<svg:desc>Dot</svg:desc>')
    expect(value).toMatch(/svg:width="15pt" svg:height="7.5pt"><draw:image draw:mime-type="image\/svg\+xml">/)
    expect(value).toMatch(/xlink:href="https:\/\/example.com\/a.png"[^>]*>(?:<text:span[^>]*>)?Away/)
  })
})

test('bytes that are not a picture are replaced by the alternative text, in the size of the surrounding text', () => {
  const { value } = documentOfPage(
    `${doctype}<p style="font-size:20pt">See <img src="data:image/png;base64,AAAAAAAA" alt="our logo" width="300" height="90"> here`,
  )
  expect(value).not.toContain('<draw:')
  expect(value).toContain('See our logo here')
})

describe('bad input ends in a document', () => {
  test.each([
    ['nested boxes', '<div style="display:flex;border:1px solid"><div>a</div>'.repeat(250)],
    ['nested lists', '<ul><li>x'.repeat(250)],
    [
      'spans of everything',
      `<table>${`<tr>${'<td colspan=1000 rowspan=1000>x'.repeat(20)}`.repeat(300)}</table>`,
    ],
    [
      'one long row over many short ones',
      `<table><tr>${'<td>a'.repeat(500)}${'<tr><td>b'.repeat(3000)}</table>`,
    ],
    [
      'lengths beyond all',
      '<p style="margin:1e99px;padding:99999999px;font-size:1e9px;width:-5px;text-indent:-1e30em">x',
    ],
    [
      'styles of nothing',
      '<style>@page{size:0 0;margin:-1cm}p{font:;color:;margin:x y z;border:}}{{;;}</style><p>x',
    ],
    ['signs that XML does not know', '<p>a\u0001\uffff</p><p title="\u0000">\ud800'],
  ])('%s', (_, html) => {
    const document = documentOf(html)
    expect(document).toMatch(/<\/office:document>$/)
    expect(document).not.toMatch(/NaN|Infinity|undefined|[\0-\x08\uffff]/)
  })
})

test('an invoice in Word: lines, colours, spacing, widths, repeated heads, headings and numbers', async () => {
  const html = `<style>table{width:100%;border-collapse:collapse}th{background:#003366;color:#fff;padding:6px}td{border-bottom:1px solid #cccccc}.n{text-align:right}
    .box{border:2px solid #ff0000;padding:8px}</style><h1>Invoice</h1><table><thead><tr><th style="width:75%">Item<th class=n>Price</thead><tr><td>Oak<td class=n>9.50</table>
    <ol type=A start=3><li>Third</ol><div class=box><p>One<p>Two</div>`
  const { bytes } = await office.convert(documentOf(html), 'fodt', 'docx')
  const xml = await entryText(bytes, 'word/document.xml')
  expect(xml).toMatch(/<w:pStyle w:val="Heading1"\/>/)
  expect(xml).toContain('<w:tblHeader w:val="true"/>')
  expect(xml).toContain('<w:shd w:fill="003366" w:val="clear"/>')
  expect(xml).toMatch(/<w:bottom w:val="single" w:sz="6" w:space="0" w:color="CCCCCC"\/>/)
  expect(xml).toMatch(/<w:jc w:val="(?:right|end)"\/>/)
  const [wide = 0, narrow = 1] = [...xml.matchAll(/<w:gridCol w:w="(\d+)"\/>/g)].map(([, width]) =>
    Number(width),
  )
  expect(wide / narrow).toBeCloseTo(3, 1)
  expect(xml).toMatch(/w:color="FF0000"/)
  const numbering = await entryText(bytes, 'word/numbering.xml')
  expect(numbering).toMatch(/<w:start w:val="3"\/>|<w:startOverride w:val="3"\/>/)
  expect(numbering).toContain('<w:numFmt w:val="upperLetter"/>')
})
