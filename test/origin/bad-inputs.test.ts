/**
 * What means ill or is broken, in every engine but LibreOffice and the other offices (`bad-conversions.test.ts`): it ends
 * in an error of the catalogue, or in what is left of it, within its time, and the engine works on.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { spoilers } from '../helpers/bad-files.ts'
import { docxOf, hugePng, pictureInText, pictureRelation } from '../helpers/docx.ts'
import { useServices } from '../helpers/origin-services.ts'
import { pdfOf, stream } from '../helpers/pdf.ts'
import { useTemporary } from '../helpers/temporary.ts'

const services = useServices()

const encode = (text: string) => new TextEncoder().encode(text)
const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/${path}`, import.meta.url)))

interface Way {
  readonly letter?: string
  readonly from: string
  readonly to: string
  readonly good: Uint8Array
}
const html = encode(
  `<!doctype html><html><head><title>T</title></head><body>${'<h1>Title</h1><p>Text <b>bold</b>.</p><table><tr><td>1<td>2</table>'.repeat(20)}</body></html>`,
)
const markdown = encode(
  '# Title\n\nText *soft* [link](https://example.org).\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n'.repeat(20),
)
const drawing = encode(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="50" height="40" fill="red"/></svg>',
)
const docx = fixture('templates/letter/template.docx')
const odt = fixture('corpus/docling-project__text_document_03.odt')
const pdf = fixture('pdf/page-orientation.pdf')
const ways: readonly Way[] = [
  { letter: 'I', from: 'docx', to: 'pdf', good: docx },
  { letter: 'I', from: 'odt', to: 'pdf', good: odt },
  { letter: 'C', from: 'html', to: 'pdf', good: html },
  { letter: 'C', from: 'svg', to: 'png', good: drawing },
  { letter: 'C', from: 'md', to: 'pdf', good: markdown },
  { from: 'md', to: 'html', good: markdown },
  { from: 'html', to: 'md', good: html },
  { from: 'docx', to: 'md', good: docx },
  { from: 'odt', to: 'latex', good: odt },
  { from: 'pdf', to: 'png', good: pdf },
  { from: 'pdf', to: 'txt', good: pdf },
  { from: 'pdf', to: 'md', good: pdf },
  { from: 'pdf', to: 'pdf', good: pdf },
]
const named = ways.map((way) => [`${way.letter ?? '-'} ${way.from} to ${way.to}`, way] as const)

async function convert(
  { letter, from, to }: Way,
  bytes: Uint8Array,
  deadlineMs = 200_000,
  signal?: AbortSignal,
) {
  const made = await services().converter.convert({
    source: fromBytes(bytes),
    from,
    to,
    ...(letter !== undefined && { letter }),
    ...(from === to && { options: { Watermark: 'COPY' } }),
    deadline: Date.now() + deadlineMs,
    signal: signal ?? AbortSignal.timeout(deadlineMs),
  })
  return { ...made, bytes: await bytesOf(made.value) }
}
const codeOf = (running: ReturnType<typeof convert>) =>
  running.then(
    ({ bytes, warnings }) => (bytes.length > 0 || warnings.length > 0 ? 'no error' : 'nothing made'),
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
/** What a broken document may end in. Text that is no longer text may be text again; a cut page is read as far as it goes. */
const ofDocument =
  /^(no error|convert\.document|convert\.password|convert\.failed|pdf\.(broken|encrypted)|package\.(not-a-zip|damaged|encrypted|too-large|too-dense|unsupported|entry-name))$/
const alive = async (way: Way) => expect(await codeOf(convert(way, way.good))).toBe('no error')

describe.each(named)('%s', (_, way) => {
  it('spoiled files', async () => {
    for (const [what, spoil] of spoilers) {
      expect(await codeOf(convert(way, spoil(way.good))), what).toMatch(ofDocument)
    }
    expect(await codeOf(convert(way, new Uint8Array(0)))).not.toBe('no error')
    await alive(way)
  })

  it('files of another kind', async () => {
    const others: Readonly<Record<string, Uint8Array>> = {
      xlsx: fixture('real/aspose-cells__FinancialPlan.xlsx'),
      png: hugePng(10, 10),
      doc: fixture('office/sealed.doc'),
      ...(way.from !== 'pdf' && { pdf }),
      ...(way.from !== 'docx' && { docx }),
    }
    for (const [kind, bytes] of Object.entries(others)) {
      const code = await codeOf(convert(way, bytes))
      expect(code, kind).toMatch(ofDocument)
      expect(code, kind).not.toBe('no error')
    }
  })

  it('no time, and a caller who goes away', async () => {
    // What takes no time at all may be done by then.
    const late = await codeOf(convert(way, way.good, 1, AbortSignal.timeout(1)))
    expect(late).toMatch(
      way.letter !== undefined || way.to === 'png' ? /^convert\.timeout$/ : /^(convert\.timeout|no error)$/,
    )
    const gone = AbortSignal.abort(new AppError('api.aborted'))
    expect(await codeOf(convert(way, way.good, 9000, gone))).toBe('api.aborted')
    await alive(way)
  })
})

