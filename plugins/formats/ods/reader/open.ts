import type { Workbook } from '../../../../shared/document/sheet.ts'
import { partsOfOdf } from '../../../../shared/office/opendocument/parts.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { xmlText } from '../../../../shared/xml/cursor.ts'
import { readFlatSpreadsheet, readSpreadsheet } from './index.ts'

/** Reads ODS bytes into the sheet model. Parts are inflated when they are read. */
export const readOds = (bytes: Uint8Array, context: OpenContext): Outcome<Workbook> =>
  readSpreadsheet(partsOfOdf(bytes, context, 'ods'))

/** Like `readOds`, for a document in one XML file (ODF 1.3 part 3, 3.1). */
export const readFods = (bytes: Uint8Array): Outcome<Workbook> => readFlatSpreadsheet(xmlText(bytes))
