import JSZip from 'jszip'
import { expect, it } from 'vitest'
import { zipMimetype } from '../../../shared/office/sniff.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'

const odt = 'application/vnd.oasis.opendocument.text'

async function packed(entries: readonly (readonly [name: string, content: string, stored: boolean])[]) {
  const zip = new JSZip()
  for (const [name, content, stored] of entries)
    zip.file(name, content, { compression: stored ? 'STORE' : 'DEFLATE' })
  return zip.generateAsync({ type: 'uint8array' })
}
const content = ['content.xml', '<a/>'.repeat(500), false] as const

it.each<[string, Parameters<typeof packed>[0], string | undefined]>([
  ['first and stored, as it should be', [['mimetype', odt, true], content], odt],
  ['first and compressed', [['mimetype', odt, false], content], odt],
  ['behind others, stored', [content, ['mimetype', odt, true]], odt],
  ['behind others, compressed', [content, ['mimetype', odt, false], ['meta.xml', 'x', false]], odt],
  ['with a line end', [content, ['mimetype', `${odt}\n`, false]], odt],
  ['of another kind', [content, ['mimetype', 'text/plain', false]], undefined],
  ['that is none', [content], undefined],
  [
    'that is far too long',
    [content, ['mimetype', Array.from({ length: 9000 }, (_, at) => at).join(), true]],
    undefined,
  ],
])('the type of a package: %s', async (_, entries, type) => {
  expect(await zipMimetype(fromBytes(await packed(entries)))).toBe(type)
})

it('a package cut off anywhere is none, or what it was', async () => {
  const bytes = await packed([content, ['mimetype', odt, false]])
  for (let length = 0; length < bytes.length; length += 7)
    expect(await zipMimetype(fromBytes(bytes.slice(0, length)))).toBeUndefined()
})
