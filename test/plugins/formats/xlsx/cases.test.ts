import { describe, expect, it } from 'vitest'
import { xlsxCases } from '../../../cases/office/xlsx.ts'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { problemsOf } from '../../../helpers/structure.ts'
import { readCells, type SheetSpec, xlsxOf } from '../../../helpers/xlsx.ts'

it.each([
  ['LARGE(Jan:Mar!B4,1)', 'LARGE(#REF!,1)'],
  ['SUM(Jan:Mar!B4,1)', 'SUM(#REF!,1)'],
  ['SUM(Jan:Gone!B4)', 'SUM(Jan:Gone!B4)'],
  ['LARGE(Jan:Mar!C1,1)', 'LARGE(Jan:Mar!C1,1)'],
])('%s over sheets whose rows moved differently becomes %s', async (formula, expected) => {
  const sheets: readonly SheetSpec[] = [
    { name: 'Total', cells: { A1: `=${formula}` } },
    { name: 'Jan', cells: { B2: '{d.l[i].q}', B3: '{d.l[i+1].q}', B4: 7 } },
    { name: 'Mar', cells: { B4: 9 } },
  ]
  const { value } = await mergeBytes(await xlsxOf({ sheets }), 'xlsx', { l: [{ q: 1 }, { q: 2 }, { q: 3 }] })
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await readCells(bytes, 1)).toEqual({ A1: `=${expected}` })
})

describe('workbooks', () => {
  it.each(xlsxCases.map((each) => [each.name, each] as const))(
    '%s',
    async (_, { workbook, data, cells, holds, lacks }) => {
      const { value } = await mergeBytes(await xlsxOf(workbook), 'xlsx', data)
      const bytes = new Uint8Array(await value.document.arrayBuffer())
      expect(await problemsOf(bytes)).toEqual([])
      for (const [sheet, expected] of Object.entries(cells ?? {})) {
        expect(await readCells(bytes, Number(sheet))).toEqual(expected)
      }
      for (const [part, stretches] of Object.entries(holds ?? {})) {
        const text = await entryText(bytes, part)
        for (const stretch of stretches) expect(text).toContain(stretch)
      }
      for (const [part, stretches] of Object.entries(lacks ?? {})) {
        const text = await entryText(bytes, part)
        for (const stretch of stretches) expect(text).not.toContain(stretch)
      }
    },
  )
})
