import JSZip from 'jszip'
import { expect, it } from 'vitest'
import { chartParagraph, docxWithCharts, workbookOf } from '../../../helpers/charts.ts'
import { paragraph } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { problemsOf } from '../../../helpers/structure.ts'

/** Charts of Office 2016: waterfall, treemap, sunburst, histogram, funnel. */
const dimension = (kind: 'strDim' | 'numDim', formula: string, points: readonly string[]) =>
  `<cx:${kind} type="${kind === 'strDim' ? 'cat' : 'val'}"><cx:f>${formula}</cx:f><cx:lvl ptCount="${points.length}"${kind === 'numDim' ? ' formatCode="0.0"' : ''}>${points.map((text, at) => `<cx:pt idx="${at}">${text}</cx:pt>`).join('')}</cx:lvl></cx:${kind}>`
const part = (dimensions: string, layout = 'waterfall') =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><cx:chartData><cx:externalData r:id="rId1" cx:autoUpdate="0"/><cx:data id="0">${dimensions}</cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>{d.title}</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="${layout}"><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`

async function merged(body: string, xml: string, rows: Parameters<typeof workbookOf>[0], data: unknown) {
  const zip = await JSZip.loadAsync(await docxWithCharts(body, [{ xml, workbook: await workbookOf(rows) }]))
  const change = async (name: string, from: string, to: string) =>
    zip.file(name, (await zip.file(name)!.async('string')).replaceAll(from, to))
  await change(
    'word/_rels/document.xml.rels',
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart',
    'http://schemas.microsoft.com/office/2014/relationships/chartEx',
  )
  await change(
    '[Content_Types].xml',
    'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
    'application/vnd.ms-office.chartex+xml',
  )
  const { value } = await mergeBytes(await zip.generateAsync({ type: 'uint8array' }), 'docx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  return JSZip.loadAsync(out)
}
const shown = (xml: string) =>
  [...xml.matchAll(/<cx:f>([^<]*)<\/cx:f>(.*?)<\/cx:(?:str|num)Dim>/g)].map(
    ([, formula, levels = '']) =>
      `${formula} ${[...levels.matchAll(/<cx:lvl ptCount="(\d+)"[^>]*>(.*?)<\/cx:lvl>/g)].map(([, count, points = '']) => `${count}: ${[...points.matchAll(/idx="(\d+)">([^<]*)/g)].map(([, at, text]) => `${at}=${text}`).join(' ')}`).join(' | ')}`,
  )

it('values and addresses are those of the workbook', async () => {
  const xml = part(
    dimension('strDim', 'Data!$A$2:$A$3', ['{d.t[i].n}', '{d.t[i+1].n}']) +
      dimension('numDim', 'Data!$B$2:$B$3', ['0', '0']),
  )
  const rows = [
    ['', 'v'],
    ['{d.t[i].n}', '{d.t[i].v}'],
    ['{d.t[i+1].n}', ''],
  ]
  const data = {
    title: 'A & B',
    t: [
      { n: 'x', v: 1 },
      { n: 'y', v: null },
      { n: 'z', v: '2.5' },
    ],
  }
  const zip = await merged(chartParagraph('rIdC1'), xml, rows, data)
  const chart = await zip.file('word/charts/chart1.xml')!.async('string')
  expect(shown(chart)).toEqual(['Data!$A$2:$A$4 3: 0=x 1=y 2=z', 'Data!$B$2:$B$4 3: 0=1 2=2.5'])
  expect(chart).toContain('<cx:v>A &amp; B</cx:v>')
  expect(chart).toContain('formatCode="0.0"')
})

it('levels of a treemap, the innermost first', async () => {
  const xml = part(
    dimension('strDim', 'Data!$A$2:$B$3', ['', '']) + dimension('numDim', 'Data!$C$2:$C$3', ['0', '0']),
    'treemap',
  )
  const rows = [
    ['', '', 'v'],
    ['{d.t[i].g}', '{d.t[i].n}', '{d.t[i].v}'],
    ['{d.t[i+1].g}', '', ''],
  ]
  const zip = await merged(chartParagraph('rIdC1'), xml, rows, {
    t: [
      { g: 'G', n: 'a', v: 1 },
      { g: '', n: 'b', v: 2 },
    ],
  })
  expect(shown(await zip.file('word/charts/chart1.xml')!.async('string'))).toEqual([
    'Data!$A$2:$B$3 2: 0=a 1=b | 2: 0=G',
    'Data!$C$2:$C$3 2: 0=1 1=2',
  ])
})

it('one in a loop has parts of its own for each item', async () => {
  const xml = part(dimension('numDim', 'Data!$A$1:$A$2', ['1', '2']))
  const body = `${paragraph('{d.t[i].n}')}${chartParagraph('rIdC1')}${paragraph('{d.t[i+1].n}')}`
  const zip = await merged(body, xml, [[1], [2]], { title: 't', t: [{ n: 'x' }, { n: 'y' }] })
  const names = Object.keys(zip.files).filter((name) => /charts\/chart|embeddings\/./.test(name))
  expect(names.sort()).toEqual([
    'word/charts/chart1.xml',
    'word/charts/chart1_2.xml',
    'word/embeddings/Microsoft_Excel_Sheet1.xlsx',
    'word/embeddings/Microsoft_Excel_Sheet1_2.xlsx',
  ])
  const types = await zip.file('[Content_Types].xml')!.async('string')
  expect(types).toContain('"/word/charts/chart1_2.xml" ContentType="application/vnd.ms-office.chartex+xml"')
})
