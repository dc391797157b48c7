import { strToU8 } from 'fflate'
import { readWorkbook } from '../../../../../plugins/formats/xlsx/reader/index.ts'
import { caseFolders, outline } from '../../../../helpers/case-folders.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/**
 * `sheet.xml`, the content of a worksheet, with its `strings.xml` and `styles.xml`; further `sheets.xml` and other content of
 * the workbook part in `workbook.xml`. Expected: the model of sheets, and warnings.
 */
caseFolders('xlsx-reader', ({ text }) => {
  const inside = (name: string) => text(`${name}.xml`) ?? ''
  const root = (name: string, content: string) =>
    `<${name} xmlns="${main}" xmlns:r="${office}">${content}</${name}>`
  const links = (targets: Readonly<Record<string, string>>) => {
    const list = Object.entries(targets).map(
      ([kind, target]) => `<Relationship Id="${kind}" Type="${office}/${kind}" Target="${target}"/>`,
    )
    return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
  }
  const parts: Readonly<Record<string, string>> = {
    '_rels/.rels': links({ officeDocument: 'xl/workbook.xml' }),
    'xl/_rels/workbook.xml.rels': links({
      worksheet: 'sheet.xml',
      styles: 'styles.xml',
      sharedStrings: 'strings.xml',
    }),
    'xl/workbook.xml': root(
      'workbook',
      `<sheets><sheet name="One" sheetId="1" r:id="worksheet"/>${inside('sheets')}</sheets>${inside('workbook')}`,
    ),
    'xl/sheet.xml': root('worksheet', inside('sheet')),
    'xl/strings.xml': root('sst', inside('strings')),
    'xl/styles.xml': root('styleSheet', inside('styles')),
  }
  const { value, warnings } = readWorkbook((name) => {
    const part = parts[name]
    return part === undefined ? undefined : strToU8(part)
  })
  return { 'expected.txt': outline({ ...value, warnings }) }
})
