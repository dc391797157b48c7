import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { openPdfForm } from '../../../plugins/formats/pdf/template/open.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { docxOf, odtOf, zipOf } from '../../helpers/docx.ts'
import { formatOf, mergeBytes } from '../../helpers/merge.ts'
import { odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { pptxOf } from '../../helpers/pptx.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

const complete: Readonly<Record<string, readonly [file: Uint8Array, main: string]>> = {
  docx: [await docxOf('<w:p/>'), 'word/document.xml'],
  pptx: [await pptxOf(['<p:sp/>']), 'ppt/presentation.xml'],
  xlsx: [await xlsxOf({ sheets: [{ name: 'One', cells: { A1: 'x' } }] }), 'xl/workbook.xml'],
  odt: [await odtOf(''), 'content.xml'],
  ods: [await odsOf(odsTable('One', odsRow(['x']))), 'content.xml'],
  odp: [await odpOf(''), 'content.xml'],
}

const without = (file: Uint8Array, entry: string) => {
  const { [entry]: _gone, ...rest } = unzipSync(file)
  // A package is known as what it is by what else it holds.
  return zipOf(
    { ...rest, [`${entry.split('/')[0] === entry ? 'Pictures' : entry.split('/')[0]}/other.xml`]: '<a/>' },
    ['mimetype'],
  )
}

describe('a package without the part that holds its content', () => {
  it.each(Object.entries(complete))('%s', async (format, [file, main]) => {
    const cut = await without(file, main)
    expect(await formatOf(format)?.sniff?.(fromBytes(cut))).toBe('sure')
    await expect(mergeBytes(cut, format, {})).rejects.toMatchObject({
      code: 'package.incomplete',
      status: 415,
      details: { format: format.toUpperCase(), part: main },
    })
  })

  it.each([
    ['its signature', '%PDF-'],
    ['no object', '%PDF-1.7\n%%EOF'],
    ['junk', `%PDF-1.4\n${'\u00e9'.repeat(300)}`],
  ])('a PDF of %s', (_, text) => {
    const open = () =>
      openPdfForm(new TextEncoder().encode(text), { codec: nodeCodec, limits: defaultLimits })
    expect(open).toThrow(expect.objectContaining({ code: 'package.incomplete', status: 415 }))
  })

  it('the part is found by its relationship, under any name', async () => {
    const entries = unzipSync(complete['docx']![0])
    const text = (name: string) => new TextDecoder().decode(entries[name])
    const { 'word/document.xml': body, ...rest } = entries
    const named = await zipOf({
      ...rest,
      '_rels/.rels': text('_rels/.rels').replace('word/document.xml', '/word/Document2.xml'),
      'word/document2.xml': body!,
    })
    await expect(mergeBytes(named, 'docx', {})).resolves.toBeDefined()
    const away = await zipOf({
      ...entries,
      '_rels/.rels': text('_rels/.rels').replace('word/document.xml', 'word/none.xml'),
    })
    await expect(mergeBytes(away, 'docx', {})).resolves.toBeDefined()
    const none = await zipOf({
      ...rest,
      '_rels/.rels': text('_rels/.rels').replace('word/document.xml', 'word/none.xml'),
    })
    await expect(mergeBytes(none, 'docx', {})).rejects.toMatchObject({ details: { part: 'word/none.xml' } })
  })
})
