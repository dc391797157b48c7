import { join } from 'node:path'
import { PDFDocument, PDFName, PDFString, rgb, StandardFonts } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import pdf from '../../../../plugins/formats/pdf/index.ts'
import { createMergeEngine } from '../../../../shared/template/merge.ts'
import { codecNode } from '../../../helpers/codec-node.ts'
import { defaultOptions, failure } from '../../../helpers/merge.ts'
import { ask, inkOf, latin1, pdfOf } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const engine = createMergeEngine({ codec: codecNode, formats: (id) => (id === 'pdf' ? pdf : undefined) })
const folder = temporaryFolder('form')
let files = 0
const place = () => join(folder, String(++files))

async function merge(bytes: Uint8Array, data: unknown) {
  const { value, warnings } = await engine.merge({
    template: { hash: '', bytes, format: 'pdf' },
    data: { value: data },
    options: defaultOptions,
  })
  return { out: new Uint8Array(await value.document.arrayBuffer()), warnings }
}

interface Texts {
  readonly name?: string
  readonly note?: string
  readonly lines?: string
}
type Notes = readonly (readonly [text: string, x: number, y: number])[]

/** A form with a text field, one of several lines, a check box, a group and a list, and notes at the given positions. */
async function form(
  { name = '', note = '', lines = '' }: Texts = {},
  notes: Notes = [],
  more?: (made: PDFDocument) => void,
) {
  const made = await PDFDocument.create()
  const page = made.addPage([300, 300])
  await made.embedFont(StandardFonts.Helvetica)
  const fields = made.getForm()
  const text = fields.createTextField('customer.name')
  text.setText(name)
  text.addToPage(page, {
    x: 20,
    y: 250,
    width: 200,
    height: 20,
    borderColor: rgb(0, 0, 0),
    backgroundColor: rgb(1, 1, 0.8),
  })
  const long = fields.createTextField('lines')
  long.enableMultiline()
  long.setText(lines)
  long.addToPage(page, { x: 20, y: 160, width: 200, height: 80 })
  fields.createCheckBox('agreed').addToPage(page, { x: 20, y: 130, width: 15, height: 15 })
  const group = fields.createRadioGroup('size')
  group.addOptionToPage('small', page, { x: 20, y: 100, width: 15, height: 15 })
  group.addOptionToPage('large', page, { x: 50, y: 100, width: 15, height: 15 })
  const list = fields.createDropdown('country')
  list.addOptions(['DE', 'FR'])
  list.addToPage(page, { x: 20, y: 70, width: 100, height: 20 })
  const all = note === '' ? notes : [...notes, [note, 200, 20] as const]
  for (const [contents, x, y] of all) {
    const annotation = made.context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [x, y, x + 12, y + 12] })
    annotation.set(PDFName.of('Contents'), PDFString.of(contents))
    page.node.addAnnot(made.context.register(annotation))
  }
  more?.(made)
  return made.save()
}

async function values(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const fields = (await PDFDocument.load(bytes)).getForm()
  return {
    name: fields.getTextField('customer.name').getText(),
    lines: fields.getTextField('lines').getText(),
    agreed: fields.getCheckBox('agreed').isChecked(),
    size: fields.getRadioGroup('size').getSelected(),
    country: fields.getDropdown('country').getSelected()[0],
  }
}

const words = async (bytes: Uint8Array) =>
  (await ask(place(), bytes, 'pdftotext', '-layout', '@', '-')).trim()

