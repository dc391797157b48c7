import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import plugin from '../../../../plugins/engines/tables/index.ts'
import { readSheets } from '../../../../plugins/engines/tables/read-sheets.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import { testHost } from '../../../helpers/host.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const host = testHost()
const engine = plugin.create({}, host)
const folder = temporaryFolder('tables-test')

const text = (value: string) =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
const number = (value: number | string) =>
  `<table:table-cell office:value-type="float" office:value="${value}"/>`
const date = (value: string) => `<table:table-cell office:value-type="date" office:date-value="${value}"/>`
const truth = (value: boolean) =>
  `<table:table-cell office:value-type="boolean" office:boolean-value="${value}"/>`
const nothing = '<table:table-cell/>'
const row = (...cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const sheet = (name: string, ...rows: readonly string[]) =>
  `<table:table table:name="${name}">${rows.join('')}</table:table>`

async function ods(content: string): Promise<Uint8Array> {
  const zip = new JSZip()
  const space = 'urn:oasis:names:tc:opendocument:xmlns:'
  zip.file('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
  zip.file(
    'content.xml',
    `<office:document-content xmlns:office="${space}office:1.0" xmlns:table="${space}table:1.0" xmlns:text="${space}text:1.0"><office:body><office:spreadsheet>${content}</office:spreadsheet></office:body></office:document-content>`,
  )
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

const sales = sheet(
  'Sales',
  row(text('Größe'), text('Count'), text('Price'), text('Since'), text('At'), text('Open'), text('Mixed')),
  row(
    text('M'),
    number(20),
    number(12.5),
    date('2026-11-21'),
    date('2026-11-21T10:30:00'),
    truth(true),
    text('x'),
  ),
  row(text('L'), number(-3), number('1e-3'), date('1969-12-31'), date('2026-01-01'), truth(false), number(7)),
  row(nothing, number(0), nothing, nothing, nothing, nothing, date('2026-02-03')),
)

async function convert(content: string, to: string) {
  const job = {
    source: fromBytes(await ods(content)),
    from: 'ods',
    to,
    options: { names: [] },
    deadline: Date.now() + 200_000,
  }
  const outcome = await engine.convert(job, new AbortController().signal)
  return { bytes: await bytesOf(outcome.value), warnings: outcome.warnings.map(({ message }) => message) }
}
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : String(error)),
  )

describe('Parquet', () => {
  const read = async (bytes: Uint8Array) =>
    parquetReadObjects({
      file: { byteLength: bytes.length, slice: (from, to) => bytes.slice(from, to).buffer },
    })

  it('holds rows with the types of their columns', async () => {
    const { bytes } = await convert(sales, 'parquet')
    expect(await read(bytes)).toEqual([
      {
        Größe: 'M',
        Count: 20n,
        Price: 12.5,
        Since: new Date('2026-11-21'),
        At: new Date('2026-11-21T10:30:00Z'),
        Open: true,
        Mixed: 'x',
      },
      {
        Größe: 'L',
        Count: -3n,
        Price: 0.001,
        Since: new Date('1969-12-31'),
        At: new Date('2026-01-01T00:00:00Z'),
        Open: false,
        Mixed: '7',
      },
      { Größe: null, Count: 0n, Price: null, Since: null, At: null, Open: null, Mixed: '2026-02-03' },
    ])
    const schema = parquetSchema(parquetMetadata(bytes.slice().buffer)).children.map(({ element }) => [
      element.name,
      element.type,
      element.logical_type?.type,
    ])
    expect(schema).toEqual([
      ['Größe', 'BYTE_ARRAY', 'STRING'],
      ['Count', 'INT64', undefined],
      ['Price', 'DOUBLE', undefined],
      ['Since', 'INT32', 'DATE'],
      ['At', 'INT64', 'TIMESTAMP'],
      ['Open', 'BOOLEAN', undefined],
      ['Mixed', 'BYTE_ARRAY', 'STRING'],
    ])
  })

  it('names columns as the sheet does where the first row is no head, and each name once', async () => {
    const plain = await convert(sheet('S', row(number(1), text('a')), row(number(2), text('b'))), 'parquet')
    expect(await read(plain.bytes)).toEqual([
      { A: 1n, B: 'a' },
      { A: 2n, B: 'b' },
    ])
    const twice = await convert(sheet('S', row(text('n'), text('n')), row(number(1), number(2))), 'parquet')
    expect(await read(twice.bytes)).toEqual([{ n: 1n, n_2: 2n }])
  })

  it('warns that it holds only the first sheet', async () => {
    expect((await convert(sales + sheet('More', row(number(1))), 'parquet')).warnings).toEqual([
      'The document has 2 pages or sheets; parquet shows only the first.',
    ])
  })
})

describe('dBase', () => {
  /** Reads a file by its own description of itself. */
  function readDbf(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const head = view.getUint16(8, true)
    const size = view.getUint16(10, true)
    const latin = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to))
    const fields = Array.from({ length: (head - 33) / 32 }, (_, at) => {
      const start = 32 + at * 32
      return {
        name: latin(start, start + 11).replace(/\0+$/, ''),
        type: latin(start + 11, start + 12),
        width: bytes[start + 16] ?? 0,
        decimals: bytes[start + 17] ?? 0,
      }
    })
    const rows = Array.from({ length: view.getUint32(4, true) }, (_, at) => {
      let from = head + at * size + 1
      return fields.map(({ width }) => latin(from, (from += width)))
    })
    return { fields, rows, complete: bytes.length === head + rows.length * size + 1 }
  }

  it('holds rows in typed fields', async () => {
    const { fields, rows, complete } = readDbf((await convert(sales, 'dbf')).bytes)
    expect(complete).toBe(true)
    expect(fields.map(({ name, type, width, decimals }) => `${name} ${type} ${width} ${decimals}`)).toEqual([
      'GROSSE C 1 0',
      'COUNT N 2 0',
      'PRICE N 6 3',
      'SINCE D 8 0',
      'AT C 19 0',
      'OPEN L 1 0',
      'MIXED C 10 0',
    ])
    expect(rows).toEqual([
      ['M', '20', '12.500', '20261121', '2026-11-21 10:30:00', 'T', 'x         '],
      ['L', '-3', ' 0.001', '19691231', '2026-01-01         ', 'F', '7         '],
      [' ', ' 0', '      ', '        ', '                   ', ' ', '2026-02-03'],
    ])
  })

  it('refuses what would have to be cut', async () => {
    const long = sheet('S', row(text('Note')), row(text('x'.repeat(255))))
    expect(await codeOf(convert(long, 'dbf'))).toBe(
      'convert.failed: Tables could not convert ods to dbf: a text in row 1 of column Note has more than 254 bytes.',
    )
    expect(await codeOf(convert(sheet('S'), 'dbf'))).toContain('its first sheet is empty')
    const wide = sheet('S', row(...Array.from({ length: 256 }, () => number(1))))
    expect(await codeOf(convert(wide, 'dbf'))).toContain('more than 255 columns')
  })

  it('keeps numbers that are too long for its fields as text', async () => {
    const { fields, rows } = readDbf(
      (await convert(sheet('S', row(number('1.5e22')), row(number(2))), 'dbf')).bytes,
    )
    expect(fields[0]?.type).toBe('C')
    expect(rows.map(([value]) => value?.trim())).toEqual(['1.5e+22', '2'])
  })
})

