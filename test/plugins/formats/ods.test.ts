import { describe, expect, it } from 'vitest'
import { odsCases } from '../../cases/office/ods.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odfBody, odsGrid, odsOf } from '../../helpers/ods.ts'
import { problemsOf } from '../../helpers/structure.ts'

describe('spreadsheets of OpenDocument', () => {
  it.each(odsCases.map((each) => [each.name, each] as const))(
    '%s',
    async (_, { body, data, grid, holds = [], lacks = [] }) => {
      const { value } = await mergeBytes(await odsOf(body), 'ods', data)
      const bytes = new Uint8Array(await value.document.arrayBuffer())
      expect(await problemsOf(bytes)).toEqual([])
      if (grid !== undefined) expect(await odsGrid(bytes)).toEqual(grid)
      const text = await odfBody(bytes)
      for (const stretch of holds) expect(text).toContain(stretch)
      for (const stretch of lacks) expect(text).not.toContain(stretch)
    },
  )
})
