import { describe, expect, it } from 'vitest'
import { mergeBytes } from '../../helpers/merge.ts'
import { odsGrid, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'

async function render(body: string, data: unknown): Promise<Uint8Array> {
  const { value } = await mergeBytes(await odsOf(body), 'ods', data)
  return new Uint8Array(await value.document.arrayBuffer())
}
const grid = async (body: string, data: unknown) => odsGrid(await render(body, data))

describe('rows of an ODS sheet', () => {
  it('are typed and formulas follow', async () => {
    const sheet = odsTable(
      'S',
      odsRow(['N', 'Q', '', 'of:=SUM([.B2:.B3])']),
      odsRow(['{d.l[i].n}', '{d.l[i].q:formatN}', 'of:=[.B2]*2']),
      odsRow(['{d.l[i+1].n}']),
      odsRow(['', 'of:=SUM([.B2:.B2])']),
    )
    expect(
      await grid(sheet, {
        l: [
          { n: 'x', q: 1 },
          { n: 'y', q: 2.5 },
          { n: 'z', q: 'n/a' },
        ],
      }),
    ).toEqual({
      S: [
        ["'N'", "'Q'", "''", 'of:=SUM([.B2:.B4])'],
        ["'x'", '1', 'of:=[.B2]*2'],
        ["'y'", '2.5', 'of:=[.B3]*2'],
        ["'z'", "'n/a'", 'of:=[.B4]*2'],
        ["''", 'of:=SUM([.B2:.B4])'],
      ],
    })
  })
  it('repeats sheets through aliases', async () => {
    const first = odsTable(
      '{$s1}',
      odsRow(['{#s1=d.list[i].name}{#s2=d.list[i+1].name}{d.list[i].name}', '{d.list[i].rows[i].v:formatN}']),
      odsRow(['', '{d.list[i].rows[i+1].v}']),
      odsRow(['', 'of:=SUM([.B1:.B2])']),
    )
    const data = {
      list: [
        { name: 'Jan/2024', rows: [{ v: 1 }, { v: 2 }] },
        { name: 'Feb', rows: [{ v: 3 }] },
        { name: 'Feb', rows: [] },
      ],
    }
    expect(await grid(first + odsTable('{$s2}', odsRow([''])), data)).toEqual({
      Jan2024: [
        ["'Jan/2024'", '1'],
        ["'Jan/2024'", '2'],
        ["''", 'of:=SUM([.B1:.B2])'],
      ],
      Feb: [
        ["'Feb'", '3'],
        ["''", 'of:=SUM([.B1:.B1])'],
      ],
      'Feb (2)': [["''", 'of:=SUM([.$B$1048576])']],
    })
  })
})
