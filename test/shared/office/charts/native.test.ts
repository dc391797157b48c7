import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import {
  type ChartSpec,
  chartFrame,
  chartKinds,
  chartParagraph,
  chartXml,
  type DocumentChart,
  docxWithCharts,
  pptxWithCharts,
  seriesOf,
  workbookOf,
} from '../../../helpers/charts.ts'
import { entryText, paragraph } from '../../../helpers/docx.ts'
import { failure, mergeBytes } from '../../../helpers/merge.ts'
import { pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'
import { readCells, xlsxOf } from '../../../helpers/xlsx.ts'

const weather = {
  place: 'Oslo',
  title: 'Max & more',
  t: [
    { day: 'Mo', min: 1, max: 5, at: 10, size: 3 },
    { day: 'Tu', min: -2.5, max: '6.5', at: 20, size: 4 },
    { day: 'We', min: null, max: 7, at: 30, size: 5 },
  ],
}

async function rendered(body: string, charts: readonly DocumentChart[], data: unknown): Promise<Uint8Array> {
  const { value, warnings } = await mergeBytes(await docxWithCharts(body, charts), 'docx', data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  expect(warnings).toEqual([])
  return bytes
}

const drawn = async (bytes: Uint8Array, at: number | string = 1) =>
  seriesOf(await entryText(bytes, `word/charts/chart${at}.xml`))

async function cellsOf(bytes: Uint8Array, at: number | string = 1): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(bytes)
  return readCells(await zip.file(`word/embeddings/Microsoft_Excel_Sheet${at}.xlsx`)!.async('uint8array'))
}

const rows = [
  ['', 'Low', '{d.title}'],
  ['{d.t[i].day}', '{d.t[i].min}', '{d.t[i].max}'],
  ['{d.t[i+1].day}', '{d.t[i+1].min}', '{d.t[i+1].max}'],
] as const

/** As a word processor leaves it: text in cells of values is 0 in the chart. */
const twoSeries = (kind: ChartSpec['kind']): ChartSpec => ({
  kind,
  title: 'Weather in {d.place}',
  series: ['B', 'C'].map((column, at) => ({
    name: { formula: `Data!$${column}$1`, cache: [at === 0 ? 'Low' : '{d.title}'] },
    categories: { formula: 'Data!$A$2:$A$3', cache: ['{d.t[i].day}', '{d.t[i+1].day}'] },
    values: { formula: `Data!$${column}$2:$${column}$3`, cache: [0, 0] },
    color: `accent${at + 1}`,
  })),
})

describe('charts whose workbook holds the tags', () => {
  test.each(chartKinds.filter((kind) => kind !== 'scatter' && kind !== 'bubble'))('%s', async (kind) => {
    const bytes = await rendered(
      chartParagraph('rIdC1'),
      [{ xml: chartXml(twoSeries(kind)), workbook: await workbookOf(rows) }],
      weather,
    )
    expect(await drawn(bytes)).toEqual([
      ['Data!$B$1 (1): 0=Low', 'Data!$A$2:$A$4 (3): 0=Mo 1=Tu 2=We', 'Data!$B$2:$B$4 (3): 0=1 1=-2.5'],
      [
        'Data!$C$1 (1): 0=Max &amp; more',
        'Data!$A$2:$A$4 (3): 0=Mo 1=Tu 2=We',
        'Data!$C$2:$C$4 (3): 0=5 1=6.5 2=7',
      ],
    ])
    expect(await cellsOf(bytes)).toEqual({
      B1: "'Low'",
      C1: "'Max & more'",
      A2: "'Mo'",
      B2: '1',
      C2: '5',
      A3: "'Tu'",
      B3: '-2.5',
      C3: '6.5',
      A4: "'We'",
      C4: '7',
    })
    expect(await entryText(bytes, 'word/charts/chart1.xml')).toContain('<a:t>Weather in Oslo</a:t>')
  })

  test.each(['scatter', 'bubble'] as const)('%s', async (kind) => {
    const xml = chartXml({
      kind,
      series: [
        {
          categories: { formula: 'Data!$A$2:$A$3', cache: [0, 0] },
          values: { formula: 'Data!$B$2:$B$3', cache: [0, 0] },
          ...(kind === 'bubble' ? { sizes: { formula: 'Data!$C$2:$C$3', cache: [0, 0] } } : {}),
        },
      ],
    })
    const workbook = await workbookOf([
      ['x', 'y', 'size'],
      ['{d.t[i].at}', '{d.t[i].max}', '{d.t[i].size}'],
      ['{d.t[i+1].at}', '', ''],
    ])
    const bytes = await rendered(chartParagraph('rIdC1'), [{ xml, workbook }], weather)
    expect(await drawn(bytes)).toEqual([
      [
        'Data!$A$2:$A$4 (3): 0=10 1=20 2=30',
        'Data!$B$2:$B$4 (3): 0=5 1=6.5 2=7',
        ...(kind === 'bubble' ? ['Data!$C$2:$C$4 (3): 0=3 1=4 2=5'] : []),
      ],
    ])
  })

  test('rows behind the loop that hold nothing are no points', async () => {
    const spec = twoSeries('line')
    const wide = chartXml({
      ...spec,
      series: spec.series.map((each) => ({
        ...each,
        categories: { formula: 'Data!$A$2:$A$9', cache: [''] },
        values: { ...each.values, formula: each.values.formula.replace('$3', '$9') },
      })),
    })
    const bytes = await rendered(
      chartParagraph('rIdC1'),
      [{ xml: wide, workbook: await workbookOf(rows) }],
      weather,
    )
    expect((await drawn(bytes))[1]![2]).toBe('Data!$C$2:$C$4 (3): 0=5 1=6.5 2=7')
  })

  test('dates of the sample become words', async () => {
    const spec = twoSeries('column')
    const xml = chartXml(spec).replace(
      /<c:cat><c:strRef>(.*?)<c:strCache>.*?<\/c:strCache><\/c:strRef><\/c:cat>/gs,
      '<c:cat><c:numRef>$1<c:numCache><c:formatCode>m/d/yyyy</c:formatCode><c:ptCount val="1"/><c:pt idx="0"><c:v>45000</c:v></c:pt></c:numCache></c:numRef></c:cat>',
    )
    const bytes = await rendered(
      chartParagraph('rIdC1'),
      [{ xml, workbook: await workbookOf(rows) }],
      weather,
    )
    expect((await drawn(bytes))[0]![1]).toBe('Data!$A$2:$A$4 (3): 0=Mo 1=Tu 2=We')
    const chart = await entryText(bytes, 'word/charts/chart1.xml')
    expect(chart).toContain('<c:cat><c:strRef>')
    expect(chart).not.toContain('m/d/yyyy')
  })

  test('no items: no points', async () => {
    const workbook = await workbookOf(rows)
    const bytes = await rendered(
      chartParagraph('rIdC1'),
      [{ xml: chartXml(twoSeries('column')), workbook }],
      { t: [] },
    )
    expect(await drawn(bytes)).toEqual([
      ['Data!$B$1 (1): 0=Low', 'Data!$A$2:$A$3 (0): ', 'Data!$B$2:$B$3 (0): '],
      ['Data!$C$1 (1): ', 'Data!$A$2:$A$3 (0): ', 'Data!$C$2:$C$3 (0): '],
    ])
  })

  test('aliases, sorting, filters and formatters', async () => {
    const workbook = await workbookOf([
      ['{#row=d.t[max,i,min!=null]}{#next=d.t[max+1,i+1,min!=null]}', 'Low'],
      ['{$row.day:upperCase}', '{$row.min:add(1):formatN}'],
      ['{$next.day}', ''],
    ])
    const xml = chartXml({
      kind: 'line',
      series: [
        {
          categories: { formula: 'Data!$A$2:$A$3', cache: ['', ''] },
          values: { formula: 'Data!$B$2:$B$3', cache: [0, 0] },
        },
      ],
    })
    const bytes = await rendered(chartParagraph('rIdC1'), [{ xml, workbook }], weather)
    expect(await drawn(bytes)).toEqual([['Data!$A$2:$A$3 (2): 0=MO 1=TU', 'Data!$B$2:$B$3 (2): 0=2 1=-1.5']])
  })

  test('a series for each item, in columns', async () => {
    // Rows and columns at once.
    const both = await workbookOf([
      ['', '{d.s[i].name}', '{d.s[i+1].name}'],
      ['{d.r[i].q}', '{d.r[i].v[i]}', '{d.r[i].v[i+1]}'],
      ['{d.r[i+1].q}', '{d.r[i+1].v[i]}', ''],
    ])
    const spec = twoSeries('column')
    const id =
      '<c:extLst><c:ext uri="{C3380CC4-5D6E-409C-BE32-E72D297353CC}" xmlns:c16="http://schemas.microsoft.com/office/drawing/2014/chart"><c16:uniqueId val="{00000000-1111-2222-3333-444444444444}"/></c:ext></c:extLst>'
    const xml = chartXml({ kind: 'column', series: spec.series }).replaceAll('</c:ser>', `${id}</c:ser>`)
    const bytes = await rendered(chartParagraph('rIdC1'), [{ xml, workbook: both }], {
      s: [{ name: 'North' }, { name: 'South' }, { name: 'West' }],
      r: [
        { q: 'Q1', v: [1, 2, 3] },
        { q: 'Q2', v: [4, 5, 6] },
      ],
    })
    expect(await drawn(bytes)).toEqual([
      ['Data!$B$1 (1): 0=North', 'Data!$A$2:$A$3 (2): 0=Q1 1=Q2', 'Data!$B$2:$B$3 (2): 0=1 1=4'],
      ['Data!$C$1 (1): 0=South', 'Data!$A$2:$A$3 (2): 0=Q1 1=Q2', 'Data!$C$2:$C$3 (2): 0=2 1=5'],
      ['Data!$D$1 (1): 0=West', 'Data!$A$2:$A$3 (2): 0=Q1 1=Q2', 'Data!$D$2:$D$3 (2): 0=3 1=6'],
    ])
    const chart = await entryText(bytes, 'word/charts/chart1.xml')
    expect(
      [...chart.matchAll(/<c:ser><c:idx val="(\d+)"\/><c:order val="(\d+)"/g)].map(([, a, b]) => `${a}${b}`),
    ).toEqual(['00', '11', '22'])
    expect(chart).not.toMatch(/uniqueId|<c:extLst/)
    expect([...chart.matchAll(/accent\d/g)].map(([name]) => name)).toEqual(['accent1', 'accent2', 'accent3'])
  })
})

test('a table in the workbook follows its rows and its heads', async () => {
  const table =
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Table1" displayName="Table1" ref="A1:C3" totalsRowShown="0"><tableColumns count="3"><tableColumn id="1" name="Day"/><tableColumn id="2" name="Low"/><tableColumn id="3" name="{d.title}"/></tableColumns></table>'
  const workbook = await xlsxOf({
    sheets: [
      {
        name: 'Data',
        cells: {
          A1: 'Day',
          B1: 'Low',
          C1: '{d.title}',
          A2: '{d.t[i].day}',
          B2: '{d.t[i].min}',
          C2: '{d.t[i].max}',
          A3: '{d.t[i+1].day}',
        },
        after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        relationships: [{ id: 'rId1', type: 'table', target: '../tables/table1.xml' }],
      },
    ],
    extra: { 'xl/tables/table1.xml': table },
    types: {
      'xl/tables/table1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
    },
  })
  const bytes = await rendered(
    chartParagraph('rIdC1'),
    [{ xml: chartXml(twoSeries('column')), workbook }],
    weather,
  )
  expect((await drawn(bytes))[1]).toEqual([
    'Data!$C$1 (1): 0=Max &amp; more',
    'Data!$A$2:$A$4 (3): 0=Mo 1=Tu 2=We',
    'Data!$C$2:$C$4 (3): 0=5 1=6.5 2=7',
  ])
  const zip = await JSZip.loadAsync(bytes)
  const inner = await zip.file('word/embeddings/Microsoft_Excel_Sheet1.xlsx')!.async('uint8array')
  expect(await problemsOf(inner)).toEqual([])
  const written = await entryText(inner, 'xl/tables/table1.xml')
  expect(written).toContain('ref="A1:C4"')
  expect(written).toContain('name="Max &amp; more"')
})

describe('charts that hold the tags themselves', () => {
  const spec: ChartSpec = {
    kind: 'column',
    workbook: false,
    series: [
      {
        name: { formula: 'label 0', cache: ['{d.title}'] },
        categories: { formula: 'categories', cache: ['{d.t[i].day}', '{d.t[i+1].day}'] },
        values: { formula: '0', cache: ['{d.t[i].min:formatN(2)}', '{d.t[i+1].min}'] },
      },
    ],
  }
  test('points are numbered, gaps stay gaps', async () => {
    const bytes = await rendered(chartParagraph('rIdC1'), [{ xml: chartXml(spec) }], weather)
    expect(await drawn(bytes)).toEqual([
      ['label 0 (1): 0=Max &amp; more', 'categories (3): 0=Mo 1=Tu 2=We', '0 (3): 0=1 1=-2.5'],
    ])
  })

  test('addresses of a workbook without tags grow with the points', async () => {
    const series = spec.series.map((each) => ({
      ...each,
      categories: { formula: 'Data!$A$2:$A$3', cache: each.categories!.cache },
      values: { formula: 'Data!$B$2:$B$3', cache: each.values.cache },
    }))
    const bytes = await rendered(
      chartParagraph('rIdC1'),
      [{ xml: chartXml({ ...spec, workbook: true, series }), workbook: await workbookOf([['a', 'b']]) }],
      weather,
    )
    expect(await drawn(bytes)).toEqual([
      [
        'label 0 (1): 0=Max &amp; more',
        'Data!$A$2:$A$4 (3): 0=Mo 1=Tu 2=We',
        'Data!$B$2:$B$4 (3): 0=1 1=-2.5',
      ],
    ])
  })

  test('a series for each item', async () => {
    const each = (index: string): ChartSpec['series'][number] => ({
      name: { formula: 'label 0', cache: [`{d.s[${index}].name}`] },
      categories: { formula: 'categories', cache: ['a', 'b'] },
      values: { formula: '0', cache: [`{d.s[${index}].a}`, `{d.s[${index}].b}`] },
    })
    const xml = chartXml({ kind: 'line', workbook: false, series: [each('i'), each('i+1')] })
    const bytes = await rendered(chartParagraph('rIdC1'), [{ xml }], {
      s: [
        { name: 'x', a: 1, b: 2 },
        { name: 'y', a: 3, b: 4 },
      ],
    })
    expect(await drawn(bytes)).toEqual([
      ['label 0 (1): 0=x', 'categories (2): 0=a 1=b', '0 (2): 0=1 1=2'],
      ['label 0 (1): 0=y', 'categories (2): 0=a 1=b', '0 (2): 0=3 1=4'],
    ])
    const chart = await entryText(bytes, 'word/charts/chart1.xml')
    expect([...chart.matchAll(/<c:idx val="(\d+)"/g)].map(([, n]) => n)).toEqual(['0', '1'])
  })
})

describe('a chart in a loop', () => {
  const regions = {
    regions: [
      { name: 'North', t: [{ day: 'a', v: 1 }] },
      {
        name: 'South',
        t: [
          { day: 'b', v: 2 },
          { day: 'c', v: 3 },
        ],
      },
      { name: 'West', t: [] },
    ],
  }
  const xml = chartXml({
    kind: 'column',
    title: '{d.regions[i].name}',
    series: [
      {
        categories: { formula: 'Data!$A$2:$A$3', cache: ['', ''] },
        values: { formula: 'Data!$B$2:$B$3', cache: [0, 0] },
      },
    ],
  })
  const workbook = workbookOf([
    ['', 'v'],
    ['{d.regions[i].t[i].day}', '{d.regions[i].t[i].v}'],
    ['{d.regions[i].t[i+1].day}', ''],
  ])
  const expected = [
    ['Data!$A$2 (1): 0=a', 'Data!$B$2 (1): 0=1'],
    ['Data!$A$2:$A$3 (2): 0=b 1=c', 'Data!$B$2:$B$3 (2): 0=2 1=3'],
    ['Data!$A$2:$A$3 (0): ', 'Data!$B$2:$B$3 (0): '],
  ]

  test.each([
    [
      'below its heading',
      `${paragraph('{d.regions[i].name}')}${chartParagraph('rIdC1')}${paragraph('{d.regions[i+1].name}')}`,
    ],
    ['alone: its own tags begin the loop', `${chartParagraph('rIdC1')}${paragraph('{d.regions[i+1].name}')}`],
  ])('%s', async (_, body) => {
    const bytes = await rendered(body, [{ xml, workbook: await workbook }], regions)
    for (const [at, name] of ['1', '1_2', '1_3'].entries()) {
      expect(await drawn(bytes, name)).toEqual([expected[at]])
      expect(await entryText(bytes, `word/charts/chart${name}.xml`)).toContain(
        `<a:t>${regions.regions[at]!.name}</a:t>`,
      )
      expect((await cellsOf(bytes, name))['A2']).toBe(
        regions.regions[at]!.t[0] && `'${regions.regions[at]!.t[0].day}'`,
      )
    }
    const document = await entryText(bytes, 'word/document.xml')
    expect(new Set([...document.matchAll(/<c:chart [^>]*r:id="([^"]*)"/g)].map(([, id]) => id)).size).toBe(3)
  })

  test('that never runs leaves nothing behind', async () => {
    const body = `${paragraph('{d.regions[i].name}')}${chartParagraph('rIdC1')}${paragraph('{d.regions[i+1].name}')}`
    const bytes = await rendered(body, [{ xml, workbook: await workbook }], { regions: [] })
    const zip = await JSZip.loadAsync(bytes)
    expect(Object.keys(zip.files).filter((name) => /chart|embed/.test(name))).toEqual([])
    expect(await entryText(bytes, 'word/_rels/document.xml.rels')).not.toContain('chart')
  })

  test('a chart without tags is copied too', async () => {
    const plain = chartXml({
      kind: 'pie',
      workbook: false,
      series: [{ values: { formula: '0', cache: [1, 2] } }],
    })
    const body = `${paragraph('{d.regions[i].name}')}${chartParagraph('rIdC1')}${paragraph('{d.regions[i+1].name}')}`
    const bytes = await rendered(body, [{ xml: plain }], regions)
    for (const name of ['1', '1_2', '1_3']) expect(await drawn(bytes, name)).toEqual([['0 (2): 0=1 1=2']])
  })
})

test('mistakes name the part they stand in', async () => {
  const xml = chartXml({ ...twoSeries('line'), title: '{d.x:upercase}' })
  const workbook = await workbookOf([
    ['', 'v'],
    ['{d.t[i].day}', '{d.t[i].v}'],
  ])
  const error = await failure(
    mergeBytes(await docxWithCharts(chartParagraph('rIdC1'), [{ xml, workbook }]), 'docx', {}),
  )
  expect(error.problems?.map(({ code, place }) => [code, place?.part]).sort()).toEqual([
    ['template.formatter.unknown', 'word/charts/chart1.xml'],
    ['template.loop.unclosed', 'word/embeddings/Microsoft_Excel_Sheet1.xlsx: xl/worksheets/sheet1.xml'],
  ])
})

test('a chart without tags stays as it is, byte for byte', async () => {
  const xml = chartXml({ kind: 'pie', series: [{ values: { formula: 'Data!$B$2', cache: [1] } }] })
  const workbook = await workbookOf([
    ['', 'v'],
    ['a', 1],
  ])
  const bytes = await rendered(paragraph('{d.place}') + chartParagraph('rIdC1'), [{ xml, workbook }], weather)
  expect(await entryText(bytes, 'word/charts/chart1.xml')).toBe(xml)
  const zip = await JSZip.loadAsync(bytes)
  expect(await zip.file('word/embeddings/Microsoft_Excel_Sheet1.xlsx')!.async('uint8array')).toEqual(workbook)
})

describe('PPTX', () => {
  const spec: ChartSpec = {
    kind: 'column',
    title: '{d.regions[i].name}',
    series: [
      {
        categories: { formula: 'Data!$A$2:$A$3', cache: ['', ''] },
        values: { formula: 'Data!$B$2:$B$3', cache: [0, 0] },
      },
    ],
  }
  const workbook = workbookOf([
    ['', 'v'],
    ['{d.regions[i].t[i].day}', '{d.regions[i].t[i].v}'],
    ['{d.regions[i].t[i+1].day}', ''],
  ])
  const two = {
    regions: [
      { name: 'North', t: [{ day: 'a', v: 1 }] },
      { name: 'South', t: [{ day: 'b', v: 2 }] },
    ],
  }

  async function slides(data: unknown): Promise<Uint8Array> {
    const template = await pptxWithCharts(
      [
        [pptxShape(2, pptxParagraph('{d.regions[i].name}')) + chartFrame('rIdC1', 3)],
        [pptxShape(2, pptxParagraph('{d.regions[i+1].name}'))],
      ],
      [{ xml: chartXml(spec), workbook: await workbook }],
    )
    const { value } = await mergeBytes(template, 'pptx', data)
    const bytes = new Uint8Array(await value.document.arrayBuffer())
    expect(await problemsOf(bytes)).toEqual([])
    return bytes
  }

  test('a chart on a slide that repeats', async () => {
    const bytes = await slides(two)
    const chart = async (name: string) => seriesOf(await entryText(bytes, `ppt/charts/${name}.xml`))
    expect(await chart('chart1')).toEqual([['Data!$A$2 (1): 0=a', 'Data!$B$2 (1): 0=1']])
    expect(await chart('chart1_2')).toEqual([['Data!$A$2 (1): 0=b', 'Data!$B$2 (1): 0=2']])
    const zip = await JSZip.loadAsync(bytes)
    const owners = Object.keys(zip.files).filter((name) => /slides\/_rels/.test(name))
    const targets = await Promise.all(
      owners.map(async (name) =>
        [...(await entryText(bytes, name)).matchAll(/chart\d\w*\.xml/g)].map(String),
      ),
    )
    expect(targets).toEqual([['chart1.xml'], ['chart1_2.xml']])
  })

  test('a slide that is never made has no chart in the package', async () => {
    const zip = await JSZip.loadAsync(await slides({ regions: [] }))
    expect(Object.keys(zip.files).filter((name) => /chart|embed|slides\//.test(name))).toEqual([])
  })
})

describe('cells with formulas', () => {
  const over = (column: string, maxRows = 3): ChartSpec => ({
    kind: 'column',
    series: [
      {
        categories: { formula: `Data!$A$2:$A$${maxRows}`, cache: ['', ''] },
        values: { formula: `Data!$${column}$2:$${column}$${maxRows}`, cache: [0, 0] },
      },
    ],
  })
  const values = async (cells: readonly (readonly (string | number)[])[], column: string, data: unknown) => {
    const chart = { xml: chartXml(over(column)), workbook: await workbookOf(cells as never) }
    const [series = []] = await drawn(await rendered(chartParagraph('rIdC1'), [chart], data))
    return series.at(-1)
  }
  test('are worked out for the chart', async () => {
    const cells = [
      ['', 'min', 'max', 'spread'],
      ['{d.t[i].day}', '{d.t[i].min}', '{d.t[i].max}', '=C2-B2'],
      ['{d.t[i+1].day}', '', '', ''],
    ]
    expect(await values(cells, 'D', weather)).toBe('Data!$D$2:$D$4 (3): 0=4 1=9 2=7')
  })
  test('sums that go on from row to row, and over all', async () => {
    const cells = [
      ['', 'v', 'sum', 'share'],
      ['{d.t[i].day}', '{d.t[i].at:formatN}', '=SUM(B$2:B2)', '=ROUND(C2/SUM(B$2:B$3),2)'],
      ['{d.t[i+1].day}', '', '', ''],
    ]
    expect(await values(cells, 'D', weather)).toBe('Data!$D$2:$D$4 (3): 0=0.17 1=0.5 2=1')
  })
  test('one that waits for itself has no value', async () => {
    const cells = [
      ['', 'v'],
      ['{d.t[i].day}', '=B2+1'],
      ['{d.t[i+1].day}', ''],
    ]
    expect(await values(cells, 'B', weather)).toBe('Data!$B$2:$B$4 (3): ')
  })
  test('six thousand rows, whose addresses are left out', async () => {
    const t = Array.from({ length: 6_000 }, (_, n) => ({ day: `d${n}`, at: n }))
    const cells = [
      ['', 'v', 'sum'],
      ['{d.t[i].day}', '{d.t[i].at}', '=B2*2'],
      ['{d.t[i+1].day}', '', ''],
    ]
    const found = await values(cells, 'C', { t })
    expect(found?.slice(0, 40)).toBe('Data!$C$2:$C$6001 (6000): 0=0 1=2 2=4 3=')
    expect(found?.slice(-20)).toBe(' 5998=11996 5999=11998'.slice(-20))
  })
})
