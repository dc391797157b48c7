/** What documents ask for beyond text, tables and floats: changes, controls, gutters, borders of letters, turned text. */
import {
  cell,
  endOf,
  footnote,
  headed,
  lorem,
  noted,
  par,
  row,
  run,
  section,
  table,
  times,
  type WordSample,
} from './word.ts'

const rest = par(lorem)
const lines = (count: number): string => times(count, (i) => par(`l${i}`))
const paragraph = (content: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const change = (kind: string, author: string): string =>
  `w:${kind} w:id="1" w:author="${author}" w:date="2024-01-01T00:00:00Z"`
const inserted = (author: string, text: string): string => `<${change('ins', author)}>${run(text)}</w:ins>`
const notes = times(4, (i) => footnote(i, `note ${i}`))
const gutter = (more: string): string =>
  section('', more).replace('w:left="1440"', 'w:left="2160"').replace('w:gutter="0"', 'w:gutter="500"')
const counted = '<w:lnNumType w:countBy="1" w:restart="newSection"/>'
const letters = (text: string, space: number, more = ''): string =>
  run(text, `${more}<w:bdr w:val="single" w:sz="8" w:space="${space}"/>`)
const sides = ['top', 'left', 'bottom', 'right']
const sidesOf = (kind: string, names: readonly string[]): string =>
  names.map((name) => `<w:${name} w:val="${kind}" w:sz="12" w:space="1"/>`).join('')
/** A box in the line whose text runs that way. */
const box = (way: string): string =>
  `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="1270000" cy="1016000"/><wp:docPr id="1" name="b"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="1016000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>${par(`${way} and some words that go on`)}</w:txbxContent></wps:txbx><wps:bodyPr vert="${way}" lIns="127000" tIns="63500" rIns="25400" bIns="12700"/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
const olderBox = (width: number, x: number): string =>
  `<w:r><w:pict><v:shapetype xmlns:v="urn:schemas-microsoft-com:vml" id="_x0000_t202" coordsize="21600,21600" xmlns:o="urn:schemas-microsoft-com:office:office" o:spt="202" path="m,l,21600r21600,l21600,xe"/><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="s${x}" type="#_x0000_t202" style="position:absolute;margin-left:${x}pt;margin-top:40pt;width:100pt;height:60pt;z-index:1" strokeweight="${width}pt"><v:textbox><w:txbxContent>${par('words in a box that go on')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`
const turned = (way: string): string => `<w:textDirection w:val="${way}"/>`

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const store = '{11111111-2222-3333-4444-555555555555}'
const data = {
  parts: {
    'customXml/item1.xml': '<d xmlns="urn:d"><name>Ann Bee</name><empty/><lines>one\ntwo</lines></d>',
    'customXml/itemProps1.xml': `<ds:datastoreItem ds:itemID="${store}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>`,
    'customXml/_rels/item1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('p', 'customXmlProps', 'itemProps1.xml')}</Relationships>`,
  },
  relations: relation('data', 'customXml', '../customXml/item1.xml'),
}
/** A content control bound to an element of the data. */
const bound = (name: string, content: string, kind = '<w:text/>'): string =>
  `<w:sdt><w:sdtPr><w:dataBinding w:prefixMappings="xmlns:n='urn:d'" w:xpath="/n:d[1]/n:${name}[1]" w:storeItemID="${store}"/>${kind}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`

