import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docxOf, odtOf } from '../../helpers/docx.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes, mergeText } from '../../helpers/merge.ts'
import { odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { problemsOf } from '../../helpers/structure.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

/** HTML as editors, mail programs and a paste out of Word write it, in every format that has a text to put it into. */
const root = new URL('../../fixtures/html/', import.meta.url).pathname
const names = readdirSync(root).flatMap((file) => (file.endsWith('.html') ? [file.slice(0, -5)] : []))
const html = (name: string) => readFileSync(join(root, `${name}.html`), 'utf8')

const tag = '{d.h:html}'
const templates = {
  docx: () => docxOf(`<w:p><w:r><w:t>${tag}</w:t></w:r></w:p>`),
  odt: () => odtOf(`<text:p>${tag}</text:p>`),
  pptx: () => pptxOf([pptxShape(4, pptxParagraph(tag))]),
  odp: () =>
    odpOf(
      `<draw:page draw:name="p" draw:master-page-name="M"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="24cm" svg:height="38cm"><draw:text-box><text:p>${tag}</text:p></draw:text-box></draw:frame></draw:page>`,
      // High enough for the longest text.
      '<style:page-layout-properties xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" fo:page-width="28cm" fo:page-height="40cm"/>',
    ),
  xlsx: () => xlsxOf({ sheets: [{ name: 'S', cells: { A1: tag } }] }),
  ods: () => odsOf(odsTable('S', odsRow([tag]))),
} as const
const formats = Object.keys(templates) as (keyof typeof templates)[]

/** What must be seen, in this order, and what must not. */
const seen: Readonly<Record<string, readonly string[]>> = {
  tinymce: [
    'Angebot',
    'Beratung & Konzept',
    '3',
    'Umsetzung',
    'Unterpunkt eins',
    'tiefer',
    'inneres',
    'if (a < b)',
  ],
  quill: ['Centered big', 'Bullet A', 'One', 'done', 'line 1', 'red on yellow strike'],
  ckeditor: ['Row head', 'in a cell', 'Caption text', 'indented 40px', 'marker', 'Done', 'after break'],
  word: ['Heading from Word', 'Item one', 'A1', 'B1', 'font tag', 'center tag'],
  gmail: ['Hi,', 'a@b.org', 'Ada', 'quoted text', 'one'],
  invalid: ['open bold both italic plain', 'wide', 'inner', 'lonely', 'in head', 'proto'],
  rtl: ['123', 'mixed'],
}
const never = /alert|color:red|javascript|svgtext|\bopt\b|tmpl|comment|Font Definitions|WordDocument/

let folder = ''
let profile = ''
const problems = new Map<string, readonly string[]>()
beforeAll(async () => {
  folder = temporaryFolder('platen-editors')
  profile = temporaryFolder('platen-profile')
  await mkdir(join(folder, 'pages'))
  for (const format of formats) {
    const template = await templates[format]()
    for (const name of names) {
      const { value } = await mergeBytes(template, format, { h: html(name) })
      const bytes = new Uint8Array(await value.document.arrayBuffer())
      problems.set(`${name} ${format}`, await problemsOf(bytes))
      await writeFile(join(folder, 'pages', `${name}-${format}.${format}`), bytes)
    }
  }
  await convertFolder(join(folder, 'pages'), 'pdf', profile)
})
afterAll(async () => {
  for (const each of [folder, profile]) await rm(each, { recursive: true, force: true })
})

it('names what must be seen for each file', () => expect(Object.keys(seen).sort()).toEqual([...names].sort()))

describe.each(names)('%s', (name) => {
  it.each(formats)('in %s', (format) => {
    expect(problems.get(`${name} ${format}`)).toEqual([])
    const pdf = join(folder, 'pages', `${name}-${format}.pdf`)
    const text = execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ')
    let from = 0
    // A sheet shows the first line of a cell that is not high enough.
    for (const words of format === 'xlsx' || format === 'ods' ? [] : seen[name]!) {
      const at = text.indexOf(words, from)
      expect(at, words).toBeGreaterThanOrEqual(0)
      from = at
    }
    expect(text).not.toMatch(never)
  })
  it.each(['html', 'md'])('in %s, unchanged', async (format) => {
    const text = html(name)
    const template = format === 'html' ? `<div>${tag}</div>` : `a\n\n${tag}\n`
    expect(await mergeText(template, { h: text }, { format })).toBe(template.replace(tag, () => text))
  })
})
