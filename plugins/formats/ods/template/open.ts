/** Opens an OpenDocument spreadsheet, whose sheets are the tables of one part. Source: ODF 1.3 part 3, 9. */
import { paragraphBreak } from '../../../../shared/office/line-breaks.ts'
import { openOdf } from '../../../../shared/office/odf.ts'
import { cellOf } from '../../../../shared/office/odf-positions.ts'
import { odfRules, withoutSoftBreaks } from '../../../../shared/office/odf-rules.ts'
import type { Sheets } from '../../../../shared/office/sheet/layout.ts'
import { prepareSheetNames } from '../../../../shared/office/sheet/names.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { followAttributes } from './addresses.ts'
import { prepareTables, tableNames } from './tables.ts'

// The rules of text documents adjust cells that span rows, while sheets count their rows themselves.
const { spans: _, ...common } = odfRules

const rules: FormatRules = {
  ...common,
  lineBreakAt: paragraphBreak,
  position: cellOf,
  elements: { ...odfRules.elements, sheet: ['table:table'] },
}

/** Opens an ODS file as a template. Throws AppError 'package.*' as `openOdf` does. */
export function openSpreadsheet(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  // Set when the content is prepared, which precedes the preparation of charts.
  let sheets: Sheets = new Map()
  const prepare = (part: string, tokens: readonly Token[]): readonly Token[] => {
    const clean = withoutSoftBreaks(tokens)
    if (part !== 'content.xml' || !clean.some(({ kind }) => kind === 'tag')) return clean
    const names = tableNames(clean)
    const tables = prepareTables(clean, (models) => {
      sheets = models
    })
    return prepareSheetNames(tables, {
      element: 'table:table',
      attribute: 'table:name',
      templateNames: names,
    })
  }
  // Charts are separate parts that draw the cells of the sheets.
  const follow = (tokens: readonly Token[]) => followAttributes(tokens, { sheets })
  return openOdf(bytes, context, 'ods', { ...rules, prepare }, follow)
}
