import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { docxOf, odtOf } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { problemsOf } from '../../helpers/structure.ts'
import { readCells, xlsxOf } from '../../helpers/xlsx.ts'

/**
 * `:drop` and `:keep` with every element that a format knows: the element goes with all its content, or stays, and what
 * stands around it stays. Source: template language 12.5.
 */
type Body = (tag: string) => Promise<Uint8Array> | Uint8Array

const wp = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const wtable = (...rows: readonly (readonly string[])[]) =>
  `<w:tbl><w:tblPr/><w:tblGrid>${rows[0]!.map(() => '<w:gridCol w:w="1000"/>').join('')}</w:tblGrid>${rows.map((cells) => `<w:tr>${cells.map((text) => `<w:tc><w:tcPr/>${wp(text)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`
const wdrawing = (alt: string) =>
  `<w:p><w:r><w:t>stays</w:t></w:r><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="gone" descr="${alt}"/></wp:inline></w:drawing></w:r></w:p>`
const word =
  (body: (tag: string) => string): Body =>
  (tag) =>
    docxOf(wp('stays') + body(tag) + wp('stays'))
const docx: Readonly<Record<string, Body>> = {
  row: word((tag) => wtable(['stays', 'stays'], [`gone${tag}`, 'gone'])),
  col: word((tag) => wtable(['stays', `gone${tag}`], ['stays', 'gone'])),
  p: word((tag) => wp(`gone${tag}`)),
  table: word((tag) => wtable([`gone${tag}`, 'gone'], ['gone', 'gone'])),
  img: word(wdrawing),
  chart: word(wdrawing),
  shape: word(wdrawing),
}

const tp = (text: string) => `<text:p>${text}</text:p>`
const ttable = (...rows: readonly (readonly string[])[]) =>
  `<table:table table:name="T"><table:table-column table:number-columns-repeated="${rows[0]!.length}"/>${rows.map((cells) => `<table:table-row>${cells.map((text) => `<table:table-cell>${tp(text)}</table:table-cell>`).join('')}</table:table-row>`).join('')}</table:table>`
const tframe = (alt: string) =>
  `<draw:frame draw:name="gone" svg:width="1cm" svg:height="1cm"><draw:text-box><text:p>gone</text:p></draw:text-box><svg:desc>${alt}</svg:desc></draw:frame>`
const flow: Readonly<Record<string, (tag: string) => string>> = {
  row: (tag) => ttable(['stays', 'stays'], [`gone${tag}`, 'gone']),
  col: (tag) => ttable(['stays', `gone${tag}`], ['stays', 'gone']),
  p: (tag) => tp(`gone${tag}`),
  table: (tag) => ttable([`gone${tag}`, 'gone']),
  item: (tag) =>
    `<text:list><text:list-item>${tp('stays')}</text:list-item><text:list-item>${tp(`gone${tag}`)}</text:list-item></text:list>`,
}
const pictures: Readonly<Record<string, (tag: string) => string>> = {
  img: tframe,
  chart: tframe,
  shape: tframe,
}
const mapped = (
  bodies: Readonly<Record<string, (tag: string) => string>>,
  wrap: (body: string) => Promise<Uint8Array>,
) =>
  Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, (tag: string) => wrap(body(tag))]))
const page = (name: string, inside: string) =>
  `<draw:page draw:name="${name}" draw:master-page-name="M">${inside}</draw:page>`
const box = (inside: string) =>
  `<draw:frame draw:name="B" svg:width="9cm" svg:height="3cm"><draw:text-box>${tp('stays')}${inside}</draw:text-box></draw:frame>`

const acell = (text: string) =>
  `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`
const aframe = (alt: string, inside: string) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="T" descr="${alt}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">${inside}</a:graphicData></a:graphic></p:graphicFrame>`
const atable = (...rows: readonly (readonly string[])[]) =>
  aframe(
    '',
    `<a:tbl><a:tblPr/><a:tblGrid>${rows[0]!.map(() => '<a:gridCol w="100"/>').join('')}</a:tblGrid>${rows.map((cells) => `<a:tr h="1">${cells.map(acell).join('')}</a:tr>`).join('')}</a:tbl>`,
  )
const slide = (...shapes: readonly string[]) =>
  pptxOf([pptxShape(2, pptxParagraph('stays')) + shapes.join('')])
const pptx: Readonly<Record<string, Body>> = {
  row: (tag) => slide(atable(['stays', 'stays'], [`gone${tag}`, 'gone'])),
  col: (tag) => slide(atable(['stays', `gone${tag}`], ['stays', 'gone'])),
  p: (tag) => slide(pptxShape(3, pptxParagraph(`gone${tag}`) + pptxParagraph('stays'))),
  table: (tag) => slide(atable([`gone${tag}`, 'gone'])),
  img: (tag) =>
    slide(
      `<p:pic><p:nvPicPr><p:cNvPr id="7" name="gone" descr="${tag}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:stretch/></p:blipFill><p:spPr/></p:pic>`,
    ),
  chart: (tag) => slide(aframe(`gone${tag}`, '')),
  shape: (tag) => slide(pptxShape(3, pptxParagraph(`gone${tag}`))),
}

