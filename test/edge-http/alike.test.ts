import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FormatPair } from '../../shared/convert/matrix.ts'
import { base64 } from '../contract/http/client.ts'
import { docx } from '../contract/http/office.ts'
import { nonDefault } from '../helpers/option-values.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../helpers/pptx.ts'
import { conversionsOf, differences, type Hosts, render, startHosts } from '../matrix/hosts.ts'

/**
 * An edge with an origin behind it is the same service as that origin: its list of conversions, and what it answers. An edge
 * alone is so for what it lists. Here some pairs and options of each engine; `npm run matrix` asks for all of them.
 */
let hosts: Hosts
beforeAll(async () => {
  hosts = await startHosts()
})
afterAll(() => hosts?.stop())

it('an origin and an edge with it list the same conversions, letters, fidelities and options', async () => {
  const [ours, theirs] = await Promise.all([hosts.origin, hosts.edge].map(rowsByPair))
  expect(differing(ours!, theirs!)).toEqual([])
  expect(ours!.size).toBeGreaterThan(2_000)
})

it('an edge alone lists a part of them, by its own engines', async () => {
  const [ours, theirs] = await Promise.all([hosts.origin, hosts.alone].map(rowsByPair))
  expect([...theirs!.keys()].filter((key) => !ours!.has(key))).toEqual([])
  const letters = new Set([...hosts.offered.values()].flatMap(({ converters }) => converters))
  expect([...letters].sort()).toEqual(['I'])
  expect([theirs!.has('docx pdf'), theirs!.has('docx doc')]).toEqual([true, false])
})

/** Without titles for people, which an edge does not know of engines that it lacks. */
async function rowsByPair(target: Hosts['origin']): Promise<ReadonlyMap<string, string>> {
  const rows = await conversionsOf(target)
  return new Map(
    rows.map(({ engines: _, ...pair }: FormatPair) => [`${pair.from} ${pair.to}`, JSON.stringify(pair)]),
  )
}
const differing = (ours: ReadonlyMap<string, string>, theirs: ReadonlyMap<string, string>) =>
  [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((key) => ours.get(key) !== theirs.get(key))
    .map((key) => [key, ours.get(key), theirs.get(key)])

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

interface Case {
  readonly from: string
  readonly to: string
  readonly letter?: string
  readonly options?: Readonly<Record<string, unknown>>
  /** Other fields of the request. */
  readonly more?: Readonly<Record<string, unknown>>
}

async function differencesOf({ from, to, letter, options, more }: Case): Promise<readonly string[]> {
  const convertTo = options === undefined ? to : { formatName: to, formatOptions: options }
  const asked = { template: base64(templates[from]!), data: { a: 'Ann' }, extension: from, convertTo }
  const request = { ...asked, ...more, ...(letter && { converter: letter }) }
  const { seen: origin } = await render(hosts.origin, to, request)
  const { seen: edge } = await render(hosts.edge, to, request)
  const { seen: alone } = await render(hosts.alone, to, request)
  return differences({ origin, edge, alone }, hosts.offered, { from, to, letter })
}

const outputs = ['pdf', 'txt', 'html', 'md', 'png', 'docx', 'odt', 'csv', 'rtf', 'docbook', 'xlsx', 'dbf']
const pairs = Object.keys(templates).flatMap((from) => outputs.map((to) => ({ from, to })))
it.each(pairs)('$from to $to is answered alike', async (asked) => {
  expect(await differencesOf(asked)).toEqual([])
})

const named = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, nonDefault(name)]))
/** Each class of options that an engine or the post-processing applies. */
const pdfOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  security: { ...named('EncryptFile', 'DocumentOpenPassword', 'RestrictPermissions', 'PermissionPassword') },
  viewer: named('InitialView', 'PageLayout', 'HideViewerToolbar', 'Zoom'),
  watermarks: named('Watermarks'),
  'PDF/A with a watermark': named('SelectPdfVersion', 'Watermark'),
  'PDF/UA': { PDFUACompliance: true },
  'pages that are there': named('PageRange'),
  'pages that are not there': { PageRange: '7-9' },
  export: named('ExportBookmarks', 'UseTaggedPDF', 'ReduceImageResolution', 'MaxImageResolution'),
  'the page of a browser': named('Landscape', 'PaperSize', 'MarginTop', 'Scale', 'PrintBackground'),
  'a name that nobody knows': { Nonsense: 1 },
  'a value that nobody takes': { Zoom: 'much' },
}
const letters: readonly (readonly [from: string, letter: string | undefined])[] = [
  ['docx', undefined],
  ['docx', 'I'],
  ['docx', 'L'],
  ['docx', 'O'],
  ['docx', 'auto'],
  ['html', undefined],
  ['html', 'C'],
  ['html', 'I'],
  ['md', 'I'],
]
const pdfCases = letters.flatMap(([from, letter]) =>
  Object.entries(pdfOptions).map(
    ([what, options]) => ({ what, from, to: 'pdf', letter, options }) as Case & { what: string },
  ),
)
it.each(pdfCases)('$from to PDF by $letter with $what is answered alike', async (asked) => {
  expect(await differencesOf(asked)).toEqual([])
})

it.each<Case>([
  { from: 'docx', to: 'pdf', letter: 'C' },
  { from: 'html', to: 'pdf', letter: 'L' },
  { from: 'md', to: 'pdf', letter: 'C' },
  { from: 'docx', to: 'parquet', letter: 'I' },
  { from: 'txt', to: 'pdf', letter: 'O' },
  { from: 'docx', to: 'png', options: { PixelWidth: 50, Translucent: 1 } },
  { from: 'docx', to: 'png', letter: 'I', options: named('PixelWidth', 'PixelHeight', 'PageRange') },
  { from: 'docx', to: 'jpg', letter: 'I', options: named('Quality', 'Resolution') },
  { from: 'docx', to: 'png', letter: 'L', options: named('Resolution', 'Interlaced', 'Compression') },
  { from: 'html', to: 'webp', letter: 'C', options: named('Quality', 'PixelWidth') },
  { from: 'docx', to: 'png', options: { PixelWidth: 0 } },
  { from: 'svg', to: 'png', options: named('PixelWidth', 'Translucent') },
  { from: 'csv', to: 'csv', options: named('fieldSeparator', 'textDelimiter') },
  { from: 'csv', to: 'xlsx', options: named('fieldSeparator') },
  { from: 'docx', to: 'txt', options: named('PageRange') },
  { from: 'docx', to: 'docx', more: { hardRefresh: true } },
  { from: 'docx', to: 'nothing' },
])('$from to $to by $letter with $options is answered alike', async (asked) => {
  expect(await differencesOf(asked)).toEqual([])
})
