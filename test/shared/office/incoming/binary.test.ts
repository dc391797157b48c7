import { describe, expect, it } from 'vitest'
import { editCompound } from '../../../../shared/office/incoming/binary.ts'
import { joinRanges, openCompound } from '../../../../shared/office/incoming/compound.ts'
import { ScannedContent } from '../../../../shared/office/incoming/findings.ts'
import { XmlFault } from '../../../../shared/xml/cursor.ts'
import {
  compoundOf,
  encodedAddress,
  latin,
  record,
  u16,
  u32,
  wide,
  xlsWithBook,
} from '../../../helpers/compound.ts'

const url = 'http://10.0.0.1/a'
const bytesOf = (...values: readonly number[]) => Uint8Array.from(values)

function edited(file: Uint8Array) {
  const findings = new ScannedContent()
  const made = editCompound(file, findings)
  expect(made?.length ?? file.length).toBe(file.length)
  return { made, warnings: findings.warnings().map(({ message }) => message) }
}
const told = (kind: string) => [
  `One link of the document to ${kind === 'object' ? 'an' : 'a'} ${kind} outside of it was not followed.`,
]
/** What stands in one stream, in either encoding, without the bytes between letters. */
function textOf(file: Uint8Array | undefined, name: string): string {
  const stream = openCompound(file ?? new Uint8Array()).find((other) => other.name === name)
  const bytes = joinRanges(file ?? new Uint8Array(), stream?.ranges ?? [])
  return Buffer.from(bytes.filter((byte) => byte !== 0)).toString('latin1')
}

describe('compound files', () => {
  it('are read stream by stream', () => {
    const streams = { A: bytesOf(...Array.from({ length: 9_000 }, (_, n) => n % 251)), B: bytesOf(1, 2, 3) }
    const file = compoundOf(streams)
    const read = openCompound(file).map(({ name, ranges }) => [name, joinRanges(file, ranges)] as const)
    expect(read.map(([name]) => name)).toEqual(['A', 'B'])
    expect(read[0]?.[1].subarray(0, 9_000)).toEqual(streams.A)
  })

  it.each([
    ['is cut off', (file: Uint8Array) => file.subarray(0, 100)],
    ['leads in circles', (file: Uint8Array) => file.fill(2, 520, 521)],
    ['leads behind its end', (file: Uint8Array) => file.fill(0x7f, 49, 51)],
  ])('are refused where one %s', (_name, damage) => {
    const file = compoundOf({ A: new Uint8Array(5_000), B: new Uint8Array(5_000), C: new Uint8Array(5_000) })
    expect(() => openCompound(damage(file))).toThrow(XmlFault)
  })
})

const workbook = (...records: readonly number[][]) =>
  compoundOf({
    Workbook: bytesOf(...record(0x0809, ...u16(0x0600, 5, 0, 0), ...u32(0), ...u32(6)), ...records.flat()),
  })
const oldWorkbook = (...records: readonly number[][]) =>
  compoundOf({ Book: bytesOf(...record(0x0809, ...u16(0x0500, 5, 0, 0)), ...records.flat()) })

describe('links of Excel workbooks', () => {
  it.each([
    ['another workbook', () => xlsWithBook(encodedAddress(url)), 'table'],
    [
      'a program',
      () => workbook(record(0x01ae, ...u16(0, 20), 1, ...wide(`soffice\u0003${url}`))),
      'data source',
    ],
    [
      'a page that is asked for',
      () => workbook(record(0x00dc, ...u16(1)), record(0x00cd, ...u16(url.length), 0, ...latin(url))),
      'data source',
    ],
    [
      'a pivot table of another workbook',
      () => workbook(record(0x0051, ...u32(0), ...u16(0, url.length + 1), 0, 1, ...latin(url))),
      'data source',
    ],
    [
      'a function of a server',
      () => workbook(record(0x0018, ...u16(0, 0), 1, ...wide(`_xlfn.WEBSERVICE`), ...latin('WEB'))),
      'data source',
    ],
    [
      'another workbook of Excel 95',
      () => oldWorkbook(record(0x0017, url.length + 1, 1, ...latin(url))),
      'table',
    ],
  ])('are overwritten: %s', (_name, make, kind) => {
    const file = make()
    const { made, warnings } = edited(file)
    const text = ['Workbook', 'Book'].map((name) => textOf(made, name)).join('')
    expect(text).not.toMatch(/10\.0\.0\.1|WEBSERVICE/)
    expect(warnings).toEqual(told(kind))
  })

  it.each([
    ['its own sheets', () => workbook(record(0x01ae, ...u16(1, 0x0401)))],
    ['functions of add-ins', () => workbook(record(0x01ae, ...u16(1, 0x3a01)))],
    [
      'a pivot table of its own',
      () => workbook(record(0x0051, ...u32(0), ...u16(0, 2), 0, 2, ...latin('S'))),
    ],
    ['links that people click', () => workbook(record(0x01b8, ...wide(url)))],
    ['other functions', () => workbook(record(0x0018, ...u16(0, 0), 0, ...latin('_xlfn.CONCAT')))],
    ['its own sheets in Excel 95', () => oldWorkbook(record(0x0017, 2, 3, ...latin('S')))],
    [
      'what is encrypted',
      () => workbook(record(0x002f, 0), record(0x01ae, ...u16(1, 3), 0, ...latin('abc'))),
    ],
  ])('stay: %s', (_name, make) => {
    expect(edited(make())).toEqual({ made: undefined, warnings: [] })
  })
})

