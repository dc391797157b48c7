import { escapeAttribute, escapeText, withoutControls } from '../../../shared/xml/markup.ts'
import type { Sheet, SheetCell } from './sheet.ts'

const types: Readonly<Record<SheetCell['kind'], string>> = {
  number: 'Number',
  boolean: 'Boolean',
  date: 'DateTime',
  moment: 'DateTime',
  text: 'String',
}
const maxNameLength = 31

/**
 * Writes sheets as an XML Spreadsheet of Excel 2003: values without formats and formulas. Source: XML
 * Spreadsheet Reference (Office 2003).
 */
export function writeSpreadsheetXml(sheets: readonly Sheet[]): Uint8Array {
  const used = new Set<string>()
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<?mso-application progid="Excel.Sheet"?>\n',
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">\n',
    '<Styles><Style ss:ID="date"><NumberFormat ss:Format="yyyy\\-mm\\-dd"/></Style>',
    '<Style ss:ID="moment"><NumberFormat ss:Format="yyyy\\-mm\\-dd\\ hh:mm:ss"/></Style></Styles>\n',
  ]
  for (const { name, rows } of sheets) {
    parts.push(`<Worksheet ss:Name="${escapeAttribute(sheetName(name, used))}"><Table>\n`)
    let skipped = false
    for (const [at, row] of rows.entries()) {
      const cells = cellsOf(row)
      // Empty rows are omitted, and the next row declares its index.
      if (cells !== '') parts.push(`<Row${skipped ? ` ss:Index="${at + 1}"` : ''}>${cells}</Row>\n`)
      skipped = cells === ''
    }
    parts.push('</Table></Worksheet>\n')
  }
  parts.push('</Workbook>\n')
  return new TextEncoder().encode(parts.join(''))
}

function cellsOf(row: Sheet['rows'][number]): string {
  let cells = ''
  let skipped = false
  for (const [at, cell] of row.entries()) {
    if (cell === undefined) {
      skipped = true
      continue
    }
    const index = skipped ? ` ss:Index="${at + 1}"` : ''
    const style = cell.kind === 'date' || cell.kind === 'moment' ? ` ss:StyleID="${cell.kind}"` : ''
    cells += `<Cell${index}${style}><Data ss:Type="${types[cell.kind]}">${escapeText(content(cell))}</Data></Cell>`
    skipped = false
  }
  return cells
}

function content(cell: SheetCell): string {
  switch (cell.kind) {
    case 'boolean':
      return cell.value ? '1' : '0'
    case 'date':
      return `${cell.value}T00:00:00.000`
    case 'text':
      return withoutControls(cell.value)
    default:
      return String(cell.value)
  }
}

/** Makes unique sheet names of at most 31 allowed characters. */
function sheetName(name: string, used: Set<string>): string {
  const base =
    withoutControls(name)
      .replace(/[\\/?*[\]:]/g, '_')
      .slice(0, maxNameLength) || 'Sheet'
  let candidate = base
  for (let count = 2; used.has(candidate.toLowerCase()); count++)
    candidate = `${base.slice(0, maxNameLength - 1 - String(count).length)}_${count}`
  used.add(candidate.toLowerCase())
  return candidate
}
