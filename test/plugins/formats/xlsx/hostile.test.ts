import { describe, expect, it } from 'vitest'
import { failure, mergeBytes } from '../../../helpers/merge.ts'
import { processorTime } from '../../../helpers/processor-time.ts'
import { type CellValue, readCells, xlsxOf } from '../../../helpers/xlsx.ts'

const loop = { A2: '{d.l[i]}', A3: '{d.l[i+1]}' }
const render = async (cells: Record<string, CellValue>, data: unknown) =>
  mergeBytes(await xlsxOf({ sheets: [{ name: 'S', cells }] }), 'xlsx', data)
const timed = async <T>(work: Promise<T>): Promise<{ value: T; ms: number }> => {
  const begun = process.cpuUsage()
  return { value: await work, ms: processorTime(begun) }
}

describe('a workbook over its limits', () => {
  it('has at most 1,048,576 rows', async () => {
    const nearTheEnd = { A1048000: '{d.l[i]}', A1048001: '{d.l[i+1]}' }
    await expect(render(nearTheEnd, { l: new Array(577).fill(1) })).resolves.toBeDefined()
    const error = await failure(render(nearTheEnd, { l: new Array(578).fill(1) }))
    expect(error.code).toBe('template.sheet.too-large')
    expect(error.message).toBe('A sheet would have more than 1048576 rows, the most a spreadsheet can hold.')
  })
  it('has at most 16,384 columns', async () => {
    const error = await failure(
      render({ A1: '{d.l[i]}', B1: '{d.l[i+1]}' }, { l: new Array(16_385).fill(1) }),
    )
    expect(error.code).toBe('template.sheet.too-large')
  })
})

describe('formulas', () => {
  it('in great number, each over all rows', async () => {
    const cells: Record<string, CellValue> = { ...loop }
    for (let row = 4; row < 4_004; row += 1) cells[`B${row}`] = `=SUM(A1:A${row})+SUM(B$1:B${row - 1})`
    const { value, ms } = await timed(render(cells, { l: new Array(4_000).fill(1) }))
    const found = await readCells(new Uint8Array(await value.value.document.arrayBuffer()))
    expect(found['B8001']).toBe('=SUM(A1:A8001)+SUM(B$1:B8000)')
    expect(ms).toBeLessThan(15_000)
  })
  it('that are not formulas stay text', async () => {
    const odd = `=${'('.repeat(5_000)}"${"'".repeat(5_000)}A2[[[${'$'.repeat(5_000)}A1:`
    const { value, ms } = await timed(render({ ...loop, B4: odd }, { l: [1, 2] }))
    const found = await readCells(new Uint8Array(await value.value.document.arrayBuffer()))
    expect(found['B4']).toBe(odd)
    expect(ms).toBeLessThan(5_000)
  })
})

describe('broken markup', () => {
  const markups = [
    '<c t="s"><v>0</v>',
    '<c r="A1" t="s">',
    '<row>',
    '<f t="shared" si="0">A1',
    '<c ',
    '{d.l[i]}<c',
  ]
  it.each(markups)('%s a hundred thousand times is refused at once', async (markup) => {
    const bytes = await xlsxOf({
      sheets: [{ name: 'S', cells: { A1: '{d.x}' }, after: markup.repeat(100_000) }],
    })
    const { value: error, ms } = await timed(failure(mergeBytes(bytes, 'xlsx', {})))
    expect(error.code).toMatch(/^template\.(?:markup|too-deep)$/)
    expect(ms).toBeLessThan(8_000)
  })
  it.each(['<si>', '<si><t>', '<si '])('in shared strings: %s', async (markup) => {
    const strings = `<sst xmlns="x">${'<si><t>{d.x}</t></si>'}${markup.repeat(100_000)}</sst>`
    const bytes = await xlsxOf({
      sheets: [{ name: 'S', cells: { A1: '{d.x}' } }],
      extra: { 'xl/sharedStrings.xml': strings },
    })
    const begun = process.cpuUsage()
    await mergeBytes(bytes, 'xlsx', {}).catch(() => undefined)
    expect(processorTime(begun)).toBeLessThan(8_000)
  })
})

describe('cells out of order or without addresses', () => {
  it('are put in order', async () => {
    const bytes = await xlsxOf({ sheets: [{ name: 'S', cells: {}, after: '' }] })
    const { default: JSZip } = await import('jszip')
    const zip = await JSZip.loadAsync(bytes)
    const path = 'xl/worksheets/sheet1.xml'
    const xml = await zip.file(path)!.async('string')
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    zip.file(
      path,
      xml.replace(
        '<sheetData></sheetData>',
        `<sheetData><row>${cell('{d.l[i]}')}${cell('x')}</row><row>${cell('{d.l[i+1]}')}</row><row r="1">${cell('end')}</row></sheetData>`,
      ),
    )
    const { value } = await mergeBytes(await zip.generateAsync({ type: 'uint8array' }), 'xlsx', { l: [1, 2] })
    expect(await readCells(new Uint8Array(await value.document.arrayBuffer()))).toEqual({
      A1: "'1'",
      B1: "'x'",
      A2: "'2'",
      B2: "'x'",
      A3: "'end'",
    })
  })
})
