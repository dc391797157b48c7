import { describe, expect, it } from 'vitest'
import type { HtmlBlock, HtmlInline } from '../../../../shared/template/html/model.ts'
import { inlinesOf, textOfBlocks } from '../../../../shared/template/html/plain.ts'
import { readHtml } from '../../../../shared/template/html/read.ts'

/** A short notation: `p(...)` with quotation levels and the like before it, looks as letters before the text. */
function shown(blocks: readonly HtmlBlock[]): string {
  return blocks.map(block).join(' ')
}

function block(of: HtmlBlock): string {
  const quote = of.quote > 0 ? `>${of.quote} ` : ''
  if (of.kind === 'rule') return `${quote}rule`
  if (of.kind === 'list') {
    const items = of.items.map((item) => `${item.unmarked ? '-' : ''}(${shown(item.blocks)})`)
    return `${quote}${of.marker}@${of.start}[${items.join('')}]`
  }
  if (of.kind === 'table') {
    const rows = of.rows.map((cells) =>
      cells
        .map((cell) => {
          if (cell.covered) return '^'
          const span = cell.colspan + cell.rowspan > 2 ? `${cell.colspan}x${cell.rowspan}` : ''
          return `${span}${cell.header ? '!' : ''}${cell.background ?? ''}(${shown(cell.blocks)})`
        })
        .join(''),
    )
    const widths = of.widths?.map((share) => Math.round(share * 100)).join(',')
    return `${quote}table${of.columns}${widths === undefined ? '' : `:${widths}`}${of.rtl ? '.rtl' : ''}[${rows.join('|')}]`
  }
  const name = of.heading === undefined ? (of.preformatted ? 'pre' : of.spaced ? 'p' : 'l') : `h${of.heading}`
  const more = [
    of.align,
    of.background,
    of.borders && Object.entries(of.borders).map(([side, { width }]) => `${side}${width}`),
    of.rtl && 'rtl',
    of.indent === undefined ? '' : `${Math.round(of.indent)}px`,
    of.breakBefore && 'before',
    of.breakAfter && 'after',
  ].filter(Boolean)
  return `${quote}${name}${more.map((text) => `.${text}`).join('')}(${of.inlines.map(inline).join('')})`
}

const letters = { bold: 'b', italic: 'i', underline: 'u', strike: 's', highlighted: 'm', code: 'c' } as const

function inline(of: HtmlInline): string {
  if (of.kind === 'break') return '/'
  if (of.kind === 'check') return of.checked ? '[x]' : '[ ]'
  if (of.kind === 'image') return `<${of.source} ${of.width ?? '?'}x${of.height ?? '?'} ${of.text}>`
  const { style } = of
  const looks = Object.entries(letters).filter(([name]) => style[name as keyof typeof letters] === true)
  const said = [
    ...looks.map(([, letter]) => letter),
    style.position ?? '',
    style.color ?? '',
    style.background === undefined ? '' : `/${style.background}`,
    style.link === undefined ? '' : `@${style.link}`,
    style.size === undefined ? '' : `${style.size}pt`,
    style.font ?? '',
  ].join('')
  return said === '' ? of.text : `{${said}:${of.text}}`
}

