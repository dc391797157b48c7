import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, test } from 'vitest'
import { cell, docxOf, paragraph, row, table } from '../../helpers/docx.ts'
import { expectSameRewritten } from '../../helpers/rewritten.ts'
import { tagData, taggedDocument } from '../../helpers/tagged-document.ts'

const maxBytes = 20_000 // of a document: larger ones take long and show the same
const folders = ['real', 'corpus'].map((name) => new URL(`../../fixtures/${name}`, import.meta.url).pathname)
const files = folders
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => /^\.(?:docx|xlsx|pptx|odt|ods|odp)$/.test(extname(file)))
  .filter((file) => statSync(file).size < maxBytes)

describe('a document of another producer with tags in it merges alike, in whatever form of XML it is written', () => {
  test.each(files.map((file) => [file.split('/').slice(-2).join('/'), file] as const))('%s', (_, file) =>
    expectSameRewritten(
      taggedDocument(new Uint8Array(readFileSync(file)), true),
      extname(file).slice(1),
      tagData,
    ),
  )
})

describe('elements without content are the same as empty-element tags', () => {
  const merged = (text: string, property: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${property}</w:tcPr>${paragraph(text)}</w:tc>`
  const note = (kind: string, id: number, text: string) =>
    `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}>`
  const notes = (kind: string, text: string) =>
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:${kind}s xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${note(kind, 2, text)}</w:${kind}s>`
  const referring = (kind: string) =>
    `<w:p><w:r><w:t>{d.rows[i].n}</w:t></w:r><w:r><w:${kind}Reference w:id="2"/></w:r></w:p>`
  const templates: readonly (readonly [
    name: string,
    body: string,
    parts: Readonly<Record<string, string>>,
  ])[] = [
    [
      'cells merged over the rows of a loop',
      table(
        `<w:tr>${merged('{d.title}', '<w:vMerge w:val="restart"/>')}${cell('{d.rows[i].n}')}</w:tr>`,
        `<w:tr>${merged('', '<w:vMerge/>')}${cell('{d.rows[i].v}')}</w:tr>`,
        `<w:tr>${merged('', '<w:vMerge/>')}${cell('{d.rows[i+1].n}')}</w:tr>`,
      ),
      {},
    ],
    ...['footnote', 'endnote', 'comment'].map(
      (kind) =>
        [
          `${kind}s that repeat with their text`,
          `${referring(kind)}${paragraph('{d.rows[i+1].n}')}${table(row('end'))}`,
          { [`word/${kind}s.xml`]: notes(kind, 'about {d.rows[i].v}') },
        ] as const,
    ),
  ]
  test.each(templates)('%s', async (_, body, parts) =>
    expectSameRewritten(await docxOf(body, parts), 'docx', tagData),
  )
})
