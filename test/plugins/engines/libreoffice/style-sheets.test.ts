/** What the office's style sheets would leave out of UOF and XHTML: each word of these documents is in what is made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffice, type Office } from './office.ts'
import { flat } from './samples.ts'

let office: Office
beforeAll(async () => {
  office = createOffice()
  await office.engine.start?.()
})
afterAll(() => office.engine.stop?.())

const p = (...words: readonly string[]) => words.map((word) => `<text:p>${word}</text:p>`).join('')
const list = (...items: readonly string[]) =>
  `<text:list text:style-name="L">${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`
const headed = (head: string, ...items: readonly string[]) =>
  list(...items).replace('>', `><text:list-header>${head}</text:list-header>`)
const cells = (...content: readonly string[]) =>
  `<table:table-row>${content.map((one) => `<table:table-cell office:value-type="string">${one}</table:table-cell>`).join('')}</table:table-row>`
const place = 'svg:x="1cm" svg:y="1cm" svg:width="6cm" svg:height="2cm"'
const shape = (kind: string, content: string, more = '') =>
  `<draw:${kind} draw:style-name="G" ${place} ${more}>${content}</draw:${kind}>`
const box = (content: string, more = '') => shape('frame', `<draw:text-box>${content}</draw:text-box>`, more)
const custom = (content: string, more = '') =>
  shape(
    'custom-shape',
    `${content}<draw:enhanced-geometry draw:type="rectangle" svg:viewBox="0 0 9 9" draw:enhanced-path="M 0 0 L 9 0 9 9 0 9 Z N"/>`,
    more,
  )
const styles = `<office:automatic-styles>
  <text:list-style style:name="L"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>
  <style:style style:name="G" style:family="graphic"/>
  <style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>
  <style:style style:name="ta2" style:family="table"><style:table-properties table:display="true"/></style:style>
  <style:style style:name="ta3" style:family="table"><style:table-properties table:display="false"/></style:style>
  <style:page-layout style:name="P"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout>
</office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P"/></office:master-styles>`

const slide = (content: string) => `<draw:page draw:master-page-name="Standard">${content}</draw:page>`
const slides = (content: string) => flat('presentation', 'presentation', content, styles)
const anchored = (drawing: (how: string) => string) =>
  `<text:p>word1${drawing('text:anchor-type="paragraph"')}word2</text:p>`
const sheet = (rows: string, style = 'ta1') =>
  `<table:table table:name="${style}" table:style-name="${style}">${rows}</table:table>`
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'

const onSlides: Readonly<Record<string, string>> = {
  'lists with parts that have no bullet': slide(
    box(
      headed(p('word1'), p('word2')) +
        list(p('word3') + headed(p('word4'), p('word5')), headed(p('word6'))) +
        p('word7'),
    ),
  ),
  'headings in lists': slide(box(list('<text:h text:outline-level="1">word1</text:h>', p('word2')))),
  'shapes of several paragraphs': slide(
    shape('rect', p('word1', 'word2')) + shape('ellipse', p('word3', 'word4')) + custom(p('word5', 'word6')),
  ),
  'lines and connectors':
    slide(`<draw:line draw:style-name="G" svg:x1="1cm" svg:y1="1cm" svg:x2="8cm" svg:y2="4cm">${p('word1', 'word2')}</draw:line>
    <draw:connector draw:style-name="G" svg:x1="8cm" svg:y1="1cm" svg:x2="1cm" svg:y2="4cm">${p('word3')}</draw:connector>`),
  groups: slide(
    `<draw:g>${box(p('word1'))}<draw:g>${custom(p('word2', 'word3'))}${shape('rect', p('word4'))}</draw:g></draw:g>${box(p('word5'))}`,
  ),
  tables: slide(
    shape(
      'frame',
      `<table:table><table:table-column table:number-columns-repeated="2"/>${cells(p('word1', 'word2'), list(p('word3')))}${cells(p('word4'), '')}</table:table>`,
    ),
  ),
  'text on a picture': slide(
    shape(
      'frame',
      `<draw:image><office:binary-data>${pixel}</office:binary-data>${p('word1', 'word2')}</draw:image>`,
    ),
  ),
}

const inTexts: Readonly<Record<string, string>> = {
  'cells with headings, lists and sections': `<table:table table:name="T"><table:table-column/>${cells(
    `${p('word1')}<text:h text:outline-level="1">word2</text:h>${list(p('word3') + list(p('word4')))}<text:section text:name="S">${p('word5')}</text:section>`,
  )}</table:table>`,
  'notes with headings and lists': `<text:p>word1<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${p('word2')}<text:h text:outline-level="1">word3</text:h>${list(p('word4'))}</text:note-body></text:note></text:p>`,
  'anchored shapes': anchored((how) => custom(p('word3', 'word4'), how)),
  groups: anchored(
    (how) => `<draw:g ${how}>${custom(p('word3'))}<draw:g>${shape('rect', p('word4'))}</draw:g></draw:g>`,
  ),
  'drawings in headings': `<text:h text:outline-level="1">word1${box(p('word2'), 'text:anchor-type="paragraph"')}word3</text:h>`,
  'entries of contents that are no links': `<text:table-of-content text:name="C"><text:table-of-content-source text:outline-level="3"/><text:index-body><text:index-title text:name="H">${p('word1')}</text:index-title>${p('word2', 'word3')}</text:index-body></text:table-of-content>`,
  'numbers of figures': `<text:p>word1 <text:sequence text:name="Figure" text:formula="ooow:Figure+1" style:num-format="1">word2</text:sequence></text:p>`,
}

const onSheets: Readonly<Record<string, string>> = {
  'rows that repeat on each page, and groups of rows': sheet(
    `<table:table-header-rows>${cells(p('word1'))}</table:table-header-rows><table:table-row-group>${cells(p('word2'))}</table:table-row-group>${cells(p('word3'))}`,
  ),
  'cells of several paragraphs and parts': sheet(
    cells(
      p('word1', '<text:span>word2</text:span> word3'),
      p('<text:a xlink:type="simple" xlink:href="https://example.org/">word4</text:a> word5'),
    ),
  ),
  'shapes with several paragraphs': sheet(
    `<table:shapes>${box(p('word1', 'word2'))}${custom(p('word3', 'word4'))}<draw:g>${shape('rect', p('word5', 'word6'))}</draw:g></table:shapes>${cells(p('word7'))}`,
  ),
}

/** The words of a file that was made, in their order. */
const words = (bytes: Uint8Array) =>
  [
    ...new TextDecoder()
      .decode(bytes)
      .replace(/<[^>]*>/g, ' ')
      .matchAll(/word\d/g),
  ].map(([word]) => word)
