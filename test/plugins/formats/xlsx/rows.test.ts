import { describe, expect, it } from 'vitest'
import { mergeBytes } from '../../../helpers/merge.ts'
import { type CellValue, readCells, type WorkbookSpec, xlsxOf } from '../../../helpers/xlsx.ts'

async function render(spec: WorkbookSpec, data: unknown): Promise<Uint8Array> {
  const { value } = await mergeBytes(await xlsxOf(spec), 'xlsx', data)
  return new Uint8Array(await value.document.arrayBuffer())
}
type Cells = Record<string, CellValue>
const cellsOf = async (cells: Cells, data: unknown) =>
  readCells(await render({ sheets: [{ name: 'S', cells }] }, data))

const lines = {
  l: [
    { n: 'x', q: 1, p: 2 },
    { n: 'y', q: 3, p: 4 },
    { n: 'z', q: 5, p: 6 },
  ],
}
const sample: Cells = {
  A1: 'N',
  B1: 'Q',
  A2: '{d.l[i].n}',
  B2: '{d.l[i].q:formatN}',
  C2: '{d.l[i].p:formatN()}',
  A3: '{d.l[i+1].n}',
}

describe('rows of a worksheet', () => {
  it('moves what follows and copies formulas', async () => {
    expect(
      await cellsOf(
        {
          ...sample,
          D2: '=B2*C2',
          A4: 'Sum',
          B4: '=SUM(B2:B2)',
          C4: '=SUM(C2:C3)',
          D4: '=SUM(D2)',
          D6: '=D4*2',
          E1: '=SUM(D2:D3)',
        },
        lines,
      ),
    ).toEqual({
      A1: "'N'",
      B1: "'Q'",
      E1: '=SUM(D2:D4)',
      A2: "'x'",
      B2: '1',
      C2: '2',
      D2: '=B2*C2',
      A3: "'y'",
      B3: '3',
      C3: '4',
      D3: '=B3*C3',
      A4: "'z'",
      B4: '5',
      C4: '6',
      D4: '=B4*C4',
      A5: "'Sum'",
      B5: '=SUM(B2:B4)',
      C5: '=SUM(C2:C4)',
      D5: '=SUM(D2:D4)',
      D7: '=D5*2',
    })
  })
})