describe('files with a password', () => {
  it.each([
    ['I', 'docx', 'pdf', 'sealed.docx'],
    ['I', 'odt', 'pdf', 'sealed.odt'],
    [undefined, 'docx', 'md', 'sealed.docx'],
    [undefined, 'odt', 'latex', 'sealed.odt'],
    [undefined, 'xlsx', 'parquet', 'sealed.xlsx'],
    [undefined, 'pdf', 'txt', 'sealed.pdf'],
    [undefined, 'pdf', 'png', 'sealed.pdf'],
    [undefined, 'pdf', 'pdf', 'sealed.pdf'],
  ])('%s %s to %s', async (letter, from, to, name) => {
    const way = { ...(letter !== undefined && { letter }), from, to, good: docx }
    expect(await codeOf(convert(way, fixture(`office/${name}`)))).toMatch(
      /^(convert\.password|package\.encrypted|pdf\.encrypted)$/,
    )
  })
})

describe('documents that reach out', () => {
  const folder = useTemporary()
  let server: Server
  let hits: string[] = []
  let base = ''
  let secret = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      hits.push(String(request.url))
      response.end('fetched')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const place = folder()
    mkdirSync(place, { recursive: true })
    secret = join(place, 'secret.txt')
    writeFileSync(secret, 'SECRETWORD')
  })
  afterAll(() => server.close())

  const addresses = () => [
    `${base}/a.png`,
    'http://169.254.169.254/latest/meta-data/',
    `file://${secret}`,
    '/etc/passwd',
  ]
  const word = (address: string) =>
    docxOf(
      `${'<w:p><w:r><w:t>Some words of it</w:t></w:r></w:p>'.repeat(30)}${pictureInText.replace('r:embed', 'r:link')}`,
      {
        'word/_rels/document.xml.rels': pictureRelation.replace(
          'Target="media/image1.png"',
          `Target="${address}" TargetMode="External"`,
        ),
      },
    )
  const sources: readonly (readonly [string, Way, (address: string) => Promise<Uint8Array> | Uint8Array])[] =
    [
      ['I', { letter: 'I', from: 'docx', to: 'pdf', good: docx }, word],
      ['L', { letter: 'L', from: 'docx', to: 'pdf', good: docx }, word],
      ['O', { letter: 'O', from: 'docx', to: 'pdf', good: docx }, word],
      ['Markdown of DOCX', { from: 'docx', to: 'md', good: docx }, word],
      [
        'C',
        { letter: 'C', from: 'html', to: 'pdf', good: html },
        (to) => encode(`<p>x<img src="${to}"><iframe src="${to}"></iframe>`),
      ],
      [
        'C, Markdown',
        { letter: 'C', from: 'md', to: 'pdf', good: markdown },
        (to) => encode(`x ![](${to})\n\n<iframe src="${to}"></iframe>`),
      ],
      ['Markdown to DOCX', { from: 'md', to: 'docx', good: markdown }, (to) => encode(`x ![](${to})`)],
      [
        'L, HTML',
        { letter: 'L', from: 'html', to: 'pdf', good: html },
        (to) => encode(`<p>x<img src="${to}"><iframe src="${to}"></iframe><object data="${to}"></object>`),
      ],
    ]
  it.each(sources)('%s', async (_, way, source) => {
    hits = []
    for (const address of addresses()) {
      const made = await convert(way, await source(address)).catch((error: unknown) => error)
      if (made instanceof Error) expect(made).toBeInstanceOf(AppError)
      else
        expect(Buffer.from((made as { bytes: Uint8Array }).bytes).toString('latin1')).not.toContain(
          'SECRETWORD',
        )
    }
    expect(hits).toEqual([])
  })
})

describe('pictures of 500 megapixels', () => {
  const huge = hugePng(25_000, 20_000)
  const data = `data:image/png;base64,${Buffer.from(huge).toString('base64')}`
  const cases: readonly (readonly [string, Way, () => Promise<Uint8Array> | Uint8Array])[] = [
    [
      'I',
      { letter: 'I', from: 'docx', to: 'pdf', good: docx },
      () =>
        docxOf(pictureInText, {
          'word/_rels/document.xml.rels': pictureRelation,
          'word/media/image1.png': huge,
        }),
    ],
    [
      'C',
      { letter: 'C', from: 'html', to: 'png', good: html },
      () => encode(`<p>x<img src="${data}" width="100">`),
    ],
    ['Markdown', { from: 'md', to: 'html', good: markdown }, () => encode(`x ![](${data})`)],
    [
      'Poppler',
      { from: 'pdf', to: 'png', good: pdf },
      () =>
        pdfOf([
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
          stream('200 0 0 200 0 0 cm /I Do'),
          stream(
            'x',
            '/Type/XObject/Subtype/Image/Width 25000/Height 20000/ColorSpace/DeviceGray/BitsPerComponent 8',
          ),
        ]),
    ],
  ]
  it.each(cases)('%s', async (_, way, source) => {
    expect(await codeOf(convert(way, await source()))).toMatch(
      /^(no error|convert\.(document|memory|timeout|failed|crashed))$/,
    )
    await alive(way)
  })
})

describe('documents that need longer than they have', () => {
  it.each([
    ['I', 'pdf'],
    ['L', 'pdf'],
  ])('engine %s', async (letter, to) => {
    const way = { letter, from: 'docx', to, good: docx }
    const paragraph = `<w:p><w:r><w:t>${'words of a long document '.repeat(12)}</w:t></w:r></w:p>`
    const source = await docxOf(paragraph.repeat(40_000))
    await alive(way)
    expect(await codeOf(convert(way, source, 1000))).toBe('convert.timeout')
    await alive(way)
  })
})
