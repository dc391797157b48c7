import { anchor, cell, endOf, headed, inline, item, listOf, lorem, mixed, par, row, ruled, run, section, table, times, type WordSample } from './word.ts'

/** What documents written by people showed, again as small as it goes. */

const framed = (wrap: string, x: number): string =>
  par('one') +
  par(
    'framed text',
    `<w:framePr w:w="2000" w:h="1000" w:hRule="exact" w:wrap="${wrap}" w:vAnchor="page" w:hAnchor="page" w:x="${x}" w:y="2000"/>`,
  ) +
  par(lorem) +
  par(lorem)
const automatic = '<w:spacing w:before="100" w:beforeAutospacing="1" w:after="100" w:afterAutospacing="1"/>'
const hiddenMark = '<w:p><w:pPr><w:spacing w:before="100" w:after="300"/><w:rPr><w:vanish/></w:rPr></w:pPr></w:p>'
const pair = row(cell(3000, par('a')) + cell(3000, par('b')))
const apart = '<w:spacing w:before="100" w:after="200"/>'
const wide = table([4500, 4500], pair + pair + pair)
const headedStyle = `<w:style w:type="table" w:styleId="Headed"><w:name w:val="Headed"/><w:tblPr>${ruled()}</w:tblPr><w:tblStylePr w:type="firstRow"><w:trPr><w:tblHeader/></w:trPr></w:tblStylePr></w:style>`
const looseStyle =
  '<w:style w:type="paragraph" w:styleId="Loose"><w:name w:val="Loose"/><w:pPr><w:spacing w:before="120" w:line="360" w:lineRule="auto"/></w:pPr></w:style>'

export const practiceSamples: Readonly<Record<string, WordSample>> = {
  'rows cut after one line': {
    body:
      times(59, (i) => par(`l${i}`)) +
      table([3000, 3000], row(cell(3000, par(lorem)) + cell(3000, par('b'))) + pair) +
      par('end'),
  },
  'rows cut before the last line': {
    body:
      times(57, (i) => par(`l${i}`)) +
      table([3000, 3000], row(cell(3000, par('Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore', '<w:keepLines/>')) + cell(3000, par('b'))) + pair) +
      par('end'),
  },
  'line rule without a height': {
    styles: looseStyle,
    body: par(lorem, '<w:pStyle w:val="Loose"/><w:spacing w:after="0" w:lineRule="auto"/>') + par(lorem, '<w:pStyle w:val="Loose"/>'),
  },
  'empty paragraphs with hidden marks': {
    body: par('one', '<w:spacing w:after="200"/>') + hiddenMark + table([3000, 3000], pair) + hiddenMark + table([3000, 3000], pair) + par('two', '<w:spacing w:before="160"/>'),
  },
  'header rows by the style of the table': {
    styles: headedStyle,
    body: table(
      [3000, 3000],
      times(70, (i) => row(cell(3000, par(`r${i}`)) + cell(3000, par('b')))),
      '<w:tblStyle w:val="Headed"/>',
      '<w:tblW w:w="0" w:type="auto"/><w:tblLook w:val="01E0"/>',
    ),
  },
  'text through a frame': { body: framed('none', 3000) },
  'frame with text on its roomy side': { body: framed('auto', 4800) + framed('through', 5400) },
  'frame with text above and below': { body: framed('tight', 3000) },
  'bullets without a character': {
    numbering: listOf('bullet', ''),
    body: item(lorem) + item('deeper', 1) + par('rest'),
  },
  'space above text that goes below a picture': {
    body: times(3, (i) => par(`l${i}`, apart) + mixed(anchor({ wrap: 'top-bottom', x: 100, y: 8 * i }), lorem, apart)),
  },
  'space above text below something of the page': {
    body: par('one', apart) + mixed(anchor({ wrap: 'top-bottom', fromY: 'page', x: 5, y: 95 }), lorem, apart) + par('two', apart),
  },
  'text that finds no room beside a picture': {
    body: par('one', apart) + mixed(anchor({ x: 5, y: 30, width: 440 }), 'with text', apart) + par('two', apart),
  },
  'table below a picture': {
    body: par('one') + mixed(anchor({ x: 350, y: 14 }), 'with', apart) + wide + par(lorem),
  },
  'table left of a picture': {
    body: par('one') + mixed(anchor({ x: 350, y: 14 }), 'with', apart) + table([1500, 1500], pair + pair) + par(lorem),
  },
  'table below a picture that lies lower': {
    body: par('one') + mixed(anchor({ wrap: 'top-bottom', x: 100, y: 125, fromY: 'page' }), 'with') + wide + par('two'),
  },
  'table right of a picture at the margin': {
    body: par('one') + mixed(anchor({ alignX: 'left', y: 14 }), 'with') + table([1500, 1500], pair + pair) + par('two'),
  },
  'table through a text box': {
    body: par('one') + mixed(anchor({ x: 100, y: 20, text: par('boxed') }), 'with') + wide + par('two'),
  },
  'table within the distance of a picture': {
    body:
      par('one') +
      mixed(anchor({ x: 155, y: 14 }).replace('distR="114300"', 'distR="254000"').replace('distL="114300"', 'distL="254000"'), 'with') +
      table([1500, 1500], pair + pair) +
      par('two'),
  },
  'automatic space that counts at the start': {
    settings: '<w:compat><w:doNotUseHTMLParagraphAutoSpacing/></w:compat>',
    numbering: listOf(),
    body: par('a', automatic) + par('b', automatic) + par('c') + item('d', 0, automatic) + item('e', 0, automatic) + table([3000, 3000], pair) + par('f', automatic),
  },
  'pictures lower than a line': {
    styles: '<w:style w:type="paragraph" w:styleId="Big"><w:name w:val="Big"/><w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>',
    body:
      `<w:p>${inline(100, 3)}</w:p>` +
      par('a') +
      `<w:p>${inline(100, 9)}${run('b', '<w:sz w:val="8"/>')}</w:p>` +
      `<w:p><w:pPr><w:pStyle w:val="Big"/></w:pPr>${inline(100, 3)}</w:p>` +
      par('c') +
      table([4000], row(cell(4000, `<w:p><w:pPr><w:spacing w:line="15" w:lineRule="atLeast"/></w:pPr>${inline(100, 1)}</w:p>`)) + row(cell(4000, par('d')))) +
      `<w:p>${inline(100, 14)}</w:p>` +
      par('e'),
  },
  'automatic space in a header': {
    section: section(headed),
    header: par('h', automatic) + par('i', automatic),
    body: par('a', automatic) + par('b', automatic) + endOf(section(headed)) + par('c', automatic) + par('d', automatic),
  },
  'lists counted in Asia': {
    numbering: listOf('ideographLegalTraditional', '%1.'),
    body: times(12, (i) => item(`item ${i}`)),
  },
  'addresses end lines at slashes': {
    body: [
      'https://laws-lois.justice.gc.ca/eng/AnnualStatutes/2012',
      'alpha/beta-gamma/delta-epsilon',
      'path/%20Situation-and-more/2011',
      'C:\\Program-Files\\Microsoft',
      '1234/abcdefghijklm',
    ]
      .map((text) => table([1700], row(cell(1700, par(text)))) + par(`${'Filler text that comes near the end of the line, '.padEnd(64, 'i')} ${text}`))
      .join(''),
  },
}