const sorted = (source: string) => [...new Set([...source.matchAll(/word\d/g)].map(([word]) => word))].sort()

async function keepsWords(source: string, from: string, to: string): Promise<void> {
  const made = words((await office.convert(source, from, to)).bytes)
  expect([...made].sort()).toEqual(sorted(source))
}

describe('UOF and XHTML keep the text of', () => {
  it.each(Object.keys(onSlides))('slides: %s', async (name) => {
    const source = slides(onSlides[name] ?? '')
    await keepsWords(source, 'fodp', 'uop')
    await keepsWords(source, 'fodp', 'xhtml')
  })
  it.each(Object.keys(inTexts))('texts: %s', async (name) => {
    await keepsWords(flat('text', 'text', inTexts[name] ?? '', styles), 'fodt', 'uot')
  })
  it.each(Object.keys(onSheets))('sheets: %s', async (name) => {
    await keepsWords(flat('spreadsheet', 'spreadsheet', onSheets[name] ?? '', styles), 'fods', 'uos')
  })
})

it.each(['ppt', 'pps', 'pot'])('UOF made of %s has the titles and the lists', async (from) => {
  const source = slides(
    slide(
      box(p('word1'), 'presentation:class="title"') + box(list(p('word2')), 'presentation:class="outline"'),
    ),
  )
  const { bytes } = await office.convert(source, 'fodp', from)
  expect(words((await office.convert(bytes, from, 'uop')).bytes)).toEqual(['word1', 'word2'])
})

it('lists on slides keep their order around parts without a bullet', async () => {
  const content = box(headed(p('word1'), p('word2')) + list(p('word3') + headed(p('word4'), p('word5'))))
  const made = words((await office.convert(slides(slide(content)), 'fodp', 'uop')).bytes)
  expect(made).toEqual(['word1', 'word2', 'word3', 'word4', 'word5'])
})

it('UOF hides the sheets that are hidden, and no other', async () => {
  const source = flat(
    'spreadsheet',
    'spreadsheet',
    ['ta1', 'ta2', 'ta3'].map((style) => sheet(cells(p('word1')), style)).join(''),
    styles,
  )
  const made = new TextDecoder().decode((await office.convert(source, 'fods', 'uos')).bytes)
  const hidden = [...made.matchAll(/<表:工作表 [^>]*表:名称="(\w+)"[^>]*表:隐藏="(\w+)"/g)]
  expect(hidden.map(([, name, how]) => [name, how])).toEqual([
    ['ta1', 'false'],
    ['ta2', 'false'],
    ['ta3', 'true'],
  ])
})

it('cells of tables on slides keep their positions', async () => {
  const table = `<table:table><table:table-column table:number-columns-repeated="2"/>${cells(p('word1'), p('word2'))}${cells(p('word3'), p('word4'))}</table:table>`
  const made = new TextDecoder().decode(
    (await office.convert(slides(slide(shape('frame', table))), 'fodp', 'uop')).bytes,
  )
  const corners = made
    .split('<图:图形 ')
    .filter((one) => /word\d/.test(one))
    .map((one) => /图:x坐标="([\d.]+)" 图:y坐标="([\d.]+)"/.exec(one)?.slice(1).map(Number))
  const [left = 0, top = 0] = corners[0] ?? []
  expect(corners).toHaveLength(4)
  expect(corners[1]?.[0]).toBeGreaterThan(left)
  expect(corners[1]?.[1]).toBeCloseTo(top, 2)
  expect(corners[2]?.[0]).toBeCloseTo(left, 2)
  expect(corners[2]?.[1]).toBeGreaterThan(top)
})
