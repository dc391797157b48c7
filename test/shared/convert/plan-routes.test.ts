import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../../shared/convert/graph.ts'
import { type Planner, planRoutes } from '../../../shared/convert/plan-routes.ts'
import type { EnginePlugin, FormatFamily } from '../../../shared/plugin/contract.ts'

/** An engine from a list such as 'docx>pdf 10 basic': source, target, cost, fidelity. */
function engine(id: string, conversions: readonly string[], more: Partial<EnginePlugin> = {}): EnginePlugin {
  return {
    id,
    title: `Engine ${id}`,
    conversions: conversions.map((text) => {
      const [pair = '', cost = '10', fidelity = 'high'] = text.split(' ')
      const [from = '', to = ''] = pair.split('>')
      return { from, to, cost: Number(cost), fidelity }
    }),
    ...more,
  } as EnginePlugin
}

const families: Readonly<Record<string, FormatFamily>> = { docx: 'document', html: 'web' }

function planner(engines: readonly EnginePlugin[]): Planner {
  return {
    graph: buildGraph(engines),
    plugins: new Map(engines.map((plugin) => [plugin.id, plugin])),
    familyOf: (format) => families[format],
  }
}

const office = engine('office', ['docx>pdf 300', 'html>pdf 300', 'docx>html 300'], {
  letter: 'L',
  defaultFor: ['document'],
})
const instant = engine('instant', ['docx>pdf 5'], { letter: 'I', judges: true })
const browser = engine('browser', ['html>pdf 50'], { letter: 'C', defaultFor: ['web'] })
const helper = engine('helper', ['pdf>png 5 exact'])
const remote = engine('remote', ['docx>pdf 10'], { letter: 'I' })
const all = [office, instant, browser, helper]

describe('planRoutes', () => {
  const cases: readonly (readonly [
    title: string,
    engines: readonly EnginePlugin[],
    request: { readonly from: string; readonly to: string; readonly letter?: string; readonly auto?: true },
    routes: readonly string[],
  ])[] = [
    [
      'the default engine first',
      all,
      { from: 'docx', to: 'pdf' },
      ['office', 'office browser', 'office office', 'instant'],
    ],
    ['a pinned engine alone', all, { from: 'docx', to: 'pdf', letter: 'I' }, ['instant']],
    [
      'with auto a self-assessing engine before the default one',
      all,
      { from: 'docx', to: 'pdf', auto: true },
      ['instant', 'office', 'office browser', 'office office'],
    ],
    [
      'with auto never the same letter of another host, which would not assess the document',
      [office, instant, remote],
      { from: 'docx', to: 'pdf', auto: true },
      ['instant', 'office', 'office office'],
    ],
    ['helpers behind engines', all, { from: 'html', to: 'png' }, ['browser helper', 'office helper']],
  ]
  for (const [title, engines, request, routes] of cases)
    it(title, () =>
      expect(
        planRoutes(planner(engines), request, undefined).map((route) =>
          route.map(({ engine }) => engine).join(' '),
        ),
      ).toEqual(routes),
    )

  it('names the pair and the engine where there is no route', () => {
    const plan = (to: string, letter?: string) => () =>
      planRoutes(planner(all), { from: 'docx', to, ...(letter && { letter }) }, undefined)
    expect(plan('odt')).toThrowError(
      expect.objectContaining({
        code: 'convert.pair',
        details: { engine: 'This service', from: 'docx', to: 'odt' },
      }),
    )
    expect(plan('odt', 'C')).toThrowError(
      expect.objectContaining({ details: { engine: 'Engine browser', from: 'docx', to: 'odt' } }),
    )
    expect(plan('odt', 'Z')).toThrowError(
      expect.objectContaining({ details: { engine: 'Engine Z', from: 'docx', to: 'odt' } }),
    )
    expect(plan('pages')).toThrowError(expect.objectContaining({ code: 'convert.unwritten' }))
  })
})
