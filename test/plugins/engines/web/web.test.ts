import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inThreads } from '../../../../origin/layout-pool.ts'
import web from '../../../../plugins/engines/web/index.ts'
import docx from '../../../../plugins/formats/docx/index.ts'
import odp from '../../../../plugins/formats/odp/index.ts'
import odt from '../../../../plugins/formats/odt/index.ts'
import pptx from '../../../../plugins/formats/pptx/index.ts'
import { numberOf } from '../../../../shared/flow/write-sheets.ts'
import { engineContract } from '../../../contract/engine.ts'
import { docxOf, odtOf } from '../../../helpers/docx.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { odfWithCharts } from '../../../helpers/odf-charts.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

const host = originHost(undefined, [docx, odt, pptx, odp])
const { convert } = engineUnder(web, host)
const letter = new Uint8Array(
  readFileSync(new URL('../../../fixtures/templates/letter/template.docx', import.meta.url)),
)
const odtSample = new Uint8Array(
  readFileSync(new URL('../../../fixtures/corpus/docling-project__text_document_03.odt', import.meta.url)),
)
const samples: Readonly<Record<string, Uint8Array | string>> = {
  md: '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  html: '<h1>T</h1><table><tr><td>1</td><td>2</td></tr></table>',
  xhtml: '<html xmlns="http://www.w3.org/1999/xhtml"><body><table><tr><td>1</td></tr></table></body></html>',
  xml: '<?xml version="1.0"?><a><b>1</b></a>',
  docbook: '<article xmlns="http://docbook.org/ns/docbook"><title>T</title><para>P</para></article>',
  docx: letter,
  odt: odtSample,
  pptx: await pptxOf([pptxShape(2, pptxParagraph('Hello'))]),
  odp: await odfWithCharts(
    'presentation',
    '<draw:page><draw:custom-shape><text:p>Hello</text:p></draw:custom-shape></draw:page>',
    [],
  ),
}

engineContract({
  plugin: inThreads(web),
  settings: { threads: 2 },
  host,
  sample: async (from) => {
    const one = samples[from] ?? ''
    return typeof one === 'string' ? new TextEncoder().encode(one) : one
  },
  slow: {
    from: 'md',
    to: 'html',
    source: () => new TextEncoder().encode('a *b* [c](d)\n\n'.repeat(100_000)),
  },
})

const text = async (source: string | Uint8Array, from: string, to: string) =>
  new TextDecoder().decode((await convert(source, from, to)).bytes)
/** The body of a page, on one line. */
const bodyOf = async (markdown: string) =>
  (/<body>\n([\s\S]*)\n<\/body>/.exec(await text(markdown, 'md', 'html'))?.[1] ?? '').replace(/\n/g, '')

describe('slides', () => {
  test.each(
    ['pptx', 'odp'].flatMap((from) => [
      [from, 'md', '## Slide 1\n\nHello\n'],
      [from, 'txt', 'Slide 1\n\nHello\n'],
    ]),
  )('%s to %s', async (from, to, expected) => {
    expect(await text(samples[from] ?? '', from, to)).toBe(expected)
  })
  test.each(['pptx', 'odp'])('%s to html', async (from) => {
    expect(await text(samples[from] ?? '', from, 'html')).toMatch(/<h2[^>]*>Slide 1<\/h2>\s*<p>Hello<\/p>/)
  })
})

