import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { createMerger } from '../../edge/merger.ts'

const merger = createMerger(1_000_000)
async function merged(parts: Readonly<Record<string, string>>, format: string, data: unknown) {
  const bytes = zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, [strToU8(text), { level: 0 }]])),
  )
  const { value, warnings } = await merger.merge(
    {
      template: { hash: '', bytes, format },
      data: { value: data },
      options: { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5 },
    },
    new AbortController().signal,
  )
  expect(warnings).toEqual([])
  return unzipSync(new Uint8Array(await value.document.arrayBuffer()))
}

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const open = 'urn:oasis:names:tc:opendocument:xmlns:'
const document = (body: string) =>
  `<office:document-content xmlns:office="${open}office:1.0" xmlns:text="${open}text:1.0" xmlns:table="${open}table:1.0" xmlns:draw="${open}drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body>${body}</office:body></office:document-content>`

it('the settings of a document are edited by fast-xml-parser', async () => {
  const parts = await merged(
    {
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
      'word/document.xml': `<w:document xmlns:w="${main}"><w:body><w:p><w:r><w:t>{d.tint:color(page, background)}</w:t></w:r></w:p></w:body></w:document>`,
      'word/settings.xml': `<w:settings xmlns:w="${main}"><w:zoom w:percent="100"/><w:defaultTabStop w:val="708"/></w:settings>`,
    },
    'docx',
    { tint: '#ff8800' },
  )
  expect(strFromU8(parts['word/document.xml']!)).toMatch(/<w:background [^>]*w:color="ff8800"/i)
  expect(strFromU8(parts['word/settings.xml']!)).toContain(
    '<w:zoom w:percent="100"/><w:displayBackgroundShape/><w:defaultTabStop',
  )
})

it('a spreadsheet inside a text is made a package by jszip, and merged', async () => {
  const parts = await merged(
    {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${open}manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="Object 1/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="Object 1/content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
      'content.xml': document(
        '<office:text><text:p><draw:frame draw:name="O"><draw:object xlink:href="./Object 1"/></draw:frame></text:p></office:text>',
      ),
      'Object 1/content.xml': document(
        '<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>{d.count}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
      ),
    },
    'odt',
    { count: 42 },
  )
  expect(strFromU8(parts['Object 1/content.xml']!)).toContain('42')
})
