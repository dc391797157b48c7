import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { docxOf, odtOf, paragraph } from '../../helpers/docx.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { type CellValue, xlsxOf } from '../../helpers/xlsx.ts'
import { base64, type Client } from './client.ts'

const page = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
const sources = {
  docx: () => docxOf(paragraph('Dear {d.name}')),
  odt: () => odtOf('<text:p>Dear {d.name}</text:p>'),
  pptx: () => pptxOf([pptxShape(2, pptxParagraph('Dear {d.name}'))]),
  xlsx: () =>
    xlsxOf({ sheets: [{ name: 'One', cells: { A1: 'Dear {d.name}' } as Record<string, CellValue> }] }),
}
const signatures = {
  png: [0x89, 0x50, 0x4e, 0x47],
  jpg: [0xff, 0xd8, 0xff],
  webp: [0x52, 0x49, 0x46, 0x46],
  svg: [0x3c, 0x3f, 0x78, 0x6d],
} as const
const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', svg: 'image/svg+xml' } as const
type Picture = keyof typeof signatures

/** Pictures of pages by the engine that both hosts have. */
export function pictureCases(client: () => Client): void {
  const ask = async (template: Uint8Array, convertTo: unknown, rest: object = {}) => {
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ template: base64(template), data: { name: 'Ann' }, converter: 'I', convertTo },
        ...rest,
      }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, bytes }
  }
  const cases = (Object.keys(sources) as (keyof typeof sources)[]).flatMap((from) =>
    (Object.keys(signatures) as Picture[]).map((to) => [from, to] as const),
  )
  it.each(cases)('%s becomes %s', async (from, to) => {
    const { status, headers, bytes } = await ask(await sources[from](), to)
    expect([status, headers.get('service-converter'), headers.get('service-warning')]).toEqual([
      200,
      'I',
      null,
    ])
    expect(headers.get('content-type')).toContain(types[to])
    expect([...bytes.subarray(0, signatures[to].length)]).toEqual(signatures[to])
  })

  const threePages = () => docxOf(`${paragraph('one')}${page}${paragraph('two')}${page}${paragraph('three')}`)
  it('several pages are a zip of numbered files', async () => {
    const { status, headers, bytes } = await ask(await threePages(), 'png')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(Object.keys((await JSZip.loadAsync(bytes)).files).toSorted()).toHaveLength(3)
  })
  it('size and page can be chosen', async () => {
    const formatOptions = { PixelWidth: 120, PageRange: '2' }
    const { status, bytes } = await ask(await threePages(), { formatName: 'png', formatOptions })
    const view = new DataView(bytes.buffer)
    expect([status, view.getUint32(16), view.getUint32(20)]).toEqual([200, 120, 155])
  })
  it('the same request gives the same bytes', async () => {
    const template = await sources.docx()
    const [first, second] = [await ask(template, 'png'), await ask(template, 'png')]
    expect(first.bytes).toEqual(second.bytes)
  })
  describe('options that cannot be', () => {
    it.each([
      ['png', { PixelWidth: 0 }],
      ['png', { Resolution: 'high' }],
      ['jpg', { Quality: 101 }],
      ['svg', { PageRange: 'x' }],
      ['png', { PageRange: '9' }],
    ])('%s with %j', async (formatName, formatOptions) => {
      const { status, bytes } = await ask(await sources.docx(), { formatName, formatOptions })
      const [option = ''] = Object.keys(formatOptions)
      expect([status, new TextDecoder().decode(bytes)]).toEqual([500, expect.stringContaining(option)])
    })
  })
  it('an option of another output is reported', async () => {
    const { headers } = await ask(await sources.docx(), { formatName: 'svg', formatOptions: { Quality: 5 } })
    expect(headers.get('service-warning')).toContain('convert.option-ignored')
  })
}
