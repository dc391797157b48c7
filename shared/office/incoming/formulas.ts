/**
 * Formulas of spreadsheets that load something: functions that call a server or a program, and references to other
 * files. Such a formula is removed, and the cell shows its last value. Text in quotes is checked like the rest,
 * because INDIRECT converts text into references; references that a formula assembles only when it is computed cannot
 * be detected here.
 */
import type { LinkKind } from './findings.ts'

/** Notation of OpenDocument (part 4, 5.8), or of Excel. */
export type FormulaSyntax = 'odf' | 'excel'

const calling =
  /(?:^|[^\p{L}\p{N}])(?:WEBSERVICE|RTD|DDE|STOCKHISTORY|GOOGLEFINANCE|IMPORT(?:DATA|FEED|HTML|RANGE|XML)|SQL\.REQUEST|REGISTER\.ID|CALL|EXEC)\s*\(/iu
const picturing = /(?:^|[^\p{L}\p{N}])IMAGE\s*\(/iu
/** 'file:///a.ods'#$Sheet.A1, also without quotes. */
const odfFile = /'#(?!REF!)|\[(?=[^[\]'"#]*[:/\\])[^[\]'"#]*#(?!REF!)/i
/**
 * 'C:\a\[b.xlsx]Sheet'!A1, [b.xlsx]Sheet!A1 and 'C:\a\b.xlsx'!Name. A number in brackets refers to a part of the
 * package, whose address is dropped with its relationship.
 */
const excelFile =
  /(?:[\\/]|\[(?!\d+\])[^[\]]*\])[^'\\/[\]]*'!|\[(?!\d+\])[^[\]]+\][\p{L}\p{N}_.$:]*!(?![[\s])/iu
/** program|topic!item. A bar in text is followed by the quote that ends it. */
const excelProgram = /\|\s*'[^']*'!|\|[^|"']*!/

/** The kind of link that a formula would load; undefined for formulas that load nothing. */
export function loadedByFormula(formula: string, notation: FormulaSyntax): LinkKind | undefined {
  if (calling.test(formula) || excelProgram.test(formula)) return 'data source'
  if (picturing.test(formula)) return 'picture'
  if (excelFile.test(formula)) return 'table'
  // INDIRECT accepts the notation of OpenDocument in every spreadsheet.
  return (notation === 'odf' || /INDIRECT/i.test(formula)) && odfFile.test(formula) ? 'table' : undefined
}
