import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plugins } from '../../origin/plugins.ts'
import { createServices, type OriginServices } from '../../origin/services.ts'
import libreoffice from '../../plugins/engines/libreoffice/index.ts'
import { buildGraph, type ConversionRoute, findRoutes } from '../../shared/convert/graph.ts'
import { conversionMatrix } from '../../shared/convert/matrix.ts'
import { outputTypes, unwritten } from '../../shared/convert/output-types.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { leaflet } from '../helpers/idml.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { fixture } from '../helpers/pictures.ts'
import { sampleOf } from '../plugins/engines/libreoffice/samples.ts'

let services: OriginServices
let remove: () => Promise<void>
beforeAll(async () => {
  const prepared = await testConfig({ factories: 2 })
  remove = prepared.remove
  services = await createServices({ ...prepared.config, instanceQueueSize: 1000 })
  await services.converter.warm()
})
afterAll(async () => {
  services.beginStop()
  await services.stop()
  await remove()
})

async function convert(source: Uint8Array, from: string, to: string) {
  const made = await services.converter.convert({
    source: fromBytes(source),
    from,
    to,
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  return { ...made, files: await Promise.all((made.pages ?? [made.value]).map(bytesOf)) }
}
const samples = new Map<string, Promise<Uint8Array>>()
async function makeSample(format: string): Promise<Uint8Array> {
  const written: Readonly<Record<string, string>> = {
    md: '# Title\n\nSome *text* and a [link](https://example.org).\n',
    xml: '<?xml version="1.0"?><order><fruit>Quince</fruit></order>',
  }
  const text = written[format]
  if (text !== undefined) return new TextEncoder().encode(text)
  if (format === 'idml') return leaflet(fixture('rgb.png'))
  return sampleOf(
    format,
    async (source, from, to) => (await convert(source, from, to)).files[0] as Uint8Array,
  )
}
function sample(format: string): Promise<Uint8Array> {
  const made = samples.get(format) ?? makeSample(format)
  samples.set(format, made)
  return made
}

const wanted = outputTypes.flatMap(({ kind, from, convertTo }) =>
  from.flatMap((source) => convertTo.map((to) => [kind, source, to] as const)),
)

const registry = createRegistry(plugins)
const graph = buildGraph(registry.engines())
function routeOf(from: string, to: string): ConversionRoute | undefined {
  const target = registry.formatByExtension(to)
  const query = { from, to: target?.variantOf?.base ?? target?.id ?? to }
  return findRoutes(graph, { ...query, family: registry.format(from)?.family })[0]
}

/**
 * The contract suite of LibreOffice runs its filters. What else a route consists of is converted here once: each step of
 * another engine, each handing over from one engine to another for each kind of document, each source, and each output.
 * `npm run matrix` converts every pair.
 */
const writable = wanted.filter(([, , to]) => !unwritten.has(to))
type Row = (typeof writable)[number]
function partsOf([kind, from, to]: Row): readonly string[] {
  const route = routeOf(from, to) ?? []
  const steps = route.filter(({ engine }) => engine !== libreoffice.id)
  return [
    `from ${from}`,
    `to ${registry.formatByExtension(to)?.id ?? to}`,
    ...steps.map((step) => `${step.engine}: ${step.from} to ${step.to}`),
    ...route.slice(1).map((step, at) => `${kind}: ${route[at]?.engine} gives ${step.from} to ${step.engine}`),
  ]
}
const shown = new Set<string>()
const converted = writable.filter((row) => {
  const parts = partsOf(row)
  const isNew = parts.some((part) => !shown.has(part))
  for (const part of parts) shown.add(part)
  return isNew
})

describe('every output type of the specification, from every kind of template that lists it', () => {
  it('has a route whose steps are tested with LibreOffice or below', () => {
    const listed = new Set(libreoffice.conversions.map(({ from, to }) => `${from} ${to}`))
    const lacks = writable.filter(([, from, to]) => {
      const route = routeOf(from, to)
      return (
        route?.every((step) => step.engine !== libreoffice.id || listed.has(`${step.from} ${step.to}`)) !==
        true
      )
    })
    expect(lacks).toEqual([])
    const below = new Set(converted.flatMap(partsOf))
    expect(writable.flatMap(partsOf).filter((part) => !below.has(part))).toEqual([])
    expect(converted.length).toBeGreaterThan(100)
  })

  it.concurrent.each(converted)('%s: %s to %s', async (_, from, to) => {
    const target = services.registry.formatByExtension(to)
    expect(target, `${to} is a format`).toBeDefined()
    const { files, format } = await convert(await sample(from), from, target?.id ?? to)
    // A document with pictures is a zip as LaTeX; several pages are one by one here.
    if (format === 'zip' && to === 'latex') return
    for (const file of files) expect(await notOfKind(target?.id ?? to, file)).toBeUndefined()
  })

  it.each(wanted.filter(([, , to]) => unwritten.has(to)))(
    '%s: %s to %s is refused with the reason',
    async (_, from, to) => {
      const error = await convert(new Uint8Array(1), from, to).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(AppError)
      const { code, status, message } = error as AppError
      expect([code, status]).toEqual(['convert.unwritten', 500])
      expect(message).toBe(`This service cannot convert ${from} to ${to}: ${unwritten.get(to)}.`)
    },
  )
})

it('lists the same pairs, with engines and options', () => {
  const named = (id: string) => services.registry.formatByExtension(id)?.id === id
  const pairs = conversionMatrix(services.converter.conversions(), services.registry.engines(), named)
  // Under no other name than a request can give.
  expect(
    pairs.filter(({ from, to }) => [from, to].some((id) => ['docm', 'dotx', 'xlsm'].includes(id))),
  ).toEqual([])
  const find = (from: string, to: string) => pairs.find((pair) => pair.from === from && pair.to === to)
  for (const [, from, to] of wanted) {
    const id = services.registry.formatByExtension(to)?.id ?? to
    expect(find(from, id) !== undefined, `${from} ${to}`).toBe(!unwritten.has(to))
  }
  expect(find('docx', 'pdf')).toMatchObject({
    converters: expect.arrayContaining(['I', 'L', 'O']),
    options: expect.arrayContaining(['SelectPdfVersion', 'Zoom', 'Watermarks']),
  })
  expect(find('pptx', 'png')?.options).toContain('Interlaced')
  expect(find('xlsx', 'csv')?.options).toEqual([
    'characterSet',
    'escapeFormulae',
    'fieldSeparator',
    'textDelimiter',
  ])
})