describe('Numbers', () => {
  it('holds the values of all sheets', async () => {
    const { bytes } = await convert(sales + sheet('More', row(text('second'))), 'numbers')
    const zip = await JSZip.loadAsync(bytes)
    expect(Object.keys(zip.files)).toContain('Index/Document.iwa')
    // Other free programs see the tables and none of the values: the format is read by its writer here.
    const { read, utils } = await import('@e965/xlsx')
    const book = read(bytes, { cellDates: true, UTC: true })
    expect(book.SheetNames).toEqual(['Sales', 'More'])
    const rows = utils.sheet_to_json(book.Sheets['Sales'] ?? {}, { header: 1, UTC: true })
    expect(rows.slice(0, 2)).toEqual([
      ['Größe', 'Count', 'Price', 'Since', 'At', 'Open', 'Mixed'],
      [
        'M',
        20,
        expect.closeTo(12.5, 12),
        new Date('2026-11-21'),
        new Date('2026-11-21T10:30:00Z'),
        true,
        'x',
      ],
    ])
    expect(utils.sheet_to_json(book.Sheets['More'] ?? {}, { header: 1 })).toEqual([['second']])
  })

  it('keeps sheets that are empty', async () => {
    const { bytes } = await convert(
      sheet('None', '') + sheet('Gap', row('')) + sheet('Some', row(text('x'))),
      'numbers',
    )
    const { read, utils } = await import('@e965/xlsx')
    const book = read(bytes)
    expect(book.SheetNames).toEqual(['None', 'Gap', 'Some'])
    expect(utils.sheet_to_json(book.Sheets['Some'] ?? {}, { header: 1 })).toEqual([['x']])
  })
})

