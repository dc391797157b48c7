import JSZip from 'jszip'
import { expect, it } from 'vitest'
import { docxOf, odtOf } from '../../../helpers/docx.ts'
import { failure, mergeBytes, mergeText } from '../../../helpers/merge.ts'
import { dataUri, drawing, frame, odfParts, wordParts } from '../../../helpers/pictures.ts'
import { plainPng } from '../../../helpers/png.ts'
import { problemsOf } from '../../../helpers/structure.ts'
import { xlsxOf } from '../../../helpers/xlsx.ts'

/** Rich content that means harm: each ends soon, in a sound document. */
async function merge(format: string, template: Promise<Uint8Array>, data: unknown): Promise<Uint8Array> {
  const { value } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  return out
}
const data = { c: 'CC0000', b: '0000FF', v: 'x'.repeat(1_000_000) }
const many = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('')

it('thousands of colour tags in one paragraph, and as many around each other', async () => {
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  await merge(
    'docx',
    docxOf(`<w:p>${many(8_000, (n) => run(n % 2 === 0 ? '{d.c:color}' : 'x'))}</w:p>`),
    data,
  )
  await merge(
    'docx',
    docxOf(many(4_000, (n) => `<w:p>${run(`{d.c:color}{d.b:color(p, background)}${n}`)}</w:p>`)),
    data,
  )
  await merge(
    'odt',
    odtOf(many(4_000, (n) => `<text:p>{d.c:color}{d.b:color(p, background)}${n}</text:p>`)),
    data,
  )
  const items = many(2_000, () => run('{d.l[i].c:color}')) + run('{d.l[i+1].c}')
  await merge('docx', docxOf(`<w:p>${items}</w:p>`), { l: [data] })
})

it('a colour of its own for each of twenty thousand rows', async () => {
  const l = Array.from({ length: 20_000 }, (_, n) => ({ n, c: n.toString(16).padStart(6, '0') }))
  const template = xlsxOf({
    sheets: [{ name: 'S', cells: { A1: '{d.l[i].n}{d.l[i].c:color(row, background)}', A2: '{d.l[i+1].n}' } }],
  })
  await merge('xlsx', template, { l })
})

/** A few bytes that say they are 30,000 by 30,000. */
function hugePng(): Uint8Array {
  const bytes = plainPng(2, 2)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  view.setUint32(16, 30_000)
  view.setUint32(20, 30_000)
  return bytes
}

it('pictures that are a page, a bomb, nothing', async () => {
  const sources = [
    dataUri(plainPng(2, 2).fill(0x7f, 16, 18), 'image/png'), // says that it is two billion wide
    dataUri(hugePng(), 'image/png'),
    dataUri('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect', 'image/svg+xml'),
    dataUri(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(50_000)}</svg>`, 'image/svg+xml'),
    'data:image/png;base64,PGh0bWw+',
    `data:image/svg+xml,${'%3Cg%3E'.repeat(10_000)}`,
    `data:image/png;base64,${'A'.repeat(5_000_000)}`,
    'file:///etc/passwd',
    'data:',
    `http://${'a'.repeat(100_000)}`,
  ]
  const body = `<w:p>${drawing('{d.l[i].x}')}</w:p><w:p>${drawing('{d.l[i+1].x}', 2)}</w:p>`
  const out = await merge('docx', docxOf(body, wordParts()), { l: sources.map((x) => ({ x })) })
  const { files } = await JSZip.loadAsync(out)
  expect(Object.keys(files).filter((name) => name.includes('merged'))).toEqual(['word/media/merged1.png'])
  await merge('odt', odtOf(`<text:p>${frame('{d.v:barcode(qrcode)}')}</text:p>`, odfParts()), data)
})

it('svg updates by the million', async () => {
  const t = Array.from({ length: 200_000 }, (_, n) => ({ id: 'a', a: `data-${n}` }))
  const text = await mergeText(
    '<svg xmlns="x"><g id="a"><rect/></g><!--{d.t[].id:svgUpdate(.a, .id)}--></svg>',
    { t },
    { format: 'svg' },
  )
  expect(text.length).toBeLessThan(10_000)
})

it('names of the prototype are no colours, kinds or ids', async () => {
  const text = await mergeText(
    '<svg xmlns="x"><rect id="__proto__"/><!--{d.v:svgUpdate(width, __proto__)}--></svg>',
    { v: 5 },
    { format: 'svg' },
  )
  expect(text).toContain('<rect id="__proto__" width="5"/>')
  expect(
    await mergeText('<p>{d.v:color(constructor, toString)}A</p>', { v: 'CC0000' }, { format: 'html' }),
  ).toBe('<p style="color:#CC0000">A</p>')
  expect(await mergeText('<img src="{d.v:barcode(constructor)}">', { v: '1' }, { format: 'html' })).toMatch(
    /^<img src="data:image\/png;base64,[\w+/=]+">$/,
  )
  expect(
    (await failure(mergeText('<p>{bindColor(constructor, hexa) = d.c}</p>', {}, { format: 'html' }))).code,
  ).toBe('template.color.binding')
})
