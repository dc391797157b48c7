import { afterAll, expect, it } from 'vitest'
import chromium from '../../../../plugins/engines/chromium/index.ts'
import poppler from '../../../../plugins/engines/poppler/index.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { untagged } from '../../../helpers/pdf.ts'
import { createOffice } from '../libreoffice/office.ts'

const host = originHost()
const tagging = engineUnder(chromium, host)
/** Prints pages without the tags by which they would be read. */
const browser: typeof tagging = {
  ...tagging,
  async convert(...request) {
    const made = await tagging.convert(...request)
    return { ...made, bytes: untagged(made.bytes) }
  },
}
const { convert } = engineUnder(poppler, host)
const office = createOffice()
afterAll(() => Promise.all([browser.engine.stop?.(), office.engine.stop?.()]))

const words =
  'The quick brown fox jumps over the lazy dog while the band plays on and nobody minds the rain. '
const prose = words.trim()
const bordered = '<style>td,th{border:1px solid #000;padding:4px 12px}table{border-collapse:collapse}</style>'

/** What is on the page, and what its PDF says in Markdown. */
const cases: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'bullets that are shapes: discs, circles, squares',
    '<ul><li>one<ul><li>inner<ul><li>deep</ul></ul><li>two</ul>',
    '- one\n  - inner\n    - deep\n- two',
  ],
  [
    'an item of several lines behind such a bullet',
    `<ul><li>${words.repeat(3)}<li>two</ul>`,
    `- ${words.repeat(3).trim()}\n- two`,
  ],
  [
    'a shape that leads no line is no bullet',
    '<p>text<svg width="6" height="6"><circle cx="3" cy="3" r="3"/></svg>more</p>',
    'text more',
  ],
  [
    'raised and lowered letters',
    '<p>E = mc<sup>2</sup> and H<sub>2</sub>O here.</p>',
    'E = mc<sup>2</sup> and H<sub>2</sub>O here.',
  ],
  ['a mark of a note at the end', '<p>See below<sup>12</sup></p>', 'See below<sup>12</sup>'],
  [
    'code in lines, with its blanks',
    '<pre>if (a) {\n  b(  c )\n\n    d\n}</pre>',
    '```\nif (a) {\n  b(  c )\n\n    d\n}\n```',
  ],
  [
    'code in text',
    '<p>Call <code>open()</code> first, then read all of it.</p>',
    'Call `open()` first, then read all of it.',
  ],
  [
    'chapters with numbers',
    '<h1>1. Introduction</h1><h2>1.1. Scope</h2>',
    '# 1. Introduction\n\n## 1.1. Scope',
  ],
  [
    'borders drawn piece by piece, cells over several rows and columns',
    `${bordered}<table><tr><th>Item<th>Sum<tr><td rowspan="2">A<td>1<tr><td>7<tr><td colspan="2">Total</table>`,
    '| Item | Sum |\n| - | - |\n| A | 1 |\n| | 7 |\n| Total | |',
  ],
]

const column = words.repeat(7).trim()
const sold =
  '<style>td:nth-child(n+2),th:nth-child(n+2){text-align:right}table{width:100%;font:12pt Carlito}</style><table><tr><th>Month<th>Sold<th>Left<tr><td>January<td>120<td>30<tr><td>February<td>98<td>41</table>'
const soldRows = '| Month | Sold | Left |\n| - | - | - |\n| January | 120 | 30 |\n| February | 98 | 41 |'

it.each([
  [
    'below',
    `<div style="columns:2;column-gap:24pt"><p>${column}</p><p>${column}</p></div>${sold}`,
    `${column}\n\n${column}\n\n${soldRows}\n`,
  ],
  [
    'above',
    `${sold}<div style="columns:2;column-gap:24pt"><p>${column}</p><p>${column}</p></div>`,
    `${soldRows}\n\n${column}\n\n${column}\n`,
  ],
])(
  'a table without borders as wide as the page stays one table %s two columns',
  async (_, html, markdown) => {
    const page = `<!doctype html><meta charset="utf-8"><body style="font:12pt Carlito">${html}`
    const { bytes } = await browser.convert(page, 'html', 'pdf')
    const text = new TextDecoder().decode((await convert(bytes, 'pdf', 'md')).bytes)
    expect(text.replace(/ +\|/g, ' |').replace(/\| [:-]+(?= \|)/g, '| -')).toBe(markdown)
  },
)

it.each(cases)('%s', async (_, html, markdown) => {
  const page = `<!doctype html><meta charset="utf-8"><body style="font:12pt Carlito"><p>${prose}</p>${html}<p>${prose}</p>`
  const { bytes } = await browser.convert(page, 'html', 'pdf')
  const text = new TextDecoder().decode((await convert(bytes, 'pdf', 'md')).bytes)
  const lines = text.replace(/ +\|/g, ' |').replace(/\| [:-]+(?= \|)/g, '| -')
  expect(lines).toBe(`${prose}\n\n${markdown}\n\n${prose}\n`)
})

it('slides keep the text of links, where it stood', async () => {
  const page =
    '<body style="margin:0;font:12pt Carlito"><p style="margin:100pt">before <a href="https://example.org/">the link</a> after</p>'
  const { bytes } = await browser.convert(page, 'html', 'pdf')
  const slides = (await convert(bytes, 'pdf', 'fodp')).bytes
  const pptx = (await office.convert(slides, 'fodp', 'pptx')).bytes
  const back = (await office.convert(pptx, 'pptx', 'fodp')).bytes
  const odp = new TextDecoder().decode(back)
  expect(odp.replace(/<[^>]+>/g, '')).toContain('before the link after')
  expect(odp).toMatch(/<text:a [^>]*xlink:href="https:\/\/example\.org\/"[^>]*>the link/)
  const pdf = (await office.convert(pptx, 'pptx', 'pdf')).bytes
  const place = async (file: Uint8Array) => {
    const html = new TextDecoder().decode((await convert(file, 'pdf', 'fodp')).bytes)
    const [, x, y] = /svg:x="([\d.]+)pt" svg:y="([\d.]+)pt"[^>]*><draw:text-box>/.exec(html) ?? []
    return [Number(x), Number(y)] as const
  }
  const [[x, y], [newX, newY]] = [await place(bytes), await place(pdf)]
  expect([Math.abs(x - newX) < 2, Math.abs(y - newY) < 2]).toEqual([true, true])
})

it('the title of a full-width table comes after both columns; a list continues in the second', async () => {
  const items = [1, 2, 3, 4].map((at) => `<p style="break-inside:avoid">${at}. ${words.repeat(4).trim()}</p>`)
  const table = `${bordered}<style>table{width:100%}</style><table><tr><th>a<th>b<tr><td>1<td>2</table>`
  const page = `<!doctype html><meta charset="utf-8"><body style="font:12pt Carlito"><div style="columns:2;column-gap:24pt">${items.join('')}</div><h2>Data</h2>${table}`
  const { bytes } = await browser.convert(page, 'html', 'pdf')
  const text = new TextDecoder().decode((await convert(bytes, 'pdf', 'md')).bytes)
  const item = words.repeat(4).trim()
  expect(text.replace(/ +\|/g, ' |')).toBe(
    `${[1, 2, 3, 4].map((at) => `${at}. ${item}\n`).join('')}\n# Data\n\n| a | b |\n| - | - |\n| 1 | 2 |\n`,
  )
})
