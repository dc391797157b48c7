import { cell, endOf, inline, listOf, lorem, mixed, par, row, ruled, run, section, table, times, type WordSample } from './word.ts'

/** Where lines and pages drift apart by fractions of a point, or by a page. */

const vml = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
const rule = (width: string, height: number, more = ''): string =>
  `<w:r><w:pict><v:rect ${vml} id="r" style="width:${width};height:${height}pt" o:hr="t" fillcolor="#a0a0a0" stroked="f" ${more}/></w:pict></w:r>`
const withMargins = (width: number, margin: number): string =>
  inline(width, 40).replace(
    /(<wp:extent [^>]*\/>)/,
    `$1<wp:effectExtent l="${margin * 12_700}" t="${margin * 12_700}" r="${margin * 12_700}" b="${margin * 12_700}"/>`,
  )
const onPage = (type: string): string => endOf(section(`<w:type w:val="${type}"/>`))
const size = (halfPoints: number): string => `<w:sz w:val="${halfPoints}"/>`
const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/><w:sz w:val="24"/>'
const spaced = '<w:spacing w:line="360" w:lineRule="auto"/>'
const boxed = `<w:pBdr>${['top', 'left', 'bottom', 'right'].map((side) => `<w:${side} w:val="single" w:sz="8" w:space="10"/>`).join('')}</w:pBdr>`
const raised = (family: string, halfPoints: number): string => {
  const look = `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/>${size(halfPoints)}`
  return `<w:p>${run('text', look)}${run('1', `${look}<w:vertAlign w:val="superscript"/>`)}${run(' and', look)}${run('2', `${look}<w:vertAlign w:val="subscript"/>`)}</w:p>`
}
/** Lines around the width of a text of so many twentieths of a point, one narrower than the other. */
const narrowing = (text: string, width: number, look = ''): string =>
  times(8, (step) => par(text, `<w:ind w:right="${9026 - width + 4 - step}"/>`, look))

export const measuredSamples: Readonly<Record<string, WordSample>> = {
  'sections on odd and even pages': {
    body:
      par('one') +
      onPage('nextPage') +
      par('two') +
      onPage('oddPage') +
      par('three') +
      onPage('oddPage') +
      par('four') +
      onPage('evenPage') +
      par('five'),
    section: section('<w:type w:val="evenPage"/>'),
  },
  'horizontal rules': {
    body:
      par('a') +
      `<w:p>${rule('200pt', 1.5)}</w:p>` +
      par('b') +
      `<w:p>${rule('0', 1.5, 'o:hrstd="t"')}</w:p>` +
      par('c') +
      `<w:p>${rule('100pt', 20)}</w:p>` +
      par('d'),
  },
  'pictures with margins for effects': {
    body:
      par('a') +
      `<w:p>${withMargins(100, 10)}${run('after')}</w:p>` +
      par('b') +
      `<w:p>${run('x ')}${withMargins(415, 9)}${run('just')}</w:p>` +
      par('c'),
  },
  'text raised in several faces': {
    body: ['Arial', 'Times New Roman', 'Calibri'].map((family) => raised(family, 18) + raised(family, 40)).join(''),
  },
  'empty lines of another size': {
    styles: `<w:style w:type="paragraph" w:styleId="Small"><w:name w:val="Small"/><w:pPr>${spaced}</w:pPr><w:rPr>${size(12)}</w:rPr></w:style>`,
    body: times(20, (i) => par(`l${i}`, '<w:pStyle w:val="Small"/>', size(20)) + `<w:p><w:pPr><w:pStyle w:val="Small"/><w:rPr>${size(20)}</w:rPr></w:pPr></w:p>`),
  },
  'bordered paragraphs over the end of a page': {
    body: times(60, (i) => par(`l${i}`)) + times(4, (i) => par(`${i} ${lorem}`, boxed)),
  },
  'large spaces in later lines': {
    body:
      par('a') +
      `<w:p>${run(lorem.slice(0, 120))}${run(' ', size(40))}</w:p>` +
      `<w:p>${run(lorem.slice(0, 40))}${run(' ', size(40))}${run(lorem)}</w:p>` +
      par('b'),
  },
  'cells that end with spaced lines': {
    body:
      [12, 16, 20, 24].map((of) => table([3000], row(cell(3000, par('text', spaced, size(of))))) + par('z')).join('') +
      table([3000, 3000], row(cell(3000, par('small', spaced, size(12))) + cell(3000, `<w:p><w:pPr><w:rPr>${size(24)}</w:rPr></w:pPr></w:p>`))) +
      par('end'),
  },
  'cells with wide borders': {
    body: [1740, 1750, 1760, 1770]
      .map((width) => table([width, width], row(cell(width, par('Component nnnn')) + cell(width, par('Component nnnn'))), `${ruled(48)}<w:tblLayout w:type="fixed"/>`) + par('z'))
      .join(''),
  },
  'lines that just fit': {
    body:
      narrowing('the quick brown fox jumps over the lazy dog and then runs away from the angry bear', 7490) +
      narrowing('anderen Komplexen verbunden bzw wird durch Assoziationen von jener aktiviert Jung spricht', 8292, `<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>${size(22)}`),
  },
  'blanks that end paragraphs': {
    body: ['', spaced]
      .flatMap((line) => ['', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'].map((label) => line + label))
      .flatMap((properties) => [
        mixed(run('end'), ' ', properties).replace(/(<w:rPr>)(<\/w:rPr><w:t xml:space="preserve"> )/, `$1${size(48)}$2`),
        mixed(run(' ', size(48)), 'start', properties),
        mixed(run('a') + run(' ', size(48)), 'middle', properties),
        mixed(run('closer') + run(' ', `${size(48)}<w:spacing w:val="-10"/>`), '', properties),
        mixed(run('fonts') + run(' ', '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'), 'mixed', properties),
      ])
      .join(par('next')),
    numbering: listOf('decimal', '%1.'),
  },
  'signs of another style behind spaces': {
    body: ['/', '!', ')', '.', ':', '}', '%', '+']
      .map((sign) => mixed(run('START word and ', mono) + run(`${sign}usr end`, `${mono}<w:b/>`), '', '<w:ind w:right="6796"/>'))
      .join(''),
  },
  'page nearly as high as a paper': {
    body: times(15, (i) => par(`line ${i}`, '<w:spacing w:line="997" w:lineRule="exact"/>')),
    section: section().replace('w:w="11906" w:h="16838"', 'w:w="11905" w:h="16837"'),
  },
  'heading at the start of a section that does not fit': {
    body: times(3, (i) => par(`line ${i}`, '<w:spacing w:line="4523" w:lineRule="exact"/>')) + endOf(section()) + par('heading', '<w:keepNext/>') + par('text'),
    section: section('<w:type w:val="continuous"/>'),
  },
  'lines without leading': {
    body: [20, 22, 44].map((of) => par(lorem, '', `<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/>${size(of)}`)).join('') + table([3000], row(cell(3000, par('text', '', size(44))))) + par('end'),
    settings: '<w:compat><w:noLeading/></w:compat>',
  },
}
