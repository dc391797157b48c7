/** Excel workbooks (Office Open XML, ECMA-376-1, SpreadsheetML), with macros and as templates too. */

import { asMacroWorkbook, plainDocument } from '../../../shared/office/plain-documents.ts'
import { hasZipEntry } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'

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
  // A package is a workbook if it has parts below `xl/`. Its content types would say the same, but they are compressed.
  sniff: async (source) =>
    (await hasZipEntry(source, (name) => /^xl\/\w+\.xml$/.test(name))) ? 'sure' : 'no',
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'xlsx'),
  workbookReader: {
    read: async (bytes, context) => (await import('./reader/open.ts')).readXlsx(bytes, context),
  },
  template: {
    open: async (bytes, context) => (await import('./template/workbook.ts')).openWorkbook(bytes, context),
  },
})

/** A workbook with the type of one that may contain macros, for callers who need that extension. It contains none. */
export const macroWorkbook = defineFormat({
  kind: 'format',
  id: 'xlsm',
  family: 'spreadsheet',
  extensions: ['xlsm'],
  mime: ['application/vnd.ms-excel.sheet.macroEnabled.12'],
  variantOf: { base: 'xlsx', rewrite: asMacroWorkbook },
})
