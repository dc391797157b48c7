/** Writes tables as the sheets of a flat OpenDocument spreadsheet (ODF 1.3, part 3, clause 9). */
import type { Flow, FlowBlock, FlowRow, FlowTable } from './flow.ts'
import { plainText } from './flow.ts'
import { type FlowGridCell, gridOf } from './grid.ts'

interface NamedTable {
  readonly name: string
  readonly table: FlowTable
}

const namespaces = [
  ...['office', 'text', 'table', 'style'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"',
].join(' ')
/** Maximum length of a sheet name in Excel, in characters. */
const maxName = 31

/**
 * Writes a sheet for each table, named after the heading above it. Without tables, all text goes into one
 * sheet, block by block. `omitsText`: there is text outside the tables, which is not written.
 */
export function sheetsOf(flow: Flow): { readonly sheets: string; readonly omitsText: boolean } {
  const tables = tablesOf(flow.blocks)
  if (tables.length > 0) return { sheets: writeSheets(tables), omitsText: hasTextOutside(flow.blocks) }
  const rows = flow.blocks.flatMap(rowsOfBlock)
  const name = flow.title ?? 'Text'
  return { sheets: writeSheets([{ name, table: { kind: 'table', rows, headerRows: 0 } }]), omitsText: false }
}

/** Headings name the sheets: they are not lost. */
function hasTextOutside(blocks: readonly FlowBlock[]): boolean {
  return blocks.some((block) => {
    if (block.kind === 'table' || block.kind === 'heading') return false
    if (block.kind === 'quote') return hasTextOutside(block.blocks)
    if (block.kind === 'list') return block.items.some((item) => hasTextOutside(item.blocks))
    return textsOf(block).some((text) => text.trim() !== '')
  })
}

/** One sheet each for pages that hold anything: rows of tables as they are, each other block a row of one cell. */
export function sheetsOfPages(pages: readonly (readonly FlowBlock[])[]): string {
  const sheets = pages.map((blocks, at): NamedTable => {
    const rows = blocks.flatMap((block): readonly FlowRow[] =>
      block.kind === 'table' ? rowsOfTable(block) : rowsOfBlock(block),
    )
    return { name: `Page ${at + 1}`, table: { kind: 'table', rows, headerRows: 0 } }
  })
  const filled = sheets.filter((sheet) => sheet.table.rows.length > 0)
  return writeSheets(filled.length > 0 ? filled : sheets.slice(0, 1))
}

function rowsOfTable({ rows, headerRows }: FlowTable): readonly FlowRow[] {
  return rows.map((row, at) =>
    at >= headerRows ? row : { cells: row.cells.map((cell) => ({ ...cell, header: true })) },
  )
}

function rowsOfBlock(block: FlowBlock): readonly FlowRow[] {
  if (block.kind === 'list') return block.items.flatMap((item) => item.blocks.flatMap(rowsOfBlock))
  const texts = textsOf(block).filter((text) => text !== '')
  if (texts.length === 0) return []
  return [
    { cells: [{ blocks: [block], columns: 1, rows: 1, ...(block.kind === 'heading' && { header: true }) }] },
  ]
}

function writeSheets(tables: readonly NamedTable[]): string {
  const usedNames = new Map<string, number>() // and how often each name was requested
  const widths = new Set<number>()
  const sheets = tables.map(({ name, table }) => sheet(uniqueName(name, usedNames), table, widths))
  const columns = [...widths].map(
    (width) =>
      `<style:style style:name="w${width}" style:family="table-column"><style:table-column-properties style:column-width="${width}mm"/></style:style>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${namespaces} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles><number:number-style style:name="n0"><number:number number:decimal-places="0" number:min-integer-digits="1" number:grouping="true"/></number:number-style><number:number-style style:name="n2"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style><number:percentage-style style:name="np"><number:number number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style><style:style style:name="head" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="c0" style:family="table-cell" style:data-style-name="n0"/><style:style style:name="c2" style:family="table-cell" style:data-style-name="n2"/><style:style style:name="cp" style:family="table-cell" style:data-style-name="np"/>${moneyStyles}${columns.join('')}</office:automatic-styles><office:body><office:spreadsheet>${sheets.join('')}</office:spreadsheet></office:body></office:document>`
}

const moneySigns = ['$', '€', '£', '¥']
const moneyStyles = moneySigns
  .flatMap((sign, at) =>
    [true, false].map((first) => {
      const name = `m${at}${first ? 'a' : 'b'}`
      const number =
        '<number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/>'
      const parts = first
        ? `<number:text>${sign}</number:text>${number}`
        : `${number}<number:text> ${sign}</number:text>`
      return `<number:number-style style:name="n${name}">${parts}</number:number-style><style:style style:name="${name}" style:family="table-cell" style:data-style-name="n${name}"/>`
    }),
  )
  .join('')

function tablesOf(blocks: readonly FlowBlock[]): readonly NamedTable[] {
  const tables: NamedTable[] = []
  let name = ''
  const walk = (list: readonly FlowBlock[]) => {
    for (const block of list) {
      if (block.kind === 'heading') name = plainText(block.inlines)
      else if (block.kind === 'table') tables.push({ name, table: block })
      else if (block.kind === 'quote') walk(block.blocks)
      else if (block.kind === 'list') for (const item of block.items) walk(item.blocks)
    }
  }
  walk(blocks)
  return tables
}

/** Names of sheets are at most 31 characters and hold none of these (Excel's rule, the strictest). */
function uniqueName(requested: string, usedNames: Map<string, number>): string {
  const base =
    requested
      .replace(/[\\/*?:[\]']/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, maxName) || `Table ${usedNames.size + 1}`
  let name = base
  for (let n = usedNames.get(base.toLowerCase()) ?? 1; usedNames.has(name.toLowerCase()); n++) {
    usedNames.set(base.toLowerCase(), n + 1)
    const number = ` ${n + 1}`
    name = base.slice(0, maxName - Math.max(4, number.length)) + number
  }
  usedNames.set(name.toLowerCase(), usedNames.get(name.toLowerCase()) ?? 1)
  return name
}

/** Column widths in millimetres: the width of a character, the padding, and the limits of a column. */
const columnWidth = { character: 2, padding: 4, min: 15, max: 90 }

function columnsXml(grid: readonly (readonly FlowGridCell[])[], widths: Set<number>): string {
  const count = grid.reduce((max, row) => Math.max(max, row.length), 0)
  // A row with one cell is text between tables, which may span all of their columns.
  const rows =
    count > 1 ? grid.filter((row) => row.filter((cell) => typeof cell === 'object').length > 1) : grid
  return Array.from({ length: count }, (_, column) => {
    const lengths = rows.flatMap((row): readonly number[] => {
      const cell = row[column]
      if (typeof cell !== 'object' || cell.columns > 1) return []
      return cell.blocks.flatMap(textsOf).flatMap((text) => text.split('\n').map((line) => line.length))
    })
    const { character, padding, min, max } = columnWidth
    const maxLength = lengths.reduce((all, length) => Math.max(all, length), 0)
    const width = Math.round(Math.min(Math.max(maxLength * character + padding, min), max))
    widths.add(width)
    return `<table:table-column table:style-name="w${width}"/>`
  }).join('')
}

function sheet(name: string, { rows, headerRows }: FlowTable, widths: Set<number>): string {
  const grid = gridOf(rows, 0)
  const lines = grid.map((row, y) => {
    const cells = row.map((cell) => cellXml(cell, y < headerRows)).join('')
    return `<table:table-row>${cells === '' ? '<table:table-cell/>' : cells}</table:table-row>`
  })
  return `<table:table table:name="${xml(name)}">${columnsXml(grid, widths)}${lines.join('')}</table:table>`
}

function cellXml(cell: FlowGridCell, head: boolean): string {
  if (cell === 'covered') return '<table:covered-table-cell/>'
  if (cell === 'empty') return '<table:table-cell/>'
  const lines = cell.blocks.flatMap((block) => textsOf(block))
  const spans = `${cell.columns > 1 ? ` table:number-columns-spanned="${cell.columns}"` : ''}${cell.rows > 1 ? ` table:number-rows-spanned="${cell.rows}"` : ''}`
  const text = lines.join('\n')
  const paragraphs =
    text === ''
      ? ''
      : text
          .split('\n')
          .map((line) => `<text:p>${xml(line)}</text:p>`)
          .join('')
  const header = head || cell.header === true
  const [amount, money] = header ? ['', undefined] : amountOf(text)
  const number = header ? undefined : numberOf(amount)
  if (number === undefined)
    return `<table:table-cell${spans}${header ? ' table:style-name="head"' : ''}${text === '' ? '' : ' office:value-type="string"'}>${paragraphs}</table:table-cell>`
  const type = number.percent ? 'percentage' : 'float'
  const style =
    money && !number.percent
      ? money
      : number.percent
        ? 'cp'
        : number.grouped || number.decimals === 2
          ? number.decimals === 0
            ? 'c0'
            : 'c2'
          : undefined
  return `<table:table-cell${spans}${style === undefined ? '' : ` table:style-name="${style}"`} office:value-type="${type}" office:value="${number.value}">${paragraphs}</table:table-cell>`
}

function textsOf(block: FlowBlock): readonly string[] {
  if (block.kind === 'heading' || block.kind === 'paragraph') return [plainText(block.inlines).trim()]
  if (block.kind === 'list') return block.items.flatMap((item) => item.blocks.flatMap(textsOf))
  if (block.kind === 'quote') return block.blocks.flatMap(textsOf)
  if (block.kind === 'code') return [block.text]
  if (block.kind === 'table')
    return block.rows.map((row) => row.cells.map((cell) => cell.blocks.flatMap(textsOf).join(' ')).join(' '))
  return []
}

/** Separates a currency sign from an amount, and returns the cell style that shows the sign. */
function amountOf(text: string): readonly [amount: string, style: string | undefined] {
  const at = moneySigns.findIndex((sign) => text.includes(sign))
  if (at < 0) return [text, undefined]
  const sign = moneySigns[at] as string
  const unsigned = text.trim().replace(sign, '')
  const first = /^[-+(]?$/.test(text.trim().slice(0, text.trim().indexOf(sign)))
  return first || text.trim().endsWith(sign)
    ? [unsigned.trim(), `m${at}${first ? 'a' : 'b'}`]
    : [text, undefined]
}

interface Figure {
  readonly value: number
  readonly decimals: number
  readonly grouped: boolean
  readonly percent: boolean
}

/**
 * Parses a text that can only be a number, with English or continental separators. '1.234' and '1,234' are
 * ambiguous and read as grouped, which is what reports usually mean. Leading zeros (article numbers) and more
 * than 15 digits stay text.
 */
export function numberOf(text: string): Figure | undefined {
  const clean = text.replace(/[\u00a0\u202f]/g, ' ').trim()
  const match = /^([-+\u2212]?)(\d{1,3}(?:([., '])\d{3})(?:\3\d{3})*|\d+)(?:([.,])(\d+))?\s?(%?)$/.exec(clean)
  if (match === null) return undefined
  const [, sign, integer = '', group, point, fraction = '', percent] = match
  if (point !== undefined && point === group) return undefined
  const digits = integer.replace(/\D/g, '')
  if (digits.length > 1 && digits.startsWith('0')) return undefined
  if (digits.length + fraction.length > 15) return undefined
  // '1,5' has a decimal comma; '12,345' has matched as grouped above.
  const value = Number(`${digits}.${fraction || '0'}`) * (sign === '' || sign === '+' ? 1 : -1)
  return {
    value: percent === '%' ? value / 100 : value,
    decimals: fraction.length,
    grouped: group !== undefined,
    percent: percent === '%',
  }
}

function xml(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
