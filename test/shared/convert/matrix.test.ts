import { describe, expect, it } from 'vitest'
import { plugins } from '../../../origin/plugins.ts'
import { closureOf } from '../../../shared/convert/closure.ts'
import { buildGraph, findRoutes } from '../../../shared/convert/graph.ts'
import { conversionMatrix } from '../../../shared/convert/matrix.ts'
import type { Conversion, EnginePlugin } from '../../../shared/plugin/contract.ts'
import { readConversions } from '../../../shared/remote/wire.ts'

/** Engines as rows: letter, conversions, names in the schema. */
function engines(
  ...rows: readonly (readonly [
    letter: string,
    conversions: readonly Conversion[],
    schema: readonly string[],
  ])[]
): readonly EnginePlugin[] {
  return rows.map(([letter, conversions, schema]) => ({
    kind: 'engine',
    contract: 1,
    id: `engine-${letter}`,
    letter,
    title: `Engine ${letter}`,
    sides: ['origin'],
    conversions,
    settings: { json: {}, parse: () => ({ ok: true, value: undefined }) },
    options: {
      json: { type: 'object', properties: Object.fromEntries(schema.map((name) => [name, {}])) },
      parse: () => ({ ok: true, value: undefined }),
    },
    create: () => ({ convert: () => Promise.reject(new Error('not called')) }),
  }))
}
const step = (from: string, to: string, more: Partial<Conversion> = {}): Conversion => ({
  from,
  to,
  fidelity: 'high',
  cost: 10,
  ...more,
})

function optionsOn(
  host: 'origin' | 'edge',
  loaded: readonly EnginePlugin[],
): Record<string, readonly string[]> {
  const ofOrigin = buildGraph(loaded).conversions
  if (host === 'origin') return byPair(conversionMatrix(ofOrigin, loaded))
  // What the origin sends, and the edge reads.
  const sent: unknown = JSON.parse(JSON.stringify({ conversions: closureOf(ofOrigin) }))
  const conversions = readConversions(sent)
  if (conversions === undefined) throw new Error('The edge cannot read the conversions.')
  // An edge represents the origin by one engine whose conversions are whole routes.
  const represented = engines(['edge', conversions.map((row) => ({ ...row, alone: true as const })), []])
  return byPair(conversionMatrix(buildGraph(represented).conversions, represented))
}
const byPair = (pairs: ReturnType<typeof conversionMatrix>) =>
  Object.fromEntries(pairs.map(({ from, to, options }) => [`${from} ${to}`, options]))

it('leaves out what only an absent engine could do', () => {
  const [here, away] = engines(['X', [step('ics', 'html')], []], ['Y', [step('html', 'pdf')], []])
  const plugins = [here!, { ...away!, absent: true as const }]
  const pairs = conversionMatrix(buildGraph(plugins).conversions, plugins)
  expect(pairs.map(({ from, to }) => `${from} ${to}`)).toEqual(['ics html'])
})

describe.each(['origin', 'edge'] as const)('options that the %s lists', (host) => {
  it('are all of a schema, without what is no option of an output', () =>
    expect(optionsOn(host, engines(['X', [step('ics', 'html')], ['Gap', 'hardRefresh']]))).toEqual({
      'ics html': ['Gap'],
    }))

  it('are those that a conversion names', () =>
    expect(
      optionsOn(
        host,
        engines([
          'X',
          [step('ics', 'html', { options: ['Gap'] }), step('ics', 'txt', { options: [] })],
          ['Gap', 'Wide'],
        ]),
      ),
    ).toEqual({ 'ics html': ['Gap'], 'ics txt': [] }))

  it('are those of the last step', () =>
    expect(
      optionsOn(
        host,
        engines(['X', [step('a', 'b', { options: ['First'] }), step('b', 'c', { options: ['Last'] })], []]),
      ),
    ).toEqual({ 'a b': ['First'], 'a c': ['Last'], 'b c': ['Last'] }))

  it('are joined from all engines of a pair', () =>
    expect(
      optionsOn(host, engines(['X', [step('a', 'b')], ['One']], ['Y', [step('a', 'b')], ['Two']])),
    ).toEqual({ 'a b': ['One', 'Two'] }))

  it('are those of a dearer route where the cheaper one lacks them', () =>
    expect(
      optionsOn(
        host,
        engines([
          'X',
          [
            step('a', 'c', { options: ['Both', 'Cheap'], lacks: ['Dear'] }),
            step('a', 'b', { options: [], cost: 50 }),
            step('b', 'c', { options: ['Both', 'Dear', 'NotReached'] }),
          ],
          [],
        ]),
      )['a c'],
    ).toEqual(['Both', 'Cheap', 'Dear']))

  it('have those of the post-processing for every PDF', () => {
    const listed = optionsOn(host, engines(['X', [step('a', 'pdf')], ['Gap']]))['a pdf']
    expect(listed).toEqual(expect.arrayContaining(['Gap', 'PageRange', 'Watermarks', 'Zoom', 'EncryptFile']))
    expect(listed).not.toContain('ExportNotes')
  })
})

it('the options of a letter are those of the routes that a request with that letter takes', () => {
  const graph = buildGraph(plugins.filter((plugin) => plugin.kind === 'engine'))
  const named = [...new Set(graph.conversions.flatMap(({ options }) => options))]
  const wrong = closureOf(graph.conversions)
    .filter(({ to }) => graph.conversions.some((one) => one.to === to && one.options.length > 0))
    .flatMap(({ from, to, letter, options = [] }) => {
      const routes = findRoutes(graph, { from, to, letter })
      const taken = named.filter((name) => {
        const route = routes.find((steps) => !steps.some(({ lacks = [] }) => lacks.includes(name)))
        // The last step gets the options, and an earlier one selects the pages where it does not.
        const steps = (route ?? routes[0] ?? []).slice(name === 'PageRange' && to !== 'pdf' ? 0 : -1)
        return steps.some((each) => each.options.includes(name))
      })
      const [expected, listed] = [taken.toSorted().join(), [...options].join()]
      return expected === listed ? [] : [{ from, to, letter, expected, listed }]
    })
  expect(wrong).toEqual([])
})
