import { xlsxOf } from '../../helpers/xlsx.ts'

/** A sheet with a list and with formulas beside and below it. Above some 5,000 rows, rows and cells are written without addresses. */
export const largeTemplate = () =>
  xlsxOf({
    sheets: [
      {
        name: 'S',
        cells: {
          A1: 'n',
          B1: 'q',
          D1: 'twice',
          A2: '{d.l[i].n}',
          B2: '{d.l[i].q:formatN}',
          D2: '=B2*2',
          A3: '{d.l[i+1].n}',
          B4: '=SUM(B2:B3)',
        },
      },
    ],
  })

export const largeData = (rows: number) => ({ l: Array.from({ length: rows }, (_, n) => ({ n: `N${n}`, q: n })) })
