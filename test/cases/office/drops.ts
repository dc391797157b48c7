/** `:drop` and `:keep` with each element of each format: bodies before and after. `{d.no}` is empty. */
export interface DropCase {
  readonly name: string
  readonly format: 'docx' | 'odt' | 'odp' | 'ods'
  readonly body: string
  readonly expected: string
}

const drop = (element: string) => `{d.no:ifEM:drop(${element})}`
const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const spaced = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const tc = (...inside: readonly string[]) => `<w:tc><w:tcPr><w:tcW w:w="1000" w:type="dxa"/></w:tcPr>${inside.join('')}</w:tc>`
const tbl = (columns: number, ...rows: readonly (readonly string[])[]) =>
  `<w:tbl><w:tblPr/><w:tblGrid>${'<w:gridCol w:w="1000"/>'.repeat(columns)}</w:tblGrid>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl>`
const drawing = (description: string) =>
  `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="100" cy="100"/><wp:docPr id="1" name="n" descr="${description}"/></wp:inline></w:drawing>`
const shape = (description: string, text: string) =>
  `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${drawing(description)}</mc:Choice><mc:Fallback><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="s"><v:textbox><w:txbxContent>${p(text)}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`
const end = p('end')

const t = (text: string) => `<text:p>${text}</text:p>`
const row = (...cells: readonly string[]) =>
  `<table:table-row>${cells.map((cell) => `<table:table-cell>${cell}</table:table-cell>`).join('')}</table:table-row>`
const table = (columns: number, ...rows: readonly string[]) =>
  `<table:table table:name="T">${'<table:table-column/>'.repeat(columns)}${rows.join('')}</table:table>`
const frame = (title: string) =>
  `<draw:frame draw:name="F" svg:width="1cm" svg:height="1cm"><draw:text-box><text:p>x</text:p></draw:text-box><svg:title>${title}</svg:title></draw:frame>`
const page = (name: string, inside: string) => `<draw:page draw:name="${name}" draw:master-page-name="M">${inside}</draw:page>`
const box = (...inside: readonly string[]) =>
  `<draw:frame draw:name="B" svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="3cm"><draw:text-box>${inside.join('')}</draw:text-box></draw:frame>`