describe('fields', () => {
  it('tags in the values of text fields, loops too', async () => {
    const bytes = await form({
      name: 'Dear {d.name:upperCase}',
      lines: '{d.l[i].a}: {d.l[i].b}\n{d.l[i+1].a}\nend',
    })
    const { out, warnings } = await merge(bytes, {
      name: 'Zoë (1)',
      l: [
        { a: 'x', b: 1 },
        { a: 'y', b: 2 },
      ],
    })
    expect(await values(out)).toMatchObject({ name: 'Dear ZOË (1)', lines: 'x: 1\ny: 2\nend' })
    expect(await words(out)).toMatch(/^Dear ZOË \(1\)\s+x: 1\s+y: 2\s+end$/)
    expect(warnings).toEqual([])
    expect(await ask(place(), out, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  })

  const rows: [string, string, unknown, Record<string, unknown>][] = [
    ['text by name', "{d.x:fillField('customer.name')}", { x: 'Ann' }, { name: 'Ann' }],
    ['a number', "{d.x:mul(2):fillField('customer.name')}", { x: 21 }, { name: '42' }],
    ['any text ticks a box', "{d.x:fillField('agreed')}", { x: 'on' }, { agreed: true }],
    ['nothing clears it', "{d.x:fillField('agreed')}", {}, { agreed: false }],
    ['a condition ticks it', "{d.x:ifEQ(true):checkField('agreed')}", { x: true }, { agreed: true }],
    [
      'a condition that does not hold',
      "{d.x:ifEQ(true):checkField('agreed')}",
      { x: false },
      { agreed: false },
    ],
    ['a group by its option', "{d.x:fillField('size')}", { x: 'large' }, { size: 'large' }],
    ['an option that is none', "{d.x:fillField('size')}", { x: 'huge' }, { size: undefined }],
    ['a list', "{d.x:fillField('country')}", { x: 'FR' }, { country: 'FR' }],
    ['a name that is none', "{d.x:fillField('nobody')}", { x: 'FR' }, { name: undefined }],
    [
      'several in one note',
      "{d.x:fillField('customer.name')} {d.y:fillField('agreed')}",
      { x: 'A', y: true },
      { name: 'A', agreed: true },
    ],
    ['not in an output that has no fields', '{d.x:print(a)}', {}, {}],
  ]
  it.each(rows)('%s', async (_name, note, data, expected) => {
    const { out } = await merge(await form({ note }), data)
    expect(await values(out)).toMatchObject(expected)
  })

  it('notes fill the fields below them and are removed, others keep their text', async () => {
    const bytes = await form({}, [
      ['{d.name:fill}', 30, 255],
      ['{d.ok:ifEQ(true):check}', 22, 132],
      ['{d.size:fill}', 52, 102],
      ['Read {d.name}', 200, 20],
    ])
    const { out } = await merge(bytes, { name: 'Ann', ok: true, size: 'large' })
    expect(await values(out)).toMatchObject({ name: 'Ann', agreed: true, size: 'large' })
    const objects = await ask(place(), out, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect([...objects.matchAll(/\/Contents \((.*?)\)/g)].map(([, text]) => text)).toEqual(['Read Ann'])
  })

  it('unchecks', async () => {
    const bytes = await form({}, [['{d.no:uncheck}', 22, 132]], (made) =>
      made.getForm().getCheckBox('agreed').check(),
    )
    expect(await values((await merge(bytes, { no: true })).out)).toMatchObject({ agreed: false })
    expect(await values((await merge(bytes, { no: false })).out)).toMatchObject({ agreed: true })
  })

  it('what is filled can be seen: text, tick, background', async () => {
    const empty = inkOf(
      place(),
      (await merge(await form({ note: "{d.x:fillField('customer.name')}" }), { x: '' })).out,
      1,
    )!
    const filled = inkOf(
      place(),
      (await merge(await form({ note: "{d.x:fillField('lines')}" }), { x: 'Long '.repeat(60) })).out,
      1,
    )!
    expect(filled.bottom).toBeLessThanOrEqual(empty.bottom)
    const long = (
      await merge(await form({ name: '{d.x}' }), { x: 'a very long name that does not fit '.repeat(3) })
    ).out
    expect(await words(long)).toContain('a very long name')
    expect(inkOf(place(), long, 1)!.right).toBeLessThanOrEqual(222)
  })

  it('equal in, equal out; characters without a font are left to the reader', async () => {
    const bytes = await form({ name: '{d.x}' })
    const [a, b] = [await merge(bytes, { x: '日本' }), await merge(bytes, { x: '日本' })]
    expect(a.out).toEqual(b.out)
    expect(await values(a.out)).toMatchObject({ name: '日本' })
    expect(await ask(place(), a.out, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')).toContain(
      '/NeedAppearances true',
    )
  })
})

describe('other files', () => {
  const tree = ['<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>']

  it('without tags it comes out as it was', async () => {
    const bytes = await form({ name: 'Ann' })
    expect((await merge(bytes, {})).out).toEqual(bytes)
  })

  it('without objects it is refused', async () => {
    expect((await failure(merge(latin1('%PDF-1.4 nothing'), {}))).code).toBe('package.incomplete')
  })

  it.each([
    [
      'encrypted',
      pdfOf(['<</Type/Catalog/Pages 2 0 R>>', ...tree], { trailer: '/Encrypt<<>>' }),
      'package.encrypted',
    ],
    ['XFA alone', pdfOf(['<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA[(a)(b)]>>>>', ...tree]), 'pdf.xfa'],
  ])('%s', async (_name, bytes, code) => {
    expect((await failure(merge(bytes, {}))).code).toBe(code)
  })

  it('XFA beside fields is removed with a warning', async () => {
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA(a)/Fields[4 0 R]/DA(/Helv 0 Tf 0 g)>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Annots[4 0 R]>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V({d.x})/Rect[0 0 90 20]>>',
    ])
    const { out, warnings } = await merge(bytes, { x: 'yes' })
    expect(warnings.map(({ code }) => code)).toEqual(['pdf.xfa-removed'])
    expect(await words(out)).toBe('yes')
    expect(await ask(place(), out, 'qpdf', '--qdf', '@', '-')).not.toContain('XFA')
  })

  it('mistakes in tags are reported with the field', async () => {
    const error = await failure(merge(await form({ name: '{d.x:upercase}' }), {}))
    expect(error.problems?.[0]).toMatchObject({ place: { part: 'field customer.name' } })
  })

  it('a form whose fields hold each other ends', async () => {
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
      ...tree,
      '<</T(a)/FT/Tx/V({d.x})/Kids[4 0 R 4 0 R]>>',
    ])
    expect((await merge(bytes, {})).out.length).toBeGreaterThan(0)
  })
})
