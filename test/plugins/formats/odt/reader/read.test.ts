import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { odtOf, zipOf } from '../../../../helpers/docx.ts'
import { lay } from '../../../../helpers/laid-out.ts'

async function read(body: string, extra: Parameters<typeof odtOf>[1] = {}): Promise<Document> {
  return odtReader.read(await odtOf(body, extra), { codec: nodeCodec, limits: defaultLimits }).value
}
/** The lines of the document, page by page. */
async function check(
  body: string,
  expected: readonly string[],
  extra: Parameters<typeof odtOf>[1] = {},
): Promise<void> {
  const { lines } = lay(await read(body, extra))
  expect(lines.map((line) => line.text)).toEqual(expected)
}
const cell = (content: string, more = ''): string =>
  `<table:table-cell ${more}><text:p>${content}</text:p></table:table-cell>`
const covered = '<table:covered-table-cell/>'

const urn = 'urn:oasis:names:tc:opendocument:xmlns'
/** A styles part with formats of dates. */
const formats = (...parts: string[]): string =>
  `<office:document-styles xmlns:office="${urn}:office:1.0" xmlns:style="${urn}:style:1.0" xmlns:number="${urn}:datastyle:1.0"><office:styles>${parts
    .map((part, i) => `<number:date-style style:name="D${i}">${part}</number:date-style>`)
    .join('')}</office:styles></office:document-styles>`
const dated = (i: number): string => `<text:p><text:date style:data-style-name="D${i}">1</text:date></text:p>`

describe('text', () => {
  test('a note that does not fit on the last page continues on another one', async () => {
    const notes = Array.from({ length: 120 }, (_, i) => `note ${i}`)
    const { lines, pages } = lay(
      await read(
        `<text:p>a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${notes.map((text) => `<text:p>${text}</text:p>`).join('')}</text:note-body></text:note></text:p>`,
      ),
    )
    expect(pages.length).toBeGreaterThan(1)
    expect(lines.filter(({ text }) => /note \d/.test(text))).toHaveLength(notes.length)
  })
  test('white space is collapsed, text:s is not', () =>
    check('<text:p>  one \n two<text:s text:c="2"/>three<text:span> </text:span> four </text:p>', [
      'one two  three four ',
    ]))
  test('tabs and line breaks', () => check('<text:p>a<text:tab/>b<text:line-break/>c</text:p>', ['a|b', 'c']))
  test('a space after them stays', () =>
    check('<text:p>a<text:line-break/>  <text:s/>b <text:tab/> c</text:p>', ['a', '  b | c']))
  test('comments and deleted text are not part of the text', () =>
    check(
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>a<office:annotation><text:p>note</text:p></office:annotation>b</text:p>',
      ['ab'],
    ))
  test('page numbers and dates are updated, other fields keep their text', () =>
    check(
      '<text:p><text:page-number>9</text:page-number>/<text:page-count>9</text:page-count> <text:date>1 May</text:date> <text:date text:fixed="true">2 May</text:date> <text:file-name>a.odt</text:file-name></text:p>',
      ['1/1 11/21/26 2 May a.odt'],
    ))
  test('what a service cannot know of its user is not shown, unless it was fixed', () =>
    check(
      '<text:p>by <text:sender-firstname text:fixed="false">Ann</text:sender-firstname><text:author-name text:fixed="false">Ann</text:author-name><text:sender-city>Rome</text:sender-city></text:p>',
      ['by Rome'],
    ))
  test('dates by the formats of the document', () =>
    check(dated(0) + dated(1), ['Saturday the 21', '12:00 PM'], {
      'styles.xml': formats(
        '<number:day-of-week number:style="long"/><number:text> the </number:text><number:day/>',
        '<number:hours/><number:text>:</number:text><number:minutes number:style="long"/><number:text> </number:text><number:am-pm/>',
      ),
    }))
  test('a date that is moved', () =>
    check('<text:p><text:date text:date-adjust="P14D">1</text:date></text:p>', ['12/05/26']))
  test('controls of a form show their labels and values', async () => {
    const controls =
      '<form:button form:id="a" form:label="Press"/><form:text form:id="b" form:current-value="typed"/><form:checkbox form:id="c" form:label="Agreed" form:current-state="checked"/><form:listbox form:id="d" form:dropdown="true"><form:option form:label="one"/><form:option form:label="two" form:selected="true"/></form:listbox><form:time form:id="e" form:current-value="12120000"><form:properties><form:property form:property-name="Text" office:value-type="string" office:string-value="12:12"/></form:properties></form:time>'
    const shown = ['a', 'b', 'c', 'd', 'e'].map(
      (id) =>
        `<draw:control text:anchor-type="as-char" svg:width="80pt" svg:height="20pt" draw:control="${id}"/>`,
    )
    const document = await read(
      `<office:forms xmlns:form="${urn}:form:1.0"><form:form>${controls}</form:form></office:forms><text:p>${shown.join('')}</text:p>`,
    )
    const [block] = document.sections[0]!.blocks
    const shapes = (block?.kind === 'paragraph' ? block.inlines : []).flatMap((inline) =>
      inline.kind === 'drawing' && inline.drawing.content.kind === 'shape' ? [inline.drawing.content] : [],
    )
    const texts = shapes.map(({ text }) => JSON.stringify(text?.blocks))
    expect(shapes.map(({ field }) => field)).toEqual([
      undefined,
      { kind: 'text', name: '', value: 'typed' },
      { kind: 'check', name: '', value: '', isChecked: true },
      { kind: 'choice', name: '', value: 'two', dropsDown: true, options: ['one', 'two'] },
      { kind: 'text', name: '', value: '12:12' },
    ])
    expect(shapes.map(({ text }) => text?.insets.left)).toEqual([4, 4, 18, 4, 4])
    expect(texts.map((text) => /"text":"([^"]*)"/.exec(text)?.[1])).toEqual([
      'Press',
      'typed',
      'Agreed',
      'two',
      '12:12',
    ])
  })
  test('notes are at the foot with their reference', () =>
    check(
      '<text:p>a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>',
      ['1', 'a', '1note'],
    ))
  test('sections and contents tables show their text', () =>
    check(
      '<text:section><text:p>a</text:p></text:section><text:table-of-content><text:table-of-content-source/><text:index-body><text:p>b</text:p></text:index-body></text:table-of-content>',
      ['a', 'b'],
    ))
})

