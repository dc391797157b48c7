import { expect, test } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { bodyOf, docxOf, entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'

const body = '<w:p><w:r><w:t>{d.name}</w:t></w:r></w:p>'

test.each([
  ['an empty file', ''],
  ['text', '======= ./word/document.xml =======\n<a>'],
  ['markup that is cut off', '<a><b>'],
])('%s that no relationship reaches is copied as it is stored', async (_, stray) => {
  const { value } = await mergeBytes(await docxOf(body, { '8854.xml': stray }), 'docx', { name: 'Ada' })
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await bodyOf(bytes)).toContain('Ada')
  expect(await entryText(bytes, '8854.xml')).toBe(stray)
})

test('a damaged part of the document is refused', async () => {
  const relationships =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footer" Target="footer1.xml"/></Relationships>'
  const damaged = await docxOf(body, {
    'word/footer1.xml': '<a><b>',
    'word/_rels/document.xml.rels': relationships,
  })
  await expect(mergeBytes(damaged, 'docx', {})).rejects.toThrow(AppError)
})
