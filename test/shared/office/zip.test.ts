import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits, type Limits } from '../../../shared/limits.ts'
import { openZip } from '../../../shared/office/zip.ts'
import { writeZip } from '../../../shared/office/zip-writer.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { docxOf, odtOf, paragraph, zipOf } from '../../helpers/docx.ts'
import { failure, mergeBytes } from '../../helpers/merge.ts'

const good = await docxOf(paragraph('{d.v}'))

function codeOf(bytes: Uint8Array, limits: Partial<Limits> = {}): string {
  try {
    const archive = openZip(bytes, {
      codec: codecNode,
      limits: { ...defaultLimits, ...limits },
      format: 'docx',
    })
    for (const entry of archive.entries) archive.read(entry)
    return 'fine'
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

const packed = (name: string, content: Uint8Array, changes: object = {}) => ({
  name,
  method: 8 as const,
  crc: codecNode.crc32(content),
  size: content.length,
  chunks: [codecNode.deflateRaw(content)],
  dosTime: 0,
  attributes: 0,
  ...changes,
})

describe('packages that are not what they say', () => {
  const content = new TextEncoder().encode('hello hello hello')
  const cases: readonly (readonly [
    name: string,
    bytes: Uint8Array,
    code: string,
    limits?: Partial<Limits>,
  ])[] = [
    ['a good one', good, 'fine'],
    ['nothing', new Uint8Array(0), 'package.not-a-zip'],
    ['text', new TextEncoder().encode('this is just some text, long enough'), 'package.not-a-zip'],
    ['cut in half', good.subarray(0, good.length >> 1), 'package.damaged'],
    ['cut by one byte', good.subarray(0, good.length - 1), 'package.damaged'],
    [
      'a compound file: an encrypted office document',
      Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(600)]),
      'package.encrypted',
    ],
    [
      '10,001 entries',
      writeZip(Array.from({ length: 10_001 }, (_, n) => packed(`e${n}`, content))),
      'package.too-many-entries',
    ],
    ['a bomb by ratio', writeZip([packed('a', new Uint8Array(20_000_000))]), 'package.too-dense'],
    [
      'a bomb by sum',
      writeZip(Array.from({ length: 30 }, (_, n) => packed(`a${n}`, new Uint8Array(9_000_000)))),
      'package.too-large',
    ],
    ['a lying size, smaller', writeZip([packed('a', content, { size: 3 })]), 'package.damaged'],
    ['a lying size, larger', writeZip([packed('a', content, { size: 99 })]), 'package.damaged'],
    ['a wrong checksum', writeZip([packed('a', content, { crc: 1 })]), 'package.damaged'],
    [
      'a broken stream',
      writeZip([packed('a', content, { chunks: [Uint8Array.from([255, 255, 255])] })]),
      'package.damaged',
    ],
    ['a name that climbs', writeZip([packed('../a', content)]), 'package.entry-name'],
    [
      'a name that climbs with backslashes',
      writeZip([packed('a\\..\\..\\b', content)]),
      'package.entry-name',
    ],
    ['an absolute name', writeZip([packed('/etc/passwd', content)]), 'package.entry-name'],
    ['a drive', writeZip([packed('C:/a', content)]), 'package.entry-name'],
    ['a name twice', writeZip([packed('a', content), packed('a', content)]), 'package.entry-name'],
    [
      'parts whose names differ in case alone',
      writeZip([packed('a/b.xml', content), packed('A/B.xml', content)]),
      'package.entry-name',
    ],
    ['an unknown method', writeZip([packed('a', content, { method: 12 })]), 'package.unsupported'],
    ['an encrypted entry', flagged(writeZip([packed('a', content)])), 'package.encrypted'],
    ['entries on top of each other', overlapping(content), 'package.damaged'],
  ]
  for (const [name, bytes, code, limits] of cases) it(name, () => expect(codeOf(bytes, limits)).toBe(code))

  it('an encrypted OpenDocument file', async () => {
    const bytes = await odtOf('<text:p>{d.v}</text:p>', {
      'META-INF/manifest.xml':
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
    })
    expect((await failure(mergeBytes(bytes, 'odt', {}))).code).toBe('package.encrypted')
  })

  it('an office part that is not text', async () => {
    const bytes = await zipOf({ 'word/document.xml': Uint8Array.from([0x3c, 0x78, 0xff, 0xfe, 0x3e]) })
    expect((await failure(mergeBytes(bytes, 'docx', {}))).code).toBe('template.markup')
  })
})

/** The same package with the encryption bit of its first directory entry set. */
function flagged(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  const at = copy.findIndex(
    (_, n) => copy[n] === 0x50 && copy[n + 1] === 0x4b && copy[n + 2] === 1 && copy[n + 3] === 2,
  )
  copy[at + 8]! |= 1
  return copy
}

/** Two directory entries that point at the same bytes. */
function overlapping(content: Uint8Array): Uint8Array {
  const copy = writeZip([packed('a', content), packed('b', content)])
  const view = new DataView(copy.buffer)
  for (let at = copy.length - 22, left = 1; left > 0; at -= 1) {
    if (view.getUint32(at, true) !== 0x02014b50) continue
    view.setUint32(at + 42, 0, true)
    left -= 1
  }
  return copy
}
