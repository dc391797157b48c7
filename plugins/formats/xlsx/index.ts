/** Excel workbooks (Office Open XML, ECMA-376). */

import { asMacroWorkbook, plainDocument } from '../../../shared/office/plain-documents.ts'
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
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'xlsx'),
  template: { open: async (bytes, context) => openWorkbook(bytes, context) },
})

/** A workbook under the type of one that may hold macros, though it holds none. For operators who want that name. */
export const macroWorkbook = defineFormat({
  kind: 'format',
  id: 'xlsm',
  family: 'spreadsheet',
  extensions: ['xlsm'],
  mime: ['application/vnd.ms-excel.sheet.macroEnabled.12'],
  variantOf: { base: 'xlsx', rewrite: asMacroWorkbook },
})