describe('Markdown to HTML', () => {
  test.each([
    ['# A *b*', '<h1>A <em>b</em></h1>'],
    ['~~x~~ `y` **z**', '<p><del>x</del> <code>y</code> <strong>z</strong></p>'],
    ['https://example.org', '<p><a href="https://example.org">https://example.org</a></p>'],
    [
      '- [x] a\n- [ ] b',
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> a</li><li class="task-list-item"><input type="checkbox" disabled> b</li></ul>',
    ],
    [
      '| a | b |\n|:-:|--:|\n| 1 | 2 |',
      '<table><thead><tr><th align="center">a</th><th align="right">b</th></tr></thead><tbody><tr><td align="center">1</td><td align="right">2</td></tr></tbody></table>',
    ],
    ['```js\na < b\n```', '<pre><code class="language-js">a &#x3C; b</code></pre>'],
    ['![alt](data:image/png;base64,AAAA)', '<p><img src="data:image/png;base64,AAAA" alt="alt"></p>'],
    ['a <b>c</b>', '<p>a <b>c</b></p>'],
    ['<mark>m</mark>', '<p><mark>m</mark></p>'],
    [
      '> [!NOTE]\n> a\n> b',
      '<blockquote class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><strong>Note</strong></p><p>ab</p></blockquote>',
    ],
    [
      '> [!caution]  \n>\n> - a',
      '<blockquote class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title"><strong>Caution</strong></p><ul><li>a</li></ul></blockquote>',
    ],
    ['> [!NOTE] a', '<blockquote><p>[!NOTE] a</p></blockquote>'],
    ['> [!OTHER]\n> a', '<blockquote><p>[!OTHER]a</p></blockquote>'],
  ])('%s', async (markdown, html) => {
    expect(await bodyOf(markdown)).toBe(html)
  })

  test.each([
    ['scripts', '<script>alert(1)</script>', /<script|alert/],
    ['handlers', '<img src="x" onerror="alert(1)">', /onerror/],
    ['addresses that run', '[x](javascript:alert(1))', /javascript/],
    ['styles', '<style>body{}</style><p style="x">y</p>', /body\{\}|style="x"/],
    ['frames', '<iframe src="http://x"></iframe>', /iframe/],
  ])('takes %s away', async (_name, markdown, forbidden) => {
    expect(await bodyOf(`${markdown}\n\nrest`)).not.toMatch(forbidden)
  })
  test.each(['tel:+49401234', 'file:///shared/a.pdf', 'sub/a.pdf', 'mailto:a@example.org'])(
    'a link to %s stays',
    async (address) => {
      expect(await bodyOf(`[x](${address})`)).toContain(`<a href="${address}">x</a>`)
    },
  )

  test('the head of the file gives title and language', async () => {
    const html = await text('---\ntitle: "Notes"\nlang: de\n---\n# Other\n', 'md', 'html')
    expect(html).toMatch(/<html lang="de">[\s\S]*<title>Notes<\/title>/)
    expect(html).not.toContain('lang: de')
    expect(await text('# A heading\n', 'md', 'html')).toContain('<title>A heading</title>')
  })
})