describe('tables', () => {
  test('merged cells', () =>
    check(
      `<table:table><table:table-column table:number-columns-repeated="3"/><table:table-row>${cell('wide', 'table:number-columns-spanned="2"')}${covered}${cell('tall', 'table:number-rows-spanned="2"')}</table:table-row><table:table-row>${cell('a')}${cell('b')}${covered}</table:table-row></table:table>`,
      ['wide|tall', 'a|b'],
    ))
  test('repeated rows and cells', () =>
    check(
      `<table:table><table:table-column table:number-columns-repeated="2"/><table:table-row table:number-rows-repeated="2">${cell('x', 'table:number-columns-repeated="2"')}</table:table-row></table:table>`,
      ['x|x', 'x|x'],
    ))
})

describe('bad input', () => {
  const nested = `${'<table:table><table:table-row><table:table-cell>'.repeat(3000)}<text:p>deep</text:p>`
  test('tables nested three thousand deep', async () => {
    expect(lay(await read(`<text:p>a</text:p>${nested}`)).pages.length).toBeGreaterThan(0)
  })
  test('a million repeated cells', async () => {
    const row = `<table:table-row table:number-rows-repeated="1000000">${cell('', 'table:number-columns-repeated="1000000"')}</table:table-row>`
    const document = await read(`<table:table>${row}</table:table>`)
    const [block] = document.sections[0]!.blocks
    expect(block?.kind === 'table' ? block.rows.length * block.rows[0]!.cells.length : 0).toBeLessThanOrEqual(
      1024 * 200,
    )
  })
  test('a template of styles alone is one empty page', async () => {
    const bytes = await zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text-template',
      'styles.xml': formats(),
      'META-INF/manifest.xml': '<manifest/>',
    })
    const { value } = odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
    expect(lay(value).pages).toHaveLength(1)
  })
  test('a package without content', async () => {
    const bytes = await odtOf('', { 'content.xml': '<!DOCTYPE x><x/>' })
    expect(() => odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })).toThrow(AppError)
  })
})

test('changes have the colours of their authors', async () => {
  const region = (id: string, author: string, kind: string, content = ''): string =>
    `<text:changed-region xml:id="${id}"><text:${kind}><office:change-info><dc:creator>${author}</dc:creator></office:change-info>${content}</text:${kind}></text:changed-region>`
  const changes = `<text:tracked-changes>${region('c1', 'Ann', 'insertion')}${region('c2', 'Bee', 'insertion')}${region('c3', 'Bee', 'deletion', '<text:p>gone</text:p>')}</text:tracked-changes>`
  const body = `${changes}<text:p>a<text:change-start text:change-id="c1"/>b<text:change-end text:change-id="c1"/><text:change-start text:change-id="c2"/>c<text:change-end text:change-id="c2"/><text:change text:change-id="c3"/></text:p>`
  const [block] = (await read(body)).sections[0]!.blocks
  const looks = block?.kind === 'paragraph' ? block.inlines : []
  expect(looks.map((inline) => inline.kind === 'text' && [inline.text, inline.run.color])).toEqual([
    ['a', undefined],
    ['b', 'C69200'],
    ['c', '0646A2'],
    ['gone', '0646A2'],
  ])
})
