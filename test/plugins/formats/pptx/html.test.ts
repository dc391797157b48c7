import { expect, it } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'

async function runs(text: string, data: unknown): Promise<string> {
  const { value } = await mergeBytes(await pptxOf([pptxShape(4, pptxParagraph(text))]), 'pptx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  return (await entryText(out, 'ppt/slides/slide1.xml')).replaceAll(
    /<a:r><a:rPr lang="en-US"\/><a:t[^>]*><\/a:t><\/a:r>/g,
    '',
  )
}

it.each([
  ['<b>x</b>', '<a:rPr lang="en-US" b="1"/>'],
  ['<i><u>x</u></i>', '<a:rPr lang="en-US" i="1" u="sng"/>'],
  ['<s>x<s>', '<a:rPr lang="en-US" strike="sngStrike"/>'],
  ['<sub>x</sub>', '<a:rPr lang="en-US" baseline="-25000"/>'],
  [
    '<span style="color:red"><mark>x</mark></span>',
    '<a:rPr lang="en-US"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill><a:highlight><a:srgbClr val="FFFF00"/></a:highlight></a:rPr>',
  ],
  [
    '<span style="font-size:13.5pt;font-family:Georgia">x</span>',
    '<a:rPr lang="en-US" sz="1350"><a:latin typeface="Georgia"/></a:rPr>',
  ],
  ['<code>x</code>', '<a:rPr lang="en-US"><a:latin typeface="Courier New"/></a:rPr>'],
])('%s', async (html, expected) => {
  expect(await runs('A {d.x:html}', { x: html })).toContain(`<a:r>${expected}<a:t>x</a:t></a:r>`)
})

/** The paragraphs of the slide without the looks of their runs. */
const paragraphs = (xml: string): readonly string[] =>
  [...xml.replace(/<a:rPr[^>]*?(?:\/>|>.*?<\/a:rPr>)/gs, '').matchAll(/<a:p>(.*?)<\/a:p>/gs)].map(
    ([, inside = '']) => inside.replace(/<a:r><a:t[^>]*>(.*?)<\/a:t><\/a:r>/gs, '$1'),
  )
const item = (mark: string, attributes = 'marL="342900" indent="-342900"') =>
  `<a:pPr ${attributes}>${mark}</a:pPr>`
const dot = '<a:buFont typeface="Arial"/><a:buChar char="•"/>'
const dash = '<a:buFont typeface="Arial"/><a:buChar char="–"/>'
const number = (type: string, start = '') =>
  `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="${type}"${start}/>`
const inner = 'marL="685800" indent="-342900" lvl="1"'

it.each<[name: string, html: string, expected: readonly string[]]>([
  ['paragraphs', '<p>a</p><p>b<br>c</p>', ['a', 'b<a:br></a:br>c']],
  [
    'a side and a direction',
    '<p style="text-align:center">a</p><p dir="rtl">b</p>',
    ['<a:pPr algn="ctr"/>a', '<a:pPr rtl="1"/>b'],
  ],
  ['a quotation', '<blockquote>a</blockquote>', ['<a:pPr marL="381000" indent="0"/>a']],
  [
    'bullets, nested',
    '<ul><li>a<ul><li>b</ul><li>c</ul>',
    [`${item(dot)}a`, `${item(dash, inner)}b`, `${item(dot)}c`],
  ],
  [
    'numbers from a start',
    '<ol start="3" type="a"><li>a<li>b</ol>',
    [
      `${item(number('alphaLcPeriod', ' startAt="3"'))}a`,
      `${item(number('alphaLcPeriod', ' startAt="3"'))}b`,
    ],
  ],
  [
    'numbers that go on behind a paragraph',
    '<ol><li><p>a</p><p>more</p><li>b</ol>',
    [
      `${item(number('arabicPeriod'))}a`,
      `${item('<a:buNone/>', 'marL="342900" indent="0"')}more`,
      `${item(number('arabicPeriod', ' startAt="2"'))}b`,
    ],
  ],
  ['a table as lines', '<table><tr><td>a<td>b<tr><td colspan="2">c</table>', ['a\tb', 'c']],
])('%s', async (_, html, expected) => {
  expect(paragraphs(await runs('{d.x:html}', { x: html }))).toEqual(expected)
})

it('surrounding text gets its own paragraphs, unless the HTML has no blocks', async () => {
  expect(paragraphs(await runs('A {d.x:html} B', { x: '<p>x</p>' }))).toEqual(['A ', 'x', ' B'])
  expect(paragraphs(await runs('A {d.x:html} B', { x: '<i>x</i>' }))).toEqual(['A x B'])
  expect(paragraphs(await runs('A {d.x:html(inline)} B', { x: '<p>x</p><p>y</p>' }))).toEqual([
    'A x<a:br></a:br>y B',
  ])
})

it('links get relationships', async () => {
  expect(await runs('{d.x:html}', { x: '<ul><li><a href="b.org">b</a></ul>' })).toMatch(
    /<a:rPr [^>]*><a:hlinkClick [^>]*r:id="rIdm1"\/>/,
  )
})