describe('pages to Markdown', () => {
  test.each([
    ['<h2>A <b>b</b></h2>', '## A b\n'],
    ['<p>a  <b> b </b>\n<i>c</i><br>d</p>', 'a **b** *c*\\\nd\n'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c\n'],
    ['<ol start=3><li>a<li>b</ol>', '3. a\n4. b\n'],
    ['<pre><code class="language-ts">x\n  y</code></pre>', '```ts\nx\n  y\n```\n'],
    ['<blockquote><p>q</p></blockquote>', '> q\n'],
    ['<a href="https://e.org">x</a><hr>', '[x](https://e.org)\n\n---\n'],
    ['<table><tr><th>a<th>b<tr><td>1|2<td>x<br>y</table>', '| a | b |\n| - | - |\n| 1\\|2 | x<br>y |\n'],
    [
      '<table><tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d</table>',
      '| a | | b |\n| - | - | - |\n| c | d | |\n',
    ],
    ['<script>x</script><style>y</style><p>z</p>', 'z\n'],
    ['<div>loose <span>text</span><p>para</div>', 'loose text\n\npara\n'],
  ])('%s', async (html, markdown) => {
    expect((await text(html, 'html', 'md')).replace(/ {2,}\|/g, ' |')).toBe(markdown)
  })

  test('what was Markdown comes back', async () => {
    const source =
      '# Title\n\nA **bold** word, a [link](https://e.org) and a note[^1].\n\n- [x] done\n- [ ] open\n\n| a | b |\n| :- | -: |\n| 1 | 2 |\n\n```js\nx\n```\n\n[^1]: The note.\n'
    expect(await text(await text(source, 'md', 'html'), 'html', 'md')).toBe(source)
  })
})

describe('pages to text', () => {
  test('lists, tables in columns, addresses', async () => {
    const html =
      '<h1>T</h1><p>See <a href="https://e.org/x">this</a>.</p><ol><li>a<li>b</ol><table><tr><td>long name<td>1<tr><td>b<td>22</table>'
    expect(await text(html, 'html', 'txt')).toBe(
      'T\n\nSee this (https://e.org/x).\n\n1. a\n2. b\n\nlong name   1\nb           22\n',
    )
  })
})

describe('tables of pages to sheets', () => {
  test.each([
    ['12', 12],
    ['-1,234.50', -1234.5],
    ['1.234,50', 1234.5],
    ["1'234.5", 1234.5],
    ['12 %', 0.12],
    ['1 234', 1234],
    ['3,5', 3.5],
    ['007', undefined],
    ['12/2024', undefined],
    ['1,23,4', undefined],
    ['12345678901234567', undefined],
    ['', undefined],
    ['1.2.3', undefined],
  ])('%s is %s', (written, value) => {
    expect(numberOf(written)?.value).toBe(value)
  })

  test('one sheet a table, called after its heading, with spans and types', async () => {
    const html =
      '<h2>Sales</h2><table><tr><th>Item<th>Sum<tr><td rowspan=2>A<td>1,200.50<tr><td>7</table><h2>Sales</h2><table><tr><td>x</table>'
    const sheets = await text(html, 'html', 'fods')
    expect([...sheets.matchAll(/table:table table:name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Sales',
      'Sales 2',
    ])
    expect(sheets).toContain('table:number-rows-spanned="2"')
    expect(sheets).toContain('office:value-type="float" office:value="1200.5"')
    expect(sheets).toContain('<table:covered-table-cell/>')
  })

  test('text without or outside of tables', async () => {
    expect((await convert('<h1>T</h1><table><tr><td>1</table>', 'html', 'fods')).warnings).toEqual([])
    const beside = await convert('<p>x<table><tr><td>1</table>', 'html', 'fods')
    expect(beside.warnings.map(({ code }) => code)).toEqual(['web.tables-only'])
    // Without a table all of the text is there, block by block.
    const rows = await text('<h1>A</h1><p>b<ul><li>c<li>d</ul>', 'html', 'fods')
    expect([...rows.matchAll(/<text:p>([^<]+)</g)].map(([, one]) => one)).toEqual(['A', 'b', 'c', 'd'])
  })
})

describe('office documents to Markdown', () => {
  test('headings, lists, tables, links and pictures of a letter', async () => {
    const markdown = new TextDecoder().decode((await convert(letter, 'docx', 'md')).bytes)
    expect(markdown).toMatch(/\{d\./)
    expect(markdown).not.toMatch(/<w:|undefined|\[object/)
  })

  test('contents become a list, and links inside lead to where they led', async () => {
    const line = (level: number, to: string, content: string) =>
      `<w:p><w:pPr><w:pStyle w:val="TOC${level}"/></w:pPr><w:hyperlink w:anchor="${to}"><w:r><w:t>${content}</w:t></w:r><w:r><w:tab/><w:t>7</w:t></w:r></w:hyperlink></w:p>`
    const place = (name: string) => `<w:bookmarkStart w:id="1" w:name="${name}"/><w:bookmarkEnd w:id="1"/>`
    const heading = (level: number, name: string, content: string) =>
      `<w:p><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr>${place(name)}<w:r><w:t>${content}</w:t></w:r></w:p>`
    const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${[1, 2].map((level) => `<w:style w:type="paragraph" w:styleId="TOC${level}"><w:name w:val="toc ${level}"/></w:style>`).join('')}</w:styles>`
    const source = await docxOf(
      [
        line(1, 'a', 'Über uns: A & B'.replace('&', '&amp;')),
        line(2, 'b', 'Twice'),
        line(2, 'c', 'Twice'),
        heading(1, 'a', 'Über uns: A &amp; B'),
        heading(2, 'b', 'Twice'),
        heading(2, 'c', 'Twice'),
        `<w:p><w:r><w:tab/><w:t xml:space="preserve">See </w:t></w:r><w:hyperlink w:anchor="d"><w:r><w:t>below</w:t></w:r></w:hyperlink></w:p>`,
        `<w:p>${place('unused')}${place('d')}<w:r><w:t>Here.</w:t></w:r></w:p>`,
      ].join(''),
      {
        'word/styles.xml': styles,
        'word/_rels/document.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
      },
    )
    expect(await text(source, 'docx', 'md')).toBe(
      [
        '- [Über uns: A & B](#über-uns-a--b)\n  - [Twice](#twice)\n  - [Twice](#twice-1)',
        '# Über uns: A & B',
        '## Twice',
        '## Twice',
        'See [below](#d)',
        '<a id="d"></a>Here.\n',
      ].join('\n\n'),
    )
  })

  test('comments are notes that begin with their author', async () => {
    const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    const relationship = (name: string) =>
      `<Relationship Id="${name}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}" Target="${name}.xml"/>`
    const source = await docxOf(
      '<w:p><w:commentRangeStart w:id="7"/><w:r><w:t>Price</w:t></w:r><w:commentRangeEnd w:id="7"/><w:r><w:commentReference w:id="7"/></w:r><w:r><w:t>: 5</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="9"/></w:r></w:p>',
      {
        'word/comments.xml': `<w:comments ${word}><w:comment w:id="7" w:author="Ann Lee"><w:p><w:r><w:t>Too low?</w:t></w:r></w:p></w:comment></w:comments>`,
        'word/footnotes.xml': `<w:footnotes ${word}><w:footnote w:id="2"><w:p><w:r><w:t>Net.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
        'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationship('comments')}${relationship('footnotes')}</Relationships>`,
      },
    )
    expect(await text(source, 'docx', 'md')).toBe(
      'Price[^1]: 5[^2]\n\n[^1]: Ann Lee: Too low?\n\n[^2]: Net.\n',
    )
    const open = await odtOf(
      '<text:p>Price<office:annotation xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>A &amp; B</dc:creator><dc:date>2026-01-01T00:00:00</dc:date><text:p>Too low?</text:p><text:p>Ask.</text:p></office:annotation>: 5</text:p>',
    )
    expect(await text(open, 'odt', 'md')).toBe('Price[^1]: 5\n\n[^1]: A & B: Too low?\n\n    Ask.\n')
  })

  test('equations are LaTeX, in the line and on their own, and other dollar signs are none', async () => {
    const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    const power =
      '<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>'
    const run = (content: string) => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`
    const source = await docxOf(
      `<w:p ${m}>${run('For $5 the square ')}${power}${run(' costs $6.')}</w:p><w:p ${m}><m:oMathPara>${power}</m:oMathPara></w:p>`,
    )
    expect(await text(source, 'docx', 'md')).toBe('For \\$5 the square $x^{2}$ costs \\$6.\n\n$$x^{2}$$\n')
    const plain = await docxOf(`<w:p>${run('From $5 to $6.')}</w:p>`)
    expect(await text(plain, 'docx', 'md')).toBe('From $5 to $6.\n')
  })

  const formula = (content: string) =>
    `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics>${content}<annotation encoding="StarMath 5.0">source</annotation></semantics></math>`
  const formulaFrame =
    '<draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="1cm" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>'
  test.each([
    ['<mfrac><mn>1</mn><mn>2</mn></mfrac>', String.raw`\frac{1}{2}`],
    ['<mroot><mi>x</mi><mn>3</mn></mroot>', String.raw`\sqrt[3]{x}`],
    ['<msubsup><mi>a</mi><mi>i</mi><mn>2</mn></msubsup>', 'a_{i}^{2}'],
    [
      '<mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi></mrow>',
      String.raw`\sum_{i=1}^{n}i`,
    ],
    [
      '<mrow><mo fence="true">[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable><mo fence="true">]</mo></mrow>',
      String.raw`\begin{bmatrix}1 & 0\end{bmatrix}`,
    ],
    ['<mover accent="true"><mi>v</mi><mo>→</mo></mover>', String.raw`\vec{v}`],
    [
      '<mrow><munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi></mrow>',
      String.raw`\lim_{x\to0}f`,
    ],
    ['<mrow><mi>a</mi><mo>≤</mo><mtext>if 50% &amp; $</mtext></mrow>', String.raw`a\leq\text{if 50\% \& \$}`],
  ])('the formula object %s of ODT is LaTeX', async (content, latex) => {
    const objects = { 'Object 1/content.xml': formula(content) }
    const alone = await odtOf(`<text:p>${formulaFrame}</text:p>`, objects)
    expect(await text(alone, 'odt', 'md')).toBe(`$$${latex}$$\n`)
    // Writer saves each formula as a display equation, also those in a line of text.
    const inLine = await odtOf(`<text:p>See ${formulaFrame} here</text:p>`, objects)
    expect(await text(inLine, 'odt', 'md')).toBe(`See $${latex}$ here\n`)
  })

  test('contents of Writer are found behind its automatic styles', async () => {
    const source = await odtOf(
      '<text:p text:style-name="P1"><text:a xlink:type="simple" xlink:href="#h">One<text:tab/>1</text:a></text:p><text:h text:outline-level="1"><text:bookmark-start text:name="h"/>One<text:bookmark-end text:name="h"/></text:h>',
      {
        'styles.xml':
          '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:styles><style:style style:name="Contents_20_1" style:display-name="Contents 1" style:family="paragraph"/><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Contents_20_1"/></office:styles></office:document-styles>',
      },
    )
    expect(await text(source, 'odt', 'md')).toBe('- [One](#one)\n\n# One\n')
  })
})

describe('bad input', () => {
  test.each([
    ['nothing', '', 'md', 'html'],
    ['binary', '\0\0\0\u0001', 'md', 'html'],
    ['binary', '\0\0', 'html', 'txt'],
  ])('%s', async (_name, source, from, to) => {
    await expect(convert(source, from, to)).rejects.toMatchObject({ code: 'convert.document' })
  })

  test.each([
    ['quotes', '> '.repeat(5000), 'md', 'fodt'],
    ['elements', '<div>'.repeat(20_000), 'html', 'md'],
    ['spans', '<span>'.repeat(20_000), 'html', 'txt'],
    ['lists', '<ul><li>'.repeat(3000), 'html', 'md'],
    ['brackets', '['.repeat(20_000), 'md', 'html'],
  ])('nested %s end in a document or an error, soon', async (_name, source, from, to) => {
    const begun = process.cpuUsage()
    await convert(source, from, to).catch((error: { code?: string }) =>
      expect(error.code).toBe('convert.document'),
    )
    expect(processorTime(begun)).toBeLessThan(20_000)
  })
})
