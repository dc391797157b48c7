import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isEncryptedDocument } from '../../../../shared/office/incoming/encrypted.ts'
import { docxOf, paragraph } from '../../../helpers/docx.ts'

const sealed = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/office/sealed.${name}`, import.meta.url)))

/** A document of Word as a presentation: its main stream, which begins in this sector, is renamed and gets this token. */
function presentation(token: number): Uint8Array {
  const bytes = sealed('doc')
  const buffer = Buffer.from(bytes.buffer)
  const wide = (name: string) => Buffer.from(name, 'utf16le')
  buffer.set(wide('Current User'), buffer.indexOf(wide('WordDocument')))
  buffer.writeUInt32LE(token, buffer.indexOf(Buffer.from([0xec, 0xa5])) + 12)
  return bytes
}

/** A document with other bytes in place of some that occur in it. */
function replaced(name: string, from: readonly number[], to: readonly number[]): Uint8Array {
  const bytes = sealed(name)
  const at = Buffer.from(bytes.buffer).indexOf(Buffer.from(from))
  expect(at).toBeGreaterThan(0)
  bytes.set(to, at)
  return bytes
}

describe('documents with a password', () => {
  it.each(['docx', 'xlsx', 'pptx', 'doc', 'xls'])('%s', (name) => {
    expect(isEncryptedDocument(sealed(name))).toBe(true)
  })

  it('a presentation of PowerPoint 97 to 2003', () => {
    expect(isEncryptedDocument(presentation(0xf3d1c4df))).toBe(true)
    expect(isEncryptedDocument(presentation(0xe391c05f))).toBe(false)
  })

  it.each([
    ['a document of Word without the flag', () => replaced('doc', [0xf0, 0x13], [0xf0, 0x12])],
    ['a workbook without the record', () => replaced('xls', [0x2f, 0, 0x36, 0], [0xe1, 0, 0x36, 0])],
    [
      'a package with a stream of another name',
      () =>
        replaced(
          'docx',
          [0x45, 0, 0x6e, 0, 0x63, 0, 0x72, 0, 0x79, 0, 0x70, 0, 0x74, 0, 0x65, 0, 0x64, 0, 0x50],
          [0x46],
        ),
    ],
    ['a package', () => docxOf(paragraph('x'))],
    ['the beginning of a compound file', () => sealed('docx').subarray(0, 700)],
    ['nothing', () => new Uint8Array(0)],
  ] as const)('not %s', async (_, source) => {
    expect(isEncryptedDocument(await source())).toBe(false)
  })
})
