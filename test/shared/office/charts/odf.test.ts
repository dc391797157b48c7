import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { failure, mergeBytes } from '../../../helpers/merge.ts'
import {
  type OdfChart,
  type OdfKind,
  odfChartOf,
  odfFrame,
  odfWithCharts,
} from '../../../helpers/odf-charts.ts'
import { problemsOf } from '../../../helpers/structure.ts'

const ids = { text: 'odt', presentation: 'odp', spreadsheet: 'ods' } as const

const bodies: Record<OdfKind, (frame: string) => string> = {
  text: (frame) => `<text:p>${frame}</text:p>`,
  presentation: (frame) => `<draw:page draw:name="p1" draw:master-page-name="M">${frame}</draw:page>`,
  spreadsheet: (frame) =>
    `<table:table table:name="S"><table:shapes>${frame}</table:shapes><table:table-column/><table:table-row><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
}

async function rendered(kind: OdfKind, template: Uint8Array, data: unknown): Promise<Uint8Array> {
  const { value, warnings } = await mergeBytes(template, ids[kind], data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  expect(warnings).toEqual([])
  const zip = await JSZip.loadAsync(bytes)
  const manifest = await entryText(bytes, 'META-INF/manifest.xml')
  const listed = [...manifest.matchAll(/full-path="([^"]*[^/"])"/g)].map(([, path]) => path)
  const stored = Object.keys(zip.files).filter(
    (name) => !name.endsWith('/') && name !== 'mimetype' && !name.startsWith('META-INF'),
  )
  expect(listed.sort()).toEqual(stored.sort())
  return bytes
}

const chart = async (bytes: Uint8Array, folder = 'Object 1') =>
  odfChartOf(await entryText(bytes, `${folder}/content.xml`))

const data = {
  title: 'High',
  t: [
    { day: 'Mo', min: 1, max: 5 },
    { day: 'Tu', min: -2.5, max: '6.5' },
    { day: 'We', min: null, max: 7 },
  ],
}
/** Only numbers stand in columns of values: they are bound from the column of text. */
const boundRows: OdfChart['rows'] = [
  ['', 'Low', '{d.title}'],
  ['{d.t[i].day} {bindChart(3) = d.t[i].min} {bindChart( 4.5 )=d.t[i].max:add(1)}', 3, 4.5],
  ['{d.t[i+1].day}{bindChart(5) = d.t[i+1].min}', 5, 6],
]

describe('charts with values bound by number', () => {
  test.each(Object.keys(ids) as OdfKind[])('%s', async (kind) => {
    const template = await odfWithCharts(kind, bodies[kind](odfFrame(1)), [
      { rows: boundRows, title: 'About {d.title}' },
    ])
    const bytes = await rendered(kind, template, data)
    expect(await chart(bytes)).toEqual({
      categories: 'local-table.$A$2:.$A$4',
      series: ['local-table.$B$1 | local-table.$B$2:.$B$4', 'local-table.$C$1 | local-table.$C$2:.$C$4'],
      rows: [
        ["''", "'Low'", "'High'"],
        ["'Mo'", '1', '6'],
        ["'Tu'", '-2.5', '7.5'],
        ["'We'", 'NaN', '8'],
      ],
    })
    const content = await entryText(bytes, 'Object 1/content.xml')
    expect(content).toContain('<text:p>About High</text:p>')
    expect(content).not.toMatch(/ [rcn]="/)
    expect(content).toContain('chart:repeated="3"')
    const document = await entryText(bytes, 'content.xml')
    expect(document).toContain('<draw:object xlink:href="./Object 1"')
    expect(document).not.toContain('draw:image')
  })

  test.each([
    [
      'twice the same number',
      [
        ['', 'a'],
        ['{bindChart(3)=d.a} {bindChart(3)=d.b}', 3],
      ],
      'bound twice',
    ],
    [
      'a number in two cells',
      [
        ['', 'a'],
        ['{bindChart(3)=d.a}', 3],
        ['x', 3],
      ],
      'several cells',
    ],
    [
      'a number in no cell',
      [
        ['', 'a'],
        ['{bindChart(7)=d.a}', 3],
      ],
      'no cell',
    ],
    [
      'no number',
      [
        ['', 'a'],
        ['{bindChart(x)=d.a}', 3],
      ],
      'must be written like',
    ],
  ] as const)('%s is a mistake', async (_, rows, says) => {
    const error = await failure(
      mergeBytes(await odfWithCharts('text', bodies.text(odfFrame(1)), [{ rows }]), 'odt', {}),
    )
    expect(error.code).toBe('template.chart.binding')
    expect(error.message).toContain(says)
    expect(error.problems[0]?.place?.part).toBe('Object 1/content.xml')
  })
})

test('tags in the cells themselves', async () => {
  const rows = [
    ['', '{d.title}'],
    ['{d.t[i].day}', '{d.t[i].min}'],
    ['{d.t[i+1].day}', ''],
  ]
  const bytes = await rendered(
    'text',
    await odfWithCharts('text', bodies.text(odfFrame(1)), [{ rows }]),
    data,
  )
  expect((await chart(bytes)).rows).toEqual([
    ["''", "'High'"],
    ["'Mo'", '1'],
    ["'Tu'", '-2.5'],
    ["'We'", 'NaN'],
  ])
})

test('a series for each item', async () => {
  const rows = [
    ['', '{d.s[i].name}', '{d.s[i+1].name}'],
    ['{d.r[i].q}', '{d.r[i].v[i]}', '{d.r[i].v[i+1]}'],
    ['{d.r[i+1].q}', '{d.r[i+1].v[i]}', ''],
  ]
  const bytes = await rendered('text', await odfWithCharts('text', bodies.text(odfFrame(1)), [{ rows }]), {
    s: [{ name: 'North' }, { name: 'South' }, { name: 'West' }],
    r: [
      { q: 'Q1', v: [1, 2, 3] },
      { q: 'Q2', v: [4, 5, 6] },
    ],
  })
  const { series, rows: written } = await chart(bytes)
  expect(written).toEqual([
    ["''", "'North'", "'South'", "'West'"],
    ["'Q1'", '1', '2', '3'],
    ["'Q2'", '4', '5', '6'],
  ])
  expect(series).toEqual(['B', 'C', 'D'].map((c) => `local-table.$${c}$1 | local-table.$${c}$2:.$${c}$3`))
  const content = await entryText(bytes, 'Object 1/content.xml')
  expect(
    new Set([...content.matchAll(/draw:fill-color="([^"]*)"/g)].map(([, color]) => color)).size,
  ).toBeGreaterThan(2)
})

describe('a chart in a loop', () => {
  const rows = [
    ['', 'v'],
    ['{d.g[i].t[i].day} {bindChart(3)=d.g[i].t[i].v}', 3],
    ['{d.g[i].t[i+1].day} {bindChart(4)=d.g[i].t[i+1].v}', 4],
  ]
  const body = `<text:p>{d.g[i].name}</text:p><text:p>${odfFrame(1)}</text:p><text:p>{d.g[i+1].name}</text:p>`
  const groups = {
    g: [
      { name: 'A', t: [{ day: 'x', v: 1 }] },
      {
        name: 'B',
        t: [
          { day: 'y', v: 2 },
          { day: 'z', v: 3 },
        ],
      },
    ],
  }
  test('has a folder for each copy', async () => {
    const bytes = await rendered(
      'text',
      await odfWithCharts('text', body, [{ rows, title: '{d.g[i].name}' }]),
      groups,
    )
    expect((await chart(bytes)).rows).toEqual([
      ["''", "'v'"],
      ["'x'", '1'],
    ])
    const second = await chart(bytes, 'Object 1_2')
    expect(second.rows).toEqual([
      ["''", "'v'"],
      ["'y'", '2'],
      ["'z'", '3'],
    ])
    expect(second.series).toEqual(['local-table.$B$1 | local-table.$B$2:.$B$3'])
    const manifest = await entryText(bytes, 'META-INF/manifest.xml')
    expect(manifest).toContain(
      'manifest:full-path="Object 1_2/" manifest:media-type="application/vnd.oasis.opendocument.chart"',
    )
    expect(
      [...(await entryText(bytes, 'content.xml')).matchAll(/xlink:href="(\.\/[^"]*)"/g)].map(
        ([, href]) => href,
      ),
    ).toEqual(['./Object 1', './Object 1_2'])
  })
  test('without items leaves nothing behind', async () => {
    const bytes = await rendered('text', await odfWithCharts('text', body, [{ rows }]), { g: [] })
    expect(
      Object.keys((await JSZip.loadAsync(bytes)).files).filter((name) => name.includes('Object')),
    ).toEqual([])
  })
  test('over slides', async () => {
    const pages = `<draw:page draw:name="p1" draw:master-page-name="M"><draw:frame><draw:text-box><text:p>{d.g[i].name}</text:p></draw:text-box></draw:frame>${odfFrame(1)}</draw:page><draw:page draw:name="p2" draw:master-page-name="M"><draw:frame><draw:text-box><text:p>{d.g[i+1].name}</text:p></draw:text-box></draw:frame></draw:page>`
    const bytes = await rendered(
      'presentation',
      await odfWithCharts('presentation', pages, [{ rows }]),
      groups,
    )
    expect((await chart(bytes, 'Object 1_2')).rows.length).toBe(3)
  })
})

test('a chart over the cells of a sheet follows the rows', async () => {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const row = (...cells: string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
  const body = `<table:table table:name="S"><table:shapes>${odfFrame(1)}</table:shapes><table:table-column table:number-columns-repeated="2"/>${row('Day', 'Low')}${row('{d.t[i].day}', '{d.t[i].max:formatN}')}${row('{d.t[i+1].day}', '')}</table:table>`
  const template = await odfWithCharts('spreadsheet', body, [
    { series: [{ values: 'S.$B$2:.$B$3', label: 'S.$B$1' }], categories: 'S.$A$2:.$A$3' },
  ])
  const bytes = await rendered('spreadsheet', template, data)
  expect(await chart(bytes)).toEqual({
    categories: 'S.$A$2:S.$A$4',
    series: ['S.$B$1 | S.$B$2:S.$B$4'],
    rows: [],
  })
})

test('a spreadsheet inside a text document', async () => {
  const inside = `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"><office:body><office:spreadsheet><table:table table:name="T"><table:table-row><table:table-cell office:value-type="string"><text:p>{d.t[i].max:formatN}</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="string"><text:p>{d.t[i+1].max:formatN}</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell table:formula="of:=SUM([.A1:.A2])" office:value-type="float" office:value="0"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
  const template = await odfWithCharts('text', bodies.text(odfFrame(1)), [], {
    'Object 1/content.xml': inside,
  })
  const zip = await JSZip.loadAsync(template)
  const manifest = (await zip.file('META-INF/manifest.xml')!.async('string')).replace(
    '</manifest:manifest>',
    '<manifest:file-entry manifest:full-path="Object 1/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
  )
  zip.file('META-INF/manifest.xml', manifest)
  const bytes = await rendered('text', await zip.generateAsync({ type: 'uint8array' }), data)
  const content = await entryText(bytes, 'Object 1/content.xml')
  expect([...content.matchAll(/office:value="([^"]*)"/g)].map(([, value]) => value)).toEqual([
    '5',
    '6.5',
    '7',
  ])
  expect(content).toContain('of:=SUM([.A1:.A3])')
})
