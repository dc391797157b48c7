import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { beforeAll, describe, expect, it } from 'vitest'
import { asCsv, convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { expectSameRewritten } from '../../helpers/rewritten.ts'
import { problemsOf } from '../../helpers/structure.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Files that people made: as they are, and with a loop put into them. */

const root = new URL('../../fixtures/real/', import.meta.url).pathname
const names = (await readdir(root)).filter((name) => /\.(?:xlsx|pptx)$/.test(name))
const read = async (name: string) => new Uint8Array(await readFile(join(root, name)))
const kindOf = (name: string) => name.split('.').at(-1)!
const rows = Array.from({ length: 7 }, (_, n) => ({ v: n + 1, t: `Row ${n + 1}` }))

let folder = ''
beforeAll(async () => {
  folder = temporaryFolder('platen-real')
  await mkdir(join(folder, 'out'))
  for (const name of names.filter((each) => each.endsWith('.xlsx'))) {
    const { value } = await mergeBytes(await withLoop(await read(name)), 'xlsx', { rows })
    await writeFile(join(folder, 'out', name), new Uint8Array(await value.document.arrayBuffer()))
  }
  await convertFolder(join(folder, 'out'), asCsv, join(folder, 'profile'))
})

describe('files without tags', () => {
  it.each(names)('%s keeps every part', async (name) => {
    const before = await read(name)
    const { value } = await mergeBytes(before, kindOf(name), {})
    const [a, b] = await Promise.all([
      JSZip.loadAsync(before),
      JSZip.loadAsync(await value.document.arrayBuffer()),
    ])
    expect(Object.keys(b.files).filter((path) => !b.files[path]!.dir)).toEqual(
      Object.keys(a.files).filter((path) => !a.files[path]!.dir),
    )
    for (const path of Object.keys(b.files)) {
      if (b.files[path]!.dir) continue
      expect(
        Buffer.compare(await a.file(path)!.async('nodebuffer'), await b.file(path)!.async('nodebuffer')),
        path,
      ).toBe(0)
    }
  })
})

describe('files with a loop', () => {
  it.each(names.filter((name) => name.endsWith('.xlsx')))(
    '%s stays valid and grows by its rows',
    async (name) => {
      const bytes = new Uint8Array(await readFile(join(folder, 'out', name)))
      expect(await problemsOf(bytes)).toEqual(await problemsOf(await read(name)))
      const csv = await readFile(join(folder, 'out', name.replace('.xlsx', '.csv')), 'utf8')
      for (const { t } of rows) expect(csv.split('\n').filter((line) => line.includes(t))).toHaveLength(1)
    },
  )
  it.each(names.filter((name) => name.endsWith('.xlsx')))(
    '%s gives the same in any way of writing XML',
    async (name) => expectSameRewritten(await withLoop(await read(name)), 'xlsx', { rows }),
  )
  it('follows the formulas of a financial plan', async () => {
    const name = 'ericwhitedev__QuarterlyUnitSales.xlsx'
    const count = async (bytes: Uint8Array) =>
      (
        (await (await JSZip.loadAsync(bytes)).file('xl/worksheets/sheet1.xml')!.async('string')).match(
          /<f\b/g,
        ) ?? []
      ).length
    expect(await count(new Uint8Array(await readFile(join(folder, 'out', name))))).toBeGreaterThanOrEqual(
      (await count(await read(name))) - 2,
    )
  })
})

/** Puts a loop into the third and fourth row of the first sheet. */
async function withLoop(bytes: Uint8Array): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(bytes)
  const path = 'xl/worksheets/sheet1.xml'
  const xml = await zip.file(path)!.async('string')
  let row = 0
  const changed = xml.replace(/<(\w+:|)row\b[^>]*?(?:\/>|>[\s\S]*?<\/\1row>)/g, (whole, prefix: string) => {
    row += 1
    if (row !== 3 && row !== 4) return whole
    const number = /\sr="(\d+)"/.exec(whole)![1]!
    const open = /^<[^>]*?(?=\/?>)/.exec(whole)![0]
    const texts = row === 3 ? ['{d.rows[i].t}', '{d.rows[i].v:formatN}'] : ['{d.rows[i+1].t}']
    const cells = texts.map(
      (text, at) =>
        `<${prefix}c r="${'AB'[at]}${number}" t="inlineStr"><${prefix}is><${prefix}t>${text}</${prefix}t></${prefix}is></${prefix}c>`,
    )
    return `${open}>${cells.join('')}</${prefix}row>`
  })
  expect(changed).not.toBe(xml)
  zip.file(path, changed)
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}
