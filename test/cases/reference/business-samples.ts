import { cell, headed, par, row, section, table, times, type WordSample } from './word.ts'

/** What letters, reports and price lists showed that were made for comparing, again as small as it goes. */

const spaced = (before: number, after: number, line = 240): string =>
  `<w:spacing w:before="${before}" w:after="${after}" w:line="${line}" w:lineRule="auto"/>`
const pair = (properties: string): string =>
  row(cell(3000, par('left', properties)) + cell(3000, par('right', properties)))

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
}
