import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { measureImage } from '../../../../shared/images/measure.ts'
import { bodyOf, docxOf, odtOf } from '../../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../../helpers/merge.ts'
import { drawing, frame, odfParts, slidePicture, slidesWith, wordParts } from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'

const templates: Readonly<Record<string, (tag: string) => Promise<Uint8Array>>> = {
  docx: (tag) => docxOf(`<w:p>${drawing(tag)}</w:p>`, wordParts()),
  odt: (tag) => odtOf(`<text:p>${frame(tag)}</text:p>`, odfParts()),
  pptx: (tag) => slidesWith(slidePicture(tag), 'https://a.org'),
}

async function merged(
  format: string,
  template: Promise<Uint8Array>,
  data: unknown,
  told: readonly string[] = [],
) {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  expect(warnings.map(({ message }) => message)).toEqual(told)
  const zip = await JSZip.loadAsync(out)
  const added = Object.keys(zip.files).filter((name) => name.includes('merged'))
  const files = await Promise.all(
    added.map(async (name) => measureImage(await zip.file(name)!.async('uint8array'))!),
  )
  return { out, files: files.map(({ kind, width }) => `${kind} ${width}`) }
}

describe.each(Object.entries(templates))('%s', (format, template) => {
  const rows: readonly (readonly [tag: string, data: unknown, files: readonly string[]])[] = [
    ['{d.v:barcode(qrcode)}', { v: 'https://example.org' }, ['png 450']],
    ['{d.v:barcode(qrcode, svg:true)}', { v: 'https://example.org' }, ['png 450', 'svg 150']],
    ['{d.v:barcode(ean13, includetext:true)}', { v: 9520123456788 }, ['png 957']],
    ["{d.v:barcode('code39', 'scale:2'):imageFit(contain)}", { v: 'A1' }, ['png 504']],
    // What cannot be drawn: the neutral picture.
    ['{d.v:barcode(ean13)}', { v: 'x' }, ['png 320']],
    ['{d.v:barcode(none)}', { v: '1' }, ['png 320']],
    ['{d.v:barcode(qrcode)}', {}, ['png 320']],
    ['{d.v:barcode(qrcode)}', { v: {} }, ['png 320']],
    ['{d.v:barcode(qrcode)}', { v: 'x'.repeat(1_000_000) }, ['png 320']],
    ['{d.v:barcode(qrcode)}{d.v:ifEM:drop(img)}', {}, []],
  ]
  it.each(rows)('%s of %.60j', async (tag, data, expected) => {
    const told = tag.includes('(none)')
      ? ['Formatter "barcode" does not know "none" in {d.v:barcode(none)}.']
      : []
    expect((await merged(format, template(tag), data, told)).files.sort()).toEqual(expected)
  })
})

it('each row of a loop has its own; equal ones share a file', async () => {
  const body = `<w:p>${drawing('{d.l[i].v:barcode(qrcode)}')}</w:p><w:p>${drawing('{d.l[i+1].v:barcode(qrcode)}', 2)}</w:p>`
  const { out, files } = await merged('docx', docxOf(body, wordParts()), {
    l: ['a', 'b', 'a'].map((v) => ({ v })),
  })
  expect([files.length, (await bodyOf(out)).match(/<w:drawing>/g)!.length]).toEqual([2, 3])
})

it('a render draws barcodes within a budget', async () => {
  const tag = (end: string) => `{d.l[i${end}].v:barcode(code128)}`
  const body = `<w:p>${drawing(tag(''))}</w:p><w:p>${drawing(tag('+1'), 2)}</w:p>`
  const costly = Array.from({ length: 40 }, (_, n) => ({ v: `${n}é`.repeat(2_000) }))
  const few = await merged('docx', docxOf(body, wordParts()), { l: [...costly.slice(0, 10), { v: 'ABC' }] })
  expect(few.files).toHaveLength(2)
  const many = await merged('docx', docxOf(body, wordParts()), { l: [...costly, { v: 'ABC' }] })
  expect(many.files).toEqual(['png 320'])
})

describe('web formats take the vector as a data URI', () => {
  const uri = /data:image\/svg\+xml;base64,[\w+/=]+/g
  it.each([
    [
      'html',
      '<p><img src="{d.v:barcode(qrcode)}" width=90>{d.v:barcode(qrcode)}</p>',
      '<p><img src="*" width=90>abc</p>',
    ],
    ['html', '<img src={d.v:barcode(qrcode)}>', '<img src="*">'],
    ['svg', '<svg xmlns="x"><image href="{d.v:barcode(ean13)}"/></svg>', undefined],
    ['md', '![code]({d.v:barcode(qrcode)}) {d.v:barcode(qrcode)}', '![code](*) abc'],
    ['md', '<img src="{d.v:barcode(qrcode)}">', '<img src="*">'],
    ['md', '[{d.v}]({d.u})', '[abc](https://x.org/?a=1&b=2)'],
    ['html', '<a href="{d.u}">', '<a href="https://x.org/?a=1&amp;b=2">'],
    ['txt', '{d.v:barcode(qrcode)}', 'abc'],
    [
      'html',
      '<tr><td><img src="{d.l[i]:barcode(code128)}"></td></tr><tr><td>{d.l[i+1]}</td></tr>',
      '<tr><td><img src="*"></td></tr><tr><td><img src="*"></td></tr>',
    ],
  ] as const)('%s %s', async (format, template, expected) => {
    const text = await mergeText(
      template,
      { v: 'abc', u: 'https://x.org/?a=1&b=2', l: ['1', '2'] },
      { format },
    )
    if (expected === undefined) expect(text).toMatch(/href="data:image\/png;base64,/)
    else expect(text.replace(uri, '*')).toBe(expected)
  })
})
