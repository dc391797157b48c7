/** Cells of Word that go on in the rows below, beside lists; text that was deleted. Source: template language 11.3, 2.3. */
import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, odtOf, paragraph } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { problemsOf } from '../../helpers/structure.ts'

const begins = '<w:vMerge w:val="restart"/>'
const on = '<w:vMerge/>'
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
const row = (...cells: readonly string[]) => `<w:tr>${cells.join('')}</w:tr>`
const table = (...rows: readonly string[]) =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>${rows.join('')}</w:tbl>`

const data = {
  l: [
    { n: 'x', c: 1 },
    { n: 'y', c: 0 },
    { n: 'z', c: 1 },
  ],
  g: [
    { h: 'A', k: [{ v: 3 }, { v: 1 }] },
    { h: 'B', k: [] },
    { h: 'C', k: [{ v: 9 }, { v: 7 }] },
  ],
}

/** Each row as its first cell, + where an area begins, - where it goes on, and its second cell. */
async function areas(body: string): Promise<string> {
  const { value } = await mergeBytes(await docxOf(body), 'docx', data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  return [...(await bodyOf(bytes)).matchAll(/<w:tr>(.*?)<\/w:tr>/gs)]
    .map(
      ([, inside = '']) =>
        (inside.includes(begins) ? '+' : inside.includes(on) ? '-' : ' ') + inside.replace(/<[^>]*>/g, ''),
    )
    .join('\n')
}

const cases: readonly (readonly [name: string, body: string, expected: string])[] = [
  [
    'over a list and what follows',
    table(
      row(cell('big ', begins), cell('{d.l[i].n}')),
      row(cell('', on), cell('{d.l[i+1].n}')),
      row(cell('', on), cell('after')),
    ),
    '+big x\n-big y\n-big z\n-after',
  ],
  [
    'over the rows of a group',
    table(
      row(cell('{d.g[i].h}', begins), cell('{d.g[i].k[i].v}')),
      row(cell('', on), cell('{d.g[i].k[i+1].v}')),
      row(cell('{d.g[i+1].h}'), cell('')),
    ),
    '+A3\n-A1\n+C9\n-C7',
  ],
  [
    'over the rows of a group, both lists in one row',
    table(
      row(cell('{d.g[i].h}', begins), cell('{d.g[i].k[i].v}')),
      row(cell('{d.g[i+1].h}', on), cell('{d.g[i+1].k[i+1].v}')),
    ),
    '+A3\n-A1\n+C9\n-C7',
  ],
  [
    'within an item',
    table(
      row(cell('{d.l[i].n}', begins), cell('a')),
      row(cell('', on), cell('b')),
      row(cell('{d.l[i+1].n}'), cell('')),
    ),
    '+xa\n-b\n+ya\n-b\n+za\n-b',
  ],
  [
    'with a value of each item',
    table(row(cell('{d.l[i].n}', begins), cell('{d.l[i].c}')), row(cell('', on), cell('{d.l[i+1].c}'))),
    '+x1\n+y0\n+z1',
  ],
  [
    'over the items that are left',
    table(row(cell('big', begins), cell('{d.l[i, c=1].n}')), row(cell('', on), cell('{d.l[i+1, c=1].n}'))),
    '+bigx\n-bigz',
  ],
  [
    'in each copy of a table',
    `${table(row(cell('{d.g[i].h}', begins), cell('{d.l[i].n}')), row(cell('', on), cell('{d.l[i+1].n}')))}${table(row(cell('{d.g[i+1].h}'), cell('')))}`,
    '+Ax\n-Ay\n-Az\n+Bx\n-By\n-Bz\n+Cx\n-Cy\n-Cz',
  ],
]

describe('cells over rows of a list', () => {
  it.each(cases)('%s', async (_, body, expected) => {
    expect(await areas(body)).toBe(expected)
  })
})

describe('text that was deleted', () => {
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const deleted = (text: string) =>
    `<w:del w:id="3" w:author="a"><w:r><w:delText>${text}</w:delText></w:r></w:del>`

  it.each([
    ['inside of a tag', `<w:p>${run('{d.l')}${deleted('XX')}${run('[0].n}')}</w:p>`, 'x'],
    ['a whole tag', `<w:p>${deleted('{d.l[i].n:nope}')}${run('{d.l[0].n}')}</w:p>`, '{d.l[i].n:nope}x'],
    [
      'moved away',
      `<w:p><w:moveFrom w:id="4">${run('{d.l[i+1]}')}</w:moveFrom>${run('{d.l[1].n}')}</w:p>`,
      '{d.l[i+1]}y',
    ],
  ])('Word: %s', async (_, body, expected) => {
    const { value } = await mergeBytes(await docxOf(body), 'docx', data)
    const text = await bodyOf(new Uint8Array(await value.document.arrayBuffer()))
    expect(text.replace(/<[^>]*>/g, '')).toBe(expected)
  })

  it('Writer keeps it before the text', async () => {
    const old =
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>{d.l[i+1].n} {d.l:nope}</text:p></text:deletion></text:changed-region></text:tracked-changes>'
    const { value } = await mergeBytes(
      await odtOf(`${old}<text:p>{d.<text:change text:change-id="c1"/>l[0].n}</text:p>`),
      'odt',
      data,
    )
    expect(await bodyOf(new Uint8Array(await value.document.arrayBuffer()))).toBe(
      `${old}<text:p>x<text:change text:change-id="c1"/></text:p>`,
    )
  })

  it('content controls of a list have numbers of their own', async () => {
    const control = (inside: string) =>
      `<w:sdt><w:sdtPr><w:id w:val="78"/></w:sdtPr><w:sdtContent>${inside}</w:sdtContent></w:sdt>`
    const { value } = await mergeBytes(
      await docxOf(control(paragraph('{d.l[i].n}')) + paragraph('{d.l[i+1].n}')),
      'docx',
      data,
    )
    const ids = [
      ...(await bodyOf(new Uint8Array(await value.document.arrayBuffer()))).matchAll(/w:id w:val="(\d+)"/g),
    ].map(([, id]) => id)
    expect(ids.length).toBe(3)
    expect(new Set(ids).size).toBe(3)
  })
})
