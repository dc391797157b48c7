import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'

/** XML of no known vocabulary: no element means anything to the compiler. */
const xmlRules: FormatRules = { elements: {}, paragraphs: [], noise: [] }

/** Documents of Word 2003 in one XML file. Source: Word 2003 XML Reference. */
const wordRules: FormatRules = {
  ...xmlRules,
  elements: {
    row: ['w:tr'],
    col: ['w:tc'],
    p: ['w:p'],
    h: ['w:p'],
    item: ['w:p'],
    table: ['w:tbl'],
    img: ['w:pict'],
    shape: ['w:pict'],
  },
  paragraphs: ['w:p'],
  characters: { 'w:noBreakHyphen': '-' },
  noise: ['w:proofErr', 'w:softHyphen', 'w:noBreakHyphen', 'aml:annotation'],
  runs: { 'w:r': { text: ['w:t', 'w:tab', 'w:br'], properties: ['w:rPr'] } },
  lineBreak: '</w:t><w:br/><w:t>',
  emptyParagraph: { in: ['w:tc'], markup: '<w:p/>' },
}

/** Workbooks of Excel 2003 in one XML file. Source: XML Spreadsheet Reference. */
const workbookRules: FormatRules = {
  ...xmlRules,
  elements: { row: ['Row', 'ss:Row'], col: ['Cell', 'ss:Cell'], table: ['Table', 'ss:Table'] },
  paragraphs: ['Data', 'ss:Data'],
  lineBreak: '&#10;',
  prepare: (_, tokens) => tokens.map(uncounted),
}

/** A table that declares its number of rows is refused when it has more, so the number is removed; it is optional. */
function uncounted(token: Token): Token {
  if (token.kind !== 'open' || !/^(?:ss:)?Table$/.test(token.name)) return token
  return {
    ...token,
    raw: token.raw.replace(/\s(?:ss:)?Expanded(?:Row|Column)Count\s*=\s*(?:"[^"]*"|'[^']*')/g, ''),
  }
}

/** The rules for the vocabulary that the file declares at its beginning. */
export function rulesFor(bytes: Uint8Array): FormatRules {
  const head = new TextDecoder().decode(bytes.subarray(0, 4_096))
  if (/<(?:w:)?wordDocument\b/.test(head)) return wordRules
  return /<(?:ss:)?Workbook\b/.test(head) && head.includes('urn:schemas-microsoft-com:office:spreadsheet')
    ? workbookRules
    : xmlRules
}
