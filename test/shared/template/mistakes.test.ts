import { describe, expect, it } from 'vitest'
import { mistakes } from '../../cases/language/mistakes.ts'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { engine } from '../../helpers/merge.ts'
import { odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

const lint = async (bytes: Uint8Array, format: string) =>
  engine.inspect({ template: { hash: '', bytes, format }, languageLevel: 5, lang: 'en' })
const encoded = (text: string) => new TextEncoder().encode(text)

describe('common mistakes are reported with what to do', () => {
  it.each(mistakes.map((row) => [row[0], row] as const))('%s', async (_, [template, says, hint]) => {
    const { errors, warnings } = await lint(encoded(`<p>${template}</p>`), 'html')
    const message = says.slice(1)
    if (says.startsWith('?')) {
      expect(errors).toEqual([])
      expect(warnings.map((warning) => warning.message)).toContain(message)
      return
    }
    const found = errors.find((error) => error.message === message)
    expect(errors.map((error) => error.message)).toContain(message)
    if (hint !== undefined) expect(found?.hint).toMatch(hint)
  })

  it('code, quoted keys and ordinary braces raise no doubts', async () => {
    const template = `<script>if (a) { for (;;) { end() } }</script><style>a { color: red }</style><p>{d.'a/b'} {hello} {} {x.y} {d}</p>`
    const { errors, warnings } = await lint(encoded(template), 'html')
    expect([errors, warnings]).toEqual([[], []])
  })

  it.each([
    'barcode(EAN13, includetext, scale:2)',
    'barcode(ean128)',
    'barcode(.kind)',
    "html(inline, tabletheme:'Grid Table')",
    'html(NoSpace, headingtheme:Titre )',
    'imageFit(fillwidth)',
    'color(paragraph, highlight)',
    'color(Row)',
    'transform(Y, MM)',
    'appendFile(START)',
    'attachFile(a.xml, source)',
    'ifTE(binary):show(a)',
  ])('a word that %s knows, in any letter case, raises no doubts', async (call) => {
    const { errors, warnings } = await lint(encoded(`<p>{d.v:${call}}</p>`), 'html')
    expect([errors, warnings]).toEqual([[], []])
  })

  it.each([
    'Names:<br>{d.l[i].n}<br>{d.l[i+1].n}',
    'Names: {d.l[i].n}, {d.l[i+1].n}',
    'a, {d.l[i].n}, {d.l[i+1].n}',
    '{d.l[i].n}<br>{d.l[i+1].n}',
    'x <ul><li>- {d.l[i].n}<br></li><li>- {d.l[i+1].n}</li></ul>',
    '<b>- {d.l[i].n}</b><br><b>- {d.l[i+1].n}</b>',
  ])('a loop of text that repeats as it reads raises no doubts: %s', async (template) => {
    const { errors, warnings } = await lint(encoded(`<p>${template}</p>`), 'html')
    expect([errors, warnings]).toEqual([[], []])
  })
})

describe('blocks', () => {
  it.each([
    '<p>{d.v:showBegin}</p><p>b</p><p>{d.v:showEnd}</p>',
    '<p>a {d.v:showBegin}</p><p>b</p><p>{d.v:showEnd} c</p>',
    '<p>a <b>b {d.v:showBegin}</b> c <b>{d.v:showEnd}</b></p>',
  ])('whose ends are alike raise no doubts: %s', async (template) => {
    const { errors, warnings } = await lint(encoded(template), 'html')
    expect([errors, warnings]).toEqual([[], []])
  })
})

describe('where it stands', () => {
  const bad = '{d.v:nope}'
  const rows: readonly (readonly [
    format: string,
    template: Promise<Uint8Array> | Uint8Array,
    part: string,
    snippet: string,
    at?: string,
  ])[] = [
    ['docx', docxOf(paragraph('first') + paragraph(`Dear ${bad}!`)), 'word/document.xml', `Dear ${bad}!`],
    [
      'xlsx',
      xlsxOf({
        sheets: [
          { name: 'One', cells: { A1: 'x' } },
          { name: 'Two', cells: { A1: 'x', C4: `Sum ${bad}` } },
        ],
      }),
      'xl/worksheets/sheet2.xml',
      `Sum ${bad}`,
      'cell C4 of sheet Two',
    ],
    [
      'xlsx',
      xlsxOf({ sheets: [{ name: 'One', cells: { A1: '{d.l[i]}', A2: '{d.l[i+1]}', B5: bad } }] }),
      'xl/worksheets/sheet1.xml',
      bad,
      'cell B5 of sheet One',
    ],
    [
      'pptx',
      pptxOf([pptxShape(2, pptxParagraph('x')), pptxShape(2, pptxParagraph(`Hi ${bad}`))]),
      'ppt/slides/slide2.xml',
      `Hi ${bad}`,
      'slide 2',
    ],
    [
      'pptx',
      pptxOf([pptxShape(2, pptxParagraph('x'))], { notes: { 1: pptxShape(2, pptxParagraph(`Say ${bad}`)) } }),
      'ppt/notesSlides/notesSlide1.xml',
      `Say ${bad}`,
      'notes of slide 1',
    ],
    [
      'pptx',
      pptxOf([], { layout: pptxShape(2, pptxParagraph(bad)) }),
      'ppt/slideLayouts/slideLayout1.xml',
      bad,
      'a layout',
    ],
    [
      'ods',
      odsOf(
        odsTable('One', odsRow(['a', 'b'])) +
          odsTable('Two', odsRow(['a'], ' table:number-rows-repeated="3"'), odsRow(['a', `x ${bad}`])),
      ),
      'content.xml',
      `x ${bad}`,
      'cell B4 of sheet Two',
    ],
    [
      'ods',
      odsOf(
        odsTable(
          'One',
          odsRow(['{d.l[i]}']),
          odsRow(['{d.l[i+1]}']),
          odsRow(['<table:table-cell table:number-columns-repeated="2"/>', bad]),
        ),
      ),
      'content.xml',
      bad,
      'cell C3 of sheet One',
    ],
    [
      'odp',
      odpOf(
        `<draw:page draw:name="One"/><draw:page draw:name="Two"><draw:frame><draw:text-box><text:p>${bad}</text:p></draw:text-box></draw:frame></draw:page>`,
      ),
      'content.xml',
      bad,
      'page Two',
    ],
    ['html', encoded(`<h1>x</h1>\n<p>a</p>\n<p>b ${bad}</p>`), 'html', `b ${bad}`, 'line 3'],
    ['csv', encoded(`a,b\nc,${bad}\n`), 'csv', `c,${bad}`, 'line 2'],
  ]
  it.each(rows.map((row) => [row[0], row] as const))(
    '%s',
    async (_, [format, template, part, snippet, at]) => {
      const { errors } = await lint(await template, format)
      expect(errors.map(({ place }) => place)).toEqual([
        { part, tag: bad, snippet, ...(at === undefined ? {} : { at }) },
      ])
    },
  )
})

describe('formatters that a format cannot carry out', () => {
  it.each([
    ['md', '{d.c:color(p)}x', ['template.formatter.ignored']],
    ['txt', '{d.c:color}x', ['template.formatter.ignored']],
    ['csv', 'a\n{d.c:color(row)}x', ['template.formatter.ignored']],
    ['json', '{"a":"{d.c:color}"}', ['template.formatter.ignored']],
    ['xml', '<a>{d.c:color}</a>', ['template.formatter.ignored']],
    ['svg', '<svg><text>{d.c:transform(x)}</text></svg>', ['template.formatter.ignored']],
    ['html', '<p>{d.c:color}x</p>', []],
  ])('%s: %s', async (format, template, codes) => {
    const { errors, warnings } = await lint(encoded(template), format)
    expect(errors).toEqual([])
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })
})
