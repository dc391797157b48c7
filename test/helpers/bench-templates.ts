/** Templates and data for timing: a letter as an office suite saves it, about 57 KB, and an invoice with a table. */
import { docxOf, paragraph } from './docx.ts'

const styles = (): string => {
  const names = Array.from({ length: 160 }, (_, n) => `Style ${n}`)
  const style = (name: string, n: number) =>
    `<w:style w:type="paragraph" w:customStyle="1" w:styleId="S${n}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:before="${n * 7}" w:after="${(n * 13) % 480}" w:line="${240 + n}"/></w:pPr><w:rPr><w:color w:val="${((n * 2654435761) >>> 8).toString(16).padStart(6, '0').slice(0, 6)}"/><w:sz w:val="${16 + (n % 20)}"/></w:rPr></w:style>`
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${names.map(style).join('')}</w:styles>`
}

/** Bytes that do not compress, the same every time: stands for a logo. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = 1
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

const run = (text: string, properties = ''): string =>
  `<w:r w:rsidR="00A77B3E"><w:rPr><w:rFonts w:ascii="Carlito" w:hAnsi="Carlito"/>${properties}<w:sz w:val="22"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const styled = (...runs: readonly string[]): string =>
  `<w:p w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E"><w:pPr><w:pStyle w:val="S1"/><w:spacing w:after="120"/></w:pPr>${runs.join('')}</w:p>`

export function letterTemplate(): Promise<Uint8Array> {
  const sentence =
    'We refer to your request and to the documents you sent us, and are pleased to tell you what follows.'
  const body = [
    styled(run('{d.company.name}', '<w:b/>')),
    styled(run('{d.recipient.name:upperCase}')),
    styled(run('{d.recipient.street}, {d.recipient.zip} {d.recipient.city}')),
    styled(run('{d.date}')),
    styled(run('Dear {d.recipi'), run('ent.na', '<w:b/>'), run('me}, your reference is {d.reference}.')),
    ...Array.from({ length: 25 }, (_, n) =>
      styled(run(`${n + 1}. ${sentence} `), run(`Clause ${n * 17} applies.`, '<w:i/>')),
    ),
    styled(run('Amount: {d.amount}')),
    styled(run('{d.sender.name}, {d.sender.role}')),
  ].join('')
  return docxOf(body, { 'word/styles.xml': styles(), 'word/media/image1.png': noise(46_000) })
}

export const letterData = {
  company: { name: 'Example & Sons' },
  recipient: { name: 'Zoë Miller', street: 'Long Road 5', zip: '12345', city: 'Springfield' },
  date: '2026-03-05',
  reference: 'A-2026-118',
  amount: '1,250.00',
  sender: { name: 'Jo Doe', role: 'Head of Sales' },
}

const invoiceCell = (text: string, width: number, properties = ''): string =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/><w:tcBorders><w:bottom w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tcBorders></w:tcPr><w:p><w:pPr><w:spacing w:after="0"/>${properties}</w:pPr><w:r><w:rPr><w:sz w:val="20"/></w:rPr><w:t>${text}</w:t></w:r></w:p></w:tc>`
const right = '<w:jc w:val="right"/>'
const invoiceRow = (texts: readonly string[]): string =>
  `<w:tr>${texts.map((text, n) => invoiceCell(text, [900, 3200, 900, 1400, 900, 1500][n]!, n < 2 ? '' : right)).join('')}</w:tr>`

export function invoiceTemplate(): Promise<Uint8Array> {
  const widths = [900, 3200, 900, 1400, 900, 1500]
  const table = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${[
    invoiceRow(['No', 'Description', 'Qty', 'Price', 'VAT', 'Total']),
    invoiceRow([
      '{d.lines[i].no}',
      '{d.lines[i].text}',
      '{d.lines[i].qty}',
      '{d.lines[i].price}',
      '{d.lines[i].vat}',
      '{d.lines[i].total}',
    ]),
    invoiceRow(['{d.lines[i+1].no}', '', '', '', '', '']),
  ].join('')}</w:tbl>`
  const body = paragraph('Invoice {d.number} for {d.customer}') + table + paragraph('Total {d.total}')
  return docxOf(body, { 'word/styles.xml': styles() })
}

export function invoiceData(rows: number): Record<string, unknown> {
  const lines = Array.from({ length: rows }, (_, n) => {
    const qty = (n % 9) + 1
    const price = ((n * 7919) % 10_007) / 100
    return {
      no: n + 1,
      text: `Article ${n} of the range ${n % 13}`,
      qty,
      price,
      vat: '20 %',
      total: Number((qty * price).toFixed(2)),
    }
  })
  return { number: 'R-1', customer: 'Ana', lines, total: 1234.5 }
}

/** A document with that many tags, no two alike. */
export function manyTags(count: number): Promise<Uint8Array> {
  const line = (n: number) =>
    `Line ${n}: {d.group${n % 50}.field${n}:ifGT(${n}):show('more than ${n}'):elseShow(.other)} and on`
  return docxOf(Array.from({ length: count }, (_, n) => paragraph(line(n))).join(''))
}