const atom = (type: number, ...content: readonly number[]) => [
  ...u16(0, type),
  ...u32(content.length),
  ...content,
]
const container = (type: number, ...content: readonly number[]) => [
  ...u16(0x0f, type),
  ...u32(content.length),
  ...content,
]
const slides = (...records: readonly number[]) => compoundOf({ 'PowerPoint Document': bytesOf(...records) })
const pictureName = (id: number, name: string) =>
  container(
    0xf004,
    ...u16(0x13, 0xf00b),
    ...u32(6 + 2 * name.length),
    ...u16(0xc000 | id),
    ...u32(2 * name.length),
    ...wide(name),
  )

describe('links of PowerPoint presentations', () => {
  it.each([
    [
      'a linked document',
      container(0x0fce, ...atom(0x0fc3, ...Array(24).fill(9)), ...atom(0x0fba, ...wide(url))),
      'object',
    ],
    ['a film', container(0x1006, ...container(0x1005, ...atom(0x0fba, ...wide(url)))), 'sound or film'],
    ['a sound', container(0x1010, ...atom(0x0fba, ...wide(url))), 'sound or film'],
    ['a picture', pictureName(0x105, url), 'picture'],
    ['a filling', pictureName(0x187, url), 'picture'],
  ])('are overwritten: %s', (_name, records, kind) => {
    const { made, warnings } = edited(slides(...container(0x03e8, ...container(0x0409, ...records))))
    expect(textOf(made, 'PowerPoint Document')).not.toContain('10.0.0.1')
    expect(warnings).toEqual(told(kind))
  })

  it.each([
    ['links that people click', container(0x0fd7, ...atom(0x0fba, ...wide(url)))],
    ['text', atom(0x0fba, ...wide(url))],
  ])('stay: %s', (_name, records) => {
    expect(edited(slides(...records))).toEqual({ made: undefined, warnings: [] })
  })

  it('are not reported where a picture only has a name', () => {
    expect(edited(slides(...pictureName(0x105, 'logo.png'))).warnings).toEqual([])
  })

  it('are refused where drawings lie in each other', () => {
    const drawing = [...u16(0xfff3, 0xf00b), ...u32(40_000)]
    const many = Uint8Array.from({ length: 80_000 }, (_, at) => drawing[at % 8] ?? 0)
    expect(() => edited(compoundOf({ 'PowerPoint Document': many }))).toThrow(XmlFault)
  })
})

describe('links of Word documents', () => {
  const text = (code: readonly number[]) => {
    const document = new Uint8Array(2_048)
    document.set(code, 1_024)
    return compoundOf({ WordDocument: document })
  }
  it.each([
    ['in one byte a character', latin(`\u0013 INCLUDETEXT "${url}"\u0014old\u0015`)],
    ['in two', wide(`\u0013 INCLUDETEXT "${url}"\u0014old\u0015`)],
    ['around another field', latin(`\u0013INCLUDETEXT "\u0013PAGE\u00141\u0015${url}"\u0014old\u0015`)],
  ])('are overwritten %s', (_name, code) => {
    const { made, warnings } = edited(text(code))
    expect(textOf(made, 'WordDocument')).toMatch(/^[^.]*\u0013 [^.]*\u0014old\u0015/)
    expect(warnings).toEqual(told('text'))
  })

  it('stay where people click them, and as text', () => {
    const code = latin(`\u0013HYPERLINK "${url}"\u0014INCLUDETEXT\u0015 INCLUDETEXT`)
    expect(edited(text(code))).toEqual({ made: undefined, warnings: [] })
  })
})

it('linked objects forget their source', () => {
  const file = compoundOf({ '\u0001Ole': bytesOf(...u32(0x02000001), ...u32(1), ...latin(url)) })
  const { made, warnings } = edited(file)
  expect(textOf(made, '\u0001Ole')).not.toContain('10.0.0.1')
  expect(warnings).toEqual(told('object'))
})
