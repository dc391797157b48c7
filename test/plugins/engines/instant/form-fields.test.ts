/** Controls of documents as fields of a PDF that can be filled. */
import { afterAll, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import type { EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { docxOf, odtOf } from '../../../helpers/docx.ts'
import { testHost } from '../../../helpers/host.ts'
import { shippedSource } from '../../../helpers/instant-fonts.ts'
import { odpOf, odsOf, odsRow } from '../../../helpers/ods.ts'
import { createPdfMaker } from '../libreoffice/pdf-files.ts'

const { converter, make } = createPdfMaker(instant as EnginePlugin, {
  ...testHost(formats),
  codec: nodeCodec,
  fonts: () => shippedSource,
})
afterAll(() => converter.stop())

/** A text with one control a paragraph. Each control has `ID` where its identifier belongs. */
function formOf(...controls: readonly string[]): Promise<Uint8Array> {
  const elements = controls.map((control, at) => control.replace('ID', `form:id="c${at}"`))
  const shown = controls.map(
    (_, at) =>
      `<text:p><draw:control text:anchor-type="as-char" svg:width="100pt" svg:height="20pt" draw:control="c${at}"/></text:p>`,
  )
  return odtOf(
    `<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:form>${elements.join('')}</form:form></office:forms><text:p>Form</text:p>${shown.join('')}`,
  )
}

const controls = [
  '<form:text ID form:name="who.name" form:title="Your name" form:current-value="Ada" form:max-length="40"/>',
  '<form:textarea ID form:name="note" form:current-value="Größe &amp; (Preis)" form:readonly="true"/>',
  '<form:checkbox ID form:name="agree" form:label="I agree" form:current-state="checked"/>',
  '<form:checkbox ID form:name="later" form:label="Later"/>',
  '<form:radio ID form:name="colour" form:label="red" form:value="r"/>',
  '<form:radio ID form:name="colour" form:label="blue" form:value="b" form:current-selected="true"/>',
  '<form:listbox ID form:name="country" form:dropdown="true"><form:option form:label="Germany"/><form:option form:label="France" form:selected="true"/></form:listbox>',
  '<form:combobox ID form:name="town" form:current-value="Paris"><form:item form:label="Berlin"/></form:combobox>',
  '<form:text ID form:name="note" form:current-value="again"/>',
  '<form:button ID form:name="send" form:label="Send"/>',
] as const

interface ReportedField {
  readonly fullname: string
  readonly fieldtype: string
  readonly value: string
  readonly fieldflags: number
  readonly choices: readonly string[]
  readonly alternativename: string
  readonly annotation: { readonly appearancestate: string }
}
type File = Awaited<ReturnType<typeof make>>
/** What a program says about a file, in UTF-8. */
const said = (file: File, program: string, ...args: readonly string[]): string =>
  Buffer.from(file.ask(program, ...args), 'latin1').toString()

function fieldsOf(file: File): readonly ReportedField[] {
  expect(file.ask('qpdf', '--check')).toContain('No syntax or stream encoding errors')
  const { acroform } = JSON.parse(said(file, 'qpdf', '--json', '--json-key=acroform')) as {
    readonly acroform: { readonly fields: readonly ReportedField[] }
  }
  return acroform.fields
}

it('each control is a field with its name, value, flags and entries', async () => {
  const file = await make(await formOf(...controls), 'odt', {})
  expect(
    fieldsOf(file).map(({ fullname, fieldtype, value, fieldflags, choices, annotation, alternativename }) => [
      fullname,
      fieldtype,
      value.replace(/^u:/, ''),
      fieldflags,
      choices,
      annotation.appearancestate,
      alternativename,
    ]),
  ).toEqual([
    ['who_name', '/Tx', 'Ada', 0, [], '', 'Your name'],
    ['note', '/Tx', 'Größe & (Preis)', 4096 + 1, [], '', 'note'],
    ['agree', '/Btn', '/Yes', 0, [], '/Yes', 'agree'],
    ['later', '/Btn', '/Off', 0, [], '/Off', 'later'],
    ['colour', '/Btn', '/1', 32768 + 16384, [], '/Off', 'colour'],
    ['colour', '/Btn', '/1', 32768 + 16384, [], '/1', 'colour'],
    ['country', '/Ch', 'France', 131072, ['Germany', 'France'], '', 'country'],
    ['town', '/Ch', 'Paris', 131072 + 262144, ['Berlin'], '', 'town'],
    ['note_2', '/Tx', 'again', 0, [], '', 'note'],
  ])
  expect(said(file, 'pdftotext', '-layout', '-').split(/\s*\n\s*/)).toEqual([
    'Form',
    'Ada',
    'Größe & (Preis)',
    'I agree',
    'Later',
    'red',
    'blue',
    'France',
    'Paris',
    'again',
    'Send',
    '',
  ])
  expect(file.warnings).toEqual([])
})

it('ExportFormFields: false draws the fields, which cannot be filled', async () => {
  const file = await make(await formOf(...controls), 'odt', { ExportFormFields: false })
  expect(fieldsOf(file)).toEqual([])
  expect(file.text).not.toContain('AcroForm')
  expect(file.ask('pdftotext', '-layout', '-')).toMatch(/Ada[\s\S]*I agree[\s\S]*France/)
})

it.each([1, 2, 3] as const)('fields conform to PDF/A-%i', async (part) => {
  const file = await make(await formOf(...controls), 'odt', { SelectPdfVersion: part })
  expect(fieldsOf(file)).toHaveLength(9)
  expect(archiveProblems(file.bytes, part)).toEqual([])
})

it('fields have a place in the structure', async () => {
  const file = await make(await formOf(...controls), 'odt', { PDFUACompliance: true })
  expect(fieldsOf(file)).toHaveLength(9)
  expect(accessibleProblems(file.bytes).filter((problem) => !/no title|no language/.test(problem))).toEqual(
    [],
  )
})

it('names that are missing or taken are replaced', async () => {
  const box = '<form:checkbox ID form:label="x"/>'
  const named = '<form:checkbox ID form:name="field_2" form:label="x"/>'
  const file = await make(await formOf(box, named, box, box), 'odt', {})
  const names = fieldsOf(file).map(({ fullname }) => fullname)
  expect(new Set(names).size).toBe(4)
})

it.each(['ods', 'odp'] as const)('controls of %s are fields', async (from) => {
  const namespace = 'xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"'
  const forms = `<office:forms ${namespace}><form:form><form:text form:id="c" form:name="who" form:current-value="Ada"/></form:form></office:forms>`
  const control =
    '<draw:control svg:x="50pt" svg:y="50pt" svg:width="100pt" svg:height="20pt" draw:control="c"/>'
  const bytes =
    from === 'odp'
      ? await odpOf(`<draw:page draw:name="p">${forms}${control}</draw:page>`)
      : await odsOf(
          `<table:table table:name="S">${forms}<table:shapes>${control}</table:shapes>${odsRow(['Form'])}</table:table>`,
        )
  const file = await make(bytes, from, {})
  expect(fieldsOf(file).map(({ fullname, value }) => [fullname, value])).toEqual([['who', 'u:Ada']])
  expect(file.warnings).toEqual([])
})

/** A paragraph of Word with a content control between other text. */
const contentControl = (properties: string, text: string): string =>
  `<w:p>${wordText('before ')}<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${wordText(text)}</w:sdtContent></w:sdt>${wordText(' after')}</w:p>`
/** A paragraph of Word with a form field of the older kind. */
const legacyField = (kind: string, properties: string, result = ''): string => {
  const character = (type: string, data = '') =>
    `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`
  const data = `<w:ffData><w:name w:val="${kind.toLowerCase()}"/>${properties}</w:ffData>`
  return `<w:p>${character('begin', data)}<w:r><w:instrText> ${kind} </w:instrText></w:r>${character('separate')}${result === '' ? '' : wordText(result)}${character('end')}</w:p>`
}
const wordText = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const checkBox = (isChecked: 0 | 1): string =>
  `<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${isChecked}"/><w14:checkedState w14:val="0058"/><w14:uncheckedState w14:val="004F"/></w14:checkbox>`

const wordControls = [
  contentControl('<w:alias w:val="Full name"/><w:tag w:val="who"/><w:text/>', 'Ada'),
  contentControl('<w:tag w:val="empty"/><w:showingPlcHdr/><w:text w:multiLine="1"/>', 'Your answer'),
  contentControl(
    '<w:tag w:val="town"/><w:dropDownList><w:listItem w:displayText="Berlin" w:value="b"/><w:listItem w:value="Paris"/></w:dropDownList>',
    'Berlin',
  ),
  contentControl('<w:tag w:val="any"/><w:comboBox><w:listItem w:value="one"/></w:comboBox>', 'two'),
  contentControl('<w:tag w:val="day"/><w:date/>', '1 May'),
  contentControl(`<w:tag w:val="yes"/>${checkBox(1)}`, 'X'),
  contentControl(`<w:tag w:val="no"/>${checkBox(0)}`, 'O'),
  '<w:sdt><w:sdtPr><w:tag w:val="block"/><w:text/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>whole</w:t></w:r></w:p></w:sdtContent></w:sdt>',
  legacyField(
    'FORMTEXT',
    '<w:helpText w:val="Say it"/><w:textInput><w:maxLength w:val="9"/></w:textInput>',
    'older',
  ),
  legacyField(
    'FORMDROPDOWN',
    '<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>',
  ),
] as const

it.each([
  ['w:del', 'w:delText'],
  ['w:moveFrom', 'w:t'],
])(
  'text of a control that a tracked change took away (%s) is printed and not part of its value',
  async (change, text) => {
    const gone = `<${change} w:id="1" w:author="A"><w:r><${text}>Bea</${text}></w:r></${change}>`
    const control = contentControl('<w:tag w:val="who"/><w:text/>', 'Ada').replace(
      '</w:sdtContent>',
      `${gone}</w:sdtContent>`,
    )
    const file = await make(await docxOf(control), 'docx', {})
    expect(fieldsOf(file).map(({ value }) => value)).toEqual(['u:Ada'])
    expect(said(file, 'pdftotext', '-')).toContain('Bea')
  },
)

it('content controls and form fields of Word are fields where their text stands', async () => {
  const file = await make(await docxOf(wordControls.join('')), 'docx', {})
  const described = fieldsOf(file).map(({ fullname, fieldtype, value, fieldflags, choices, ...field }) => [
    fullname,
    fieldtype,
    value.replace(/^u:/, ''),
    fieldflags,
    choices,
    field.annotation.appearancestate,
    field.alternativename,
  ])
  expect(described).toEqual([
    ['who', '/Tx', 'Ada', 0, [], '', 'Full name'],
    ['empty', '/Tx', '', 4096, [], '', 'empty'],
    ['town', '/Ch', 'Berlin', 131072, ['Berlin', 'Paris'], '', 'town'],
    ['any', '/Ch', 'two', 131072 + 262144, ['one'], '', 'any'],
    ['day', '/Tx', '1 May', 0, [], '', 'day'],
    ['yes', '/Btn', '/Yes', 0, [], '/Yes', 'yes'],
    ['no', '/Btn', '/Off', 0, [], '/Off', 'no'],
    ['block', '/Tx', 'whole', 0, [], '', 'block'],
    ['formtext', '/Tx', 'older', 0, [], '', 'Say it'],
    ['formdropdown', '/Ch', 'blue', 131072, ['red', 'blue'], '', 'formdropdown'],
  ])
  const drawn = await make(await docxOf(wordControls.join('')), 'docx', { ExportFormFields: false })
  expect(fieldsOf(drawn)).toEqual([])
  const words = (made: File) => said(made, 'pdftotext', '-bbox', '-').match(/<word.*/g)
  expect(words(file)).toEqual(words(drawn))
  expect(file.warnings).toEqual([])
})

it.each([
  ['<w:default w:val="1"/>', '/Yes'],
  ['<w:default w:val="1"/><w:checked w:val="0"/>', '/Off'],
])('a check box of the older kind: %s', async (state, value) => {
  const file = await make(
    await docxOf(legacyField('FORMCHECKBOX', `<w:checkBox>${state}</w:checkBox>`)),
    'docx',
    {},
  )
  expect(fieldsOf(file).map((field) => [field.fullname, field.value])).toEqual([['formcheckbox', value]])
})

it.each([
  ['formatted text', contentControl('<w:tag w:val="x"/>', 'text')],
  ['content that may not be changed', contentControl('<w:lock w:val="sdtContentLocked"/><w:text/>', 'text')],
  ['text of several lines', contentControl('<w:text/>', 'word '.repeat(60))],
  ['a check box with words of its own', contentControl(checkBox(1), 'yes')],
  [
    'a result that Word works out',
    legacyField('FORMTEXT', '<w:textInput><w:type w:val="calculated"/></w:textInput>', '7'),
  ],
  [
    'a property of the document',
    contentControl(
      '<w:dataBinding w:xpath="/ns0:coreProperties[1]/ns1:title[1]" w:storeItemID="{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"/><w:text/>',
      'Title',
    ),
  ],
])('%s is printed', async (_, body) => {
  const file = await make(await docxOf(body), 'docx', {})
  expect(fieldsOf(file)).toEqual([])
  expect(file.warnings).toEqual([])
})

it('a control in a header is printed on each page, and a field in the text stays one', async () => {
  const many = `${wordControls[0]}${'<w:p><w:r><w:br w:type="page"/><w:t>x</w:t></w:r></w:p>'}`
  const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const file = await make(
    await docxOf(`${many}<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>`, {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="h" Type="${relationships}/header" Target="header.xml"/></Relationships>`,
      'word/header.xml': `<w:hdr ${namespace}>${contentControl('<w:tag w:val="head"/><w:text/>', 'Head')}</w:hdr>`,
    }),
    'docx',
    {},
  )
  expect(said(file, 'pdfinfo')).toMatch(/Pages:\s+2/)
  expect(fieldsOf(file).map(({ fullname }) => fullname)).toEqual(['who'])
  expect(said(file, 'pdftotext', '-').match(/Head/g)).toHaveLength(2)
})

it.each([1, 2, 3] as const)('fields of Word conform to PDF/A-%i', async (part) => {
  const file = await make(await docxOf(wordControls.join('')), 'docx', { SelectPdfVersion: part })
  expect(fieldsOf(file)).toHaveLength(10)
  expect(archiveProblems(file.bytes, part)).toEqual([])
})

it('fields of Word are read where they stand in the text', async () => {
  const file = await make(await docxOf(wordControls.join('')), 'docx', { PDFUACompliance: true })
  expect(accessibleProblems(file.bytes).filter((problem) => !/no title|no language/.test(problem))).toEqual(
    [],
  )
  expect(said(file, 'pdfinfo', '-struct-text')).toMatch(/"before "\s+Form\s+Object.*\s+" after"/)
})
