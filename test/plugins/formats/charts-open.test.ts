import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chartFrame,
  chartKinds,
  chartParagraph,
  chartXml,
  docxWithCharts,
  pptxWithCharts,
  workbookOf,
} from '../../helpers/charts.ts'
import { docxOf } from '../../helpers/docx.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odfFrame, odfWithCharts } from '../../helpers/odf-charts.ts'
import { drawing, wordParts } from '../../helpers/pictures.ts'
import { pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** LibreOffice draws the charts of a render anew from what it finds: its PDF says which words it found. */

const data = {
  title: 'Highest',
  t: [
    { day: 'Moonday', min: 3, max: 9 },
    { day: 'Sunnyday', min: 4, max: 11 },
    { day: 'Windsday', min: 2, max: 8 },
  ],
  g: [
    { name: 'Alpha', t: [{ day: 'x', v: 1 }] },
    { name: 'Beta', t: [{ day: 'y', v: 2 }] },
  ],
  chart: {
    type: 'echarts@v5',
    option: { title: { text: 'Drawn here' }, series: [{ type: 'pie', data: [{ name: 'Slice', value: 1 }] }] },
  },
}
let folder = ''
let profile = ''
const text = (name: string) =>
  execFileSync('pdftotext', [join(folder, `${name}.pdf`), '-'], { encoding: 'utf8' })

beforeAll(async () => {
  folder = temporaryFolder('platen-charts')
  profile = temporaryFolder('platen-profile')
  await mkdir(folder, { recursive: true })
  const put = async (name: string, format: string, template: Uint8Array) => {
    const { value } = await mergeBytes(template, format, data)
    await writeFile(join(folder, `${name}.${format}`), new Uint8Array(await value.document.arrayBuffer()))
  }
  const workbook = await workbookOf([
    ['', 'Lowest', '{d.title}'],
    ['{d.t[i].day}', '{d.t[i].min}', '{d.t[i].max}'],
    ['{d.t[i+1].day}', '', ''],
  ])
  for (const kind of chartKinds.filter((each) => each !== 'scatter' && each !== 'bubble')) {
    const series = ['B', 'C'].map((column) => ({
      name: { formula: `Data!$${column}$1`, cache: ['x'] },
      categories: { formula: 'Data!$A$2:$A$3', cache: ['', ''] },
      values: { formula: `Data!$${column}$2:$${column}$3`, cache: [0, 0] },
    }))
    const xml = chartXml({ kind, title: `Kind ${kind}`, series })
    await put(`word-${kind}`, 'docx', await docxWithCharts(chartParagraph('rIdC1'), [{ xml, workbook }]))
  }
  const own = await workbookOf([
    ['', 'v'],
    ['{d.g[i].t[i].day}', '{d.g[i].t[i].v}'],
    ['{d.g[i].t[i+1].day}', ''],
  ])
  const spec = {
    kind: 'column',
    title: 'Group {d.g[i].name}',
    series: [
      {
        categories: { formula: 'Data!$A$2:$A$3', cache: ['', ''] },
        values: { formula: 'Data!$B$2:$B$3', cache: [0, 0] },
      },
    ],
  } as const
  await put(
    'slides',
    'pptx',
    await pptxWithCharts(
      [
        [pptxShape(2, pptxParagraph('{d.g[i].name}')) + chartFrame('rIdC1', 3)],
        [pptxShape(2, pptxParagraph('{d.g[i+1].name}'))],
      ],
      [{ xml: chartXml(spec), workbook: own }],
    ),
  )
  const rows = [
    ['', 'Lowest', '{d.title}'],
    ['{d.t[i].day} {bindChart(3)=d.t[i].min} {bindChart(4)=d.t[i].max}', 3, 4],
    ['{d.t[i+1].day}', 5, 6],
  ]
  await put(
    'writer',
    'odt',
    await odfWithCharts('text', `<text:p>${odfFrame(1)}</text:p>`, [{ rows, title: 'Table {d.title}' }]),
  )
  await put('object', 'docx', await docxOf(`<w:p>${drawing('{d.chart}')}</w:p>`, wordParts()))
  await convertFolder(folder, 'pdf', profile)
})

afterAll(async () => {
  for (const each of [folder, profile]) await rm(each, { recursive: true, force: true })
})

describe('LibreOffice draws', () => {
  it.each(['bar', 'column', 'line', 'area', 'radar', 'pie', 'doughnut'])('%s in DOCX', (kind) => {
    const words = text(`word-${kind}`)
    for (const word of [`Kind ${kind}`, 'Moonday', 'Sunnyday', 'Windsday']) expect(words).toContain(word)
    if (kind !== 'pie' && kind !== 'doughnut')
      expect(words).toMatch(/Lowest[\s\S]*Highest|Highest[\s\S]*Lowest/)
  })
  it('a chart on each slide', () => {
    const [first = '', second = ''] = text('slides').split('\f')
    expect(first).toContain('Group Alpha')
    expect(second).toContain('Group Beta')
  })
  it('a chart of ODT from its own table, without the old picture', () => {
    for (const word of ['Table Highest', 'Lowest', 'Highest']) expect(text('writer')).toContain(word)
  })
  it('a chart object', () => {
    for (const word of ['Drawn here', 'Slice']) expect(text('object')).toContain(word)
  })
})
