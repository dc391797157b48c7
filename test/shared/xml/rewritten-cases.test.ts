import { describe, test } from 'vitest'
import { odsCases } from '../../cases/office/ods.ts'
import { richCases } from '../../cases/office/rich.ts'
import { slideCases } from '../../cases/office/slides.ts'
import { xlsxCases } from '../../cases/office/xlsx.ts'
import { odsOf } from '../../helpers/ods.ts'
import { expectSameRewritten } from '../../helpers/rewritten.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

const packages = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'])

/** Each template of the case tables: drawings, notes, charts, tables, pivots, names, pictures, colours, links. */
describe('a template that a producer wrote in another form of XML merges to the same document', () => {
  test.each(xlsxCases.map((each) => [each.name, each] as const))('XLSX: %s', async (_, { workbook, data }) =>
    expectSameRewritten(await xlsxOf(workbook), 'xlsx', data),
  )
  test.each(odsCases.map((each) => [each.name, each] as const))('ODS: %s', async (_, { body, data }) =>
    expectSameRewritten(await odsOf(body), 'ods', data),
  )
  const others = [...slideCases, ...richCases].filter(({ format }) => packages.has(format))
  test.each(others.map((each) => [each.format, each.name, each] as const))('%s: %s', async (_, __, each) =>
    expectSameRewritten(await each.template(), each.format, each.data),
  )
})
