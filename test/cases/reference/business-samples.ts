import { anchor, broken, cell, headed, lorem, mixed, par, row, run, section, table, times, type WordSample } from './word.ts'

/** What letters, reports and price lists showed that were made for comparing, again as small as it goes. */

const spaced = (before: number, after: number, line = 240): string =>
  `<w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="auto"/>`
const pair = (properties: string): string =>
  row(cell(3000, par('left', properties)) + cell(3000, par('right', properties)))

/** Lines of one paragraph, 10 points below it unless said. */
const lines = (count: number, name: string, after = 200): string =>
  `<w:p><w:pPr>${spaced(0, after)}</w:pPr>${run(`${name}1`)}${times(count - 1, (n) => broken() + run(`${name}${n + 1}`))}</w:p>`
/** A row at the foot of the page: `fits` lines find room there, and half of the space below them. */
function atFoot(fits: number, ...cells: readonly string[]): WordSample {
  const above = 60 - fits
  const push = Math.round((697.9 - 60 * 11.5 - 5.5) * 20)
  const filler = times(above, (n) => par(`${n}`, n === 1 ? `<w:spacing w:before="${Math.max(0, push)}"/>` : ''))
  const grid = cells.map(() => 2000)
  return { body: filler + table(grid, row(cells.map((content) => cell(2000, content)).join(''))) + par('end') }
}

export const businessSamples: Readonly<Record<string, WordSample>> = {
  'space in the cells of a header': {
    section: section(headed),
    header:
      table([3000, 3000], pair(spaced(0, 200)) + pair(spaced(60, 160, 360))) +
      table(
        [3000, 3000],
        row(
          cell(3000, table([2000], row(cell(2000, par('inside', spaced(0, 100))))) + par('under', spaced(0, 100))) +
            cell(3000, par('beside')),
        ),
      ) +
      par('end'),
    body: times(30, (i) => par(`line ${i}`)),
  },
  'space below a row finds no room': atFoot(3, lines(3, 'a'), lines(1, 'b')),
  'space below a single line finds no room': atFoot(1, lines(1, 'a'), lines(1, 'b')),
  'space below the first cell finds no room beside a taller one': atFoot(3, lines(3, 'a'), lines(2, 'b')),
  'space below the second cell finds no room': atFoot(3, lines(3, 'a', 0), lines(3, 'b'), lines(3, 'c')),
  'space below finds no room beside a cell that is cut': atFoot(3, lines(3, 'a'), lines(20, 'b'), lines(3, 'c')),
  'a cut cell is raised again': atFoot(3, lines(3, 'a'), lines(3, 'b', 0), lines(3, 'c')),
  'a cut cell is not raised enough': atFoot(2, lines(2, 'a'), lines(1, 'b'), lines(2, 'c')),
  'space below the last paragraph finds no room': atFoot(
    3,
    par('a1') + par('a2') + par('a3', spaced(0, 200)),
    par('b1') + par('b2') + par('b3'),
  ),
  'text that goes on in a cell': {
    body:
      times(55, (n) => par(`${n}`)) +
      table(
        [2000, 2000],
        row(
          cell(2000, lines(8, 'a').replace('w:before="0"', 'w:before="200"')) +
            cell(2000, times(8, (n) => par(`b${n}`, spaced(80, 0)))),
        ) + pair(''),
      ) +
      par('end'),
  },
  'space below paragraphs in a cell that is cut': {
    body:
      times(49, (n) => par(`${n}`)) +
      table([3000, 3000], row(cell(3000, times(12, (n) => lines(2, `a${n}-`, 140))) + cell(3000, par('b')))) +
      par('end'),
  },
  'lines of a multiple below a picture': {
    body:
      par(lorem, spaced(0, 120, 300)) +
      mixed(anchor({ wrap: 'top-bottom', width: 200, height: 90 }), lorem, spaced(60, 120, 360)) +
      par('end'),
  },
  'lines of a multiple above a picture': {
    body: mixed(anchor({ wrap: 'top-bottom', width: 200, height: 90, y: 30 }), lorem, spaced(0, 0, 360)) + par('end'),
  },
  'text that stays with the next is not cut': {
    body:
      times(56, (n) => par(`${n}`)) +
      lines(8, 'a', 0).replace('<w:pPr>', '<w:pPr><w:keepNext/>') +
      lines(70, 'b', 0).replace('<w:pPr>', '<w:pPr><w:keepNext/>') +
      par('end'),
  },
  'contextual space where a cell goes on': {
    body:
      times(54, (n) => par(`${n}`)) +
      table(
        [3000, 3000],
        row(cell(3000, times(6, (n) => lines(3, `a${n}-`, 120).replace('w:before="0"', 'w:before="120"').replace('</w:pPr>', '<w:contextualSpacing/></w:pPr>'))) + cell(3000, par('b'))),
      ),
  },
}
