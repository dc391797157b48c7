import { describe, expect, test } from 'vitest'
import odg from '../../../plugins/formats/odg/index.ts'
import pdf from '../../../plugins/formats/pdf/index.ts'
import { recognizedFormats } from '../../../plugins/formats/recognized/index.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import { compoundOf } from '../../helpers/compound.ts'

const txt = defineFormat({
  kind: 'format',
  id: 'txt',
  family: 'text',
  extensions: ['txt'],
  mime: ['text/plain'],
  sniff: async () => 'maybe',
})
const csv = defineFormat({
  kind: 'format',
  id: 'csv',
  family: 'spreadsheet',
  extensions: ['csv'],
  mime: ['text/csv'],
  sniff: async () => 'maybe',
})
const registry = createRegistry([pdf, ...recognizedFormats, odg, txt, csv])

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const mimetype = (type: string) => bytes(`PK\x03\x04${'\0'.repeat(22)}\x08\0\0\0mimetype${type}PK`)

const cases: readonly (readonly [
  name: string,
  bytes: Uint8Array,
  hint: object,
  expected: string | undefined,
])[] = [
  ['pdf by magic', bytes('%PDF-1.7\n'), {}, 'pdf'],
  ['content wins over a wrong name', bytes('%PDF-1.7\n'), { name: 'a.docx' }, 'pdf'],
  ['rtf', bytes('{\\rtf1\\ansi'), {}, 'rtf'],
  ['png', bytes('\x89PNG\r\n\x1a\n'), {}, 'png'],
  ['webp', bytes('RIFF....WEBPVP8 '), {}, 'webp'],
  ['odg', mimetype('application/vnd.oasis.opendocument.graphics'), {}, 'odg'],
  ['otg is not odg', mimetype('application/vnd.oasis.opendocument.graphics-template'), {}, 'otg'],
  ['text by name', bytes('a;b;c'), { name: 'C:\\data\\list.CSV' }, 'csv'],
  ['text by media type', bytes('a;b;c'), { mime: 'text/csv; charset=utf-8' }, 'csv'],
  ['name before media type', bytes('a;b;c'), { name: 'x.txt', mime: 'text/csv' }, 'txt'],
  ['a format known by name only is believed for text', bytes('ID;PWXL;N;E'), { name: 'x.slk' }, 'slk'],
  ['an extension alone', bytes('ID;PWXL;N;E'), { name: 'slk' }, 'slk'],
  ['nothing said', bytes('hello'), {}, 'txt'],
]

describe('sniff', () => {
  for (const [name, content, hint, expected] of cases) {
    test(name, async () => {
      expect((await registry.sniff(fromBytes(content), hint))?.id).toBe(expected)
    })
  }

  for (const format of recognizedFormats.filter((one) => one.sniff !== undefined)) {
    test(`${format.id} survives every short and odd input`, async () => {
      for (const content of [new Uint8Array(0), new Uint8Array(1), new Uint8Array(4096).fill(255)]) {
        expect(await format.sniff?.(fromBytes(content))).toBe('no')
      }
    })
  }

  test('an OLE file is recognised by its directory', async () => {
    const file = compoundOf({ Workbook: bytes('content') })
    expect((await registry.sniff(fromBytes(file), { name: 'letter.doc' }))?.id).toBe('xls')
  })
})

describe('createRegistry', () => {
  test('finds formats by every extension', () => {
    expect(registry.formatByExtension('.JPEG')?.id).toBe('jpg')
    expect(registry.formatByExtension('xls5')?.id).toBe('xls5')
    expect(registry.formatByExtension('nope')).toBeUndefined()
  })
  test('refuses two plugins of one name', () => {
    expect(() => createRegistry([txt, txt])).toThrow('Two format plugins are called "txt".')
  })
})
