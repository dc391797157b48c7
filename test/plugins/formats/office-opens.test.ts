import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { largeData, largeTemplate } from '../../cases/office/large-sheet.ts'
import { odsCases } from '../../cases/office/ods.ts'
import { slideCases } from '../../cases/office/slides.ts'
import { xlsxCases } from '../../cases/office/xlsx.ts'
import { asCsv, convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odsOf } from '../../helpers/ods.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

/** Every output of the case tables is opened by LibreOffice, which works formulas out anew. */

let folder = ''
let sheets = ''
let pages = ''

beforeAll(async () => {
  folder = temporaryFolder('platen-opens')
  sheets = join(folder, 'sheets')
  pages = join(folder, 'pages')
  await mkdir(sheets)
  await mkdir(pages)
  const put = async (path: string, format: string, template: Uint8Array, data: unknown) => {
    const { value } = await mergeBytes(template, format, data)
    await writeFile(path, new Uint8Array(await value.document.arrayBuffer()))
  }
  for (const [at, each] of xlsxCases.entries())
    await put(join(sheets, `xlsx-${at}.xlsx`), 'xlsx', await xlsxOf(each.workbook), each.data)
  for (const [at, each] of odsCases.entries())
    await put(join(sheets, `ods-${at}.ods`), 'ods', await odsOf(each.body), each.data)
  await put(join(sheets, 'large.xlsx'), 'xlsx', await largeTemplate(), largeData(6_000))
  for (const [at, each] of slideCases.entries())
    await put(join(pages, `slides-${at}.${each.format}`), each.format, await each.template(), each.data)
  await convertFolder(sheets, asCsv, join(folder, 'profile'))
  await convertFolder(pages, 'pdf', join(folder, 'profile'))
})

const values = async (name: string) =>
  (await readFile(join(sheets, `${name}.csv`), 'utf8')).replace(/\n$/, '').split('\n')

describe('LibreOffice opens', () => {
  it.each(xlsxCases.map((each, at) => [each.name, at, each] as const))('XLSX: %s', async (_, at, { csv }) => {
    const found = await values(`xlsx-${at}`)
    if (csv !== undefined) expect(found).toEqual(csv)
    expect(found.join('\n')).not.toMatch(/#REF!|Err:5|#NAME\?/)
  })
  it.each(odsCases.map((each, at) => [each.name, at, each] as const))('ODS: %s', async (_, at, { csv }) => {
    const found = await values(`ods-${at}`)
    if (csv !== undefined) expect(found).toEqual(csv)
    expect(found.join('\n')).not.toMatch(/#REF!|Err:5|#NAME\?/)
  })
  it('a large XLSX, whose rows and cells leave out their addresses', async () => {
    const found = await values('large')
    expect(found.slice(0, 2)).toEqual(['n,q,,twice', 'N0,0,,0'])
    expect(found.slice(-2)).toEqual(['N5999,5999,,11998', ',17997000,,'])
  })
  it.each(slideCases.map((each, at) => [each.format, each.name, at] as const))(
    '%s: %s',
    async (_, __, at) => {
      const pdf = await readFile(join(pages, `slides-${at}.pdf`))
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    },
  )
})