describe('the XML of Excel 2003', () => {
  it('is read by an office: values, kinds, gaps, sheets', async () => {
    const gaps = sheet(
      'More: a/b',
      row(number(1)),
      '<table:table-row table:number-rows-repeated="2"/>',
      row(nothing, text('a &lt;b&gt; &amp; "c"')),
    )
    const { bytes } = await convert(sales + gaps, 'ooxml')
    writeFileSync(join(folder, 'made.xml'), bytes)
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    const args = [profile, '--headless', '--convert-to', 'fods', '--outdir', folder, join(folder, 'made.xml')]
    execFileSync('soffice', args, { stdio: 'ignore' })
    const read = readFileSync(join(folder, 'made.fods'), 'utf8')
    for (const found of [
      'Größe',
      'office:value="12.5"',
      'office:value="-3"',
      'office:date-value="2026-11-21"',
      'office:date-value="2026-11-21T10:30:00"',
      'table:name="More_ a_b"',
      'a &lt;b&gt; &amp; &quot;c&quot;',
    ])
      expect(read).toContain(found)
  })
})

describe('sheets as they are read', () => {
  const cellsOf = async (content: string) =>
    readSheets(await ods(content), host.codec).map(({ name, rows }) => [
      name,
      rows.map((cells) => cells.map((cell) => cell?.value)),
    ])
  it.each([
    [
      'repeated cells and rows',
      sheet(
        'S',
        `<table:table-row table:number-rows-repeated="2">${number(1).replace('/>', ' table:number-columns-repeated="3"/>')}</table:table-row>`,
      ),
      [
        [
          'S',
          [
            [1, 1, 1],
            [1, 1, 1],
          ],
        ],
      ],
    ],
    [
      'gaps, and nothing behind the content',
      sheet(
        'S',
        row(
          nothing.replace('/>', ' table:number-columns-repeated="2"/>'),
          number(1),
          nothing.replace('/>', ' table:number-columns-repeated="16000"/>'),
        ),
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>',
      ),
      [['S', [[undefined, undefined, 1]]]],
    ],
    [
      'empty rows between',
      sheet('S', row(number(1)), '<table:table-row table:number-rows-repeated="2"/>', row(number(2))),
      [['S', [[1], [], [], [2]]]],
    ],
    [
      'groups of rows',
      sheet(
        'S',
        `<table:table-header-rows>${row(number(1))}</table:table-header-rows><table:table-row-group>${row(number(2))}</table:table-row-group>`,
      ),
      [['S', [[1], [2]]]],
    ],
    [
      'text in pieces',
      sheet(
        'S',
        row(
          '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>a<text:s text:c="2"/><text:span>b</text:span><text:tab/>&amp;</text:p><text:p>c</text:p></table:table-cell>',
        ),
      ),
      [['S', [['a  b\t&\nc']]]],
    ],
    [
      'covered cells',
      sheet(
        'S',
        row(number(1), '<table:covered-table-cell office:value-type="float" office:value="9"/>', number(2)),
      ),
      [['S', [[1, undefined, 2]]]],
    ],
    [
      'several sheets',
      sheet('A', row(number(1))) + sheet('B'),
      [
        ['A', [[1]]],
        ['B', []],
      ],
    ],
    [
      'percentages and currencies',
      sheet(
        'S',
        row(
          '<table:table-cell office:value-type="percentage" office:value="0.5"/>',
          '<table:table-cell office:value-type="currency" office:value="3"/>',
        ),
      ),
      [['S', [[0.5, 3]]]],
    ],
  ])('%s', async (_, content, expected) => {
    expect(await cellsOf(content)).toEqual(expected)
  })

  it.each([
    [
      'a bomb of repeated cells',
      sheet(
        'S',
        `<table:table-row table:number-rows-repeated="1000000">${number(1).replace('/>', ' table:number-columns-repeated="16000"/>')}</table:table-row>`,
      ),
      'more than 5000000 cells',
    ],
    [
      'more rows than there can be',
      sheet('S', '<table:table-row table:number-rows-repeated="9000000"/>', row(number(1))),
      'more rows than a sheet can have',
    ],
    [
      'more columns than there can be',
      sheet('S', row(number(1).replace('/>', ' table:number-columns-repeated="20000"/>'))),
      'more columns than a sheet can have',
    ],
    ['no sheet at all', '', 'it has no sheet'],
  ])('%s ends in a document error', async (_, content, because) => {
    expect(await codeOf(convert(content, 'parquet'))).toMatch(new RegExp(`^convert.document: .*${because}`))
  })

  it('rubbish ends in a typed error', async () => {
    for (const bytes of [
      new Uint8Array(0),
      Uint8Array.from({ length: 500 }, (_, at) => at & 255),
      (await ods(sales)).subarray(0, 300),
    ]) {
      const job = {
        source: fromBytes(bytes),
        from: 'ods',
        to: 'parquet',
        options: { names: [] },
        deadline: 0,
      }
      expect(await codeOf(engine.convert(job, new AbortController().signal))).toMatch(/^package\./)
    }
  })
})
