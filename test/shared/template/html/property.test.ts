import { expect, it } from 'vitest'
import { bodyOf, docxOf, odtOf } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { problemsOf } from '../../../helpers/structure.ts'

/** Whatever stands in the data, in whatever order: the document stays one that opens. */

const words = [
  ...['<p>', '</p>', '<b>', '</b>', '<i>', '</i>', '<br>', '<hr>', '<h2>', '</h2>', '<pre>', '</pre>'],
  ...[
    '<ul>',
    '<li>',
    '</ul>',
    '<ol start=4>',
    '</ol>',
    '<table>',
    '<tr>',
    '<td colspan=2>',
    '<td rowspan=3>',
    '<th>',
  ],
  ...[
    '</table>',
    '<blockquote>',
    '</blockquote>',
    '<a href="a.org?a=1&b">',
    '</a>',
    '<img src=x>',
    '<script>',
  ],
  ...[
    '</script>',
    '<input type=checkbox>',
    '<div style="break-before:page">',
    '</div>',
    ' ',
    '\n',
    'text & more',
  ],
  ...['&lt;x', '\u0001\uffff', '<p style="background-color:red;text-align:right">'],
]
const options = ['', '(nospace)', '(inline)', '(inline, nospace)']
const templates = (tag: string) => [
  tag,
  `A${tag}`,
  `${tag}B`,
  `A ${tag} B {d.h:html}`,
  `{d.h:html}${tag}`,
  `{d.x:showBegin}${tag}{d.x:showEnd}`,
]
const word = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const writer = (text: string) => `<text:p>${text}</text:p>`
const cells = {
  docx: (inside: string) =>
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>${inside}</w:tc></w:tr></w:tbl>`,
  odt: (inside: string) =>
    `<table:table table:name="T"><table:table-column/><table:table-row><table:table-cell>${inside}</table:table-cell></table:table-row></table:table>`,
}

/** Paragraphs do not stand in each other. */
function nested(body: string, tags: RegExp): boolean {
  let depth = 0
  for (const [tag] of body.matchAll(tags)) {
    if (tag.endsWith('/>')) continue
    depth += tag.startsWith('</') ? -1 : 1
    if (depth < 0 || depth > 1) return true
  }
  return depth !== 0
}

it('150 random texts in DOCX and ODT', async () => {
  let seed = 20_260
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  for (let round = 0; round < 150; round += 1) {
    const h = Array.from({ length: random(30) }, () => words[random(words.length)]).join('')
    const tag = `{d.h:html${options[random(options.length)]}}`
    const text = templates(tag)[random(6)]!
    const inCell = random(2) === 1
    const data = { h, x: random(2) === 1 }
    const inputs = {
      docx: await docxOf(inCell ? cells.docx(word(text)) : word(text)),
      odt: await odtOf(inCell ? cells.odt(writer(text)) : writer(text)),
    }
    for (const [format, bytes] of Object.entries(inputs)) {
      const { value } = await mergeBytes(bytes, format, data)
      const out = new Uint8Array(await value.document.arrayBuffer())
      const body = await bodyOf(out)
      const found = [
        ...(await problemsOf(out)),
        ...(nested(body, /<\/?(?:w:p(?=[ />])|text:[ph](?=[ />]))[^>]*>/g)
          ? ['paragraphs in each other']
          : []),
        ...(/<\/w:tbl>(?:<w:tbl>|<\/w:tc>)/.test(body) ? ['a table without a paragraph behind it'] : []),
        ...(/<w:tc>(?:<w:tcPr>(?:(?!<\/w:tcPr>).)*<\/w:tcPr>)?<\/w:tc>/.test(body) ? ['an empty cell'] : []),
      ]
      expect([format, text, h, found]).toEqual([format, text, h, []])
    }
  }
})
