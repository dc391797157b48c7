import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { docxOf, entryText, odtOf } from '../../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../../helpers/merge.ts'
import { drawing, frame, odfParts, slidePicture, slidesWith, wordParts } from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'

const option = {
  title: { text: 'Sales & more' },
  xAxis: { type: 'category', data: ['Q1', 'Q2'] },
  yAxis: {},
  series: [{ type: 'bar', name: 'a', data: [3, 5], label: { show: true, position: 'top' } }],
}
const typed = { type: 'echarts@v5a', width: 500, height: 250, theme: null, option }

async function pictureOf(
  template: Promise<Uint8Array>,
  format: string,
  data: unknown,
): Promise<string | undefined> {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  expect(warnings).toEqual([])
  const zip = await JSZip.loadAsync(bytes)
  const name = Object.keys(zip.files).find((each) => /merged\d+\.svg$/.test(each))
  return name === undefined ? undefined : zip.file(name)!.async('string')
}

const templates: readonly (readonly [string, (alt: string) => Promise<Uint8Array>])[] = [
  ['docx', (alt) => docxOf(`<w:p>${drawing(alt)}</w:p>`, wordParts())],
  ['odt', (alt) => odtOf(`<text:p>${frame(alt)}</text:p>`, odfParts())],
  ['pptx', (alt) => slidesWith(slidePicture(alt), 'https://example.com')],
]

describe.each(templates)('a chart object in %s', (format, template) => {
  it('is drawn in the place of the tag', async () => {
    const svg = await pictureOf(template('{d.v:chart}'), format, { v: { option } })
    expect(svg).toContain('width="600" height="400"')
    expect(svg).toContain('>Sales &amp; more</text>')
  })
  it('is drawn without the formatter when it names its type', async () => {
    expect(await pictureOf(template('{d.v}'), format, { v: typed })).toContain('width="500" height="250"')
  })
  it.each([
    ['no object', 3],
    ['no option', { type: 'echarts@v5' }],
    ['another library', { type: 'other@v1', option }],
    ['an unknown chart', { type: 'echarts@v5', option: { series: [{ type: 'map' }] } }],
    [
      'axes that are missing',
      { type: 'echarts@v5', option: { series: [{ type: 'line', xAxisIndex: 7, data: [1] }] } },
    ],
  ])('%s: a neutral picture', async (_, v) => {
    expect(await pictureOf(template('{d.v:chart}'), format, { v })).toBeUndefined()
  })
})

it.each([
  ['html', '<img src="{d.v:chart}">'],
  ['md', '![a]({d.v:chart})'],
])('anything but a chart becomes a neutral picture in %s too', async (format, template) => {
  for (const v of [null, 'abc', { type: 'echarts@v5' }])
    expect(await mergeText(template, { v }, { format })).toMatch(/data:image\/png;base64,[\w+/=]{100,}/)
})

it('equal charts are stored once', async () => {
  const body = `<w:p>${drawing('{d.l[i].v:chart}')}</w:p><w:p>{d.l[i+1]}</w:p>`
  const { value } = await mergeBytes(await docxOf(body, wordParts()), 'docx', {
    l: [{ v: { option } }, { v: { option } }, { v: { option: { ...option, title: { text: 'other' } } } }],
  })
  const zip = await JSZip.loadAsync(await value.document.arrayBuffer())
  expect(Object.keys(zip.files).filter((name) => name.endsWith('.svg')).length).toBe(2)
})

describe('as data URI', () => {
  it.each([
    ['html', '<img src="{d.v:chart}">'],
    ['html', '<img src="{d.v}">'],
    ['md', '![x]({d.v:chart})'],
  ])('%s: %s', async (format, template) => {
    const out = await mergeText(template, { v: typed }, { format })
    const encoded = /data:image\/svg\+xml;base64,([A-Za-z0-9+/=]+)/.exec(out)?.[1] ?? ''
    expect(Buffer.from(encoded, 'base64').toString()).toContain('Sales &amp; more')
  })
})

it('a value stored while the library was loaded is not seen twice', async () => {
  const template = '{d.n:set(c.list[].n)}<img src="{d.v}">{c.list:len}'
  const text = JSON.stringify({ n: 1, v: typed })
  const { value } = await mergeBytes(new TextEncoder().encode(template), 'html', JSON.parse(text), {
    complement: { text: '{"list":[]}' },
  })
  expect(new TextDecoder().decode(new Uint8Array(await value.document.arrayBuffer()))).toMatch(/>1$/)
})

it('a text is drawn where no picture can stand', async () => {
  expect(await mergeText('<a>{d.v:chart}</a>', { v: typed })).toBe('<a></a>')
  expect(await entryText(await docxOf('<w:p/>'), 'word/document.xml')).toContain('<w:p/>')
})

it('the same chart is the same file', async () => {
  const areas = { data: [[1, 2]], type: 'line', areaStyle: { color: { type: 'linear', colorStops: [] } } }
  const data = { x: { type: 'echarts@v5', option: { xAxis: {}, yAxis: {}, series: [areas] } } }
  const page = () => mergeText('<img src="{d.x}">', data, { format: 'html' })
  expect(await page()).toBe(await page())
})
