import { describe, expect, test } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { odsGrid, odsOf, odsRow, odsTable } from '../../../helpers/ods.ts'
import { readCells, type SheetSpec, xlsxOf } from '../../../helpers/xlsx.ts'

const three = [{ v: 1 }, { v: 2 }, { v: 4 }]

async function merged(template: Uint8Array, format: string, data: unknown): Promise<Uint8Array> {
  const { value } = await mergeBytes(template, format, data)
  return new Uint8Array(await value.document.arrayBuffer())
}

/** The formulas of a workbook by the cells they end up in. */
async function checkSheet(
  sheets: readonly SheetSpec[],
  data: unknown,
  expected: Readonly<Record<string, string>>,
  sheet = 1,
): Promise<void> {
  const cells = await readCells(await merged(await xlsxOf({ sheets }), 'xlsx', data), sheet)
  const formulas = Object.entries(cells).filter(([, value]) => value.startsWith('='))
  expect(Object.fromEntries(formulas)).toEqual(expected)
}

async function checkTables(
  tables: readonly string[],
  data: unknown,
  expected: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<void> {
  expect(await odsGrid(await merged(await odsOf(tables.join('')), 'ods', data))).toEqual(expected)
}

describe('a formula that points at the marker of a loop means the end of what the loop repeats', () => {
  const list = { A2: '{d.l[i].v:formatN}', A3: '{d.l[i+1].v}' }
  test('XLSX: as an area of that row alone', () =>
    checkSheet(
      [{ name: 'S', cells: { ...list, A5: '=SUM(A3:A3)' } }],
      { l: [{ v: 1 }, { v: 2 }, { v: 3 }] },
      { A6: '=SUM(A4:A4)' },
    ))
  test('XLSX: below, above, fixed and alone in a function', () =>
    checkSheet(
      [
        {
          name: 'S',
          cells: { A1: '=A3', ...list, A5: '=A3*2', A6: '=$A$3', A7: '=SUM(A3)', A8: '=SUM(A2:A3)' },
        },
      ],
      { l: three },
      { A1: '=A4', A6: '=A4*2', A7: '=$A$4', A8: '=SUM(A4)', A9: '=SUM(A2:A4)' },
    ))
  test('XLSX: inside the repeated rows', () =>
    checkSheet(
      [{ name: 'S', cells: { ...list, B2: '=A3-A2' } }],
      { l: three },
      { B2: '=A4-A2', B3: '=A4-A3', B4: '=A4-A4' },
    ))
  test('XLSX: the end of the inner loop for a total in the outer one', () =>
    checkSheet(
      [
        {
          name: 'S',
          cells: {
            A2: '{d.g[i].l[i].v:formatN}',
            A3: '{d.g[i].l[i+1].v}',
            A4: '=A3',
            A5: '{d.g[i+1].l}',
            A6: '=A3',
          },
        },
      ],
      { g: [{ l: three }, { l: [{ v: 8 }] }] },
      { A5: '=A4', A7: '=A6', A8: '=A6' },
    ))
  test('XLSX: columns', () =>
    checkSheet(
      [{ name: 'S', cells: { A1: '{d.l[i].v:formatN}', B1: '{d.l[i+1].v}', A2: '=B1' } }],
      { l: three },
      { A2: '=C1' },
    ))
  test('XLSX: nothing is left of a loop without items', () =>
    checkSheet([{ name: 'S', cells: { ...list, A5: '=A3' } }], { l: [] }, { A3: '=$A$65000' }))
  test('ODS', () =>
    checkTables(
      [odsTable('S', odsRow(['{d.l[i].v:formatN}']), odsRow(['{d.l[i+1].v}']), odsRow(['of:=[.A2]']))],
      { l: three },
      { S: [['1'], ['2'], ['4'], ['of:=[.A3]']] },
    ))
})

describe('a formula that names a sheet by a tag follows the rows of that sheet', () => {
  const list: SheetSpec = {
    name: 'Prices {d.month}',
    cells: { A1: '{d.l[i].v:formatN}', A2: '{d.l[i+1].v}', A4: 7 },
  }
  const data = { l: three, month: "It's May", factor: 2 }
  const name = "'Prices It''s May'!"
  test('XLSX: in cells', () =>
    checkSheet(
      [
        {
          name: 'S',
          cells: {
            A1: "=SUM('Prices {d.month}'!A1:A2)",
            A2: "='Prices { d.month }'!$A$4*{d.factor}",
            A3: '=A1*{d.factor}',
          },
        },
        list,
      ],
      data,
      { A1: `=SUM(${name}A1:A3)`, A2: `=${name}$A$5*2`, A3: '=A1*2' },
    ))
  test('XLSX: names and conditional formats', async () => {
    const other: SheetSpec = {
      name: 'S',
      cells: { A1: 1 },
      after: `<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>A1&gt;'Prices {d.month}'!$A$4</formula></cfRule></conditionalFormatting>`,
    }
    const names = `<definedName name="two">'Prices {d.month}'!$A$1:$A$2,'Prices {d.month}'!$A$4</definedName>`
    const bytes = await merged(await xlsxOf({ sheets: [other, list], names }), 'xlsx', data)
    expect(await entryText(bytes, 'xl/workbook.xml')).toContain(
      `<definedName name="two">${name}$A$1:$A$3,${name}$A$5</definedName>`,
    )
    expect(await entryText(bytes, 'xl/worksheets/sheet1.xml')).toContain(
      `<formula>A1&gt;${name}$A$5</formula>`,
    )
  })
  test('ODS: in cells', () =>
    checkTables(
      [
        odsTable(
          'S',
          odsRow([
            'of:=SUM([$&apos;Prices {d.month}&apos;.A1:.A2])',
            'of:=[$&apos;Prices {d.month}&apos;.A4]*{d.factor}',
            'of:={d.factor}+1',
          ]),
        ),
        odsTable(
          'Prices {d.month}',
          odsRow(['{d.l[i].v:formatN}']),
          odsRow(['{d.l[i+1].v}']),
          odsRow([1]),
          odsRow([7]),
        ),
      ],
      { ...data, month: 'May' },
      {
        S: [["of:=SUM([$'Prices May'.A1:.A3])", "of:=[$'Prices May'.A5]*2", 'of:=2+1']],
        'Prices May': [['1'], ['2'], ['4'], ['1'], ['7']],
      },
    ))
})