describe('where paragraphs stand', () => {
  const rows: [string, string][] = [
    [
      '<div style="text-align:center"><p>a</p><p style="text-align:left">b</p></div>',
      'p.center(a) p.left(b)',
    ],
    ['<center>a</center>', 'l.center(a)'],
    ['<p align=Right>a', 'p.right(a)'],
    ['<p dir=rtl>a', 'p.rtl(a)'],
    [
      '<div dir=rtl><p style="text-align:start">a<p style="text-align:end">b<p dir=ltr>c</div>',
      'p.right.rtl(a) p.left.rtl(b) p(c)',
    ],
    ['<p style="direction: rtl; padding-right: 40px">a', 'p.rtl.40px(a)'],
    ['<p style="padding-left: 40px">a', 'p.40px(a)'],
    ['<div style="margin: 0 0 0 1.5em"><p style="margin-left:36.0pt">a</p></div>', 'p.72px(a)'],
    [
      '<p style="margin-left:-20px">a<p style="margin-left:10%">b<p style="margin-left:9e9px">c',
      'p(a) p(b) p(c)',
    ],
    ['<p style="margin-left:99999px">a', 'p.600px(a)'],
    ['<blockquote style="margin:0 0 0 0.8ex;padding-left:40px">a</blockquote>', '>1 p(a)'],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

describe('fonts, sizes and lines', () => {
  const rows: [string, string][] = [
    ['<span style="font-size:14pt">a</span><span style="font-size: 24px">b</span>', 'l({14pt:a}{18pt:b})'],
    [
      '<p style="font-size:20pt">a<span style="font-size:50%">b<span style="font-size:3em">c',
      'p({20pt:a}{10pt:b}{30pt:c})',
    ],
    ['<span style="font-size:120%">a</span><span style="font-size:x-large">b</span>', 'l(a{18pt:b})'],
    ['<span style="font-size:-3pt">a<span style="font-size:9e9pt">b<span style="font-size:16">c', 'l(abc)'],
    ['<span style="font-size:999pt">a</span><span style="font-size:0.1pt">b</span>', 'l({400pt:a}{1pt:b})'],
    ['<font size=5 face="Arial, sans-serif">a</font><font size=9>b</font>', 'l({18ptArial:a}b)'],
    [
      `<span style="font-family: 'Segoe UI', Arial">a</span><span style="font-family:monospace">b`,
      'l({Segoe UI:a}{Courier New:b})',
    ],
    ['<span style="font-family:inherit">a</span><span style="font-family:&quot;<x>&quot;">b', 'l(ab)'],
    [
      '<p style="border:2px solid red">a<p style="border-bottom:1px dotted">b<p style="border:0 solid">c',
      'p.top2,right2,bottom2,left2(a) p.bottom1(b) p(c)',
    ],
    [
      '<div style="border:1px solid"><p>a<ul><li>b</ul></div>',
      'p.top1,right1,bottom1,left1(a) bullet@1[(l(b))]',
    ],
    ['<span style="border:1px solid">a</span>', 'l(a)'],
    [
      '<table><tr><th>a<th align=left>b<td>c<tr style="text-align:right"><th>d</table>',
      'table3[!(l.center({b:a}))!(l.left({b:b}))(l(c))|!(l.right({b:d}))()()]',
    ],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

describe('elements', () => {
  const rows: [string, string][] = [
    ['plain', 'l(plain)'],
    ['', ''],
    ['  \n ', ''],
    ['<b>a</b> <strong>b</strong><i>c</i><em>d</em>', 'l({b:a} {b:b}{i:c}{i:d})'],
    ['<u>a</u><ins>b</ins><s>c</s><del>d</del><strike>e</strike>', 'l({u:a}{u:b}{s:c}{s:d}{s:e})'],
    ['x<sup>2</sup><sub>i</sub>', 'l(x{sup:2}{sub:i})'],
    ['<mark>a</mark><code>b</code><kbd>c</kbd><samp>d</samp>', 'l({m:a}{c:b}{c:c}{c:d})'],
    ['<p>a<p>b</p>c', 'p(a) p(b) l(c)'],
    ['<p>a<br>b<br></p><p><br></p><p></p>', 'p(a/b) p()'],
    ['a<br/>b</br>c', 'l(a/b/c)'],
    ['<h1>a</h1><h6>b <i>c</i></h6>', 'h1(a) h6(b {i:c})'],
    ['<div>a</div><section>b</section>', 'l(a) l(b)'],
    ['<a href=" https://a.org ">x<b>y</b></a><a>z</a>', 'l({@https://a.org:x}{b@https://a.org:y}z)'],
    ['<hr>', 'rule'],
    ['<p>a<hr>b', 'p(a) rule l(b)'],
    ['<blockquote>a<blockquote><p>b</p></blockquote>c</blockquote>d', '>1 p(a) >2 p(b) >1 p(c) l(d)'],
    ['<pre>\n a\n  b\t</pre>', 'pre({c: a}/{c:  b\t})'],
    ['<unknown x=1>a<p>b</unknown>c', 'l(a) p(bc)'],
    ['<custom>a</custom><font color="#0f0">b</font>', 'l(a{00FF00:b})'],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

describe('lists', () => {
  const rows: [string, string][] = [
    ['<ul><li>a<li>b</ul>', 'bullet@1[(l(a))(l(b))]'],
    ['<ol start=3 type=i><li>a</ol>', 'lowerRoman@3[(l(a))]'],
    ['<ol type=A><li>a<ul><li>b</ul>c</li></ol>', 'upperLetter@1[(l(a) bullet@1[(l(b))] l(c))]'],
    ['<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>', 'bullet@1[(l(a) bullet@1[(l(b))])(l(c))]'],
    ['<ul>x<li>a</ul>', 'bullet@1[-(l(x))(l(a))]'],
    ['<ul></ul><li>a', 'l(a)'],
    ['<ul style="list-style-type:square"><li>a</ul>', 'bullet@1[(l(a))]'],
    ['<ol style="list-style-type: lower-alpha"><li>a</ol>', 'lowerLetter@1[(l(a))]'],
    ['<ul style="list-style: none"><li>a</ul>', 'bullet@1[-(l(a))]'],
    [
      '<ol><li data-list=bullet>a<li data-list=ordered>b<li data-list=checked>c</ol>',
      'bullet@1[(l(a))] decimal@1[(l(b))-(l([x] c))]',
    ],
    ['<center><ul><li>a<li style="text-align:right">b</ul></center>', 'bullet@1[(l.center(a))(l.right(b))]'],
    ['<ul dir=rtl><li>a</ul>', 'bullet@1[(l.rtl(a))]'],
    ['<ul><li><p>a</p><p>b</p></ul>', 'bullet@1[(p(a) p(b))]'],
    [
      '<ul><li><input type=checkbox checked> a<li><label><input type="CheckBox">b</label><li>c</ul>',
      'bullet@1[-(l([x] a))-(l([ ] b))(l(c))]',
    ],
    ['<input type=checkbox>a<input type=text value=x>', 'l([ ] a)'],
    // Deeper than nine levels: items of the ninth.
    [`${'<ul><li>'.repeat(11)}a`, `${'bullet@1[('.repeat(9)})()(l(a)${')]'.repeat(9)}`],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

/** A paragraph that Word puts on the clipboard for an item. */
const wordItem = (level: number, marker: string, text: string) =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`

describe('lists and tasks of editors', () => {
  it.each<[what: string, html: string, expected: string]>([
    [
      'levels of Quill',
      '<ol><li data-list=bullet>a<li data-list=bullet class="ql-indent-1">b<li data-list=bullet class=ql-indent-2>c<li data-list=bullet>d</ol>',
      'bullet@1[(l(a) bullet@1[(l(b) bullet@1[(l(c))])])(l(d))]',
    ],
    [
      'a level without those above',
      '<ol><li class=ql-indent-3>a</ol>',
      'decimal@1[-(decimal@1[-(decimal@1[-(decimal@1[(l(a))])])])]',
    ],
    [
      'alignment of Quill',
      '<p class="ql-align-center">a</p><p class="ql-align-odd">b</p>',
      'p.center(a) p(b)',
    ],
    [
      'a task of tiptap',
      '<ul><li><label><input type=checkbox checked><span></span></label><div><p>a</p><p>b</p></div></li></ul>',
      'bullet@1[-(p([x] a) p(b))]',
    ],
    ['a box with a blank behind it', '<ul><li><input type=checkbox> a</ul>', 'bullet@1[-(l([ ] a))]'],
    [
      'lists of Word',
      `${wordItem(1, '·', 'a')}${wordItem(2, 'o', 'b')}${wordItem(1, '·', 'c')}<p>d</p>${wordItem(1, '3.', 'e')}${wordItem(1, '4.', 'f')}`,
      'bullet@1[(l(a) bullet@1[(l(b))])(l(c))] p(d) decimal@3[(l(e))(l(f))]',
    ],
    [
      'markers of Word',
      wordItem(1, 'b)', 'a') + wordItem(2, '(iv)', 'b') + wordItem(3, 'A.', 'c'),
      'lowerLetter@2[(l(a) lowerRoman@1[(l(b) upperLetter@1[(l(c))])])]',
    ],
    [
      'a list of Word in a cell',
      `<table><tr><td>${wordItem(1, '·', 'a')}<td>b</table>`,
      'table2[(bullet@1[(l(a))])(l(b))]',
    ],
    [
      'a list of Word before another one',
      '<p style="mso-list:l0 level1 lfo1">a<ul><li>b</ul>c',
      'bullet@1[(l(a))] bullet@1[(l(b))] l(c)',
    ],
    ['definitions', '<dl><dt>a<dd>b</dl>', 'l(a) l.40px(b)'],
    ['a marker outside of items', '<p><span style="mso-list:Ignore">1.</span>a', 'p(1.a)'],
  ])('%s', (_, html, expected) => {
    expect(shown(readHtml(html))).toBe(expected)
  })
})

describe('tables', () => {
  const rows: [string, string][] = [
    ['<table><tr><td>a<td>b<tr><td>c</table>', 'table2[(l(a))(l(b))|(l(c))()]'],
    [
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
      'table1[!(l.center({b:a}))|(l(b))]',
    ],
    [
      '<table><tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d</table>',
      'table3[2x1(l(a))^1x2(l(b))|(l(c))(l(d))^]',
    ],
    [
      '<table><tr align=right><td>a<td style="text-align:center"><p>b<td align=left>c</table>',
      'table3[(l.right(a))(p.center(b))(l.left(c))]',
    ],
    ['<table><tr><td width=30%>a<td>b</table>', 'table2:30,70[(l(a))(l(b))]'],
    [
      '<table><colgroup><col style="width:160px"><col span=2></colgroup><tr><td>a<td>b<td>c</table>',
      'table3:25,38,38[(l(a))(l(b))(l(c))]',
    ],
    [
      '<table><tr><td width=320 colspan=2>a<tr><td width=160>b<td width=480>c</table>',
      'table2:25,75[2x1(l(a))^|(l(b))(l(c))]',
    ],
    ['<table><tr><td width=50%>a<td width=50%>b</table>', 'table2[(l(a))(l(b))]'],
    ['<table dir=rtl><tr><td>a</table>', 'table1.rtl[(l.rtl(a))]'],
    ['<table><tr><td rowspan=9>a</table>', 'table1[(l(a))]'],
    ['<table><caption>t</caption><tr><td>a</table>b', 'l(t) table1[(l(a))] l(b)'],
    ['<table>x<tr>y<td>a</td>z</tr></table>', 'l(x) l(y) l(z) table1[(l(a))]'],
    ['<table><td>a</table>', 'table1[(l(a))]'],
    ['<table></table><td>a', 'l(a)'],
    [
      '<table><tr style="background-color:#eee"><td>a<td bgcolor=red>b</table>',
      'table2[EEEEEE(l(a))FF0000(l(b))]',
    ],
    ['<table><tr><td><table><tr><td>a</table>b</table>', 'table1[(table1[(l(a))] l(b))]'],
    ['<b><table><tr><td>a</b>b</table>', 'table1[(l({b:ab}))]'],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

describe('pictures and styles', () => {
  const rows: [string, string][] = [
    ['<img src="a.png" width=10 height="20px" alt=x>', 'l(<a.png 10x20 x>)'],
    ['<img src="a.png" style="width:1in" width=5%>', 'l(<a.png 96x? >)'],
    ['<img>', ''],
    ['<span style="color:red;background-color:#00f">a</span>', 'l({FF0000/0000FF:a})'],
    [
      '<span style="font-weight:700;font-style:italic;text-decoration:underline line-through">a</span>',
      'l({bius:a})',
    ],
    ['<b>a<span style="font-weight:normal">b</span></b>', 'l({b:a}b)'],
    ['<p style="background-color:#eee;text-align:CENTER">a</p>', 'p.center.EEEEEE(a)'],
    ['<p style="break-before:page">a</p><p style="page-break-after:always">b</p>', 'p.before(a) p.after(b)'],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

describe('what does not show', () => {
  const rows: [string, string][] = [
    ['a<script>if (1<2) "</p>"</script>b', 'l(ab)'],
    ['<style>p{}</style><title>t</title><head><meta></head>a', 'l(a)'],
    ['<!-- c --><!doctype html><![CDATA[x]]>a', 'l(a)'],
    ['<svg><text>x</text></svg>a<iframe>y</iframe>', 'l(a)'],
    ['a<script>never closed <p>b', 'l(a)'],
    ['a<p unclosed', 'l(a)'],
    ['&amp;&eacute;&#233;&#xE9;&nbsp;&lt;b&gt;&bogus;&#0;', 'l(&ééé\u00a0<b>&bogus;\ufffd)'],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))
})

describe('disorder', () => {
  const rows: [string, string][] = [
    ['<b>a<i>b</b>c</i>d', 'l({b:a}{bi:b}{i:c}d)'],
    ['</b></p>a</ul>', 'l(a)'],
    ['<p><b>a', 'p({b:a})'],
    ['<li>a<li>b', 'l(a) l(b)'],
  ]
  it.each(rows)('%s', (html, expected) => expect(shown(readHtml(html))).toBe(expected))

  /** Each is far larger than a text that people write, and must end soon. */
  const hostile: [string, string, number][] = [
    ['elements in each other', `${'<b>'.repeat(200_000)}x`, 1],
    ['quotations in each other', `${'<blockquote>'.repeat(100_000)}x`, 1],
    ['lists in each other', `${'<ul><li>'.repeat(100_000)}x`, 1],
    ['closed in disorder', `${'<b>'.repeat(900)}${'</b><i>'.repeat(20_000)}x`, 1],
    ['attributes', `<p ${Array.from({ length: 50_000 }, (_, at) => `a${at}=1`).join(' ')}>x`, 1],
    ['words', 'a '.repeat(500_000), 1],
    ['hidden in each other', `${'<svg>'.repeat(200_000)}x`, 0],
  ]
  it.each(hostile)('%s', (_name, html, count) => expect(readHtml(html).length).toBe(count))

  it.each([
    ['too long', 'x'.repeat(10_485_761)],
    ['too many cells', `<table>${'<tr><td colspan=63>a'.repeat(10_000)}`],
  ])('%s', (_name, html) => {
    expect(() => readHtml(html)).toThrowError(expect.objectContaining({ code: 'template.html' }))
  })

  it('keeps a text that is 1,000 elements deep', () => {
    expect(textOfBlocks(readHtml(`${'<div>'.repeat(1_500)}x${'</div>'.repeat(1_500)}y`))).toBe('x\ny')
  })
})

it('text without formatting, and as one paragraph', () => {
  const blocks = readHtml('<p>a<br>b</p><ol start=4><li>c<li>d</ol><table><tr><td>e<td>f</table>')
  expect(textOfBlocks(blocks)).toBe('a\nb\nc\nd\ne\tf')
  expect(inlinesOf(blocks).map(inline).join('')).toBe('a/b/4. c/5. d/e\tf')
})
