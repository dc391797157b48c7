import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../../shared/convert/graph.ts'
import { planRoutes, type RoutePlanner } from '../../../shared/convert/plan-routes.ts'
import type { EnginePlugin } from '../../../shared/plugin/contract.ts'
import type { FormatFamily } from '../../../shared/plugin/values.ts'

/** An engine from a list such as 'docx>pdf 10 basic': source, target, cost, fidelity. */
function engine(id: string, conversions: readonly string[], more: Partial<EnginePlugin> = {}): EnginePlugin {
  return {
    id,
    title: `Engine ${id}`,
    options: { json: {} },
    conversions: conversions.map((text) => {
      const [pair = '', cost = '10', fidelity = 'high'] = text.split(' ')
      const [from = '', to = ''] = pair.split('>')
      return { from, to, cost: Number(cost), fidelity }
    }),
    ...more,
  } as EnginePlugin
}

const families: Readonly<Record<string, FormatFamily>> = { docx: 'document', html: 'web' }

function planner(engines: readonly EnginePlugin[]): RoutePlanner {
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
const instant = engine('instant', ['docx>pdf 5'], { letter: 'I', selfAssessing: true })
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
    [
      'with auto the self-assessing engine, whatever it ignores, where all others are on a host that is not configured',
      [instant, { ...remote, letter: 'L', absent: true as const } as EnginePlugin],
      { from: 'docx', to: 'pdf', auto: true },
      ['instant', 'remote'],
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

  it('a conversion that stands for a whole route is neither preceded nor followed by another', () => {
    const whole = { from: 'pdf', to: 'docx', cost: 1, fidelity: 'exact', alone: true } as const
    const engines = [office, { ...engine('whole', []), conversions: [whole] }]
    expect(() => planRoutes(planner(engines), { from: 'html', to: 'docx' }, undefined)).toThrowError()
    expect(planRoutes(planner(engines), { from: 'pdf', to: 'docx' }, undefined)).toHaveLength(1)
    expect(() => planRoutes(planner(engines), { from: 'pdf', to: 'html' }, undefined)).toThrowError()
  })

  it('routes that lack an option which is set come last', () => {
    const lacking = engine('lacking', [], { letter: 'L', defaultFor: ['document'] })
    const direct = { from: 'docx', to: 'png', cost: 5, fidelity: 'high', lacks: ['Translucent'] } as const
    const engines = [office, { ...lacking, conversions: [direct] }, helper]
    const plan = (options: object, letter?: string) =>
      planRoutes(
        planner(engines),
        { from: 'docx', to: 'png', options: { ...options }, letter },
        undefined,
      ).map((route) => route.map(({ engine: id }) => id).join(' '))[0]
    expect(plan({})).toBe('lacking')
    expect(plan({ Translucent: 0 }, 'L')).toBe('lacking')
    expect(plan({ Translucent: 1 })).toBe('office helper')
    expect(plan({ Translucent: 1 }, 'L')).toBe('office helper')
  })

  it('routes by a host that is not configured come after those that lack an option', () => {
    const lacking = { from: 'docx', to: 'pdf', cost: 5, fidelity: 'high', lacks: ['UseTaggedPDF'] } as const
    const engines = [
      { ...instant, conversions: [lacking] },
      { ...remote, absent: true as const },
    ]
    const request = { from: 'docx', to: 'pdf', letter: 'I', options: { UseTaggedPDF: true } }
    const routes = planRoutes(planner(engines), request, undefined)
    expect(routes.map((route) => route.map(({ engine: id }) => id).join(' '))).toEqual(['instant', 'remote'])
  })

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
      expect.objectContaining({ details: { engine: 'Engine C', from: 'docx', to: 'odt' } }),
    )
    expect(plan('odt', 'Z')).toThrowError(
      expect.objectContaining({ details: { engine: 'Engine Z', from: 'docx', to: 'odt' } }),
    )
    expect(plan('pages')).toThrowError(expect.objectContaining({ code: 'convert.unwritten' }))
  })

  it('names the letters that can where a pinned one cannot', () => {
    const plan = (engines: readonly EnginePlugin[]) => () =>
      planRoutes(planner(engines), { from: 'html', to: 'pdf', letter: 'I' }, undefined)
    expect(plan(all)).toThrowError(
      expect.objectContaining({
        code: 'convert.engine-pair',
        message: 'Engine I cannot convert html to pdf, but C, L can.',
      }),
    )
    // The engine of a host that is not configured can do nothing.
    expect(plan([instant, office, { ...browser, absent: true }])).toThrowError(
      expect.objectContaining({ message: 'Engine I cannot convert html to pdf, but L can.' }),
    )
    expect(plan([instant, { ...browser, absent: true }])).toThrowError(
      expect.objectContaining({ code: 'convert.pair' }),
    )
  })
})
