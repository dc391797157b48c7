import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../shared/bytes.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits, type Limits } from '../../../shared/limits.ts'
import { hasZipEntry } from '../../../shared/office/sniff.ts'
import { openZip } from '../../../shared/office/zip.ts'
import { writeZip } from '../../../shared/office/zip-writer.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
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

function changed(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = bytes.slice()
  copy[offset] = value
  return copy
}

/** The offset of the extra field of the first entry in the central directory of `inZip64Records`. */
function firstExtra(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer)
  const start = Number(view.getBigUint64(bytes.length - 98 + 48, true))
  return start + 46 + view.getUint16(start + 28, true)
}

/** Rewrites the table of contents of a package, so that each number that may be in a record of ZIP64 is in one. */
function inZip64Records(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - 22
  const count = view.getUint16(end + 10, true)
  const start = view.getUint32(end + 16, true)
  const parts: Uint8Array[] = [bytes.subarray(0, start)]
  let offset = start
  for (let entry = 0; entry < count; entry++) {
    const length = 46 + view.getUint16(offset + 28, true)
    const head = bytes.slice(offset, offset + length)
    const headView = new DataView(head.buffer)
    const extra = new DataView(new ArrayBuffer(28))
    extra.setUint16(0, 1, true)
    extra.setUint16(2, 24, true)
    for (const [at, field] of [24, 20, 42].entries()) {
      extra.setBigUint64(4 + 8 * at, BigInt(headView.getUint32(field, true)), true)
      headView.setUint32(field, 0xffffffff, true)
    }
    headView.setUint16(30, 28, true)
    parts.push(head, new Uint8Array(extra.buffer))
    offset += length + view.getUint16(offset + 30, true)
  }
  const size = parts.slice(1).reduce((sum, part) => sum + part.length, 0)
  const tail = new DataView(new ArrayBuffer(56 + 20 + 22))
  tail.setUint32(0, 0x06064b50, true)
  tail.setBigUint64(4, 44n, true)
  tail.setBigUint64(24, BigInt(count), true)
  tail.setBigUint64(32, BigInt(count), true)
  tail.setBigUint64(40, BigInt(size), true)
  tail.setBigUint64(48, BigInt(start), true)
  tail.setUint32(56, 0x07064b50, true)
  tail.setBigUint64(64, BigInt(start + size), true)
  tail.setUint32(72, 1, true)
  tail.setUint32(76, 0x06054b50, true)
  for (const field of [84, 86]) tail.setUint16(field, 0xffff, true)
  for (const field of [88, 92]) tail.setUint32(field, 0xffffffff, true)
  return concatBytes([...parts, new Uint8Array(tail.buffer)], start + size + tail.byteLength)
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

  /** A package as programs write it that do not know sizes beforehand: all numbers are in records of ZIP64. */
  const long = inZip64Records(good)
  const zip64Cases: readonly (readonly [
    name: string,
    bytes: Uint8Array,
    code: string,
    limits?: Partial<Limits>,
  ])[] = [
    ['a good one with records of ZIP64', long, 'fine'],
    ['ZIP64 without its end record', changed(long, long.length - 22 - 20, 0), 'package.damaged'],
    ['ZIP64 whose end record is elsewhere', changed(long, long.length - 22 - 20 + 8, 1), 'package.damaged'],
    [
      'ZIP64 with an offset beyond 2 ** 53',
      changed(long, long.length - 22 - 20 + 15, 255),
      'package.damaged',
    ],
    ['ZIP64 with 2 ** 24 entries', changed(long, long.length - 98 + 35, 1), 'package.unsupported'],
    ['ZIP64 on another disk', changed(long, long.length - 98 + 16, 1), 'package.unsupported'],
    ['ZIP64 with an entry of 16 GB', changed(long, firstExtra(long) + 4 + 4, 4), 'package.too-dense'],
    ['ZIP64 with a packed size of 16 GB', changed(long, firstExtra(long) + 4 + 12, 4), 'package.damaged'],
    ['ZIP64 without the numbers of an entry', changed(long, firstExtra(long), 9), 'package.damaged'],
    ['ZIP64 with too few numbers', changed(long, firstExtra(long) + 2, 8), 'package.damaged'],
  ]
  for (const [name, bytes, code, limits] of zip64Cases)
    it(name, () => expect(codeOf(bytes, limits)).toBe(code))

  it('a package with records of ZIP64 is recognised and merged', async () => {
    expect(await hasZipEntry(fromBytes(long), (name) => name.startsWith('word/'))).toBe(true)
    const merged = await Promise.all([long, good].map((bytes) => mergeBytes(bytes, 'docx', { v: 'x' })))
    const [first, second] = await Promise.all(merged.map(({ value }) => bytesOf(value.document)))
    expect(first).toEqual(second)
  })

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