const page1 = (body: string) => new TextEncoder().encode(`<body><p>stays</p>${body}<p>stays</p></body>`)
const formats: Readonly<Record<string, Readonly<Record<string, Body>>>> = {
  docx,
  odt: {
    ...mapped(flow, (body) => odtOf(tp('stays') + body + tp('stays'))),
    ...mapped(pictures, (body) => odtOf(`<text:p>stays${body}</text:p>`)),
    h: (tag) => odtOf(`${tp('stays')}<text:h text:outline-level="1">gone${tag}</text:h>`),
  },
  odp: {
    ...mapped(flow, (body) => odpOf(page('P', box(body)))),
    ...mapped(pictures, (body) => odpOf(page('P', box('') + body))),
    slide: (tag) => odpOf(page('stays', '') + page('gone', box(tp(`gone${tag}`)).replace('stays', 'gone'))),
  },
  pptx,
  ods: {
    row: (tag) => odsOf(odsTable('S', odsRow(['stays', 'stays']), odsRow([`gone${tag}`, 'gone']))),
    col: (tag) => odsOf(odsTable('S', odsRow(['stays', `gone${tag}`]), odsRow(['stays', 'gone']))),
    img: (tag) =>
      odsOf(odsTable('S', odsRow(['stays', `<table:table-cell>${tframe(tag)}</table:table-cell>`]))),
    sheet: (tag) => odsOf(odsTable('stays', odsRow(['stays'])) + odsTable('gone', odsRow([`gone${tag}`]))),
  },
  xlsx: {
    row: (tag) =>
      xlsxOf({ sheets: [{ name: 'S', cells: { A1: 'stays', A2: `gone${tag}`, B2: 'gone', A3: 'stays' } }] }),
    col: (tag) =>
      xlsxOf({ sheets: [{ name: 'S', cells: { A1: 'stays', B1: `gone${tag}`, A2: 'stays', B2: 'gone' } }] }),
  },
  html: {
    row: (tag) => page1(`<table><tr><td>stays</td></tr><tr><td>gone${tag}</td><td>gone</td></tr></table>`),
    col: (tag) =>
      page1(`<table><tr><td>stays</td><td>gone${tag}</td></tr><tr><td>stays</td><td>gone</td></tr></table>`),
    p: (tag) => page1(`<p>gone${tag}</p>`),
    table: (tag) => page1(`<table><tr><td>gone${tag}</td></tr><tr><td>gone</td></tr></table>`),
    div: (tag) => page1(`<div><p>gone</p>gone${tag}</div>`),
    span: (tag) => page1(`<p>stays<span>gone${tag}</span></p>`),
  },
}

/** What is left of the words, in the order of the parts. */
async function words(bytes: Uint8Array, format: string): Promise<string[]> {
  if (format === 'html') return new TextDecoder().decode(bytes).match(/stays|gone/g) ?? []
  expect(await problemsOf(bytes)).toEqual([])
  if (format === 'xlsx')
    return Object.values(await readCells(bytes)).map((text) => text.slice(1, 6).replace("'", ''))
  const zip = await JSZip.loadAsync(bytes)
  const texts = await Promise.all(
    Object.values(zip.files)
      .filter(({ name }) => /(?:document|slide1|content)\.xml$/.test(name))
      .map((file) => file.async('string')),
  )
  return texts.flatMap((text) => text.match(/stays|gone/g) ?? [])
}

const all = Object.entries(formats).flatMap(([format, elements]) =>
  Object.entries(elements).map(([element, body]) => [format, element, body] as const),
)

describe('every element of every format', () => {
  it.each(all)('%s: %s', async (format, element, body) => {
    const left = async (call: string) => {
      const { value } = await mergeBytes(await body(`{d.v:ifEQ(1):${call}(${element})}`), format, { v: 1 })
      return words(new Uint8Array(await value.document.arrayBuffer()), format)
    }
    const whole = await left('keep')
    expect(whole).toContain('gone')
    const rest = await left('drop')
    expect(rest).toEqual(whole.filter((word) => word === 'stays'))
    expect(rest.length).toBeGreaterThan(0)
    // The other way round.
    const other = async (call: string) => {
      const { value } = await mergeBytes(await body(`{d.v:ifEQ(2):${call}(${element})}`), format, { v: 1 })
      return words(new Uint8Array(await value.document.arrayBuffer()), format)
    }
    expect(await other('drop')).toEqual(whole)
    expect(await other('keep')).toEqual(rest)
  })
})