export const featureSamples: Readonly<Record<string, WordSample>> = {
  'foot notes that count anew on each page': {
    body: noted('a', 1) + noted('b', 2) + lines(60) + noted('c', 3) + noted('d', 4),
    footnotes: notes,
    section: section('<w:footnotePr><w:numRestart w:val="eachPage"/></w:footnotePr>'),
  },
  'controls of data': {
    ...data,
    body:
      paragraph(run('text ') + bound('name', run('saved'))) +
      paragraph(run('placeholder ') + bound('name', run('click'), '<w:showingPlcHdr/><w:text/>')) +
      paragraph(run('pieces ') + bound('name', run('sa') + run('ved')) + run(' behind')) +
      paragraph(run('empty ') + bound('empty', run('kept'))) +
      paragraph(run('missing ') + bound('other', run('kept'))) +
      paragraph(run('rich ') + bound('name', run('kept'), '')) +
      paragraph(run('lines ') + bound('lines', run('saved'), '<w:text w:multiLine="1"/>')) +
      bound('name', par('saved')) +
      table([3000], row(bound('name', cell(3000, par('saved'))))),
  },
  'changes of several authors': {
    body:
      paragraph(run('plain ') + inserted('Ann', 'new ') + inserted('Bee', 'newer')) +
      paragraph(run(lorem), `<w:jc w:val="both"/><${change('pPrChange', 'Bee')}><w:pPr/></w:pPrChange>`) +
      table([2000, 2000], row(cell(2000, par('c')) + cell(2000, paragraph(inserted('Ann', 'in a cell'))))),
    header: paragraph(inserted('Ann', 'head')),
    section: section(headed),
  },
  'gutter at the right': { body: rest, section: gutter('<w:rtlGutter/>') },
  'gutter at the top': { body: lines(100), settings: '<w:gutterAtTop/>', section: gutter('') },
  'letters at the top, middle and foot of the line': {
    body: ['top', 'center', 'baseline', 'bottom', 'auto']
      .map((place) =>
        paragraph(
          run('small ') + run('LARGE', '<w:sz w:val="48"/>') + run(` ${place}`),
          `<w:textAlignment w:val="${place}"/>`,
        ),
      )
      .join(''),
  },
  'numbers of lines at the usual distance': {
    body: lines(6) + endOf(section('', counted)) + lines(6),
    section: section('', counted),
  },
  'borders of several lines': {
    body: ['thinThickSmallGap', 'thickThinMediumGap', 'thinThickLargeGap', 'triple', 'thick', 'threeDEmboss']
      .map(
        (kind) =>
          par(kind, `<w:pBdr>${sidesOf(kind, sides)}</w:pBdr>`) +
          par('between') +
          table(
            [2600, 2000],
            times(2, (i) => row(cell(2600, par(`${kind}${i}`)) + cell(2000, par('x')))),
            `<w:tblBorders>${sidesOf(kind, [...sides, 'insideH', 'insideV'])}</w:tblBorders>`,
          ),
      )
      .join(par('behind')),
  },
  'text boxes of the older kind with a line': {
    body: paragraph([2, 6].map((width, i) => olderBox(width, i * 200)).join('')) + par('behind'),
  },
  'text that runs up and down in boxes': {
    body: paragraph(['vert', 'vert270'].map((way) => box(way)).join('')) + rest,
  },
  'borders of letters': {
    body:
      paragraph(run('word ') + letters('boxed', 0) + run(' then ') + letters('wide box', 10) + run(' end')) +
      paragraph(letters('one box ', 3) + letters('of two', 3, '<w:b/>') + letters(' and another', 6)) +
      paragraph(letters(lorem, 3)) +
      paragraph(letters(lorem, 3), '<w:jc w:val="both"/><w:spacing w:line="360" w:lineRule="auto"/>') +
      rest,
  },
  'cells of turned text': {
    body:
      table(
        [2000, 2000, 2000],
        row(
          cell(2000, par('down longer text here to wrap around'), `${turned('tbRl')}<w:vAlign w:val="center"/>`) +
            cell(2000, par('up', '<w:jc w:val="center"/>'), `${turned('btLr')}<w:vAlign w:val="bottom"/>`) +
            cell(2000, par('level')),
          '<w:trHeight w:val="1500" w:hRule="exact"/>',
        ),
      ) +
      par('between') +
      table(
        [800, 4000],
        row(cell(800, par('up text over rows'), `<w:vMerge w:val="restart"/>${turned('btLr')}`) + cell(4000, par('l1'))) +
          times(5, (i) => row(cell(800, par(), '<w:vMerge/>') + cell(4000, par(`r${i}`)))),
      ) +
      par('between') +
      table(
        [1600, 4000],
        row(
          cell(
            1600,
            par('up text', '<w:ind w:left="113" w:right="113"/>'),
            `${turned('btLr')}<w:tcMar><w:top w:w="100" w:type="dxa"/><w:left w:w="300" w:type="dxa"/><w:bottom w:w="200" w:type="dxa"/></w:tcMar>`,
          ) + cell(4000, lines(6)),
        ),
      ) +
      endOf(section()) +
      par('after'),
  },
}
