import { degrees, PDFDocument, PDFName, PDFString, StandardFonts } from 'pdf-lib'
import { beforeAll, describe, expect, test } from 'vitest'
import poppler from '../../../../plugins/engines/poppler/index.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'

const { convert } = engineUnder(poppler, originHost())

interface Making {
  readonly bare?: boolean // fields without a look of their own
  readonly turn?: number
}

/** A form with every kind of field, notes, and words around them. */
async function formPdf({ bare = false, turn = 0 }: Making = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([595, 842])
  page.setRotation(degrees(turn))
  const form = document.getForm()
  const put = (text: string, x: number, y: number, size = 11) => page.drawText(text, { x, y, size, font })
  put('Application', 60, 780, 20)
  put('Please fill in all of the fields below before you send this form back to us.', 60, 750)
  const at = (y: number) => ({ x: 150, y: y - 8, width: 200, height: 20 })
  for (const [name, y, value] of [
    ['Name', 710, 'Jane Cooper'],
    ['City', 680, ''],
  ] as const) {
    put(`${name}:`, 60, y)
    const field = form.createTextField(name)
    field.setText(value)
    field.addToPage(page, at(y))
  }
  put('Country:', 60, 650)
  const country = form.createDropdown('country')
  country.addOptions(['France', 'Germany'])
  country.select('Germany')
  country.addToPage(page, at(650))
  put('Secret:', 60, 620)
  const secret = form.createTextField('secret')
  secret.setText('hunter2')
  secret.enablePassword()
  secret.addToPage(page, at(620))
  for (const [name, y, ticked] of [
    ['Terms', 590, true],
    ['News', 560, false],
  ] as const) {
    const box = form.createCheckBox(name)
    box.addToPage(page, { x: 60, y, width: 12, height: 12 })
    if (ticked) box.check()
    put(`${name} accepted`, 80, y + 2)
  }
  const sizes = form.createRadioGroup('size')
  for (const [name, x] of [
    ['Small', 60],
    ['Large', 200],
  ] as const) {
    sizes.addOptionToPage(name, page, { x, y: 520, width: 12, height: 12 })
    put(name, x + 20, 522)
  }
  sizes.select('Large')
  const remarks = form.createTextField('remarks')
  remarks.enableMultiline()
  remarks.setText('First remark\nSecond remark')
  put('Remarks:', 60, 480)
  remarks.addToPage(page, { x: 150, y: 430, width: 300, height: 60 })
  const hidden = form.createTextField('hidden')
  hidden.setText('Nobody sees this')
  hidden.addToPage(page, { ...at(400), hidden: true })
  put('Words after the form.', 60, 350)
  const note = {
    Type: 'Annot',
    Subtype: 'Text',
    Rect: [200, 346, 220, 366],
    Contents: PDFString.of('Is this right?'),
    T: PDFString.of('Ann'),
    F: 4,
  }
  page.node.addAnnot(document.context.register(document.context.obj(note)))
  form.updateFieldAppearances(font)
  if (bare)
    for (const field of form.getFields())
      if (field.constructor.name === 'PDFTextField')
        for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of('AP'))
  return document.save({ updateFieldAppearances: false })
}

const read = async (pdf: Uint8Array, to: string) =>
  new TextDecoder().decode((await convert(pdf, 'pdf', to)).bytes)
let form: Uint8Array
beforeAll(async () => {
  form = await formPdf()
})

describe('a form as a text', () => {
  test.each([
    ['a text', /\| Name: \| Jane Cooper \|/],
    ['an empty text is a line to write on', /\| City: \| (?:\\_){10} \|/],
    ['a choice', /\| Country: \| Germany \|/],
    ['a password is told to nobody', /\| Secret: \| (?:\\_){10} \|/],
    ['a ticked box', /\u2611 Terms accepted/],
    ['a box that is not ticked', /\u2610 News accepted/],
    ['one of several', /\u25ef Small \u25c9 Large/],
    ['lines', /Remarks: First remark\s+Second remark/],
    [
      'a comment is a note behind the words beside it',
      /Words after the form\.\[\^1\]\s+\[\^1\]: Ann: Is this right\?/,
    ],
  ])('%s', async (_, expected) => {
    expect(await read(form, 'md')).toMatch(expected)
  })

  test('neither hidden fields nor passwords are read, and no value is a heading', async () => {
    const markdown = await read(form, 'md')
    expect(markdown).not.toMatch(/Nobody|hunter2/)
    expect(markdown.match(/^#.*$/gm)).toEqual(['# Application'])
  })

  test.each(['txt', 'html', 'fodt', 'fods', 'fodp'])('as %s', async (to) => {
    const made = await read(form, to)
    for (const word of ['Jane Cooper', 'Germany', '\u2611', '\u2610', '\u25c9', 'First remark'])
      expect(made).toContain(word)
    expect(made).not.toMatch(/Nobody|hunter2/)
  })

  test.each([
    ['fields that nobody has drawn', { bare: true }],
    ['a turned page', { turn: 90 }],
    ['a page on its head', { turn: 180 }],
  ])('%s', async (_, making) => {
    expect(await read(await formPdf(making), 'txt')).toBe(await read(form, 'txt'))
  })
})
