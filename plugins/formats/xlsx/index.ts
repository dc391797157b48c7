/** Excel workbooks (Office Open XML, ECMA-376). */
import { hasZipEntry } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { openWorkbook } from './template/workbook.ts'

export default defineFormat({
  kind: 'format',
  id: 'xlsx',
  family: 'spreadsheet',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mime: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
    'application/vnd.ms-excel.sheet.macroEnabled.12',
    'application/vnd.ms-excel.template.macroEnabled.12',
  ],
  sniff: async (source) =>
    (await hasZipEntry(source, (name) => /^xl\/\w+\.xml$/.test(name))) ? 'sure' : 'no',
  template: { open: async (bytes, context) => openWorkbook(bytes, context) },
})
