import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MergeOptions } from '../../shared/ports/merger.ts'
import { documentText } from '../helpers/document-text.ts'
import { convertFolder } from '../helpers/libreoffice.ts'
import { mergeBytes } from '../helpers/merge.ts'
import { problemsOf } from '../helpers/structure.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/**
 * The example templates: `template.*` with `data.json` (and `options.json`, where there is one) gives the text of
 * `expected.txt`. What the PDF looks like was
 * seen once and is kept beside it as `page-*.png`.
 * After a change: UPDATE_EXAMPLES=true writes the texts anew.
 */
const root = new URL('../fixtures/templates/', import.meta.url).pathname
const examples = readdirSync(root)
  .filter((name) => existsSync(join(root, name, 'data.json')))
  .map((name) => {
    const file = readdirSync(join(root, name)).find((each) => each.startsWith('template.'))!
    return { name, file: join(root, name, file), format: file.split('.').at(-1)! }
  })
const outputs = new Map<string, Uint8Array>()
let folder = ''
let profile = ''

beforeAll(async () => {
  folder = temporaryFolder('platen-examples')
  profile = temporaryFolder('platen-profile')
  for (const { name, file, format } of examples) {
    const data: unknown = JSON.parse(readFileSync(join(root, name, 'data.json'), 'utf8'))
    const more = join(root, name, 'options.json')
    const own = existsSync(more) ? (JSON.parse(readFileSync(more, 'utf8')) as Partial<MergeOptions>) : {}
    const options = { currencySource: 'EUR', currencyTarget: 'EUR', ...own }
    const { value, warnings } = await mergeBytes(new Uint8Array(readFileSync(file)), format, data, options)
    expect(warnings).toEqual([])
    const bytes = new Uint8Array(await value.document.arrayBuffer())
    outputs.set(name, bytes)
    if (isPackage(bytes)) await writeFile(join(folder, `${name}.${format}`), bytes)
  }
  await convertFolder(folder, 'pdf', profile)
})

afterAll(async () => {
  for (const each of [folder, profile]) await rm(each, { recursive: true, force: true })
})

/** Lines with text on the last page, and how many pages there are. */
function lastPage(pdf: string): { readonly pages: number; readonly lines: number } {
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' })
  const pages = text.split('\f').slice(0, -1)
  return {
    pages: pages.length,
    lines: (pages.at(-1) ?? '').split('\n').filter((line) => /\S/.test(line)).length,
  }
}
const minLines = 12 // header and footer among them

const isPackage = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b
const texts: readonly string[] = ['html', 'md', 'svg']
const pageFormats: readonly string[] = ['docx', 'odt', 'xlsx', 'ods']

describe.each(examples)('$name', ({ name, format }) => {
  it('gives the expected result', async () => {
    const text = await documentText(outputs.get(name)!)
    if (process.env['UPDATE_EXAMPLES'] === 'true') await writeFile(join(root, name, 'expected.txt'), text)
    expect(text).toBe(readFileSync(join(root, name, 'expected.txt'), 'utf8'))
    expect(text).not.toMatch(/\{[dct#$]|undefined|\[object/)
  })
  if (texts.includes(format)) return
  it('is sound', async () => {
    expect(await problemsOf(outputs.get(name)!)).toEqual([])
  })
  it('opens in LibreOffice', async () => {
    const pdf = await readFile(join(folder, `${name}.pdf`))
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })
  if (!pageFormats.includes(format)) return
  it('ends with a page that is not nearly empty', () => {
    const { pages, lines } = lastPage(join(folder, `${name}.pdf`))
    expect(pages).toBeGreaterThan(0)
    if (pages > 1) expect(lines).toBeGreaterThanOrEqual(minLines)
  })
})
