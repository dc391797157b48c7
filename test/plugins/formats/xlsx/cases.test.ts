import { describe, expect, it } from 'vitest'
import { xlsxCases } from '../../../cases/office/xlsx.ts'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { problemsOf } from '../../../helpers/structure.ts'
import { readCells, xlsxOf } from '../../../helpers/xlsx.ts'

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