export const dropCases: readonly DropCase[] = [
  // -------------------------------------------------------------------------------------------------------------- docx
  { name: 'p', format: 'docx', body: p(`gone${drop('p')}`) + end, expected: end },
  { name: 'p, several', format: 'docx', body: p(`gone${drop('p, 2')}`) + p('gone') + end, expected: end },
  { name: 'h and item are paragraphs', format: 'docx', body: p(`gone${drop('h')}`) + p(`gone${drop('item')}`) + end, expected: end },
  { name: 'p that ends a section leaves its end', format: 'docx', body: `<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>gone${drop('p')}</w:t></w:r></w:p>${end}`, expected: `<w:p><w:pPr><w:sectPr/></w:pPr></w:p>${end}` },
  { name: 'the only p of a cell', format: 'docx', body: tbl(1, [tc(p(`gone${drop('p')}`))]) + end, expected: tbl(1, [tc('<w:p/>')]) + end },
  { name: 'all p of a cell', format: 'docx', body: tbl(1, [tc(p(`a${drop('p')}`), p(`b${drop('p')}`))]) + end, expected: tbl(1, [tc('<w:p/>')]) + end },
  { name: 'the p behind a table in a cell', format: 'docx', body: tbl(1, [tc(tbl(1, [tc(p('x'))]), p(drop('p')))]) + end, expected: tbl(1, [tc(tbl(1, [tc(p('x'))]), '<w:p/>')]) + end },
  { name: 'row', format: 'docx', body: tbl(1, [tc(p(drop('row')))], [tc(p('b'))]) + end, expected: tbl(1, [tc(p('b'))]) + end },
  { name: 'all rows take the table along', format: 'docx', body: tbl(1, [tc(p(drop('row')))], [tc(p(drop('row')))]) + end, expected: end },
  { name: 'col', format: 'docx', body: tbl(2, [tc(p('a')), tc(p(drop('col')))], [tc(p('c')), tc(p('d'))]) + end, expected: tbl(1, [tc(p('a'))], [tc(p('c'))]) + end },
  { name: 'table', format: 'docx', body: tbl(1, [tc(p(`x${drop('table')}`))]) + end, expected: end },
  { name: 'img', format: 'docx', body: `<w:p><w:r>${drawing(drop('img'))}</w:r></w:p>${end}`, expected: `<w:p><w:r></w:r></w:p>${end}` },
  { name: 'chart', format: 'docx', body: `<w:p><w:r>${drawing(drop('chart'))}</w:r></w:p>${end}`, expected: `<w:p><w:r></w:r></w:p>${end}` },
  { name: 'shape, by its description', format: 'docx', body: `<w:p><w:r>${shape(drop('shape'), 'x')}</w:r></w:p>${end}`, expected: `<w:p><w:r></w:r></w:p>${end}` },
  { name: 'shape, by its text', format: 'docx', body: `<w:p><w:r>${shape('', drop('shape'))}</w:r></w:p>${end}`, expected: `<w:p><w:r></w:r></w:p>${end}` },
  { name: 'kept', format: 'docx', body: p('kept{d.no:ifEM:keep(p)}') + p('gone{d.no:ifNEM:keep(p)}') + end, expected: spaced('kept') + end },
  // --------------------------------------------------------------------------------------------------------------- odt
  { name: 'p, h', format: 'odt', body: t(`gone${drop('p')}`) + `<text:h text:outline-level="1">gone${drop('h')}</text:h>` + t('end'), expected: t('end') },
  { name: 'the only p of a cell', format: 'odt', body: table(1, row(t(drop('p')))) + t('end'), expected: table(1, '<table:table-row><table:table-cell><text:p/></table:table-cell></table:table-row>') + t('end') },
  { name: 'all p of a text box', format: 'odt', body: `<text:p>${box(t(drop('p')), t(drop('p')))}</text:p>`, expected: `<text:p>${box('<text:p/>')}</text:p>` },
  { name: 'row, col', format: 'odt', body: table(2, row(t('a'), t(drop('col'))), row(t(drop('row')), t('x')), row(t('c'), t('d'))) + t('end'), expected: table(1, row(t('a')), row(t('c'))) + t('end') },
  { name: 'table', format: 'odt', body: table(1, row(t(drop('table')))) + t('end'), expected: t('end') },
  { name: 'item, and its list when it is the only one', format: 'odt', body: `<text:list><text:list-item>${t('a')}</text:list-item><text:list-item>${t(drop('item'))}</text:list-item></text:list><text:list><text:list-item>${t(drop('item'))}</text:list-item></text:list>${t('end')}`, expected: `<text:list><text:list-item>${t('a')}</text:list-item></text:list>${t('end')}` },
  { name: 'list, section, comment', format: 'odt', body: `<text:list><text:list-item>${t(drop('list'))}</text:list-item></text:list><text:section text:name="S">${t(drop('section'))}</text:section><text:p>a<office:annotation>${t(drop('comment'))}</office:annotation></text:p>`, expected: t('a') },
  { name: 'img, chart, shape', format: 'odt', body: `<text:p>${frame(drop('img'))}${frame(drop('chart'))}${frame(drop('shape'))}<draw:custom-shape draw:name="C" svg:width="1cm" svg:height="1cm"><text:p>${drop('shape')}</text:p></draw:custom-shape>end</text:p>`, expected: t('end') },
  // --------------------------------------------------------------------------------------------------------------- odp
  { name: 'p, item, row, col, table', format: 'odp', body: page('P', box(t('a'), t(drop('p')), `<text:list><text:list-item>${t(drop('item'))}</text:list-item><text:list-item>${t('i')}</text:list-item></text:list>`)), expected: page('P', box(t('a'), `<text:list><text:list-item>${t('i')}</text:list-item></text:list>`)) },
  { name: 'a list of one item that is dropped, a table without rows', format: 'odp', body: page('P', box(`<text:list><text:list-item>${t(drop('item'))}</text:list-item></text:list>`) + box(t('a'))), expected: page('P', box('<text:p/>') + box(t('a'))) },
  { name: 'slide and page', format: 'odp', body: page('P', box(t('a'))) + page('Q', box(t(drop('slide')))) + page('R', box(t(drop('page')))), expected: page('P', box(t('a'))) },
  { name: 'all slides', format: 'odp', body: page('P', box(t(drop('slide')))), expected: '' },
  { name: 'shape, img, chart', format: 'odp', body: page('P', box(t('a')) + frame(drop('img')) + frame(drop('chart')) + box(t(drop('shape')))), expected: page('P', box(t('a'))) },
  // --------------------------------------------------------------------------------------------------------------- ods
  { name: 'row, sheet', format: 'ods', body: table(1, row(t('a')), row(t(drop('row')))) + `<table:table table:name="U"><table:table-column/>${row(t(drop('sheet')))}</table:table>`, expected: table(1, row(t('a'))) },
  { name: 'img in a cell', format: 'ods', body: table(1, `<table:table-row><table:table-cell>${t('a')}${frame(drop('img'))}</table:table-cell></table:table-row>`), expected: table(1, row(t('a'))) },
  { name: 'all sheets', format: 'ods', body: table(1, row(t(drop('sheet')))), expected: '' },
]
