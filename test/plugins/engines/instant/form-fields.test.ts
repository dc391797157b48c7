/** Controls of OpenDocument as fields of a PDF that can be filled. */
import { afterAll, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import type { EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { odtOf } from '../../../helpers/docx.ts'
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
