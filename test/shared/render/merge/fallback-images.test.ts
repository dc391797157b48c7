import JSZip from 'jszip'
import { afterAll, beforeAll, expect, it } from 'vitest'
import chromium from '../../../../plugins/engines/chromium/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import { type Converter, createConverter } from '../../../../shared/convert/converter.ts'
import { measureImage } from '../../../../shared/images/measure.ts'
import { createRegistry } from '../../../../shared/plugin/registry.ts'
import { mergeWithFiles } from '../../../../shared/render/steps/merge.ts'
import { createPureHasher } from '../../../../shared/services/pure-hasher.ts'
import { mergerOf } from '../../../../shared/template/merge.ts'
import { docxOf, odtOf } from '../../../helpers/docx.ts'
import { originHost } from '../../../helpers/engines.ts'
import { defaultOptions, engine } from '../../../helpers/merge.ts'
import {
  dataUri,
  drawing,
  fixtureUri,
  frame,
  odfParts,
  slidePicture,
  slidesWith,
  svg,
  wordParts,
} from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'

/** Vector pictures from data get a fallback image where the office document itself is returned. */

const converterWith = (plugins: readonly unknown[]): Converter =>
  createConverter({
    registry: createRegistry([...formats, ...(plugins as [])]),
    host: originHost(undefined, formats),
    settings: {},
  })
const bare = converterWith([])
let drawer: Converter
beforeAll(() => {
  drawer = converterWith([chromium])
})
afterAll(() => drawer.stop())

const clock = { now: () => Date.now() }
const outbound = { fetch: () => Promise.reject(new Error('nothing is fetched here')) } as never
const data = {
  svg: dataUri(svg(200, 100, '<text x="20" y="50">Text</text>'), 'image/svg+xml'),
  webp: fixtureUri('lossless.webp'),
  chart: { type: 'echarts@v5', option: { xAxis: {}, yAxis: {}, series: [{ type: 'line', data: [[1, 2]] }] } },
  html: `<p><img src="${dataUri(svg(30, 60), 'image/svg+xml')}"></p>`,
}

async function merged(format: string, bytes: Uint8Array, converter: Converter | undefined) {
  const fallbackImages = converter && {
    converter,
    clock,
    hasher: createPureHasher(),
    deadline: Date.now() + 200_000,
  }
  const { value, warnings } = await mergeWithFiles(
    { merger: mergerOf(engine), outbound, fallbackImages },
    { template: { hash: '', bytes, format }, data: { value: data }, options: defaultOptions },
    new AbortController().signal,
  )
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  const zip = await JSZip.loadAsync(out)
  const files = Object.keys(zip.files).filter((name) => /\/merged\d+\./.test(name))
  const sizes: string[] = []
  for (const name of files.filter((each) => each.endsWith('.png'))) {
    const { width, height } = measureImage(await zip.file(name)!.async('uint8array'))!
    sizes.push(`${width} x ${height}`)
  }
  const kinds = files.map((name) => name.split('.').at(-1)!).sort()
  return { zip, kinds: kinds.join(' '), sizes: sizes.sort().join(', '), warnings }
}

const word = () =>
  docxOf(
    `<w:p>${drawing('{d.svg}')}${drawing('{d.webp}', 2)}${drawing('{d.chart}', 3)}${drawing('{d.svg}', 4)}</w:p><w:p><w:r><w:t>{d.html:html}</w:t></w:r></w:p>`,
    wordParts(),
  )
const slides = () => slidesWith(slidePicture('{d.svg}') + slidePicture('{d.chart}', 14), 'x')
const writer = () =>
  odtOf(
    `<text:p>${frame('{d.svg}')}${frame('{d.webp}', 'b')}</text:p><text:p>{d.html:html}</text:p>`,
    odfParts(),
  )

it.each([
  ['docx', word, 'png png png png svg svg svg', '16 x 8, 1600 x 1067, 1600 x 800, 800 x 1600'],
  ['pptx', slides, 'png png svg svg', '1600 x 1067, 1600 x 800'],
  ['odt', writer, 'png png png svg svg webp', '16 x 8, 1600 x 800, 800 x 1600'],
] as const)('%s', async (format, template, kinds, sizes) => {
  const made = await merged(format, await template(), drawer)
  expect({ kinds: made.kinds, sizes: made.sizes, warnings: made.warnings }).toEqual({
    kinds,
    sizes,
    warnings: [],
  })
})

it('pixels are the picture, the drawing is its extension', async () => {
  const { zip } = await merged('docx', await word(), drawer)
  const xml = await zip.file('word/document.xml')!.async('string')
  const relations = await zip.file('word/_rels/document.xml.rels')!.async('string')
  const target = (id: string | undefined) =>
    new RegExp(`Id="${id}"[^>]*Target="media/merged\\d+\\.(\\w+)"`).exec(relations)?.[1]
  const shown = xml
    .split('</a:blip>')
    .slice(0, -1)
    .map((each) => each.slice(each.lastIndexOf('<a:blip')))
    .map((blip) => [...blip.matchAll(/r:embed="(\w+)"/g)].map(([, id]) => target(id)).join(' '))
  expect(shown).toEqual(['png svg', 'png', 'png svg', 'png svg', 'png svg'])
})

it('without an engine that draws, a warning says what the document lacks', async () => {
  const made = await merged('docx', await word(), bare)
  expect([made.kinds, made.warnings]).toEqual([
    'svg svg svg webp',
    [
      {
        code: 'picture.no-png',
        message:
          '4 pictures have no PNG beside SVG, WebP: older office programs show nothing there. No engine here draws them.',
      },
    ],
  ])
})

it('a document on its way to an engine keeps its lines', async () => {
  const made = await merged('docx', await word(), undefined)
  expect([made.kinds, made.warnings]).toEqual(['svg svg svg webp', []])
})
