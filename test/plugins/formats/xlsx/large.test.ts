import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { asCsv, convertFolder } from '../../../helpers/libreoffice.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { xlsxOf } from '../../../helpers/xlsx.ts'

const template = () =>
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
const data = (rows: number) => ({ l: Array.from({ length: rows }, (_, n) => ({ n: `N${n}`, q: n })) })
const sheetOf = async (rows: number) => {
  const { value } = await mergeBytes(await template(), 'xlsx', data(rows))
  return new Uint8Array(await value.document.arrayBuffer())
}

describe('large sheets leave out the addresses that follow from what stands before', () => {
  it('but for cells and rows behind a gap', async () => {
    const text = await entryText(await sheetOf(6_000), 'xl/worksheets/sheet1.xml')
    expect(text).toContain(
      '<row><c t="inlineStr"><is><t xml:space="preserve">N5999</t></is></c><c><v>5999</v></c><c r="D6001"><f>B6001*2</f></c></row>',
    )
    expect(text).toContain('<c r="B6002"><f>SUM(B2:B6001)</f></c>')
  })
  it('small sheets have them all', async () => {
    const text = await entryText(await sheetOf(4_000), 'xl/worksheets/sheet1.xml')
    expect(text).toContain('<row r="4001"><c r="A4001" t="inlineStr">')
    expect(text).not.toContain('<c>')
  })
  it('an engine gets them all', async () => {
    const { value } = await mergeBytes(await template(), 'xlsx', data(6_000), { addressed: true })
    const text = await entryText(
      new Uint8Array(await value.document.arrayBuffer()),
      'xl/worksheets/sheet1.xml',
    )
    expect(text).toContain('<row r="6001"><c r="A6001" t="inlineStr">')
    expect(text).not.toMatch(/<row>|<c>|<c t=/)
  })
  it('LibreOffice reads them the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-large-'))
    try {
      await writeFile(join(folder, 'a.xlsx'), await sheetOf(6_000))
      await convertFolder(folder, asCsv, join(folder, 'profile'))
      const lines = (await readFile(join(folder, 'a.csv'), 'utf8')).trimEnd().split('\n')
      expect(lines.slice(0, 2)).toEqual(['n,q,,twice', 'N0,0,,0'])
      expect(lines.slice(-2)).toEqual(['N5999,5999,,11998', ',17997000,,'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
