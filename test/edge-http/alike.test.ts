import { afterAll, beforeAll, expect, it } from 'vitest'
import { base64, createClient, type Target } from '../contract/http/client.ts'
import { docx } from '../contract/http/office.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../helpers/pptx.ts'

/** An edge with an origin behind it is the same service as that origin: its list of conversions, and what it answers. */
const originSecret = 'a secret that both sides know, for tests alone'
let origin: Target
let edge: Target
beforeAll(async () => {
  origin = await originTarget({ originSecret })
  edge = await edgeTarget({
    SERVICE_ORIGIN_URL: origin.url,
    SERVICE_ORIGIN_SECRET: originSecret,
    SERVICE_NB_REPORT_MAX_WAITING: '0',
  })
})
afterAll(async () => {
  await edge?.stop()
  await origin?.stop()
})

interface FormatPair {
  readonly from: string
  readonly to: string
  /** Titles for people, which an edge does not know of engines that it lacks. */
  readonly engines?: readonly string[]
}
const conversionsOf = async ({ url }: Target) =>
  (await createClient(url).get('/conversions')).body.data as readonly FormatPair[]

it('both hosts list the same conversions, letters, fidelities and options', async () => {
  const keyed = async (target: Target) =>
    (await conversionsOf(target)).map(
      ({ engines: _, ...pair }) => [`${pair.from} ${pair.to}`, JSON.stringify(pair)] as const,
    )
  const ours = new Map(await keyed(origin))
  const theirs = new Map(await keyed(edge))
  const different = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (key) => ours.get(key) !== theirs.get(key),
  )
  expect(different.map((key) => [key, ours.get(key), theirs.get(key)])).toEqual([])
  expect(ours.size).toBeGreaterThan(2_000)
})

const word = docx(
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Dear {d.a}</w:t></w:r></w:p></w:body></w:document>',
)
const slides = await pptxOf([pptxShape(2, pptxParagraph('Dear {d.a}'))])
const templates: Readonly<Record<string, string | Uint8Array>> = {
  docx: word,
  pptx: slides,
  md: '# Dear {d.a}\n\n- one\n',
  html: '<!doctype html><p>Dear {d.a}</p>',
  xml: '<a><b>{d.a}</b></a>',
  csv: 'name,n\n{d.a},1\n',
  txt: 'Dear {d.a}',
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15">{d.a}</text></svg>',
}
const outputs = ['pdf', 'txt', 'html', 'md', 'png', 'docx', 'odt', 'csv', 'rtf', 'docbook', 'xlsx', 'dbf']
const cases = Object.keys(templates).flatMap((from) => outputs.map((to) => [from, to] as const))

/** What a caller sees of an answer: not its bytes, which hold times and ids. */
async function seen({ url }: Target, from: string, body: object) {
  const asked = { template: base64(templates[from]!), data: { a: 'Ann' }, extension: from, ...body }
  const {
    status,
    headers,
    text,
    body: json,
  } = await createClient(url).post('/render/template?download=true', asked)
  const named = ['content-type', 'content-disposition', 'service-converter', 'service-warning'] as const
  return {
    status,
    ...Object.fromEntries(named.map((name) => [name, headers.get(name)])),
    kind: status === 200 ? text.slice(0, 4) : json.error,
  }
}

it.each(cases)('%s to %s is answered alike', async (from, convertTo) => {
  expect(await seen(edge, from, { convertTo })).toEqual(await seen(origin, from, { convertTo }))
})

it.each([
  ['docx', { convertTo: 'pdf', converter: 'I' }],
  ['docx', { convertTo: 'pdf', converter: 'auto' }],
  ['docx', { convertTo: 'pdf', converter: 'C' }],
  ['html', { convertTo: 'pdf', converter: 'L' }],
  ['md', { convertTo: 'pdf', converter: 'I' }],
  ['md', { convertTo: 'pdf', converter: 'C' }],
  [
    'docx',
    { convertTo: { formatName: 'pdf', formatOptions: { EncryptFile: true, DocumentOpenPassword: 'x' } } },
  ],
  ['docx', { convertTo: { formatName: 'pdf', formatOptions: { Watermark: 'draft' } } }],
  ['docx', { convertTo: { formatName: 'pdf', formatOptions: { Nonsense: 1 } } }],
  ['html', { convertTo: { formatName: 'pdf', formatOptions: { Landscape: true } } }],
  ['docx', { convertTo: { formatName: 'png', formatOptions: { PixelWidth: 50, Translucent: 1 } } }],
  ['docx', { convertTo: { formatName: 'png', formatOptions: { PixelWidth: 0 } } }],
  ['csv', { convertTo: { formatName: 'csv', formatOptions: { fieldSeparator: ';' } } }],
  ['docx', { convertTo: 'docx', hardRefresh: true }],
])('%s with %j is answered alike', async (from, body) => {
  expect(await seen(edge, from, body)).toEqual(await seen(origin, from, body))
})
